"""Asks where a piece of content shall be saved, and saves it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from inspector.base.errors import Failed, Failure
from inspector.base.saving import chosen_path, save
from inspector.base.text import bytes_size
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Dialog
from inspector.tui.widgets.text.facts import Part


class SaveScreen(ModalScreen[Path | None]):
    """Dismissed with the file that was written, which it has told the person then; with None where none was.

    `what` says in safe text what it is, `proposed` is a file name from `base.saving.proposed_name`, `data` what is
    written; known secrets in it are masked. A file that is there already is replaced only after a second yes.
    """

    DEFAULT_CSS = """
    SaveScreen {
        & > Dialog {
            width: 76; max-width: 94%; height: auto; max-height: 90%;
            padding: 1 2;
        }
        Static { height: auto; }
        Input { margin: 1 0 0 0; background: $panel; }
        & > Dialog > Horizontal { height: auto; margin-top: 1; }
        Button { margin-right: 2; }
    }
    """
    SCOPE = "save"
    BINDINGS: ClassVar[list[BindingType]] = bindings("save")

    def __init__(self, what: str, proposed: str, data: bytes) -> None:
        super().__init__()
        self._what = what
        self._proposed = proposed
        self._data = guard.masked_bytes(data)
        self._masked = self._data != data
        self._folder = Path.cwd()
        self._replaces: Path | None = None
        self._state = Static(markup=False)
        self._input = Input(value=proposed, placeholder="name of the file", compact=True)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = "Save to a file"
            yield Static(self._about(), markup=False)
            yield self._input
            yield self._state
            with Horizontal():
                yield Button(Content("Save (enter)"), id="save", variant="primary", compact=True)
                yield Button(Content("Cancel (esc)"), id="cancel", compact=True)

    def _about(self) -> Content:
        size = bytes_size(len(self._data))
        parts: list[Part] = [(self._what, "bold")]
        if size not in self._what:
            parts.append((f"  {size}", "$quiet"))
        if self._masked:
            parts.append(("\nKnown secrets in it are written masked.", "$text-warning"))
        return Content.assemble(*parts)

    def on_mount(self) -> None:
        self._input.focus()
        self._input.action_select_all()
        self._look()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._replaces = None
        self._look()

    def _look(self) -> None:
        """Says where the file will be, and what stands in its way."""
        try:
            path = chosen_path(self._input.value, self._folder)
        except Failed as failed:
            self._complain(failed.failure)
            return
        self._tell([("→ ", "$quiet"), (guard.line(str(path)), "$foreground")], "Save")

    def _tell(self, parts: list[Part], yes: str) -> None:
        self._state.update(Content.assemble(*parts))
        self.query_one("#save", Button).label = Content(f"{yes} (enter)")

    def _complain(self, failure: Failure) -> None:
        parts: list[Part] = [("✗ ", "$text-error"), (guard.message(failure.message), "$foreground")]
        if failure.hint:
            parts.append((f"; {guard.message(failure.hint)}", "$quiet"))
        self._tell(parts, "Save")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._begin()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.action_cancel()
        else:
            self._begin()

    def _begin(self) -> None:
        try:
            path = chosen_path(self._input.value, self._folder)
        except Failed as failed:
            self._complain(failed.failure)
            return
        if self._replaces != path and path.is_file() and not path.is_symlink():
            self._replaces = path
            self._tell(standing(path), "Replace it")
            return
        self.run_worker(self._save(path), exclusive=True)

    async def _save(self, path: Path) -> None:
        try:
            # A large file on a slow disk holds up nobody but this worker.
            await asyncio.to_thread(save, path, self._data, replace=self._replaces == path)
        except Failed as failed:
            self._replaces = None
            self._complain(failed.failure)
            return
        said = f"{bytes_size(len(self._data))} saved to {guard.line(str(path))}"
        self.app.notify(said, timeout=5, markup=False)
        self.dismiss(path)

    def action_cancel(self) -> None:
        self.dismiss(None)


def standing(path: Path, again: str = "Enter again") -> list[Part]:
    """What is said of a file that is in the way; `again` is what replaces it."""
    facts = path.stat()
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(facts.st_mtime))
    return [
        ("▲ ", "$text-warning"),
        (guard.line(str(path)), "$foreground"),
        (
            f" exists: {bytes_size(facts.st_size)}, written {when}. {again} replaces it.",
            "$text-warning",
        ),
    ]
