"""The list of frames: a window on the traffic, one line a row, however many there are.

Nothing is told to it about single frames. While it is seen it looks at the traffic twenty times a second, lets it
describe what is new for a slice of time, and paints the lines that changed.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer

from inspector.base.text import decode, duration
from inspector.traffic.query import Query, compile
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.tui import guard
from inspector.tui.registry import bindings, spoken
from inspector.tui.undo import Undoable
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.traffic import seeking
from inspector.tui.widgets.traffic.frame_columns import USUAL, Columns, Folded, clock_text, layout, paint_row

TICK = 0.05
_SLICE = 0.008
_SEARCH = 0.016
"""A slice where somebody waits for what a filter finds and nothing else comes in."""
_PAUSE = 0.002
_AGAIN = 20
"""A filter for states is asked anew after this many ticks, when something has changed."""

TimeMode = Literal["clock", "start", "step"]
TIMES: tuple[TimeMode, ...] = ("clock", "start", "step")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Names of marks."""


class FrameList(LineView):
    """The rows of a `View`: `shown` of `total` pass the filter. While `follow` is set the cursor stays on the newest
    row; moving up ends that, going to the end begins it again. `unseen` counts the listed rows that came since;
    `searched` is how many percent the filter has looked at, None when it is through. `marks` are the marked rows with
    the name of each, `names` the columns that the person wants."""

    SCOPE = "frames"
    BINDINGS: ClassVar[list[BindingType]] = bindings("frames")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"frame-list--{name}"
        for name in (
            "request", "notification", "response", "error", "batch", "invalid", "stderr", "sys", "http", "part",
            "quiet", "text", "server", "out", "in", "odd", "pending", "slow", "mark", "pair", "peer", "marked", "note",
            "wrong-error", "wrong-warning", "wrong-info",
        )
    }  # fmt: skip
    DEFAULT_CSS = """
    FrameList {
        & > .frame-list--request { color: $text-primary; text-style: bold; }
        & > .frame-list--notification { color: $text-secondary; }
        & > .frame-list--response { color: $text-success; }
        & > .frame-list--error { color: $text-error; text-style: bold; }
        & > .frame-list--batch { color: $text-accent; }
        & > .frame-list--invalid { color: $text-warning; text-style: bold; }
        & > .frame-list--stderr { color: $quiet; }
        & > .frame-list--sys { color: $quiet; text-style: italic; }
        & > .frame-list--http { color: $text-accent; }
        & > .frame-list--part { color: $quiet; }
        & > .frame-list--quiet { color: $quiet; }
        & > .frame-list--text { color: $foreground; }
        & > .frame-list--server { color: $foreground; }
        & > .frame-list--out { color: $text-primary; }
        & > .frame-list--in { color: $text-success; }
        & > .frame-list--odd { color: $text-warning; text-style: bold; }
        & > .frame-list--pending { color: $text-warning; }
        & > .frame-list--slow { color: $text-warning; }
        & > .frame-list--mark { color: $text-warning; text-style: bold; }
        & > .frame-list--note { color: $text-accent; text-style: italic; }
        & > .frame-list--wrong-error { color: $text-error; text-style: bold; }
        & > .frame-list--wrong-warning { color: $text-warning; }
        & > .frame-list--wrong-info { color: $text-secondary; }
        & > .frame-list--pair { color: $text-primary; }
        & > .frame-list--peer { background: $peer; }
        & > .frame-list--marked { background: $marked; }
    }
    """
    HELP = (
        "One row for each frame that crossed the wire, of all servers. → went to the server, ← came from it. The"
        ' bracket at the left joins the selected request with its answer; "took" is the time between the two.'
    )

    follow: reactive[bool] = reactive(True, repaint=False, init=False)
    unseen: reactive[int] = reactive(0, repaint=False, init=False)
    shown: reactive[int] = reactive(0, repaint=False, init=False)
    total: reactive[int] = reactive(0, repaint=False, init=False)
    searched: reactive[int | None] = reactive(None, repaint=False, init=False)
    columns: reactive[Columns] = reactive(Columns((), 1), repaint=False, init=False)

    class Selected(Message):
        """Another row is under the cursor; `number` is None where the list is empty."""

        def __init__(self, frames: FrameList, number: int | None) -> None:
            super().__init__()
            self.frames = frames
            self.number = number

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, FrameList.Selected) and message.frames is self.frames

    class Marked(Message):
        """Marks came or went."""

    class Opened(Message):
        """The row is to be shown in detail."""

        def __init__(self, frames: FrameList, number: int) -> None:
            super().__init__()
            self.frames = frames
            self.number = number

    def __init__(self, traffic: Traffic, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.traffic = traffic
        if traffic.read_only:
            self.set_reactive(FrameList.follow, False)
        self.view = self._all = View(traffic)
        self.folded = False
        """Whether one row stands for a whole exchange."""
        self.quiet = True
        """Whether keep-alive pings of others are left out, see `hush`."""
        self._calm: Query | None = None
        self._calm_source = ""
        self.filter_query: Query | None = None
        """The filter; None where all is listed."""
        self.marks: dict[int, str] = {}
        self.time_mode: TimeMode = "clock"
        self.names: tuple[str, ...] = USUAL
        self._coming: View | None = None
        self._stale = False
        self._age = 0
        self._catching_up = False
        self._searching = False
        self._unshown = False
        self._skipped = False
        self._slow_one = -1
        self._revision = -1
        self._behind = True
        self._selected: int | None = None
        self._pair: tuple[int, int] = (-1, -1)
        self._timer: Timer | None = None
        self._left_at = 0
        self._seen_at_all = True
        self._was_focused = False
        self._first = traffic.first
        self._painted: tuple[Hashable, ...] = ()

    def on_mount(self) -> None:
        self._timer = self.set_interval(TICK, self.tick)
        self.tick()

    def on_show(self) -> None:
        self._seen_at_all = True
        if self._timer is not None:
            self._timer.resume()

    def on_hide(self) -> None:
        self._seen_at_all = False
        if self._timer is not None:
            self._timer.pause()

    # What is listed

    def set_filter(self, source: str) -> None:
        """Lists what the filter finds; empty lists all. Raises QueryError, and then nothing has changed."""
        query = compile(source)
        self.filter_query = query if source.strip() else None
        self._list()

    def hush(self, source: str) -> None:
        """Where nothing else is filtered, this filter tells what is listed of the keep-alive pings of others; empty
        where there are none."""
        if source == self._calm_source:
            return
        self._calm_source = source
        self._calm = compile(source) if source else None
        if self.filter_query is None and self.quiet:
            self._list()

    def set_quiet(self, on: bool) -> None:
        """Leaves those pings out, or lists them."""
        self.quiet = on
        self._list()

    @property
    def hides_pings(self) -> bool:
        return self.quiet and self._calm is not None and self.filter_query is None

    def fold(self, on: bool) -> None:
        """One row an exchange, or a row for each frame; the cursor stays with what it is on."""
        self.folded = on
        self._list()
        self.repaint()

    def _list(self) -> None:
        """Begins the list anew."""
        self._coming, self._stale = None, False
        query = self._calm if self.hides_pings else self.filter_query
        every = query is None and not self.folded
        self.view = self._all if every else View(self.traffic, query, folded=self.folded)
        self._behind = self._searching = self.view.extend(_SLICE)
        self._place_cursor()
        self._grown()
        self.refresh()
        self._go_on()

    @property
    def selected(self) -> int | None:
        """The number of the row under the cursor."""
        return self.view[self.cursor] if self.cursor < len(self.view) else None

    def select(self, number: int) -> bool:
        """Puts the cursor on a row, or on that of its exchange; False where it is not listed, and the cursor is on the
        one before it."""
        number = self.view.listed_for(number)
        place = self.view.place_of(number)
        self.follow = False
        self.cursor = place
        return place < len(self.view) and self.view[place] == number

    def tick(self) -> None:
        """Looks at what is new."""
        changed = self._revision != self.traffic.revision
        if not (changed or self._behind or self._stale or self._unshown or self._coming is not None):
            return
        self._work()
        if self._rushing():
            self._unshown = True
        else:
            self._show_news(changed)
        self._go_on()

    def _go_on(self) -> None:
        if self._behind and not self._catching_up:
            self._catching_up = True
            self.set_timer(_PAUSE, self._catch_up)

    def _rushing(self) -> bool:
        """Nobody can read along: every second look at what is new leaves the screen to keys."""
        rushes = self.follow and self.shown > 0 and len(self.view) - self.shown > self.page
        self._skipped = rushes and not self._skipped
        return self._skipped

    def _show_news(self, changed: bool) -> None:
        self._unshown = False
        self._renew(changed)
        if self.traffic.first != self._first:
            self._first = self.traffic.first
            self._rows_left()
        self._grown()
        if (seen := self._seen()) != self._painted:
            self._painted = seen
            self.refresh()

    def _work(self) -> None:
        """Describes and lists what is new for one slice of time, so that keys never wait much longer than that."""
        traffic = self.traffic
        until = time.monotonic() + (_SEARCH if self._searching and traffic.read_only else _SLICE)
        self._behind = traffic.advance(_SLICE)
        self._revision = traffic.revision
        for view in {self._all, self.view, self._coming or self.view}:
            self._behind |= view.extend(max(_SLICE / 4, until - time.monotonic()))

    def _catch_up(self) -> None:
        """Goes on between two ticks while there is more to do; the screen is left for the next tick, unless a filter
        has just found all there is."""
        self._catching_up = False
        if not self._seen_at_all:
            return
        if self._behind:
            self._work()
            self._unshown = True
        if self._searching and not self._behind:
            self._searching = False
            self._show_news(True)
        self._go_on()

    def _renew(self, changed: bool) -> None:
        """States change behind a filter's back: a second view is made ready and takes the place of the first."""
        if not self.view.query.volatile:
            return
        self._stale |= changed
        if self._coming is not None:
            if not self._behind:
                self.view, self._coming = self._coming, None
                self._place_cursor()
            return
        self._age += 1
        if self._stale and self._age >= _AGAIN:
            self._age, self._stale = 0, False
            self._coming = View(self.traffic, self.view.query, folded=self.folded)
            self._behind = True

    def _seen(self) -> tuple[Hashable, ...]:
        """What the lines on the screen depend on."""
        top = self.scroll_offset.y
        return tuple(self.line_key(index) for index in range(top, min(top + self.page, len(self.view))))

    def _rows_left(self) -> None:
        """The oldest rows are gone: cursor and view stay with the rows they are on."""
        self.marks = {number: name for number, name in self.marks.items() if number >= self.traffic.first}
        top = self.scroll_offset.y
        before = self.cursor
        self._place_cursor()
        if not self.follow:
            self.scroll_to(y=top - max(0, before - self.cursor), animate=False, force=True)

    def _place_cursor(self) -> None:
        if self._selected is not None and not self.follow:
            self.set_reactive(
                FrameList.cursor,
                min(self.view.place_of(self.view.listed_for(self._selected)), max(0, len(self.view) - 1)),
            )

    def _grown(self) -> None:
        count = len(self.view)
        self.columns = self._layout()
        self._searching = self._behind and (
            self._searching or (self.traffic.read_only and self.filter_query is not None)
        )
        self.searched = round(100 * self.view.looked_at) if self._searching else None
        self.shown, self.total = count, len(self._all)
        self.lines_changed()
        if self.follow:
            self.cursor = count - 1
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
        elif not self.traffic.read_only:
            self.unseen = count - self.view.place_of(self._left_at)
        self._select()

    def _select(self) -> None:
        """Remembers the selected row and its peer, and tells where it is another one."""
        number = self.selected
        self._pair = self._pair_of(number)
        if number != self._selected:
            self._selected = number
            self.post_message(self.Selected(self, number))

    def _pair_of(self, number: int | None) -> tuple[int, int]:
        """First and last row of the selected row and its peer; (-1, -1) where it has none."""
        if number is None:
            return -1, -1
        position = number - self.traffic.first
        peers = self.traffic.columns.peer
        peer = peers[position] - 1 if 0 <= position < len(peers) else -1
        return (min(number, peer), max(number, peer)) if peer >= self.traffic.first else (-1, -1)

    # What is painted

    def line_count(self) -> int:
        return len(self.view)

    def empty_text(self) -> str:
        if not self.traffic.complete and not self.total:
            return "reading …"
        if not self.total:
            return (
                "This recording has no frames."
                if self.traffic.read_only
                else "No frames yet: all that is sent and comes is listed here."
            )
        if self.searched is not None:
            return f"searching … {self.searched} %"
        return f"No frame passes the filter; {spoken('filter')} changes it."

    def watch_searched(self) -> None:
        if not self.view:
            self.refresh()

    def line_key(self, index: int) -> Hashable:
        number = self.view[index]
        columns = self.traffic.columns
        position = number - self.traffic.first
        if not 0 <= position < columns.described:
            return number, self._gutter(number), self.time_mode, self.columns, self.marks.get(number)
        above = self.view[index - 1] if index and self.time_mode == "step" else number
        facts: Hashable = columns.peer[position], columns.state[position], columns.flags[position]
        judged = self.traffic.judged
        mark = self.marks.get(number), self.traffic.remarks.get(number), judged.key(number)
        if self.folded:
            exchange = self.traffic.folding.exchange(number)
            facts = (
                facts,
                exchange,
                judged.key(exchange.answer) if exchange and exchange.answer is not None else 0,
            )
        return number, facts, self._gutter(number), self.time_mode, above, self.columns, mark

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        number = self.view[index]
        try:
            row = self.traffic.row(number)
        except IndexError:
            return
        time, mark = self._time(index, row.time), self.marks.get(number, "")
        folded = self._folded(number) if self.folded else None
        answer = folded.answer if folded is not None else None
        verdicts = self.traffic.judged.at(number, *([answer.number] if answer is not None else []))
        yield from paint_row(
            row, self.columns, self._gutter(number), time, self._style, mark, folded, verdicts
        )

    def _folded(self, number: int) -> Folded | None:
        exchange = self.traffic.folding.exchange(number)
        if exchange is None:
            return None
        return Folded(exchange, self.traffic.row(exchange.answer) if exchange.answer is not None else None)

    def _style(self, name: str) -> Style:
        return self.component(f"frame-list--{name}")

    def _gutter(self, number: int) -> str:
        """A mark, and the bracket that joins the selected row with its peer."""
        first, last = self._pair
        pair = " "
        if first <= number <= last:
            pair = "┌" if number == first else "└" if number == last else "│"
        return (_sign(self.marks[number]) if number in self.marks else " ") + pair

    def _time(self, index: int, moment: float) -> str:
        traffic = self.traffic
        before = 0.0
        if self.time_mode == "start":
            before = traffic.columns.time[0]
        elif self.time_mode == "step":
            above = self.view[index - 1] - traffic.first if index else -1
            before = traffic.columns.time[above] if above >= 0 else moment
        return clock_text(self.time_mode, traffic.base_time, moment, before)

    def _layout(self) -> Columns:
        labels = {guard.line(session.label) for session in self.traffic.sessions.values()}
        server = max(map(len, labels), default=0) if len(labels) > 1 else 0
        digits = len(str(self.traffic.end))
        return layout(self.line_width, digits=digits, server=server, names=self.names)

    def line_style(self, index: int) -> Style | None:
        number = self.view[index]
        if number in self._pair and index != self.cursor:
            return self._style("peer")
        return self._style("marked") if number in self.marks else None

    def watch_columns(self) -> None:
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        self.columns = self._layout()
        if self.follow:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
        else:
            self.show_cursor()

    # What is done

    def watch_cursor(self, before: int, cursor: int) -> None:
        if cursor < len(self.view) - 1:
            self.follow = False
        self._select()
        self.show_cursor()
        self.refresh()

    def on_mouse_scroll_up(self) -> None:
        self.follow = False

    def on_scroll_up(self) -> None:
        self.follow = False

    def on_scroll_to(self) -> None:
        self.follow = False

    def watch_follow(self, follow: bool) -> None:
        self.unseen = 0
        self._left_at = self.traffic.end
        if follow:
            self._grown()

    def move(self, lines: int) -> None:
        super().move(lines)
        if lines > 0 and self.cursor >= len(self.view) - 1:
            self.follow = True

    def move_to(self, line: int) -> None:
        if line < 0:
            self.follow = True
        else:
            super().move_to(line)

    def action_toggle_follow(self) -> None:
        self.follow = not self.follow

    def action_open(self) -> None:
        if (number := self.selected) is not None:
            self.post_message(self.Opened(self, number))

    def on_click(self, event: events.Click) -> None:
        """Selects; a click on what is selected already opens it."""
        event.prevent_default()
        index = self.index_at(event)
        if index is None:
            return
        again = index == self.cursor and self._was_focused
        self._was_focused = True
        self.cursor = index
        if event.chain == 2 or (again and event.chain == 1):
            self.action_open()

    def on_mouse_down(self) -> None:
        self._was_focused = self.has_focus

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "toggle_follow" or not self.traffic.read_only

    def action_peer(self) -> None:
        first, last = self._pair
        number = self.selected
        if number is None or first < 0:
            self.notify("this row has no peer", timeout=2, markup=False)
            return
        peer = last if number == first else first
        if not self.select(peer):
            self.notify(f"row {peer} is not in the filtered list", timeout=2, markup=False)

    def action_mark(self) -> None:
        if (number := self.selected) is None:
            return
        if number in self.marks:
            self.unmark(number)
        else:
            self.marks[number] = self._free_name()
        self.refresh()
        self.post_message(self.Marked())

    def unmark(self, number: int) -> None:
        """Takes the mark off a row; it can be brought back."""
        name = self.marks.pop(number)

        def back() -> None:
            self.marks[number] = name
            self.refresh()
            self.post_message(self.Marked())

        self.post_message(Undoable(f"row {number} is marked {guard.line(name)} again", back))

    def _free_name(self) -> str:
        taken = set(self.marks.values())
        names = (letter + (str(round) if round else "") for round in range(1000) for letter in _LETTERS)
        return next(name for name in names if name not in taken)

    def action_next_mark(self, direction: int) -> None:
        number = self.selected
        if number is None or not self.marks:
            return
        others = sorted(self.marks, reverse=direction < 0)
        beyond = (mark for mark in others if (mark - number) * direction > 0)
        self.select(next(beyond, others[0]))

    def action_time(self) -> None:
        self.time_mode = TIMES[(TIMES.index(self.time_mode) + 1) % len(TIMES)]
        self.refresh()

    def choose_columns(self, names: Sequence[str]) -> None:
        """Shows other columns, in that order, as far as there is room."""
        self.names = tuple(names)
        self.columns = self._layout()

    # From row to row

    def action_slowest(self) -> None:
        """To the answer that took longest; from there to the next slower one."""
        found = seeking.slowest(self.traffic, self.view)
        if not found:
            self.notify("nothing here was answered yet", timeout=3, markup=False)
            return
        rows = [row for _, row in found]
        again = self.selected == self._slow_one and self.selected in rows
        at = (rows.index(self._slow_one) + 1) % len(rows) if again else 0
        self._slow_one = rows[at]
        self.select(rows[at])
        which = "the slowest answer" if at == 0 else f"the slowest answer but {at}"
        self.notify(f"{which}: {duration(found[at][0])}", timeout=3, markup=False)

    def action_alike(self, direction: int) -> None:
        """To the next row (or that before) of the same method, and of the same tool or prompt."""
        number = self.selected
        if number is None:
            return
        if (is_alike := seeking.alike(self.traffic, number)) is None:
            self.notify("this row has no method", timeout=2, markup=False)
            return
        self._seek(direction, is_alike, "no other row of this method in the list")

    def action_failure(self, direction: int) -> None:
        """To the next failure, or the one before."""
        self._seek(direction, seeking.failed(self.traffic, self.view), "no other failure in the list")

    def action_finding(self) -> None:
        """To the next row that breaks a rule, round the end."""
        judged = self.traffic.judged
        places = (
            place % len(self.view) for place in range(self.cursor + 1, self.cursor + 1 + len(self.view))
        )
        place = next((at for at in places if judged.at(self.view[at])), None) if judged else None
        if place is None:
            self.notify(
                "nothing in the list breaks a rule, as far as it was looked at", timeout=3, markup=False
            )
            return
        self.follow = False
        self.cursor = place

    def _seek(self, direction: int, fits: seeking.Fits, nothing: str) -> None:
        place = seeking.seek(self.traffic, self.view, self.cursor, direction, fits)
        if place is not None:
            self.follow = False
            self.cursor = place
            return
        yet = " yet" if self.searched is not None or not self.traffic.complete else ""
        where = "below" if direction > 0 else "above"
        self.notify(f"{nothing} {where}{yet}", timeout=2, markup=False)

    def copy_offer(self) -> tuple[str, str] | None:
        """What is copied from here: the selected row as it was on the wire, secrets masked."""
        if (number := self.selected) is None:
            return None
        return f"frame {number}", guard.masked(decode(self.traffic.raw(number)))


def _sign(name: str) -> str:
    """What stands at the left of a marked row."""
    return name[0] if name[:1].isascii() and name[:1].isalnum() else "●"
