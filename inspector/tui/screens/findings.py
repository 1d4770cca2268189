"""What breaks the rules of the protocol in all of the traffic: of every server, of a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.findings.findings_view import FindingsView

if TYPE_CHECKING:
    from inspector.check.rules import Finding
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TICK = 0.25


class FindingsScreen(Screen[FindingsView.Wanted | None]):
    """Dismissed with the finding that is to be gone to, or None."""

    SCOPE = "all_findings"
    BINDINGS: ClassVar[list[BindingType]] = bindings("all_findings")
    DEFAULT_CSS = """
    FindingsScreen { background: $background; }
    """

    def __init__(self, workspace: Workspace, near: Connection | None, at: Finding | None = None) -> None:
        """`near` is the connection that the person was at, `at` the finding."""
        super().__init__()
        self._at = at
        self._view = FindingsView(workspace, near=near)

    def compose(self) -> ComposeResult:
        yield self._view
        yield KeyBar()

    def on_mount(self) -> None:
        self._view.enter(self._at)
        self.set_interval(_TICK, self._view.refresh_state)

    def on_findings_view_wanted(self, event: FindingsView.Wanted) -> None:
        event.stop()
        self.dismiss(event)

    def action_filter(self) -> None:
        self._view.open_filter()

    def action_close(self) -> None:
        if not self._view.leave():
            self.dismiss(None)

    def action_copy(self) -> None:
        if (offer := self._view.copy_offer()) is not None:
            what, text = offer
            self.post_message(CopyRequested(what=what, text=guard.masked(text)))
