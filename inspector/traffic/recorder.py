"""Follows traffic with a recording: first what is held already, then every row as it comes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspector.traffic.lines import LOST, TRUNCATED
from inspector.traffic.writer import Writer

if TYPE_CHECKING:
    from inspector.traffic.store import Traffic

_SLICE = 512


class Recorder:
    """`next` is the first row that is not written yet."""

    def __init__(self, traffic: Traffic, writer: Writer) -> None:
        self.writer = writer
        self.next = traffic.first
        self._traffic = traffic
        self._about: dict[int, tuple[bytes, bytes]] = {}
        writer.begin(traffic.base_time)
        for number, text in traffic.remarks.items():
            writer.remark(number, text)

    def take(self, first: int, raws: Sequence[bytes]) -> None:
        """Rows that were just appended: written at once, unless older ones are still to come."""
        if self.next == first:
            self._write_batch(first, raws)
            self.next = first + len(raws)

    def catch_up(self, deadline: float) -> bool:
        """Writes older rows until `time.monotonic()` passes `deadline`; True while there are more."""
        traffic = self._traffic
        while self.next < traffic.end and self.writer.failure is None:
            if time.monotonic() > deadline:
                return True
            self.write(min(self.next + _SLICE, traffic.end))
        return False

    def write(self, stop: int) -> None:
        """Writes all rows before `stop`, those that came in one piece together."""
        batch: list[bytes] = []
        first = self.next
        for number, raw in enumerate(self._traffic.raws(self.next, stop), self.next):
            if batch and self._piece(number) != self._piece(first):
                self._write_batch(first, batch)
                batch, first = [], number
            batch.append(raw)
        if batch:
            self._write_batch(first, batch)
        self.next = max(self.next, stop)

    def finish(self) -> None:
        """Writes what is left, what is known about the sessions, and the end."""
        self.catch_up(float("inf"))
        for number in self._traffic.sessions:
            self.writer.say(number, self._session_line(number))
        self.writer.close()

    def _piece(self, number: int) -> tuple[float, int, int, int, int]:
        columns, at = self._traffic.columns, number - self._traffic.first
        flags = columns.flags[at] & (TRUNCATED | LOST)
        return columns.time[at], columns.session[at], columns.channel[at], columns.exchange[at], flags

    def _write_batch(self, first: int, raws: Sequence[bytes]) -> None:
        t, session, channel, exchange, flags = self._piece(first)
        at = first - self._traffic.first
        sizes = self._traffic.columns.size[at : at + len(raws)]
        self.writer.write(
            raws, first, t, session, channel, exchange, flags, sizes, self._session_line(session)
        )

    def _session_line(self, number: int) -> bytes:
        session = self._traffic.sessions.get(number)
        if session is None:
            return b""
        known = self._about.get(number)
        if known is None or known[0] is not session.line:
            now = time.time() - self._traffic.base_time
            known = self._about[number] = (
                session.line,
                self.writer.session(number, now, session.label, session.facts),
            )
        return known[1]
