"""The box of everything that asks or shows something over the screen."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Button, Static

from inspector.base.errors import Failed
from inspector.tui import guard
from inspector.tui.registry import titled


class Dialog(Vertical):
    """As high as what is in it. Its screen says how wide it is, and what its title is."""

    DEFAULT_CSS = """
    Dialog {
        max-width: 96%; height: auto; max-height: 96%; padding: 0 1;
        background: $surface; border: round $focus; border-title-color: $focus; border-title-style: bold;
        border-subtitle-color: $quiet;
    }
    """


class Asks(ModalScreen[ScreenResultType]):
    """A dialog of the scope `dialog`: one button goes ahead, the other leaves; nothing in it is secret."""

    DEFAULT_CSS = """
    Asks {
        & #problem { height: auto; max-height: 6; color: $text-error; display: none; }
        & #buttons { height: 2; padding: 1 0 0 0; }
        & #buttons Button { margin-right: 2; }
    }
    """

    def buttons(self, accept: str) -> ComposeResult:
        """The end of the dialog: what is wrong, and both buttons."""
        yield Static(id="problem", markup=False)
        with Horizontal(id="buttons"):
            go = Content(titled(accept, "dialog.accept", "{} ({})"))
            yield Button(go, id="accept", variant="primary", compact=True)
            yield Button(Content(titled("Cancel", "dialog.leave", "{} ({})")), id="cancel", compact=True)

    @on(Button.Pressed, "#accept")
    def _accepted(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_accept()

    @on(Button.Pressed, "#cancel")
    def _cancelled(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave_dialog()

    def action_accept(self) -> None:
        """Does what the dialog is for."""
        raise NotImplementedError

    def action_reveal(self) -> None:
        """There is nothing secret here."""

    def action_leave_dialog(self) -> None:
        self.dismiss(None)

    def complain(self, failed: Failed) -> None:
        hint = f"; {failed.failure.hint}" if failed.failure.hint else ""
        self.tell(guard.message(f"{failed.failure.message}{hint}"))

    def tell(self, text: str | Content, tone: str = "$text-error") -> None:
        """Says something over the buttons, in safe text; nothing takes it away."""
        problem = self.query_one("#problem", Static)
        problem.display = bool(text)
        problem.update(Content.styled(text, tone) if isinstance(text, str) else text)
