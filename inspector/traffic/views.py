"""A filtered list of rows: an array of row numbers that grows in slices, as far as traffic has been described."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence

from inspector.traffic.query import Query, compile
from inspector.traffic.store import Traffic

_SMALLEST, _LARGEST = 64, 1 << 16


class View:
    """The rows of `traffic` that a query finds; without one what lists show by default.

    Nothing is found before `extend` is called, on every tick of a list or once for all. A query for states (see
    `Query.volatile`) holds what was true when a row was looked at: `restart` and extend again, at a pace that suits.
    """

    def __init__(self, traffic: Traffic, query: Query | None = None, *, folded: bool = False) -> None:
        """`folded`: exchanges of which the query finds any row, each by the row that began it."""
        self.traffic = traffic
        self.folded = folded
        self._all = query is None
        self.query = query if query is not None else compile()
        self.rows = array("I")
        self._next = traffic.first
        self._step = 1024

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> int:
        """The number of the row at a place of the list."""
        return self.rows[place]

    @property
    def looked_at(self) -> float:
        """The share of the rows that were looked at, from 0 to 1."""
        rows = self.traffic.end - self.traffic.first
        return (max(self._next, self.traffic.first) - self.traffic.first) / rows if rows else 1.0

    def place_of(self, number: int) -> int:
        """The place of a row in the list, or where it would be."""
        return bisect_left(self.rows, number)

    def listed_for(self, number: int) -> int:
        """The row that stands for a row in this list."""
        return self.traffic.folding.head(number) if self.folded else number

    def restart(self) -> None:
        """Forgets what was found."""
        self.rows = array("I")
        self._next = self.traffic.first

    def extend(self, seconds: float | None = None) -> bool:
        """Looks at rows that it has not seen yet, for about `seconds` (None: all). True while there are more.

        Rows that the traffic has dropped leave the list here.
        """
        traffic = self.traffic
        if self.rows and self.rows[0] < traffic.first:
            del self.rows[: bisect_left(self.rows, traffic.first)]
        self._next = max(self._next, traffic.first)
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        now = time.monotonic()
        while self._next < traffic.described and now < deadline:
            stop = min(self._next + self._step, traffic.described)
            found = self.query.select(traffic, self._next, stop)
            self.rows.extend(self._heads(found) if self.folded else found)
            self._next = stop
            begun, now = now, time.monotonic()
            # Slices of about 5 ms: one row can be as costly to search as ten thousand others.
            if now - begun < 0.0025:
                self._step = min(self._step * 2, _LARGEST)
            elif now - begun > 0.01:
                self._step = max(self._step // 2, _SMALLEST)
        return self._next < traffic.described

    def _heads(self, found: Sequence[int]) -> list[int]:
        """Those that begin exchanges which are not listed yet. One that lies before the last of the list, because what
        was found of it came later, is put in there."""
        heads: list[int] = []
        head_of, rows, first = self.traffic.folding.head, self.rows, self.traffic.first
        last, peers = rows[-1] if rows else -1, self.traffic.columns.peer
        for number in found:
            if self._all and first < peers[number - first] <= number:
                # It belongs to a row that is listed, and most do.
                continue
            head = head_of(number)
            if head > last:
                heads.append(head)
                last = head
            elif not self._all and head >= first:
                here: array[int] | list[int] = heads if heads and head >= heads[0] else rows
                place = bisect_left(here, head)
                if place == len(here) or here[place] != head:
                    here.insert(place, head)
        return heads
