"""Places for text that may hold secrets: what is known to be one is painted as dots until it is revealed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input, TextArea

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
        hidden = _longest_first(values)
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
        return Text(_dotted(line.plain, self._hidden), end="", no_wrap=True)

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


class VeiledInput(Input):
    """The same for one line."""

    def __init__(self, *, id: str | None = None, disabled: bool = False) -> None:
        self._hidden: tuple[str, ...] = ()
        self._revealed = False
        super().__init__(id=id, compact=True, select_on_focus=False, disabled=disabled)

    def hide(self, values: Iterable[str]) -> None:
        self._hidden = _longest_first(values)
        self.refresh()

    def reveal(self, revealed: bool) -> None:
        self._revealed = revealed
        self.refresh()

    @property
    def _value(self) -> Text:
        shown = self.value if self._revealed else _dotted(self.value, self._hidden)
        return Text(shown, no_wrap=True, overflow="ignore", end="")


def _longest_first(values: Iterable[str]) -> tuple[str, ...]:
    parts = {part for value in values for part in value.splitlines() if part}
    return tuple(sorted(parts, key=len, reverse=True))


def _dotted(text: str, hidden: Iterable[str]) -> str:
    for value in hidden:
        text = text.replace(value, "•" * len(value))
    return text
