"""Reads an event stream from bytes (WHATWG HTML, server-sent events), keeping what a debugger must show."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inspector.base.text import bytes_size
from inspector.transports.framing import FRAME_CAP

_LINE_END = re.compile(rb"\r\n|\n|\r")

_SHORTEST = 0.1
"""Seconds that a stream is left alone at least, however soon the server wants to be asked again."""
_BACK_OFF = (1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True, slots=True)
class Event:
    """One dispatched block. `data` is None where it had no data field, empty bytes where the field was empty.

    `id` and `retry` are those of this block only. Data lines are joined with LF.
    """

    event: str
    data: bytes | None
    id: str | None = None
    retry: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A part that dispatches nothing: `field` is `comment`, an unknown field name, or `oversized`."""

    field: str
    value: str


class EventStream:
    """Feed it chunks as they come; lines end at LF, CR or CRLF, also where a CRLF is cut between two chunks."""

    def __init__(self, cap: int = FRAME_CAP) -> None:
        self._cap = cap
        self._open: list[bytes] = []
        self._open_size = 0
        self._skip_lf = False
        self._started = False
        self._data: list[bytes] = []
        self._size = 0
        self._event = ""
        self._id: str | None = None
        self._retry: int | None = None
        self._touched = self._told = False

    def feed(self, chunk: bytes) -> list[Event | Remark]:
        """What the chunk completes, in order."""
        if not chunk:
            return []
        if self._skip_lf and chunk[:1] == b"\n":
            chunk = chunk[1:]
        self._skip_lf = chunk.endswith(b"\r")
        *lines, rest = _LINE_END.split(chunk)
        found: list[Event | Remark] = []
        for line in lines:
            if self._open:
                self._keep(line)
                line, cut = b"".join(self._open), self._open_size
                self._open, self._open_size = [], 0
                self._size += cut - len(line)
            self._line(line, found)
        if rest:
            self._keep(rest)
        self._look_at_size(found)
        return found

    def _keep(self, piece: bytes) -> None:
        """A part of a line whose end has not come yet; what is over the cap is only counted."""
        self._open_size += len(piece)
        if self._open_size <= self._cap:
            self._open.append(piece)

    def rest(self) -> bytes:
        """What a stream that ended in the middle of a block left over; the standard discards it."""
        parts = [*self._data, b"".join(self._open)]
        return b"\n".join(part for part in parts if part)

    def _line(self, line: bytes, found: list[Event | Remark]) -> None:
        if not self._started:
            self._started = True
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            self._dispatch(found)
            return
        if line[:1] == b":":
            found.append(Remark("comment", line[1:].strip().decode("utf-8", "replace")))
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._size += len(value) + 1
            if self._size <= self._cap:
                self._data.append(value)
            self._touched = True
            return
        text = value.decode("utf-8", "replace")
        if name == b"event":
            self._event = text
        elif name == b"id":
            if "\x00" in text:
                return
            self._id = text
        elif name == b"retry":
            if not (text.isascii() and text.isdigit()):
                return
            self._retry = int(text[:9])
        else:
            found.append(Remark(name.decode("utf-8", "replace") or "field", text))
            return
        self._touched = True

    def _look_at_size(self, found: list[Event | Remark]) -> None:
        """Tells of an event over the cap as soon as it is, for its end may never come."""
        if not self._told and self._size + self._open_size > self._cap:
            self._told = True
            told = f"an event of its stream is over the limit of {bytes_size(self._cap)} for one frame"
            found.append(Remark("oversized", told))

    def _dispatch(self, found: list[Event | Remark]) -> None:
        self._look_at_size(found)
        if not self._told and self._touched:
            data = b"\n".join(self._data) if self._data else None
            found.append(Event(self._event or "message", data, self._id, self._retry))
        self._data, self._size, self._event = [], 0, ""
        self._id = self._retry = None
        self._touched = self._told = False


@dataclass(slots=True)
class Place:
    """How far an event stream has been read: where it is taken up again, and when (WHATWG HTML, server-sent
    events). `pause` is the server's own wish in seconds; `events` counts all that came, over every connection."""

    id: str | None = None
    pause: float | None = None
    events: int = 0

    def take(self, event: Event) -> None:
        self.events += 1
        if event.id is not None:
            self.id = event.id or None
        if event.retry is not None:
            self.pause = event.retry / 1000

    def wait(self, tries: int) -> float:
        """Seconds until the next connection, after so many that brought nothing."""
        if tries == 0 and self.pause is not None:
            return max(self.pause, _SHORTEST)
        return max(self.pause or 0.0, _BACK_OFF[min(tries, len(_BACK_OFF) - 1)])
