"""What differs between two JSON values: a list of changes with where, what was, what is.

Lists are aligned by their longest common subsequence, so that one item more in front is one change. A text that holds
JSON on both sides is compared as JSON. Work is bounded: where two lists have little in common they are aligned
coarsely, which gives more changes than there might be, but never a wrong one.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.jsonptr import escape

Op = Literal["add", "remove", "replace", "spelling"]


class Inside:
    """The step of a path from a text to the JSON that it holds."""

    def __repr__(self) -> str:
        return "INSIDE"


INSIDE = Inside()
Step = str | int | Inside

_DEEPEST = 150
_TURNS = 400
"""Insertions and removals that an exact alignment may need; beyond it the coarse one does."""
_EFFORT = 3_000_000
_NAMES = ("id", "name", "uri", "key")
"""Members that tell one item of a list from another."""


class Stopped(Exception):
    """Nobody waits for the outcome any more."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. In a list `remove` counts in the old one; `add`, `replace` and all steps on the way count in the
    new one. `spelling` is a text that holds the same JSON written in another way."""

    path: tuple[Step, ...]
    op: Op
    old: Any = None
    new: Any = None

    @property
    def pointer(self) -> str:
        """JSON Pointer; behind an arrow what is inside of a text. Foreign and unescaped."""
        return "".join(" → " if isinstance(step, Inside) else f"/{escape(step)}" for step in self.path)


def diff(old: Any, new: Any, stopped: Callable[[], bool] = lambda: False) -> list[Change]:
    """The changes that make `new` of `old`, in the order of the document; none where they are the same.

    1, 1.0, true and "1" are four things; the order of members is nothing. Raises Stopped soon after `stopped` says so.
    """
    return list(_Differ(stopped).values(old, new, ()))


class _Differ:
    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        self._count = 0

    def values(self, old: Any, new: Any, path: tuple[Step, ...]) -> Iterator[Change]:
        self._count += 1
        if not self._count % 256 and self._stopped():
            raise Stopped
        if isinstance(old, dict) and isinstance(new, dict) and len(path) < _DEEPEST:
            yield from self._members(old, new, path)
        elif isinstance(old, list) and isinstance(new, list) and len(path) < _DEEPEST:
            yield from self._items(old, new, path)
        elif isinstance(old, str) and isinstance(new, str):
            yield from self._texts(old, new, path)
        elif not numbers.same(old, new):
            yield Change(path, "replace", old, new)

    def _members(self, old: dict[str, Any], new: dict[str, Any], path: tuple[Step, ...]) -> Iterator[Change]:
        for key, value in old.items():
            if key in new:
                yield from self.values(value, new[key], (*path, key))
            else:
                yield Change((*path, key), "remove", value)
        for key, value in new.items():
            if key not in old:
                yield Change((*path, key), "add", None, value)

    def _items(self, old: list[Any], new: list[Any], path: tuple[Step, ...]) -> Iterator[Change]:
        at, to = 0, 0
        left, right = [_key(item) for item in old], [_key(item) for item in new]
        ends = (len(old), len(new), 0)
        for first, second, count in [*align(left, right, self._stopped), ends]:
            yield from self._run(old, new, (at, first), (to, second), path)
            at, to = first + count, second + count

    def _run(
        self,
        old: list[Any],
        new: list[Any],
        gone: tuple[int, int],
        come: tuple[int, int],
        path: tuple[Step, ...],
    ) -> Iterator[Change]:
        """Items that have no equal: those that are the same thing changed are compared, the others come and go."""
        at, to = gone[0], come[0]
        for first, second in [*_pairs(old, new, gone, come), (gone[1], come[1])]:
            yield from (Change((*path, number), "remove", old[number]) for number in range(at, first))
            yield from (Change((*path, number), "add", None, new[number]) for number in range(to, second))
            if first < gone[1] and second < come[1]:
                yield from self.values(old[first], new[second], (*path, second))
            at, to = first + 1, second + 1

    def _texts(self, old: str, new: str, path: tuple[Step, ...]) -> Iterator[Change]:
        if old == new:
            return
        inner, other = numbers.held_in(old), numbers.held_in(new)
        if inner is None or other is None or len(path) >= _DEEPEST:
            yield Change(path, "replace", old, new)
            return
        any_ = False
        for change in self.values(inner, other, (*path, INSIDE)):
            any_ = True
            yield change
        if not any_:
            yield Change(path, "spelling", old, new)


def _key(item: Any) -> Hashable:
    """Equal for items that are the same, and for no others."""
    if item is None or isinstance(item, bool | int | str):
        return type(item), item
    try:
        return json.dumps(item, sort_keys=True)
    except (ValueError, RecursionError):
        return id(item)


def _pairs(
    old: list[Any], new: list[Any], gone: tuple[int, int], come: tuple[int, int]
) -> list[tuple[int, int]]:
    """Which unequal items are the same thing: by a member that names them, otherwise in their order."""
    left, right = old[slice(*gone)], new[slice(*come)]
    for name in _NAMES:
        names, others = _named(left, name), _named(right, name)
        if names is not None and others is not None:
            return [
                (gone[0] + first + step, come[0] + second + step)
                for first, second, count in align(names, others)
                for step in range(count)
            ]
    return [(gone[0] + step, come[0] + step) for step in range(min(len(left), len(right)))]


def _named(items: list[Any], name: str) -> list[Hashable] | None:
    """What names each item; None where that does not tell them apart."""
    if not all(isinstance(item, dict) and isinstance(item.get(name), str | int) for item in items):
        return None
    names = [_key(item[name]) for item in items]
    return names if names and len(set(names)) == len(names) else None


# Aligning


def align(
    old: Sequence[Hashable], new: Sequence[Hashable], stopped: Callable[[], bool] = lambda: False
) -> list[tuple[int, int, int]]:
    """Where both have the same in the same order, as (index, index, count), ascending. The longest such alignment
    where that is cheap to find, a good one otherwise."""
    blocks: list[tuple[int, int, int]] = []
    for first, second, count in _align(old, new, 0, len(old), 0, len(new), stopped, anchored=False):
        if blocks and blocks[-1][0] + blocks[-1][2] == first and blocks[-1][1] + blocks[-1][2] == second:
            blocks[-1] = (blocks[-1][0], blocks[-1][1], blocks[-1][2] + count)
        else:
            blocks.append((first, second, count))
    return blocks


def _align(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    low: int,
    high: int,
    left: int,
    right: int,
    stopped: Callable[[], bool],
    *,
    anchored: bool,
) -> Iterator[tuple[int, int, int]]:
    if stopped():
        raise Stopped
    start = 0
    while low + start < high and left + start < right and old[low + start] == new[left + start]:
        start += 1
    if start:
        yield low, left, start
    low, left = low + start, left + start
    end = 0
    while high - end > low and right - end > left and old[high - end - 1] == new[right - end - 1]:
        end += 1
    high, right = high - end, right - end
    if low < high and left < right:
        exact = _exact(old[low:high], new[left:right], stopped)
        if exact is not None:
            yield from ((low + first, left + second, 1) for first, second in exact)
        elif not anchored:
            yield from _by_anchors(old, new, low, high, left, right, stopped)
    if end:
        yield high, right, end


def _exact(
    old: Sequence[Hashable], new: Sequence[Hashable], stopped: Callable[[], bool]
) -> list[tuple[int, int]] | None:
    """The longest common subsequence by Myers' greedy way; None where that would take too long."""
    wide, tall = len(old), len(new)
    if abs(wide - tall) > _TURNS or not set(old) & set(new):
        return [] if not set(old) & set(new) else None
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    effort = 0
    for turns in range(min(wide + tall, _TURNS) + 1):
        if effort > _EFFORT:
            return None
        if not turns % 32 and stopped():
            raise Stopped
        trail.append(furthest.copy())
        for line in range(-turns, turns + 1, 2):
            down = line == -turns or (line != turns and furthest[line - 1] < furthest[line + 1])
            x = furthest[line + 1] if down else furthest[line - 1] + 1
            y = x - line
            while x < wide and y < tall and old[x] == new[y]:
                x, y, effort = x + 1, y + 1, effort + 1
            furthest[line] = x
            if x >= wide and y >= tall:
                return _walk_back(trail, wide, tall)
        effort += turns
    return None


