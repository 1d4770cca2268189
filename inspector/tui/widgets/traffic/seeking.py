"""From row to row of the traffic: to what took long, to what is alike, to what failed."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from inspector.traffic.index import ERROR, EXCHANGE, INVALID, RESPONSE, TOOL_ERROR
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_SLOWEST = 50
"""So many of the slowest are gone through before it begins again."""
_ANSWERS = frozenset({RESPONSE, ERROR, EXCHANGE})

Fits = Callable[[int], bool]
"""Whether a described row is one of those that are sought, by its position in the columns."""


def slowest(traffic: Traffic, view: View) -> list[tuple[float, int]]:
    """The listed answers that took longest, as (seconds, row)."""
    columns, first = traffic.columns, traffic.first
    kind, time, peer = columns.kind, columns.time, columns.peer
    described = len(kind)
    timed = (
        (abs(time[at] - time[peer[at] - 1 - first]), at + first)
        for at in (row - first for row in view.rows)
        if at < described and kind[at] in _ANSWERS and peer[at] > first
    )
    return heapq.nlargest(_SLOWEST, timed)


def alike(traffic: Traffic, number: int) -> Fits | None:
    """Rows of the same method as that of a row, and of the same tool or prompt; None where it has no method."""
    columns, at = traffic.columns, number - traffic.first
    if at >= columns.described or not columns.method[at]:
        return None

    def kin(at: int) -> tuple[object, ...]:
        return columns.method[at], columns.target[at], columns.kind[at] in _ANSWERS

    wanted = kin(at)
    return lambda other: kin(other) == wanted


def failed(traffic: Traffic) -> Fits:
    """Errors, tool errors, what is no JSON-RPC, HTTP from 400 on."""
    columns = traffic.columns

    def fits(at: int) -> bool:
        kind = columns.kind[at]
        if kind == RESPONSE:
            return columns.state[at] == TOOL_ERROR
        return kind in (ERROR, INVALID) or (kind == EXCHANGE and columns.id[at] >= 400)

    return fits


def seek(traffic: Traffic, view: View, start: int, direction: int, fits: Fits) -> int | None:
    """The nearest place in the list below `start` that fits, or above it where `direction` is negative."""
    rows, first, described = view.rows, traffic.first, traffic.columns.described
    places = range(start + 1, len(rows)) if direction > 0 else range(start - 1, -1, -1)
    return next(
        (place for place in places if 0 <= (at := rows[place] - first) < described and fits(at)), None
    )
