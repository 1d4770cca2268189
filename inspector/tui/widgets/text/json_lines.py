"""JSON text as lines that open and close: what `JsonView` shows, without the screen.

Only what is opened is scanned, and a level at most `PAGE` children at a time. A string opens too: into the JSON that
it holds, or into the lines of its text. Text that is no JSON is lines of text from the start.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal

from inspector.base import jsontext
from inspector.base.jsontext import Malformed
from inspector.tui import guard
from inspector.tui.widgets.text.wrapping import wrap

PAGE = 1000
MOST_OPENED = 20_000
_AT_FIRST, _LEVELS_AT_FIRST, _SECONDS_AT_FIRST = 60, 8, 0.1
_LONGEST_INNER = 16 << 20
_NAME = re.compile(r"[A-Za-z_$][\w$-]*", re.ASCII)

Kind = Literal["closed", "open", "close", "scalar", "string", "text", "more", "broken"]


@dataclass(slots=True, eq=False)
class Line:
    """One line. `text[start:end]` is the value it stands for; of a key only the decoded name is known.

    Kinds: a list or object `closed` or `open`, and its `close`; a `scalar`; a `string` that was opened; a line of
    `text`; `more` children than were read; the place where JSON is `broken`, for the reason in `key`.
    """

    kind: Kind
    text: str
    start: int
    end: int
    depth: int = 0
    parent: Line | None = None
    key: str | int | None = None
    again: bool = False
    rest: Iterator[Line] | None = None

    @property
    def opens(self) -> bool:
        return self.kind in ("closed", "more") or (self.kind == "scalar" and self.text[self.start] == '"')

    @property
    def value(self) -> str:
        """The value as it is spelled."""
        return self.text[self.start : self.end]

    @property
    def decoded(self) -> str:
        """A string without its quotes and escapes, other values as they are spelled."""
        if self.text[self.start : self.start + 1] != '"':
            return self.value
        try:
            text = json.loads(self.value)
        except ValueError:
            return self.value
        return text if isinstance(text, str) else self.value

    @property
    def pointer(self) -> str:
        """Where the value is: `$.result.content[0].text`; behind an arrow what is inside of a string."""
        if self.kind in ("text", "close", "more", "broken"):
            return self.parent.pointer if self.parent else "$"
        if self.parent is None:
            return "$"
        before = self.parent.pointer
        if self.key is None:
            return f"{before} → $"
        if isinstance(self.key, int):
            return f"{before}[{self.key}]"
        return f"{before}.{self.key}" if _NAME.fullmatch(self.key) else f"{before}[{json.dumps(self.key)}]"


def _places(text: str, start: int) -> dict[str, int]:
    """Where the children of a value are, by their names; none for what has no children."""
    if text[start : start + 1] not in ("{", "["):
        return {}
    try:
        return {str(child.key): child.start for child in jsontext.children(text, start)}
    except Malformed:
        return {}


def path_of(line: Line) -> tuple[str, ...]:
    """The tokens of the pointer to the value that a line stands for; () for the whole, and for what is inside of a
    string, which has no pointer of its own."""
    tokens: list[str] = []
    at: Line | None = line
    while at is not None and at.parent is not None:
        if at.key is None or at.kind in ("close", "text", "more", "broken"):
            return ()
        tokens.append(str(at.key))
        at = at.parent
    return tuple(reversed(tokens))


class JsonLines:
    """The lines of one text. `is_json` tells whether it is JSON at all; `width` is where text is broken."""

    def __init__(self, text: str, width: int = 100) -> None:
        self.text = text
        self.width = width
        self.lines: list[Line] = []
        self._places: dict[int, dict[str, int]] = {}
        self.is_json = self._begin()

    def _begin(self) -> bool:
        start = jsontext.skip_space(self.text, 1 if self.text.startswith("\ufeff") else 0)
        root = _whole(self.text, start)
        if root is None:
            plain = guard.block(self.text)
            self.lines = _page(_text_lines(plain, self.width, 0, None))
            return False
        self.lines = [root]
        if root.kind == "closed":
            self._open_at_first()
        return True

    def _open_at_first(self) -> None:
        """Opens level by level, as long as all of a level fits on a screen or two, or there is only one value to open,
        and it does not take long to read."""
        deadline = time.monotonic() + _SECONDS_AT_FIRST
        self.open(0)
        for _ in range(_LEVELS_AT_FIRST):
            level = [line for line in self.lines if line.kind == "closed"]
            before = self.lines[:]
            for line in level:
                if time.monotonic() > deadline:
                    return
                self.open(self.lines.index(line))
                if len(self.lines) > _AT_FIRST and len(level) > 1:
                    for opened in level:
                        opened.kind = "closed"
                    self.lines = before
                    return

    def open(self, index: int) -> bool:
        """Opens a line; False where there is nothing to open."""
        line = self.lines[index]
        if not line.opens:
            return False
        if line.kind == "more":
            assert line.rest is not None
            self.lines[index : index + 1] = _page(line.rest)
            return True
        if line.kind == "closed":
            line.kind = "open"
            self.lines[index + 1 : index + 1] = _page(line.rest or _children(line))
            line.rest = None
            return True
        line.kind = "string"
        self.lines[index + 1 : index + 1] = self._inside(line)
        return True

    def _inside(self, line: Line) -> list[Line]:
        text = line.decoded
        if text.lstrip()[:1] in ("{", "[") and len(text) <= _LONGEST_INNER:
            root = _whole(text, jsontext.skip_space(text, 0))
            if root is not None:
                root.parent, root.depth, root.kind, root.rest = line, line.depth + 1, "open", None
                return [root, *_page(_children(root))]
        return _page(_text_lines(guard.block(text), self.width - 2 * line.depth - 4, line.depth + 1, line))

    def close(self, index: int) -> bool:
        """Closes an open line; False where it is not open."""
        line = self.lines[index]
        if line.kind not in ("open", "string"):
            return False
        del self.lines[index + 1 : self.end_of(index)]
        line.kind = "closed" if line.kind == "open" else "scalar"
        return True

    def end_of(self, index: int) -> int:
        """The index behind all lines that belong to the one at `index`."""
        depth = self.lines[index].depth
        for at in range(index + 1, len(self.lines)):
            if self.lines[at].depth <= depth:
                own = self.lines[at].kind == "close" and self.lines[at].parent is self.lines[index]
                return at + 1 if own else at
        return len(self.lines)

    def parent_of(self, index: int) -> int:
        """The index of the line that the one at `index` is inside of; its own where it is inside of none."""
        parent = self.lines[index].parent
        for at in range(index - 1, -1, -1):
            if self.lines[at] is parent:
                return at
        return index

    def open_all(self, index: int = 0) -> bool:
        """Opens all lists and objects under a line; False where that was too much and some are left."""
        at, end = index, index + 1 if self.lines[index].kind == "closed" else self.end_of(index)
        while at < end:
            if self.lines[at].kind == "closed":
                before = len(self.lines)
                if before > MOST_OPENED:
                    return False
                self.open(at)
                end += len(self.lines) - before
            at += 1
        return True

    def open_level(self) -> bool:
        """Opens one level more of the whole; False where that was too much and some are left."""
        opened: list[Line] = []
        for number, line in enumerate(self.lines):
            opened.append(line)
            if line.kind == "closed":
                if len(opened) > MOST_OPENED:
                    self.lines = [*opened, *self.lines[number + 1 :]]
                    return False
                line.kind = "open"
                opened += _page(line.rest or _children(line))
                line.rest = None
        self.lines = opened
        return True

    def close_level(self) -> None:
        """Closes the innermost level that is open, but not the first."""
        deepest = max((line.depth for line in self.lines if line.kind in ("open", "string")), default=0)
        if deepest == 0:
            return
        for index in reversed(range(len(self.lines))):
            if self.lines[index].depth == deepest and self.lines[index].kind in ("open", "string"):
                self.close(index)

    def close_all(self) -> None:
        """Back to the first level."""
        if self.is_json:
            self.close(0)
            self.open(0)

    def rewrap(self, width: int) -> None:
        """Breaks text at another width."""
        if width == self.width:
            return
        self.width = width
        if not self.is_json:
            self._begin()
            return
        for line in [line for line in self.lines if line.kind == "string"]:
            index = self.lines.index(line)
            if self.lines[index + 1].kind == "text":
                self.close(index)
                self.open(index)

    def find(self, needle: str, after: int, *, backwards: bool = False) -> int | None:
        """The offset of the next place, from `after` on and round the end, that holds `needle` whatever its case."""
        pattern = re.compile(re.escape(needle), re.IGNORECASE)
        if backwards:
            starts = [match.start() for match in pattern.finditer(self.text)]
            return max((at for at in starts if at < after), default=starts[-1] if starts else None)
        match = pattern.search(self.text, after) or pattern.search(self.text)
        return match.start() if match else None

    def nearest(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """As much of a path as there is."""
        at, there = jsontext.skip_space(self.text, 0), list[str]()
        for token in tokens:
            if at not in self._places:
                self._places[at] = _places(self.text, at)
            if token not in self._places[at]:
                break
            there.append(token)
            at = self._places[at][token]
        return tuple(there)

    def locate(self, offset: int) -> int:
        """The line that shows `offset` of the text; what is above it is opened."""
        if not self.is_json:
            return self._locate_text(offset)
        index = 0
        while True:
            line = self.lines[index]
            if line.kind == "closed":
                self.open(index)
            if line.kind != "open":
                return index
            found = self._child_at(index, offset)
            if found is None:
                return index
            child = self.lines[found]
            if child.kind not in ("open", "closed") or offset < child.start:
                return found
            index = found

    def reach(self, tokens: Sequence[str]) -> int:
        """The line of the value at the tokens of a pointer, or of the nearest one around it; what is above it is
        opened."""
        index = 0
        for token in tokens if self.is_json else ():
            if self.lines[index].kind == "closed":
                self.open(index)
            at, parent, found = index + 1, self.lines[index], None
            while found is None and at < len(self.lines) and self.lines[at].depth > parent.depth:
                child = self.lines[at]
                if child.parent is parent and child.kind == "more":
                    self.open(at)
                    continue
                if child.parent is parent and child.key is not None and str(child.key) == token:
                    found = at
                at += 1
            if found is None:
                break
            index = found
        return index

    def _child_at(self, index: int, offset: int) -> int | None:
        line = self.lines[index]
        at = index + 1
        while at < len(self.lines) and self.lines[at].depth > line.depth:
            child = self.lines[at]
            if child.parent is line:
                if child.kind == "more":
                    self.open(at)
                    continue
                if child.end > offset:
                    return at
            at += 1
        return None

    def _locate_text(self, offset: int) -> int:
        """Text is shown with escapes, so that its lines are counted and not its characters."""
        offset = len(guard.block(self.text[:offset]))
        at = 0
        while at < len(self.lines):
            if self.lines[at].kind == "more":
                self.open(at)
            elif self.lines[at].end > offset:
                return at
            else:
                at += 1
        return len(self.lines) - 1


def _whole(text: str, start: int) -> Line | None:
    """The line of the one value that `text` is from `start` on; None where it is no JSON.

    The first level is read as far as one page and kept for whoever opens it; the end of what is longer is taken on
    trust.
    """
    if start >= len(text):
        return None
    if text[start] not in "{[":
        try:
            end = jsontext.end_of_value(text, start)
        except Malformed:
            return None
        return Line("scalar", text, start, end) if jsontext.skip_space(text, end) == len(text) else None
    root = Line("closed", text, start, len(text.rstrip()))
    lines = _children(root)
    page = list(islice(lines, PAGE + 1))
    if page[-1].kind == "broken" or (
        page[-1].kind == "close" and jsontext.skip_space(text, root.end) != len(text)
    ):
        return None
    root.rest = chain(page, lines)
    return root


def _children(line: Line) -> Iterator[Line]:
    text, depth = line.text, line.depth + 1
    seen: set[str | int] = set()
    end = line.start + 1
    try:
        for key, start, end in jsontext.each_child(text, line.start):
            kind: Kind = "closed" if text[start] in "{[" else "scalar"
            yield Line(kind, text, start, end, depth, line, key, key in seen)
            seen.add(key)
    except Malformed as error:
        yield Line("broken", text, error.position, line.end, depth, line, str(error))
        return
    line.end = jsontext.skip_space(text, end) + 1
    yield Line("close", text, line.end - 1, line.end, line.depth, line)


def _text_lines(text: str, width: int, depth: int, parent: Line | None) -> Iterator[Line]:
    for start, end in wrap(text, width):
        yield Line("text", text, start, end, depth, parent)


def _page(lines: Iterator[Line]) -> list[Line]:
    """The next lines, and one that stands for the rest."""
    page = list(islice(lines, PAGE))
    following = next(lines, None)
    if following is None:
        return page
    if following.kind == "close":
        return [*page, following]
    rest = chain([following], lines)
    first = page[-1]
    return [*page, Line("more", first.text, first.end, first.end, first.depth, first.parent, rest=rest)]
