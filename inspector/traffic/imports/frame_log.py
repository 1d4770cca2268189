"""A log of stdio: lines `{"t": seconds, "dir": "send" or "recv", "msg": the raw line as a string}`, and as mcp-rec
(PyPI) writes them: `{"ts": seconds, "dir": "client->server" or "server->client", "msg": the message}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from inspector.base.jsontext import pick
from inspector.traffic.imports.book import Book, entry_of, lines, number_of

NAME = "a log of frames"

_DIRECTIONS = {
    "send": True, "recv": False, "client->server": True, "server->client": False, "c2s": True, "s2c": False,
}  # fmt: skip


def read(source: BinaryIO, book: Book) -> Iterator[None]:
    session = book.session(book.title, transport="stdio")
    moment = 0.0
    for line in lines(source):
        entry = entry_of(line.text)
        moment = number_of(entry.get("t", entry.get("ts", moment)))
        direction, frame = entry.get("dir"), _frame(entry.get("msg"), line.text)
        if isinstance(direction, str) and direction in _DIRECTIONS and frame is not None and line.whole:
            encoded = frame.encode("utf-8", "surrogatepass")
            book.frame(session, moment, encoded, sent=_DIRECTIONS[direction])
        else:
            book.unread(session, moment, f"line {line.number}", line.text)
        yield


def _frame(message: Any, line: str) -> str | None:
    if isinstance(message, dict):
        unparsed = message.get("_raw") if message.get("_unparsed") is True else None
        return unparsed if isinstance(unparsed, str) else pick(line, "msg")
    return message if isinstance(message, str) else None
