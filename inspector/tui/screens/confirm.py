"""A question with two answers."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static


class ConfirmScreen(ModalScreen[bool]):
    """Dismissed with the answer; escape is no. `text` is safe content."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: auto; max-width: 76; min-width: 44; height: auto; max-height: 90%;
            background: $surface; border: round $focus; border-title-color: $focus; border-title-style: bold;
            padding: 1 2;
        }
        Static { width: auto; max-width: 70; height: auto; }
        Horizontal { width: auto; height: auto; margin-top: 1; }
        Button { margin-right: 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
        Binding("left,right,up,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, text: Content, *, yes: str, no: str) -> None:
        super().__init__()
        self._title_text, self._text, self._yes, self._no = title, text, yes, no

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(self._title_text)
            yield Static(self._text, markup=False)
            with Horizontal():
                yield Button(Content(f"{self._yes} (y)"), id="yes", variant="error", compact=True)
                yield Button(Content(f"{self._no} (n)"), id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)
