"""The exchanges of the traffic over time."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from inspector.base.text import duration
from inspector.traffic.query import Query
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.traffic.waterfall import Waterfall, axis


class TimelineScreen(Screen[int | None]):
    """Ends with the row of an exchange to go to, or with None. `number` is the row that is looked at."""

    SCOPE = "timeline"
    BINDINGS: ClassVar[list[BindingType]] = bindings("timeline")
    DEFAULT_CSS = """
    TimelineScreen {
        background: $background;
        & Static { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & > #timeline-head { background: $surface; text-style: bold; }
        & > #timeline-axis { color: $quiet; }
        & > Waterfall { height: 1fr; padding: 0 1; }
        & > #timeline-told { background: $surface; }
    }
    """

    def __init__(self, traffic: Traffic, query: Query | None, number: int | None) -> None:
        super().__init__()
        self._filter = query.source if query is not None else ""
        self._number = number
        self._head = Static(id="timeline-head", markup=False)
        self._axis = Static(id="timeline-axis", markup=False)
        self._bars = Waterfall(traffic, query, id="timeline-bars")
        self._told = Static(id="timeline-told", markup=False)

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._axis
        yield self._bars
        yield self._told
        yield KeyBar()

    def on_mount(self) -> None:
        self._bars.focus()
        self.call_after_refresh(self._first_look)

    def _first_look(self) -> None:
        if self._number is not None:
            self._bars.point(self._number)

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell)

    @on(Waterfall.Changed)
    def _changed(self, event: Waterfall.Changed) -> None:
        event.stop()
        self._tell()

    def _tell(self) -> None:
        bars = self._bars
        begun, length = bars.whole
        start, span = bars.window
        count = bars.line_count()
        seen = duration(length) if bars.span is None else f"{duration(span)} of {duration(length)}"
        found = f" · {guard.line(self._filter)}" if self._filter else ""
        self._head.update(
            Content(f"Time line · {count:,} {'exchange' if count == 1 else 'exchanges'} · {seen}{found}")
        )
        label, width, right = bars.areas(bars.line_width)
        names = ("took", "gap")[: 1 if right < 12 else 2]
        titles = f"{names[0]:>9}" + (f"{names[1]:>10}" if len(names) > 1 else "")
        self._axis.update(Content(" " * (label + 1) + axis(width, begun, start, span) + titles))
        number = bars.selected
        self._told.update(Content(guard.line(bars.told(number), cut=True) if number is not None else ""))

    @on(Waterfall.Opened)
    def _opened(self, event: Waterfall.Opened) -> None:
        event.stop()
        self.dismiss(event.number)

    def action_zoom(self, direction: int) -> None:
        self._bars.zoom(2.0**direction)

    def action_shift(self, direction: int) -> None:
        self._bars.shift(direction / 4)

    def action_all(self) -> None:
        self._bars.show_all()

    def action_close(self) -> None:
        self.dismiss(None)
