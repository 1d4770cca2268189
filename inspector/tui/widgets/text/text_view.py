"""Bytes as they are: text in lines as wide as the screen, or offset, hex and ASCII for what is not UTF-8."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.segment import Segment
from textual import events

from inspector.base.text import is_utf8
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.wrapping import wrap


class TextView(LineView):
    """Shows bytes in full; line ends break lines, other control characters are written as escapes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"text-view--offset", "text-view--ascii"}
    DEFAULT_CSS = """
    TextView {
        & > .text-view--offset { color: $quiet; }
        & > .text-view--ascii { color: $text-success; }
    }
    """
    _words = False
    """Whether lines are broken between words."""
    HELP = "The bytes as they crossed the wire. What is not UTF-8 is shown in hex."

    def __init__(self, raw: bytes = b"", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._serial = 0
        self._take(raw)

    def _take(self, raw: bytes) -> None:
        self._given = raw
        self._raw = guard.masked_bytes(raw)
        self.is_hex = self._in_hex(raw)
        self._text = "" if self.is_hex else guard.block(raw.decode("utf-8"))
        self._spans = array("I")
        self._wrapped_at = 0

    def _in_hex(self, raw: bytes) -> bool:
        return not is_utf8(raw)

    def load(self, raw: bytes) -> None:
        """Shows other bytes, from their top."""
        self._take(raw)
        self.set_reactive(TextView.cursor, 0)
        self._rewrap()
        self.scroll_to(y=0, animate=False, force=True)

    def reload(self) -> None:
        self.load(self._given)

    def _rewrap(self) -> None:
        width = self.line_width
        if not self.is_hex and width > 0 and width != self._wrapped_at:
            self._wrapped_at = width
            self._spans = array(
                "I", [edge for span in wrap(self._text, width, words=self._words) for edge in span]
            )
        self._serial += 1
        self.lines_changed()
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        self._rewrap()

    @property
    def _bytes_a_line(self) -> int:
        return next((count for count in (32, 16) if self.line_width >= self._digits + 2 + 33 * count // 8), 8)

    @property
    def _digits(self) -> int:
        """Of the offsets."""
        return 4 if len(self._raw) <= 1 << 16 else 8

    def line_count(self) -> int:
        if self.is_hex:
            return -(-len(self._raw) // self._bytes_a_line)
        return len(self._spans) // 2

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        if not self.is_hex:
            yield Segment(self._text[self._spans[2 * index] : self._spans[2 * index + 1]])
            return
        count = self._bytes_a_line
        part = self._raw[index * count : (index + 1) * count]
        halves = [part[at : at + 8].hex(" ") for at in range(0, count, 8)]
        yield Segment(f"{index * count:0{self._digits}x}  ", self.component("text-view--offset"))
        yield Segment(" ".join(f"{half:<23} " for half in halves))
        shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in part)
        yield Segment(shown, self.component("text-view--ascii"))

    def copy_offer(self) -> tuple[str, str] | None:
        """The text, secrets masked; what is hex is copied as hex."""
        if not self._raw:
            return None
        return ("bytes in hex", self._raw.hex(" ")) if self.is_hex else ("text", self._raw.decode("utf-8"))
