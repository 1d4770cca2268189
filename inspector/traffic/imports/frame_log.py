"""A log of stdio: lines `{"t": seconds, "dir": "send" or "recv", "msg": the raw line as a string}`."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from inspector.traffic.imports.book import Book, lines, members, number_of

NAME = "a log of frames"


def read(source: BinaryIO, book: Book) -> None:
    session = book.session(book.title, transport="stdio")
    moment = 0.0
    for line in lines(source):
        entry = _entry(line.text)
        moment = number_of(entry.get("t")) if entry else moment
        raw = entry.get("msg")
        if entry.get("dir") in ("send", "recv") and isinstance(raw, str) and line.whole:
            frame = raw.encode("utf-8", "surrogatepass")
            book.frame(session, moment, frame, sent=entry["dir"] == "send")
        else:
            book.unread(session, moment, f"line {line.number}", line.text)


def _entry(text: str) -> dict[str, Any]:
    try:
        return members(json.loads(text))
    except (ValueError, RecursionError):
        return {}
