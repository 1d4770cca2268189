"""What a client asks a skill about one prompt: step after step, in its order, and no further than it would go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from inspector.base.errors import Failed, Failure
from inspector.lenses.solon.clients import NO_CONTENT, Client, Told, told_by
from inspector.lenses.solon.verdicts import (
    Exposure,
    Listed,
    exposure,
    instruction_remark,
    is_active,
    listed_by,
)
from inspector.protocol.solon import ATTACH, INSTRUCTION, PROMPT, SUPPORTED, TOOLS

if TYPE_CHECKING:
    from inspector.session.answer import Answer

Ask: TypeAlias = "Callable[[str, dict[str, Any]], Awaitable[Answer]]"
"""Calls a tool; raises Failed where no answer came."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call, and what the client makes of its answer. `failure` is why there is none, or the error that it is."""

    tool: str
    outcome: str
    told: Told
    failure: Failure | None = None
    seconds: float = 0.0
    row: int = -1
    stops: bool = False
    """Nothing came after it."""

    @property
    def is_wrong(self) -> bool:
        """Whether something is broken, whatever the verdict."""
        return self.failure is not None or self.told.is_error or bool(self.told.thrown)


@dataclass(slots=True)
class Activation:
    """All that was asked about one prompt. What was not reached is None. `thrown` is what ended it where the client
    raises, which costs the whole request of the model and not only this skill."""

    client: Client
    text: str
    steps: list[Step] = field(default_factory=list)
    supported: bool | None = None
    instruction: str | None = None
    listed: Listed | None = None
    told_tools: Told | None = None
    thrown: str = ""

    @property
    def verdict(self) -> str:
        """In one word, or two."""
        if self.supported is None:
            return "ASKED ONCE" if self.steps else "…"
        if self.supported:
            return "ACTIVE" if not self.thrown else "ACTIVE, THEN THROWS"
        return "INACTIVE (error)" if self.steps and self.steps[-1].is_wrong else "INACTIVE"

    @property
    def is_wrong(self) -> bool:
        """Whether a step is broken, or the list of names cannot be read."""
        return bool(self.thrown) or any(step.is_wrong for step in self.steps)

    def exposure(self, tools: Sequence[Any]) -> Exposure:
        """What of the tools reaches the model; nothing where the client raises or the skill is not active."""
        return exposure(tools, None if self.thrown or self.supported is False else self.listed)


async def activate(
    ask: Ask, client: Client, text: str, stepped: Callable[[Activation], None] = lambda activation: None
) -> Activation:
    """Runs the chain about a prompt, given as the text of `promptJson`. `stepped` is called after each step. Never
    raises Failed: a request that fails is a step, and ends it."""
    run = _Run(ask, Activation(client, text), stepped)
    await run.all()
    return run.activation


async def ask_once(ask: Ask, client: Client, text: str, tool: str) -> Activation:
    """One of the questions by itself, out of its order. Never raises Failed."""
    run = _Run(ask, Activation(client, text), lambda activation: None)
    await run.one(tool)
    return run.activation


@dataclass(slots=True)
class _Run:
    ask: Ask
    activation: Activation
    stepped: Callable[[Activation], None]

    async def all(self) -> None:
        this = self.activation
        step = await self._call(SUPPORTED)
        this.supported = step.failure is None and is_active(step.told)
        if not this.supported:
            why = (
                "an error, so the skill is skipped"
                if step.is_wrong
                else "not the text true, so the skill is skipped"
            )
            self._took(step, why, stops=True)
            return
        self._took(step, "true: the skill is active")
        if not self._came(step := await self._call(ATTACH)):
            return
        error = "an error, which is logged and else ignored"
        self._took(step, error if step.told.is_error else "what it says is ignored")
        if not self._came(step := await self._call(INSTRUCTION)):
            return
        this.instruction = step.told.text
        empty = not step.told.text
        none = "no text: nothing is added to what the model is told"
        self._took(
            step, none if empty else instruction_remark(step.told) or "added to what the model is told"
        )
        # They are asked for once for the words about them and once to bind them, which the newest client leaves out
        # where it has no words.
        for _ in range(1 if empty and this.client.silent_once else 2):
            if not self._came(step := await self._call(TOOLS)):
                return
            this.listed, this.told_tools = listed_by(this.client, step.told), step.told
            if this.listed.state == "unreadable":
                self._throws(step, this.listed.why)
                return
            self._took(step, this.listed.why)

    async def one(self, tool: str) -> None:
        this, step = self.activation, await self._call(tool)
        outcome = "what it says is ignored"
        if step.failure is not None:
            outcome = step.outcome
        elif tool == SUPPORTED:
            this.supported = is_active(step.told)
            outcome = "true: active" if this.supported else "not the text true: inactive"
        elif tool == INSTRUCTION:
            this.instruction = step.told.text
            outcome = instruction_remark(step.told) or "it would be added to what the model is told"
        elif tool == TOOLS:
            this.listed, this.told_tools = listed_by(this.client, step.told), step.told
            outcome = this.listed.why
        self._took(step, outcome)

    async def _call(self, tool: str) -> Step:
        try:
            answer = await self.ask(tool, {PROMPT: self.activation.text})
        except Failed as failed:
            return Step(tool, failed.failure.message, Told(None), failed.failure)
        failure = answer.failure
        told = Told(None) if failure is not None else told_by(self.activation.client, answer.result)
        outcome = failure.message if failure is not None else ""
        return Step(tool, outcome, told, failure, answer.seconds, answer.row)

    def _came(self, step: Step) -> bool:
        """Whether there is an answer that the client can take; else it raises."""
        why = step.told.thrown
        if step.tool == ATTACH and why == NO_CONTENT:
            # It does not look at what is not there.
            why = ""
        if step.failure is None and not why:
            return True
        self._throws(step, step.outcome or why)
        return False

    def _throws(self, step: Step, why: str) -> None:
        self.activation.thrown = why
        self._took(step, f"the client throws: {why}", stops=True)

    def _took(self, step: Step, outcome: str, *, stops: bool = False) -> None:
        self.activation.steps.append(replace(step, outcome=outcome, stops=stops))
        self.stepped(self.activation)
