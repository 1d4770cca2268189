"""What a server lists under URIs, to choose from: trees in sections, or one flat list while a filter is typed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from inspector.tui import guard
from inspector.tui.panes.uri_tree import Entry, Row, UriTree, matching
from inspector.tui.registry import bindings
from inspector.tui.widgets.lists.line_view import LineView, fit

_CALM = 0.08
"""Seconds that the cursor rests before the entry under it is told: holding a key down builds nothing."""
_NOTES_FROM = 28
"""Cells of width from which the notes at the right are shown."""
_NEAR_TOP = 10
"""Lines among which the first entry is looked for at first; where there is none the first branch is taken."""
Mark = tuple[str, str, str]
"""A sign before an entry, the component class of its tone, and a word behind the entry."""


class UriLines(LineView):
    """The lines of the list."""

    SCOPE = "uris"
    BINDINGS: ClassVar[list[BindingType]] = bindings("uris")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "uri--head", "uri--quiet", "uri--branch", "uri--hit", "uri--on", "uri--changed", "uri--odd",
    }  # fmt: skip
    DEFAULT_CSS = """
    UriLines {
        height: 1fr;
        & > .uri--head { color: $text-accent; text-style: bold; }
        & > .uri--quiet { color: $quiet; }
        & > .uri--branch { color: $text-primary; }
        & > .uri--hit { text-style: bold underline; }
        & > .uri--on { color: $text-success; }
        & > .uri--changed { color: $text-warning; text-style: bold; }
        & > .uri--odd { color: $text-warning; }
    }
    """

    class Opened(Message):
        """Enter on an entry."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Folded(Message):
        """A branch is to be opened or closed."""

        def __init__(self, path: str, section: int, is_open: bool) -> None:
            super().__init__()
            self.path = path
            self.section = section
            self.is_open = is_open

    def __init__(self, mark: Callable[[Entry], Mark]) -> None:
        super().__init__()
        self.rows: list[tuple[int, Row]] = []
        self.said = ""
        self._mark = mark
        self._serial = 0

    def show(self, rows: list[tuple[int, Row]], key: str | None) -> None:
        """Other rows; the cursor goes to the entry of that key, or else to the first entry."""
        self.rows = rows
        self._serial += 1
        self.lines_changed()
        at = next(
            (index for index, (_, row) in enumerate(rows) if key is not None and _key(row) == key), None
        )
        if at is None and (key is None or not self._on_something()):
            at = next((index for index, (_, row) in enumerate(rows[:_NEAR_TOP]) if row.kind == "entry"), None)
            if at is None:
                at = next((index for index, (_, row) in enumerate(rows) if row.kind != "head"), 0)
        if at is not None:
            self.cursor = at
        self.repaint()
        self.show_cursor()

    def _on_something(self) -> bool:
        return self.current is not None and self.current[1].kind != "head"

    @property
    def current(self) -> tuple[int, Row] | None:
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def line_count(self) -> int:
        return len(self.rows)

    def empty_text(self) -> str:
        return self.said

    def line_key(self, index: int) -> Hashable:
        row = self.rows[index][1]
        return self._serial, index, self._mark(row.entry) if row.entry is not None else None

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        row = self.rows[index][1]
        quiet = self.component("uri--quiet")
        if row.kind == "head":
            yield Segment(f" {row.text}", self.component("uri--head"))
            yield Segment(f"  {row.count:,}", quiet)
            return
        indent = "  " * min(row.depth, 12)
        if row.kind == "branch":
            yield Segment(f"{indent}{'▾' if row.open else '▸'} ", quiet)
            text, count = guard.line(row.text), f" {row.count:,} "
            yield Segment(fit(text, max(4, min(cell_len(text), width - len(indent) - 2 - len(count)))),
                          self.component("uri--branch"))  # fmt: skip
            yield Segment(count, quiet)
            return
        assert row.entry is not None
        yield from self._paint_entry(row, row.entry, indent, width)

    def _paint_entry(self, row: Row, entry: Entry, indent: str, width: int) -> Iterator[Segment]:
        quiet = self.component("uri--quiet")
        sign, tone, word = self._mark(entry)
        if entry.odd and not sign:
            sign, tone = "▲", "uri--odd"
        yield Segment(f"{indent}{sign or '·'} ", self.component(tone) if sign else quiet)
        room = width - len(indent) - 3
        note = " · ".join(part for part in (word, entry.note if width >= _NOTES_FROM else "") if part)
        note = note if cell_len(note) < room // 2 else word
        room -= cell_len(note) + 1 if note else 0
        text = guard.line(row.text) or "(no URI)"
        name = guard.line(entry.name)
        name = "" if name.casefold() == text.rstrip("/").casefold() else name
        shown = fit(text, min(cell_len(text), max(4, room)))
        if row.hits is not None and text == row.text and row.hits[1] <= len(shown):
            start, end = row.hits
            yield Segment(shown[:start])
            yield Segment(shown[start:end], self.component("uri--hit"))
            yield Segment(shown[end:])
        else:
            yield Segment(shown)
        room -= cell_len(shown)
        if name and room > 5:
            beside = fit(f"  {name}", min(cell_len(name) + 2, room))
            yield Segment(beside, quiet)
            room -= cell_len(beside)
        if note:
            yield Segment(" " * max(1, room + 1))
            if word:
                yield Segment(note[: len(word)], self.component(tone))
                yield Segment(note[len(word) :], quiet)
            else:
                yield Segment(note, quiet)

    def move(self, lines: int) -> None:
        """Passes over the headings."""
        at = self.cursor + lines
        while 0 <= at < len(self.rows) and self.rows[at][1].kind == "head":
            at += 1 if lines > 0 else -1
        if 0 <= at < len(self.rows):
            self.cursor = at
        elif lines < 0:
            self.show_heading()

    def show_heading(self) -> None:
        """At the first line: what stands above it."""
        self.scroll_to(y=0, animate=False, force=True)

    def action_open(self) -> None:
        if self.current is None:
            return
        section, row = self.current
        if row.kind == "branch":
            self.post_message(self.Folded(row.path, section, not row.open))
        elif row.entry is not None:
            self.post_message(self.Opened(row.entry.key))

    def action_expand(self) -> None:
        if self.current is not None and self.current[1].kind == "branch" and not self.current[1].open:
            self.action_open()
        else:
            self.cursor += 1

    def action_fold(self) -> None:
        if self.current is None:
            return
        depth = self.current[1].depth
        if self.current[1].kind == "branch" and self.current[1].open:
            self.action_open()
            return
        for index in range(self.cursor - 1, -1, -1):
            row = self.rows[index][1]
            if row.kind == "branch" and row.depth < depth:
                self.cursor = index
                return

    def on_click(self, event: events.Click) -> None:
        index = self.index_at(event)
        super().on_click(event)
        if index is not None and event.chain == 1 and self.rows[index][1].kind == "branch":
            self.action_open()


