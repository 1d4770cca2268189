"""The line that a filter is typed into, and below it how it can go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from inspector.traffic.completion import NOTES, Option
from inspector.tui import guard
from inspector.tui.registry import bindings, label
from inspector.tui.widgets.text.facts import fit

_SHOWN = 9
_EXAMPLES = (
    ("echo", "text; a capital makes case count"),
    ("kind:error server:notes", "both of them"),
    ("method:tools/* -status:ok", "- is not"),
    ("(tool:bake | tool:eat) took>100ms", "| is or"),
    ('"exact text"  /reg.x/i', "exact text, and expressions"),
    ("kind:stderr   status:4xx", "shown only when asked for"),
)


class Completions(Widget):
    """A short list over whatever lies below; `FilterInput` owns the keys. Posts `Clicked`."""

    DEFAULT_CSS = """
    Completions {
        overlay: screen; display: none; width: auto; height: auto; background: $panel; color: $foreground;
    }
    """

    class Clicked(Message):
        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.options: list[Option] = []
        self.chosen: int | None = None
        self._top = 0

    def offer(self, options: list[Option], left: int, room: int) -> None:
        """Shows options from a column on, below the line above it or, where there is no room, over that."""
        self.options, self.chosen, self._top = options, None, 0
        self.display = bool(options)
        if not options:
            return
        height = self._height
        self.styles.offset = (left, 0 if room > height else -height - 1)
        self.refresh(layout=True)

    @property
    def _height(self) -> int:
        return min(_SHOWN, len(self.options)) + 1

    def get_content_width(self, container: object, viewport: object) -> int:
        return self._text_width + self._note_width + 3

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return self._height

    @property
    def _text_width(self) -> int:
        return min(50, max((cell_len(guard.line(option.text)) for option in self.options), default=0))

    @property
    def _note_width(self) -> int:
        return max(30, max((len(option.note) for option in self.options), default=0))

    def move(self, by: int) -> None:
        """Chooses the next or previous one; before the first there is none."""
        last = len(self.options) - 1
        at = -1 if self.chosen is None else self.chosen
        at = min(last, at + by)
        self.chosen = at if at >= 0 else None
        if self.chosen is not None:
            self._top = max(min(self._top, self.chosen), self.chosen - _SHOWN + 1)
        self.refresh()

    def render(self) -> Content:
        lines: list[Content] = []
        width, notes = self._text_width, self._note_width
        for index in range(self._top, min(len(self.options), self._top + _SHOWN)):
            option = self.options[index]
            ground = " on $cursor" if index == self.chosen else ""
            lines.append(
                Content.assemble(
                    (f" {fit(guard.line(option.text), width)} ", f"bold $text-accent{ground}"),
                    (f"{option.note:<{notes}} ", f"$quiet{ground}"),
                )
            )
        more = len(self.options) - _SHOWN
        rest = f" · {more} more" if more > 0 else ""
        lines.append(Content.styled(f" ↑↓ choose · {label('traffic_filter.accept')} take{rest}", "$quiet"))
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        index = self._top + at.y if at is not None else -1
        if 0 <= index < len(self.options) and at is not None and at.y < _SHOWN:
            self.post_message(self.Clicked(index))


class FilterInput(Input):
    """Asks `complete` for ways to go on whenever its text changes; `recent` gives filters used before."""

    SCOPE = "traffic_filter"
    BINDINGS: ClassVar[list[BindingType]] = bindings("traffic_filter")

    def __init__(
        self,
        completions: Completions,
        complete: Callable[[str], tuple[int, list[Option]]],
        recent: Callable[[], list[str]],
        *,
        placeholder: str,
        id: str,
    ) -> None:
        super().__init__(placeholder=placeholder, compact=True, select_on_focus=False, id=id)
        self._list = completions
        self._complete = complete
        self._recent = recent
        self._start = 0

    @property
    def offers(self) -> bool:
        """There are ways to go on, on the screen."""
        return bool(self._list.display)

    def _offer(self) -> None:
        if not self.has_focus or self.cursor_position < len(self.value):
            self.close()
            return
        self._start, options = self._complete(self.value)
        self._show(options, self._start)

    def _show(self, options: list[Option], column: int) -> None:
        left = max(0, cell_len(self.value[:column]) - self.scroll_offset.x)
        room = self.screen.size.height - self.region.bottom
        self._list.offer(options, left, room)

    def close(self) -> None:
        """Takes the list away."""
        self._list.offer([], 0, 0)

    def on_blur(self) -> None:
        self.close()

    def watch_value(self, value: str) -> None:
        if self.has_focus:
            self.call_after_refresh(self._offer)

    def take(self, index: int) -> None:
        """Puts an option into the text."""
        text = self._list.options[index].text
        self.value = self.value[: self._start] + text
        self.cursor_position = len(self.value)

    def action_choose(self, by: int) -> None:
        if by < 0 and self._list.chosen is None:
            self._start = 0
            self._show([Option(text, "used before") for text in self._recent()], 0)
            by = 1
        elif not self.offers:
            self._offer()
        if self.offers:
            self._list.move(by)

    def action_accept(self) -> None:
        self.take(self._list.chosen or 0)

    def action_accept_or_right(self) -> None:
        if self.offers and self.cursor_position == len(self.value):
            self.action_accept()
        else:
            self.action_cursor_right()

    async def action_submit(self) -> None:
        """Takes what was chosen; without a choice the filter is done."""
        if self.offers and self._list.chosen is not None:
            self.take(self._list.chosen)
            return
        self.close()
        await super().action_submit()

    def action_close_list(self) -> None:
        self.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.offers if action in ("accept", "close_list") else True

    def explain(self, width: int) -> Content:
        """The little language of filters."""
        parts: list[tuple[str, str]] = [
            ("The filter of the traffic. It works while you type; a mistake is marked and changes nothing.\n\n",
             "$foreground"),
        ]  # fmt: skip
        parts += [part for text, note in _EXAMPLES for part in _pair(text, note, 34, width)]
        parts.append(("\nFields\n", "bold $text-primary"))
        parts += [part for text, note in NOTES.items() for part in _pair(text, note, 9, width)]
        return Content.assemble(*parts)


def _pair(text: str, note: str, room: int, width: int) -> list[tuple[str, str]]:
    if room + len(note) + 3 > width:
        return [(f"  {text}\n", "bold $text-accent"), (f"      {note}\n", "$quiet")]
    return [(f"  {text:<{room}} ", "bold $text-accent"), (f"{note}\n", "$quiet")]
