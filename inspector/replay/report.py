"""What a replay came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.errors import Failure
from inspector.base.jsondiff import Change
from inspector.base.text import counted
from inspector.formats import junit
from inspector.replay.ignoring import Ignoring
from inspector.replay.plan import Step

Verdict = Literal["same", "different", "missing", "skipped"]
VERDICTS: tuple[Verdict, ...] = ("same", "different", "missing", "skipped")
_WIDTH = 60


@dataclass(slots=True)
class Outcome:
    """Of one step. `changes` say what differs, with pointers into the message; `failure` why no answer came; `reason`
    why it was not sent. `live` is the answer as a message, `seconds` how long it took, `rows` are those of the request
    and its answer in the traffic of the replay."""

    step: Step
    verdict: Verdict
    changes: Sequence[Change] = ()
    failure: Failure | None = None
    reason: str = ""
    seconds: float | None = None
    live: Any = None
    rows: tuple[int, ...] = ()

    def judge(self, rules: Ignoring) -> None:
        """Compares anew, under other rules; does nothing where no answer came."""
        if self.verdict in ("same", "different"):
            self.changes = rules.between_answers(
                _compared(self.step.answer), _compared(self.live), self.step.params
            )
            self.verdict = "different" if self.changes else "same"

    @property
    def wrong(self) -> list[str]:
        """What is not as it was, a sentence each; foreign values in it are brief and escaped."""
        if self.verdict == "missing":
            return [self.failure.message if self.failure is not None else "no answer came"]
        return [told(change) for change in self.changes]


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

    @property
    def nothing(self) -> Failure | None:
        """Why it tells nothing, where each of its requests was skipped."""
        if self.count("skipped") < len(self.outcomes):
            return None
        why = ", ".join(dict.fromkeys(outcome.reason for outcome in self.outcomes))
        told = f"nothing was sent, so nothing was compared: {counted(len(self.outcomes), 'request')} skipped"
        return Failure(
            kind="config", message=f"{told} ({why})", hint="choose others, or give what is missing"
        )

    @property
    def summary(self) -> str:
        counts = ", ".join(f"{self.count(name)} {name}" for name in VERDICTS)
        return f"{counted(len(self.outcomes), 'request')}: {counts}"

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

    def as_json(self, value: Callable[[Any], Any], mask: Callable[[str], str]) -> dict[str, Any]:
        """The document of `--json`; foreign values go through `value`, sentences through `mask`."""
        return {
            "requests": len(self.outcomes),
            **{name: self.count(name) for name in VERDICTS},
            "differences": [value(each) for each in self.differences()],
            "warnings": [mask(note) for note in self.notes],
        }

    def as_junit(self, name: str, mask: Callable[[str], str]) -> str:
        """One test case a request. `name` is that of the recording."""
        cases = [
            junit.Case(
                mask(f"{outcome.step.seq} {outcome.step.told}"),
                name,
                outcome.seconds,
                [mask(line) for line in outcome.wrong],
                outcome.reason,
            )
            for outcome in self.outcomes
        ]
        return junit.document(f"replay {name}", cases)


def told(change: Change) -> str:
    """A change as a line."""
    where = change.pointer or "the whole"
    if change.op == "add":
        return f"{where}  only now: {numbers.brief(change.new, _WIDTH)}"
    if change.op == "remove":
        return f"{where}  only then: {numbers.brief(change.old, _WIDTH)}"
    return f"{where}  then {numbers.brief(change.old, _WIDTH)}  now {numbers.brief(change.new, _WIDTH)}"


def _compared(message: Any) -> Any:
    """Without what is minted anew: version and id."""
    if not isinstance(message, dict):
        return message
    return {name: value for name, value in message.items() if name not in ("jsonrpc", "id")}
