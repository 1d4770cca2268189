"""Terminals that have few signs: what is painted becomes ASCII there, in the same cells."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from inspector.base.charset import shown_in


class NarrowFilter(LineFilter):
    """Paints ASCII, and the letters and digits that `charset` has besides."""

    def __init__(self, charset: str) -> None:
        super().__init__()
        self._shown = shown_in(charset)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(segment.text.isascii() for segment in segments):
            return segments
        return [
            segment
            if segment.text.isascii()
            else Segment("".join(map(self._shown, segment.text)), segment.style, segment.control)
            for segment in segments
        ]
