"""What a replay came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from inspector.base.errors import Failure
from inspector.base.jsondiff import Change
from inspector.replay.plan import Step

Verdict = Literal["same", "different", "missing", "skipped"]


@dataclass(slots=True)
class Outcome:
    """Of one step. `changes` say what differs, with pointers into the message; `failure` why no answer came; `reason`
    why it was not sent. `seconds` is how long the live answer took, `recorded` how long it took then."""

    step: Step
    verdict: Verdict
    changes: Sequence[Change] = ()
    failure: Failure | None = None
    reason: str = ""
    seconds: float | None = None


@dataclass(slots=True)
class Report:
    """Counts and differences; `notes` are what a person should know besides."""

    outcomes: list[Outcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, verdict: Verdict) -> int:
        return sum(outcome.verdict == verdict for outcome in self.outcomes)

    @property
    def differs(self) -> bool:
        return any(outcome.verdict in ("different", "missing") for outcome in self.outcomes)

    def differences(self) -> list[dict[str, Any]]:
        """One for each change; an answer that is missing is one with its whole message."""
        found = []
        for outcome in self.outcomes:
            step = outcome.step
            begun = {"seq": step.seq, "method": step.method}
            if outcome.verdict == "missing":
                failed = outcome.failure.as_json() if outcome.failure is not None else None
                found.append({**begun, "pointer": "", "recorded": step.answer, "live": None, "error": failed})
            found += [
                {**begun, "pointer": change.pointer, "recorded": change.old, "live": change.new}
                for change in outcome.changes
            ]
        return found
