"""What may differ in a replay or a comparison, as lines to be edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from inspector.base.errors import Failed
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.lists.choices import Choices

_ABOUT = (
    "A rule a line. /result/content/0/text is a place in the answer that may differ, with all below it; * stands for"
    " any one step, ** for any number. Everything else is a pattern: what it matches in texts may differ."
)
_ITSELF = "Pass over times, durations, UUIDs, cursors, ids of tasks"


class RulesScreen(Asks[bool]):
    """`take` is given the rules and whether nothing is passed over by itself, and raises Failed (config) for what is no
    rule. Dismissed with True where they were taken."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    RulesScreen {
        & > Dialog { width: 90; height: 80%; max-height: 20; padding: 0 1; }
        & #about { height: auto; color: $quiet; }
        & TextArea { height: 1fr; min-height: 3; margin: 1 0; background: $panel; border: none; padding: 0 1; }
        & Choices { height: 1; background: $surface; }
    }
    """

    def __init__(self, rules: str, exact: bool, take: Callable[[str, bool], None]) -> None:
        super().__init__()
        self._exact, self._take = exact, take
        self._text = TextArea(rules, tab_behavior="focus", compact=True)
        self._itself = Choices()

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("What may differ")
            yield Static(_ABOUT, id="about", markup=False)
            yield self._text
            yield self._itself
            yield from self.buttons("Use them")

    def on_mount(self) -> None:
        self._itself.show([Content(_ITSELF)], set() if self._exact else {0})
        self._text.focus()
        self._text.move_cursor(self._text.document.end)

    def action_accept(self) -> None:
        try:
            self._take(self._text.text, not self._itself.chosen)
        except Failed as failed:
            self.complain(failed)
            self._text.focus()
            return
        self.dismiss(True)
