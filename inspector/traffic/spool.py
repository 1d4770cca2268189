"""Where the bytes of live traffic are kept: in memory for a single command, in private files for the app.

Both kinds give rows back by position and never raise: a disk that is full or gone costs a notice, not a
session.
"""

from __future__ import annotations

import os
import shutil
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from inspector.base.errors import fail
from inspector.base.paths import private_folder
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

    def drop(self, count: int) -> None: ...
    def raw(self, position: int) -> bytes: ...
    def head(self, position: int, count: int) -> bytes: ...
    def tail(self, position: int, count: int) -> bytes: ...
    def raws(self, first: int, last: int) -> Iterator[bytes]: ...
    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]: ...
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

    def close(self) -> None:
        super().close()
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


class Claim:
    """A spool folder that belongs to a live process: the lock beside it is held until the process ends.

    The lock is taken before the folder exists, so that nobody who finds the folder can find the lock free.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        self.folder = folder
        self._descriptor = descriptor

    @classmethod
    def create(cls, parent: Path) -> Claim:
        """A new empty folder (0700) under `parent`, locked. Raises Failed where that is not possible."""
        try:
            private_folder(parent)
            folder = parent / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{uuid4().hex[:8]}"
            claim = cls.take(folder)
            if claim is None:
                raise OSError("its lock is taken")
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise fail("io", f"cannot keep traffic in {parent}: {error.strerror or error}") from error
        return claim

    @classmethod
    def take(cls, folder: Path) -> Claim | None:
        """The claim on a folder, or None where a live process holds it. Raises OSError."""
        path = _lock_path(folder)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        # A lock on a file that was removed meanwhile is worth nothing.
        if _lock(descriptor) and path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
            return cls(folder, descriptor)
        os.close(descriptor)
        return None

    def discard(self) -> None:
        """Removes the folder and lets go of it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release(remove=True)

    def release(self, remove: bool = False) -> None:
        if self._descriptor < 0:
            return
        if remove and os.name == "posix":
            _lock_path(self.folder).unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = -1
        if remove and os.name != "posix":
            try:
                _lock_path(self.folder).unlink(missing_ok=True)
            except OSError:
                pass  # another process has it open just now; its sweep removes it


def _lock_path(folder: Path) -> Path:
    return folder.with_name(folder.name + ".lock")


def _lock(descriptor: int) -> bool:
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Crashed:
    """The spool of a process that ended without removing it. `written`: seconds since the epoch."""

    folder: Path
    segments: tuple[Path, ...]
    size: int
    written: float

    def discard(self) -> None:
        """Removes it; never raises."""
        try:
            claim = Claim.take(self.folder)
        except OSError:
            return
        if claim is not None:
            claim.discard()


def sweep(parent: Path, *, keep_for: float = 7 * 86400, now: float | None = None) -> list[Crashed]:
    """Removes what dead processes left under `parent`, but for spools younger than `keep_for` seconds that
    hold traffic: these are returned, newest first, to be offered for recovery. Live spools are not
    touched."""
    now = time.time() if now is None else now
    found: list[Crashed] = []
    try:
        folders = [path for path in parent.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return found
    for folder in folders:
        try:
            claim = Claim.take(folder)
            if claim is None:
                continue
            crashed = _crashed(folder)
            if crashed.size and now - crashed.written < keep_for:
                claim.release()
                found.append(crashed)
            else:
                claim.discard()
        except OSError:
            continue
    return sorted(found, key=lambda crashed: crashed.written, reverse=True)


def _crashed(folder: Path) -> Crashed:
    segments = tuple(sorted(folder.glob("*.mcprec")))
    facts = [path.stat() for path in segments]
    written = max((fact.st_mtime for fact in facts), default=0.0)
    return Crashed(folder, segments, sum(fact.st_size for fact in facts), written)
