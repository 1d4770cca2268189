"""The line under arguments: the button, the clock and progress of what runs, and the way to give it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Button, Static

from inspector.base.text import clip
from inspector.tui import calls, guard
from inspector.tui.calls import Call
from inspector.tui.widgets.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_PATIENCE = 3.0
"""Seconds of a call after which the person is told when we would give it up."""


class CallBar(Horizontal):
    """Runs one call at a time for the view it stands in. Posts `Wanted` when the button is pressed, `Ended` with
    the call when it is over."""

    DEFAULT_CSS = """
    CallBar {
        height: 1; margin: 0 1;
        & > Static { width: 1fr; padding: 0 1; }
        & > .cancel { display: none; margin-left: 1; }
        &.-running > .cancel { display: block; }
    }
    """

    class Wanted(Message):
        """The button was pressed."""

    class Ended(Message):
        """A call is over, however it went."""

        def __init__(self, call: Call) -> None:
            super().__init__()
            self.call = call

    def __init__(self, connection: Connection, title: str) -> None:
        super().__init__()
        self._connection = connection
        self._title = title
        self._state = Static(markup=False)
        self._call: Call | None = None
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Button(Content(f"{self._title}  F5"), classes="go", variant="primary", compact=True)
        yield Button(Content("Cancel  F8"), classes="cancel", variant="warning", compact=True)
        yield self._state

    @property
    def running(self) -> bool:
        return self._call is not None and self._call.running

    def begin(self, call: Call) -> None:
        """Sends it; nothing may be running."""
        self._call = call
        self.add_class("-running")
        self._show()
        self._clock = self.set_interval(0.1, self._show)
        self.screen.refresh_bindings()
        self.run_worker(self._perform(call), group="call", exit_on_error=False)

    async def _perform(self, call: Call) -> None:
        try:
            await calls.perform(self._connection, call, lambda: None)
        finally:
            if self._clock is not None:
                self._clock.stop()
            self.remove_class("-running")
            self._state.update(Content())
            self.post_message(self.Ended(call))
            if self.is_attached:
                self.screen.refresh_bindings()

    def cancel(self) -> None:
        if self._call is not None:
            calls.cancel(self._connection, self._call)

    def tell(self, text: str, tone: str) -> None:
        """Says something beside the button; `text` is safe."""
        self._state.update(Content.styled(text, tone))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.has_class("cancel"):
            self.cancel()
        elif not self.running:
            self.post_message(self.Wanted())

    def _show(self) -> None:
        if self._call is not None and self._call.running:
            self._state.update(_running(self._call, max(10, self._state.content_size.width)))


def _running(call: Call, width: int) -> Content:
    parts: list[Part] = [("… ", "$text-warning"), (f"{call.elapsed:.1f} s", "$foreground")]
    progress = call.progress
    if progress is not None:
        done, total = progress.progress, progress.total
        if isinstance(done, int | float) and isinstance(total, int | float) and total > 0:
            share = min(1.0, max(0.0, done / total))
            bar = max(6, min(24, width // 4))
            full = round(share * bar)
            parts += [("  ", ""), ("━" * full, "$text-success"), ("─" * (bar - full), "$quiet")]
            parts.append((f" {share:.0%}", "$foreground"))
        else:
            parts.append((f"  step {progress.steps}", "$foreground"))
        if progress.message:
            parts.append((f"  {clip(guard.line(progress.message), 80)}", "$quiet"))
    left = call.left()
    if left is not None and call.elapsed > _PATIENCE:
        parts.append((f"  gives up in {max(0, left):.0f} s", "$quiet"))
    return Content.assemble(*parts).truncate(width, ellipsis=True)
