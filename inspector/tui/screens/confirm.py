"""A question with two answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from inspector.tui import guard
from inspector.tui.registry import bindings

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


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
    SCOPE = "confirm"
    BINDINGS: ClassVar[list[BindingType]] = bindings("confirm")

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


async def may_start(app: App[Any], connection: Connection) -> bool:
    """False where somebody else's command waits for a yes and the person said no. To be called from a worker."""
    if connection.error is None or connection.error.kind != "consent":
        return True
    from inspector.policy import consent

    entry = connection.entry
    text = Content.assemble(
        (f"{guard.line(entry.source.path)} wants to\n\n", "$quiet"),
        (guard.message(consent.what_would_run(entry)), "bold"),
        ("\n\nIt runs with your rights. Asked once for this content of the file.", "$quiet"),
    )
    answer = await app.push_screen_wait(ConfirmScreen("Start this server?", text, yes="Start", no="Leave it"))
    if answer:
        try:
            consent.approve(entry)
        except OSError as error:
            said = f"The answer could not be kept, so it will be asked again: {error.strerror}"
            app.notify(guard.line(said), severity="warning", markup=False)
    return bool(answer)
