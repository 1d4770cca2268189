"""Recording files: one UTF-8 JSON object a line, the format of the live spool.

Lines are the header, `{"session":N,"t":...,"label":...}` (repeated when its facts change), rows (see
`lines`), and `{"end":{"rows","sha256"}}` with the digest of all bytes before it. Without it the recorder was
stopped in mid-flight and everything up to there is good. Unknown keys and unknown lines are passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from inspector import __version__
from inspector.base.errors import Failed, Failure, fail
from inspector.traffic.files import Files, Segment, pread
from inspector.traffic.index import Columns
from inspector.traffic.lines import (
    BROKEN,
    CHANNEL_OF,
    JSON,
    JSON_CR,
    REDACTED,
    ROW,
    SYS,
    Parsed,
    encode,
    flags_of,
    parse,
    start_of,
)  # fmt: skip
from inspector.traffic.redact import RULES, Redaction

FORMAT = "mcp-inspect/recording"
VERSION = 1
MIGRATIONS: tuple[Callable[[dict[str, Any]], dict[str, Any]], ...] = ()
"""The n-th turns the members of a line of version n+1 into those of version n+2."""

_STEP = 1 << 18
_LONGEST_LINE = 512 << 20
_BINARY = getattr(os, "O_BINARY", 0)
_KEYS = {b"m": JSON, b"x": 1, b"b": 2}


def header(base: float, redaction: Mapping[str, Any]) -> bytes:
    """The first line; `base` is the moment, in seconds since the epoch, that `t` counts from."""
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(base))
    members = {
        "format": FORMAT,
        "version": VERSION,
        "tool": f"mcp-inspect {__version__}",
        "created": created,
        "base": base,
        "redaction": dict(redaction),
    }
    return _line(members)


def session_line(session: int, t: float, label: str, facts: Mapping[str, Any]) -> bytes:
    """The line that says what a session is; facts that JSON cannot hold are written as text."""
    return _line({"session": session, "t": round(t, 6), "label": label} | dict(facts))


def _line(members: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(members, separators=(",", ":"), default=str, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        plain = {
            key: value if isinstance(value, str | int | float) else str(value)
            for key, value in members.items()
        }
        text = json.dumps({key: str(value) if value != value else value for key, value in plain.items()})
    return text.encode() + b"\n"


def read_header(line: bytes, path: Path) -> dict[str, Any]:
    """The members of the first line. Raises Failed (kind io or unsupported) for what is no recording of
    ours."""
    try:
        members = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        members = None
    if type(members) is not dict or members.get("format") != FORMAT:
        raise fail(
            "io",
            f"{path} is no recording",
            "recordings are written by --record, tap -o, and key R in the app",
        )
    version = members.get("version")
    major = version if type(version) is int else None
    if type(version) is str and version.split(".")[0].isdigit():
        major = int(version.split(".")[0])
    if major is None or not 1 <= major <= VERSION:
        raise fail(
            "unsupported",
            f"{path} has version {version} of the recording format; this program reads up to {VERSION}",
            "open it with a newer mcp-inspect: pip install --upgrade mcp-inspect",
        )
    return members


class Recording(Files):
    """A recording, or the segments of a crashed spool, read as it is asked for: `read_some` adds rows to the
    columns.

    `sessions` holds the members of the session lines by number, the last one counting; `notes` what a person
    should know about the file. `done` is True when the end has been seen.
    """

    def __init__(self, columns: Columns, paths: Sequence[Path]) -> None:
        super().__init__(columns)
        self.sessions: dict[int, dict[str, Any]] = {}
        self.notes: list[str] = []
        self.done = False
        self.first_row = 0
        self.header: dict[str, Any] = {}
        self._others = array("I")
        self._at = 0
        self._digest = hashlib.sha256()
        self._ended = False
        try:
            for path in paths:
                self._open(path)
        except BaseException:
            self.close()
            raise
        first = self.segments[0]
        self._check_header(first)
        self._set_first_row(first)

    def _open(self, path: Path) -> None:
        try:
            descriptor = os.open(path, os.O_RDONLY | _BINARY)
            size = os.fstat(descriptor).st_size
        except OSError as error:
            raise fail("io", f"cannot read {path}: {error.strerror or error}") from error
        self.segments.append(Segment(path, descriptor, self.segments[-1].end if self.segments else 0, size))

    def _check_header(self, segment: Segment) -> None:
        start = pread(segment.descriptor, 1 << 20, 0)
        try:
            self.header = read_header(start.partition(b"\n")[0], segment.path)
        except Failed:
            self.close()
            raise

    def _set_first_row(self, segment: Segment) -> None:
        """Rows keep the numbers that they had live: counted on from the first one."""
        for line in pread(segment.descriptor, _STEP, 0).split(b"\n")[1:200]:
            if (match := ROW.match(line + b"\n")) is not None:
                number = int(match.group(1).split(b'"q":')[1].split(b",")[0])
                self.first_row = number if number < 1 << 31 else 0
                return

    @property
    def base(self) -> float:
        """Seconds since the epoch that times count from; 0 where the header does not tell."""
        base = self.header.get("base")
        return float(base) if isinstance(base, int | float) and 0 <= base < 1 << 40 else 0.0

    def line_number(self, position: int) -> int:
        """The line of the file that a row stands on, from 1."""
        return position + 1 + bisect_right(self._others, position)

    def read_some(self, deadline: float) -> bool:
        """Reads on until `time.monotonic()` passes `deadline`; True while there is more to read."""
        for segment in self.segments:
            while not self.done and segment.start <= self._at < segment.end:
                self._read_block(segment)
                if time.monotonic() > deadline and self._at < self.segments[-1].end:
                    return True
        if not self.done:
            self.done = True
            if not self._ended:
                self.notes.append("the recording has no end line: its recorder was stopped in mid-flight")
        return False

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
        elif type(end := members.get("end")) is dict:
            self._ended = True
            if end.get("sha256") not in (None, self._digest.hexdigest()):
                self.notes.append("the recording was changed after it was closed: its digest does not fit")

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


class Writer:
    """Writes a recording beside a session. Opening raises Failed (kind io); afterwards nothing does: the
    first error ends the recording at its last whole line, is kept in `failure` and told to `on_error`.

    With `append` an existing recording gets further sessions; its old lines stay as they are.
    """

    def __init__(
        self,
        path: Path,
        *,
        secrets: Any = None,
        redact: bool = True,
        force: bool = False,
        append: bool = False,
        on_error: Callable[[Failure], None] | None = None,
    ) -> None:
        self.path = path
        self.rows = 0
        self.failure: Failure | None = None
        self._redaction = Redaction(secrets) if redact else None
        self._on_error = on_error
        self._digest = hashlib.sha256()
        self._size = 0
        self._said: dict[int, bytes] = {}
        self._row_shift = self._session_shift = 0
        self._old_base: float | None = None
        self._descriptor = self._open(force, append)

    def _open(self, force: bool, append: bool) -> int:
        if append and self.path.exists() and self.path.stat().st_size:
            self._continue()
            flags = os.O_RDWR | os.O_APPEND | _BINARY
        else:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY | (os.O_TRUNC if force else os.O_EXCL)
        try:
            descriptor = os.open(self.path, flags, 0o600)
        except FileExistsError as error:
            raise fail(
                "io", f"{self.path} exists", "choose another name, or overwrite it with --force"
            ) from error
        except OSError as error:
            raise fail("io", f"cannot write {self.path}: {error.strerror or error}") from error
        if os.name == "posix" and self.path.is_file():
            os.fchmod(descriptor, 0o600)
        return descriptor

    def _continue(self) -> None:
        columns = Columns()
        recording = Recording(columns, [self.path])
        recording.read_some(float("inf"))
        try:
            self._row_shift = recording.first_row + len(columns)
            self._session_shift = max(recording.sessions, default=0)
            self._old_base = recording.base
            segment = recording.segments[0]
            last = b""
            for at in range(0, segment.size, 1 << 20):
                last = pread(segment.descriptor, 1 << 20, at)
                self._digest.update(last)
            self._size = segment.size
            self._cut = not last.endswith(b"\n")
        finally:
            recording.close()

    def begin(self, base: float) -> None:
        """Writes the header; `base` as in `header`. Called by the traffic that is recorded."""
        if self._old_base is not None:
            self._time_shift = base - self._old_base
            if self._cut:
                self._write(b"\n")
            return
        self._time_shift = 0.0
        facts: dict[str, Any] = {"applied": True, "rules": RULES}
        if self._redaction is None:
            facts = {
                "applied": False,
                "warning": "recorded with --no-redact: this file holds secrets as they were sent",
            }
        self._write(header(base, facts))

    def session(self, number: int, t: float, label: str, facts: Mapping[str, Any]) -> bytes:
        """The line of a session as it is written here."""
        shown = dict(facts) if self._redaction is None else self._redaction.facts(facts)
        return session_line(number + self._session_shift, t + self._time_shift, label, shown)

    def write(
        self,
        raws: Sequence[bytes],
        row: int,
        t: float,
        session: int,
        channel: int,
        exchange: int,
        flags: int,
        sizes: Sequence[int],
        about: bytes,
    ) -> None:
        """Rows of one batch, in one write. `about` is the line of their session, written where it is new."""
        if self.failure is not None:
            return
        parts = [] if self._said.get(session) is about else [about]
        redaction = self._redaction
        number = row + self._row_shift
        t += self._time_shift
        session_number = session + self._session_shift
        for raw, size in zip(raws, sizes, strict=True):
            flag = flags
            true_size = size if size != len(raw) else -1
            if redaction is not None and (masked := redaction.row(channel, raw)) is not raw:
                raw, flag = masked, flag | REDACTED
            parts.append(encode(raw, t, number, session_number, channel, exchange, flag, true_size)[0])
            number += 1
        self._write(b"".join(parts))
        self._said[session] = about
        self.rows += len(raws)

    def say(self, number: int, about: bytes) -> None:
        """Writes the line of a session where it is new."""
        if self._said.get(number) is not about:
            self._write(about)
            self._said[number] = about

    def _write(self, data: bytes) -> None:
        if self.failure is not None:
            return
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            self._stop(error)
            return
        self._size += len(data)
        self._digest.update(data)

    def _stop(self, error: OSError) -> None:
        try:
            os.ftruncate(self._descriptor, self._size)
        except OSError:
            pass  # a reader leaves the cut line out
        reason = error.strerror or str(error)
        self.failure = Failure(
            kind="io",
            message=f"recording stopped after {self.rows} rows: cannot write {self.path}: {reason}",
            hint="the session goes on unrecorded; free some space and record again under another name",
        )
        if self._on_error is not None:
            self._on_error(self.failure)

    def close(self) -> None:
        """Writes the end line; never raises."""
        if self._descriptor < 0:
            return
        facts = {"rows": self.rows, "sha256": self._digest.hexdigest()}
        self._write(_line({"end": facts}))
        try:
            os.close(self._descriptor)
        except OSError as error:
            self._stop(error)
        self._descriptor = -1
