"""HTTP+SSE, the transport of 2024-11-05: a stream that brings everything, and an address that takes everything."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs

from inspector.protocol import jsonrpc
from inspector.serving.engine import Frame, Session
from inspector.serving.event_stream import Stream
from inspector.serving.exchange import Exchange, LiveWatch
from inspector.serving.streams import Live
from inspector.transports.httpd import Response, StreamingResponse

_MOST = 1000


class _OneStream(Live):
    """A session that sends all on one stream."""

    def __init__(self, session: Session, watch: LiveWatch) -> None:
        super().__init__(session, watch)
        self.gone: Callable[[], Any] = lambda: None
        self._stream_of_all: Stream | None = None

    @property
    def listens(self) -> bool:
        return True

    @property
    def is_open(self) -> bool:
        return True

    def open(self, exchange: Exchange, address: str) -> StreamingResponse:
        """Its stream, which begins with the address for its messages."""
        self._stream_of_all = stream = Stream(exchange, lambda stream, whole: self.gone())
        answer = stream.response()
        exchange.begins(answer)
        exchange.event("event endpoint", address)
        stream.put(address.encode(), "endpoint")
        return answer

    def close(self) -> None:
        super().close()
        if self._stream_of_all is not None:
            self._stream_of_all.end()

    def _deliver(self, frames: Sequence[Frame]) -> None:
        stream = self._stream_of_all
        assert stream is not None
        for frame in frames:
            stream.put(self._say(frame, stream.announce()))
        self._set_timer()


class Pairs:
    """The sessions of this transport; each lives as long as its stream."""

    def __init__(self, make: Callable[[type[_OneStream], str], _OneStream], address: str) -> None:
        """`address` is that of the messages, as the stream names it."""
        self._make, self._address = make, address
        self._sessions: dict[str, _OneStream] = {}

    @property
    def sessions(self) -> list[_OneStream]:
        return list(self._sessions.values())

    def get(self, exchange: Exchange) -> Response | StreamingResponse:
        """The stream of a new session."""
        if exchange.request.method != "GET":
            return Response.text(
                405, "Use GET; messages go to the address that the stream names", [("Allow", "GET")]
            )
        if len(self._sessions) >= _MOST:
            return Response.text(503, "There are too many sessions")
        name = secrets.token_hex(16)
        live = self._sessions[name] = self._make(_OneStream, name)
        live.gone = lambda: self._end(name)
        exchange.belongs_to(live.watch)
        return live.open(exchange, f"{self._address}?sessionId={name}")

    def post(self, exchange: Exchange) -> Response:
        """Takes a message; what is to be said to it comes on the stream."""
        request = exchange.request
        if request.method != "POST":
            return Response.text(405, "Use POST", [("Allow", "POST")])
        names = parse_qs(request.query).get("sessionId")
        if not names:
            return Response.text(400, "The sessionId is missing")
        live = self._sessions.get(names[0])
        if live is None:
            return Response.text(404, "There is no such session")
        exchange.belongs_to(live.watch)
        if not jsonrpc.read(request.body).readable:
            return Response.text(400, "Invalid message format")
        live.take(request.body)
        return Response.text(202, "Accepted")

    def close(self) -> None:
        for live in list(self._sessions.values()):
            live.close()
        self._sessions.clear()

    def _end(self, name: str) -> None:
        live = self._sessions.pop(name, None)
        if live is not None:
            live.close()
