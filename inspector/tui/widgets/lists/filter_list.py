"""A list with a filter above it: what tools, resources and prompts are chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import FuzzySearch
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.moving import Options

_AROUND = 3
"""Cells of a line beside its text and its facts: the mark with a blank, a blank before the facts."""
_READABLE = 24
"""Cells of an entry that are worth more than the longest facts at the right edge."""
_CLIPPED = 14
"""Cells of an entry that are worth more than the shorter ones."""
_CALM = 0.08
"""Seconds that the cursor rests before the entry under it is told: holding a key down builds nothing."""


@dataclass(frozen=True, slots=True)
class Item:
    """`text` is safe and what is filtered by, `mark` a sign and its tone before it, `note` a quiet word behind. `sides`
    are facts at the right edge, the longest first: the first one is shown that leaves the text its room."""

    key: str
    text: str
    mark: tuple[str, str] = ("", "")
    note: str = ""
    sides: tuple[str, ...] = ()


class FilterList(Vertical):
    """Posts `Pointed` when the cursor rests on an entry and `Opened` on enter. The cursor stays on its entry when
    the items change."""

    DEFAULT_CSS = """
    FilterList {
        height: 1fr;
        & > Input { display: none; }
        & > .count { display: none; height: 1; padding: 0 1; color: $text-warning; }
        & > .nothing { display: none; height: auto; padding: 1; color: $quiet; }
        & > .sum { display: none; height: 1; padding: 0 1; color: $quiet; text-wrap: nowrap; text-overflow: ellipsis; }
        & > OptionList { height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; }
        & > OptionList { text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """
    HELP = (
        'A list to choose from. / filters it: the letters may lie apart, as in "ck" for "cake". Enter opens'
        " the entry under the cursor, esc ends the filter."
    )
    SCOPE = "list"
    BINDINGS: ClassVar[list[BindingType]] = bindings("list")

    class Pointed(Message):
        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Opened(Message):
        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, placeholder: str, empty: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: list[Item] = []
        self._shown: list[Item] = []
        self._empty = empty
        self._input = Input(placeholder=placeholder, compact=True)
        self._count = Static(classes="count", markup=False)
        self._nothing = Static(classes="nothing", markup=False)
        self._options = Options(markup=False, compact=True)
        self._sum = Static(classes="sum", markup=False)
        self._sums: list[str] = []
        self._side = -1
        self._room = 0
        self._resting: Timer | None = None
        self._fuzzy = FuzzySearch(case_sensitive=False)

    def compose(self) -> ComposeResult:
        yield self._input
        yield self._count
        yield self._nothing
        yield self._options
        yield self._sum

    def on_mount(self) -> None:
        self._fill()

    def on_resize(self) -> None:
        self._show_sum()
        if any(item.sides for item in self._items) and self._options.size.width:
            self.call_after_refresh(self._fill)

    def sum_up(self, texts: list[str]) -> None:
        """What is said of all entries together, below them: the first text that fits; safe."""
        self._sums = texts
        self._show_sum()

    def _show_sum(self) -> None:
        room = self.size.width - 2
        text = next((text for text in self._sums if cell_len(text) <= room), "")
        self._sum.display = bool(text)
        self._sum.update(Content(text))

    def show(self, items: list[Item]) -> None:
        """Replaces what can be chosen; nothing happens where it is the same."""
        if items != self._items:
            self._items = items
            if self.is_mounted:
                self._fill()

    def say_empty(self, empty: str) -> None:
        """Why there is nothing to choose from; safe text."""
        if empty != self._empty:
            self._empty = empty
            if self.is_mounted:
                self._fill()

    @property
    def key(self) -> str | None:
        """The entry under the cursor."""
        index = self._options.highlighted
        return self._shown[index].key if index is not None and index < len(self._shown) else None

    def select(self, key: str) -> None:
        """Puts the cursor on an entry; a filter that hides it is ended."""
        if not any(item.key == key for item in self._shown):
            self._input.value = ""
            self._fill()
        for index, item in enumerate(self._shown):
            if item.key == key:
                self._options.highlighted = index
                return

    def _fill(self, *, stay: bool = True) -> None:
        """Where the cursor is to `stay` and its entry is not there any more, it stays at its place."""
        key, at, query = self.key, self._options.highlighted or 0, self._input.value.strip()
        self._shown = self._matches(query) if query else self._items
        self._measure()
        self._options.clear_options()
        self._options.add_options([Option(self._prompt(item, query)) for item in self._shown])
        keys = [item.key for item in self._shown]
        if keys:
            near = keys.index(key) if key in keys else min(at, len(keys) - 1)
            self._options.highlighted = near if stay else 0
        self._count.display = bool(query)
        self._count.update(Content(f"{len(keys):,} of {len(self._items):,}"))
        self._nothing.display = not keys
        self._nothing.update(Content("Nothing matches. Esc ends the filter." if query else self._empty))

    def _measure(self) -> None:
        """Which of the facts at the right edge there is room for: the same one for all, so that they make a column."""
        self._room = self._options.scrollable_content_region.width - 2
        longest = max((cell_len(item.text) for item in self._items), default=0)
        count = max((len(item.sides) for item in self._items), default=0)
        for side in range(count):
            width = max(cell_len(item.sides[side]) for item in self._items if side < len(item.sides))
            least = _CLIPPED if side else _READABLE
            if self._room - width - _AROUND >= min(longest, least):
                self._side = side
                return
        self._side = -1

    def _matches(self, query: str) -> list[Item]:
        scored = [(self._fuzzy.match(query, item.text)[0], number) for number, item in enumerate(self._items)]
        hits = sorted((-score, number) for score, number in scored if score > 0)
        return [self._items[number] for _, number in hits]

    def _prompt(self, item: Item, query: str) -> Content:
        text = Content(item.text)
        if query:
            for at in self._fuzzy.match(query, item.text)[1]:
                text = text.stylize("bold underline", at, at + 1)
        mark, tone = item.mark
        line = Content.assemble(
            (f"{mark or ' '} ", tone), text, (f"  {item.note}" if item.note else "", "$quiet")
        )
        if not 0 <= self._side < len(item.sides):
            return line
        side = item.sides[self._side]
        left = max(1, self._room - cell_len(side) - 1)
        return line.truncate(left, ellipsis=True, pad=True) + Content.assemble((f" {side}", "$quiet"))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_CALM, self._rested)

    def _rested(self) -> None:
        if self.key is not None:
            self.post_message(self.Pointed(self.key))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.key is not None:
            self.post_message(self.Opened(self.key))

    def enter(self) -> None:
        self._options.focus()

    def open_filter(self) -> None:
        self._input.display = True
        self._input.focus()

    def end_filter(self) -> bool:
        """Shows all again; False where nothing was filtered."""
        if not self._input.display:
            return False
        self._input.value = ""
        self._input.display = False
        self.enter()
        return True

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(stay=not event.value.strip())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.enter()
        if self.key is not None:
            self.post_message(self.Opened(self.key))

    def action_open(self) -> None:
        self._options.action_select()

    def action_cursor(self, by: int) -> None:
        if self._input.has_focus:
            self.enter()
        self._options.move(by)
