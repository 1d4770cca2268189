"""The requests of a replay, one a line: whether it is sent, what it is, how it went."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.segment import Segment
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from inspector.base import numbers
from inspector.base.text import duration
from inspector.replay.plan import Step
from inspector.replay.report import Outcome, Verdict
from inspector.tui import guard
from inspector.tui.replay_model import ReplayModel
from inspector.tui.widgets.lists.line_view import LineView, fit

MARKS: dict[Verdict, str] = {"same": "=", "different": "≠", "missing": "✗", "skipped": "·"}
_NUMBER, _TOOK, _WIDE = 7, 9, 60
"""Cells of the columns, and from which width on there are times."""
_BRIEF = 300


class StepList(LineView):
    """Shows the plan of a model. Posts `Opened` on enter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"step-list--{name}" for name in ("same", "different", "missing", "skipped", "quiet", "title", "now")
    }
    DEFAULT_CSS = """
    StepList {
        & > .step-list--same { color: $text-success; }
        & > .step-list--different { color: $text-warning; text-style: bold; }
        & > .step-list--missing { color: $text-error; text-style: bold; }
        & > .step-list--skipped { color: $quiet; }
        & > .step-list--quiet { color: $quiet; }
        & > .step-list--title { color: $foreground; }
        & > .step-list--now { color: $text-primary; text-style: bold; }
    }
    """
    HELP = (
        "The requests of the client of then. Space chooses which are sent; enter compares the answer of then with the"
        " one of now."
    )

    class Opened(Message):
        """The request under the cursor is to be looked at."""

    def __init__(self, model: ReplayModel) -> None:
        super().__init__(id="steps")
        self.model = model
        self._serial = 0

    def renew(self) -> None:
        """The model has changed."""
        self._serial += 1
        self.lines_changed()
        self.refresh()

    @property
    def step(self) -> Step | None:
        steps = self._steps
        return steps[self.cursor] if self.cursor < len(steps) else None

    @property
    def _steps(self) -> list[Step]:
        plan = self.model.plan
        return plan.steps if plan is not None else []

    def line_count(self) -> int:
        return len(self._steps)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return "no requests here that can be sent"

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        step, outcome, run = self._steps[index], self.model.outcome(index), self.model.run
        quiet = self.component("step-list--quiet")
        box = "·" if step.skip else "■" if index in self.model.chosen else "□"
        yield Segment(
            f"{box} ", quiet if box != "■" else self.component("step-list--now") if outcome is None else quiet
        )
        yield Segment(f"{step.seq:>{_NUMBER}}  ", quiet)
        now = run is not None and run.current == index
        mark = (
            MARKS[outcome.verdict]
            if outcome is not None
            else ("‖" if run.waits else "…")
            if now and run
            else " "
        )
        tone = outcome.verdict if outcome is not None else "now"
        yield Segment(f"{mark} ", self.component(f"step-list--{tone}"))
        wide = width >= _WIDE
        times = 2 * (_TOOK + 1) if wide else 0
        said = self._said(step, outcome, now)
        left = max(8, width - 2 - _NUMBER - 2 - 2 - times)
        title = guard.line(step.title, cut=True)
        told = f"{title}  {said}" if said else title
        shown = fit(told, left)
        cut = min(len(title), len(shown))
        yield Segment(shown[:cut], self.component(f"step-list--{'now' if now else 'title'}"))
        told_now = outcome is not None and outcome.verdict != "same"
        yield Segment(shown[cut:], self.component(f"step-list--{tone}") if told_now else quiet)
        if wide:
            seconds = outcome.seconds if outcome is not None else None
            for took in (step.took, seconds):
                yield Segment(" " + fit("" if took is None else duration(took), _TOOK, right=True), quiet)

    def _said(self, step: Step, outcome: Outcome | None, now: bool) -> str:
        if outcome is None:
            waits = now and self.model.run is not None and self.model.run.waits
            return "waits for you" if waits else guard.line(step.skip or _given(step), cut=True)
        if outcome.verdict == "different":
            count = len(outcome.changes)
            return "1 difference" if count == 1 else f"{count:,} differences"
        return guard.line(outcome.reason or " ".join(outcome.wrong) or _given(step), cut=True)

    def action_open(self) -> None:
        if self._steps:
            self.post_message(self.Opened())


class StepTitles(Widget):
    """The line over a list of steps."""

    DEFAULT_CSS = """
    StepTitles { height: 1; color: $quiet; padding: 0 1; background: $panel; }
    """

    def render(self) -> Content:
        width = self.content_size.width - 1
        times = (
            fit("then", _TOOK + 1, right=True) + fit("now", _TOOK + 1, right=True) if width >= _WIDE else ""
        )
        return Content(fit(f"  {'#':>{_NUMBER}}    request", width - len(times)) + times)


def _given(step: Step) -> str:
    """Arguments or parameters, beside what the title says."""
    params = step.params if isinstance(step.params, dict) else {}
    given = params.get(
        "arguments", {name: value for name, value in params.items() if name not in ("name", "uri")}
    )
    return numbers.brief(given, _BRIEF) if given else ""
