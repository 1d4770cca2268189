"""A replay as the person has put it together: what is sent, where to, how, and what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from inspector.replay.client import Pace
from inspector.replay.ignoring import rules_of
from inspector.replay.plan import Plan, Reading
from inspector.replay.report import Outcome, Report
from inspector.tui.chosen_frames import Frames
from inspector.workspace.connection import Connection
from inspector.workspace.replaying import Replaying

_SLICE, _SECONDS = 500, 0.006
"""Rows that are read, and seconds for which rows are described, before others have their turn."""
PACES: tuple[Pace, ...] = ("fast", "recorded", "step")


@dataclass(eq=False)
class ReplayModel:
    """`label` names the server of then, `target` the one of now; `chosen` are places in the plan. `rules` is a rule a
    line: a JSON Pointer, or a pattern of texts. `changed` is called when a run moves on."""

    target: str
    frames: Frames | None = None
    plans: dict[str, Plan] = field(default_factory=dict)
    label: str = ""
    chosen: set[int] = field(default_factory=set)
    pace: Pace = "fast"
    rules: str = ""
    exact: bool = False
    run: Replaying | None = None
    changed: Callable[[], None] = lambda: None

    @property
    def plan(self) -> Plan | None:
        return self.plans.get(self.label)

    @property
    def running(self) -> bool:
        return self.run is not None and self.run.running

    @property
    def report(self) -> Report:
        return self.run.report if self.run is not None else Report()

    def outcome(self, place: int) -> Outcome | None:
        return self.run.outcomes.get(place) if self.run is not None else None

    async def load(self, frames: Frames) -> None:
        """Reads the requests of other frames, in slices; the run before is forgotten."""
        while frames.traffic.advance(_SECONDS):
            await asyncio.sleep(0)
        reading = Reading(frames.traffic, frames.requests)
        while reading.take(_SLICE):
            await asyncio.sleep(0)
        plans = reading.plans()
        if self.frames is not None and self.frames is not frames:
            self.frames.close()
        self.frames, self.plans, self.run = frames, plans, None
        self.choose_label(self.target if self.target in plans else next(iter(plans), ""))

    def choose_label(self, label: str) -> None:
        self.label, self.run = label, None
        plan = self.plan
        steps = plan.steps if plan is not None else []
        self.chosen = {place for place, step in enumerate(steps) if not step.skip}

    def use(self, rules: str, exact: bool) -> None:
        """Takes other rules; what has been answered is compared anew. Raises Failed (config), and stays as it was."""
        made = rules_of(rules, exact=exact)
        self.rules, self.exact = rules, exact
        if self.run is not None:
            self.run.judge(made)

    def start(self, connection: Connection, denied: set[str]) -> None:
        """Sends what is chosen. Raises Failed (config) for a rule that is none."""
        plan = self.plan
        if plan is not None:
            self.run = Replaying(
                connection,
                plan,
                self.chosen,
                rules_of(self.rules, exact=self.exact),
                pace=self.pace,
                denied=denied,
                changed=lambda: self.changed(),
            )
