"""The table of servers: one row each, and the reason below a row that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from inspector.tui import guard, wording
from inspector.tui.widgets.facts import fit, fold

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.workspace.connection import Connection

WIDE = 84
MIDDLE = 46
"""Widths in cells from which the table has all columns, and some of them."""

_TAIL = 22
"""Cells of transport, one fact and uptime in a short row."""
_HIGH = 20
"""Rows of height from which a reason may take more than two lines."""

_COLUMNS = (
    ("SERVER", 0), ("TRANSPORT", 10), ("PROTOCOL", 11), ("TOOLS", 6), ("RES", 6), ("PROMPTS", 8), ("UP", 6), ("PID", 8),
)  # fmt: skip
_NUMBERS = frozenset({"TOOLS", "RES", "PROMPTS", "UP", "PID"})


@dataclass(frozen=True, slots=True)
class _Line:
    """One painted line: pieces of text with the part of the look they have. `name` is None for a heading."""

    name: str | None
    pieces: tuple[tuple[str, str], ...]


class StatusTable(ScrollView, can_focus=True):
    """Bounded (some hundred servers). `show` takes the connections as they are now; the selection is by name and
    survives every change. Posts `Selected` when it moves and `Opened` on enter or a second click."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "status--ready", "status--starting", "status--error", "status--queued", "status--disabled", "status--name",
        "status--quiet", "status--reason", "status--heading", "status--cursor",
    }  # fmt: skip
    DEFAULT_CSS = """
    StatusTable {
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        overflow-x: hidden;
        & > .status--ready { color: $text-success; }
        & > .status--starting { color: $text-warning; }
        & > .status--error { color: $text-error; }
        & > .status--queued { color: $quiet; }
        & > .status--disabled { color: $quiet; }
        & > .status--name { color: $foreground; text-style: bold; }
        & > .status--quiet { color: $quiet; }
        & > .status--reason { color: $text-error; }
        & > .status--heading { color: $quiet; text-style: bold; }
        & > .status--cursor { background: $cursor-blurred; }
        &:focus > .status--cursor { background: $cursor; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("home,g", "edge(0)", "First", show=False),
        Binding("end,G", "edge(-1)", "Last", show=False),
        Binding("enter", "open", "Open", key_display="enter"),
    ]

    selected: reactive[str | None] = reactive(None, repaint=False)

    class Selected(Message):
        """Another server is selected now."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Opened(Message):
        """The person wants to go into this server."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._connections: list[Connection] = []
        self._lines: list[_Line] = []
        self._painted_width = 0

    def show(self, connections: list[Connection]) -> None:
        """Repaints where something differs from what is on the screen."""
        width = self.styles.width
        if (
            width is not None
            and width.is_auto
            and [*map(_name, connections)] != [*map(_name, self._connections)]
        ):
            self.refresh(layout=True)
        self._connections = connections
        names = [connection.name for connection in connections]
        if self.selected not in names:
            self.selected = names[0] if names else None
        self._lay_out()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """What the longest name needs beside the short facts."""
        longest = max((cell_len(guard.line(one.name)) for one in self._connections), default=0)
        return 3 + longest + 1 + _TAIL

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        lines: list[_Line] = []
        if width >= WIDE and self._connections:
            lines.append(self._heading(width))
        for connection in self._connections:
            lines += self._rows(connection, width)
        if lines != self._lines or width != self._painted_width:
            if len(lines) != len(self._lines):
                self.virtual_size = Size(width, len(lines))
            self._lines, self._painted_width = lines, width
            self.refresh()

    def _heading(self, width: int) -> _Line:
        text = "   "
        for column, size in _COLUMNS:
            size = size or self._name_width(width)
            text += column.rjust(size) + " " if column in _NUMBERS else column.ljust(size) + " "
        return _Line(None, ((text, "heading"),))

    def _rows(self, connection: Connection, width: int) -> list[_Line]:
        state = connection.state
        mark = (f" {wording.MARKS[state]} ", state)
        name = guard.line(connection.name)
        look = "quiet" if state == "disabled" else "name"
        if width >= WIDE:
            pieces = [mark, *self._columns(connection, name, look, width)]
        else:
            pieces = [mark, *_short(connection, name, look, width - 3)]
        lines = [_Line(connection.name, tuple(pieces))]
        if state == "error" or (state == "disabled" and connection.error is not None):
            room = max(10, width - 5)
            most = 1 if width >= WIDE else 2 if self.size.height < _HIGH else 4
            folded = fold(wording.reason(connection), room, most)
            lines += [_Line(connection.name, ((f"   {part}", "reason"),)) for part in folded]
        return lines

    def _columns(self, connection: Connection, name: str, look: str, width: int) -> list[tuple[str, str]]:
        session = connection.session
        ready = connection.state == "ready"
        counts = {column: connection.count(kind) for column, kind in _COUNTED}
        facts = connection.facts
        values = {
            "TRANSPORT": guard.line(connection.transport),
            "PROTOCOL": (guard.line(session.version or "") if session is not None and ready else ""),
            "UP": wording.clock(connection.uptime or 0) if ready else "",
            "PID": str(facts.pid) if ready and facts is not None and facts.pid else "",
            **{column: "–" if count is None else str(count) for column, count in counts.items()},
        }
        if not ready:
            values |= {column: "" for column, _ in _COUNTED}
            values["PROTOCOL"] = wording.brief(connection)
        pieces = [(fit(name, self._name_width(width)) + " ", look)]
        for column, size in _COLUMNS[1:]:
            tone = connection.state if column == "PROTOCOL" and not ready else "quiet"
            text = values[column]
            pieces.append(
                ((fit(text, size, right=True) if column in _NUMBERS else fit(text, size)) + " ", tone)
            )
        return pieces

    def _name_width(self, width: int) -> int:
        """As wide as the longest name needs, as far as there is room."""
        room = width - 3 - sum(size + 1 for _, size in _COLUMNS if size) - 1
        longest = max((cell_len(guard.line(one.name)) for one in self._connections), default=0)
        return max(12, min(room, max(18, longest + 2)))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        index = y + self.scroll_offset.y
        if index >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[index]
        ground = self.rich_style
        if line.name is not None and line.name == self.selected:
            ground += Style(bgcolor=self.get_component_rich_style("status--cursor").bgcolor)
        segments = []
        for text, look in line.pieces:
            style = self.get_component_rich_style(f"status--{look}", partial=True)
            segments.append(Segment(text, ground + style))
        return Strip(segments).adjust_cell_length(width, ground)

    def watch_selected(self, name: str | None) -> None:
        self.refresh()
        if name is not None:
            self.post_message(self.Selected(name))
            self.call_after_refresh(self._keep_in_view)

    def _keep_in_view(self) -> None:
        spots = [number for number, line in enumerate(self._lines) if line.name == self.selected]
        if spots:
            self.scroll_to_region(Region(0, spots[0], 1, len(spots)), animate=False, force=True)

    def action_move(self, by: int) -> None:
        names = [connection.name for connection in self._connections]
        if names and self.selected in names:
            self.selected = names[min(len(names) - 1, max(0, names.index(self.selected) + by))]

    def action_edge(self, index: int) -> None:
        if self._connections:
            self.selected = self._connections[index].name

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Opened(self.selected))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        index = at.y + self.scroll_offset.y if at is not None else -1
        if 0 <= index < len(self._lines) and (name := self._lines[index].name) is not None:
            self.selected = name
            if event.chain == 2:
                self.action_open()


_COUNTED: tuple[tuple[str, ListKind], ...] = (
    ("TOOLS", "tools"),
    ("RES", "resources"),
    ("PROMPTS", "prompts"),
)


def _name(connection: Connection) -> str:
    return connection.name


def _short(connection: Connection, name: str, look: str, width: int) -> list[tuple[str, str]]:
    """Name at the left, facts at the right: as many as there is room for."""
    state = connection.state
    brief = wording.brief(connection)
    tone = "quiet" if state == "ready" else state
    up = wording.clock(connection.uptime or 0).rjust(5) if state == "ready" else ""
    middle = guard.line(connection.transport).ljust(6) if width >= MIDDLE else ""
    if state == "ready":
        brief = brief.rjust(10)
    elif middle:
        brief = brief.rjust(15)
    tail = f"{middle}{brief}{up} "
    if cell_len(tail) > width - 8:
        tail = f"{brief} "
    room = max(4, width - cell_len(tail) - 1)
    return [(fit(name, room) + " ", look), (tail, tone)]
