"""A recording replayed to a server of the workspace: what is needed of its connection, and the run itself."""

from __future__ import annotations

import asyncio
import copy
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from inspector.base import numbers, tasks
from inspector.policy.audit import PERSON
from inspector.replay.answers import FromRecording
from inspector.replay.client import Pace, Replay, Send
from inspector.replay.ignoring import Ignoring
from inspector.replay.plan import Plan, Step, fill
from inspector.replay.report import Outcome, Report, Verdict
from inspector.session.answer import Answer
from inspector.session.inbox import Root
from inspector.workspace.connection import Connection


def sender(connection: Connection, approver: str = "") -> Send:
    """Sends steps over a connection; a call that becomes a task is followed to its end. `approver` is who has allowed
    calls of tools."""

    async def send(step: Step) -> Answer:
        params = step.params
        if isinstance(params, dict):
            params = {name: numbers.verbatim(value) for name, value in params.items()}
        answer = await connection.request(step.method, params, approver=approver)
        task = connection.long_tasks.made(answer, params) if step.tool else None
        if task is None:
            return answer
        began = time.monotonic()
        end = await connection.long_tasks.follow(task)
        return replace(end, seconds=answer.seconds + time.monotonic() - began)

    return send


def fill_known(connection: Connection, steps: Sequence[Step]) -> None:
    """Puts in what was masked when it was recorded, where the variables and headers of the connected server have it."""
    server = connection.server
    known = [] if server is None else [*server.env.items(), *server.headers.items()]
    for step in steps:
        if step.masked and not step.skip:
            fill(step, known)


def roots_of(plan: Plan) -> tuple[Root, ...]:
    """The roots that were told then."""
    listed = [root for root in plan.roots or () if isinstance(root.get("uri"), str)]
    return tuple(Root(root["uri"], root.get("name")) for root in listed)


class Replaying:
    """A plan sent to a connection that is ready, step by step, under way or over; it goes on whoever looks at it.

    `outcomes` belong to the steps of the plan by their place, `counts` are those of their verdicts; `current` is the
    step that is sent now, `waits` whether it waits for `go`. `changed` is called, on the loop, whenever any of it is
    different."""

    def __init__(
        self,
        connection: Connection,
        plan: Plan,
        chosen: Collection[int],
        rules: Ignoring,
        *,
        pace: Pace,
        denied: Collection[str] = (),
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`chosen` are places in the plan; calls of tools that are `denied` are skipped."""
        self.connection = connection
        self.plan = plan
        self.rules = rules
        self.outcomes: dict[int, Outcome] = {}
        self.counts: Counter[Verdict] = Counter()
        self.current: int | None = None
        self.waits = False
        self.notes: list[str] = []
        self.changed = changed
        self._places = sorted(chosen)
        self._go: asyncio.Future[bool] | None = None
        # Masked values are filled in within what is sent, and the plan may be sent again.
        steps = [
            replace(step, params=copy.deepcopy(step.params) if step.masked else step.params)
            for step in self._steps()
        ]
        fill_known(connection, steps)
        for step in steps:
            if step.tool in denied:
                step.skip = step.skip or "its tool may change something, and that was not allowed"
        self._sent = replace(plan, steps=steps)
        self._pace = pace
        self._task = tasks.spawn(self._run(), f"replay to {connection.name}")

    def _steps(self) -> list[Step]:
        return [self.plan.steps[place] for place in self._places]

    @property
    def running(self) -> bool:
        return not self._task.done()

    @property
    def total(self) -> int:
        return len(self._places)

    @property
    def report(self) -> Report:
        """Of what has been sent so far, in the order of the recording."""
        return Report([self.outcomes[place] for place in sorted(self.outcomes)], list(self.notes))

    def judge(self, rules: Ignoring) -> None:
        """Compares all answers anew under other rules, which those to come are compared by as well."""
        self.rules = rules
        for outcome in self.outcomes.values():
            outcome.judge(rules)
        self.counts = Counter(outcome.verdict for outcome in self.outcomes.values())
        self.changed()

    def go(self, send: bool = True) -> None:
        """Sends the step that waits, or leaves it out."""
        if self._go is not None and not self._go.done():
            self._go.set_result(send)

    def stop(self) -> None:
        """The request under way is given up, and the server told; the rest is not sent."""
        self._task.cancel()

    async def _run(self) -> None:
        inbox = self.connection.inbox
        responder, roots = inbox.responder, inbox.roots
        answers = FromRecording(self.plan)
        inbox.responder = answers
        if self.plan.roots is not None:
            inbox.roots = roots_of(self.plan)
        replay = Replay(
            self._sent,
            sender(self.connection, PERSON),
            self.rules,
            pace=self._pace,
            wait=self._wait,
            done=self._done,
        )
        try:
            await replay.run()
        finally:
            inbox.responder, inbox.roots = responder, roots
            if answers.missed:
                missed = ", ".join(sorted(set(answers.missed)))
                self.notes.append(
                    f"{self.connection.name} asked what the recording has no answer to: {missed}"
                )
            for step in self._sent.steps[len(self.outcomes) :]:
                self._take(Outcome(step, "skipped", reason="the replay was stopped"))
            self.current, self.waits = None, False
            self.changed()

    async def _wait(self, step: Step) -> bool:
        self.current = self._places[len(self.outcomes)]
        self.waits = self._pace == "step"
        self.changed()
        if not self.waits:
            return True
        self._go = asyncio.get_running_loop().create_future()
        try:
            return await self._go
        finally:
            self.waits = False
            self.changed()

    def _done(self, outcome: Outcome) -> None:
        outcome.judge(self.rules)
        self._take(outcome)
        self.changed()

    def _take(self, outcome: Outcome) -> None:
        """Of the next step: they come in the order of the recording."""
        self.outcomes[self._places[len(self.outcomes)]] = outcome
        self.counts[outcome.verdict] += 1
