"""A line over the keys for who is here for the first time."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from inspector.tui.registry import spoken


class HintLine(Widget):
    """Has a row of its own only while there is something to say: it never covers anything."""

    DEFAULT_CSS = """
    HintLine { height: 1; width: 100%; padding: 0 1; background: $background; color: $text-accent; display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._said = ""

    def show(self, text: str) -> None:
        """Says something else from now on; nothing where the text is empty."""
        if text != self._said:
            self._said = text
            self.display = bool(text)
            self.refresh()

    def render(self) -> RenderResult:
        away = f"{spoken('hint_away')} puts this away"
        room = self.content_size.width - cell_len(self._said) - cell_len(away) - 4
        said = Content.assemble(("→ ", "bold"), self._said)
        return said if room < 0 else Content.assemble(said, " " * (room + 2), (away, "$quiet"))

    def on_click(self) -> None:
        self.screen.action_hint_away()  # type: ignore[attr-defined]
