"""The line of a long list that says which of its rows are on show, and turns the page."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from inspector.base.text import cells
from inspector.schema.group import Group
from inspector.schema.pages import Growing
from inspector.tui import guard
from inspector.tui.registry import bindings


class Pager(Widget, can_focus=True):
    """Arrows and clicks turn the page; a number that is typed, or the key of a map, goes to that row."""

    DEFAULT_CSS = """
    Pager { height: 1; width: 1fr; padding: 0 1; color: $quiet; }
    Pager:focus { background: $panel; color: $foreground; }
    """
    SCOPE = "pager"
    BINDINGS: ClassVar[list[BindingType]] = bindings("pager")

    class Turned(Message):
        """Another page is wanted: so many further on."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Sought(Message):
        """The row at a place is wanted."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, owner: Growing) -> None:
        super().__init__()
        self._owner = owner
        self._typed = ""

    def render(self) -> Content:
        said = f"‹ {span(self._owner)} ›"
        if self._typed:
            return Content.assemble(
                said, ("  go to ", "$accent"), (guard.line(self._typed), "bold"), ("▏", "$accent")
            )
        named = "key" if isinstance(self._owner, Group) else "number"
        return Content.assemble(said, (f"  type a {named} to go there" if self.has_focus else "", "$quiet"))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable() and (character != " " or bool(self._typed))

    def on_key(self, event: events.Key) -> None:
        if event.character and self.check_consume_key(event.key, event.character):
            self._typed += event.character
        elif self._typed and event.key in ("backspace", "escape"):
            self._typed = self._typed[:-1] if event.key == "backspace" else ""
        elif self._typed and event.key == "enter":
            self._go()
        else:
            return
        event.prevent_default()
        event.stop()
        self.refresh()

    def _go(self) -> None:
        owner, typed, self._typed = self._owner, self._typed.strip(), ""
        if (at := owner.seek(typed)) is None:
            self.notify(f"There is no row {guard.line(typed)}.", markup=False)
        else:
            self.post_message(self.Sought(at))

    def on_blur(self) -> None:
        self._typed = ""

    def action_turn(self, by: int) -> None:
        self.post_message(self.Turned(by))

    def action_edge(self, last: bool) -> None:
        self.post_message(self.Sought(len(self._owner.rows) - 1 if last else 0))

    def on_click(self, event: events.Click) -> None:
        # The left half of what is said goes back, the right half on.
        width = cells(span(self._owner)) + 4
        if event.x - 1 < width:
            self.action_turn(-1 if event.x - 1 < width // 2 else 1)


def span(owner: Growing) -> str:
    """Which rows of a list or map are on the open page, as their labels have it."""
    rows = owner.rows
    if isinstance(owner, Group):
        return f"entries {rows.first + 1:,}–{rows.end:,} of {len(rows):,}"
    return f"rows [{rows.first}]–[{rows.end - 1}] of {len(rows):,}"
