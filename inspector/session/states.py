"""The states that a session goes through, each with the moment when it began."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from inspector.base.text import duration

State = Literal["NEW", "INITIALIZING", "READY", "FAILED", "LOST", "CLOSED"]
"""NEW until the first message that opens the conversation is sent, INITIALIZING until it is agreed on. FAILED never was
READY, LOST was, and nobody closed it."""
_ENDS: frozenset[State] = frozenset({"FAILED", "LOST", "CLOSED"})
_FIRST, _LATEST = 3, 6
"""How many are kept: a session may be renewed for days."""


@dataclass(frozen=True, slots=True)
class Entered:
    """`at` is on the monotonic clock, `since` the seconds that the state before lasted; None for the first one."""

    state: State
    at: float
    since: float | None

    def __str__(self) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(time.time() - (time.monotonic() - self.at)))
        return f"{self.state} {clock}" + (f" after {duration(self.since)}" if self.since is not None else "")


class States:
    """Of one session, the earliest first: the first ones and the latest."""

    def __init__(self) -> None:
        self.entered: list[Entered] = []

    @property
    def now(self) -> State | None:
        return self.entered[-1].state if self.entered else None

    def __str__(self) -> str:
        return ", ".join(map(str, self.entered))

    def enter(self, state: State) -> None:
        """Nothing where it is in that state already, or at its end."""
        if self.now == state or self.now in _ENDS:
            return
        at = time.monotonic()
        self.entered.append(Entered(state, at, at - self.entered[-1].at if self.entered else None))
        if len(self.entered) > _FIRST + _LATEST:
            del self.entered[_FIRST]
