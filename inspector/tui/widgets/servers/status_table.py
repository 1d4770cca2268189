"""The table of servers: one row each, and the reason below a row that failed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from inspector.tui import guard, wording
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.moving import Lines
from inspector.tui.widgets.servers import status_columns
from inspector.tui.widgets.text.facts import fit, fold
from inspector.workspace.health import Health, Pulse

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_EXPLAINED = "round trips: the latest answers, tallest is slowest"
KEPT = " ↻"
"""Behind the name of a server that is kept connected."""
MARKED = " ◆"
"""Behind one that is marked."""
_MOST_MARKED = 2

MIDDLE = 46
"""Width in cells from which a short row names the transport too."""
_SHARE = 0.42
"""Part of the screen that the table asks for where there is room for columns."""
_TAIL = 22
"""Cells of transport, one fact and uptime in a short row."""
_HIGH = 20
"""Rows of height from which a reason may take more than two lines."""
_BEAT = 1.0
"""Seconds between two looks at CPU and memory of what is seen; looking takes a twentieth of the time at most."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One painted line: pieces of text with the part of the look they have. `name` is None for a heading."""

    name: str | None
    pieces: tuple[tuple[str, str], ...]


class StatusTable(Lines):
    """Bounded (some hundred servers). `show` takes the connections as they are now; the selection is by name and
    survives every change. Posts `Selected` when it moves and `Opened` on enter or a second click."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "status--ready", "status--starting", "status--open", "status--error", "status--queued", "status--disabled",
        "status--name", "status--quiet", "status--reason", "status--heading", "status--cursor", "status--trips",
    }  # fmt: skip
    DEFAULT_CSS = """
    StatusTable {
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        overflow-x: hidden;
        & > .status--ready { color: $text-success; }
        & > .status--starting { color: $text-warning; }
        & > .status--open { color: $text-warning; }
        & > .status--error { color: $text-error; }
        & > .status--queued { color: $quiet; }
        & > .status--disabled { color: $quiet; }
        & > .status--name { color: $foreground; text-style: bold; }
        & > .status--quiet { color: $quiet; }
        & > .status--reason { color: $text-error; }
        & > .status--trips { color: $text-primary; }
        & > .status--heading { color: $quiet; text-style: bold; }
        & > .status--cursor { background: $cursor-blurred; }
        &:focus > .status--cursor { background: $cursor; }
    }
    """
    HELP = (
        "The servers of the config, each with its state. Below one that failed stands why. Enter goes into the"
        " selected one; r starts it again, d switches it off or on, m marks two to be seen side by side."
    )
    SCOPE = "servers"
    BINDINGS: ClassVar[list[BindingType]] = bindings("servers")

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
        self.marked: list[str] = []
        """Names of servers that a person marked, the first one first; two at most."""
        self._connections: list[Connection] = []
        self._lines: list[_Line] = []
        self._painted_width = 0
        self._layout: status_columns.Layout | None = None
        self._heading: _Line | None = None
        self._explained = False
        self._pulses: dict[str, Pulse] = {}
        self._health: dict[str, Health] = {}

    def on_mount(self) -> None:
        self.set_timer(_BEAT, self._beat)

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
        self.marked = [name for name in self.marked if name in names]
        if self.selected not in names:
            self.selected = names[0] if names else None
        self._lay_out()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As many columns as a fair share of the screen has room for; else what the longest name needs beside the
        short facts."""
        names = self._safe_names()
        share = int(viewport.width * _SHARE)
        if share >= status_columns.HEADED:
            return min(share, status_columns.natural_width(names))
        return min(50, 3 + max(map(cell_len, names), default=0) + 3 + _TAIL)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    def on_resize(self) -> None:
        self._lay_out()

    def _beat(self) -> None:
        """Looks at the processes of the servers that are seen, if somebody sees their numbers."""
        began = time.perf_counter()
        if (
            self._layout is not None
            and self._layout.measures
            and self.is_on_screen
            and self.screen.is_current
        ):
            seen = self._lines[self.scroll_offset.y : self.scroll_offset.y + self.size.height]
            self._measure({line.name for line in seen})
            self._lay_out()
        else:
            self._pulses, self._health = {}, {}
        self.set_timer(max(_BEAT, 20 * (time.perf_counter() - began)), self._beat)

    def _measure(self, names: set[str | None]) -> None:
        pulses, self._pulses, self._health = self._pulses, {}, {}
        for connection in self._connections:
            facts, name = connection.facts, connection.name
            if name in names and connection.state == "ready" and facts is not None and facts.pid is not None:
                pulse = self._pulses[name] = pulses.get(name) or Pulse()
                if (health := pulse.sample(facts.pid)) is not None:
                    self._health[name] = health

    def _safe_names(self) -> list[str]:
        return [guard.line(connection.name) for connection in self._connections]

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        shape = status_columns.layout(width, self._safe_names()) if width >= status_columns.HEADED else None
        self._layout = shape
        explained = bool(shape is not None and shape.bars and self._connections)
        if explained != self._explained:
            # Setting it paints the whole table again.
            self._explained = explained
            self.border_subtitle = Content(_EXPLAINED if explained else "")
        heading = _Line(None, tuple(status_columns.heading(shape))) if shape and self._connections else None
        lines: list[_Line] = []
        for connection in self._connections:
            lines += self._rows(connection, width, shape)
        before, self._lines = self._lines, lines
        if len(lines) != len(before) or width != self._painted_width or heading != self._heading:
            self._painted_width, self._heading = width, heading
            self.virtual_size = Size(width, len(lines) + self._top)
            self.refresh()
            return
        for y, (line, old) in enumerate(zip(lines, before, strict=True)):
            if line != old:
                self.refresh_lines(y + self._top)

    @property
    def _top(self) -> int:
        """Rows that the heading takes; it does not scroll."""
        return 0 if self._heading is None else 1

    def _line_at(self, y: int) -> _Line | None:
        """What stands in a row of the widget."""
        if y < self._top:
            return self._heading
        index = y - self._top + self.scroll_offset.y
        return self._lines[index] if 0 <= index < len(self._lines) else None

    def _rows(self, connection: Connection, width: int, shape: status_columns.Layout | None) -> list[_Line]:
        state = connection.state
        asks = len(connection.inbox.open)
        tone = wording.looks(connection)
        mark = (f" {wording.MARKS[tone]} ", tone) if not asks else (" ? ", "starting")
        name = guard.line(connection.name) + (KEPT if connection.keeping.on else "")
        name += MARKED if connection.name in self.marked else ""
        name += f" ?{asks}" if asks > 1 else ""
        look = "quiet" if state == "disabled" else "name"
        if shape is None:
            pieces = [mark, *_short(connection, name, look, width - 3)]
        elif state == "ready" and not connection.is_served:
            row = status_columns.Row(connection, self._health.get(connection.name))
            pieces = [mark, (fit(name, shape.name) + " ", look), *status_columns.cells(row, shape)]
        else:
            room = max(0, width - shape.name - 4)
            said, at = wording.state(connection), connection.served_at
            pieces = [
                mark,
                (fit(name, shape.name) + " ", look),
                (fit(f"serve    {at} · {said}" if at else said, room), "quiet" if at else tone),
            ]
        lines = [_Line(connection.name, tuple(pieces))]
        if state == "error" or (state == "disabled" and connection.error is not None):
            most = 2 if shape is not None or self.size.height < _HIGH else 4
            reason, again = wording.reason(connection), connection.keeping.again
            if shape is None and again is not None:
                reason = f"{again.number} of {again.most} · {reason}"
            folded = fold(reason, max(10, width - 5), most) if reason else []
            why = "quiet" if tone == "disabled" else "reason"
            lines += [_Line(connection.name, ((f"   {part}", why),)) for part in folded]
        if said := wording.of_file(connection):
            lines.append(_Line(connection.name, ((fit(f"   {said}", width), "starting"),)))
        return lines

    def render_lines(self, crop: Region) -> list[Strip]:
        """The first paint comes before the widget is told its size, and has the servers in it."""
        if self.scrollable_content_region.width != self._painted_width:
            self._lay_out()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        line = self._line_at(y)
        if line is None:
            return Strip.blank(width, self.rich_style)
        ground = self.rich_style
        if line.name is not None and line.name == self.selected:
            ground += Style(bgcolor=self.get_component_rich_style("status--cursor").bgcolor)
        segments = []
        for text, look in line.pieces:
            style = self.get_component_rich_style(f"status--{look}", partial=True)
            segments.append(Segment(text, ground + style))
        return Strip(segments).adjust_cell_length(width, ground)

    def watch_selected(self, before: str | None, name: str | None) -> None:
        for y, line in enumerate(self._lines):
            if line.name in (before, name):
                self.refresh_lines(y + self._top)
        if name is not None:
            self.post_message(self.Selected(name))
            self.call_after_refresh(self._keep_in_view)

    def _keep_in_view(self) -> None:
        spots = [number for number, line in enumerate(self._lines) if line.name == self.selected]
        if spots:
            # The heading stays and covers the first line of what is scrolled to.
            self.scroll_to_region(Region(0, spots[0], 1, len(spots) + self._top), animate=False, force=True)

    def move(self, lines: int) -> None:
        names = [connection.name for connection in self._connections]
        if self.selected in names:
            self.move_to(max(0, names.index(self.selected) + lines))

    def move_to(self, line: int) -> None:
        if self._connections:
            self.selected = self._connections[min(line, len(self._connections) - 1)].name

    def action_mark(self) -> None:
        if (name := self.selected) is None:
            return
        if name in self.marked:
            self.marked.remove(name)
        else:
            self.marked = [*self.marked, name][-_MOST_MARKED:]
        self._lay_out()

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Opened(self.selected))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        line = self._line_at(at.y) if at is not None else None
        if line is not None and line.name is not None:
            self.selected = line.name
            if event.chain == 2:
                self.action_open()


def _name(connection: Connection) -> str:
    return connection.name


def _short(connection: Connection, name: str, look: str, width: int) -> list[tuple[str, str]]:
    """Name at the left, facts at the right: as many as there is room for."""
    state = connection.state
    brief = wording.brief(connection)
    tone = "quiet" if state == "ready" else wording.looks(connection)
    up = wording.clock(connection.uptime or 0).rjust(5) if state == "ready" else ""
    middle = guard.line(connection.transport).ljust(6) if width >= MIDDLE else ""
    if state == "ready":
        brief = brief.rjust(0 if connection.is_tapped else 10)
    elif middle:
        brief = brief.rjust(15)
    tail = f"{middle}{brief}{up} "
    if cell_len(tail) > width - 8:
        tail = f"{brief} "
    room = max(4, width - cell_len(tail) - 1)
    return [(fit(name, room) + " ", look), (tail, tone)]
