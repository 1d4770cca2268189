"""Choosing frames: some of the traffic, or a recording."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.base.saving import chosen_path
from inspector.tui import guard
from inspector.tui.chosen_frames import Frames, opened
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.moving import Options

_RECENT = 8
"""Recordings of ours that are offered."""


class SourceScreen(Asks[Frames | None]):
    """Dismissed with what was chosen; a recording is open then, and to be closed by whoever uses it."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    SourceScreen {
        & > Dialog { width: 84; padding: 0 1; }
        & OptionList { height: auto; max-height: 14; background: $surface; }
        & #or { height: auto; margin-top: 1; color: $quiet; }
        & Input { background: $panel; }
    }
    """

    def __init__(self, title: str, offered: Sequence[Frames]) -> None:
        """`title` says in safe text what the frames are for."""
        super().__init__()
        self._title_text, self._offered = title, list(offered)
        self._recent = recent()
        self._list = Options(*map(self._prompt, self._offered), markup=False, compact=True)
        self._list.add_options(
            [
                Content.assemble(("recording  ", "$quiet"), (guard.line(path.name), ""))
                for path in self._recent
            ]
        )
        self._input = PathInput("", placeholder="the path of a recording, a HAR, a log of another tool")
        self._filter = Input(
            placeholder="of a recording: all, or what a filter finds, as in tool:echo", compact=True
        )

    def _prompt(self, frames: Frames) -> Content:
        return Content.assemble((frames.title, "bold"), (f"  {frames.count:,}", "$quiet"))

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(self._title_text)
            yield self._list
            yield Static("or a file", id="or", markup=False)
            yield self._input
            yield self._filter
            yield from self.buttons("Choose")

    def on_mount(self) -> None:
        self._list.focus()
        if self._list.option_count:
            self._list.highlighted = 0
        else:
            self._input.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(event.option_index)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take_typed()

    def action_accept(self) -> None:
        if self._input.value.strip():
            self._take_typed()
        elif self._list.highlighted is not None:
            self._take(self._list.highlighted)

    def _take(self, place: int) -> None:
        if place < len(self._offered):
            self.dismiss(self._offered[place])
        else:
            self._open(self._recent[place - len(self._offered)])

    def _take_typed(self) -> None:
        try:
            self._open(chosen_path(self._input.value, Path.cwd()))
        except Failed as failed:
            self.complain(failed)
            self._input.focus()

    @work(group="open", exclusive=True)
    async def _open(self, path: Path) -> None:
        self.tell("reading …", "$text-warning")
        try:
            frames = await asyncio.to_thread(opened, path, self._filter.value)
        except Failed as failed:
            self.complain(failed)
            self._input.focus()
            return
        if self.is_current:
            self.dismiss(frames)
        else:
            frames.close()


def recent() -> list[Path]:
    """The newest recordings of our own folder."""
    try:
        found = [path for path in paths().recordings.iterdir() if path.suffix == ".mcprec"]
    except OSError:
        return []
    return sorted(found, reverse=True)[:_RECENT]
