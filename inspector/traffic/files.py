"""Reads rows back from the files they were written to: one recording, or the segments of a spool."""

from __future__ import annotations

import os
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector.traffic.index import Columns
from inspector.traffic.lines import JSON, JSON_CR, START, encoding_of, original, start_of

BLOCK = 1 << 20
_seeking = threading.Lock()


def pread(descriptor: int, count: int, offset: int) -> bytes:
    """Reads at an offset; less than `count` bytes only at the end of the file or where it cannot be read."""
    parts = []
    try:
        while count > 0:
            part = _pread(descriptor, count, offset)
            if not part:
                break
            parts.append(part)
            count -= len(part)
            offset += len(part)
    except OSError:
        pass
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _pread(descriptor: int, count: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(descriptor, count, offset)
    with _seeking:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, count)


@dataclass(slots=True)
class Segment:
    """A file of lines. `start` is the offset of its first byte in the whole, `size` what it holds so far."""

    path: Path
    descriptor: int
    start: int
    size: int = 0

    @property
    def end(self) -> int:
        return self.start + self.size


class Files:
    """Rows in files, by position. Offsets run through all segments, so that one number says where a line
    is."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.segments: list[Segment] = []
        self.offset = array("Q")
        self.mark = array("H")

    def __len__(self) -> int:
        return len(self.offset)

    def line_number(self, position: int) -> int:
        return 0

    def raw(self, position: int) -> bytes:
        """The original bytes of a row."""
        mark = self.mark[position]
        encoding = encoding_of(mark)
        begin = self.offset[position] + start_of(mark)
        segment = self._segment(begin)
        size = self.columns.size[position]
        if encoding == JSON:
            return pread(segment.descriptor, size, begin - segment.start)
        if encoding == JSON_CR:
            return pread(segment.descriptor, size - 1, begin - segment.start) + b"\r"
        return original(self.line(position)[start_of(mark) :], encoding)

    def head(self, position: int, count: int) -> bytes:
        """The first `count` original bytes of a row, or a little more."""
        if encoding_of(self.mark[position]) != JSON or self.columns.size[position] <= count:
            return self.raw(position)
        begin = self.offset[position] + start_of(self.mark[position])
        segment = self._segment(begin)
        return pread(segment.descriptor, count, begin - segment.start)

    def tail(self, position: int, count: int) -> bytes:
        """The last `count` original bytes of a row, or a little more."""
        size = self.columns.size[position]
        if encoding_of(self.mark[position]) != JSON or size <= count:
            return self.raw(position)
        begin = self.offset[position] + start_of(self.mark[position]) + size - count
        segment = self._segment(begin)
        return pread(segment.descriptor, count, begin - segment.start)

    def line(self, position: int) -> bytes:
        """The line of a row as it stands in the file, with its line end."""
        begin = self.offset[position]
        segment = self._segment(begin)
        step = 1 << 16
        parts: list[bytes] = []
        at = begin - segment.start
        while part := pread(segment.descriptor, step, at):
            end = part.find(b"\n") + 1
            parts.append(part[:end] if end else part)
            if end:
                break
            at += len(part)
            step = min(step * 4, 16 * BLOCK)
        return b"".join(parts)

    def raws(self, first: int, last: int) -> Iterator[bytes]:
        """The original bytes of rows first..last-1, read in large blocks."""
        position = first
        while position < last:
            block, begin, stop = self._block(position, last)
            for index in range(position, stop):
                mark = self.mark[index]
                encoding = encoding_of(mark)
                at = self.offset[index] - begin + start_of(mark)
                if encoding == JSON:
                    yield block[at : at + self.columns.size[index]]
                elif encoding == JSON_CR:
                    yield block[at : at + self.columns.size[index] - 1] + b"\r"
                else:
                    end = block.find(b"\n", at)
                    yield original(block[at:] if end < 0 else block[at:end], encoding)
            position = stop

    def keep(self) -> Path | None:
        return None

    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]:
        """Positions of the rows among first..last-1 that hold `needle`, found block by block."""
        found: list[int] = []
        position = first
        while position < last:
            block, begin, stop = self._block(position, last)
            if ignore_case:
                block = block.lower()
            if max(self.mark[position:stop]) >> 14:
                rows = zip(range(position, stop), self.raws(position, stop), strict=True)
                found += [index for index, raw in rows if needle in (raw.lower() if ignore_case else raw)]
            elif needle in block:
                found += self._lines_with(needle, block, begin, position, stop)
            position = stop
        return found

    def _lines_with(self, needle: bytes, block: bytes, begin: int, position: int, stop: int) -> list[int]:
        """The rows of a block, none of them encoded, that hold `needle` in their payload."""
        marks, offset, size = self.mark, self.offset, self.columns.size
        lines = block.split(b"\n")
        if len(lines) == stop - position + 1:
            found, length = [], len(needle)
            for index, line in enumerate(lines, position):
                at = line.find(needle)
                if at < 0:
                    continue
                payload = marks[index] & START
                if at < payload:
                    at = line.find(needle, payload)
                if 0 <= at <= payload + size[index] - length:
                    found.append(index)
            return found
        found = []
        for index in range(position, stop):
            payload = offset[index] - begin + start_of(marks[index])
            if block.find(needle, payload, payload + size[index]) >= 0:
                found.append(index)
        return found

    def _block(self, position: int, last: int) -> tuple[bytes, int, int]:
        """The bytes of the lines from `position` on, their offset, and the position behind the last one."""
        offset = self.offset
        begin = offset[position]
        segment = self._segment(begin)
        stop = bisect_left(offset, min(begin + BLOCK, segment.end), position + 1, last)
        end = offset[stop] if stop < len(offset) and offset[stop] < segment.end else segment.end
        if end - begin > 2 * BLOCK and stop == position + 1:
            return self.line(position), begin, stop
        return pread(segment.descriptor, end - begin, begin - segment.start), begin, stop

    def _segment(self, offset: int) -> Segment:
        if len(self.segments) == 1:
            return self.segments[0]
        return self.segments[bisect_right(self.segments, offset, key=lambda segment: segment.start) - 1]

    def close(self) -> None:
        for segment in self.segments:
            os.close(segment.descriptor)
        self.segments.clear()
