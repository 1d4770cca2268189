"""Text to be read: broken into lines as wide as the screen or not at all, with a search."""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.binding import BindingType
from textual.message import Message

from inspector.tui.registry import bindings
from inspector.tui.widgets.text.text_view import TextView

_WHOLE = -1
"""Stands for the width that lines were broken at where they were not."""


class ReadingView(TextView):
    """With `always_hex` all bytes are shown in hex, also those that are text."""

    _words = True
    SCOPE = "reading"
    BINDINGS: ClassVar[list[BindingType]] = bindings("reading")
    HELP = "`/` searches, `n` and `N` go from place to place, `W` breaks long lines or lets them run on."

    class NotFound(Message):
        """A search found nothing."""

        def __init__(self, needle: str) -> None:
            super().__init__()
            self.needle = needle

    def __init__(self, raw: bytes = b"", *, always_hex: bool = False, id: str | None = None) -> None:
        self._always_hex = always_hex
        self._wraps = True
        self._left = 0
        self._needle_text = ""
        self._search: re.Pattern[str] | None = None
        super().__init__(raw, id=id)

    @property
    def wraps(self) -> bool:
        return self._wraps

    def _take(self, raw: bytes) -> None:
        super()._take(raw)
        self._left = 0

    def _in_hex(self, raw: bytes) -> bool:
        return self._always_hex or super()._in_hex(raw)

    def _rewrap(self) -> None:
        if self._wraps or self.is_hex:
            super()._rewrap()
            return
        if self._wrapped_at != _WHOLE:
            self._wrapped_at = _WHOLE
            self._spans = array("I", [edge for span in _whole_lines(self._text) for edge in span])
        self._serial += 1
        self.lines_changed()
        self.repaint()

    def line_key(self, index: int) -> Hashable:
        return self._serial, index, self._left

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        if self.is_hex or self._wraps:
            yield from super().paint(index, width)
            return
        # Far enough for what is seen: a line may be megabytes long.
        start, end = self._spans[2 * index], self._spans[2 * index + 1]
        line = self._text[start : min(end, start + self._left + width + 1)].expandtabs(8)
        rest = line[self._left :]
        if cell_len(rest) > width:
            rest = set_cell_size(rest, width - 1) + "…"
        yield Segment(rest)

    def action_toggle_wrap(self) -> None:
        """Keeps the cursor on its text."""
        if self.is_hex or not self._spans:
            return
        at = self._spans[2 * self.cursor]
        self._wraps, self._left = not self._wraps, 0
        self._rewrap()
        self.cursor = self._line_of(at)

    def action_sideways(self, by: int) -> None:
        if not self._wraps and not self.is_hex:
            self._left = max(0, self._left + by)
            self.repaint()

    def search(self, needle: str) -> None:
        """Goes to the next place from the cursor on that holds `needle`, whatever its case, and marks all."""
        self._needle_text = needle
        self._search = re.compile(re.escape(needle), re.IGNORECASE) if needle else None
        self.highlight(needle)
        if self._search is not None:
            self._find(1, here=True)

    def action_find(self, direction: int) -> None:
        if self._search is not None:
            self._find(direction)

    def _find(self, direction: int, *, here: bool = False) -> None:
        """By lines: all places of one line are marked together."""
        assert self._search is not None
        if self.is_hex or not self._spans:
            return
        start, end = self._spans[2 * self.cursor], self._spans[2 * self.cursor + 1]
        if direction > 0:
            found = self._search.search(self._text, start if here else end) or self._search.search(self._text)
            at = found.start() if found is not None else -1
        else:
            at = last = -1
            for match in self._search.finditer(self._text):
                last = match.start()
                at = last if last < start else at
            at = at if at >= 0 else last
        if at < 0:
            self.post_message(self.NotFound(self._needle_text))
        else:
            self.cursor = self._line_of(at)

    def _line_of(self, at: int) -> int:
        """The line that holds a place of the text."""
        low, high = 0, len(self._spans) // 2 - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._spans[2 * middle] <= at else (low, middle - 1)
        return low


def _whole_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield start, end
        start = end + 1
    if start < len(text) or not text:
        yield start, len(text)
