"""A list at the left and what is chosen of it at the right, one above the other where it is narrow."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from inspector.tui.panes.tools import NARROW
from inspector.tui.widgets.lists.filter_list import FilterList


class Beside(Horizontal):
    """The facts of what is chosen stand above the widget that shows it."""

    DEFAULT_CSS = """
    Beside {
        height: 1fr;
        & > FilterList { width: 41%; min-width: 24; max-width: 70; border-right: vkey $line; }
        & > .chosen { width: 1fr; height: 1fr; }
        & > .chosen > Static { height: auto; max-height: 50%; padding: 0 1; }
        &.-narrow { layout: vertical; }
        &.-narrow > FilterList { width: 1fr; max-width: 100%; height: 40%; border-right: none; }
    }
    """

    def __init__(self, choice: FilterList, shown: Widget, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._list = choice
        self._facts = Static(markup=False)
        self._below = shown

    def compose(self) -> ComposeResult:
        yield self._list
        with Vertical(classes="chosen"):
            yield self._facts
            yield self._below

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    def refresh_state(self) -> None:
        """Looks at the connection again."""
        raise NotImplementedError

    def enter(self) -> None:
        self._list.enter()

    def leave(self) -> bool:
        if self._list.has_focus_within:
            return self._list.end_filter()
        self._list.enter()
        return True

    def open_filter(self) -> None:
        self._list.open_filter()
