"""What is exported: some rows of a recording, behind redaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from inspector.base.jsontext import indented
from inspector.base.secrets import Secrets
from inspector.base.text import decode
from inspector.traffic.correlate import message_of
from inspector.traffic.exchanges import Exchange
from inspector.traffic.lines import HTTP, SYS, is_strict_line
from inspector.traffic.redact import Redaction
from inspector.traffic.rows import Row, part_summary, summary, text_of
from inspector.traffic.store import Traffic

_NOTHING_KNOWN = Secrets()
_PRETTY = 4 << 20
"""Frames over this many bytes are shown as they are."""
_RECENT = 4


@dataclass(frozen=True, slots=True)
class Source:
    """`rows` are the numbers of the frames that were asked for, ascending; `whole` tells that nothing was left out on
    purpose. `redaction` is None where secrets are to stay."""

    traffic: Traffic
    rows: Sequence[int]
    whole: bool = True
    redaction: Redaction | None = None
    _recent: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def raw(self, number: int) -> bytes:
        """The bytes of a row without its secrets."""
        return self._raws(number)[1]

    def _raws(self, number: int) -> tuple[bytes, bytes]:
        """The bytes of a row, and the same without its secrets; one entry asks for the same rows several times."""
        found = self._recent.get(number)
        if found is None:
            raw = self.traffic.raw(number)
            found = raw, self.redacted(number, raw)
            if len(self._recent) == _RECENT:
                self._recent.clear()
            if len(raw) <= _PRETTY:
                self._recent[number] = found
        return found

    def redacted(self, number: int, raw: bytes) -> bytes:
        """The same for bytes at hand; the very same object where nothing was changed."""
        if self.redaction is None:
            return raw
        return self.redaction.row(self.traffic.columns.channel[number - self.traffic.first], raw)

    def row(self, number: int) -> Row:
        """A row with a summary that holds no secret; foreign and unescaped."""
        row = self.traffic.row(number)
        if self.redaction is None:
            return row
        raw, redacted = self._raws(number)
        if redacted is not raw:
            row = replace(row, summary=_summary(row, redacted))
        told, note = self.mask(row.summary), self.note(number)
        return row if (told, note) == (row.summary, row.note) else replace(row, summary=told, note=note)

    def note(self, number: int) -> str:
        """The note on a row without secrets; empty where there is none."""
        text = self.traffic.remarks.get(number, "")
        if self.redaction is None or not text:
            return text
        return decode(self.redaction.row(SYS, text.encode("utf-8", "replace")))

    def mask(self, text: str) -> str:
        return text if self.redaction is None else _NOTHING_KNOWN.mask_message(text)

    def pretty(self, number: int) -> str:
        """The frame as indented JSON, or as it is where it is none; foreign and unescaped."""
        raw = self.raw(number)
        return indented(raw.decode()) if len(raw) <= _PRETTY and is_strict_line(raw) else decode(raw)

    def facts(self, session: int) -> dict[str, Any]:
        """What is known about a session: transport, command or url, protocolVersion, serverInfo."""
        found = self.traffic.sessions.get(session)
        if found is None:
            return {}
        return dict(found.facts) if self.redaction is None else self.redaction.facts(found.facts)

    def exchanges(self) -> Iterator[tuple[int, Exchange, list[int]]]:
        """The HTTP exchanges that a chosen row belongs to, each with its session and all of its rows, in the order of
        their numbers."""
        columns, first = self.traffic.columns, self.traffic.first
        wanted = {self._exchange_of(number - first) for number in self.rows} - {0}
        places = [
            at for at, number in enumerate(columns.exchange) if number and self._exchange_of(at) in wanted
        ]
        places.sort(key=self._exchange_of)
        for key, group in groupby(places, self._exchange_of):
            exchange, rows = Exchange(key & 0xFFFFFFFF), [at + first for at in group]
            for at in (number - first for number in rows):
                if columns.channel[at] == HTTP:
                    exchange.add(columns.time[at], self.raw(at + first))
                else:
                    exchange.frames.append(at + first)
            yield key >> 32, exchange, rows

    def _exchange_of(self, at: int) -> int:
        """The exchange of the row at a position, among all sessions; 0 for none."""
        columns = self.traffic.columns
        number = columns.exchange[at]
        return columns.session[at] << 32 | number if number else 0

    def with_company(self) -> Iterator[int]:
        """The chosen rows with their answers or requests and all parts of their HTTP exchanges, or all rows there
        are, in their order."""
        traffic = self.traffic
        if self.whole:
            yield from range(traffic.first, traffic.end)
            return
        columns, first = traffic.columns, traffic.first
        chosen = {number - first for number in self.rows}
        chosen |= {columns.peer[at] - 1 - first for at in chosen if columns.peer[at] > first}
        wanted = {self._exchange_of(at) for at in chosen} - {0}
        for at in range(len(traffic)):
            if at in chosen or (columns.channel[at] == HTTP and self._exchange_of(at) in wanted):
                yield at + first


def named(row: Row) -> str | None:
    """The tool or prompt that a request names itself; progress has that of its request."""
    return row.target if row.method in ("tools/call", "prompts/get") else None


def _summary(row: Row, raw: bytes) -> str:
    if row.channel in ("c2s", "s2c"):
        return summary(message_of(raw), raw)
    return part_summary(raw, row.status) if row.channel == "http" else text_of(raw)
