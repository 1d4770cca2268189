"""What other programs and older versions of ours recorded, made into a recording of ours: one module for each format,
known by its shape.

A file is read and never followed: no path or URL in it is opened. What cannot be read stands in the log where it
stood in the file.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Generator, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from inspector.base import jsonstream
from inspector.base.errors import Failed, fail
from inspector.base.jsonstream import TooLarge
from inspector.base.jsontext import Malformed, each_child, skip_space

if TYPE_CHECKING:
    from inspector.traffic.imports.book import Book

_HEAD = 256 << 10
_LARGEST = 64 << 20
"""Most characters of one entry of a document."""
_SLICE = 0.02

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
        from inspector.traffic.imports import older

        return "older" if older.is_older(start) else None
    for name, shapes in _LINES.items():
        if any(known <= keys for known in shapes):
            return name
    return _document_of(head)


def is_sorted(name: str) -> bool:
    """Whether a file of that format is there in its order, so that its first frames need not wait for its last ones."""
    return name in _LINES or name == "older"


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


class Conversion:
    """Makes a recording of ours, at `path`, of what a file holds, bit by bit. `notes` are what a person should know
    about it so far, `size` the bytes that are there to be read. Raises Failed (io) where nothing can be made of it;
    what goes wrong later is a note. `close` when the recording is not read any more."""

    def __init__(self, source: Path, name: str) -> None:
        import tempfile  # late: most recordings are ours

        self._source = source
        self.notes: list[str] = []
        self.size = 0
        self._begun = False
        try:
            self._input = source.open("rb")
            descriptor, path = tempfile.mkstemp(suffix=".mcprec")
        except OSError as error:
            raise self._failed(error) from error
        self.path = Path(path)
        self._file = os.fdopen(descriptor, "wb")
        self._steps = self._convert(name)
        try:
            # Sorted by time, the first row may be the last one of the file.
            while self.size == 0 and self.go_on(time.monotonic() + _SLICE):
                pass
        except BaseException:
            self.close()
            raise

    def _convert(self, name: str) -> Generator[None]:
        if name == "older":
            from inspector.traffic.imports import older

            self.notes += yield from older.copy(self._input, self._file)
            return
        module = import_module(f"{__name__}.{name}")
        self.notes.append(f"imported from {module.NAME}")
        from inspector.traffic.imports.book import Book

        book = Book(self._file, self._source.stem, in_order=name in _LINES)
        try:
            if name in _LINES:
                yield from module.read(self._input, book)
            else:
                yield from self._read_document(module, book)
            self.notes += yield from book.close()
        finally:
            book.forget()

    def _read_document(self, module: ModuleType, book: Book) -> Generator[None]:
        about: dict[str, Any] = {}
        wanted: tuple[str, ...] = module.ITEMS
        if module.ABOUT:
            # What stands behind the list belongs before it. What is wrong comes up again when the list itself is read.
            try:
                for _ in self._items(wanted, about):
                    yield
            except ValueError:
                pass
        yield from module.read(self._told(self._items(wanted, {})), about, book)

    def _items(self, wanted: Sequence[str], about: dict[str, Any]) -> Iterator[Any]:
        self._input.seek(0)
        return jsonstream.items(self._input, wanted, _LARGEST, about)

    def _told(self, items: Iterator[Any]) -> Iterator[Any]:
        """The items up to what cannot be read, and then a note."""
        try:
            for item in items:
                self._begun = True
                yield item
        except TooLarge as error:
            hint = "have the program that wrote it leave out large bodies, or export lines of JSON"
            self._broken(f"{self._source} cannot be read to its end: {error}", hint)
        except ValueError as error:
            at = f" at character {error.position}" if isinstance(error, Malformed) else ""
            self._broken(f"{self._source} is no JSON{at}: {error}", "was it cut off?")

    def _broken(self, reason: str, hint: str) -> None:
        if not self._begun:
            raise fail("io", reason, hint)
        self.notes.append(f"{reason}; what stands behind it is left out ({hint})")

    def go_on(self, deadline: float) -> bool:
        """Works until `time.monotonic()` passes `deadline`; True while there is more to do."""
        try:
            for _ in self._steps:
                if time.monotonic() > deadline:
                    self._file.flush()
                    self.size = self._file.tell()
                    return True
            self._file.flush()
            self.size = self._file.tell()
        except OSError as error:
            failed = self._failed(error)
            if not self.size:
                raise failed from error
            self.notes.append(f"{failed.failure.message}; what stands behind it is left out")
        self._input.close()
        return False

    def _failed(self, error: OSError) -> Failed:
        return fail(
            "io", f"{self._source} cannot be imported: {error.strerror or error}", "is the disk full?"
        )

    def unlink(self) -> None:
        """Takes the name from the recording, which is read by whoever has it open; once more where it is refused."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError:
            pass  # Windows keeps what is still open; the system's temporary folder is cleared by the system

    def close(self) -> None:
        self._steps.close()
        self._input.close()
        try:
            self._file.close()
        except OSError:
            pass  # a full disk has been told already
        self.unlink()
