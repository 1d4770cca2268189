"""Sends the steps of a plan to a live server, one after the other, and compares the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.errors import Failed, Failure
from inspector.base.text import decode
from inspector.replay.ignoring import Ignoring
from inspector.replay.plan import Plan, Step
from inspector.replay.report import Outcome
from inspector.session.answer import Answer

Pace = Literal["recorded", "fast", "step"]
Send = Callable[[Step], Awaitable[Answer]]
"""Sends the request of a step and gives what it comes to, a task's end too. Raises Failed."""

_LONGEST_PAUSE = 60.0
_GONE = ("exited", "stream", "session")


class Replay:
    """Of one plan. `wait` is awaited before each step that is sent; it returns False to leave the step out."""

    def __init__(
        self,
        plan: Plan,
        send: Send,
        ignoring: Ignoring,
        *,
        pace: Pace = "fast",
        wait: Callable[[Step], Awaitable[bool]] | None = None,
        done: Callable[[Outcome], None] = lambda outcome: None,
    ) -> None:
        self._plan = plan
        self._send = send
        self._ignoring = ignoring
        self._pace = pace
        self._wait = wait
        self._done = done
        self._minted: dict[str, str] = {}
        """Cursors that were given then, and those that are given now in their place."""

    async def run(self) -> list[Outcome]:
        """All outcomes, in the order of the recording; what comes after the connection is gone is missing. Never raises
        Failed."""
        outcomes: list[Outcome] = []
        broken: Failure | None = None
        before: Step | None = None
        for step in self._plan.steps:
            if step.skip:
                outcome = Outcome(step, "skipped", reason=step.skip)
            elif broken is not None:
                outcome = Outcome(step, "missing", failure=broken)
            else:
                await self._pause(before, step)
                before = step
                outcome = await self._one(step)
                failure = outcome.failure
                if failure is not None and failure.kind in _GONE:
                    broken = failure
            outcomes.append(outcome)
            self._done(outcome)
        return outcomes

    async def _pause(self, before: Step | None, step: Step) -> None:
        if self._pace == "recorded" and before is not None:
            await asyncio.sleep(min(_LONGEST_PAUSE, max(0.0, step.at - before.at)))

    async def _one(self, step: Step) -> Outcome:
        if self._wait is not None and not await self._wait(step):
            return Outcome(step, "skipped", reason="left out by hand")
        self._mint(step)
        try:
            answer = await self._send(step)
        except Failed as failed:
            return Outcome(step, "missing", failure=failed.failure)
        live = message_of(answer)
        self._note(step, live)
        rows = tuple(row for row in (answer.sent_row, answer.row) if row >= 0)
        outcome = Outcome(step, "same", seconds=answer.seconds, live=live, rows=rows)
        outcome.judge(self._ignoring)
        return outcome

    def _mint(self, step: Step) -> None:
        """The cursor of a later page is the one that this server gave."""
        cursor = step.params.get("cursor") if isinstance(step.params, dict) else None
        if isinstance(cursor, str) and cursor in self._minted:
            step.params = {**step.params, "cursor": self._minted[cursor]}

    def _note(self, step: Step, live: Any) -> None:
        then, now = _cursor(step.answer), _cursor(live)
        if then is not None and now is not None:
            self._minted[then] = now


def message_of(answer: Answer) -> Any:
    """The answer as a message with numbers as spelled; of what is no JSON, its text."""
    text = decode(answer.raw).removeprefix("\ufeff")
    try:
        value = numbers.spelled(text)
    except ValueError:
        return {"text": text}
    if isinstance(value, list):
        return answer.message.value
    return value


def _cursor(message: Any) -> str | None:
    result = message.get("result") if isinstance(message, dict) else None
    cursor = result.get("nextCursor") if isinstance(result, dict) else None
    return cursor if isinstance(cursor, str) else None
