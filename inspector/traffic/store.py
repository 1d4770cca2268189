"""The traffic of all sessions: one writer, many readers, nothing ever changed.

Rows are numbered for good; `first` moves up when the oldest must go. Frames, lines of stderr, notes of ours
(`sys`) and the parts of HTTP exchanges are all rows. Lists show frames and notes (`views.View` without a
query), and the rest when a filter asks for its kind: `stderr`, `http` (one row an exchange) or `part` (its
other rows).

Append keeps bytes and parses nothing. What rows mean is found later in slices, by `advance`, which whoever
shows traffic calls on its tick and who prints it calls once without a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from inspector.traffic import lines, remarks
from inspector.traffic.claims import segments_from
from inspector.traffic.correlate import Pairing
from inspector.traffic.exchanges import Exchange
from inspector.traffic.folding import Folding
from inspector.traffic.header import header, session_line
from inspector.traffic.index import Columns
from inspector.traffic.judged import Judged
from inspector.traffic.lines import HTTP, REDACTED, S2C, SYS
from inspector.traffic.recorder import Recorder
from inspector.traffic.rows import Row, row_at
from inspector.traffic.session_log import SessionLog as SessionLog
from inspector.traffic.spool import (
    DISK_BYTES,
    MAX_ROWS,
    MEMORY_BYTES,
    SEGMENT_BYTES,
    Disk,
    Memory,
    Spool,
)  # fmt: skip
from inspector.traffic.writer import Writer as Writer

if TYPE_CHECKING:
    from inspector.traffic.imports import Conversion
    from inspector.traffic.recording import Recording

_SLICE = 256
_NEAR = 256


@dataclass(slots=True)
class Session:
    """A connection that traffic belongs to. `line` is how the spool writes it down."""

    number: int
    label: str
    facts: dict[str, Any]
    line: bytes = b""


class Traffic:
    """See the module. Not for several threads; `row`, `raw` and `advance` of a file may be slow, append never
    is."""

    def __init__(self) -> None:
        self.base_time = time.time()
        """Seconds since the epoch that the times of rows count from."""
        self.revision = 0
        """Rises whenever anything here changes."""
        self.first = 0
        """The number of the oldest row held."""
        self.dropped = 0
        """How many rows had to go because the bounds were reached."""
        self.imported = False
        """Whether another program recorded it."""
        self.sessions: dict[int, Session] = {}
        self.columns = Columns()
        self._zero = time.monotonic()
        self._pairing = Pairing(self.columns)
        self.folding = Folding(self.columns, self._pairing)
        self._spool: Spool = Memory()
        self._recording: Recording | None = None
        self._exchange = 0
        self._begun = 0
        self._live: WeakValueDictionary[int, SessionLog] = WeakValueDictionary()
        """Sessions that somebody still writes to."""
        self._leaving: set[int] = set()
        """Those of which rows went since they were last looked at."""
        self._recorder: Recorder | None = None
        self._notices: list[str] = []
        self._withheld: Callable[[bytes], bytes] | None = None
        self.remarks: dict[int, str] = {}
        """Notes of a person by row number."""
        self.judged = Judged()
        """What is wrong with rows, as far as somebody looked."""
        self._made: dict[int, str] = {}
        self._unsaved: dict[int, str] = {}
        self._file: Path | None = None

    @classmethod
    def in_memory(cls, *, max_bytes: int = MEMORY_BYTES, max_rows: int = MAX_ROWS) -> Traffic:
        """For one command: bounded, and never touches the disk."""
        traffic = cls()
        traffic._spool = Memory(max_bytes, max_rows)
        return traffic

    @classmethod
    def on_disk(
        cls,
        folder: Path,
        *,
        max_bytes: int = DISK_BYTES,
        segment_bytes: int = SEGMENT_BYTES,
        max_rows: int = MAX_ROWS,
    ) -> Traffic:
        """For the app: a private spool of its own under `folder`, removed by `close`. Raises Failed (kind
        io)."""
        traffic = cls()
        traffic._spool = Disk(
            traffic.columns,
            folder,
            header=header(traffic.base_time, {"applied": False, "spool": True}),
            session_line=traffic._session_line,
            on_error=traffic._spool_failed,
            max_bytes=max_bytes,
            segment_bytes=segment_bytes,
            max_rows=max_rows,
        )
        return traffic

    @classmethod
    def open_recording(cls, path: Path) -> Traffic:
        """Read only; the first rows are there at once, the rest comes with `advance`. A segment of a spool that
        was left is read with those behind it. What another program recorded
        (see `imports`) is read as a whole before, unless it comes in its order.

        Raises Failed: kind io for what cannot be read or is no recording, unsupported for a newer format.
        """
        from inspector.traffic import imports

        name = imports.format_of(path)
        if name is None:
            traffic = cls._opened(segments_from(path))
        else:
            conversion = imports.Conversion(path, name)
            try:
                traffic = cls._opened([conversion.path], conversion)
            except BaseException:
                conversion.close()
                raise
            traffic.imported = True
        traffic._file = path
        traffic._made, told = remarks.read(path)
        traffic.notes.extend(told)
        traffic._take_remarks()
        return traffic

    @classmethod
    def _opened(cls, paths: Sequence[Path], conversion: Conversion | None = None) -> Traffic:
        from inspector.traffic.recording import Recording

        traffic = cls()
        recording = Recording(traffic.columns, paths, conversion)
        traffic._spool = traffic._recording = recording
        traffic.base_time = recording.base
        traffic.first = recording.first_row
        traffic._pairing.start_at(recording.first_row)
        recording.read_some(0)
        traffic._take_sessions(recording)
        return traffic

    def __len__(self) -> int:
        """How many rows are held."""
        return len(self.columns)

    @property
    def end(self) -> int:
        """The number that the next row will get."""
        return self.first + len(self.columns)

    @property
    def described(self) -> int:
        """Rows before this number have been described and paired."""
        return self.first + self.columns.described

    @property
    def complete(self) -> bool:
        """False while a recording is still being read."""
        return self._recording is None or self._recording.done

    @property
    def file(self) -> Path | None:
        """The recording that is read, as it was named; None where there is none."""
        return self._file

    @property
    def read_only(self) -> bool:
        return self._recording is not None

    @property
    def notes(self) -> list[str]:
        """What a person should know about a recording: that it is cut off, or was changed."""
        return [] if self._recording is None else self._recording.notes

    @property
    def tells_secrets(self) -> bool:
        """A recording that was made with `--no-redact`."""
        redaction = self.header.get("redaction")
        return isinstance(redaction, dict) and bool(redaction.get("warning"))

    @property
    def header(self) -> dict[str, Any]:
        """The header of a recording; empty for live traffic."""
        return {} if self._recording is None else self._recording.header

    def raw(self, number: int) -> bytes:
        """The bytes of a row exactly as they were; of a frame over the cap, what was kept. IndexError if not
        held."""
        return self._spool.raw(self._position(number))

    def raws(self, first: int, last: int) -> Iterator[bytes]:
        """The same for rows first..last-1, read in large blocks."""
        return self._spool.raws(self._position(first), last - self.first) if first < last else iter(())

    def line(self, number: int) -> bytes:
        """The line of a row in the recording format, without its line end: as it stands in the recording."""
        position = self._position(number)
        if self._recording is not None:
            return self._recording.line(position).rstrip(b"\n")
        columns, raw = self.columns, self._spool.raw(position)
        size = columns.size[position]
        line, _ = lines.encode(
            raw, columns.time[position], number, columns.session[position], columns.channel[position],
            columns.exchange[position], columns.flags[position], size if size != len(raw) else -1,
        )  # fmt: skip
        return line[:-1]

    def row(self, number: int) -> Row:
        """A row as it is shown. IndexError if not held. Costs one read, and decoding where the row is not long."""
        position = self._position(number)
        row = row_at(
            self.columns, self._spool, position, self.first, self.label(self.columns.session[position])
        )
        note = self.remarks.get(number)
        return row if note is None else replace(row, note=note)

    def line_number(self, number: int) -> int:
        """The line of its file that a row of a recording stands on, from 1; 0 where it stands on none."""
        return 0 if self.imported else self._spool.line_number(self._position(number))

    def label(self, session: int) -> str:
        """The name of a session; empty for what belongs to none."""
        found = self.sessions.get(session)
        return found.label if found is not None else ""

    def linked(self, number: int) -> list[int]:
        """Other rows that belong to a row: its peer, for a request its progress and cancel, in rounds of input the
        answer that asked or the request that gave it, and of a task the answer that made it or all that speak of it;
        oldest first."""
        position = self._position(number)
        found = []
        peers = self.columns.peer
        at = -1
        while True:
            try:
                at = peers.index(number + 1, at + 1)
            except ValueError:
                break
            found.append(at + self.first)
        own = peers[position] if position < len(peers) else 0
        rounds = (self._pairing.asked_by.get(number), self._pairing.given_by.get(number))
        for other in (own - 1, *rounds, *self._pairing.tasks.linked(number)):
            if other is not None and other >= self.first and other not in found:
                found.append(other)
        return sorted(found)

    def exchange(self, number: int) -> Exchange | None:
        """The HTTP exchange that a row belongs to; None for a row of stdio."""
        wanted = self.columns.exchange[self._position(number)]
        if not wanted:
            return None
        exchange = Exchange(wanted)
        column = self.columns.exchange
        at = -1
        while True:
            try:
                at = column.index(wanted, at + 1)
            except ValueError:
                return exchange
            if self.columns.channel[at] == HTTP:
                exchange.add(self.columns.time[at], self._spool.raw(at))
            elif self.columns.channel[at] <= S2C:
                exchange.frames.append(at + self.first)

    def carried(self, number: int) -> int:
        """The first frame that the HTTP exchange of a row carried, for a row that is a part of one; else the row
        itself."""
        columns, at = self.columns, number - self.first
        if not 0 <= at < len(columns) or columns.channel[at] != HTTP or not columns.exchange[at]:
            return number
        for other in range(at + 1, min(at + _NEAR, len(columns))):
            if columns.exchange[other] == columns.exchange[at] and columns.channel[other] <= S2C:
                return other + self.first
        return number

    def row_of(self, exchange: int) -> int | None:
        """The first row of an HTTP exchange that lists show; None where none is held."""
        at = -1
        while True:
            try:
                at = self.columns.exchange.index(exchange, at + 1)
            except ValueError:
                return None
            if self.columns.channel[at] != HTTP:
                return at + self.first

    def containing(self, needle: bytes, ignore_case: bool, first: int, last: int) -> list[int]:
        """The rows among first..last-1 whose bytes hold `needle` (lower case already where case is
        ignored)."""
        shift = self.first
        found = self._spool.containing(needle, ignore_case, first - shift, last - shift)
        return [position + shift for position in found] if shift else found

    def _position(self, number: int) -> int:
        position = number - self.first
        if not 0 <= position < len(self.columns):
            raise IndexError(f"row {number} is not held")
        return position

    def advance(self, seconds: float | None = None) -> bool:
        """Works for up to `seconds` (None: until all is done) on what is left to do: reading a recording,
        describing and pairing rows, catching up with a recorder that came late. True while there is more."""
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        recording = self._recording
        if recording is not None and not recording.done:
            # Only what is described can be listed, so reading must not use up all of the time.
            recording.read_some(deadline if seconds is None else time.monotonic() + seconds / 3)
            self._take_sessions(recording)
            self._take_remarks()
            self.revision += 1
        while self.described < self.end and time.monotonic() <= deadline:
            self._describe(min(self.columns.described + _SLICE, len(self.columns)))
        behind = self._recorder is not None and self._recorder.catch_up(deadline)
        return not self.complete or self.described < self.end or behind

    def _describe(self, stop: int) -> None:
        columns, describe, recording = self.columns, self._pairing.describe, self._recording
        start = columns.described
        for position, raw in enumerate(self._spool.raws(start, stop), start):
            if (
                recording is not None
                and columns.channel[position] <= S2C
                and recording.promised_json(position)
            ):
                self._check(recording, position, raw)
            describe(raw)
        self.revision += 1

    def _check(self, recording: Recording, position: int, raw: bytes) -> None:
        if raw[:1] not in b'{["' and not lines.is_strict_line(raw):
            recording.give_up(position)

    def _take_sessions(self, recording: Recording) -> None:
        for number, members in recording.sessions.items():
            facts = {key: value for key, value in members.items() if key not in ("session", "t", "label")}
            label = members.get("label")
            self.sessions[number] = Session(number, label if type(label) is str else "", facts)

    def _take_remarks(self) -> None:
        found = self._recording.remarks if self._recording is not None else {}
        if found or self._made:
            self.remarks = {number: text for number, text in {**found, **self._made}.items() if text}

    def remark(self, number: int, text: str) -> None:
        """Puts a note on a row, in the place of the one before; an empty text takes it off. Live it is kept in the
        spool and in a recording under way, for a recording beside its file. Raises IndexError, and Failed (io) where it
        is kept in memory only."""
        self._position(number)
        text = " ".join(text.split())[: remarks.LONGEST]
        self.remarks.pop(number, None)
        if text:
            self.remarks[number] = text
        self.revision += 1
        self._spool.remark(remarks.note_line(number, text))
        if self._recorder is not None:
            self._recorder.writer.remark(number, text)
        if self._file is not None:
            self._made[number] = self._unsaved[number] = text
            self._made = remarks.add(self._file, self._unsaved)
            self._unsaved = {}
            self._take_remarks()

    def withhold(self, cleaned: Callable[[bytes], bytes]) -> None:
        """`cleaned` gives bytes without what no row may ever hold, and the very same object where there is none of it.
        A row that was changed is flagged as redacted."""
        self._withheld = cleaned

    def session(self, label: str, **facts: Any) -> SessionLog:
        """Begins a session, one for each connection: `facts` are what a recording says about it (transport,
        command, url, cwd; later protocolVersion, serverInfo ...), plain JSON values."""
        self._begun = number = max(self._begun, len(self.sessions)) + 1
        self.sessions[number] = Session(number, label, facts)
        self._tell(number)
        self._live[number] = log = SessionLog(self, number)
        return log

    def facts(self, number: int, **changes: Any) -> None:
        """New facts about a session."""
        self.sessions[number].facts.update(changes)
        self._tell(number)

    def _tell(self, number: int) -> None:
        session = self.sessions[number]
        session.line = session_line(number, time.monotonic() - self._zero, session.label, session.facts)
        self.revision += 1

    def _session_line(self, number: int) -> bytes:
        session = self.sessions.get(number)
        return session.line if session is not None else b""

    def append(
        self,
        session: int,
        channel: int,
        raws: Sequence[bytes],
        exchange: int = 0,
        flags: int = 0,
        true_size: int = -1,
        at: float | None = None,
    ) -> int:
        """Keeps rows that came in one piece and returns the number of the first. They came now, or `at` a moment in
        seconds since the epoch. Never raises, parses nothing."""
        first = self.first + len(self.columns)
        if not raws:
            return first
        if self._withheld is not None:
            kept = list(map(self._withheld, raws))
            if any(one is not raw for one, raw in zip(kept, raws, strict=True)):
                raws, flags = kept, flags | REDACTED
        t = time.monotonic() - self._zero if at is None else at - self.base_time
        columns = self.columns
        columns.append(t, session, channel, flags, exchange, raws)
        if true_size >= 0:
            columns.size[-1] = min(true_size, 0xFFFFFFFF)
        excess = self._spool.append(raws, first, true_size)
        self.revision += 1
        if self._recorder is not None:
            self._recorder.take(first, raws)
        if excess:
            self._drop(excess)
        if self._notices and session:
            self._say_notices()
        return first

    def new_exchange(self) -> int:
        """The number of an HTTP exchange that is about to begin."""
        self._exchange += 1
        return self._exchange

    def _drop(self, count: int) -> None:
        if self._recorder is not None:
            self._recorder.write(self.first + count)
        if self.columns.described < count:
            self._describe(count)
        gone = set(self.columns.session[:count])
        self.columns.drop(count)
        self._spool.drop(count)
        self._pairing.drop(count)
        self._forget(gone)
        self.first += count
        self.dropped += count
        if self.remarks:
            self.remarks = {row: text for row, text in self.remarks.items() if row >= self.first}
        self.judged.drop(self.first)
        self._notices.append(f"the {count} oldest rows were dropped: live traffic has reached its bounds")

    def _forget(self, sessions: set[int]) -> None:
        """Those that are over and of which nothing is held any more: servers may be started again for months."""
        self._leaving |= sessions & self.sessions.keys()
        for number in self._leaving.difference(self._live.keys()):
            self._leaving.remove(number)
            # The oldest rows are looked at first, so that one that has some left is found at once.
            if number not in self.columns.session:
                del self.sessions[number]
                self._pairing.forget(number)

    def clear(self) -> int:
        """Forgets all rows held, and says so; returns how many they were. A recording under way gets them first.
        Raises ValueError for a recording that is read."""
        if self.read_only:
            raise ValueError("a recording is not cleared")
        count = len(self.columns)
        if count:
            self._drop(count)
            self._notices[-1] = f"{count} row{'' if count == 1 else 's'} were cleared by hand"
            self.revision += 1
            self._say_notices()
        return count

    def _spool_failed(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        self._notices.append(
            f"the spool cannot be written ({reason}): new traffic is kept in memory, within bounds"
        )

    def _say_notices(self) -> None:
        notices, self._notices = self._notices, []
        self.append(0, SYS, [notice.encode() for notice in notices])

    @property
    def folder(self) -> Path | None:
        """Where the spool is, if it is on disk."""
        return self._spool.folder if isinstance(self._spool, Disk) else None

    def keep(self) -> Path | None:
        """Has `close` leave the spool where it is, to be found by the next `sweep`; gives its first file, None where
        there is none on disk."""
        return self._spool.keep()

    def close(self) -> None:
        """Ends a recording that is under way and removes the spool; never raises."""
        self.detach()
        self._spool.close()

    @property
    def writer(self) -> Writer | None:
        """The recording under way, if any."""
        return self._recorder.writer if self._recorder is not None else None

    def attach(self, writer: Writer) -> None:
        """Records from now on. The rows held so far come first, in slices with `advance`, at the latest on `detach`;
        nothing is dropped before it was written."""
        self.detach()
        self._recorder = Recorder(self, writer)
        self.revision += 1

    def detach(self) -> None:
        """Writes what is left to be written, and the end of the recording."""
        if self._recorder is not None:
            self._recorder.finish()
            self._recorder = None
            self.revision += 1
