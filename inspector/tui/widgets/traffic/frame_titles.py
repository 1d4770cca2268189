"""The line of titles above the list of frames."""

from __future__ import annotations

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from inspector.tui.widgets.traffic.frame_columns import Columns, titles
from inspector.tui.widgets.traffic.frame_list import FrameList


class FrameTitles(Widget):
    """The titles above a `FrameList`, in its columns. Posts `Clicked` with the name of a column."""

    class Clicked(Message):
        def __init__(self, column: str) -> None:
            super().__init__()
            self.column = column

    DEFAULT_CSS = """
    FrameTitles { height: 1; color: $quiet; background: $panel; }
    """

    def __init__(self, frames: FrameList) -> None:
        super().__init__()
        self._frames = frames

    def on_mount(self) -> None:
        self.watch(self._frames, "columns", self._columns_changed)

    def _columns_changed(self, columns: Columns) -> None:
        self.refresh()

    def render(self) -> RenderResult:
        return Content(titles(self._frames.columns))

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Clicked(self._frames.columns.at(event.x)))
