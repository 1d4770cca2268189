"""Sessions of mcpdump (PyPI): a header with `argv` and `at`, then lines `{"seq", "atMs", "direction", "line"}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from inspector.traffic.imports.book import Book, entry_of, lines, moment_of, number_of, text_of

NAME = "mcpdump"

_DIRECTIONS = {"to_server": True, "to_client": False}


def read(source: BinaryIO, book: Book) -> Iterator[None]:
    session = book.session(book.title, transport="stdio")
    began = moment = 0.0
    for line in lines(source):
        yield
        entry = entry_of(line.text)
        if entry.get("format") == "mcpdump-session":
            began = moment = moment_of(entry.get("at")) or 0.0
            book.facts(session, command=entry.get("argv"))
            continue
        direction = text_of(entry.get("direction"))
        if direction not in _DIRECTIONS or not isinstance(entry.get("line"), str) or not line.whole:
            book.unread(session, moment, f"line {line.number}", line.text)
            continue
        moment = began + number_of(entry.get("atMs")) / 1000
        frame = entry["line"].encode("utf-8", "surrogatepass")
        book.frame(session, moment, frame, sent=_DIRECTIONS[direction])
