"""Reads recordings, and the segments of a crashed spool, in slices."""

from __future__ import annotations

import os
import re
import stat
import time
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.traffic.files import Files, Segment, pread
from inspector.traffic.header import read_header
from inspector.traffic.imports import Conversion
from inspector.traffic.index import Columns
from inspector.traffic.lines import (
    BASE64,
    BROKEN,
    CHANNEL_OF,
    JSON,
    JSON_CR,
    LATEST,
    ROW,
    SYS,
    TEXT,
    Parsed,
    flags_of,
    parse,
    start_of,
)  # fmt: skip
from inspector.traffic.remarks import note_of

_STEP = 1 << 18
_CHANGED = "the recording was changed after it was closed: its digest does not fit"
_LONGEST_LINE = 512 << 20
_BINARY = getattr(os, "O_BINARY", 0)
_FIRST_ROW = re.compile(rb'\n\{"t":[\d.-]{1,40},"q":(\d{1,20}),')
_KEYS = {b"m": JSON, b"x": TEXT, b"b": BASE64}


class Recording(Files):
    """A recording, or the segments of a crashed spool, read as it is asked for: `read_some` adds rows to the
    columns.

    `sessions` holds the members of the session lines by number, the last one counting; `remarks` the
    notes of a person by row; `notes` what a person should know about the file. `done` is True when the end has been
    seen. What another program recorded is read while its `conversion` writes it.
    """

    def __init__(self, columns: Columns, paths: Sequence[Path], conversion: Conversion | None = None) -> None:
        super().__init__(columns)
        self.sessions: dict[int, dict[str, Any]] = {}
        self.notes: list[str] = []
        self.remarks: dict[int, str] = {}
        self.done = False
        self.first_row = 0
        self.header: dict[str, Any] = {}
        self._conversion = conversion
        self._converted = conversion is None
        self._others = array("I")
        self._at = 0
        import hashlib  # late: it loads OpenSSL, which a command that records nothing has no use for

        self._digest = hashlib.sha256()
        self._ended = False
        try:
            for path in paths:
                self._open(path)
            first = self.segments[0]
            start = pread(first.descriptor, _STEP, 0)
            self.header = read_header(start.partition(b"\n")[0], first.path)
            self.notes += _notes(self.header)
            if conversion is not None:
                self.notes += conversion.notes
                conversion.unlink()
        except BaseException:
            self.close()
            raise
        self._set_first_row(start)

    def _open(self, path: Path) -> None:
        try:
            facts = path.stat()
            if not stat.S_ISREG(facts.st_mode):
                raise fail(
                    "io", f"{path} is no file", "a recording is read from a file, not from a pipe or folder"
                )
            descriptor = os.open(path, os.O_RDONLY | _BINARY)
        except OSError as error:
            raise fail(
                "io",
                f"cannot read {path}: {error.strerror or error}",
                "check the path, and whether you may read it",
            ) from error
        start = self.segments[-1].end if self.segments else 0
        self.segments.append(Segment(path, descriptor, start, facts.st_size))

    def _set_first_row(self, start: bytes) -> None:
        """Rows keep the numbers that they had live: counted on from the first one."""
        match = _FIRST_ROW.search(start)
        if match is not None:
            number = int(match.group(1))
            self.first_row = number if number < 1 << 31 else 0

    @property
    def base(self) -> float:
        """Seconds since the epoch that times count from; 0 where the header does not tell."""
        base = self.header.get("base")
        return float(base) if isinstance(base, int | float) and 0 <= base < LATEST else 0.0

    def line_number(self, position: int) -> int:
        """The line of the file that a row stands on, from 1."""
        return position + 1 + bisect_right(self._others, position)

    def read_some(self, deadline: float) -> bool:
        """Reads on until `time.monotonic()` passes `deadline`; True while there is more to read."""
        if self._conversion is not None and not self._converted:
            self._convert(self._conversion, deadline)
        for segment in self.segments:
            while not self.done and segment.start <= self._at < segment.end:
                self._read_block(segment)
                if time.monotonic() > deadline and self._at < self.segments[-1].end:
                    return True
        if not self.done and self._converted:
            self.done = True
            if not self._ended:
                self.notes.append("the recording has no end line: its recorder was stopped in mid-flight")
        return not self._converted

    def _convert(self, conversion: Conversion, deadline: float) -> None:
        """Has more of the file made that is read here."""
        told = len(conversion.notes)
        self._converted = not conversion.go_on(deadline)
        self.segments[-1].size = conversion.size
        self.notes += conversion.notes[told:]

    def close(self) -> None:
        super().close()
        if self._conversion is not None:
            self._conversion.close()

    def _read_block(self, segment: Segment) -> None:
        at = self._at - segment.start
        step = _STEP
        block = pread(segment.descriptor, step, at)
        while (cut := block.rfind(b"\n") + 1) == 0 and at + len(block) < segment.size:
            if step > _LONGEST_LINE or not block:
                self.notes.append(
                    f"reading stopped at line {self.line_number(len(self.offset))}: it has no end"
                )
                self._at = self.segments[-1].end
                return
            step *= 4
            block = pread(segment.descriptor, step, at)
        if not block:
            self._at = segment.end
            self.notes.append("the file could not be read to its end")
        elif cut == 0:
            self._at = segment.end
            self._last_line(block, segment.start + at)
        else:
            lines = block[:cut]
            if not self._read_rows(lines):
                self._read_lines(lines)
            self._at += cut

    def _last_line(self, line: bytes, offset: int) -> None:
        if parse(line) is None:
            self.notes.append(f"the last line was cut off after {len(line)} bytes and is left out")
        else:
            self._read_line(line, offset)

    def _read_rows(self, lines: bytes) -> bool:
        """Takes lines that are all rows as we write them, column by column; False where some are not."""
        found = ROW.findall(lines)
        if not found:
            return False
        heads, times, sessions, channels, exchanges, flags, sizes, keys, payloads = zip(*found, strict=True)
        lengths = [len(head) + len(payload) + 2 for head, payload in zip(heads, payloads, strict=True)]
        if sum(lengths) != len(lines):
            return False
        try:
            seconds = array("d", map(float, times))
            session = array("H", map(int, sessions))
            exchange = array("I", [int(number or 0) for number in exchanges])
            size = array("I", map(len, payloads))
            mark = array("H", map(len, heads))
            flag = array("B", bytes(len(found)))
            if any(flags) or any(sizes):
                for index, (names, true_size, key) in enumerate(zip(flags, sizes, keys, strict=True)):
                    flag[index] = flags_of(names.decode().replace('"', "").split(","))
                    if key != b"m":
                        if not true_size:
                            return False
                        size[index] = int(true_size)
                        mark[index] |= _KEYS[key] << 14
                    elif b'"cr"' in names:
                        size[index] += 1
                        mark[index] |= JSON_CR << 14
        except OverflowError:
            return False
        if max(seconds) >= LATEST or min(seconds) <= -LATEST:
            return False
        self._ended = False
        columns = self.columns
        columns.time.extend(map(float, times))
        columns.session.extend(session)
        columns.channel.extend([CHANNEL_OF[name.decode()] for name in channels])
        columns.flags.extend(flag)
        columns.exchange.extend(exchange)
        columns.size.extend(size)
        self.offset.extend(accumulate(lengths[:-1], initial=self._at))
        self.mark.extend(mark)
        self._digest.update(lines)
        return True

    def _read_lines(self, lines: bytes) -> None:
        offset = self._at
        for line in lines.split(b"\n")[:-1]:
            self._read_line(line + b"\n", offset)
            offset += len(line) + 1

    def _read_line(self, line: bytes, offset: int) -> None:
        parsed = parse(line)
        if type(parsed) is dict:
            self._others.append(len(self.offset))
            self._other(parsed)
        else:
            self._ended = False
            row = (
                parsed
                if isinstance(parsed, Parsed)
                else Parsed(0.0, 0, SYS, 0, BROKEN, 0, len(line.rstrip(b"\n")))
            )
            self.offset.append(offset)
            self.mark.append(row.mark)
            columns = self.columns
            columns.append(row.t, row.session, row.channel, row.flags, row.exchange, (b"",))
            columns.size[-1] = row.size
        self._digest.update(line)

    def _other(self, members: dict[str, Any]) -> None:
        session = members.get("session")
        if type(session) is int and 0 <= session < 1 << 16:
            self.sessions[session] = members
        elif (note := note_of(members)) is not None:
            self.remarks[note[0]] = note[1]
        elif type(end := members.get("end")) is dict:
            self._ended = True
            # Each session that was added has an end of its own, and none fits behind a change.
            if end.get("sha256") not in (None, self._digest.hexdigest()) and _CHANGED not in self.notes:
                self.notes.append(_CHANGED)

    def give_up(self, position: int) -> None:
        """A row whose payload is not what its line promised: it is its whole line from now on, as a broken
        one."""
        self.mark[position] = 0
        self.columns.size[position] = len(self.line(position).rstrip(b"\n"))
        self.columns.channel[position] = SYS
        self.columns.flags[position] |= BROKEN

    def promised_json(self, position: int) -> bool:
        return self.mark[position] >> 14 in (JSON, JSON_CR) and start_of(self.mark[position]) > 0

    # A recording is read only: what a spool must do with new rows does not come up.
    def append(self, raws: Sequence[bytes], row: int, true_size: int = -1) -> int:
        return 0

    def drop(self, count: int) -> None:
        return None

    def remark(self, line: bytes) -> None:
        return None


def _notes(header: dict[str, Any]) -> list[str]:
    """What the header of a recording says that a person should know."""
    version = header.get("version")
    if isinstance(version, str) and "." in version and not version.endswith(".0"):
        return [f"it has version {version[:20]} of the format; what is new in it is passed over"]
    return []
