"""HAR 1.2 (softwareishard.com/blog/har-12-spec).

An HTTP exchange is an entry, its body put together from its frames. HAR has no place for stdio: there a request with
its answer is an entry of its own, and so is every other frame, at an address that nothing can ever be sent to:
`http://SERVER.stdio.invalid/tools/call/NAME`. Its status is 200 for an answer, 500 for an error (also of a tool) and 0
for none. `_mcp` of an entry holds what HAR has no member for: session, server, transport, who sent first, and `frames`,
each with its row, time and direction. Lines of stderr and notes of ours are left out, as `comment` says.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from inspector import __version__
from inspector.traffic.exchanges import Exchange
from inspector.traffic.exports.source import Source, named
from inspector.traffic.lines import C2S, CHANNELS, HTTP, S2C

_STATUS = {"answered": 200, "input required": 200, "error": 500, "tool error": 500}


def pieces(source: Source) -> Iterator[bytes]:
    about = {"version": "1.2", "creator": {"name": "mcp-inspect", "version": __version__}, "pages": []}
    about["comment"] = "stderr and notes are not in here"
    yield b'{"log":' + _json(about)[:-1] + b',"entries":['
    mark = b"\n"
    for entry in _entries(source):
        yield mark + _json(entry)
        mark = b",\n"
    yield b"\n]}}\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _entries(source: Source) -> Iterator[dict[str, Any]]:
    sessions: dict[int, _Entry] = {}

    def of(session: int) -> _Entry:
        if session not in sessions:
            sessions[session] = _Entry(source, session)
        return sessions[session]

    for session, exchange, rows in source.exchanges():
        yield of(session).of_exchange(exchange, rows)
    columns, first = source.traffic.columns, source.traffic.first
    chosen = set(source.rows)
    for number in source.rows:
        at = number - first
        row = source.row(number)
        if columns.exchange[at] or row.channel not in ("c2s", "s2c"):
            continue
        if row.kind in ("response", "error") and row.peer in chosen:
            continue
        yield of(row.session).of_frame(number)


class _Entry:
    """Makes entries of one session."""

    def __init__(self, source: Source, session: int) -> None:
        self._source = source
        self._label = source.traffic.label(session)
        transport = source.facts(session).get("transport", "")
        self._about = {"session": session, "server": self._label, "transport": str(transport)}

    def of_exchange(self, exchange: Exchange, rows: Sequence[int]) -> dict[str, Any]:
        columns, first = self._source.traffic.columns, self._source.traffic.first
        sent = [number for number in exchange.frames if columns.channel[number - first] == C2S]
        received = [number for number in exchange.frames if columns.channel[number - first] == S2C]
        kind = _header(exchange.response_headers, "content-type")
        if "event-stream" in kind:
            body = self._events(rows)
        else:
            body = b"\n".join(map(self._source.raw, received)) + exchange.body
        start = exchange.started if exchange.started is not None else 0.0
        wait = max(0.0, (exchange.answered or exchange.ended or start) - start)
        receive = max(0.0, (exchange.ended or 0.0) - (exchange.answered or exchange.ended or 0.0))
        entry = self._entry(start, wait, receive, self._frames(exchange.frames))
        entry["request"] = _request(
            exchange.method, exchange.url, exchange.request_headers, b"\n".join(map(self._source.raw, sent))
        )
        entry["response"] = _response(exchange.status or 0, exchange.response_headers, kind, body)
        if exchange.outcome not in (None, "complete"):
            entry["comment"] = exchange.outcome
        return entry

    def _events(self, rows: Sequence[int]) -> bytes:
        """The event stream as it was sent, but for its line ends."""
        columns, first = self._source.traffic.columns, self._source.traffic.first
        parts: list[bytes] = []
        for number in rows:
            channel, raw = columns.channel[number - first], self._source.raw(number)
            if channel == S2C:
                parts.append(_data(raw))
            elif channel == HTTP:
                part = Exchange(0)
                part.add(0.0, raw)
                parts += [_event(field, value) for _, field, value in part.events]
                parts.append(part.body)
        return b"".join(parts)

    def of_frame(self, number: int) -> dict[str, Any]:
        traffic = self._source.traffic
        row = self._source.row(number)
        is_request = row.kind in ("request", "notification", "batch")
        answer = row.peer if row.kind == "request" and row.state in _STATUS else None
        rows = [number] if answer is None else [number, answer]
        took = traffic.row(answer).time - row.time if answer is not None else 0.0
        entry = self._entry(row.time, max(0.0, took), 0.0, self._frames(rows))
        entry["_mcp"]["direction"] = row.channel
        path = "/".join(quote(part, safe="/") for part in (row.method or row.kind, named(row)) if part)
        sent, received = self._source.raw(number), b""
        if answer is not None:
            received = self._source.raw(answer)
        elif not is_request:
            sent, received = b"", sent
        entry["request"] = _request("POST", f"http://{_host(self._label)}/{path}", [], sent)
        status = _STATUS.get(row.state, 0) if is_request else 200 if row.kind == "response" else 500
        entry["response"] = _response(status, [], "application/json", received)
        return entry

    def _entry(
        self, start: float, wait: float, receive: float, frames: list[dict[str, Any]]
    ) -> dict[str, Any]:
        wait, receive = round(wait * 1000, 3), round(receive * 1000, 3)
        return {
            "startedDateTime": _moment(self._source.traffic.base_time + start),
            "time": wait + receive,
            "request": {},
            "response": {},
            "cache": {},
            "timings": {"send": 0, "wait": wait, "receive": receive},
            "_mcp": self._about | {"frames": frames},
        }

    def _frames(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        columns, first = self._source.traffic.columns, self._source.traffic.first
        base = self._source.traffic.base_time
        return [
            {
                "row": number,
                "time": round(base + columns.time[number - first], 6),
                "direction": CHANNELS[columns.channel[number - first]],
            }
            for number in rows
        ]


def _event(field: str, value: str) -> bytes:
    """A part of an event stream that is no frame, as it was sent."""
    raw = value.encode("utf-8", "replace")
    if field.startswith("event "):
        return f"event: {field[6:]}\n".encode("utf-8", "replace") + _data(raw)
    if field == "redirect":
        return b""
    return (b"" if field == "comment" else field.encode("utf-8", "replace")) + b": " + raw + b"\n"


def _data(raw: bytes) -> bytes:
    return b"data: " + raw.replace(b"\n", b"\ndata: ") + b"\n\n"


def _text(raw: bytes) -> dict[str, str]:
    try:
        return {"text": raw.decode("utf-8")}
    except UnicodeDecodeError:
        return {"text": b64encode(raw).decode(), "encoding": "base64"}


def _request(method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
    try:
        query = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        query = []
    request = {
        "method": method,
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(headers),
        "queryString": _pairs(query),
        "headersSize": -1,
        "bodySize": len(body),
    }
    if body:
        kind = _header(headers, "content-type") or "application/json"
        request["postData"] = {"mimeType": kind, "text": body.decode("utf-8", "replace"), "params": []}
    return request


def _response(status: int, headers: list[tuple[str, str]], kind: str, body: bytes) -> dict[str, Any]:
    return {
        "status": status,
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(headers),
        "content": {"size": len(body), "mimeType": kind or "x-unknown", **_text(body)},
        "redirectURL": _header(headers, "location"),
        "headersSize": -1,
        "bodySize": len(body),
    }


def _pairs(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _header(headers: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _host(label: str) -> str:
    """A name of a host that never is one (RFC 2606)."""
    letters = "".join(char if char.isascii() and char.isalnum() else "-" for char in label)
    return f"{letters.strip('-')[:63].strip('-').lower() or 'server'}.stdio.invalid"


def _moment(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return "1970-01-01T00:00:00.000Z"
