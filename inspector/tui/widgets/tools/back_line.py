"""The line that stands for what gave its place away: it says how to get it back, and brings it back."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from inspector.tui.registry import label


class BackLine(Widget, can_focus=True):
    """Posts `Wanted` when the focus comes to it, by tab or by a click: what it stands for is what comes next."""

    DEFAULT_CSS = """
    BackLine { height: 1; padding: 0 1; background: $surface; display: none; }
    """

    class Wanted(Message):
        """What this stands for is to come back."""

    def __init__(self) -> None:
        super().__init__()
        self._what = ""

    def show(self, what: str) -> None:
        """`what` is named by a text of ours."""
        self._what = what
        self.refresh()

    def render(self) -> Content:
        key = label("back")
        return Content.assemble((f"{key}  " if key else "", "$accent"), (f"back to {self._what}", "$quiet"))

    def on_focus(self) -> None:
        self.post_message(self.Wanted())
