"""What a filter is made of: each term sieves positions of rows, by columns where it can and by bytes where it must."""

from __future__ import annotations

import json
import operator
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import compress
from typing import Protocol

from inspector.traffic.correlate import id_number
from inspector.traffic.index import ERROR, EXCHANGE, RESPONSE, UNLISTED
from inspector.traffic.judged import Verdict
from inspector.traffic.patterns import Pattern
from inspector.traffic.store import Traffic

Positions = Sequence[int]


class Term(Protocol):
    cost: float

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        """Those of the positions, in order, whose rows fit."""
        ...


class Table(dict[int, bool]):
    """For each value that a column holds, whether it fits; found out when it first comes up."""

    def __init__(self, fits: Callable[[int], bool]) -> None:
        super().__init__()
        self._fits = fits

    def __missing__(self, value: int) -> bool:
        self[value] = fits = self._fits(value)
        return fits


def _fitting(column: array[int], fits: Callable[[int], object], positions: Positions) -> Positions:
    if isinstance(positions, range):
        values: Iterable[int] = column[positions.start : positions.stop]
    else:
        values = map(column.__getitem__, positions)
    mask = list(map(fits, values))
    return positions if all(mask) else list(compress(positions, mask))


@dataclass(slots=True)
class Among:
    """A small column has one of some values."""

    column: str
    values: frozenset[int]
    cost: float = 1

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        return _fitting(getattr(traffic.columns, self.column), self.values.__contains__, positions)


@dataclass(slots=True)
class Noted:
    """There is a note that fits."""

    fits: Callable[[str | None], bool]
    cost: float = 0

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        noted = {row - traffic.first for row, text in traffic.remarks.items() if self.fits(text)}
        return [at for at in positions if at in noted] if noted else []


@dataclass(slots=True)
class Wrong:
    """Something was found wrong with it that fits."""

    fits: Callable[[Verdict], bool]
    cost: float = 2

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        if not traffic.judged:
            return []
        fits, first = traffic.judged.fitting(self.fits), traffic.first
        return [at for at in positions if fits(at + first)]


@dataclass(slots=True)
class Named:
    """A column of names fits."""

    column: str
    fits: Callable[[str | None], bool]
    cost: float = 1

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        names = traffic.columns.names
        table = Table(lambda value: value == UNLISTED or self.fits(names.name(value)))
        found = _fitting(getattr(traffic.columns, self.column), table.__getitem__, positions)
        if not table.get(UNLISTED):
            return found
        column = getattr(traffic.columns, self.column)
        return [at for at in found if column[at] != UNLISTED or self._fits_row(traffic, at)]

    def _fits_row(self, traffic: Traffic, position: int) -> bool:
        row = traffic.row(position + traffic.first)
        return self.fits(row.method if self.column == "method" else row.target)


@dataclass(slots=True)
class Server:
    fits: Callable[[str | None], bool]
    cost: float = 1

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        table = Table(lambda session: self.fits(traffic.label(session)))
        return _fitting(traffic.columns.session, table.__getitem__, positions)


def fitting(values: Iterable[str]) -> Callable[[str | None], bool]:
    """Whether a name holds one of some values, or is as one with a * says; whatever its case."""
    patterns = [value.lower() for value in values]

    def fits(name: str | None) -> bool:
        lower = (name or "").lower()
        return bool(lower) and any(
            fnmatchcase(lower, pattern) if "*" in pattern else pattern in lower for pattern in patterns
        )

    return fits


@dataclass(slots=True)
class Status:
    """The status of HTTP exchanges; `ranges` are inclusive."""

    ranges: tuple[tuple[int, int], ...]
    cost: float = 2

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        exchanges = _fitting(traffic.columns.kind, EXCHANGE.__eq__, positions)
        table = Table(lambda status: any(low <= status <= high for low, high in self.ranges))
        return _fitting(traffic.columns.id, table.__getitem__, exchanges)


@dataclass(slots=True)
class Flagged:
    bits: int
    cost: float = 1

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        return _fitting(traffic.columns.flags, self.bits.__and__, positions)


