"""How often and how fast: calls by method and tool, from the rows that have been paired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector.traffic.index import ANSWERED, CANCELLED, FAILED, PENDING, REQUEST, TOOL_ERROR
from inspector.traffic.store import Traffic


@dataclass(slots=True)
class Calls:
    """Requests of one method, and one tool or prompt where it names one. Times are in seconds."""

    server: str
    method: str
    target: str | None
    count: int = 0
    errors: int = 0
    cancelled: int = 0
    pending: int = 0
    took: list[float] = field(default_factory=list)

    def percentile(self, percent: float) -> float | None:
        """The time within which so many of a hundred were answered; None where none was."""
        times = sorted(self.took)
        return times[min(len(times) - 1, int(len(times) * percent / 100))] if times else None


def calls(traffic: Traffic, rows: Iterable[int] | None = None) -> list[Calls]:
    """Requests among `rows` (None: all that have been described) by server, method and target, most frequent
    first."""
    columns, first, names = traffic.columns, traffic.first, traffic.columns.names
    groups: dict[tuple[int, int, int], Calls] = {}
    for row in range(first, traffic.described) if rows is None else rows:
        at = row - first
        if columns.kind[at] != REQUEST:
            continue
        key = columns.session[at], columns.method[at], columns.target[at]
        group = groups.get(key)
        if group is None:
            method, target = names.name(key[1]), names.name(key[2])
            group = groups[key] = Calls(
                traffic.label(key[0]), method or traffic.row(row).method or "", target
            )
        state = columns.state[at]
        group.count += 1
        group.errors += state in (FAILED, TOOL_ERROR)
        group.cancelled += state == CANCELLED
        group.pending += state == PENDING
        if state in (ANSWERED, FAILED, TOOL_ERROR) and columns.peer[at] > first:
            group.took.append(columns.time[columns.peer[at] - 1 - first] - columns.time[at])
    return sorted(groups.values(), key=lambda group: group.count, reverse=True)
