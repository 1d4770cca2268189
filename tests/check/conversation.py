"""Conversations for tests of rules, written down row by row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, TypeAlias, TypeVar

from inspector.check.checking import Checking, wanted
from inspector.check.rules import V07, V11, Finding
from inspector.traffic.session_log import SessionLog
from inspector.traffic.store import Traffic

PREFIX = "io.modelcontextprotocol/"
EVERYTHING = {
    "tools": {"listChanged": True}, "prompts": {"listChanged": True}, "completions": {}, "logging": {},
    "resources": {"subscribe": True, "listChanged": True}, "tasks": {"requests": {"tools": {"call": {}}}},
}  # fmt: skip
ABLE = {"roots": {}, "sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}}}


class Row:
    """What one side writes; `at` is the moment in seconds. `beside` is on a second connection with the same server,
    `aside` what stands in the log besides messages: a line of `stderr`, or a note of ours (`system`)."""

    def __init__(self, sent: bool, said: Any, at: float | None = None, aside: str = "") -> None:
        self.sent, self.said, self.aside, self.beside = sent, said, aside, False
        self.raw = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.at = at


def sent(said: Any, at: float | None = None) -> Row:
    return Row(True, said, at)


def came(said: Any, at: float | None = None) -> Row:
    return Row(False, said, at)


Said = TypeVar("Said", "Row", "Post")


def noted(text: str) -> Row:
    return Row(False, text.encode(), aside="system")


def whispered(text: str) -> Row:
    return Row(False, text.encode(), aside="stderr")


def beside(*rows: Said) -> list[Said]:
    """The same over another connection."""
    there = [copy(row) for row in rows]
    for row in there:
        row.beside = True
    return there


def message(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


def asks(method: str, params: Any = None, id_: Any = 7) -> Row:
    """A request of the client."""
    return sent(message(id=id_, method=method, **({} if params is None else {"params": params})))


def answers(result: Any, id_: Any = 7) -> Row:
    return came(message(id=id_, result=result))


def fails(code: Any, id_: Any = 7, text: Any = "no", **more: Any) -> Row:
    return came(message(id=id_, error={"code": code, "message": text, **more}))


def tells(method: str, params: Any = None) -> Row:
    """A notification of the server."""
    return came(message(method=f"notifications/{method}", **({} if params is None else {"params": params})))


def wants(method: str, params: Any = None, id_: Any = 1) -> Row:
    """A request of the server."""
    return came(message(id=id_, method=method, **({} if params is None else {"params": params})))


def meta(version: str = V07, capabilities: Any = ABLE, **more: Any) -> dict[str, Any]:
    return {f"{PREFIX}protocolVersion": version, f"{PREFIX}clientCapabilities": capabilities, **more}


def old(
    *rows: Row, version: str = V11, client: Any = ABLE, server: Any = EVERYTHING, ready: bool = True
) -> list[Row]:
    """A conversation that begins with `initialize`."""
    info = {"name": "n", "version": "1"}
    begin = [
        sent(
            message(
                id=0,
                method="initialize",
                params={"protocolVersion": version, "capabilities": client, "clientInfo": info},
            )
        ),
        came(message(id=0, result={"protocolVersion": version, "capabilities": server, "serverInfo": info})),
    ]
    return [*begin, *([sent(message(method="notifications/initialized"))] if ready else []), *rows]


def complete(result: dict[str, Any]) -> dict[str, Any]:
    """A result as 2026-07-28 has it."""
    info = {f"{PREFIX}serverInfo": {"name": "n", "version": "1"}}
    return {"resultType": "complete", "_meta": info, **result}


CACHE = {"ttlMs": 0, "cacheScope": "private"}


def new(*rows: Row, server: Any = EVERYTHING) -> list[Row]:
    """A conversation of 2026-07-28."""
    found = complete({"supportedVersions": [V07], "capabilities": server, **CACHE})
    return [asks("server/discover", {"_meta": meta()}, 0), answers(found, 0), *rows]


def called(result: Any, name: str = "t", version: str = V11, **tool: Any) -> list[Row]:
    """A tool is listed, and its call comes to a result."""
    listed = {"name": name, "inputSchema": {"type": "object"}, **tool}
    return old(
        asks("tools/list", id_=5), answers({"tools": [listed]}, 5),
        asks("tools/call", {"name": name, "arguments": {}}), answers(result), version=version,
    )  # fmt: skip


def listed(*entries: Any, kind: str = "tools", version: str = V11, server: Any = EVERYTHING) -> list[Row]:
    method = {"resourceTemplates": "resources/templates/list"}.get(kind, f"{kind}/list")
    return old(asks(method), answers({kind: list(entries)}), version=version, server=server)


def tool(schema: Any = None, **members: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {"type": "object"} if schema is None else schema, **members}


class Post:
    """An HTTP exchange: what is posted, and what comes back."""

    def __init__(
        self,
        said: Any,
        *back: Any,
        status: int = 200,
        media: str = "application/json",
        method: str = "POST",
        headers: Sequence[tuple[str, str]] = (),
        sends: Sequence[tuple[str, str]] = (),
        events: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
        end: str = "complete",
        url: str = "http://127.0.0.1/mcp",
        lingers: float = 0,
        accept: str = "application/json, text/event-stream",
    ) -> None:
        self.said, self.back, self.status, self.method, self.body, self.end = (
            said,
            back,
            status,
            method,
            body,
            end,
        )
        self.headers = [("content-type", media), *headers] if media else list(headers)
        self.sends = [("accept", accept), *sends]
        self.beside = False
        self.events, self.url, self.lingers = list(events), url, lingers


VERSION_HEADER = [("mcp-protocol-version", V11)]


def web(*posts: Post, version: str = V11) -> list[Post]:
    """A conversation over Streamable HTTP that begins with a handshake."""
    first, second, third = (json.loads(row.raw) for row in old(version=version))
    return [Post(first, second), Post(third, status=202, media="", sends=VERSION_HEADER), *posts]


Case: TypeAlias = "tuple[Sequence[Row | Post], Sequence[Row | Post]]"
"""A conversation that a rule is about, and one that it is not about."""


def found(
    rows: Iterable[Row | Post], *, muted: Sequence[str] = (), transport: str = "stdio", live: bool = False
) -> list[Finding]:
    """What the rules find in it; `live` shows it to them row by row, as it grows."""
    checking = checked(rows, muted=muted, transport=transport, live=live)
    assert checking.broken == {}, checking.broken
    return checking.findings


def checked(
    rows: Iterable[Row | Post], *, muted: Sequence[str] = (), transport: str = "stdio", live: bool = False
) -> Checking:
    return judged(rows, muted=muted, transport=transport, live=live)[0]


def judged(
    rows: Iterable[Row | Post], *, muted: Sequence[str] = (), transport: str = "stdio", live: bool = False
) -> tuple[Checking, Traffic]:
    """The checking that is through with it, and the traffic that it looked at."""
    traffic = Traffic.in_memory()
    rows = list(rows)
    http = any(isinstance(row, Post) for row in rows)
    logs = [traffic.session("it", transport="http" if http else transport) for _ in range(2)]
    checking = Checking(traffic, wanted(muted))
    for row in rows:
        if isinstance(row, Post):
            _post(logs[row.beside], row)
        else:
            _write(logs[row.beside], row)
            if row.at is not None:
                traffic.columns.time[-1] = row.at
        if live:
            traffic.advance()
            checking.advance()
    traffic.advance()
    checking.finish()
    return checking, traffic


def _write(log: SessionLog, row: Row) -> None:
    if row.aside == "system":
        log.system(row.raw.decode())
    elif row.aside == "stderr":
        log.stderr([row.raw])
    else:
        log.sent(row.raw) if row.sent else log.received([row.raw])


def _post(log: SessionLog, post: Post) -> None:
    number = log.http_request(post.method, post.url, post.sends)
    if post.said is not None:
        log.sent(post.said if isinstance(post.said, bytes) else json.dumps(post.said).encode(), number)
    log.http_response(number, post.status, post.headers)
    for name, value in post.events:
        log.http_event(number, name, value)
    for each in post.back:
        log.received([each if isinstance(each, bytes) else json.dumps(each).encode()], number)
    if post.body:
        log.http_body(number, post.body)
    log.http_end(number, post.end)
    log.traffic.columns.time[-1] += post.lingers


def rules_of(findings: Iterable[Finding]) -> set[str]:
    return {finding.rule for finding in findings}
