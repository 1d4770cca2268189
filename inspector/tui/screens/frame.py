"""One frame in full over whatever is on the screen: of a recording that is not the traffic below."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from inspector.traffic.store import Traffic
from inspector.tui.panes.detail import DetailPane
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar


class FrameScreen(Screen[None]):
    """Shows a row of `traffic`, and those that it leads to."""

    SCOPE = "one_frame"
    BINDINGS: ClassVar[list[BindingType]] = bindings("one_frame")
    DEFAULT_CSS = """
    FrameScreen { background: $background; & > DetailPane { height: 1fr; } }
    """

    def __init__(self, traffic: Traffic, number: int) -> None:
        super().__init__()
        self._number = number
        self._detail = DetailPane(traffic)

    def compose(self) -> ComposeResult:
        yield self._detail
        yield KeyBar()

    def on_mount(self) -> None:
        self._detail.show(self._number)
        self._detail.focus_content()

    @on(DetailPane.Wanted)
    def _wanted(self, event: DetailPane.Wanted) -> None:
        event.stop()
        if (number := event.number) is None and self._detail.number is not None:
            number = self._detail.number + event.step
        if number is not None:
            self._detail.show(number)

    @on(DetailPane.Closed)
    def _left(self, event: DetailPane.Closed) -> None:
        event.stop()
        self.dismiss(None)

    def action_peer(self) -> None:
        traffic, number = self._detail.traffic, self._detail.number
        if number is not None and (peer := traffic.row(number).peer) is not None:
            self._detail.show(peer)

    def action_tab(self, direction: int) -> None:
        self._detail.step_tab(direction)

    def action_close(self) -> None:
        self.dismiss(None)
