"""Putting a call into a file of saved calls."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from inspector.base import numbers, saving
from inspector.base.errors import Failed
from inspector.base.saving import chosen_path
from inspector.calls import writing
from inspector.calls.proposing import proposed
from inspector.replay.client import message_of
from inspector.session.answer import Answer
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.copying import arguments_text
from inspector.tui.registry import bindings, spoken
from inspector.tui.remembered import recall
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.workspace.connection import Connection

_USUAL = "calls.yaml"


class SaveCallScreen(Asks[Path | None]):
    """Dismissed with the file that has the call now. `answer` is that to the call; None where there is none yet."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    SaveCallScreen {
        & > Dialog { width: 96; height: 90%; max-height: 34; padding: 0 1; }
        & .title { height: auto; color: $quiet; }
        & Input { background: $panel; }
        & TextArea { height: 1fr; min-height: 4; background: $panel; border: none; padding: 0 1; }
    }
    """
    HELP = "The call as it will stand in the file. Change its name and what is expected as you like; the file is YAML."

    def __init__(self, connection: Connection, call: Call, answer: Answer | None) -> None:
        super().__init__()
        self._connection = connection
        self._remembered = recall()
        file = self._remembered.calls or _USUAL
        message = message_of(answer) if answer is not None else None
        params = {"name": call.subject, "arguments": numbers.loads(arguments_text(call))}
        entry = proposed(self._free(call.subject, file), params, message, server=connection.name)
        text = writing.entry_text(entry)
        self._masked = guard.masked(text) != text
        self._file = PathInput(file, placeholder="the file, such as calls.yaml")
        self._about = Static(classes="title", markup=False)
        self._text = TextArea(guard.masked(text), tab_behavior="focus", compact=True)

    def _free(self, name: str, file: str) -> str:
        try:
            return writing.free_name(name, writing.names(chosen_path(file, Path.cwd())))
        except Failed:
            return name

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Save the call")
            yield self._about
            yield self._file
            yield Static("The call, and what its answer must be", classes="title", markup=False)
            yield self._text
            yield from self.buttons("Save")

    def on_mount(self) -> None:
        self._about.update(self._what_becomes(self._file.value))
        self._text.focus()
        if self._masked:
            self.tell(
                "A secret in it is written masked: put a variable of yours in its place.", "$text-warning"
            )

    @on(Input.Changed)
    def _file_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._about.update(self._what_becomes(event.value))

    def _what_becomes(self, file: str) -> str:
        """What is done to the file: one that is there gets the call too."""
        try:
            path = chosen_path(file, Path.cwd())
            if not path.exists():
                return "A new file of saved calls"
            count = len(writing.names(path))
        except Failed:
            return "File of saved calls"
        return (
            f"The file is there, with {count:,} {'call' if count == 1 else 'calls'}: this one is added to it"
        )

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        try:
            path = chosen_path(self._file.value, Path.cwd())
            source = self._connection.entry.source.path
            data = writing.added(path, self._text.text, source)
            saving.save(path, data, replace=path.is_file())
        except Failed as failed:
            self.complain(failed)
            return
        self._remembered.calls = str(path)
        self._remembered.keep("calls")
        said = f"saved to {guard.line(str(path))}; {spoken('saved_calls')} opens it"
        self.app.notify(said, title="Call", timeout=5, markup=False)
        self.dismiss(path)