@dataclass(slots=True)
class Identified:
    """By the number of the id first, then by the id itself."""

    ids: tuple[str | int, ...]
    cost: float = 2

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        numbers = frozenset(map(id_number, self.ids))
        found = _fitting(traffic.columns.id, numbers.__contains__, positions)
        return [at for at in found if traffic.columns.kind[at] != EXCHANGE and self._has_id(traffic, at)]

    def _has_id(self, traffic: Traffic, position: int) -> bool:
        id_ = traffic.row(position + traffic.first).id
        return type(id_) in (str, int) and id_ in self.ids


_COMPARISONS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


@dataclass(slots=True)
class Compared:
    """The size in bytes, or the time that an answer took in seconds, against a number."""

    name: str
    sign: str
    number: float
    cost: float = 3

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        fits, number = _COMPARISONS[self.sign], self.number
        if self.name == "size":
            size = traffic.columns.size
            return [at for at in positions if fits(size[at], number)]
        columns = traffic.columns
        kinds = frozenset({RESPONSE, ERROR, EXCHANGE})
        answers = _fitting(columns.kind, kinds.__contains__, positions)
        time, peer, first = columns.time, columns.peer, traffic.first + 1
        return [
            at for at in answers if peer[at] >= first and fits(abs(time[at] - time[peer[at] - first]), number)
        ]


@dataclass(slots=True)
class Text:
    """Text in the raw bytes, in UTF-8 or as JSON escapes it."""

    text: str
    ignore_case: bool
    cost: float = 8
    needles: frozenset[bytes] = frozenset()

    def __post_init__(self) -> None:
        spellings = {self.text, json.dumps(self.text)[1:-1], json.dumps(self.text, ensure_ascii=False)[1:-1]}
        raws = {spelling.encode("utf-8", "surrogatepass") for spelling in spellings}
        # Long text is rare text: it leaves less for the terms behind it.
        self.cost -= min(len(self.text), 99) / 100
        self.needles = frozenset(raw.lower() if self.ignore_case else raw for raw in raws)

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        if not positions:
            return []
        first, begin, end = traffic.first, positions[0], positions[-1] + 1
        if len(positions) * 4 < end - begin:
            return [at for at in positions if self._in(traffic.raw(at + first))]
        found: list[int] = []
        for needle in self.needles:
            found += traffic.containing(needle, self.ignore_case, begin + first, end + first)
        if len(self.needles) > 1:
            found = sorted(set(found))
        if first:
            found = [row - first for row in found]
        if not found or isinstance(positions, range):
            return found
        wanted = set(positions)
        return [at for at in found if at in wanted]

    def _in(self, raw: bytes) -> bool:
        if self.ignore_case:
            raw = raw.lower()
        return any(needle in raw for needle in self.needles)


@dataclass(slots=True)
class Expression:
    pattern: Pattern
    cost: float = 9

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        if not positions:
            return []
        first, begin, end = traffic.first, positions[0], positions[-1] + 1
        found_in = self.pattern.found_in
        if len(positions) * 4 < end - begin:
            return [at for at in positions if found_in(traffic.raw(at + first))]
        wanted = set(positions)
        raws = enumerate(traffic.raws(begin + first, end + first), begin)
        return [at for at, raw in raws if at in wanted and found_in(raw)]


@dataclass(slots=True)
class Not:
    term: Term
    cost: float = 0

    def __post_init__(self) -> None:
        self.cost = self.term.cost

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        out = set(self.term.sieve(traffic, positions))
        if not out:
            return positions
        return [at for at in positions if at not in out]


@dataclass(slots=True)
class AllOf:
    terms: list[Term]
    cost: float = 0

    def __post_init__(self) -> None:
        self.terms.sort(key=lambda term: term.cost)
        self.cost = max((term.cost for term in self.terms), default=0)

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        for term in self.terms:
            positions = term.sieve(traffic, positions)
        return positions


@dataclass(slots=True)
class AnyOf:
    terms: Sequence[Term]
    cost: float = 5

    def sieve(self, traffic: Traffic, positions: Positions) -> Positions:
        found: set[int] = set()
        for term in self.terms:
            found.update(term.sieve(traffic, positions))
        return sorted(found)
