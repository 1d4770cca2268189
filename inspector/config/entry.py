"""The record of one server entry: in our vocabulary, not expanded, with where it came from and what is odd."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from inspector.config.dialects import ADHOC, Dialect
from inspector.config.interpolate import NOTHING

if TYPE_CHECKING:
    from inspector.config.oauth import OAuth
    from inspector.config.server import Server

Severity = Literal["error", "warning", "info"]
Scope = Literal["user", "project", "named", "adhoc"]
"""`user`: a client's file in the home directory. `project`: found in a folder, so that a start needs consent.
`named`: the user gave the very path. `adhoc`: a command line or URL."""


class Note(NamedTuple):
    """Something to say about a server: `where` is the field (`args[2]`, `headers.X-Key`, empty for the whole entry),
    an error means that it cannot be started."""

    severity: Severity
    where: str
    message: str
    hint: str | None = None


class Source(NamedTuple):
    """Where an entry comes from: a JSON pointer into a file, and on whose behalf. Empty for ad-hoc servers."""

    path: str = ""
    pointer: str = ""
    client: str = "adhoc"
    scope: Scope = "adhoc"


class Input(NamedTuple):
    """A value that the user is asked for before a server that refers to it starts."""

    id: str
    description: str = ""
    secret: bool = False
    options: tuple[str, ...] = ()
    default: str | None = None


class Overrides(NamedTuple):
    """What the user said on our own command line; variables in it follow the common profile."""

    headers: Mapping[str, str] = NOTHING
    env: Mapping[str, str] = NOTHING
    cwd: str | None = None
    transport: str | None = None
    insecure: bool = False
    ca: str | None = None
    message_url: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class Entry:
    """An unexpanded entry; `resolve` makes a `Server` of it at every connect, with the environment of then.

    `declared` is the transport after all aliases. Folders are absolute: `project` is PROJECT_DIR, a relative cwd
    starts from `base`, and a server without a cwd runs in `folder`, which is the workspace of editors. `origin`
    maps a field to its keys in `raw`.
    `passed` are names of variables that a client hands on which hands on few; `header_variables` names the variable
    that holds the value of a header, `bearer_variable` that of a token; `headers_helper` is a shell command that prints
    headers, which is run at a connect. `shown_tools` (None: all), `hidden_tools` and
    `approved_tools` are what the client makes of the server's tools.
    """

    name: str
    dialect: Dialect
    source: Source
    raw: Any
    home: str
    project: str
    base: str
    folder: str
    declared: str = "stdio"
    command: str = ""
    args: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    env_unset: list[str] = field(default_factory=list)
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    passed: list[str] = field(default_factory=list)
    header_variables: dict[str, str] = field(default_factory=dict)
    bearer_variable: str | None = None
    env_file: str | None = None
    headers_helper: str | None = None
    oauth: OAuth | None = None
    shown_tools: list[str] | None = None
    hidden_tools: list[str] = field(default_factory=list)
    approved_tools: list[str] = field(default_factory=list)
    insecure: bool = False
    ca: str | None = None
    message_url: str | None = None
    enabled: bool = True
    connect_timeout: float | None = None
    request_timeout: float | None = None
    protocol: str | None = None
    inputs: dict[str, Input] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    overrides: Overrides = field(default_factory=Overrides)
    notes: list[Note] = field(default_factory=list)
    origin: dict[str, tuple[str | int, ...]] = field(default_factory=dict)

    @property
    def transport(self) -> str:
        """The declared one, or what our own command line says, where that fits a URL or a command."""
        override = self.overrides.transport
        if override is None or self.declared.startswith("unsupported:"):
            return self.declared
        return override if (override == "stdio") == bool(self.command) else self.declared

    def resolve(
        self, environment: Mapping[str, str], inputs: Mapping[str, str] | None = None, *, files: bool = False
    ) -> Server:
        """The server as it is to be connected to now. Never raises: what is in the way is in its notes. `files`: with
        what it takes from other files, for a connect."""
        from inspector.config.resolve import resolve

        return resolve(self, environment, {**self.answers, **(inputs or {})}, files=files)

    @property
    def adhoc(self) -> bool:
        return self.dialect is ADHOC

    def note(self, severity: Severity, where: str, message: str, hint: str | None = None) -> None:
        self.notes.append(Note(severity, where, message, hint))
