"""A question with two answers."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Dialog

_WIDEST = 84
"""Cells of a line of text."""
_FRAME = 8
"""Cells of a dialog beside its text: border, padding, scroll bar."""


class ConfirmScreen(ModalScreen[bool]):
    """Dismissed with the answer; escape is no. `text` is safe content, of any length: it scrolls."""

    DEFAULT_CSS = """
    ConfirmScreen {
        & > Dialog {
            width: auto; max-width: 96%; min-width: 44; height: auto; max-height: 92%;
            padding: 1 2 0 2;
        }
        & #text { width: auto; height: auto; max-height: 100%; }
        & Static { width: auto; height: auto; }
        & #buttons { dock: bottom; width: 100%; height: 3; padding: 1 0; background: $surface; }
        Button { margin-right: 2; }
    }
    """
    SCOPE = "confirm"
    BINDINGS: ClassVar[list[BindingType]] = bindings("confirm")

    def __init__(self, title: str, text: Content, *, yes: str, no: str) -> None:
        super().__init__()
        self._title_text, self._text, self._yes, self._no = title, text, yes, no

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(self._title_text)
            with VerticalScroll(id="text", can_focus=False):
                yield Static(self._text, markup=False)
            with Horizontal(id="buttons"):
                yield Button(Content(f"{self._yes} (y)"), id="yes", variant="error", compact=True)
                yield Button(Content(f"{self._no} (n)"), id="no", compact=True)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one("#text Static").styles.max_width = min(_WIDEST, event.size.width * 96 // 100 - _FRAME)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)
