"""Choosing what a server is seen side by side with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList

from inspector.base.errors import Failed, fail
from inspector.base.saving import chosen_path
from inspector.protocol.revisions import REVISIONS
from inspector.tui import guard, wording
from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Asks, Dialog
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.tui.widgets.lists.moving import Options
from inspector.workspace.connection import Connection


@dataclass(frozen=True, slots=True, eq=False)
class Other:
    """The other side: a server that is there, the same one once more (`protocol`: in an era or version), what a file
    holds, or with none of these something new that is yet to be pasted. `title` is safe."""

    title: str
    connection: Connection | None = None
    protocol: str | None = None
    file: Path | None = None


def others(
    connection: Connection, connections: Sequence[Connection], recordings: Sequence[Path]
) -> list[Other]:
    """All that can stand beside a server."""
    found = [
        Other(f"{guard.line(each.name)}  {guard.line(each.transport)} {wording.brief(each)}", each)
        for each in connections
        if each is not connection and each.is_ours and not each.is_served
    ]
    here = connection.handshake
    era = "" if here is None else "legacy" if here.era == "modern" else "modern"
    if era:
        found.append(Other(f"this server in the other era: {era}", protocol=era))
    found += [
        Other(f"this server in version {version}", protocol=version)
        for version in reversed(REVISIONS)
        if here is None or version != here.version
    ]
    found.append(Other("this server once more, in a connection of its own", protocol=""))
    found.append(Other("something new: a command line, a URL, a piece of a config …"))
    return [*found, *(Other(f"recording {guard.line(path.name)}", file=path) for path in recordings)]


class PairingScreen(Asks[Other | None]):
    """Dismissed with the other side."""

    SCOPE = "dialog"
    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS = """
    PairingScreen {
        & > Dialog { width: 84; padding: 0 1; }
        & OptionList { height: auto; max-height: 16; background: $surface; }
        & Input { background: $panel; }
        &.-narrow OptionList { max-height: 12; }
    }
    """
    HELP = "What stands at the right. A path that is typed goes before the list: a recording, or a definition file."

    def __init__(self, name: str, offered: Sequence[Other]) -> None:
        """`name` is safe."""
        super().__init__()
        self._name, self._offered = name, list(offered)
        self._list = Options(*(Content(each.title) for each in self._offered), markup=False, compact=True)
        self._path = PathInput(
            "", placeholder="or the path of a recording, or of a definition for serve", id="path"
        )

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content(f"{self._name} side by side with")
            yield self._list
            yield self._path
            yield from self.buttons("Open")

    def on_mount(self) -> None:
        self._list.highlighted = 0
        self._list.focus()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < 30, "-narrow")

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_accept()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        typed = self._path.value
        if not typed.strip():
            self.dismiss(self._offered[self._list.highlighted or 0])
            return
        try:
            path = chosen_path(typed, Path.cwd())
            if not path.is_file():
                raise fail("io", f"there is no {path}", "name a recording, or a definition")
        except Failed as failed:
            self.complain(failed)
            return
        self.dismiss(Other(guard.line(path.name), file=path))
