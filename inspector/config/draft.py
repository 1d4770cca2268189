"""A server as a person edits it: a few texts, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.config.dialects import COMMON
from inspector.config.entry import Entry, Note
from inspector.config.pasted import join_command, split_command

Pairs = list[tuple[str, str]]


@dataclass(slots=True)
class Draft:
    """`command` is a whole command line. Of `command` and `url` one is given. The values are unexpanded: variables
    in them follow the rules of the client whose entry it is. `origin` is the entry that it was made from."""

    origin: Entry = field(repr=False)
    name: str
    command: str = field(repr=False)
    url: str = field(repr=False)
    cwd: str
    env: Pairs = field(repr=False)
    headers: Pairs = field(repr=False)

    @classmethod
    def of(cls, entry: Entry) -> Draft:
        command = join_command([entry.command, *entry.args]) if entry.command else ""
        cwd = entry.overrides.cwd or entry.cwd or ""
        env = {**entry.env, **entry.overrides.env}
        headers = {**entry.headers, **entry.overrides.headers}
        return cls(entry, entry.name, command, entry.url, cwd, list(env.items()), list(headers.items()))

    @property
    def is_http(self) -> bool:
        return bool(self.url) and not self.command

    def problem(self) -> str | None:
        """Why no server can be made of it; None where one can."""
        if not self.name.strip():
            return "it needs a name"
        try:
            words = split_command(self.command)
        except ValueError:
            return "a quote in the command line is not closed"
        if not words and not self.url.strip():
            return "it needs a command line or a URL"
        if words and self.url.strip():
            return "a server is started or connected to: not both a command line and a URL"
        return _twice("variable", self.env) or _twice("header", self.headers)

    def entry(self) -> Entry:
        """The entry that is connected to; only where there is no `problem`."""
        words = split_command(self.command)
        origin = self.origin
        fits = origin.declared if (origin.declared == "stdio") == bool(words) else ""
        known = {note.where for note in origin.notes if note.severity == "error"}
        return replace(
            origin,
            name=self.name.strip(),
            dialect=COMMON if origin.adhoc else origin.dialect,
            declared=fits or ("stdio" if words else "auto"),
            command=words[0] if words else "",
            args=words[1:],
            url=self.url.strip(),
            cwd=self.cwd.strip() or None,
            env=dict(_filled(self.env)),
            headers=dict(_filled(self.headers)),
            overrides=origin.overrides._replace(env={}, headers={}, cwd=None),
            enabled=True,
            notes=[note for note in origin.notes if not (_is_field(note) and note.where in known)],
        )

    def raw(self) -> dict[str, Any]:
        """The same as a plain entry of an `mcpServers` map."""
        entry = self.entry()
        raw: dict[str, Any] = {}
        if entry.command:
            raw |= {"command": entry.command, "args": entry.args}
            raw |= {"env": entry.env} if entry.env else {}
            raw |= {"cwd": entry.cwd} if entry.cwd else {}
        else:
            raw |= {"type": entry.declared} if entry.declared != "auto" else {}
            raw |= {"url": entry.url}
            raw |= {"headers": entry.headers} if entry.headers else {}
            raw |= {"insecure": True} if entry.insecure else {}
            raw |= {"ca": entry.ca} if entry.ca else {}
            raw |= {"messageUrl": entry.message_url} if entry.message_url else {}
        raw |= {"protocol": entry.protocol} if entry.protocol else {}
        for key, seconds in (
            ("startup_timeout_sec", entry.connect_timeout),
            ("tool_timeout_sec", entry.request_timeout),
        ):
            raw |= {key: seconds} if seconds is not None else {}
        return raw

    def foreign_variables(self) -> str | None:
        """The variable syntax that this entry has and our own file has not; None where it makes no difference."""
        entry, profile = self.origin, self.origin.dialect.variables
        if profile is COMMON.variables or profile.reference is None:
            return None
        texts = (self.command, self.url, self.cwd, *dict(self.env).values(), *dict(self.headers).values())
        written = any("$" in text or "{" in text for text in texts)
        return f"{entry.dialect.label} ({profile.syntax})" if written else None


def _is_field(note: Note) -> bool:
    """Whether it is about something that a person edits here."""
    return note.where.partition(".")[0].partition("[")[0] in (
        "",
        "command",
        "args",
        "url",
        "env",
        "headers",
        "cwd",
    )


def _filled(pairs: Iterable[tuple[str, str]]) -> Pairs:
    return [(name.strip(), value) for name, value in pairs if name.strip()]


def _twice(what: str, pairs: Pairs) -> str | None:
    names = [name for name, _ in _filled(pairs)]
    again = next((name for name in names if names.count(name) > 1), None)
    return f"the {what} {again} is there twice" if again is not None else None
