"""2026-07-28 over Streamable HTTP: each POST stands for itself (spec: basic/transports/streamable-http).

What its headers say twice is compared with its body; to close the stream of a request is to cancel it; a subscription
is a stream that stays open.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from inspector.base.text import quoted
from inspector.protocol import jsonrpc, mirrored
from inspector.protocol.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
    Id,
    Message,
)
from inspector.protocol.revisions import PREFIX
from inspector.serving.definition import RpcError, is_modern
from inspector.serving.engine import Frame
from inspector.serving.exchange import JSON, Exchange, LiveWatch, refused
from inspector.serving.modern import ModernSession, meta_of
from inspector.serving.streams import Live
from inspector.serving.wire import with_value
from inspector.transports.httpd import Response, StreamingResponse

_STATUS = {METHOD_NOT_FOUND: 404, HEADER_MISMATCH: 400, MISSING_CAPABILITY: 400, UNSUPPORTED_VERSION: 400}
_VERSION, _SUBSCRIPTION = f"{PREFIX}protocolVersion", f"{PREFIX}subscriptionId"


class Stateless(Live):
    """The one conversation that all requests of this era are part of, whoever sends them.

    Clients choose their ids without knowing of each other, so a request runs under a number of ours and is answered
    under its own.
    """

    session: ModernSession

    def __init__(self, session: ModernSession, watch: LiveWatch) -> None:
        super().__init__(session, watch)
        self._numbers = itertools.count(1)
        self._ids: dict[Id, Id] = {}

    def close(self) -> None:
        self._deliver(self.session.end_subscriptions())
        super().close()

    def means(self, headers: Mapping[str, str], message: Message) -> bool:
        """Whether a message is one of this era, where the older ones are spoken at the same place."""
        if _VERSION in meta_of(_params(message)):
            return True
        # A client that falls back may still send the header of its probe.
        told = is_modern(headers.get("mcp-protocol-version", "")) and message.method != "initialize"
        return told or message.method == "server/discover"

    def post(self, exchange: Exchange, message: Message) -> Response | StreamingResponse:
        """The answer to a request that was found to be in order; a notification has none, and does nothing here."""
        if message.kind == "notification":
            return Response(202)
        number = next(self._numbers)
        self._ids[number] = message.id
        answer = self.ask(exchange, jsonrpc.encode({**message.value, "id": number}), [number])
        if isinstance(answer, Response):
            del self._ids[number]
        return answer

    def refusal(self, headers: Mapping[str, str], message: Message) -> Response | None:
        """The answer to what cannot be taken."""
        if message.kind == "notification":
            return None
        if message.kind != "request" or not jsonrpc.is_id(message.id):
            told = "Invalid request: the body must be a request whose id is a string or an integer"
            return refused(400, INVALID_REQUEST, told)
        method, params = message.method or "", _params(message)
        error = self._mismatch(headers, method, params) or self.session.refusal(method, params)
        if error is None:
            return None
        body = jsonrpc.error(message.id, error.code, error.message, error.data)
        return Response(404 if error.code == METHOD_NOT_FOUND else 400, body, [("Content-Type", JSON)])

    def _mismatch(
        self, headers: Mapping[str, str], method: str, params: Mapping[str, Any]
    ) -> RpcError | None:
        named, said = headers.get("mcp-protocol-version"), meta_of(params).get(_VERSION)
        if method == "initialize" and said is None:
            return None  # an older client, which is to hear of the versions
        if named is None:
            problem: str | None = "MCP-Protocol-Version is missing"
        elif isinstance(said, str) and named != said:
            problem = f"MCP-Protocol-Version is {quoted(named, 80)}, the body says {quoted(said, 80)}"
        else:
            problem = mirrored.mismatch(headers, method, params, self._mirrored(params))
        return RpcError(HEADER_MISMATCH, f"Header mismatch: {problem}") if problem else None

    def _mirrored(self, params: Mapping[str, Any]) -> mirrored.Mirrored:
        tool = self.session.tools.get(str(params.get("name")))
        return mirrored.NOTHING if tool is None else mirrored.mirrored(tool.input)

    def _hung_up(self, id: Id) -> None:
        super()._hung_up(id)
        self.session.cancel(id)
        self._ids.pop(id, None)

    def _status(self, answer: bytes) -> int:
        error = jsonrpc.read(answer).value.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        return _STATUS.get(code, 200) if isinstance(code, int) else 200

    def _called(self, frame: Frame) -> bytes:
        raw, about = frame
        if about is None:
            return raw
        own = self._ids[about]
        raw = with_value(raw, ("id",), own, about)
        for holder in ("params", "result"):
            raw = with_value(raw, (holder, "_meta", _SUBSCRIPTION), own, about)
        return raw


def _params(message: Message) -> Mapping[str, Any]:
    params = message.value.get("params") if isinstance(message.value, dict) else None
    return params if isinstance(params, dict) else {}
