"""What other programs and older versions of ours recorded, made into a recording of ours: one module for each format,
known by its shape.

A file is read and never followed: no path or URL in it is opened. What cannot be read stands in the log where it
stood in the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from inspector.base import numbers
from inspector.base.errors import fail
from inspector.base.jsontext import Malformed, each_child, skip_space
from inspector.base.text import bytes_size
from inspector.traffic.imports import older
from inspector.traffic.imports.book import Book

_HEAD = 256 << 10
_LARGEST = 128 << 20
"""A document is held in memory as a whole; what is written line by line may be of any length."""

_LINES = {
    "frame_log": ({"t", "dir", "msg"}, {"ts", "dir", "msg"}),
    "mcpsnoop": ({"session_id", "seq", "direction"},),
    "mcpdump": ({"seq", "atMs", "direction", "line"},),
    "mcp_vcr": ({"_type", "recorded_at", "server_command"}, {"t", "dir", "payload"}),
    "mcporter": ({"jsonrpc", "_meta"},),
}
_LISTS = ({"timestamp", "direction", "message"}, {"timestamp", "method", "url", "requestHeaders"},
          {"timestamp", "message"}, {"receivedAt", "params"})  # fmt: skip
_TRANSCRIPT = re.compile(r"(?:\s*#[^\n]*\n|\s+|---\s*\n)*(?:meta|messages):")
_HAR = re.compile(r'\s*\{\s*"log"\s*:\s*\{')
_DOCUMENTS = {
    "exchange_log": (re.compile(r'"exchanges"\s*:\s*\['), '"request"'),
    "mcp_recorder": (re.compile(r'"interactions"\s*:\s*\['), '"type"'),
}


def format_of(path: Path) -> str | None:
    """The name of the format that a file seems to be in; None for a recording of ours that is read as it is, and for
    everything else."""
    try:
        # A pipe would be waited for, and what was read from it would be gone.
        if not path.is_file():
            return None
        with path.open("rb") as file:
            start = file.read(_HEAD)
    except OSError:
        return None
    head = start.decode("utf-8-sig", "replace")
    if head.lstrip().startswith("["):
        keys = _keys(head, head.index("[") + 1)
        return "inspector_export" if any(known <= keys for known in _LISTS) else None
    if _TRANSCRIPT.match(head):
        return "mcp_vcr" if "\nmessages:" in f"\n{head}" and "payload:" in head else None
    first = next((line for line in head.splitlines() if line.lstrip().startswith("{")), "")
    keys = _keys(first, 0)
    if "format" in keys:
        if '"mcpdump-session"' in first:
            return "mcpdump"
        return "older" if older.is_older(start) else None
    for name, shapes in _LINES.items():
        if any(known <= keys for known in shapes):
            return name
    return _document_of(head)


def _document_of(head: str) -> str | None:
    if not head.lstrip().startswith("{"):
        return None
    if _HAR.match(head):
        return "har" if '"entries"' in head or '"creator"' in head else None
    for name, (shape, inside) in _DOCUMENTS.items():
        found = shape.search(head)
        if found is not None and head.find(inside, found.end()) > 0:
            return name
    return None


def _keys(text: str, start: int) -> set[str | int]:
    """The names of the members of an object, as far as the text goes."""
    keys: set[str | int] = set()
    start = skip_space(text, start)
    if text[start : start + 1] != "{":
        return keys
    try:
        keys.update(member.key for member in each_child(text, start))
    except Malformed:
        pass
    return keys


@contextmanager
def converted(path: Path, name: str) -> Iterator[tuple[Path, list[str]]]:
    """A recording of ours with what the file holds, for as long as the block lasts, and what a person should know
    about it. Raises Failed (io)."""
    import tempfile  # late: most recordings are ours

    try:
        descriptor, temporary = tempfile.mkstemp(suffix=".mcprec")
        try:
            with os.fdopen(descriptor, "wb") as file:
                notes = _convert(path, name, file)
            yield Path(temporary), notes
        finally:
            try:
                Path(temporary).unlink(missing_ok=True)
            except OSError:
                pass  # Windows keeps what is still open; the system's temporary folder is cleared by the system
    except OSError as error:
        raise fail(
            "io", f"{path} cannot be imported: {error.strerror or error}", "is the disk full?"
        ) from error


def _convert(path: Path, name: str, file: BinaryIO) -> list[str]:
    if name == "older":
        with path.open("rb") as source:
            return older.copy(source, file)
    module = import_module(f"{__name__}.{name}")
    with path.open("rb") as source:
        if name in _LINES:
            book = Book(file, path.stem, in_order=True)
            module.read(source, book)
        else:
            size = path.stat().st_size
            if size > _LARGEST:
                hint = f"up to {bytes_size(_LARGEST)} of this format can be read"
                raise fail("io", f"{path} is too large: {bytes_size(size)}", hint)
            book = Book(file, path.stem, in_order=False)
            module.read(_document(path, source.read()), book)
    return [f"imported from {module.NAME}", *book.close()]


def _document(path: Path, raw: bytes) -> object:
    try:
        return numbers.spelled(raw.decode("utf-8-sig", "replace"))
    except ValueError as error:
        raise fail("io", f"{path} is no JSON: {error}", "was it cut off?") from error
