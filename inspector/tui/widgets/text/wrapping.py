"""Breaks visible text into the lines of a screen."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells


def wrap(text: str, width: int, *, words: bool = False) -> Iterator[tuple[int, int]]:
    """The spans of the lines of `text`: broken at line ends, and where `width` cells are full, with `words` behind the
    last blank before that. Nothing is left out but the line ends; an empty text has one empty line."""
    width = max(2, width)
    narrow = text.isascii()
    start = 0
    while True:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if start == end:
            yield start, end
        while start < end:
            stop = min(start + width, end)
            if not narrow and cell_len(text[start:stop]) > width:
                stop = start + max(1, len(chop_cells(text[start:stop], width)[0]))
            if words and stop < end:
                # The blank stays with the line before, even where it does not fit. A line that would be left half
                # empty is broken in the word.
                blank = text.rfind(" ", start, stop + 1)
                stop = blank + 1 if blank - start > width // 3 else stop
            yield start, stop
            start = stop
        start = end + 1
        if start > len(text):
            return
