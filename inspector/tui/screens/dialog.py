"""The box of everything that asks or shows something over the screen."""

from __future__ import annotations

from textual.containers import Vertical
from textual.widgets import OptionList


class Dialog(Vertical):
    """As high as what is in it. Its screen says how wide it is, and what its title is."""

    DEFAULT_CSS = """
    Dialog {
        max-width: 96%; height: auto; max-height: 96%; padding: 0 1;
        background: $surface; border: round $focus; border-title-color: $focus; border-title-style: bold;
        border-subtitle-color: $quiet;
    }
    """


class MovesList:
    """A screen round one list, whose cursor the keys of the screen move."""

    _list: OptionList

    def action_cursor(self, by: int) -> None:
        if by > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()
