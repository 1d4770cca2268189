"""Transcripts of mcp-vcr (PyPI), version 1: `meta` and `messages`, as YAML or line by line. A message is `{"t":
milliseconds since the start, "dir": "c2s" or "s2c", "payload": the message}`.

In YAML the members of a message stand in the order of the alphabet: that of the wire is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from inspector.base import numbers
from inspector.base.errors import Failed, fail
from inspector.base.jsontext import pick
from inspector.base.text import bytes_size
from inspector.config.plain_yaml import load
from inspector.traffic.imports.book import (
    Book,
    entry_of,
    lines,
    members,
    moment_of,
    number_of,
    raw_of,
    text_of,
)

NAME = "mcp-vcr"

_DIRECTIONS = {"c2s": True, "s2c": False}
_LARGEST = 16 << 20
"""Bytes of YAML, which takes a second for each megabyte or two."""
_ITEM = b"\n- "


def read(source: BinaryIO, book: Book) -> Iterator[None]:
    start = source.read(256)
    source.seek(0)
    if start.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        yield from _read_lines(source, book)
    else:
        _read_document(source, book)
        yield


def _read_lines(source: BinaryIO, book: Book) -> Iterator[None]:
    session = book.session(book.title, transport="stdio")
    began = 0.0
    for line in lines(source):
        yield
        entry = entry_of(line.text)
        if entry.get("_type") == "meta":
            began = _about(book, session, entry)
            continue
        payload = pick(line.text, "payload") if isinstance(entry.get("payload"), dict | list) else None
        raw = payload.encode("utf-8", "surrogatepass") if payload is not None and line.whole else None
        _take(book, session, began, entry, raw, f"line {line.number}", line.text)


def _read_document(source: BinaryIO, book: Book) -> None:
    data = source.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        hint = f"up to {bytes_size(_LARGEST)} of YAML can be read; record with --format ndjson"
        raise fail("io", f"{book.title} is too large", hint)
    value, cut = _loaded(data, book.title)
    session = book.session(book.title, transport="stdio")
    document = members(value)
    began = _about(book, session, members(document.get("meta")))
    found = document.get("messages")
    for number, each in enumerate(found if isinstance(found, list) else [], 1):
        entry = members(each)
        payload = entry.get("payload")
        raw = _raw(payload) if isinstance(payload, dict | list) else None
        _take(book, session, began, entry, raw, f"message {number}", each)
    if cut:
        book.note(
            session, began, "the transcript is cut off; what follows the last whole message is left out"
        )


def _raw(payload: Any) -> bytes | None:
    try:
        return raw_of(payload)
    except (ValueError, TypeError, RecursionError):
        return None


def _loaded(data: bytes, title: str) -> tuple[Any, bool]:
    """The value, and whether its end had to be left out. Raises Failed (io)."""
    try:
        return load(Path(title), data), False
    except Failed as failed:
        whole = data[: data.rfind(_ITEM) + 1]
        try:
            if whole:
                return load(Path(title), whole), True
        except Failed:
            pass  # it is not only its end that is wrong
        raise fail(
            "io", f"{title} cannot be read as YAML: {failed.failure.message}", "was it changed?"
        ) from failed


def _about(book: Book, session: int, meta: dict[str, Any]) -> float:
    command = meta.get("server_command")
    book.facts(
        session,
        command=command if isinstance(command, list) else None,
        protocolVersion=text_of(meta.get("protocol_version")) or None,
    )
    return moment_of(meta.get("recorded_at")) or 0.0


def _take(
    book: Book, session: int, began: float, entry: dict[str, Any], raw: bytes | None, place: str, value: Any
) -> None:
    moment = began + number_of(entry.get("t")) / 1000
    direction = text_of(entry.get("dir"))
    if raw is not None and direction in _DIRECTIONS:
        book.frame(session, moment, raw, sent=_DIRECTIONS[direction])
    else:
        shown = value if isinstance(value, str) else numbers.beginning(value, 10_000)
        book.unread(session, moment, place, shown)
