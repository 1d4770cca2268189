"""The traffic: a line with the filter and how far the list is, the list, and the detail of one row."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Label

from inspector.traffic.index import KINDS, STATES
from inspector.traffic.lines import FLAGS
from inspector.traffic.query import FIELDS, QueryError
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.panes.detail import DetailPane
from inspector.tui.registry import bindings
from inspector.tui.widgets.frame_list import FrameList, FrameTitles
from inspector.tui.widgets.line_view import LineView

WIDE = 140
_SETTLED = 0.03
_FRESH = 0.5


class TrafficPane(Vertical):
    """Shows one `Traffic`. The list keeps the focus when the detail opens and the detail goes with its cursor; enter
    once more goes into the detail, escape comes back and then closes it."""

    SCOPE = "traffic"
    BINDINGS: ClassVar[list[BindingType]] = bindings("traffic")
    BINDING_GROUP_TITLE = "Traffic"
    DEFAULT_CSS = """
    TrafficPane {
        & > #traffic-bar { height: 1; background: $panel; }
        & #traffic-filter { width: 1fr; background: $panel; }
        & #traffic-state { width: auto; height: 1; padding: 0 1; }
        & > #traffic-error { display: none; width: 1fr; height: auto; max-height: 2; padding: 0 1; }
        & > #traffic-error { background: $error 15%; }
        &.-error > #traffic-error { display: block; }
        & > #traffic-body { height: 1fr; }
        & #traffic-list { width: 1fr; height: 1fr; }
        & DetailPane { display: none; height: 1fr; }
        &.-detail DetailPane { display: block; }
        &.-detail #traffic-body { layout: vertical; }
        &.-detail DetailPane { height: 60%; }
        &.-wide.-detail #traffic-body { layout: horizontal; }
        &.-wide.-detail DetailPane { width: 50%; height: 1fr; border-left: solid $line; }
    }
    """

    class DetailShown(Message):
        """A frame is open for reading, or (`shown` False) it was closed."""

        def __init__(self, shown: bool) -> None:
            super().__init__()
            self.shown = shown

    def __init__(self, traffic: Traffic, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.traffic = traffic
        self._settling: Timer | None = None
        self._state_width = 0

    def compose(self) -> ComposeResult:
        with Horizontal(id="traffic-bar"):
            yield Input(
                placeholder="/ filter: text  dir:in  kind:error  method:tools/*  id:7  status:pending  ms>100",
                suggester=FilterSuggester(self.traffic),
                id="traffic-filter",
                compact=True,
            )
            yield Label(id="traffic-state", markup=False)
        yield Label(id="traffic-error", markup=False)
        frames = FrameList(self.traffic, id="frames")
        with Horizontal(id="traffic-body"):
            with Vertical(id="traffic-list"):
                yield FrameTitles(frames)
                yield frames
            yield DetailPane(self.traffic, id="detail")

    def on_mount(self) -> None:
        frames = self.frames
        for name in ("follow", "unseen", "shown", "total"):
            self.watch(frames, name, self._tell_state, init=False)
        self._tell_state()
        self.set_interval(_FRESH, self._refresh_detail)

    def owners(self) -> list[Widget]:
        """The widgets that own scopes of actions."""
        return [self, self.frames, self.detail]

    @property
    def frames(self) -> FrameList:
        return self.query_one(FrameList)

    @property
    def detail(self) -> DetailPane:
        return self.query_one(DetailPane)

    @property
    def detail_open(self) -> bool:
        return self.has_class("-detail")

    def show(self, number: int) -> None:
        """Goes to a row and opens it: for whoever refers to a frame."""
        self.frames.select(number)
        self._open(number)

    def filter_by(self, source: str) -> None:
        """Sets the filter as if it had been typed."""
        self.query_one("#traffic-filter", Input).value = source

    def _tell_state(self) -> None:
        frames = self.frames
        parts: list[tuple[str, str]] = []
        if frames.unseen:
            parts.append((f"+{frames.unseen:,} new ", "bold $text-warning"))
        if not self.traffic.complete:
            parts.append(("reading … ", "$text-warning"))
        if self.traffic.read_only:
            parts.append(("recording  ", "$quiet"))
        elif frames.follow:
            parts.append(("follow ● ", "$text-success"))
        else:
            parts.append(("follow ○ ", "$quiet"))
        style = "bold $foreground" if frames.shown != frames.total else "$quiet"
        parts.append((f" {frames.shown:,} of {frames.total:,}", style))
        label, content = self.query_one("#traffic-state", Label), Content.assemble(*parts)
        if content.cell_length + 2 != self._state_width:
            self._state_width = content.cell_length + 2
            label.styles.width = self._state_width
        label.update(content, layout=False)

    @on(events.Click, "#traffic-state")
    def _state_clicked(self) -> None:
        self.frames.action_toggle_follow()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")

    # The filter

    def open_filter(self) -> None:
        """Puts the focus on the filter."""
        self.query_one("#traffic-filter", Input).focus()

    def action_filter(self) -> None:
        self.open_filter()

    @on(Input.Changed, "#traffic-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        try:
            self.frames.set_filter(event.value)
        except QueryError as error:
            self.query_one("#traffic-error", Label).update(_complaint(error))
            self.add_class("-error")
            return
        self.remove_class("-error")
        self._tell_state()

    @on(Input.Submitted, "#traffic-filter")
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.has_class("-error"):
            self.frames.focus()

    def action_leave(self) -> None:
        field = self.query_one("#traffic-filter", Input)
        if field.has_focus:
            if self.has_class("-error"):
                field.value = ""
            self.frames.focus()
        elif self.detail_open:
            self._close()
        else:
            field.value = ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "leave" and self.is_mounted:
            field = self.query_one("#traffic-filter", Input)
            return field.has_focus or self.detail_open or bool(field.value)
        return True

    # The detail

    @on(FrameList.Opened)
    def _opened(self, event: FrameList.Opened) -> None:
        event.stop()
        if self.detail_open and self.detail.number == event.number:
            self.detail.focus_content()
        else:
            self._open(event.number)

    def _open(self, number: int) -> None:
        self.frames.follow = False
        self.add_class("-detail")
        self.post_message(self.DetailShown(True))
        self.refresh_bindings()
        self.detail.show(number)
        self.call_after_refresh(self.frames.show_cursor)

    @on(FrameList.Selected)
    def _selected(self, event: FrameList.Selected) -> None:
        event.stop()
        if self._settling is not None:
            self._settling.stop()
        if self.detail_open and event.number is not None:
            self._settling = self.set_timer(_SETTLED, self._show_selected)

    def _show_selected(self) -> None:
        if self.detail_open and (number := self.frames.selected) is not None:
            self.detail.show(number)

    def _refresh_detail(self) -> None:
        if self.detail_open:
            self.detail.refresh_facts()

    @on(DetailPane.Closed)
    def _detail_closed(self, event: DetailPane.Closed) -> None:
        """Escape in the detail goes back to the list; there it closes it."""
        event.stop()
        if self.detail.has_focus_within:
            self.frames.focus()
        else:
            self._close()

    def _close(self) -> None:
        self.remove_class("-detail")
        self.post_message(self.DetailShown(False))
        self.refresh_bindings()
        self.frames.focus()

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()


def _complaint(error: QueryError) -> Content:
    """A mark under the column that is wrong, and what is wrong there."""
    failure = error.failure
    told = failure.message.removeprefix(f"filter, column {error.column}: ")
    parts: list[tuple[str, str]] = [
        (" " * max(0, error.column - 1) + "^ ", "bold $text-error"),
        (guard.line(told), "bold $foreground"),
    ]
    if failure.hint:
        parts.append((f"  {guard.line(failure.hint)}", "$quiet"))
    return Content.assemble(*parts)


class FilterSuggester(Suggester):
    """Completes the last word of a filter: the fields, and the values that a field can have."""

    def __init__(self, traffic: Traffic) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._traffic = traffic

    async def get_suggestion(self, value: str) -> str | None:
        word = value.rsplit(None, 1)[-1] if value and not value[-1].isspace() else ""
        name, colon, begun = word.lstrip("-!").partition(":")
        if not word or (not colon and not name):
            return None
        if not colon:
            options = [f"{field}:" if field not in ("size", "ms") else f"{field}>" for field in FIELDS]
            begun = name
        else:
            begun = begun.rpartition(",")[2]
            options = self._values(name.lower())
        found = next((option for option in options if option.startswith(begun) and option != begun), None)
        return value + found[len(begun) :] if found and (begun or colon) else None

    def _values(self, name: str) -> list[str]:
        names = self._traffic.columns.names
        if name == "dir":
            return ["in", "out", "err", "sys", "http"]
        if name == "kind":
            return [*KINDS, "all"]
        if name == "status":
            return ["ok", "failed", *(state.partition(" ")[0] for state in STATES if state)]
        if name == "flag":
            return [flag.replace(" ", "-") for flag in FLAGS]
        if name in ("method", "tool"):
            return [text for text in names.known() if ("/" in text) == (name == "method") and " " not in text]
        if name == "server":
            return sorted(
                {session.label for session in self._traffic.sessions.values() if " " not in session.label}
            )
        return []
