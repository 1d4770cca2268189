"""A login as a list of steps: what was asked, what came, what was decided and why, and what the specification says."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from inspector.base.errors import Failed


@dataclass(slots=True)
class Step:
    """`outcome` is what came of it and `why` what is concluded from that, both for people and possibly in foreign
    words; `spec` is where the rule stands. `exchange` is the number of the HTTP exchange in the traffic, where there
    was one; `ms` is None while the step runs. There are no secrets in any of it."""

    step: str
    spec: str = ""
    outcome: str = ""
    why: str = ""
    ok: bool = True
    exchange: int | None = None
    ms: float | None = None
    started: float = field(default_factory=time.monotonic)

    def as_json(self) -> dict[str, Any]:
        return {
            "step": self.step,
            "outcome": self.outcome,
            "ok": self.ok,
            "why": self.why or None,
            "spec": self.spec or None,
            "exchange": self.exchange,
            "ms": None if self.ms is None else round(self.ms, 3),
        }


class Timeline:
    """The steps of one login, oldest first. `changed` is called whenever one begins or ends."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.steps: list[Step] = []
        self._changed = changed

    @contextmanager
    def step(self, name: str, spec: str = "") -> Any:
        """A step that lasts as long as the block; one that ends with Failed is not ok, and says why."""
        step = Step(name, spec)
        self.steps.append(step)
        self._changed()
        try:
            yield step
        except Failed as failed:
            step.ok, step.outcome = False, step.outcome or failed.failure.message
            raise
        except BaseException:
            step.ok, step.outcome = False, step.outcome or "given up"
            raise
        finally:
            step.ms = (time.monotonic() - step.started) * 1000
            self._changed()

    def say(self, name: str, outcome: str, *, why: str = "", spec: str = "", ok: bool = True) -> None:
        """Something that was decided, and took no time."""
        self.steps.append(Step(name, spec, outcome, why, ok, ms=0.0))
        self._changed()

    def as_json(self) -> list[dict[str, Any]]:
        return [step.as_json() for step in self.steps]
