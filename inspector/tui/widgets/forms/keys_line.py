"""The line of keys below a form: what can be done with the field in focus, by key or by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.widget import Widget

from inspector.tui.registry import BY_ID, label

if TYPE_CHECKING:
    from inspector.tui.widgets.forms.row import FieldRow


class KeysLine(Widget):
    """Offers actions as (id, word); a click runs one for the row that it was made for, as its key would."""

    DEFAULT_CSS = """
    KeysLine { height: 1; width: 1fr; padding: 0 1; }
    """

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._row: FieldRow | None = None
        self._offers: list[tuple[str, str]] = []

    def show(self, row: FieldRow | None) -> None:
        self._row, self._offers = row, row.offers() if row is not None else []
        self.refresh()

    def render(self) -> Content:
        """As many offers as there is room for."""
        line, room = Content(), self.content_size.width + 2
        for action, word in self._offers:
            offer = Content.assemble((label(action), "$accent"), (f" {word}  ", "$quiet"))
            if line.cell_length + offer.cell_length > room:
                break
            line += offer
        return line

    async def on_click(self, event: events.Click) -> None:
        at, left = event.get_content_offset(self), 0
        for action, word in self._offers if at is not None and self._row is not None else ():
            left += Content(f"{label(action)} {word}  ").cell_length
            if at is not None and at.x < left:
                await self._run(BY_ID[action].call)
                return

    async def _run(self, call: str) -> None:
        row = self._row
        if row is None or not row.is_attached:
            return
        name = call.partition("(")[0]
        for node in row.ancestors_with_self:
            if isinstance(node, Widget) and hasattr(node, f"action_{name}"):
                await node.run_action(call)
                return
