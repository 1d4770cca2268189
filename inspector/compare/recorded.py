"""What the servers of a recording listed, and how they answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base import numbers
from inspector.base.jsondiff import Change
from inspector.base.text import decode
from inspector.protocol.listing import LISTS, ListKind
from inspector.replay.ignoring import Ignoring
from inspector.replay.plan import Plan, Step
from inspector.traffic.store import Traffic

_KIND: Mapping[str, ListKind] = {catalogued.method: kind for kind, catalogued in LISTS.items()}
_SLOWER, _LEAST = 2.0, 0.05
"""A call is slower where its median is this many times the one of before, and grew by more than so many seconds."""


Found = dict[str, dict[ListKind, list[Any]]]


def listings(traffic: Traffic, rows: Iterable[int] | None = None, found: Found | None = None) -> Found:
    """The latest list of each kind by the label of its server, all pages that were asked for. A long traffic can be
    looked through bit by bit: then `rows` are the next ones, and `found` is what was found before, which gets more."""
    found = {} if found is None else found
    for number in range(traffic.first, traffic.end) if rows is None else rows:
        row = traffic.row(number)
        kind = _KIND.get(row.method or "")
        if kind is None or row.kind != "response" or row.channel != "s2c" or row.peer is None:
            continue
        result, asked = _member(traffic, number, "result"), _member(traffic, row.peer, "params")
        entries = result.get(LISTS[kind].member) if isinstance(result, dict) else None
        if not isinstance(entries, list):
            continue
        lists = found.setdefault(row.server, {})
        later = isinstance(asked, dict) and asked.get("cursor") is not None
        lists[kind] = [*(lists.get(kind, []) if later else []), *entries]
    return found


def _member(traffic: Traffic, number: int, name: str) -> Any:
    try:
        value = numbers.spelled(decode(traffic.raw(number)).removeprefix("\ufeff"))
    except (ValueError, IndexError):
        return None
    return value.get(name) if isinstance(value, dict) else None


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one kind of call: how many, how many failed, the median in seconds."""

    calls: int
    errors: int
    p50: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One tool, prompt or method in both recordings. `changes` are those of the first pair of equal requests that were
    answered differently; `different` counts the pairs."""

    server: str
    name: str
    old: Figures
    new: Figures
    different: int
    changes: Sequence[Change]
    pair: tuple[Step, Step] | None = None
    """The first pair that was answered differently."""

    @property
    def worse(self) -> bool:
        """More of its calls failed."""
        return self.new.errors * max(1, self.old.calls) > self.old.errors * max(1, self.new.calls)

    @property
    def slower(self) -> bool:
        old, new = self.old.p50, self.new.p50
        return old is not None and new is not None and new > _SLOWER * old and new - old > _LEAST


def calls(server: str, old: Plan, new: Plan, ignoring: Ignoring) -> list[Compared]:
    """Every kind of request that both hold, in the order of the old one."""
    before, after = _by_title(old), _by_title(new)
    found = []
    for title, steps in before.items():
        if title not in after:
            continue
        different, changes, pair = _differences(steps, after[title], ignoring)
        figures = _figures(steps), _figures(after[title])
        found.append(Compared(server, title, *figures, different, changes, pair))
    return found


def _by_title(plan: Plan) -> dict[str, list[Step]]:
    found: dict[str, list[Step]] = {}
    for step in plan.steps:
        if step.answer is not None:
            found.setdefault(step.title, []).append(step)
    return found


def _differences(
    old: Sequence[Step], new: Sequence[Step], ignoring: Ignoring
) -> tuple[int, list[Change], tuple[Step, Step] | None]:
    """Pairs equal requests in their order."""
    left = list(new)
    different, first, pair = 0, list[Change](), None
    for step in old:
        twin = next((each for each in left if numbers.same(each.params, step.params)), None)
        if twin is None:
            continue
        left.remove(twin)
        changes = ignoring.between_answers(_answer(step), _answer(twin), step.params)
        if changes:
            different += 1
            if pair is None:
                first, pair = changes, (step, twin)
    return different, first, pair


def _answer(step: Step) -> dict[str, Any]:
    return {name: value for name, value in (step.answer or {}).items() if name not in ("jsonrpc", "id")}


def _figures(steps: Sequence[Step]) -> Figures:
    times = sorted(step.took for step in steps if step.took is not None)
    return Figures(len(steps), sum(map(_failed, steps)), times[(len(times) - 1) // 2] if times else None)


def _failed(step: Step) -> bool:
    answer = step.answer or {}
    result = answer.get("result")
    return "error" in answer or (isinstance(result, dict) and result.get("isError") is True)
