"""The differences between two sides, one a line."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.segment import Segment
from textual.message import Message

from inspector.tui import guard
from inspector.tui.compared_lines import Line
from inspector.tui.widgets.lists.line_view import LineView, fit

_BREAKING = "breaking"


class DifferenceList(LineView):
    """Posts `Opened` on enter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"differences--{name}" for name in ("new", "old", "changed", "quiet", "breaking")
    }
    DEFAULT_CSS = """
    DifferenceList {
        & > .differences--new { color: $text-success; }
        & > .differences--old { color: $text-error; }
        & > .differences--changed { color: $text-warning; }
        & > .differences--quiet { color: $quiet; }
        & > .differences--breaking { color: $text-error; text-style: bold; }
    }
    """
    HELP = (
        "What came (+), went (−) or changed (~), and calls that are answered differently (≠) or slower (◔)."
    )

    class Opened(Message):
        """The line under the cursor is to be looked at."""

    def __init__(self) -> None:
        super().__init__(id="differences")
        self._lines: list[Line] = []
        self._nothing = ""
        self._serial = 0

    def load(self, lines: list[Line], nothing: str) -> None:
        """`nothing` is said where there are none; safe text."""
        self._lines, self._nothing = lines, nothing
        self._serial += 1
        self.lines_changed()
        self.repaint()

    @property
    def current(self) -> Line | None:
        return self._lines[self.cursor] if self.cursor < len(self._lines) else None

    def line_count(self) -> int:
        return len(self._lines)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return self._nothing

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        line = self._lines[index]
        indent = "    " if line.inside else ""
        yield Segment(f"{indent}{line.sign} ", self.component(f"differences--{line.tone}"))
        room = width - len(indent) - 2 - (len(_BREAKING) + 1 if line.breaking else 0)
        text = fit(guard.line(line.text, cut=True), max(8, room))
        yield Segment(text, self.component("differences--quiet") if line.inside else None)
        if line.breaking:
            yield Segment(f" {_BREAKING}", self.component("differences--breaking"))

    def action_open(self) -> None:
        if self._lines:
            self.post_message(self.Opened())
