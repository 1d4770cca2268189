"""Saved calls, one a line: what is called, and whether its answer is as expected."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.segment import Segment
from textual.message import Message

from inspector.base import numbers
from inspector.base.text import duration
from inspector.calls.saved import SavedCall
from inspector.tui import guard
from inspector.tui.saved_calls_model import SavedCallsModel
from inspector.tui.widgets.lists.line_view import LineView, fit

_TOOK = 9


class SavedList(LineView):
    """Shows the calls of a model. Posts `Opened` on enter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"saved-list--{name}" for name in ("ok", "failed", "quiet", "title", "now")
    }
    DEFAULT_CSS = """
    SavedList {
        & > .saved-list--ok { color: $text-success; }
        & > .saved-list--failed { color: $text-error; text-style: bold; }
        & > .saved-list--quiet { color: $quiet; }
        & > .saved-list--title { color: $foreground; }
        & > .saved-list--now { color: $text-warning; text-style: bold; }
    }
    """
    HELP = "The calls of the file. F5 makes all, space the one under the cursor; enter goes to its frames."

    class Opened(Message):
        """The frames of the call under the cursor are wanted."""

    def __init__(self, model: SavedCallsModel) -> None:
        super().__init__(id="saved")
        self.model = model
        self._serial = self._names = 0

    def renew(self) -> None:
        """The model has changed."""
        self._serial += 1
        self._names = max((len(guard.line(call.name, cut=True)) for call in self.model.calls), default=0)
        self.lines_changed()
        self.refresh()

    @property
    def call(self) -> SavedCall | None:
        return self.model.calls[self.cursor] if self.cursor < len(self.model.calls) else None

    def line_count(self) -> int:
        return len(self.model.calls)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return "no file is open"

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        call, run = self.model.calls[index], self.model.run
        outcome = self.model.outcomes.get(call.name)
        now = run is not None and run.current == call.name
        mark, tone = ("…", "now") if now else (" ", "quiet")
        if outcome is not None:
            mark, tone = ("✗", "failed") if outcome.failures else ("✓", "ok")
        quiet = self.component("saved-list--quiet")
        yield Segment(f"{mark} ", self.component(f"saved-list--{tone}"))
        left = max(8, width - 2 - _TOOK - 1)
        name = fit(guard.line(call.name, cut=True), min(self._names, left // 2))
        if outcome is not None and outcome.failures:
            said = guard.line(outcome.failures[0], cut=True)
        else:
            said = guard.line(subject(call), cut=True)
        shown = fit(f"{name}  {said}", left)
        cut = min(len(name), len(shown))
        yield Segment(shown[:cut], self.component("saved-list--title"))
        failed = outcome is not None and outcome.failures
        yield Segment(shown[cut:], self.component("saved-list--failed") if failed else quiet)
        took = outcome.seconds if outcome is not None else None
        yield Segment(" " + fit("" if took is None else duration(took), _TOOK, right=True), quiet)

    def action_open(self) -> None:
        if self.model.calls:
            self.post_message(self.Opened())


def subject(call: SavedCall) -> str:
    """What is asked for; foreign."""
    params = call.params or {}
    given = {name: value for name, value in params.items() if name not in ("name", "uri")}
    arguments = given.pop("arguments", {}) if set(given) == {"arguments"} else given
    target = str(params.get("name", params.get("uri", "")))
    told = numbers.brief(arguments, 200) if arguments else ""
    return " ".join(filter(None, ("" if call.tool else call.method, target, told)))
