"""HTTP headers that a person writes for one request: how they are read, and what the answer says of the server."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.transports.base import Written
from inspector.workspace.connection import Connection

_NAME = pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""Of a header (RFC 9110, 5.6.2: token)."""
SESSION, VERSION = "mcp-session-id", "mcp-protocol-version"


def read(text: str) -> Written:
    """`Name: value` a line, nothing behind the colon where it is to be left out. Raises Failed (config)."""
    written = Written()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        if not colon or _NAME.fullmatch(name.strip()) is None:
            raise fail(
                "config",
                f"line {number} of the headers is none",
                "write Name: value, or Name: to leave it out",
            )
        written[name.strip()] = value.strip()
    return written


def usual(connection: Connection, method: str, params: Mapping[str, object]) -> dict[str, str] | None:
    """What the protocol has a request say in its headers, the body's own aside; None without HTTP."""
    session = connection.session
    if session is None or session.transport.kind == "stdio":
        return None
    try:
        due = session.due_headers(method, dict(params))
    except Failed:
        due = dict(session.transport.due_headers())
    return due


def judged(written: Written, due: Mapping[str, str], status: int | None) -> str:
    """What a status says of a server that was sent these headers in place of the `due` ones, for people (spec:
    basic/transports, session management and protocol version header)."""
    if status is None:
        return "no HTTP status came"
    given = {name.lower(): value for name, value in written.items()}
    had = {name.lower() for name in due}
    said = f"HTTP {status}"
    served = 200 <= status < 300
    if SESSION in given and not given[SESSION]:
        if served:
            return f"{said}: it serves a request without a session id" + (
                ", though it gave one: it does not require it" if SESSION in had else ""
            )
        return f"{said}: without a session id it refuses" + (
            ", as is due" if status == 400 else "; 400 was due"
        )
    if SESSION in given:
        if served:
            return f"{said}: it does not look at the session id, or the one that was written is known to it"
        if status == 404:
            return (
                f"{said}: it does not know this session, and says so as is due; a client opens a new one then"
            )
        return f"{said}: it refuses this session; 404 was due where it does not know it"
    if VERSION in given:
        if served:
            return f"{said}: it does not mind the version that the header says, or lacks"
        return f"{said}: it refuses the version of the header" + (
            ", as is due" if status == 400 else "; 400 was due"
        )
    return f"{said}: served all the same" if served else f"{said}: refused"
