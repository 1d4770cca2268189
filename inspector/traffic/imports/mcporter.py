"""Recordings of mcporter (npm): a line for each message of all servers, with `_meta` added to it: `{"dir": "send",
"recv" or "lifecycle", "server", "ts"}`. A lifecycle line tells that a transport starts or closes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from inspector.base import numbers
from inspector.base.jsontext import Malformed, each_child
from inspector.traffic.imports.book import Book, entry_of, lines, members, moment_of, raw_of, text_of

NAME = "mcporter"

_DIRECTIONS = {"send": True, "recv": False}
_ADDED = "_meta"


def read(source: BinaryIO, book: Book) -> Iterator[None]:
    sessions: dict[str, int] = {}
    moment = 0.0
    for line in lines(source):
        yield
        entry = entry_of(line.text)
        about = members(entry.get(_ADDED))
        server, direction = text_of(about.get("server")) or book.title, text_of(about.get("dir"))
        moment = moment_of(about.get("ts")) or moment
        starts = direction == "lifecycle" and entry.get("method") == "$transport/start"
        if starts or server not in sessions:
            sessions[server] = book.session(server)
        session = sessions[server]
        if direction in _DIRECTIONS and line.whole:
            book.frame(session, moment, _message(line.text, entry), sent=_DIRECTIONS[direction])
        elif direction == "lifecycle" and line.whole:
            book.note(
                session, moment, f"mcporter: {text_of(entry.get('method')).removeprefix('$transport/')}"
            )
        else:
            book.unread(session, moment, f"line {line.number}", line.text)


def _message(text: str, entry: dict[str, Any]) -> bytes:
    """The message as it was before `_meta` was added, which is done at its end."""
    try:
        parts = list(each_child(text, text.index("{")))
    except Malformed:
        parts = []
    if len(parts) > 1 and parts[-1].key == _ADDED and all(part.key != _ADDED for part in parts[:-1]):
        return f"{text[: parts[-2].end]}{text[parts[-1].end :]}".strip().encode("utf-8", "surrogatepass")
    spelled = members(numbers.spelled(text))
    return raw_of({key: value for key, value in spelled.items() if key != _ADDED})
