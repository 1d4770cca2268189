"""A connection as a list of steps, each with its time and outcome: what a person reads to see where it hangs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

_FIRST, _LATEST = 40, 20
"""How many steps are kept: lists may be read again, and sessions renewed, for days."""


@dataclass(slots=True)
class Step:
    """`ms` is None while the step runs; `outcome` is `ok`, what was found, or why it failed."""

    step: str
    ms: float | None = None
    outcome: str = ""
    ok: bool = True
    started: float = field(default_factory=time.monotonic)

    def end(self, outcome: str = "ok", *, ok: bool = True) -> None:
        if self.ms is None:
            self.ms = (time.monotonic() - self.started) * 1000
            self.outcome, self.ok = outcome, ok


class Steps:
    """The steps of one connection attempt, in order of their start: its first ones, and the latest."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def begin(self, name: str) -> Step:
        step = Step(name)
        self._put(len(self.steps), step)
        return step

    def begin_again(self, name: str) -> Step:
        """A step that may be done many times: the first one stays, which belongs to the connecting, and this one stands
        in place of the others that are over."""
        over = [step for step in self.steps if step.step == name and step.ms is not None]
        for step in over[1:]:
            self.steps.remove(step)
        return self.begin(name)

    def mark(self, name: str, outcome: str, *, since: float, until: float, before: str = "") -> None:
        """A step that was only noticed when it was over; both times on the monotonic clock. It is put before the
        last step of that name, which went on meanwhile."""
        step = Step(name, (until - since) * 1000, outcome, started=since)
        places = [place for place, other in enumerate(self.steps) if other.step == before]
        self._put(places[-1] if places else len(self.steps), step)

    def _put(self, place: int, step: Step) -> None:
        self.steps.insert(place, step)
        if len(self.steps) > _FIRST + _LATEST:
            del self.steps[_FIRST]

    def stop(self, outcome: str) -> None:
        """Ends what still runs: the connection failed."""
        for step in self.steps:
            step.end(outcome, ok=False)
