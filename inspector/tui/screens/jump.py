"""A letter at every place that can take the focus; the letter goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.errors import NoWidget
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from inspector.tui.registry import bindings, key_label, keys_of
from inspector.tui.widgets.bars.tab_strip import TabStrip


class Place(NamedTuple):
    """Where the letter stands on the screen, and what it does."""

    at: Offset
    go: Callable[[], Any]


def places(screen: Screen[Any]) -> list[Place]:
    """All that can take the focus and is seen, as one reads; each tab is a place of its own."""
    found: dict[Offset, Place] = {}
    for widget in screen.focus_chain:
        try:
            seen = screen.find_widget(widget).visible_region
        except NoWidget:
            continue
        if not seen:
            continue
        if isinstance(widget, TabStrip):
            for left, tab in widget.spots():
                at = seen.offset + Offset(left, 0)
                found.setdefault(at, Place(at, partial(_open_tab, screen, widget, tab)))
        else:
            found.setdefault(seen.offset, Place(seen.offset, partial(screen.set_focus, widget)))
    return sorted(found.values(), key=lambda place: (place.at.y, place.at.x))


def _open_tab(screen: Screen[Any], strip: TabStrip, tab: str) -> None:
    screen.set_focus(strip)
    strip.choose(tab)
    if (enter := getattr(strip.parent, "enter", None)) is not None:
        strip.call_after_refresh(enter)


def _codes(count: int) -> Iterator[tuple[int, ...]]:
    """As many codes as there are places: one letter each, or two where there are more places than letters."""
    letters = range(len(keys_of("jump.go")))
    return product(letters, repeat=1 if count <= len(letters) else 2)


class JumpScreen(ModalScreen[None]):
    """Over the screen that the places are of."""

    DEFAULT_CSS = """
    JumpScreen {
        align: left top; overflow: hidden; background: $background 40%;
        & > Static {
            position: absolute; width: auto; height: 1; padding: 0; text-style: bold;
            background: $text-warning; color: $background;
        }
    }
    """
    SCOPE = "jump"
    BINDINGS: ClassVar[list[BindingType]] = bindings("jump")

    def __init__(self, offered: list[Place]) -> None:
        super().__init__()
        self._places = dict(zip(_codes(len(offered)), offered, strict=False))
        self._typed: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        letters = [key_label(key) for key in keys_of("jump.go")]
        for code, place in self._places.items():
            mark = Static(Content("".join(letters[number] for number in code)), markup=False)
            mark.styles.offset = place.at
            yield mark

    def action_go(self, number: int) -> None:
        """A letter: of a code of two, the first one leaves those that begin with it."""
        self._typed += (number - 1,)
        begun = {
            code: place for code, place in self._places.items() if code[: len(self._typed)] == self._typed
        }
        if len(begun) != 1:
            for mark, code in zip(self.query(Static), self._places, strict=True):
                mark.display = not begun or code in begun
            self._typed = self._typed if begun else ()
            return
        self.dismiss(None)
        next(iter(begun.values())).go()

    def action_close(self) -> None:
        self.dismiss(None)
