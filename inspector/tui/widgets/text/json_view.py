"""JSON as it was on the wire, folding. Text that is no JSON is shown as lines of text."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive

from inspector.base import jsontext
from inspector.base.text import bytes_size, clip
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.levels import SIGNS
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.json_lines import MOST_OPENED, JsonLines, Line, path_of

LONGEST_STRING = 2000
_COUNTED = 1 << 16
_PREVIEW = 4096
_DEEPEST = 40
_BLANKS = re.compile(r"\s+")


Flag = tuple[str, str]
"""A level, and what is said."""


class JsonView(LineView):
    """A folding view of one text. `pointer` is where the cursor stands, foreign and unescaped."""

    SCOPE = "json"
    BINDINGS: ClassVar[list[BindingType]] = bindings("json")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "json-view--key", "json-view--string", "json-view--number", "json-view--literal", "json-view--mark",
        "json-view--note", "json-view--odd", "json-view--guide",
        "json-view--error", "json-view--warning", "json-view--info",
    }  # fmt: skip
    DEFAULT_CSS = """
    JsonView {
        & > .json-view--key { color: $text-primary; }
        & > .json-view--string { color: $text-success; }
        & > .json-view--number { color: $text-warning; }
        & > .json-view--literal { color: $text-accent; }
        & > .json-view--mark { color: $foreground 70%; }
        & > .json-view--note { color: $quiet; }
        & > .json-view--odd { color: $text-error; }
        & > .json-view--guide { color: $foreground 20%; }
        & > .json-view--error { color: $text-error; background: $error 25%; }
        & > .json-view--warning { color: $text-warning; background: $warning 20%; }
        & > .json-view--info { color: $text-secondary; background: $secondary 20%; }
    }
    """
    HELP = (
        "JSON as it was on the wire: numbers keep their spelling, nothing is sorted. Enter opens and closes a value, or"
        " shows a long text in full; a string that holds JSON opens into it. The path of the cursor stands above."
    )

    pointer: reactive[str] = reactive("$", repaint=False, init=False)

    class NotFound(Message):
        """A search found nothing."""

        def __init__(self, view: JsonView, needle: str) -> None:
            super().__init__()
            self.view = view
            self.needle = needle

    class Stopped(Message):
        """Too much to open at once; the rest stays closed."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines = JsonLines(text)
        self._serial = 0
        self._search = ""
        self._hit = -1
        self._flags: dict[tuple[str, ...], Flag] = {}

    @property
    def text(self) -> str:
        return self._lines.text

    @property
    def is_json(self) -> bool:
        return self._lines.is_json

    def load(self, text: str) -> None:
        """Shows another text, from its top."""
        self._lines = JsonLines(text, self.line_width or 100)
        self._flags = {}
        self._hit = -1
        self.set_reactive(JsonView.cursor, 0)
        self._refold()
        self.scroll_to(y=0, animate=False, force=True)
        self._point()

    def renew(self, text: str) -> None:
        """Shows what the text has become, all of it open; cursor and place stay where they are."""
        if text == self.text:
            return
        self._lines = JsonLines(text, self.line_width or 100)
        if self._lines.lines:
            self._lines.open_all()
        self._hit = -1
        self._refold()
        self._point()

    def bring_up(self, key: str) -> None:
        """Scrolls to the first member of that name, as far as there is more than fits."""
        at = next((number for number, line in enumerate(self._lines.lines) if line.key == key), 0)
        self.scroll_to(y=at, animate=False, force=True)

    def go_to(self, tokens: Sequence[str]) -> None:
        """Puts the cursor on the value at a pointer, or the nearest one around it; what is above it is opened."""
        self.cursor = self._lines.reach(tokens)
        self._refold()

    def flag(self, flags: Mapping[tuple[str, ...], Flag]) -> None:
        """Marks the values at some pointers, by their tokens: a level (error, warning, info) and what is said of it,
        foreign. What is not there is marked at the value that it is missing from; of several, the first counts."""
        found: dict[tuple[str, ...], Flag] = {}
        if self.is_json:
            for tokens, flag in flags.items():
                found.setdefault(self._lines.nearest(tokens), flag)
        if found != self._flags:
            self._flags = found
            self._serial += 1
            self.repaint()

    def go_to_flag(self) -> bool:
        """Puts the cursor on the next value that is marked, the first one behind the last; False where there is
        none."""
        if not self._flags:
            return False
        for path in self._flags:
            self._lines.reach(path)
        self._refold()
        lines = self._lines.lines
        places = [
            at for at, line in enumerate(lines) if line.kind != "close" and path_of(line) in self._flags
        ]
        if () in self._flags:
            places = [0, *(at for at in places if path_of(lines[at]))]
        self.cursor = next((at for at in places if at > self.cursor), places[0] if places else 0)
        return True

    def _flag_of(self, line: Line) -> tuple[Flag, bool] | None:
        """What marks a line, and whether it is the very value; a value that is closed hides what is inside."""
        if not self._flags or line.kind in ("close", "text", "more", "broken"):
            return None
        path = path_of(line)
        if not path and line.parent is not None:
            return None
        if (flag := self._flags.get(path)) is not None:
            return flag, True
        if line.kind == "closed":
            inside = (flag for at, flag in self._flags.items() if at[: len(path)] == path)
            if (flag := next(inside, None)) is not None:
                return flag, False
        return None

    def line_style(self, index: int) -> Style | None:
        found = self._flag_of(self._lines.lines[index])
        if found is None or not found[1]:
            return None
        return Style(bgcolor=self.component(f"json-view--{found[0][0]}").bgcolor)

    def reload(self) -> None:
        flags = self._flags
        self.load(self.text)
        self.flag(flags)

    def search(self, needle: str) -> None:
        """Goes to the next place from the cursor on that holds `needle`, and marks all; the empty string ends it."""
        self._search = needle
        line = self._current()
        self._hit = line.start - 1 if line is not None and line.text is self._lines.text else -1
        self.highlight(needle)
        if needle:
            self.action_find(1)

    def line_count(self) -> int:
        return len(self._lines.lines)

    def line_key(self, index: int) -> Hashable:
        line = self._lines.lines[index]
        return self._serial, id(line), line.kind

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        line = self._lines.lines[index]
        depth = min(line.depth, _DEEPEST)
        if depth:
            yield Segment("  " + "│ " * (depth - 1), self.component("json-view--guide"))
        fold = {"closed": "▸ ", "open": "▾ ", "string": "▾ ", "more": "▸ "}.get(line.kind, "  ")
        room = width - 2 * max(1, depth)
        if self.is_json or line.kind == "more":
            yield Segment(fold, self.component("json-view--note"))
            room -= 2
        said = self._said(line, width)
        yield from self._paint_key(line)
        yield from self._paint_value(line, room - (said.cell_length if said is not None else 0))
        if said is not None:
            yield said

    def _said(self, line: Line, width: int) -> Segment | None:
        """What is said of a value that is marked, behind it."""
        found = self._flag_of(line)
        if found is None:
            return None
        (level, said), exact = found
        text = said if exact else said.partition(" ")[0]
        told = clip(" ".join(guard.message(text).split()), width // 2)
        style = self.component(f"json-view--{level}")
        return Segment(f"  {SIGNS[level]} {told}", Style(color=style.color))

    def _paint_key(self, line: Line) -> Iterator[Segment]:
        if isinstance(line.key, str) and line.kind != "broken":
            style = self.component("json-view--odd" if line.again else "json-view--key")
            yield Segment(guard.line(json.dumps(line.key, ensure_ascii=False)), style)
            yield Segment(": ", self.component("json-view--mark"))

    def _paint_value(self, line: Line, room: int) -> Iterator[Segment]:
        mark, note = self.component("json-view--mark"), self.component("json-view--note")
        if line.kind == "text":
            yield Segment(line.value, self.component("json-view--string") if self.is_json else Style.null())
        elif line.kind == "more":
            yield Segment("… more: enter reads on", note)
        elif line.kind == "broken":
            yield Segment(f"no JSON from here: {line.key}  ", self.component("json-view--odd"))
            yield Segment(guard.line(line.value[:_PREVIEW], cut=True), note)
        elif line.kind == "open":
            yield Segment(line.text[line.start], mark)
        elif line.kind == "close":
            yield Segment(line.text[line.start] + self._comma(line), mark)
        elif line.kind == "closed":
            yield from self._paint_closed(line, room)
        else:
            yield from self._paint_scalar(line, room)

    def _paint_closed(self, line: Line, room: int) -> Iterator[Segment]:
        """The beginning of a closed value, and how much it is."""
        size = line.end - line.start
        facts = [bytes_size(size)] if size > 200 else []
        if line.text[line.start] == "[" and size < _COUNTED and (count := _count(line)) > 1:
            facts.insert(0, f"{count} items")
        tail = f"  {' · '.join(facts)}" if facts else ""
        taken = len(json.dumps(line.key, ensure_ascii=False)) + 2 if isinstance(line.key, str) else 0
        head = _BLANKS.sub(" ", line.text[line.start : min(line.end, line.start + _PREVIEW)])
        yield from _cut(
            guard.line(head, cut=size > _PREVIEW),
            room - taken - len(tail) - 2,
            self.component("json-view--mark"),
        )
        yield Segment(self._comma(line), self.component("json-view--mark"))
        yield Segment(tail, self.component("json-view--note"))

    def _paint_scalar(self, line: Line, room: int) -> Iterator[Segment]:
        mark, note = self.component("json-view--mark"), self.component("json-view--note")
        if line.text[line.start] != '"':
            literal = line.text[line.start] in "tfnNI" or line.value == "-Infinity"
            style = self.component("json-view--literal" if literal else "json-view--number")
            yield from _cut(
                guard.line(line.value[:_PREVIEW], cut=line.end - line.start > _PREVIEW), room, style
            )
            yield Segment(self._comma(line), mark)
            return
        size = line.end - line.start
        if line.kind == "string":
            yield Segment('"…"' + self._comma(line), self.component("json-view--string"))
            yield Segment(f"  text of {bytes_size(size - 2)}", note)
            return
        taken = len(json.dumps(line.key, ensure_ascii=False)) + 2 if isinstance(line.key, str) else 0
        # The whole value is masked before it is cut, or half of a secret would be left standing.
        shown = guard.line(
            line.value if size < 64 * LONGEST_STRING else line.value[: 64 * LONGEST_STRING], cut=True
        )
        style = self.component("json-view--string")
        if len(shown) <= LONGEST_STRING and cell_len(shown) < room - taken:
            yield Segment(shown, style)
            yield Segment(self._comma(line), mark)
            return
        tail = f"  {bytes_size(size - 2)} ⏎"
        yield from _cut(shown[:LONGEST_STRING], room - taken - len(tail), style)
        yield Segment(tail, note)

    def _comma(self, line: Line) -> str:
        if line.parent is None or line.parent.kind == "string":
            return ""
        at = jsontext.skip_space(line.text, line.end)
        return "," if line.text[at : at + 1] == "," else ""

    def _current(self) -> Line | None:
        lines = self._lines.lines
        return lines[self.cursor] if self.cursor < len(lines) else None

    def _point(self) -> None:
        line = self._current()
        self.pointer = line.pointer if line is not None else "$"

    def watch_cursor(self, before: int, cursor: int) -> None:
        super().watch_cursor(before, cursor)
        self._point()

    def _refold(self) -> None:
        """Lines came or went: their identities are new."""
        self._serial += 1
        self.lines_changed()
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        if self.line_width > 0:
            self._lines.rewrap(self.line_width)
            self._refold()

    def action_open(self) -> None:
        if not self._lines.lines:
            return
        if not self._lines.open(self.cursor):
            if self._current_kind() in ("close", "text"):
                self.cursor = self._lines.parent_of(self.cursor)
            self._lines.close(self.cursor)
        self._refold()

    def action_expand(self) -> None:
        if self._lines.lines and self._lines.open(self.cursor):
            self._refold()
        else:
            self.cursor += 1

    def action_fold(self) -> None:
        if not self._lines.lines:
            return
        if self._lines.close(self.cursor):
            self._refold()
        else:
            self.cursor = self._lines.parent_of(self.cursor)

    def action_expand_all(self) -> None:
        if self._lines.lines and not self._lines.open_all(self.cursor):
            self.app.notify(
                f"stopped at {MOST_OPENED} lines; open the rest one by one", timeout=3, markup=False
            )
        self._refold()

    def action_level(self, by: int) -> None:
        """One level more of the whole, or one less."""
        line = self._current()
        if by > 0 and not self._lines.open_level():
            self.app.notify(
                f"stopped at {MOST_OPENED} lines; open the rest one by one", timeout=3, markup=False
            )
        elif by < 0:
            self._lines.close_level()
        while line is not None and line not in self._lines.lines:
            line = line.parent
        self._refold()
        self.cursor = self._lines.lines.index(line) if line is not None else 0

    def action_fold_all(self) -> None:
        self._lines.close_all()
        self.cursor = 0
        self._refold()

    def _current_kind(self) -> str:
        line = self._current()
        return line.kind if line is not None else ""

    def action_find(self, direction: int) -> None:
        if not self._search:
            return
        after = self._hit + 1 if direction > 0 else self._hit
        found = self._lines.find(self._search, max(0, after), backwards=direction < 0)
        if found is None:
            self.post_message(self.NotFound(self, self._search))
            return
        self._hit = found
        index = self._lines.locate(found)
        self._refold()
        self.cursor = index

    def action_copy_value(self) -> None:
        self._copy(decoded=True)

    def action_copy_subtree(self) -> None:
        self._copy(decoded=False)

    def _copy(self, *, decoded: bool) -> None:
        line = self._current()
        while (
            line is not None and line.kind in ("text", "close", "more", "broken") and line.parent is not None
        ):
            line = line.parent
        if line is None:
            return
        value = self.text if not self.is_json else line.decoded if decoded else line.value
        what = line.pointer if self.is_json else "text"
        self.post_message(CopyRequested(guard.line(what), guard.masked(value)))

    def action_copy_pointer(self) -> None:
        self.post_message(CopyRequested("path", guard.masked(self.pointer)))

    def copy_offer(self) -> tuple[str, str] | None:
        """What is copied from here when nothing more precise is asked for: the whole text, secrets masked."""
        return ("JSON" if self.is_json else "text", guard.masked(self.text)) if self.text else None


def _count(line: Line) -> int:
    try:
        return len(jsontext.children(line.text, line.start))
    except jsontext.Malformed:
        return 0


def _cut(text: str, room: int, style: Style) -> Iterator[Segment]:
    """The text, shortened to `room` cells with an ellipsis."""
    if len(text) > room or cell_len(text) > room:
        text = set_cell_size(text[: max(0, room)], max(0, room - 1)) + "…"
    yield Segment(text, style)
