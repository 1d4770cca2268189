"""The tools of a server as a remote skill exposes them: hidden, listed, exposed, one a line."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from inspector.base.text import clip
from inspector.lenses.solon.verdicts import Exposure
from inspector.protocol.solon import MANAGEMENT
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView, fit

_COLUMNS = ("hidden", "listed", "model")
_CELL, _LEAST, _MOST = 8, 16, 200
"""Cells of a column and at least of a name, and characters of a name that are shown."""


class ToolWanted(Message):
    """The person wants to call a tool, whatever the filter says of it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


@dataclass(frozen=True, slots=True)
class Line:
    """`cells` are those of the columns, `is_tool` tells a tool of the server from an entry that is none."""

    name: str
    cells: tuple[str, ...]
    remark: str
    exposed: bool = False
    is_tool: bool = True


def lines_of(exposure: Exposure, *, with_management: bool) -> list[Line]:
    """Every tool, and below them what the list has that is none."""
    lines = [
        Line(row.name, (_yes(row.hidden), _yes(row.listed), _yes(row.exposed)), row.remark, row.exposed)
        for row in exposure.rows
        if with_management or row.name not in MANAGEMENT
    ]
    for entry in exposure.unknown:
        lines.append(
            Line(entry, ("", "yes", "no"), "no tool of the server: dropped without a word", is_tool=False)
        )
    for entry in exposure.dropped:
        lines.append(Line(entry, ("", "yes", "no"), "no name: dropped without a word", is_tool=False))
    twice = set(exposure.twice)
    return [
        Line(line.name, line.cells, "; ".join(filter(None, (line.remark, "listed more than once"))), line.exposed,
             line.is_tool) if line.name in twice else line
        for line in lines
    ]  # fmt: skip


def _yes(value: bool | None) -> str:
    return "–" if value is None else "yes" if value else "no"


class ExposureTable(LineView):
    """Posts `ToolWanted` on enter."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"exposure--{name}" for name in ("exposed", "quiet", "wrong", "name")
    }
    DEFAULT_CSS = """
    ExposureTable {
        height: 1fr;
        & > .exposure--exposed { color: $text-success; text-style: bold; }
        & > .exposure--quiet { color: $quiet; }
        & > .exposure--wrong { color: $text-warning; }
        & > .exposure--name { color: $foreground; }
    }
    """
    HELP = (
        "Every tool of the server: whether it is hidden by its marker, whether the skill has listed it, whether it"
        " reaches the model. A skill only filters: enter goes to the tool, where it can be called all the same."
    )

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._longest = _LEAST

    def show(self, lines: Sequence[Line]) -> None:
        if lines != self._lines:
            self._lines = lines
            self._longest = max(
                (cell_len(guard.line(clip(line.name, _MOST))) for line in lines), default=_LEAST
            )
            self.lines_changed()
            self.repaint()

    @property
    def line(self) -> Line | None:
        """The one under the cursor."""
        return self._lines[self.cursor] if self.cursor < len(self._lines) else None

    def line_count(self) -> int:
        return len(self._lines)

    def line_key(self, index: int) -> Hashable:
        return self._lines[index]

    def empty_text(self) -> str:
        return "this server lists no tools"

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        line = self._lines[index]
        room = self.room(width)
        quiet = self.component("exposure--quiet")
        tone = self.component("exposure--name") if line.exposed else quiet
        if not line.is_tool:
            tone = self.component("exposure--wrong")
        yield Segment("● " if line.exposed else "  ", self.component("exposure--exposed"))
        yield Segment(fit(guard.line(clip(line.name, _MOST), cut=len(line.name) > _MOST), room), tone)
        for cell in line.cells:
            yield Segment(
                " " + fit(cell, _CELL - 1), self.component("exposure--exposed") if line.exposed else quiet
            )
        told = width - 2 - room - _CELL * len(_COLUMNS) - 1
        if line.remark and told > 4:
            yield Segment(" " + fit(guard.line(line.remark), told), quiet)

    def room(self, width: int) -> int:
        """Cells for the name of a tool, where a line has so many."""
        return max(_LEAST, min(self._longest, width - 2 - _CELL * len(_COLUMNS)))

    def action_open(self) -> None:
        line = self.line
        if line is not None and line.is_tool:
            self.post_message(ToolWanted(line.name))


class ExposureTitles(Widget):
    """The line over a table."""

    DEFAULT_CSS = """
    ExposureTitles { height: 1; color: $quiet; background: $panel; }
    """

    def __init__(self, table: ExposureTable) -> None:
        super().__init__()
        self._table = table

    def render(self) -> Content:
        room = self._table.room(self.content_size.width - 1)
        return Content("  " + fit("tool", room) + "".join(" " + fit(name, _CELL - 1) for name in _COLUMNS))
