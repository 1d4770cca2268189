"""Choosing what is compared with what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from inspector.base.errors import Failed, fail
from inspector.base.saving import chosen_path
from inspector.tui.compared_sides import Choice, of_file
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.moving import Options


class ComparingScreen(Asks[tuple[Choice, Choice] | None]):
    """Dismissed with both sides, the older one first."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    ComparingScreen {
        & > Dialog { width: 110; padding: 0 1; }
        & #sides { height: auto; }
        & .side { width: 1fr; height: auto; padding-right: 1; }
        & .title { height: 1; color: $quiet; }
        & OptionList { height: auto; max-height: 12; background: $surface; }
        & Input { background: $panel; }
        &.-narrow OptionList { max-height: 10; }
    }
    """
    HELP = (
        "The older side at the left, the newer one at the right. A path that is typed goes before the list."
    )

    def __init__(self, offered: Sequence[Choice], before: int, after: int) -> None:
        """`before` and `after` are places among what is offered: what is chosen at first."""
        super().__init__()
        self._offered, self._first = list(offered), (before, after)
        self._lists = [self._list(name) for name in ("before", "after")]
        self._inputs = [
            PathInput("", placeholder="or the path of a file", id=f"path-{n}") for n in ("before", "after")
        ]

    def _list(self, name: str) -> Options:
        return Options(*(Content(each.title) for each in self._offered), id=name, markup=False, compact=True)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("What changed")
            with Horizontal(id="sides"):
                for title, listed, typed in zip(("Before", "After"), self._lists, self._inputs, strict=True):
                    with Vertical(classes="side"):
                        yield Static(title, classes="title", markup=False)
                        yield listed
                        yield typed
            yield from self.buttons("Compare")

    def on_mount(self) -> None:
        for listed, place in zip(self._lists, self._first, strict=True):
            listed.highlighted = place
        self._lists[0].focus()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < 30, "-narrow")

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_list is self._lists[0]:
            self._lists[1].focus()
        else:
            self.action_accept()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        try:
            before, after = (self._choice(side) for side in (0, 1))
            if before is after:
                raise fail("config", "both sides are the same", "choose another one at one side")
        except Failed as failed:
            self.complain(failed)
            return
        self.dismiss((before, after))

    def _choice(self, side: int) -> Choice:
        if self._inputs[side].value.strip():
            path = chosen_path(self._inputs[side].value, Path.cwd())
            if not path.exists():
                raise fail("io", f"there is no {path}", "name a recording, or a baseline")
            return of_file(path)
        return self._offered[self._lists[side].highlighted or 0]
