"""Moving by keys, the same in all that is scrolled: lists with a cursor, and texts without one.

`Moves` knows the keys of the scope `lines`; who takes it says how to go some lines, and to a place. `Lines` is for
what is painted line by line, `Options` for short lists, `Scroll` for what is set in widgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.scroll_view import ScrollView
from textual.widgets import OptionList

from inspector.tui.registry import bindings

if TYPE_CHECKING:
    from textual.widget import Widget as _Widget
else:
    _Widget = object


class Moves(_Widget):
    """A number that was typed before the key (`Count`) says how often, or which line."""

    @property
    def page(self) -> int:
        """How many lines are seen at once."""
        return max(1, self.scrollable_content_region.height)

    def move(self, lines: int) -> None:
        """Goes so many lines down, as far as there are some; a negative number goes up."""
        raise NotImplementedError

    def move_to(self, line: int) -> None:
        """Goes to a line, from 0; -1 is the last one."""
        raise NotImplementedError

    def turn(self, lines: int) -> None:
        """Goes by a page, or half of one, of that many lines."""
        self.move(lines)

    @property
    def count(self) -> int:
        """The number that was typed before this key; 0 where none was."""
        typed: Count | None = getattr(self.app, "count", None)
        return typed.before if typed is not None else 0

    def action_move(self, lines: int) -> None:
        self.move(lines * (self.count or 1))

    def action_page(self, pages: float) -> None:
        self.turn(int(pages * max(2, self.page - 1)) * (self.count or 1))

    def action_first(self) -> None:
        self.move_to(max(0, self.count - 1))

    def action_last(self) -> None:
        self.move_to(self.count - 1)

    def action_count(self, digit: int) -> None:
        typed: Count | None = getattr(self.app, "count", None)
        if typed is not None:
            # Keys are numbered from 1; the first one is 0.
            typed.add(digit - 1)


class Count:
    """Digits before a key. `pressed` is to be called before each key; what is not a digit ends the number."""

    def __init__(self) -> None:
        self.before = 0
        self._now = 0

    def pressed(self) -> None:
        self.before, self._now = self._now, 0

    def add(self, digit: int) -> None:
        self._now = min(10 * self.before + digit, 10_000_000)


class Lines(Moves, ScrollView, can_focus=True):
    """The base of what is painted line by line."""

    SCOPE = "lines"
    BINDINGS: ClassVar[list[BindingType]] = bindings("lines")

    def action_open(self) -> None:
        """What enter and a double click do with the line under the cursor."""


class Options(Moves, OptionList):
    """A list to choose from; it does not go round at its ends."""

    SCOPE = "lines"
    BINDINGS: ClassVar[list[BindingType]] = bindings("lines")

    def move(self, lines: int) -> None:
        self.move_to(max(0, (self.highlighted or 0) + lines) if self.highlighted is not None else 0)

    def move_to(self, line: int) -> None:
        last = self.option_count - 1
        if last >= 0:
            self.highlighted = last if line < 0 else min(line, last)

    def action_first(self) -> None:
        Moves.action_first(self)

    def action_last(self) -> None:
        Moves.action_last(self)

    def action_open(self) -> None:
        self.action_select()


class Scroll(Moves, VerticalScroll):
    """What is higher than its place, and has no cursor."""

    SCOPE = "lines"
    BINDINGS: ClassVar[list[BindingType]] = bindings("lines")

    def move(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def move_to(self, line: int) -> None:
        self.scroll_to(y=self.max_scroll_y if line < 0 else line, animate=False)

    def action_open(self) -> None:
        """There is nothing to be opened: enter is for what is around."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "open"
