"""A client of what is served, as rows of the traffic: the client is the one who sends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from inspector.tap.handshake import Handshake
from inspector.traffic.session_log import SessionLog

if TYPE_CHECKING:
    from inspector.serving.streams import Live
    from inspector.transports.httpd import Request


class Seen:
    """Satisfies `serving.exchange.LiveWatch`. `log` is asked for the session once there is something to write."""

    def __init__(self, log: Callable[[], SessionLog]) -> None:
        self._log_of = log
        self._found: SessionLog | None = None
        self._handshake: Handshake | None = None

    @property
    def log(self) -> SessionLog:
        if self._found is None:
            self._found = self._log_of()
            self._handshake = Handshake(self._found)
        return self._found

    @property
    def is_begun(self) -> bool:
        """Whether anything was written."""
        return self._found is not None

    def begun(self, live: Live) -> None:
        """What it says tells enough."""

    def ended(self) -> None:
        """Nothing is left to be kept."""

    def heard(self, raw: bytes, exchange: int | None = None) -> int:
        row = self.log.sent(raw, exchange)
        self._look(True, raw)
        return row

    def said(self, raw: bytes, exchange: int | None = None) -> int:
        row = self.log.received((raw,), exchange)
        self._look(False, raw)
        return row

    def asked(self, request: Request) -> int:
        query = f"?{request.query}" if request.query else ""
        url = f"http://{request.headers.get('host', '')}{request.path}{query}"
        return self.log.http_request(request.method, url, request.fields)

    def answered(self, exchange: int | None, status: int, headers: Sequence[tuple[str, str]]) -> None:
        self.log.http_response(exchange or 0, status, headers)

    def body(self, exchange: int | None, data: bytes) -> None:
        self.log.http_body(exchange or 0, data)

    def event(self, exchange: int | None, field: str, value: str) -> None:
        self.log.http_event(exchange or 0, field, value)

    def over(self, exchange: int | None, outcome: str) -> None:
        self.log.http_end(exchange or 0, outcome)

    def _look(self, sent: bool, raw: bytes) -> None:
        assert self._handshake is not None
        self._handshake.look(sent, raw)
