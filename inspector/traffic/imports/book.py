"""Writes down what an importer finds, as a recording."""

from __future__ import annotations

import heapq
import json
from array import array
from collections import Counter
from collections.abc import Generator, Iterator
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple

from inspector.base import numbers
from inspector.base.text import decode
from inspector.traffic.header import FORMAT, VERSION, line_of, session_line
from inspector.traffic.lines import C2S, ERR, HTTP, S2C, SYS, encode

_LONGEST_LINE = 64 << 20
_MOST_SESSIONS = (1 << 16) - 1
_SHOWN = 10_000
_RUN = 1 << 16
_DATES = 1e8
"""Moments above it are seconds since the epoch; below, since the session began."""


class Line(NamedTuple):
    """A line of a file, from 1. What is longer than 64 MiB is cut off, and `whole` is False."""

    number: int
    text: str
    whole: bool


def lines(source: BinaryIO) -> Iterator[Line]:
    """The lines that are not blank, without their ends."""
    number = 0
    while raw := source.readline(_LONGEST_LINE):
        number += 1
        whole = raw.endswith(b"\n") or len(raw) < _LONGEST_LINE
        while not whole and (rest := source.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        if text := decode(raw).strip("\r\n\ufeff"):
            yield Line(number, text, whole)


def entry_of(text: str) -> dict[str, Any]:
    """The object that a line holds; an empty one for anything else."""
    try:
        return members(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def moment_of(value: Any) -> float | None:
    """Seconds since the epoch from an ISO 8601 time; None for what is none."""
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def number_of(value: Any) -> float:
    """A finite number as it is; 0 for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15:
        return float(value)
    return 0.0


def text_of(value: Any) -> str:
    """A string as it is; empty for anything else."""
    return str(value) if isinstance(value, str) else ""


def members(value: Any) -> dict[str, Any]:
    """An object as it is; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def raw_of(value: Any) -> bytes:
    """A message that stands in a document, as one line of JSON, its numbers spelled as they were."""
    return numbers.dumps(value).encode("utf-8", "surrogatepass")


class _Row(NamedTuple):
    moment: float
    session: int
    channel: int
    exchange: int
    flags: int
    raw: bytes


class _Kept:
    """Rows that wait for being sorted: their bytes in a file, the rest in columns."""

    def __init__(self) -> None:
        self._moment = array("d")
        self._offset = array("Q")
        self._size = array("I")
        self._session = array("H")
        self._channel = array("B")
        self._exchange = array("I")
        self._flags = array("B")
        self._end = 0
        self._file: BinaryIO | None = None

    def add(self, row: _Row) -> None:
        if self._file is None:
            import tempfile  # late: what comes in order needs none

            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close
        self._file.write(row.raw)
        self._moment.append(row.moment)
        self._offset.append(self._end)
        self._size.append(len(row.raw))
        self._session.append(row.session)
        self._channel.append(row.channel)
        self._exchange.append(row.exchange)
        self._flags.append(row.flags)
        self._end += len(row.raw)

    def by_time(self) -> Iterator[_Row]:
        """All of them; those of the same moment in the order in which they came."""
        if self._file is None:
            return
        moments = self._moment

        def key(at: int) -> float:
            # Sums of times differ in what no clock could tell.
            return round(moments[at], 6)

        count = len(moments)
        # Run by run: the keys of all rows would be three times what is held anyway.
        runs = [
            array("I", sorted(range(first, min(first + _RUN, count)), key=key))
            for first in range(0, count, _RUN)
        ]
        for at in heapq.merge(*runs, key=key):
            self._file.seek(self._offset[at])
            raw = self._file.read(self._size[at])
            yield _Row(
                moments[at], self._session[at], self._channel[at], self._exchange[at], self._flags[at], raw
            )

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class Book:
    """Takes sessions and rows, of which moments are seconds since the epoch or since the session began. They are
    sorted by them unless they come `in_order`. `title` is a name for a server that the file does not name."""

    def __init__(self, file: BinaryIO, title: str, *, in_order: bool) -> None:
        self.title = title
        self._write = file.write
        self._in_order = in_order
        self._kept = _Kept()
        self._labels: dict[int, str] = {}
        self._facts: dict[int, dict[str, Any]] = {}
        self._told: dict[int, bytes] = {}
        self._base: float | None = None
        self._rows = 0
        self._exchange = 0
        self._unread: Counter[str] = Counter()

    def session(self, label: str, **facts: Any) -> int:
        """Begins a session and returns its number; there are 65535 at most, and the last one takes all that follow."""
        number = min(len(self._labels) + 1, _MOST_SESSIONS)
        if number not in self._labels:
            self._labels[number] = label
            self._facts[number] = {key: value for key, value in facts.items() if value not in (None, "", [])}
        return number

    def facts(self, session: int, **facts: Any) -> None:
        self._facts[session] = {**self._facts[session], **facts}
        self._told.pop(session, None)

    def frame(
        self, session: int, moment: float, raw: bytes, *, sent: bool, exchange: int = 0, flags: int = 0
    ) -> None:
        if not sent and b'"serverInfo"' in raw and b'"protocolVersion"' in raw:
            self._learn(session, raw)
        self._add(_Row(moment, session, C2S if sent else S2C, exchange, flags, raw))

    def stderr(self, session: int, moment: float, text: str) -> None:
        self._add(_Row(moment, session, ERR, 0, 0, text.encode("utf-8", "surrogatepass")))

    def note(self, session: int, moment: float, text: str) -> None:
        """A row that tells something about the others."""
        self._add(_Row(moment, session, SYS, 0, 0, text.encode("utf-8", "surrogatepass")))

    def unread(self, session: int, moment: float, place: str, value: Any) -> None:
        """A part of the file, as text or as what it was read to, that is not what it should be: it is a row too."""
        self._unread[place.split(" ")[0]] += 1
        text = value if isinstance(value, str) else numbers.beginning(value, _SHOWN)
        self.note(session, moment, f"{place} cannot be read: {text}")

    def part(self, session: int, moment: float, exchange: int, raw: bytes) -> None:
        """A part of an HTTP exchange, as `traffic.exchanges` writes it."""
        self._add(_Row(moment, session, HTTP, exchange, 0, raw))

    def new_exchange(self) -> int:
        self._exchange += 1
        return self._exchange

    def close(self) -> Generator[None, None, list[str]]:
        """Writes what is left, and returns what a person should know."""
        for row in self._kept.by_time():
            self._put(row)
            yield
        if self._base is None:
            self._begin(0.0)
        self._write(line_of({"end": {"rows": self._rows}}))
        return [
            f"{count} {what}{'' if count == 1 else 's'} could not be read: look for `cannot be read` in the log"
            for what, count in self._unread.items()
        ]

    def forget(self) -> None:
        """Gives back what was held until it could be sorted."""
        self._kept.close()

    def _add(self, row: _Row) -> None:
        if self._in_order:
            self._put(row)
        else:
            self._kept.add(row)

    def _begin(self, moment: float) -> None:
        self._base = moment if moment > _DATES else 0.0
        about = {"format": FORMAT, "version": VERSION, "base": self._base, "redaction": {"applied": False}}
        self._write(line_of(about))

    def _put(self, row: _Row) -> None:
        if self._base is None:
            self._begin(row.moment)
        t = row.moment - (self._base or 0.0)
        if row.session and row.session not in self._told:
            about = session_line(row.session, t, self._labels[row.session], self._facts[row.session])
            self._told[row.session] = about
            self._write(about)
        line, _ = encode(row.raw, t, self._rows, row.session, row.channel, row.exchange, row.flags)
        self._write(line)
        self._rows += 1

    def _learn(self, session: int, raw: bytes) -> None:
        try:
            result = members(members(json.loads(raw)).get("result"))
        except (ValueError, RecursionError):
            return
        known = {"protocolVersion": result.get("protocolVersion"), "serverInfo": result.get("serverInfo")}
        self.facts(session, **{key: value for key, value in known.items() if value is not None})
