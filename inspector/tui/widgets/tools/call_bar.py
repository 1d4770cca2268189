"""The line under arguments: the button, progress and clocks of what runs, the ways to cancel or extend it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Button, Static

from inspector.base.text import clip, duration
from inspector.tui import calls, guard
from inspector.tui.calls import MORE_TIME, Call, Clocks, book_of
from inspector.tui.registry import label, spoken, titled
from inspector.tui.widgets.text.facts import Part, fit

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_TICK = 0.1
_PATIENCE = 1.0
"""Seconds of a call after which the clocks are shown: quick ones would only flicker."""
_SCARCE = 0.2
"""Share of a clock that is left when it is shown in a tone that warns."""
_WIDE = 100
_CRAMPED = 40
"""Cells below which a bar says well enough that something runs."""
_BAR = 4
"""Cells below which a bar, or what a server says beside it, is not worth its place."""


class CallBar(Vertical):
    """Shows the calls of the view it stands in; the newest is the one that is told about, cancelled and extended. Posts
    `Wanted` when the button is pressed, `Ended` with each call when it is over."""

    DEFAULT_CSS = """
    CallBar {
        height: auto; margin: 0 1;
        & > Horizontal { height: 1; }
        & Static { width: 1fr; padding: 0 1; height: 1; }
        & > .clocks { display: none; text-wrap: nowrap; text-overflow: ellipsis; }
        & .cancel { display: none; margin-left: 1; }
        &.-running .cancel { display: block; }
        &.-clocks > .clocks { display: block; }
    }
    """

    class Wanted(Message):
        """The button was pressed."""

    class Began(Message):
        """A call was sent."""

    class Ended(Message):
        """A call is over, however it went."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    def __init__(self, connection: Connection, title: str, go: str, cancel: str) -> None:
        """`go` and `cancel` are the actions that the buttons stand for."""
        super().__init__()
        self._go, self._cancel = titled(title, go), titled("Cancel", cancel)
        self._connection = connection
        self._state = Static(markup=False)
        self._clocks = Static(classes="clocks", markup=False)
        self._calls: list[Call] = []
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Button(Content(self._go), classes="go", variant="primary", compact=True)
            yield Button(Content(self._cancel), classes="cancel", variant="warning", compact=True)
            yield self._state
        yield self._clocks

    def on_mount(self) -> None:
        self._watch()

    @property
    def call(self) -> Call | None:
        """The newest one that runs."""
        return next((call for call in reversed(self._calls) if call.running), None)

    @property
    def running(self) -> bool:
        return self.call is not None

    def begin(self, call: Call) -> None:
        """Sends it, beside those that run already."""
        task = book_of(self._connection).begin(call)
        self.follow([call])
        self.post_message(self.Began())
        # Quick answers need not wait for the next tick.
        task.add_done_callback(lambda _: self.call_later(self._tick) if self.is_attached else None)

    def follow(self, running: list[Call]) -> None:
        """Shows calls that run already, oldest first."""
        self._calls += running
        if self.is_mounted:
            self._watch()

    def _watch(self) -> None:
        if self._calls and self._timer is None:
            self._timer = self.set_interval(_TICK, self._tick)
            self.add_class("-running")
            self.screen.refresh_bindings()
        self._show()

    def _tick(self) -> None:
        for call in [call for call in self._calls if not call.running]:
            self._calls.remove(call)
            self.post_message(self.Ended(call))
        if not self._calls:
            if self._timer is not None:
                self._timer.stop()
                self._timer = None
            self.remove_class("-running", "-clocks")
            self._state.update(Content(), layout=False)
            self.screen.refresh_bindings()
        self._show()

    def cancel(self) -> None:
        if (call := self.call) is not None:
            calls.cancel(call)

    def extend(self) -> None:
        """Gives the call more time on both clocks."""
        if (call := self.call) is not None:
            calls.extend(call)
            self._show()

    def set_clocks(self) -> None:
        """Asks for both clocks of the call; nothing happens where it has none, as between two rounds."""
        from inspector.tui.screens.clocks import ClocksScreen

        if (call := self.call) is not None and call.clocks() is not None:
            self.app.push_screen(ClocksScreen(call))

    def tell(self, text: str, tone: str) -> None:
        """Says something beside the button; `text` is safe."""
        self._state.update(Content.styled(text, tone), layout=False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.has_class("cancel"):
            self.cancel()
        else:
            self.post_message(self.Wanted())

    def _show(self) -> None:
        call = self.call
        if call is None:
            return
        clocks = call.clocks() if call.elapsed >= _PATIENCE else None
        wide = self.size.width >= _WIDE
        self.set_class(clocks is not None and not wide, "-clocks")
        others = len(self._calls) - 1
        width = max(10, self._state.content_size.width)
        told: list[Part] = [("   ", ""), *_told(clocks)] if clocks is not None and wide else []
        parts = [*_running(call, others, _left(told, width)), *told]
        self._state.update(Content.assemble(*parts).truncate(width, ellipsis=True), layout=False)
        if clocks is not None and not wide:
            self._clocks.update(Content.assemble(*_told(clocks)), layout=False)


def _running(call: Call, others: int, width: int) -> list[Part]:
    count = f"{others + 1} " if others else ""
    parts: list[Part] = [
        (f"… {count}running ", "bold $text-warning"),
        (f"{call.elapsed:.1f} s", "bold $foreground"),
    ]
    if call.waits_for_person:
        waits = (f"  waits for your answer in Inbox, {spoken('questions')}", "bold $text-warning")
        if _left([*parts, waits], width) >= 0:
            return [*parts, waits]
        return [(f"? your answer: {spoken('questions')}  ", "bold $text-warning"), parts[1]]
    if call.task is not None:
        state = clip(guard.line(call.task.status).replace("_", " "), 30)
        said = clip(guard.line(call.task.message), 80)
        return [(f"… task {state} ", "bold $text-warning"), parts[1], (f"  {said}", "$quiet")]
    progress = call.progress
    if progress is None:
        return parts
    done, total = progress.progress, progress.total
    if width < _CRAMPED:
        parts[0] = ("… " if not others else f"… {others + 1} × ", "bold $text-warning")
    if _is_number(done) and _is_number(total) and total > 0:
        share = min(1.0, max(0.0, done / total))
        percent, count = f"  {share:.0%}", f" {_short(done)}/{_short(total)}"
        parts.append((percent, "$foreground"))
        bar = min(24, max(_BAR, (_left(parts, width) - len(count) - 1) * 2 // 3))
        bar = min(bar, _left(parts, width) - len(count) - 1)
        if bar >= _BAR:
            full = round(share * bar)
            parts += [(" ", ""), ("━" * full, "$text-success"), ("─" * (bar - full), "$quiet")]
        if _left(parts, width) >= len(count):
            parts.append((count, "$quiet"))
        pace = _pace(done, total, call.elapsed)
        if _left(parts, width) >= len(pace):
            parts.append((pace, "$quiet"))
    elif _is_number(done):
        parts += [(f"  at {_short(done)}", "$foreground"), (", of how many is not said", "$quiet")]
    else:
        parts.append((f"  step {progress.steps}", "$foreground"))
    if progress.message and (room := _left(parts, width) - 2) >= _BAR:
        parts.append((f"  {fit(clip(guard.line(progress.message), 80), min(room, 80)).rstrip()}", "$quiet"))
    return parts


def _pace(done: float, total: float, elapsed: float) -> str:
    """How fast it goes, and how long the rest takes at that pace."""
    if elapsed < _PATIENCE or done <= 0:
        return ""
    rate = done / elapsed
    return f" · {rate:.2g}/s · {duration((total - done) / rate)} left" if done < total else f" · {rate:.2g}/s"


def _left(parts: list[Part], width: int) -> int:
    return width - Content.assemble(*parts).cell_length


def _told(clocks: Clocks) -> list[Part]:
    return [
        *(
            _clock("idle", clocks.idle, clocks.idle_limit)
            if not clocks.held
            else [("idle stands still", "$quiet")]
        ),
        (" · ", "$quiet"),
        *_clock("total", clocks.total, clocks.total_limit),
        (f" · {label('extend_call')} +{MORE_TIME:.0f} s, {label('clocks')} sets", "$quiet"),
    ]


def _clock(name: str, passed: float, limit: float) -> list[Part]:
    if limit == math.inf:
        return [(f"{name} ", "$quiet"), (f"{passed:.1f} s, no limit", "$foreground")]
    scarce = limit - passed < limit * _SCARCE
    return [
        (f"{name} ", "$quiet"),
        (f"{passed:.1f}/{limit:g} s", "bold $text-warning" if scarce else "$foreground"),
    ]


def _is_number(value: object) -> bool:
    # A number that is not finite has no share; NaN is unequal to itself.
    return type(value) in (int, float) and value == value and abs(value) < 1e15  # type: ignore[arg-type]


def _short(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