class UriList(Vertical):
    """Posts `Pointed` when the cursor rests on an entry and `UriLines.Opened` on enter. The cursor stays on its entry
    when the entries change."""

    SCOPE = "list"
    BINDINGS: ClassVar[list[BindingType]] = bindings("list")
    DEFAULT_CSS = """
    UriList {
        height: 1fr;
        & > Input { display: none; }
        & > .said { display: none; height: auto; padding: 1; color: $quiet; }
    }
    """

    class Pointed(Message):
        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(
        self,
        titles: list[str],
        mark: Callable[[Entry], Mark] = lambda entry: ("", "", ""),
        *,
        flat: bool = False,
    ) -> None:
        super().__init__()
        self._titles = titles
        self._trees = [UriTree(flat=flat) for _ in titles]
        self._input = Input(placeholder="filter", compact=True)
        self._said = Static(classes="said", markup=False)
        self._lines = UriLines(mark)
        self._resting: Timer | None = None
        self._pointed: str | None = None

    def compose(self) -> ComposeResult:
        yield self._input
        yield self._said
        yield self._lines

    def on_mount(self) -> None:
        self._fill(None)

    def show(self, sections: list[list[Entry]], empty: str) -> None:
        """What can be chosen, by section, and what is said in safe text where there is nothing."""
        for tree, entries in zip(self._trees, sections, strict=True):
            if tree.entries != entries:
                tree.plant(entries)
        self._said.update(Content(empty))
        self._said.display = bool(empty)
        if self.is_mounted:
            self._fill(self._current_key())

    def restyle(self) -> None:
        """Marks may be others now."""
        self._lines.refresh()

    @property
    def key(self) -> str | None:
        """The entry under the cursor."""
        current = self._lines.current
        return current[1].entry.key if current is not None and current[1].entry is not None else None

    def select(self, key: str) -> None:
        """Puts the cursor on an entry; what hides it is opened."""
        self._input.value = ""
        for tree in self._trees:
            tree.reveal(key)
        self._fill(key)

    def _current_key(self) -> str | None:
        current = self._lines.current
        return _key(current[1]) if current is not None else None

    def _fill(self, key: str | None) -> None:
        query = self._input.value.strip()
        rows: list[tuple[int, Row]] = []
        for section, (title, tree) in enumerate(zip(self._titles, self._trees, strict=True)):
            found = matching(tree.entries, query) if query else list(tree.rows())
            if tree.entries and title:
                count = len(found) if query else len(tree.entries)
                rows.append((section, Row("head", 0, title, f"\0{section}", count=count)))
            rows += [(section, row) for row in found]
        self._lines.said = "Nothing matches. Esc ends the filter." if query and not rows else ""
        self._lines.show(rows, key)

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_CALM, self._rested)

    def _rested(self) -> None:
        if (key := self.key) is not None and key != self._pointed:
            self._pointed = key
            self.post_message(self.Pointed(key))

    @on(UriLines.Opened)
    def _opened(self, event: UriLines.Opened) -> None:
        self._pointed = event.key

    @on(UriLines.Folded)
    def _folded(self, event: UriLines.Folded) -> None:
        event.stop()
        closed = self._trees[event.section].closed
        closed.discard(event.path) if event.is_open else closed.add(event.path)
        self._fill(event.path)

    def enter(self) -> None:
        self._lines.focus()

    def open_filter(self) -> None:
        self._input.display = True
        self._input.focus()

    def end_filter(self) -> bool:
        """Shows all again; False where nothing was filtered."""
        if not self._input.display:
            return False
        key = self.key
        self._input.value = ""
        self._input.display = False
        if key is not None:
            self.select(key)
        self.enter()
        return True

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(None if event.value.strip() else self._current_key())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.enter()
        if self.key is not None:
            # Not through the lines: a message that goes out from here ends here on its way up.
            self.post_message(UriLines.Opened(self.key))

    def action_open(self) -> None:
        self._lines.action_open()

    def action_cursor(self, by: int) -> None:
        """From the filter into the list."""
        self._lines.move(by)
        self.enter()


def _key(row: Row) -> str:
    return row.entry.key if row.entry is not None else row.path