def _walk_back(trail: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for turns in range(len(trail) - 1, -1, -1):
        furthest, line = trail[turns], x - y
        down = line == -turns or (line != turns and furthest[line - 1] < furthest[line + 1])
        before = line + 1 if down else line - 1
        px = furthest.get(before, 0)
        py = px - before
        while x > max(px, 0) and y > max(py, 0) and (turns == 0 or (x, y) != (px + (not down), py + down)):
            x, y = x - 1, y - 1
            found.append((x, y))
        x, y = px, py
    return found[::-1]


def _by_anchors(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    low: int,
    high: int,
    left: int,
    right: int,
    stopped: Callable[[], bool],
) -> Iterator[tuple[int, int, int]]:
    """Items that stand once on each side hold both together; what is between them is aligned by itself."""
    ours, theirs = _once(old, low, high), _once(new, left, right)
    pairs = [(at, theirs[item]) for item, at in ours.items() if item in theirs]
    at, to = low, left
    for first, second in [*_rising(pairs), (high, right)]:
        yield from _align(old, new, at, first, to, second, stopped, anchored=True)
        if first < high and second < right:
            yield first, second, 1
        at, to = first + 1, second + 1


def _once(items: Sequence[Hashable], first: int, last: int) -> dict[Hashable, int]:
    places: dict[Hashable, int] = {}
    again: set[Hashable] = set()
    for at in range(first, last):
        if items[at] in places:
            again.add(items[at])
        places[items[at]] = at
    return {item: at for item, at in places.items() if item not in again}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of the pairs, which ascend in their first number, that ascends in the second too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(tails, second)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(second)
            ends.append(number)
        else:
            tails[place], ends[place] = second, number
    rising: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        rising.append(pairs[number])
        number = before[number]
    return rising[::-1]


# Applying


def apply(old: Any, changes: Sequence[Change]) -> Any:
    """What comes of `old` by the changes of a `diff`. Inside of a text the JSON is the same, its spelling is not."""
    return _apply(old, [(change.path, change) for change in changes])


def _apply(old: Any, changes: list[tuple[tuple[Step, ...], Change]]) -> Any:
    if not changes:
        return old
    if any(not path for path, _ in changes):
        return changes[-1][1].new
    if isinstance(changes[0][0][0], Inside):
        return numbers.dumps(_apply(numbers.spelled(old), [(path[1:], change) for path, change in changes]))
    below: dict[Any, list[tuple[tuple[Step, ...], Change]]] = {}
    gone: set[Any] = set()
    come: dict[Any, Any] = {}
    for path, change in changes:
        if len(path) == 1 and change.op == "remove":
            gone.add(path[0])
        elif len(path) == 1 and change.op == "add":
            come[path[0]] = change.new
        else:
            below.setdefault(path[0], []).append((path[1:], change))
    if isinstance(old, dict):
        kept = {key: _apply(value, below.get(key, [])) for key, value in old.items() if key not in gone}
        return {**kept, **come}
    left = iter([item for number, item in enumerate(old) if number not in gone])
    size = len(old) - len(gone) + len(come)
    return [
        come[number] if number in come else _apply(next(left), below.get(number, []))
        for number in range(size)
    ]
