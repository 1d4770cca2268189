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
    """The listed answers that took longest, as (seconds, row); of a folded list the exchanges."""
    if view.folded:
        exchanges = filter(None, map(traffic.folding.exchange, view.rows))
        took = ((each.took, each.number) for each in exchanges if each.took is not None)
        return heapq.nlargest(_SLOWEST, took)
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


def failed(traffic: Traffic, view: View) -> Fits:
    """Errors, tool errors, what is no JSON-RPC, HTTP from 400 on; in a folded list also exchanges that ended so."""
    columns, first = traffic.columns, traffic.first

    def fits(at: int) -> bool:
        kind = columns.kind[at]
        if kind == RESPONSE:
            return columns.state[at] == TOOL_ERROR
        return kind in (ERROR, INVALID) or (kind == EXCHANGE and columns.id[at] >= 400)

    def ended_so(at: int) -> bool:
        exchange = traffic.folding.exchange(at + first)
        answer = exchange.answer if exchange is not None else None
        return fits(at) or (answer is not None and fits(answer - first))

    return ended_so if view.folded else fits


def seek(traffic: Traffic, view: View, start: int, direction: int, fits: Fits) -> int | None:
    """The nearest place in the list below `start` that fits, or above it where `direction` is negative."""
    rows, first, described = view.rows, traffic.first, traffic.columns.described
    places = range(start + 1, len(rows)) if direction > 0 else range(start - 1, -1, -1)
    return next(
        (place for place in places if 0 <= (at := rows[place] - first) < described and fits(at)), None
    )
