"""A server as it is connected to: every value expanded, with what must be masked and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from inspector.base.errors import Failure
from inspector.base.secrets import (
    Secrets,
    is_secret_name,
    mask_args,
    mask_header,
    mask_named,
    mask_url,
    secrets_of_args,
    secrets_of_url,
)
from inspector.config.entry import Entry, Input, Note

if TYPE_CHECKING:
    from inspector.config.oauth import OAuth

__all__ = ["Entry", "Launch", "Server"]


@dataclass(slots=True, eq=False, repr=False)
class Launch:
    """What a connection is made of. Paths are absolute."""

    command: str = ""
    args: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)


# Without a repr: it would carry secrets into tracebacks.
@dataclass(slots=True, eq=False, repr=False)
class Server:
    """The outcome of one expansion of an `Entry`. It is a snapshot: a reconnect resolves the entry anew.

    `transport` is `stdio`, `http`, `sse`, `auto`, `auto-sse` or `unsupported:<x>`. `launch` holds the true values,
    `shown` the same with `***` for what came from variables and inputs. `env` are additions to our environment and
    `env_unset` names to take away. `secrets` are (value, variable name), `unresolved` names of variables and
    `input:ID`, `inputs` what has to be asked first. Timeouts are seconds, None where the entry has none;
    `protocol` is the era or version that the entry asks for.
    """

    entry: Entry
    transport: str
    launch: Launch
    shown: Launch
    env_unset: tuple[str, ...] = ()
    enabled: bool = True
    connect_timeout: float | None = None
    request_timeout: float | None = None
    protocol: str | None = None
    insecure: bool = False
    ca: str | None = None
    message_url: str | None = None
    oauth: OAuth | None = None
    secrets: list[tuple[str, str]] = field(default_factory=list)
    unresolved: list[str] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def command(self) -> str:
        return self.launch.command

    @property
    def args(self) -> list[str]:
        return self.launch.args

    @property
    def env(self) -> dict[str, str]:
        return self.launch.env

    @property
    def cwd(self) -> str | None:
        return self.launch.cwd

    @property
    def url(self) -> str:
        return self.launch.url

    @property
    def headers(self) -> dict[str, str]:
        return self.launch.headers

    @property
    def warnings(self) -> list[str]:
        return [_sentence(note) for note in self.notes if note.severity == "warning"]

    @property
    def failure(self) -> Failure | None:
        """Why this server cannot even be tried, None where it can. The file system is not asked."""
        errors = [note for note in self.notes if note.severity == "error"]
        if errors:
            message = "; ".join(map(_sentence, errors))
            hints = dict.fromkeys(note.hint for note in errors if note.hint)
            hint = "; ".join(hints) or "see mcp-inspect config"
            return Failure(kind="config", message=message, hint=hint)
        if self.transport.startswith("unsupported:"):
            spelling = self.transport.partition(":")[2]
            return Failure(
                kind="unsupported", message=f"unknown transport {spelling}", hint="use stdio, http or sse"
            )
        if self.inputs:
            names = ", ".join(
                f"{asked.id} ({asked.description or 'no description'})" for asked in self.inputs
            )
            return Failure(
                kind="config", message=f"inputs are not given yet: {names}", hint="answer them first"
            )
        return None

    def teach(self, secrets: Secrets) -> None:
        """Makes the secret values of this server known, so that they are masked everywhere."""
        for value, name in self.secrets:
            secrets.add(value, name)
        secrets.add_headers(self.launch.headers)
        for name, value in self.launch.env.items():
            if is_secret_name(name):
                secrets.add(value, name)
        urls = (self.launch.url, *self.launch.env.values(), *self.launch.headers.values())
        for value in (*chain.from_iterable(map(secrets_of_url, urls)), *secrets_of_args(self.launch.args)):
            secrets.add(value)
            secrets.add(unquote(value))

    def as_json(self, reveal: bool = False) -> dict[str, Any]:
        """The server's part of the `config` document."""
        launch = self.launch if reveal else _masked_by_name(self.shown)
        return {
            "name": self.name,
            "transport": self.transport,
            "command": launch.command or None,
            "args": list(launch.args),
            "env": dict(launch.env),
            "cwd": launch.cwd,
            "url": launch.url or None,
            "headers": dict(launch.headers),
            "enabled": self.enabled,
            "source": {"path": self.entry.source.path or None, "pointer": self.entry.source.pointer},
            "unresolved": list(self.unresolved),
            "warnings": self.warnings,
        }


def _sentence(note: Note) -> str:
    return f"{note.where}: {note.message}" if note.where else note.message


def _masked_by_name(launch: Launch) -> Launch:
    """Also the literal values behind names that are secret by custom."""
    return Launch(
        command=launch.command,
        args=mask_args(launch.args),
        env=mask_env(launch.env),
        cwd=launch.cwd,
        url=mask_url(launch.url),
        headers={name: mask_header(name, value) for name, value in launch.headers.items()},
    )


def mask_env(env: Mapping[str, str]) -> dict[str, str]:
    return {name: mask_named(name, value) for name, value in env.items()}
