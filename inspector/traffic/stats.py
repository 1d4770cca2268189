"""How often and how fast: requests by server, method and tool, from the rows that have been paired."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from inspector.traffic.index import ANSWERED, ASKS, CANCELLED, FAILED, PENDING, REQUEST, TOOL_ERROR
from inspector.traffic.lines import C2S
from inspector.traffic.store import Traffic

_SETTLED = (ANSWERED, FAILED, TOOL_ERROR, ASKS)


@dataclass(slots=True)
class Calls:
    """Requests of one method, and one tool or prompt where it names one; `ours` went to the server, the others came
    from it. Times are in seconds. Names are foreign."""

    server: str
    method: str
    target: str | None
    ours: bool = True
    count: int = 0
    errors: int = 0
    cancelled: int = 0
    pending: int = 0
    took: array[float] = field(default_factory=lambda: array("d"))

    def percentiles(self, *percents: float) -> list[float | None]:
        """The times within which so many of a hundred were answered (nearest rank); None where none was."""
        times = sorted(self.took)
        last = len(times) - 1
        return [times[min(last, int(len(times) * percent / 100))] if times else None for percent in percents]


class Tally:
    """Counts rows in slices, so that a million of them hold nobody up."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._groups: dict[tuple[str, bool, int, int], Calls] = {}
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
        state = columns.state[at]
        group.count += 1
        group.errors += state in (FAILED, TOOL_ERROR)
        group.cancelled += state == CANCELLED
        group.pending += state == PENDING
        if state in _SETTLED and columns.peer[at] > first:
            group.took.append(columns.time[columns.peer[at] - 1 - first] - columns.time[at])

    def calls(self) -> list[Calls]:
        """What was counted, the most frequent first."""
        return sorted(self._groups.values(), key=lambda group: group.count, reverse=True)


def calls(traffic: Traffic) -> list[Calls]:
    """All requests that have been described."""
    tally = Tally(traffic)
    while tally.take(1 << 20):
        pass
    return tally.calls()
