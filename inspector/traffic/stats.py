"""How often, how fast and when: requests by server, method and tool, from the rows that have been paired."""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.traffic.index import ANSWERED, ASKS, CANCELLED, FAILED, PENDING, REQUEST, TOOL_ERROR
from inspector.traffic.lines import C2S
from inspector.traffic.store import Traffic

_SETTLED = (ANSWERED, FAILED, TOOL_ERROR, ASKS)


def _numbers() -> array[float]:
    return array("d")


@dataclass(slots=True)
class Calls:
    """Requests of one method, and one tool or prompt where it names one; `ours` went to the server, the others came
    from it. Times are in seconds: `at` of the requests and `failed_at` of those that failed, since the base of the
    traffic, the earliest first. `slowest` is the row of the answer that took longest. Names are foreign."""

    server: str
    method: str
    target: str | None
    ours: bool = True
    count: int = 0
    errors: int = 0
    cancelled: int = 0
    pending: int = 0
    took: array[float] = field(default_factory=_numbers)
    at: array[float] = field(default_factory=_numbers)
    failed_at: array[float] = field(default_factory=_numbers)
    slowest: int | None = None
    longest: float = -1.0
    _sorted: int = 0

    def settle(self, state: int, at: float, took: float | None, answer: int | None) -> None:
        """What came of one of them. It is in `pending` until it settles."""
        self.errors += state in (FAILED, TOOL_ERROR)
        self.cancelled += state == CANCELLED
        if state in (FAILED, TOOL_ERROR):
            insort(self.failed_at, at)
        if took is not None:
            self.took.append(took)
            if took > self.longest:
                self.longest, self.slowest = took, answer

    def times(self) -> array[float]:
        """How long the answers took, the shortest first."""
        if self._sorted != len(self.took):
            self.took = array("d", sorted(self.took))
            self._sorted = len(self.took)
        return self.took

    def percentiles(self, *percents: float) -> list[float | None]:
        """The times within which so many of a hundred were answered (nearest rank); None where none was."""
        times = self.times()
        last = len(times) - 1
        return [times[min(last, int(len(times) * percent / 100))] if times else None for percent in percents]


def together(parts: Sequence[Calls], server: str = "") -> Calls:
    """All of several as one, with their percentiles; `at` and `failed_at` stay with the parts."""
    whole = Calls(server, "", None)
    for part in parts:
        whole.count += part.count
        whole.errors += part.errors
        whole.cancelled += part.cancelled
        whole.pending += part.pending
        whole.took.extend(part.times())
        if part.longest > whole.longest:
            whole.longest, whole.slowest = part.longest, part.slowest
    return whole


def over_time(times: array[float], start: float, end: float, slots: int) -> list[int]:
    """How many of some moments, which are in their order, lie in each of the slots of equal length."""
    width = (end - start) / slots
    edges = [bisect_left(times, start + width * slot) for slot in range(1, slots)]
    return [after - before for before, after in zip([0, *edges], [*edges, len(times)], strict=True)]


def by_length(times: array[float], limits: Sequence[float]) -> list[int]:
    """How many of sorted lengths are below each limit and not below the one before, and how many are not below any."""
    edges = [bisect_left(times, limit) for limit in limits]
    return [after - before for before, after in zip([0, *edges], [*edges, len(times)], strict=True)]


class Tally:
    """Counts rows in slices, so that a million of them hold nobody up, and goes on where it stopped: what was counted
    is not looked at again, but for requests that wait for their answer."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._groups: dict[tuple[str, bool, int, int], Calls] = {}
        self._open: dict[int, Calls] = {}
        self.at = traffic.first
        """The first row that is not counted yet."""

    def take(self, most: int) -> bool:
        """Counts up to so many rows more; True while there are others that have been described."""
        traffic = self._traffic
        columns, first = traffic.columns, traffic.first
        self.at = max(self.at, first)
        stop = min(self.at + most, traffic.described)
        kinds = columns.kind
        for at in range(self.at - first, stop - first):
            if kinds[at] == REQUEST:
                self._count(at)
        self.at = max(self.at, stop)
        return self.at < traffic.described

    def look_again(self) -> None:
        """Counts what came of the requests that waited. One whose row is not kept any more waits no longer."""
        first = self._traffic.first
        for number, group in list(self._open.items()):
            if number < first:
                del self._open[number]
                group.pending -= 1
            elif self._traffic.columns.state[number - first] != PENDING:
                del self._open[number]
                group.pending -= 1
                self._settle(group, number - first)

    def _count(self, at: int) -> None:
        traffic = self._traffic
        columns, first = traffic.columns, traffic.first
        label, ours = traffic.label(columns.session[at]), columns.channel[at] == C2S
        key = label, ours, columns.method[at], columns.target[at]
        group = self._groups.get(key)
        if group is None:
            method, target = columns.names.name(key[2]), columns.names.name(key[3])
            method = method or traffic.row(at + first).method or ""
            group = self._groups[key] = Calls(label, method, target, ours)
        group.count += 1
        insort(group.at, columns.time[at])
        if columns.state[at] == PENDING:
            group.pending += 1
            self._open[at + first] = group
        else:
            self._settle(group, at)

    def _settle(self, group: Calls, at: int) -> None:
        columns, first = self._traffic.columns, self._traffic.first
        state, asked, peer = columns.state[at], columns.time[at], columns.peer[at]
        took, answer = None, None
        if state in _SETTLED and peer > first:
            answer = peer - 1
            took = columns.time[answer - first] - asked
        group.settle(state, asked, took, answer)

    @property
    def state(self) -> tuple[int, int]:
        """Differs when something was counted."""
        return self.at, len(self._open)

    def calls(self) -> list[Calls]:
        """What was counted, the most frequent first."""
        return sorted(self._groups.values(), key=lambda group: group.count, reverse=True)


def calls(traffic: Traffic) -> list[Calls]:
    """All requests that have been described."""
    tally = Tally(traffic)
    while tally.take(1 << 20):
        pass
    return tally.calls()
