"""Choosing who answers what a server asks."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static

from inspector.base.errors import Failed
from inspector.policy.answering import ASK, REFUSE, responder
from inspector.tui import guard
from inspector.tui.registry import bindings, titled
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.lists.moving import Options

SAME = "same"
"""Answers as the person did last, until the app is left."""
_FILE = "file"
_CHOICES = (
    (ASK, "You", "Each question waits in the Inbox until you answer it."),
    (_FILE, "A file", "JSON, the same as for --answer on the command line."),
    (SAME, "As you did last", "Your last answers again, until you quit."),
    (REFUSE, "Nobody", "Everything is declared, and declined at once."),
)
_EXAMPLE = '{"elicitation": {"content": {"name": "Ada"}}, "sampling": "echo", "delay": 2}'


class AnsweringScreen(ModalScreen[str | None]):
    """Dismissed with `ask`, `deny`, `SAME`, the path of a file that can be used, or None. `name` is safe, `now` what is
    chosen now."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    AnsweringScreen {
        & > Dialog { width: 76; padding: 1 2 0 2; }
        & OptionList { height: auto; background: $surface; }
        & Static { height: auto; margin-top: 1; color: $quiet; }
        & Input { margin-top: 1; }
        & #problem { color: $text-error; display: none; }
        & #buttons { height: 3; padding: 1 0; }
        & Button { margin-right: 2; }
    }
    """

    def __init__(self, name: str, now: str) -> None:
        super().__init__()
        self._server, self._now = name, now

    def compose(self) -> ComposeResult:
        width = max(len(title) for _, title, _ in _CHOICES)
        with Dialog() as box:
            box.border_title = Content(f"Who answers the server {self._server}?")
            yield Options(
                *(
                    Content.assemble((f"{title:<{width}}  ", "bold"), (about, "$quiet"))
                    for _, title, about in _CHOICES
                ),
                markup=False,
                compact=True,
            )
            yield Input(
                self._now if self._now not in (ASK, REFUSE) else "",
                placeholder="the file",
                compact=True,
                select_on_focus=False,
            )
            yield Static(Content(f"as in {_EXAMPLE}"), id="example", markup=False)
            yield Static(id="problem", markup=False)
            with Horizontal(id="buttons"):
                yield Button(
                    Content(titled("Choose", "dialog.accept", "{} ({})")), variant="primary", compact=True
                )
                yield Button(Content(titled("Cancel", "dialog.leave", "{} ({})")), id="cancel", compact=True)

    def on_mount(self) -> None:
        words = [word for word, _, _ in _CHOICES]
        options = self.query_one(OptionList)
        options.highlighted = words.index(self._now if self._now in words else _FILE)
        options.focus()

    @property
    def _chosen(self) -> str:
        return _CHOICES[self.query_one(OptionList).highlighted or 0][0]

    @on(OptionList.OptionHighlighted)
    def _pointed(self) -> None:
        of_file = self._chosen == _FILE
        self.query_one(Input).display = of_file
        self.query_one("#example").display = of_file
        self._complain("")

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        if self._chosen == _FILE:
            self.query_one(Input).focus()
        else:
            self.action_accept()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_accept()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "cancel":
            self.dismiss(None)
        else:
            self.action_accept()

    def action_accept(self) -> None:
        chosen = self._chosen
        if chosen == _FILE:
            typed = self.query_one(Input).value.strip()
            chosen = str(Path(typed).expanduser().absolute()) if typed else ""
            try:
                responder(chosen)
            except Failed as failed:
                said = f"{failed.failure.message}. {failed.failure.hint or ''}"
                self._complain(guard.message(said) if typed else "Name the file first.")
                self.query_one(Input).focus()
                return
        self.dismiss(chosen)

    def _complain(self, text: str) -> None:
        problem = self.query_one("#problem", Static)
        problem.display = bool(text)
        problem.update(Content(text))

    def action_reveal(self) -> None:
        """There is nothing secret here."""

    def action_leave_dialog(self) -> None:
        self.dismiss(None)
