"""A search over the tools of all servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.tui.registry import bindings
from inspector.tui.screens.dialog import Dialog
from inspector.tui.tool_search import Index, Tool
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.text.facts import fit

_MOST = 100
"""Entries that are listed: whoever wants another one types on."""


class FindToolScreen(ModalScreen[Tool | None]):
    """Dismissed with the chosen tool, or None."""

    SCOPE = "search"
    BINDINGS: ClassVar[list[BindingType]] = bindings("search")
    DEFAULT_CSS = """
    FindToolScreen {
        & > Dialog {
            width: 110; max-width: 96%; height: auto; max-height: 80%; margin-top: 2;
            padding: 0 1;
        }
        & Input { margin: 1 0; }
        & OptionList { height: auto; max-height: 100%; background: $surface; scrollbar-size-vertical: 1; }
        & OptionList > .option-list--option-highlighted { background: $cursor; }
        & #none { height: auto; color: $quiet; padding: 0 0 1 0; display: none; }
    }
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        super().__init__(classes="-top")
        self._index = Index(tools)
        self._found: list[Tool] = []

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = Content("Tools of all servers")
            yield Input(placeholder="part of a name, a server, a description", compact=True)
            yield Static(id="none", markup=False)
            options = Options(markup=False, compact=True)
            options.can_focus = False
            yield options

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    def _show(self, query: str) -> None:
        self._found = self._index.search(query)
        listed = self._found[:_MOST]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self._line(tool)) for tool in listed])
        options.highlighted = 0 if listed else None
        options.display = bool(listed)
        none = self.query_one("#none", Static)
        none.display = not listed
        none.update(
            Content("Nothing matches." if self._index.tools else "No server that is ready lists a tool.")
        )
        count = f"{len(self._found):,} of {len(self._index.tools):,}"
        more = f", the first {_MOST} are listed" if len(self._found) > _MOST else ""
        self.query_one(Dialog).border_subtitle = Content(f"{count}{more} · enter opens the form · esc leaves")

    def _line(self, tool: Tool) -> Content:
        width = max(30, min(110, self.app.size.width * 96 // 100) - 6)
        server = max(8, min(18, width // 5))
        name = max(14, min(34, width // 3))
        about = max(0, width - server - name - 2)
        return Content.assemble(
            (fit(tool.shown_server, server) + " ", "$quiet"),
            (fit(tool.shown_name, name) + " ", "bold"),
            (fit(tool.about, about), "$quiet"),
        )

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose(self.query_one(OptionList).highlighted)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._choose(event.option_index)

    def _choose(self, index: int | None) -> None:
        if index is not None and index < len(self._found):
            self.dismiss(self._found[index])

    def action_move(self, by: int) -> None:
        self.query_one(Options).move(by)

    def action_leave_search(self) -> None:
        self.dismiss(None)
