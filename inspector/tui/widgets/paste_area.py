"""A place to paste text that may hold secrets: what is known to be one is painted as dots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import TextArea

from inspector.tui.registry import bindings


class PasteArea(TextArea):
    """`hide` tells what is painted as dots; the text itself stays as it is. Posts `Done` on enter behind one line."""

    SCOPE = "paste"
    BINDINGS: ClassVar[list[BindingType]] = bindings("paste")
    DEFAULT_CSS = """
    PasteArea { height: auto; min-height: 4; max-height: 9; padding: 0 1; }
    """

    class Done(Message):
        """The one line that was typed is complete."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, tab_behavior="focus", show_line_numbers=False, soft_wrap=True)
        self._hidden: tuple[str, ...] = ()
        self._revealed = False

    def hide(self, values: Iterable[str]) -> None:
        hidden = tuple(
            sorted({part for value in values for part in value.splitlines() if part}, key=len, reverse=True)
        )
        if hidden != self._hidden:
            self._hidden = hidden
            self._repaint()

    def reveal(self, revealed: bool) -> None:
        self._revealed = revealed
        self._repaint()

    def _repaint(self) -> None:
        self._line_cache.clear()
        self.refresh()

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        if self._revealed or not any(value in line.plain for value in self._hidden):
            return line
        plain = line.plain
        for value in self._hidden:
            plain = plain.replace(value, "•" * len(value))
        return Text(plain, end="", no_wrap=True)

    @property
    def _is_one_line(self) -> bool:
        """Whether a URL or a command stands there, and nothing that goes on below."""
        whole = self.text.strip()
        opens = whole.startswith(("{", "[", '"', "//", "/*"))
        return bool(whole) and "\n" not in whole and not opens and not whole.endswith("\\")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._is_one_line if action == "done" else True

    def action_done(self) -> None:
        self.post_message(self.Done())
