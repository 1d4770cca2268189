"""The traffic: a line with the filter and how far the list is, the list, and the detail of one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Label

from inspector.base.errors import Failed
from inspector.base.text import counted as counted_of
from inspector.base.text import decode
from inspector.traffic.completion import complete
from inspector.traffic.query import QueryError
from inspector.traffic.remarks import LONGEST
from inspector.traffic.stats import Tally
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.panes.detail import DetailPane
from inspector.tui.registry import bindings, label
from inspector.tui.remembered import recall
from inspector.tui.undo import Undoable
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.traffic.filter_input import Completions, FilterInput
from inspector.tui.widgets.traffic.frame_columns import CHOICES
from inspector.tui.widgets.traffic.frame_list import TIMES, FrameList
from inspector.tui.widgets.traffic.frame_titles import FrameTitles
from inspector.tui.widgets.traffic.sendable import sendable

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
        & > #traffic-error { display: none; width: 1fr; height: auto; max-height: 3; padding: 0 1; }
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

    class SendAgain(Message):
        """A frame is wanted again, as its method and params; both empty where the row is none that could be. `server`
        and `channel` are those of the row: what went out to a server is `c2s`, to a client of what we serve `s2c`."""

        def __init__(self, server: str, channel: str, method: str, params: str) -> None:
            super().__init__()
            self.server, self.channel = server, channel
            self.method = method
            self.params = params

    def __init__(self, traffic: Traffic, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.way_back: Callable[[], object] | None = None
        self.traffic = traffic
        self._settling: Timer | None = None
        self._state_width = 0
        self._unfinished = False
        self._said = Content()
        self._completions = Completions(id="traffic-completions")
        self._remembered = recall()
        self._tally: Tally | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="traffic-bar"):
            yield FilterInput(
                self._completions,
                lambda source: complete(source, self.traffic),
                lambda: self._remembered.filters,
                placeholder="/ filter: text  kind:error  method:tools/*  -status:ok  took>100ms  a | b  /reg.x/",
                id="traffic-filter",
            )
            yield Label(id="traffic-state", markup=False)
        yield self._completions
        yield Label(id="traffic-error", markup=False)
        frames = FrameList(self.traffic, id="frames")
        with Horizontal(id="traffic-body"):
            with Vertical(id="traffic-list"):
                yield FrameTitles(frames)
                yield frames
            yield DetailPane(self.traffic, id="detail")

    def on_mount(self) -> None:
        frames = self.frames
        self._look_as_before()
        for name in ("follow", "unseen", "shown", "total", "searched"):
            self.watch(frames, name, self._tell_state, init=False)
        self._tell_state()
        self.set_interval(_FRESH, self._refresh_detail)

    def _look_as_before(self) -> None:
        """As the person chose last time."""
        frames, kept = self.frames, self._remembered
        names = [name for name in dict.fromkeys(kept.columns) if name in CHOICES]
        if names:
            frames.choose_columns(names)
        if kept.time in TIMES:
            frames.time_mode = kept.time

    def owners(self) -> list[Widget]:
        """The widgets that own scopes of actions."""
        return [self, self.frames, self.detail]

    @property
    def frames(self) -> FrameList:
        return self.query_one(FrameList)

    @property
    def is_searching(self) -> bool:
        """Whether frames are searched for a text; False also while there is no list yet."""
        return any(frames.searched is not None for frames in self.query(FrameList))

    @property
    def detail(self) -> DetailPane:
        return self.query_one(DetailPane)

    @property
    def detail_open(self) -> bool:
        return self.has_class("-detail")

    def show(self, number: int, back: Callable[[], object] | None = None) -> None:
        """Goes to a row and opens it: for whoever refers to a frame. `back` is where escape leads then."""
        self.way_back = back
        self.frames.select(number)
        self._open(number)

    @property
    def filter_source(self) -> str:
        """The filter as it was typed; empty where there is none."""
        return self.query_one("#traffic-filter", Input).value.strip()

    def filter_by(self, source: str) -> None:
        """Sets the filter as if it had been typed."""
        self.query_one("#traffic-filter", Input).value = source

    def _tell_state(self) -> None:
        frames = self.frames
        parts: list[tuple[str, str]] = []
        if not self.traffic.complete:
            parts.append(("reading … ", "$text-warning"))
        if frames.searched is not None:
            parts.append((f"searching … {frames.searched} % ", "$text-warning"))
        if self.traffic.read_only:
            parts.append(("recording  ", "$quiet"))
        elif frames.follow:
            parts.append(("follow ● ", "$text-success"))
        elif frames.unseen:
            resume = f"{keys} resumes" if (keys := label("frames.follow")) else "click to resume"
            parts.append(
                (f" ‖ paused, {frames.unseen:,} new: {resume} ", "bold $background on $text-warning")
            )
        else:
            parts.append(("paused ‖ ", "$text-warning"))
        style = "bold $foreground" if frames.shown != frames.total else "$quiet"
        counted = (
            f"{frames.shown:,} folded of {frames.total:,}"
            if frames.folded
            else f"{frames.shown:,} of {frames.total:,}"
        )
        if frames.hides_pings and not frames.folded and frames.shown != frames.total:
            hidden = counted_of(frames.total - frames.shown, "ping")
            counted, style = f"{frames.shown:,}, {hidden} left out ({label('traffic.quiet')})", "$quiet"
        parts.append((f" {counted}", style))
        content = Content.assemble(*parts)
        if content == self._said:
            return
        self._said = content
        shown = self.query_one("#traffic-state", Label)
        if content.cell_length + 2 != self._state_width:
            self._state_width = content.cell_length + 2
            shown.styles.width = self._state_width
        shown.update(content, layout=False)

    @on(events.Click, "#traffic-state")
    def _state_clicked(self) -> None:
        if not self.traffic.read_only:
            self.frames.action_toggle_follow()
            self.frames.focus()

    @on(FrameTitles.Clicked)
    def _title_clicked(self, event: FrameTitles.Clicked) -> None:
        """A click on a title does the most that its column is good for."""
        event.stop()
        self.frames.focus()
        if event.column == "time":
            self.action_time()
        elif event.column == "took":
            self.action_slowest()
        elif event.column == "mark":
            self.action_marks()
        else:
            self.action_columns()

    # From row to row; what is open goes along

    def action_step(self, by: int) -> None:
        self.frames.move(by)

    def action_peer(self) -> None:
        self.frames.action_peer()

    def action_slowest(self) -> None:
        self.frames.action_slowest()

    def action_alike(self, direction: int) -> None:
        self.frames.action_alike(direction)

    def action_failure(self, direction: int) -> None:
        self.frames.action_failure(direction)

    def action_next_finding(self) -> None:
        """In an open frame to the next place of it, from the list to the next row."""
        if not (self.detail.has_focus_within and self.detail.next_finding()):
            self.frames.action_finding()

    # Marks

    def action_mark(self) -> None:
        self.frames.action_mark()

    def action_next_mark(self, direction: int) -> None:
        self.frames.action_next_mark(direction)

    def action_marks(self) -> None:
        from inspector.tui.screens.marks import MarksScreen

        if not self.frames.marks:
            self.notify(f"no row is marked yet; {label('traffic.mark')} marks one", timeout=3, markup=False)
            return
        self.app.push_screen(MarksScreen(self.frames), self._mark_chosen)

    def _mark_chosen(self, number: int | None) -> None:
        self.frames.refresh()
        if number is not None and not self.frames.select(number):
            self.notify(f"row {number} is not in the filtered list", timeout=3, markup=False)

    @work(group="dialogs", exclusive=True)
    async def action_note(self) -> None:
        from inspector.tui.screens.line import LineScreen

        number = self.detail.number if self.detail_open else self.frames.selected
        if number is None:
            return
        about = "It goes with the recording; an empty line takes it off. note: in the filter finds it."
        if self.traffic.read_only:
            about = "It is kept beside the recording, which stays as it is; an empty line takes it off."
        before = guard.line(self.traffic.remarks.get(number, ""))
        text = await self.app.push_screen_wait(
            LineScreen(f"Note on frame {number}", about, before, longest=LONGEST)
        )
        if text is None:
            return
        try:
            self.traffic.remark(number, text)
        except IndexError:
            self.notify("the frame is not held any more", timeout=4, markup=False)
        except Failed as failed:
            said = guard.message(f"{failed.failure.message}. {failed.failure.hint or ''}")
            self.notify(said, title="Note", severity="warning", timeout=12, markup=False)
        self.frames.refresh()
        self._refresh_detail()
        if before and text != before:

            def back() -> None:
                self.traffic.remark(number, before)
                self.frames.refresh()
                self._refresh_detail()

            self.post_message(Undoable(f"the note on frame {number} says what it said before", back))

    def action_diff(self) -> None:
        """Two marked rows, or the one that is marked and the selected one; of more, the last two in the list."""
        from inspector.tui.screens.diff import DiffScreen

        frames, marks = self.frames, sorted(self.frames.marks)
        rows = marks[-2:] if len(marks) > 1 else [*marks, *([frames.selected] if marks else [])]
        if len(set(rows)) < 2 or None in rows:
            self.notify(
                f"mark two rows with {label('traffic.mark')}, or one and go to another",
                timeout=4,
                markup=False,
            )
            return
        texts: list[str] = []
        for number in rows:
            row = self.traffic.row(number)  # type: ignore[arg-type]
            name = f" {frames.marks[row.number]}" if row.number in frames.marks else ""
            texts += [f"#{row.number}{name} {row.method or row.kind}", decode(self.traffic.raw(row.number))]
        self.app.push_screen(DiffScreen(texts[0], texts[1], texts[2], texts[3], frames=True))

    def action_send_again(self) -> None:
        number = self.detail.number if self.detail_open else self.frames.selected
        if number is None:
            return
        row = self.traffic.row(number)
        if row.peer is not None and row.kind in ("response", "error"):
            row = self.traffic.row(row.peer)
        said = row.kind in ("request", "notification")
        method, params = sendable(self.traffic.raw(row.number)) if said else ("", "")
        self.post_message(self.SendAgain(row.server, row.channel, method, params))

    def action_figures(self) -> None:
        from inspector.tui.screens.figures import FiguresScreen

        if self._tally is None:
            self._tally = Tally(self.traffic)
        self.app.push_screen(FiguresScreen(self.traffic, self._tally), self._figures_chosen)

    def _figures_chosen(self, chosen: str | int | None) -> None:
        if chosen is None:
            return
        if isinstance(chosen, str):
            self.filter_by(chosen)
        else:
            self.show(chosen)
        self.frames.focus()

    def action_timeline(self) -> None:
        from inspector.tui.screens.timeline import TimelineScreen

        frames = self.frames
        self.app.push_screen(
            TimelineScreen(self.traffic, frames.filter_query, frames.selected), self._moment_chosen
        )

    def _moment_chosen(self, number: int | None) -> None:
        if number is not None and not self.frames.select(number):
            self.notify(f"row {number} is not in the filtered list", timeout=3, markup=False)

    # How it is looked at

    def action_fold(self) -> None:
        self.frames.fold(not self.frames.folded)
        self._tell_state()
        said = "one row an exchange" if self.frames.folded else "a row for each frame"
        self.notify(said, title="Traffic", timeout=2, markup=False)

    def action_quiet(self) -> None:
        frames = self.frames
        frames.set_quiet(not frames.quiet)
        self._tell_state()
        said = "are left out while nothing is filtered" if frames.quiet else "are listed"
        self.notify(f"keep-alive pings behind taps {said}", title="Traffic", timeout=2, markup=False)

    def action_time(self) -> None:
        self.frames.action_time()
        self._remembered.time = self.frames.time_mode
        self._remembered.keep("time")
        words = {
            "clock": "time of day",
            "start": "seconds since the start",
            "step": "seconds since the row above",
        }
        self.notify(words[self.frames.time_mode], title="Time", timeout=2, markup=False)

    def action_columns(self) -> None:
        from inspector.tui.screens.columns import ColumnsScreen

        self.app.push_screen(ColumnsScreen(self.frames), self._columns_chosen)

    def _columns_chosen(self, _: None) -> None:
        self._remembered.columns = list(self.frames.names)
        self._remembered.keep("columns")

    def action_tab(self, direction: int) -> None:
        self.detail.step_tab(direction)

    @work(group="clear")
    async def action_clear(self) -> None:
        from inspector.tui.screens.confirm import ConfirmScreen

        held = self.frames.total
        said = f"{held:,} frames are forgotten for good, here and on the disk. Servers and calls go on."
        if self.traffic.writer is not None:
            said += " The recording keeps them."
        question = ConfirmScreen("Clear the traffic?", Content(said), yes="Clear", no="Keep")
        if await self.app.push_screen_wait(question):
            self._close()
            self.traffic.clear()
            self.frames.follow = True

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
        self._unfinished = False
        try:
            self.frames.set_filter(event.value)
        except QueryError as error:
            self._unfinished = True
            width = self.size.width - 2
            self.query_one("#traffic-error", Label).update(_complaint(error, width))
            # What is still being typed is no mistake yet.
            unfinished = error.column > len(event.value) and complete(event.value, self.traffic)[1]
            self.set_class(not unfinished, "-error")
            return
        self.remove_class("-error")
        self._tell_state()

    @on(Input.Submitted, "#traffic-filter")
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.has_class("-error"):
            self._remembered.used(event.value)
            self._remembered.keep("filters")
            self.frames.focus()

    @on(Completions.Clicked)
    def _completion_clicked(self, event: Completions.Clicked) -> None:
        event.stop()
        self.query_one(FilterInput).take(event.index)

    def action_leave(self) -> None:
        field = self.query_one("#traffic-filter", Input)
        if field.has_focus:
            if self._unfinished:
                field.value = ""
            self.frames.focus()
        elif (back := self.way_back) is not None:
            self.way_back = None
            back()
        elif self.detail_open:
            self._close()
        else:
            before, field.value = field.value, ""
            self.post_message(Undoable("the filter is back", lambda: self.filter_by(before)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "tab":
            return self.detail_open
        if action in ("clear", "send_again"):
            return not self.traffic.read_only
        if action == "leave" and self.is_mounted:
            field = self.query_one("#traffic-filter", Input)
            return field.has_focus or self.detail_open or self.way_back is not None or bool(field.value)
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
        if self.frames.folded and self.traffic.folding.exchange(number) is not None:
            self.detail.open_tab("exchange")
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

    @on(DetailPane.Wanted)
    def _row_wanted(self, event: DetailPane.Wanted) -> None:
        """The list goes along where it has the row."""
        event.stop()
        if event.step:
            self.action_step(event.step)
        elif event.number is not None:
            if not self.frames.select(event.number):
                self.notify(f"row {event.number} is not in the filtered list", timeout=3, markup=False)
            self.detail.show(event.number)

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


def _complaint(error: QueryError, width: int) -> Content:
    """A mark under the column that is wrong, and what is wrong there: behind the mark, or below where that is too
    far to the right."""
    failure = error.failure
    told = guard.line(failure.message.removeprefix(f"filter, column {error.column}: "))
    hint = f"  {guard.line(failure.hint)}" if failure.hint else ""
    left = max(0, error.column - 1)
    behind = left + 2 + len(told) <= width
    parts: list[tuple[str, str]] = [(" " * min(left, width - 1) + "^", "bold $text-error")]
    parts += [(" " if behind else "\n", ""), (told, "bold $foreground"), (hint, "$quiet")]
    return Content.assemble(*parts)
