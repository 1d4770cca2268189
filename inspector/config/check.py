"""What can be said of a server before it is started: does its program exist, is a secret in plain sight."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from inspector.base.errors import Failure
from inspector.base.patterns import pattern
from inspector.base.secrets import is_secret_name, mask_args, mask_url
from inspector.config.entry import Entry, Note
from inspector.config.server import Server

_PLACEHOLDER = pattern(r"(?i)^\W*(your|my|insert|replace|change|todo|xxx|example|\.\.\.|<)")
_SCHEME = pattern(r"(?i)^(bearer|basic|token)\s+")
_SCHEME_ONLY = pattern(r"(?i)^(bearer|basic|token)?\s*$")
_PLAIN_NAME = pattern(r"[A-Za-z0-9_-]+$")
_CODEX_NAME = pattern(r"[A-Za-z0-9_:@/.-]+$")
_SCRIPTS = frozenset({"npx", "npm", "uvx", "pnpm", "yarn", "bunx"})
_LOCAL_NAMES = ("localhost", "::1", "0.0.0.0", "host.docker.internal")
_LOOPBACK = pattern(r"127(\.\d{1,3}){3}$")


_OF_THE_PROTOCOL = {
    "accept": "a server that asks for application/json and text/event-stream answers 406",
    "content-type": "a body is JSON, and a server may refuse it as anything else",
    "mcp-session-id": "every request goes to that session, whatever id the server gives",
    "mcp-protocol-version": "every request says that version, whatever is agreed on",
}
"""What comes of a header of the person in place of one of the protocol's own."""


def check(server: Server, environment: Mapping[str, str]) -> list[Note]:
    """Notes on a resolved server; looks at the file system, opens and starts nothing."""
    notes = list(_lint(server))
    if server.enabled and not any(note.severity == "error" for note in server.notes):
        notes += _start(server, environment) if server.transport == "stdio" else _address(server)
    return notes


def _start(server: Server, environment: Mapping[str, str]) -> Iterator[Note]:
    cwd = server.cwd or "."
    if not Path(cwd).is_dir():
        what = "is not a directory" if Path(cwd).exists() else "does not exist"
        yield Note("error", "cwd", f"the working directory {cwd} {what}", "create it or correct cwd")
        return
    from inspector.base.programs import find_program

    program = find_program(server.command, {**environment, **server.env}, cwd)
    if isinstance(program, Failure):
        yield Note("error", "command", program.message, program.hint)


def _address(server: Server) -> Iterator[Note]:
    parts = urlsplit(server.url)
    host = parts.hostname or ""
    if parts.scheme == "http" and not is_local(host):
        yield Note(
            "warning", "url", f"http:// to {host}: everything, keys too, travels unencrypted", "use https://"
        )


def is_local(host: str) -> bool:
    """True for this machine's own names and addresses."""
    return host in _LOCAL_NAMES or host.endswith(".localhost") or _LOOPBACK.match(host) is not None


def _lint(server: Server) -> Iterator[Note]:
    """What clients make something else of, and secrets that stand in the file itself: these are never quoted."""
    entry = server.entry
    if entry.adhoc or entry.source.client == "app":
        return
    yield from _name(entry)
    yield from _relative(entry)
    for where, name, value in _named_values(entry):
        if is_secret_name(name) and is_literal(value):
            yield Note("warning", where, "a secret in plain text", _instead(entry))
    for name in entry.headers:
        if (what := _OF_THE_PROTOCOL.get(name.lower())) is not None:
            said = f"{name} stands in place of the one of the protocol: {what}"
            yield Note(
                "warning", f"headers.{name}", said, "leave it out, unless that is what you want to see"
            )
    if mask_url(entry.url) != entry.url and "{" not in entry.url and "$" not in entry.url:
        yield Note("warning", "url", "a secret in the URL: it ends up in logs and histories", "use a header")
    for index, (arg, masked) in enumerate(zip(entry.args, mask_args(entry.args), strict=True)):
        if arg != masked and is_literal(arg.partition("=")[2] or arg):
            yield Note(
                "warning", f"args[{index}]", "a secret among the arguments: every user can see it", "use env"
            )


def _name(entry: Entry) -> Iterator[Note]:
    """What clients make of a name: they put it before the names of tools."""
    name = entry.name
    if entry.dialect.id == "codex" and not _CODEX_NAME.match(name):
        yield Note("warning", "", "Codex refuses a server of such a name", "take letters, digits, - and _")
    elif "__" in name:
        said = f"two underscores in a name: nobody can tell where the tool begins in mcp__{name}__tool"
        yield Note("info", "", said)
    elif not _PLAIN_NAME.match(name):
        said = "some clients refuse or rewrite such a name: letters, digits, - and _ are safe"
        yield Note("info", "", said)


def _relative(entry: Entry) -> Iterator[Note]:
    """Paths that clients look for in different places."""
    command = entry.command
    if command.startswith(("./", "../", ".\\", "..\\")):
        said = f"looked up against {entry.cwd or entry.folder}; clients start from different folders"
        yield Note("info", "command", said, "write the path in full")
    if os.name == "nt" and command.lower() in _SCRIPTS and entry.dialect.id == "claude-code":
        yield Note("warning", "command", f"on Windows Claude Code starts {command} only as cmd /c {command}")


_WAYS = (("variable", "NAME"), ("input", "ID"))


def _named_values(entry: Entry) -> Iterator[tuple[str, str, str]]:
    for field, values in (("env", entry.env), ("headers", entry.headers)):
        for name, value in values.items():
            yield f"{field}.{name}", name, value


def is_literal(value: str) -> bool:
    """True where the text holds the value itself: no variable, no stand-in, no bare scheme, no switch."""
    plain = value.strip()
    if "$" in plain or "{" in plain or len(plain) < 6 or plain.startswith(("/", "./", "~/")):
        return False
    return not _SCHEME_ONLY.match(plain) and not _PLACEHOLDER.match(_SCHEME.sub("", plain))


def _instead(entry: Entry) -> str:
    """What this client has for a secret: folders are variables too, and of no use here."""
    if entry.dialect.id == "codex":
        return "name its variable in env_vars, bearer_token_env_var or env_http_headers"
    written = entry.dialect.variables.written
    ways = [written[kind] % name for kind, name in _WAYS if kind in written]
    return f"use a variable: {' or '.join(ways)}" if ways else "keep the file private"
