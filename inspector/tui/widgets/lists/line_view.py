"""The base of all lists with volume: lines that are painted when they are seen, a cursor, keys and mouse.

Whoever derives from it says how many lines there are and paints one of them; a line is one row of the screen. Painted
lines are remembered by `line_key`, so a line whose key has not changed costs nothing to scroll over.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from inspector.tui import guard
from inspector.tui.widgets.lists.moving import Lines


class LineView(Lines):
    """See the module. `cursor` is the index of the selected line; it is 0 where there is none."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-view--cursor", "line-view--hit", "line-view--empty"}
    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        & > .line-view--cursor { background: $block-cursor-blurred-background; }
        & > .line-view--empty { color: $quiet; }
        & > .line-view--hit { background: $warning 40%; text-style: bold; }
        &:focus > .line-view--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    }
    """

    cursor: reactive[int] = reactive(0, repaint=False, init=False)

    class Moved(Message):
        """The cursor stands on another line."""

        def __init__(self, view: LineView, index: int) -> None:
            super().__init__()
            self.view = view
            self.index = index

        @property
        def control(self) -> LineView:
            return self.view

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, LineView.Moved) and message.view is self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: LRUCache[Hashable, Strip] = LRUCache(512)
        self._styles_of: dict[str, Style] = {}
        self._needle: re.Pattern[str] | None = None
        self._epoch = guard.epoch()

    def line_count(self) -> int:
        """How many lines there are now."""
        raise NotImplementedError

    def line_key(self, index: int) -> Hashable:
        """Changes whenever the line would be painted differently, but for width, theme and cursor."""
        raise NotImplementedError

    def paint(self, index: int, width: int) -> Iterable[Segment]:
        """The line; what is too wide is cut off. Foreign text comes through `guard`."""
        raise NotImplementedError

    def line_style(self, index: int) -> Style | None:
        """What lies under the whole line: a background, where it has one of its own."""
        return None

    def empty_text(self) -> str:
        """What is said where there is no line."""
        return ""

    def component(self, name: str) -> Style:
        """The style of a component class: only what its rules say, with colours that let something shine through
        blended with what lies under this widget."""
        style = self._styles_of.get(name)
        if style is None:
            rules = self.get_component_styles(name)
            whole = self.get_component_rich_style(name)
            color = whole.color if rules.has_rule("color") else None
            ground = whole.bgcolor if rules.has_rule("background") else None
            style = self._styles_of[name] = Style.from_color(color, ground) + rules.text_style
        return style

    @property
    def line_width(self) -> int:
        return self.scrollable_content_region.width

    def lines_changed(self) -> None:
        """To be called when the number of lines may have changed: the scrollbar follows and the cursor stays valid."""
        count = self.line_count()
        if self.virtual_size.height != count:
            if self.show_vertical_scrollbar and count > self.page:
                # Nothing moves but the scrollbar: without this, the whole screen would be laid out for it.
                self.set_reactive(LineView.virtual_size, Size(0, count))
                self.vertical_scrollbar.window_virtual_size = count
            else:
                self.virtual_size = Size(0, count)
            if self.scroll_offset.y > self.max_scroll_y:
                self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
        if self.cursor >= count:
            self.cursor = max(0, count - 1)

    def repaint(self) -> None:
        """Forgets all painted lines and paints again."""
        self._strips.clear()
        self.refresh()

    def highlight(self, needle: str) -> None:
        """Marks what a search looks for in every line, whatever its case; the empty string ends that."""
        self._needle = re.compile(re.escape(needle), re.IGNORECASE) if needle else None
        self.repaint()

    def reload(self) -> None:
        """Secrets are shown from now on, or hidden again: what was masked ahead must be made anew."""

    def render_line(self, y: int) -> Strip:
        if self._epoch != guard.epoch():
            self._epoch = guard.epoch()
            self.call_later(self.reload)
        index = self.scroll_offset.y + y
        width = self.line_width
        count = self.line_count()
        if index >= count:
            text = f"  {self.empty_text()}" if count == 0 and y == 1 else ""
            style = self._ground() + self.component("line-view--empty")
            return Strip([Segment(fit(text, width), style)], width)
        ground = self.line_style(index)
        cursor = index == self.cursor
        key = (self.line_key(index), width, guard.epoch(), ground, cursor, cursor and self.has_focus)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._strip(index, width, ground)
        return strip

    def _strip(self, index: int, width: int, ground: Style | None) -> Strip:
        segments = list(self.paint(index, width))
        if self._needle is not None:
            segments = mark(segments, self._needle, self.component("line-view--hit"))
        strip = Strip(segments).adjust_cell_length(width)
        base = self._ground() if ground is None else self._ground() + ground
        if index != self.cursor:
            return strip.apply_style(base)
        over = self.component("line-view--cursor")
        if self.has_focus:
            return Strip(Segment.apply_style(strip, base, over), width)
        return strip.apply_style(base + over)

    def _ground(self) -> Style:
        """The style of the widget itself; looking it up for every line is what would cost most."""
        style = self._styles_of.get("")
        if style is None:
            style = self._styles_of[""] = self.rich_style
        return style

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles_of.clear()
        self._strips.clear()

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.line_count() - 1))

    def watch_cursor(self, before: int, cursor: int) -> None:
        self.refresh_line(before)
        self.refresh_line(cursor)
        self.show_cursor()
        self.post_message(self.Moved(self, cursor))

    def show_cursor(self) -> None:
        """Scrolls no further than the cursor needs to be seen."""
        top, page = self.scroll_offset.y, self.page
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif self.cursor >= top + page:
            self.scroll_to(y=self.cursor - page + 1, animate=False, force=True)

    def move(self, lines: int) -> None:
        self.cursor += lines

    def move_to(self, line: int) -> None:
        self.cursor = line if line >= 0 else self.line_count() - 1

    def turn(self, lines: int) -> None:
        """The view moves and the cursor keeps its place on the screen."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)
        self.cursor += lines

    def index_at(self, event: events.MouseEvent) -> int | None:
        """The line under the mouse; None where there is none."""
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        index = self.scroll_offset.y + offset.y
        return index if index < self.line_count() else None

    def on_click(self, event: events.Click) -> None:
        index = self.index_at(event)
        if index is not None:
            self.cursor = index
            if event.chain == 2:
                self.action_open()


def mark(segments: list[Segment], needle: re.Pattern[str], style: Style) -> list[Segment]:
    """The segments with `style` on top wherever the needle stands, also across their borders."""
    text = "".join(segment.text for segment in segments)
    spans = [match.span() for match in needle.finditer(text) if match.end() > match.start()]
    if not spans:
        return segments
    marked: list[Segment] = []
    at = 0
    for segment in segments:
        end = at + len(segment.text)
        cuts = sorted({at, end, *(edge for span in spans for edge in span if at < edge < end)})
        for start, stop in pairwise(cuts):
            hit = any(first <= start and stop <= last for first, last in spans)
            own = segment.style or Style.null()
            marked.append(Segment(text[start:stop], own + style if hit else own))
        at = end
    return marked


def fit(text: str, width: int, *, right: bool = False) -> str:
    """The text in exactly `width` cells: padded, or cut with an ellipsis."""
    if width <= 0:
        return ""
    length = len(text) if text.isascii() else cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    padding = " " * (width - length)
    return padding + text if right else text + padding
