"""From the parts of HTTP exchanges to the rows of a recording, as our own connections write them."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field

from inspector.base.secrets import Secrets
from inspector.tap.handshake import Handshake
from inspector.tap.notes import Kind, Note
from inspector.traffic.lines import S2C, TRUNCATED
from inspector.traffic.session_log import SessionLog
from inspector.transports.framing import FRAME_CAP
from inspector.transports.sse import Event, EventStream

_PACKED = ("gzip", "x-gzip", "deflate")
_AUTOMATIC = 32 + zlib.MAX_WBITS
_HEAD = 4096


@dataclass(slots=True)
class _Open:
    """One exchange under way."""

    number: int
    kind: str = "other"
    unpacker: zlib._Decompress | None = None
    stream: EventStream = field(default_factory=EventStream)
    body: list[bytes] = field(default_factory=list)
    size: int = 0


class Exchanges:
    """Takes notes in their order. What is known to be secret in a header is hidden everywhere from then on."""

    def __init__(self, log: SessionLog, secrets: Secrets) -> None:
        self._log = log
        self._secrets = secrets
        self._open: dict[int, _Open] = {}
        self._handshake = Handshake(log)

    def take(self, note: Note) -> None:
        if note.kind == Kind.REQUEST:
            self._request(note)
            return
        exchange = self._open.get(note.exchange)
        if exchange is None:
            return
        if note.kind == Kind.REQUEST_BODY:
            self._log.sent(note.data, exchange.number)
            self._handshake.look(True, note.data)
        elif note.kind == Kind.RESPONSE:
            self._response(exchange, json.loads(note.data))
        elif note.kind == Kind.RESPONSE_BODY:
            self._body(exchange, note.data)
        else:
            self._finish(exchange)
            self._log.http_end(exchange.number, note.data.decode("utf-8", "replace"))
            del self._open[note.exchange]

    def finish(self) -> None:
        """The tap has ended, whatever was under way."""
        for exchange in self._open.values():
            self._finish(exchange)
            self._log.http_end(exchange.number, "the tap has ended")
        self._open.clear()

    def _request(self, note: Note) -> None:
        head = json.loads(note.data)
        headers = [(name, value) for name, value in head["headers"]]
        self._secrets.add_headers(dict(headers))
        number = self._log.http_request(head["method"], head["url"], headers)
        self._open[note.exchange] = _Open(number)

    def _response(self, exchange: _Open, head: dict[str, object]) -> None:
        pairs = head["headers"]
        assert isinstance(pairs, list) and isinstance(head["status"], int)
        headers = [(name, value) for name, value in pairs]
        self._log.http_response(exchange.number, head["status"], headers)
        found = {name.lower(): value for name, value in headers}
        media = found.get("content-type", "").partition(";")[0].strip().lower()
        exchange.kind = {"text/event-stream": "stream", "application/json": "json"}.get(media, "other")
        coding = found.get("content-encoding", "").strip().lower()
        if coding in _PACKED:
            exchange.unpacker = zlib.decompressobj(_AUTOMATIC)
        elif coding not in ("", "identity"):
            exchange.kind = "other"

    def _body(self, exchange: _Open, data: bytes) -> None:
        if exchange.unpacker is not None:
            try:
                data = exchange.unpacker.decompress(data, FRAME_CAP)
            except zlib.error:
                exchange.unpacker, exchange.kind = None, "other"
        if exchange.kind == "stream":
            for part in exchange.stream.feed(data):
                self._event(exchange.number, part)
            return
        exchange.size += len(data)
        if exchange.size <= FRAME_CAP:
            exchange.body.append(data)

    def _event(self, number: int, part: object) -> None:
        log = self._log
        if not isinstance(part, Event):
            log.http_event(number, getattr(part, "field", ""), getattr(part, "value", ""))
            return
        if part.id is not None:
            log.http_event(number, "id", part.id)
        if part.retry is not None:
            log.http_event(number, "retry", str(part.retry))
        if part.data and part.event == "message":
            self._frame(number, part.data)
        elif part.data:
            log.http_event(number, f"event {part.event}", part.data.decode("utf-8", "replace"))

    def _frame(self, number: int, raw: bytes) -> None:
        self._log.received([raw], number)
        self._handshake.look(False, raw)

    def _finish(self, exchange: _Open) -> None:
        if exchange.kind == "stream":
            if rest := exchange.stream.rest():
                self._log.http_body(exchange.number, rest)
            return
        body = b"".join(exchange.body)
        if exchange.size > FRAME_CAP:
            log = self._log
            log.append(log.number, S2C, (body[:_HEAD],), exchange.number, TRUNCATED, exchange.size)
        elif body and exchange.kind == "json":
            self._frame(exchange.number, body)
        elif body:
            self._log.http_body(exchange.number, body)
