"""What was found wrong with rows: kept beside the traffic, never in it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from typing import Protocol


class Verdict(Protocol):
    """What is known of a row: the `rule` that it breaks, and how bad that is."""

    @property
    def rule(self) -> str: ...

    @property
    def level(self) -> str: ...


def _rank(verdict: Verdict) -> int:
    return _WORST_FIRST.index(verdict.level) if verdict.level in _WORST_FIRST else len(_WORST_FIRST)


_WORST_FIRST = ("error", "warning", "info")


class Judged:
    """Verdicts by row: four bytes a row, however many there are, since rows with the same verdicts share them. Those
    of rules that are `muted` are left out of what is told."""

    def __init__(self) -> None:
        self.muted: frozenset[str] = frozenset()
        self._first = 0
        self._kinds = array("I")
        self._held: list[tuple[Verdict, ...]] = [()]
        self._grown: dict[tuple[int, int], int] = {}
        self._any = False

    def __bool__(self) -> bool:
        """Whether there was ever a verdict."""
        return self._any

    def add(self, row: int, verdict: Verdict) -> None:
        """Once for each row and verdict; a row that went before it was judged is passed over."""
        at = row - self._first
        if at < 0:
            return
        if (missing := at + 1 - len(self._kinds)) > 0:
            self._kinds.frombytes(bytes(missing * self._kinds.itemsize))
        before = self._kinds[at]
        key = before, id(verdict)
        kind = self._grown.get(key)
        if kind is None:
            held = self._held[before]
            if any(each is verdict for each in held):
                kind = before
            else:
                kind = len(self._held)
                self._held.append(tuple(sorted((*held, verdict), key=_rank)))
            self._grown[key] = kind
        self._kinds[at] = kind
        self._any = True

    def at(self, *rows: int) -> tuple[Verdict, ...]:
        """What was found at any of them, the worst first."""
        found = {id(each): each for row in rows for each in self._held[self._kind(row)]}
        told = [each for each in found.values() if each.rule not in self.muted]
        return tuple(sorted(told, key=_rank) if len(rows) > 1 else told)

    def key(self, row: int) -> Hashable:
        """Another one whenever `at` gives something else."""
        kind = self._kind(row)
        return (kind, self.muted) if kind else 0

    def fitting(self, fits: Callable[[Verdict], bool]) -> Callable[[int], bool]:
        """Whether any verdict of a row fits, by the number of the row."""
        fitting = [any(fits(each) for each in held if each.rule not in self.muted) for held in self._held]
        return lambda row: fitting[self._kind(row)]

    def rules(self) -> dict[str, str]:
        """Those that were broken, with the level of the first verdict."""
        told: dict[str, str] = {}
        for held in self._held:
            for each in held:
                if each.rule not in self.muted:
                    told.setdefault(each.rule, each.level)
        return told

    def drop(self, first: int) -> None:
        """Rows before `first` are gone."""
        if first > self._first:
            del self._kinds[: first - self._first]
            self._first = first

    def _kind(self, row: int) -> int:
        at = row - self._first
        return self._kinds[at] if 0 <= at < len(self._kinds) else 0
