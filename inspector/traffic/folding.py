"""Exchanges: a request with its progress, the rounds and retries of it, and its answer, under the row that began it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.traffic.index import ASKS, PENDING, STATES, State

if TYPE_CHECKING:
    from inspector.traffic.correlate import Pairing
    from inspector.traffic.index import Columns

_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Exchange:
    """What belongs to the request in row `number`. `answer` is the row that ended it, None while there is none;
    `progress` counts what was told meanwhile, `rounds` how often input was asked for, `resumed` how often the stream of
    the answer was taken up again. `state` is that of the request that was sent last; `took` is in seconds."""

    number: int
    answer: int | None
    progress: int
    rounds: int
    resumed: int
    state: State
    took: float | None


class Folding:
    """Of one traffic, by row number. Costs some look-ups a row, however many rows there are."""

    def __init__(self, columns: Columns, pairing: Pairing) -> None:
        self._columns = columns
        self._pairing = pairing

    def head(self, number: int) -> int:
        """The row that began the exchange which a row belongs to; the row itself where that is none, or where the
        beginning is not held any more."""
        columns, pairing, first = self._columns, self._pairing, self._pairing.first
        for _ in range(_ROUNDS):
            position = number - first
            if not 0 <= position < columns.described:
                break
            before = columns.peer[position] - 1
            if not first <= before < number:
                asked = pairing.asked_by.get(number)
                before = asked if asked is not None else pairing.tasks.maker(number) or -1
                if not first <= before < number:
                    break
            number = before
        return number

    def exchange(self, number: int) -> Exchange | None:
        """What the request in a row came to; None where the row is no described request."""
        columns, pairing, first = self._columns, self._pairing, self._pairing.first
        position = number - first
        if not 0 <= position < columns.described or not columns.state[position]:
            return None
        began, at, rounds, progress, resumed = columns.time[position], number, 0, 0, 0
        answer: int | None = None
        while rounds < _ROUNDS:
            position = at - first
            progress += pairing.progress.get(at) or 0
            resumed += pairing.resumed.get(at) or 0
            peer = columns.peer[position] - 1
            answer = peer if peer > at and columns.state[position] != PENDING else None
            if answer is None or columns.state[answer - first] != ASKS:
                break
            rounds += 1
            following = pairing.given_by.get(answer)
            if following is None:
                break
            at = following
        state = STATES[columns.state[at - first]]
        took = columns.time[answer - first] - began if answer is not None else None
        return Exchange(number, answer, progress, rounds, resumed, state, took)
