"""An HTTP exchange of a foreign recording, as rows of ours: its frames, and the parts around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from inspector.traffic import exchanges
from inspector.traffic.correlate import message_of
from inspector.traffic.imports.book import Book, text_of
from inspector.transports.sse import Event, EventStream


@dataclass(slots=True)
class Exchange:
    """Moments as of `Book`. `chunks` are the pieces of the answer with the moments they came at."""

    method: str
    url: str
    began: float
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    status: int = 0
    answered: float = 0.0
    answer_headers: Sequence[tuple[str, str]] = ()
    chunks: list[tuple[float, bytes]] = field(default_factory=list)
    ended: float = 0.0
    outcome: str = "complete"


def pairs(value: Any) -> list[tuple[str, str]]:
    """Headers, from an object, a list of pairs, or a list of `name` and `value`."""
    if isinstance(value, dict):
        return [(name, text_of(text)) for name, text in value.items()]
    found = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            found.append((text_of(item.get("name")), text_of(item.get("value"))))
        elif isinstance(item, list) and len(item) == 2:
            found.append((text_of(item[0]), text_of(item[1])))
    return found


def host_of(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def add(book: Book, session: int, exchange: Exchange) -> None:
    number = book.new_exchange()

    def part(moment: float, raw: bytes) -> None:
        book.part(session, moment, number, raw)

    part(exchange.began, exchanges.request_part(exchange.method, exchange.url, exchange.headers))
    if exchange.body:
        if "json" in _type(exchange.headers) or message_of(exchange.body).kind != "invalid":
            book.frame(session, exchange.began, exchange.body, sent=True, exchange=number)
        else:
            part(exchange.began, exchanges.body_part(exchange.body))
    if exchange.status:
        part(exchange.answered, exchanges.response_part(exchange.status, exchange.answer_headers))
    answer = _events(exchange) if "event-stream" in _type(exchange.answer_headers) else _body(exchange)
    for moment, raw, is_frame in answer:
        if is_frame:
            book.frame(session, moment, raw, sent=False, exchange=number)
        else:
            part(moment, raw)
    part(exchange.ended, exchanges.end_part(exchange.outcome))


def _type(headers: Sequence[tuple[str, str]]) -> str:
    return next((value.lower() for name, value in headers if name.lower() == "content-type"), "")


def _body(exchange: Exchange) -> Iterator[tuple[float, bytes, bool]]:
    body = b"".join(data for _, data in exchange.chunks)
    if body:
        moment = exchange.chunks[-1][0]
        is_frame = message_of(body).kind != "invalid"
        yield moment, body if is_frame else exchanges.body_part(body), is_frame


def _events(exchange: Exchange) -> Iterator[tuple[float, bytes, bool]]:
    """The same as our own transports keep of an event stream."""
    stream = EventStream()
    for moment, data in exchange.chunks:
        for found in stream.feed(data):
            if not isinstance(found, Event):
                yield moment, exchanges.event_part(found.field, found.value), False
                continue
            if found.id is not None:
                yield moment, exchanges.event_part("id", found.id), False
            if found.retry is not None:
                yield moment, exchanges.event_part("retry", str(found.retry)), False
            if found.data and found.event in ("message", ""):
                yield moment, found.data, True
            elif found.data:
                told = exchanges.event_part(f"event {found.event}", found.data.decode("utf-8", "replace"))
                yield moment, told, False
    if rest := stream.rest():
        yield exchange.ended, exchanges.body_part(rest), False
