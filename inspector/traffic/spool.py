"""Where the bytes of live traffic are kept: in memory for a single command, in private files for the app.

Both kinds give rows back by position and never raise: a disk that is full or gone costs a notice, not a
session.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from inspector.traffic.claims import Claim
from inspector.traffic.claims import Crashed as Crashed
from inspector.traffic.claims import sweep as sweep
from inspector.traffic.files import Files, Segment
from inspector.traffic.index import Columns
from inspector.traffic.lines import LOST, encode

MEMORY_BYTES = 256 << 20
DISK_BYTES = 1 << 30
SEGMENT_BYTES = 64 << 20
MAX_ROWS = 2_000_000
_KEPT_BYTES = 64 << 20
_BINARY = getattr(os, "O_BINARY", 0)


class Spool(Protocol):
    """The bytes of rows by position (0 is the oldest row held)."""

    def append(self, raws: Sequence[bytes], row: int, true_size: int = -1) -> int:
        """Keeps the rows that were just added to the columns; returns how many of the oldest must go now."""
        ...

    def line_number(self, position: int) -> int:
        """The line of a recording that a row stands on, from 1; 0 for live traffic."""
        ...

    def drop(self, count: int) -> None: ...
    def raw(self, position: int) -> bytes: ...
    def head(self, position: int, count: int) -> bytes: ...
    def tail(self, position: int, count: int) -> bytes: ...
    def raws(self, first: int, last: int) -> Iterator[bytes]: ...
    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]: ...
    def remark(self, line: bytes) -> None: ...
    def keep(self) -> Path | None: ...
    def close(self) -> None: ...


class Memory:
    """A bounded spool that never touches the disk."""

    def __init__(self, max_bytes: int = MEMORY_BYTES, max_rows: int = MAX_ROWS) -> None:
        self._raws: list[bytes] = []
        self._bytes = 0
        self._max_bytes = max_bytes
        self._max_rows = max_rows

    def append(self, raws: Sequence[bytes], row: int, true_size: int = -1) -> int:
        self._raws += raws
        for raw in raws:
            self._bytes += len(raw)
        if self._bytes > self._max_bytes or len(self._raws) > self._max_rows:
            return self._excess()
        return 0

    def _excess(self) -> int:
        """Enough of the oldest rows to be at seven eighths of the bounds again; the newest row always
        stays."""
        count = max(0, len(self._raws) - self._max_rows * 7 // 8)
        held = self._bytes - sum(map(len, self._raws[:count]))
        while held > self._max_bytes * 7 // 8 and count < len(self._raws) - 1:
            held -= len(self._raws[count])
            count += 1
        return min(count, len(self._raws) - 1)

    def line_number(self, position: int) -> int:
        return 0

    def remark(self, line: bytes) -> None:
        return None

    def drop(self, count: int) -> None:
        self._bytes -= sum(map(len, self._raws[:count]))
        del self._raws[:count]

    def raw(self, position: int) -> bytes:
        return self._raws[position]

    def head(self, position: int, count: int) -> bytes:
        return self._raws[position][:count]

    def tail(self, position: int, count: int) -> bytes:
        return self._raws[position][-count:]

    def raws(self, first: int, last: int) -> Iterator[bytes]:
        return iter(self._raws[first:last])

    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]:
        rows = enumerate(self._raws[first:last], first)
        if ignore_case:
            return [position for position, raw in rows if needle in raw.lower()]
        return [position for position, raw in rows if needle in raw]

    def keep(self) -> Path | None:
        return None

    def close(self) -> None:
        self._raws.clear()
        self._bytes = 0


class Disk(Files):
    """Segment files in a folder of our own, each readable as a recording, removed on close.

    Each segment begins with the `header` and repeats the line of a session, given by `session_line`, before
    its first row and whenever it has changed. `on_error` is told once when the disk refuses; rows are then
    kept in memory, within bounds.
    """

    def __init__(
        self,
        columns: Columns,
        folder: Path,
        *,
        header: bytes,
        session_line: Callable[[int], bytes],
        on_error: Callable[[OSError], None],
        max_bytes: int = DISK_BYTES,
        segment_bytes: int = SEGMENT_BYTES,
        max_rows: int = MAX_ROWS,
    ) -> None:
        super().__init__(columns)
        self._claim = Claim.create(folder)
        self._header, self._session_line, self._on_error = header, session_line, on_error
        self._said: dict[int, bytes] = {}
        self._max_bytes, self._segment_bytes, self._max_rows = max_bytes, segment_bytes, max_rows
        self._opened = 0
        self._kept: dict[int, bytes] = {}
        self._kept_rows: deque[int] = deque()
        self._kept_bytes = 0
        self._dropped = 0
        self._refused = False
        self._stays = False

    @property
    def folder(self) -> Path:
        return self._claim.folder

    def append(self, raws: Sequence[bytes], row: int, true_size: int = -1) -> int:
        columns = self.columns
        first = len(self.offset)
        try:
            excess = self._make_room()
            segment = self.segments[-1]
            t, session, channel = columns.time[first], columns.session[first], columns.channel[first]
            about = self._session_line(session)
            parts = [] if self._said.get(session) is about else [about]
            at = segment.end + sum(map(len, parts))
            exchange, flags = columns.exchange[first], columns.flags[first]
            for number, raw in enumerate(raws, row):
                line, mark = encode(raw, t, number, session, channel, exchange, flags, true_size)
                parts.append(line)
                self.offset.append(at)
                self.mark.append(mark)
                at += len(line)
            _write_all(segment, b"".join(parts))
            self._said[session] = about
            return excess
        except OSError as error:
            self._keep(first, raws, row)
            if not self._refused:
                self._refused = True
                self._on_error(error)
            return 0

    def remark(self, line: bytes) -> None:
        """Writes a line that is no row, as far as the disk takes it."""
        try:
            if self.segments:
                _write_all(self.segments[-1], line)
        except OSError as error:
            if not self._refused:
                self._on_error(error)

    def _make_room(self) -> int:
        """Begins a segment where none is open or the last one is full; returns how many rows must go for
        it."""
        rows = len(self.offset)
        full = self.segments and (
            self.segments[-1].size >= self._segment_bytes
            or rows >= (len(self.segments) + 1) * self._max_rows // 8
        )
        if self.segments and not full:
            return 0
        path = self.folder / f"{self._opened:06}.mcprec"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _BINARY, 0o600)
        segment = Segment(path, descriptor, self.segments[-1].end if self.segments else 0)
        self._opened += 1
        try:
            _write_all(segment, self._header)
        except OSError:
            os.close(descriptor)
            path.unlink(missing_ok=True)
            raise
        self.segments.append(segment)
        self._said.clear()
        held = sum(segment.size for segment in self.segments)
        if len(self.segments) > 2 and (
            held + self._segment_bytes > self._max_bytes or rows > self._max_rows * 7 // 8
        ):
            return bisect_left(self.offset, self.segments[1].start)
        return 0

    def drop(self, count: int) -> None:
        del self.offset[:count]
        del self.mark[:count]
        self._dropped += count
        oldest = self.offset[0] if self.offset else self.segments[-1].start
        while len(self.segments) > 1 and self.segments[0].end <= oldest:
            segment = self.segments.pop(0)
            os.close(segment.descriptor)
            segment.path.unlink(missing_ok=True)

    def _keep(self, first: int, raws: Sequence[bytes], row: int) -> None:
        """Rows that the disk did not take."""
        del self.offset[first:]
        del self.mark[first:]
        end = self.segments[-1].end if self.segments else 0
        for number, raw in enumerate(raws):
            self.offset.append(end)
            self.mark.append(0)
            key = first + number + self._dropped
            self._kept[key] = raw
            self._kept_rows.append(key)
            self._kept_bytes += len(raw)
        while self._kept_bytes > _KEPT_BYTES and len(self._kept_rows) > 1:
            key = self._kept_rows.popleft()
            self._kept_bytes -= len(self._kept.pop(key))
            if key >= self._dropped:
                self.columns.flags[key - self._dropped] |= LOST

    def raw(self, position: int) -> bytes:
        if self._kept_rows and position + self._dropped >= self._kept_rows[0]:
            kept = self._kept.get(position + self._dropped)
            if kept is not None:
                return kept
        return b"" if self._is_lost(position) else super().raw(position)

    def _is_lost(self, position: int) -> bool:
        return self.columns.flags[position] & LOST != 0

    def head(self, position: int, count: int) -> bytes:
        return super().head(position, count) if not self._refused else self.raw(position)[:count]

    def tail(self, position: int, count: int) -> bytes:
        return super().tail(position, count) if not self._refused else self.raw(position)[-count:]

    def raws(self, first: int, last: int) -> Iterator[bytes]:
        return super().raws(first, last) if not self._refused else map(self.raw, range(first, last))

    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]:
        if not self._refused:
            return super().containing(needle, ignore_case, first, last)
        rows = ((position, self.raw(position)) for position in range(first, last))
        return [position for position, raw in rows if needle in (raw.lower() if ignore_case else raw)]

    def keep(self) -> Path | None:
        self._stays = bool(self.segments)
        return self.segments[0].path if self._stays else None

    def close(self) -> None:
        super().close()
        if self._stays:
            self._claim.release()
        else:
            self._claim.discard()


def _write_all(segment: Segment, data: bytes) -> None:
    """One write; where it was cut short by a full disk, the segment is as before and OSError is raised."""
    try:
        written = os.write(segment.descriptor, data)
        while written < len(data):
            written += os.write(segment.descriptor, data[written:])
    except OSError:
        os.ftruncate(segment.descriptor, segment.size)
        raise
    segment.size += len(data)
