"""OpenTelemetry spans, in the JSON mapping of OTLP.

Each line is one ExportTraceServiceRequest of at most 512 spans, the form that collectors read from files; what stands
on a line can be posted to `/v1/traces` as it is. Names and attributes follow the semantic conventions for MCP
(opentelemetry.io/docs/specs/semconv/gen-ai/mcp). A request is a span up to its answer, a notification one without
length. What the client began is of kind CLIENT, what the server began of kind SERVER, since a recording is made at the
client. A session is a trace; where `_meta.traceparent` names another, the span is its child there. Ids are made from
the recording, so that the same one gives the same spans again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from inspector import __version__
from inspector.protocol.jsonrpc import Message
from inspector.traffic.correlate import message_of
from inspector.traffic.exchanges import Exchange
from inspector.traffic.exports.source import Source, named
from inspector.traffic.lines import HTTP
from inspector.traffic.rows import Row

_AT_ONCE = 512
_CLIENT, _SERVER, _ERROR = 3, 2, 2
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
_SESSION_ID = "mcp-session-id"


def pieces(source: Source) -> Iterator[bytes]:
    spans = _Spans(source)
    batch: dict[int, list[dict[str, Any]]] = {}
    held = 0
    for number in source.rows:
        row = source.row(number)
        if row.kind not in ("request", "notification"):
            continue
        batch.setdefault(row.session, []).append(spans.of(row))
        held += 1
        if held == _AT_ONCE:
            yield spans.request(batch)
            batch, held = {}, 0
    if held:
        yield spans.request(batch)


class _Spans:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._traffic = source.traffic
        self._seed = f"{source.traffic.header.get('created')} {source.traffic.base_time!r}"
        self._elsewhere: dict[int, str] = {}
        self._session_ids = _session_ids(source)
        self._shared = {number: self._of_session(number) for number in source.traffic.sessions}

    def request(self, batch: dict[int, list[dict[str, Any]]]) -> bytes:
        resources = [
            {
                "resource": {"attributes": _attributes(self._resource(session))},
                "scopeSpans": [{"scope": {"name": "mcp-inspect", "version": __version__}, "spans": spans}],
            }
            for session, spans in batch.items()
        ]
        return json.dumps({"resourceSpans": resources}, separators=(",", ":")).encode() + b"\n"

    def _resource(self, session: int) -> dict[str, Any]:
        return {"service.name": "mcp-inspect", "mcp_inspect.server": self._traffic.label(session)}

    def of(self, row: Row) -> dict[str, Any]:
        message = message_of(self._source.raw(row.number))
        params = message.value.get("params") if type(message.value) is dict else None
        params = params if type(params) is dict else {}
        start = self._nanoseconds(row.time)
        answer = self._traffic.row(row.peer) if row.kind == "request" and row.peer is not None else None
        settled = answer is not None and answer.kind in ("response", "error")
        end = self._nanoseconds(answer.time) if answer is not None and settled else start
        failed, status = self._outcome(row, answer if settled else None)
        trace, parent = self._place(params, row)
        span: dict[str, Any] = {
            "traceId": trace,
            "spanId": self._span_id(row.number),
            "name": " ".join(filter(None, (row.method, named(row)))),
            "kind": _CLIENT if row.channel == "c2s" else _SERVER,
            "startTimeUnixNano": str(start),
            "endTimeUnixNano": str(max(start, end)),
            "attributes": _attributes(
                self._shared.get(row.session, {}) | _of_request(row, message, params) | failed
            ),
            "status": status,
        }
        if parent:
            span["parentSpanId"] = parent
        return span

    def _nanoseconds(self, time: float) -> int:
        return round(self._traffic.base_time * 1e6) * 1000 + round(time * 1e9)

    def _place(self, params: dict[str, Any], row: Row) -> tuple[str, str]:
        """Trace and parent. What belongs to a request, as progress does, is a child of it."""
        meta = params.get("_meta")
        told = meta.get("traceparent") if type(meta) is dict else None
        if type(told) is str and (match := _TRACEPARENT.fullmatch(told)):
            self._elsewhere[row.number] = match[1]
            return match[1], match[2]
        trace = sha256(f"trace {self._seed} {row.session}".encode()).hexdigest()[:32]
        if row.kind == "notification" and row.peer is not None:
            return self._elsewhere.get(row.peer, trace), self._span_id(row.peer)
        return trace, ""

    def _span_id(self, number: int) -> str:
        return sha256(f"span {self._seed} {number}".encode()).hexdigest()[:16]

    def _outcome(self, row: Row, answer: Row | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What an answer adds to the attributes, and the status."""
        if row.kind != "request":
            return {}, {}
        if row.state == "error" and answer is not None:
            return self._error(message_of(self._source.raw(answer.number)))
        if row.state == "tool error":
            return {"error.type": "tool_error"}, {"code": _ERROR}
        if row.state == "cancelled":
            return {"error.type": "cancelled"}, {"code": _ERROR, "message": "cancelled"}
        if row.state == "pending":
            return {"mcp_inspect.state": "no answer in the recording"}, {}
        return {}, {}

    def _error(self, message: Message) -> tuple[dict[str, Any], dict[str, Any]]:
        error = message.value.get("error") if type(message.value) is dict else None
        members = error if type(error) is dict else {}
        code, said = members.get("code"), members.get("message")
        status = {"code": _ERROR} | ({"message": self._source.mask(said)} if type(said) is str else {})
        if type(code) is not int:
            return {"error.type": "_OTHER"}, status
        return {"error.type": str(code), "rpc.response.status_code": str(code)}, status

    def _of_session(self, session: int) -> dict[str, Any]:
        facts = self._source.facts(session)
        transport = facts.get("transport")
        shared: dict[str, Any] = {"mcp.protocol.version": facts.get("protocolVersion")}
        shared["mcp.session.id"] = self._session_ids.get(session)
        if transport == "stdio":
            shared["network.transport"] = "pipe"
        elif type(url := facts.get("url")) is str:
            shared |= {"network.transport": "tcp", "network.protocol.name": "http"} | _address(url)
        return shared


def _of_request(row: Row, message: Message, params: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"mcp.method.name": row.method}
    if message.has_id:
        found["jsonrpc.request.id"] = "null" if message.id is None else str(message.id)
    name = params.get("name")
    if row.method == "tools/call":
        found |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    elif row.method == "prompts/get":
        found["gen_ai.prompt.name"] = name
    if row.method is not None and row.method.startswith(("resources/", "notifications/resources/")):
        found["mcp.resource.uri"] = params.get("uri")
    return found


def _address(url: str) -> dict[str, Any]:
    try:
        parts = urlsplit(url)
        return {
            "server.address": parts.hostname,
            "server.port": parts.port or (443 if parts.scheme == "https" else 80),
        }
    except ValueError:
        return {}


def _session_ids(source: Source) -> dict[int, str]:
    """The first session id that each session was given in the head of an answer."""
    found: dict[int, str] = {}
    traffic = source.traffic
    for number in traffic.containing(_SESSION_ID.encode(), True, traffic.first, traffic.end):
        at = number - traffic.first
        session = traffic.columns.session[at]
        if traffic.columns.channel[at] != HTTP or session in found:
            continue
        exchange = Exchange(0)
        exchange.add(0.0, source.raw(number))
        for name, value in exchange.response_headers:
            if name.lower() == _SESSION_ID:
                found[session] = value
    return found


def _attributes(members: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": {"intValue": str(value)} if type(value) is int else {"stringValue": value}}
        for key, value in members.items()
        if type(value) is int or type(value) is str
    ]
