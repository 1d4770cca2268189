"""Asks for one line of text."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from inspector.tui.registry import bindings, titled
from inspector.tui.screens.dialog import Dialog


class LineScreen(ModalScreen[str | None]):
    """Ends with the line, which may be empty, or with None where it was left. `title` and `about` are safe text."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    LineScreen {
        & > Dialog { width: 84; padding: 1 2; }
        & Static { height: auto; color: $quiet; }
        & Input { margin: 1 0; background: $panel; }
    }
    """

    def __init__(
        self, title: str, about: str, value: str = "", placeholder: str = "", longest: int = 0
    ) -> None:
        super().__init__()
        self._title = title
        self._about = about
        self._input = Input(value, placeholder=placeholder, compact=True, max_length=longest)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(self._title)
            yield Static(Content(self._about), markup=False)
            yield self._input
            yield Static(
                Content(f"enter accepts · {titled('leaves', 'dialog.leave', '{1} {0}')}"), markup=False
            )

    def on_mount(self) -> None:
        self._input.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "reveal"

    def action_reveal(self) -> None:
        """There are no secrets here."""

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        self.dismiss(self._input.value.strip())

    def action_leave_dialog(self) -> None:
        self.dismiss(None)
