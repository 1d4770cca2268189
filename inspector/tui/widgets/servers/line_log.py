"""The last lines of something that keeps writing: follows the end, stands still on request, finds text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.strip import Strip

from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.moving import Lines


class LineLog(Lines):
    """`show` takes foreign lines, oldest first, and how many there ever were. Scrolling up ends following."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "log--line",
        "log--border",
        "log--found",
        "log--current",
        "log--empty",
    }
    DEFAULT_CSS = """
    LineLog {
        height: 1fr;
        & > .log--line { color: $foreground; }
        & > .log--border { color: $text-accent; }
        & > .log--empty { color: $quiet; }
        & > .log--found { color: $background; background: $text-accent; }
        & > .log--current { background: $cursor-blurred; }
        &:focus > .log--current { background: $cursor; }
    }
    """
    HELP = (
        "What the server writes on stderr, as it comes. Moving up stands still, end follows again. / searches, n and"
        " N go from place to place, y copies all lines held."
    )
    SCOPE = "log"
    BINDINGS: ClassVar[list[BindingType]] = bindings("log")

    def __init__(self, empty: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._empty = empty
        self._lines: list[str] = []
        self._mark = (-1, -1)
        self._query = ""
        self._current = -1
        self.follow = True

    @property
    def lines(self) -> list[str]:
        return self._lines

    def show(self, lines: Sequence[str], count: int) -> None:
        mark = (count, len(lines))
        if mark == self._mark:
            return
        self._mark = mark
        if not self.follow:
            return
        self._lines = [guard.line(line.expandtabs(8)) for line in lines]
        self.virtual_size = Size(max(map(cell_len, self._lines), default=0) + 1, len(self._lines))
        self.refresh()
        self.scroll_end(animate=False, force=True, x_axis=False)

    def resume(self, on: bool) -> None:
        """Follows the end, or stands still; what came meanwhile shows when it follows again."""
        self.follow = on
        if on:
            self._mark = (-1, -1)

    def find(self, query: str) -> int:
        """Marks what contains `query`, ignoring case, and shows the last match; returns how many lines have it."""
        self._query = query.lower()
        self._current = -1
        found = self._matches()
        if found:
            self._to(found[-1])
        self.refresh()
        return len(found)

    def action_find(self, direction: int) -> None:
        """To the next line that the search finds, or the one before, round the ends."""
        if found := self._matches():
            beyond = [index for index in found if (index - self._current) * direction > 0]
            self._to((beyond or found)[0 if direction > 0 else -1])

    def _matches(self) -> list[int]:
        if not self._query:
            return []
        return [index for index, line in enumerate(self._lines) if self._query in line.lower()]

    def _to(self, index: int) -> None:
        self.follow = False
        self._current = index
        self.scroll_to_region(Region(0, index, 1, 1), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, ground = self.size.width, self.rich_style
        left, top = self.scroll_offset
        if not self._lines:
            style = ground + self.get_component_rich_style("log--empty", partial=True)
            said = textwrap.wrap(self._empty, max(8, width - 2))
            text = f" {said[y]}" if y < len(said) else ""
            return Strip([Segment(text, style)]).adjust_cell_length(width, ground)
        index = top + y
        if index >= len(self._lines):
            return Strip.blank(width, ground)
        line = self._lines[index]
        style = ground + self.get_component_rich_style(self.look(line), partial=True)
        if index == self._current:
            style += Style(bgcolor=self.get_component_rich_style("log--current").bgcolor)
        return Strip(list(self._pieces(line, style))).crop_extend(left, left + width, style)

    def look(self, line: str) -> str:
        """The component class of a line."""
        return "log--border" if line.startswith("── ") else "log--line"

    def _pieces(self, line: str, style: Style) -> list[Segment]:
        low = line.lower()
        if not self._query or self._query not in low or len(low) != len(line):
            return [Segment(line, style)]
        found = style + self.get_component_rich_style("log--found", partial=True)
        pieces, at = [], 0
        while (start := low.find(self._query, at)) >= 0:
            end = start + len(self._query)
            pieces += [Segment(line[at:start], style), Segment(line[start:end], found)]
            at = end
        return [*pieces, Segment(line[at:], style)]

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        if new < old and self.follow and new < self.max_scroll_y:
            self.follow = False

    def move(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def move_to(self, line: int) -> None:
        if line < 0:
            self.resume(True)
            self.scroll_end(animate=False)
        else:
            self.follow = False
            self.scroll_to(y=line, animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._query) if action == "find" else action != "open"

    def action_sideways(self, cells: int) -> None:
        self.scroll_relative(x=cells, animate=False)
