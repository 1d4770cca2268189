"""Two texts compared: their changes as JSON where both are JSON, and their lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from inspector.base import jsondiff, numbers
from inspector.base.jsondiff import Change
from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.change_list import ChangeList, spelled
from inspector.tui.widgets.text.diff_lines import Blocks, DiffLines, compare_lines
from inspector.tui.widgets.text.facts import Part


@dataclass(slots=True)
class _Lines:
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    blocks: Blocks = field(default_factory=list)


class DiffScreen(Screen[None]):
    """`title_a` and `title_b` name the texts and may be foreign, as the texts are. Comparing runs in a thread and ends
    with the screen."""

    SCOPE = "diff"
    BINDINGS: ClassVar[list[BindingType]] = bindings("diff")
    DEFAULT_CSS = """
    DiffScreen {
        background: $background;
        & > #diff-head { height: auto; max-height: 3; padding: 0 1; background: $surface; }
        & > TabStrip { height: 1; }
        & > ContentSwitcher { height: 1fr; }
        & #diff-changes { height: 1fr; }
        & ChangeList { height: 4; max-height: 40%; padding: 0 1; }
        & #diff-pointer { height: 1; padding: 0 1; background: $surface; color: $text-primary; }
        & DiffLines { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self, title_a: str, text_a: str, title_b: str, text_b: str, *, frames: bool = False) -> None:
        """With `frames` what two frames never share, as their ids, is no change of its own and comes last."""
        super().__init__()
        self._own = _OWN if frames else ()
        self._titles = (title_a, title_b)
        self._texts = (text_a, text_b)
        self._changes: list[Change] | None = None
        self._closed = False
        self._lines: _Lines | None = None
        self._head = Static(id="diff-head", markup=False)
        self._strip = TabStrip([Tab("changes", "Changes"), Tab("lines", "Lines")], id="diff-tabs")
        self._list = ChangeList()
        self._pointer = Static(id="diff-pointer", markup=False)
        self._detail = DiffLines(id="diff-detail")
        self._whole = DiffLines(id="diff-lines")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        with ContentSwitcher(initial="diff-changes"):
            with Vertical(id="diff-changes"):
                yield self._list
                yield self._pointer
                yield self._detail
            yield self._whole
        yield KeyBar()

    def on_mount(self) -> None:
        self._tell("comparing …")
        self._list.focus()
        self.run_worker(self._compare(), group="diff", exit_on_error=False)

    def on_unmount(self) -> None:
        self._closed = True

    def on_resize(self) -> None:
        self._tell()

    async def _compare(self) -> None:
        changes = await asyncio.to_thread(_changes, *self._texts, self._stopped)
        if self._closed:
            return
        if changes is not None:
            changes.sort(key=self._is_own)
        self._changes = changes
        same = self._texts[0] == self._texts[1]
        if changes is None:
            self._strip.show([Tab("lines", "Lines")])
            self._tell("" if not same else "the same, byte for byte")
            await self._open("lines")
            return
        count = sum(not self._is_own(change) for change in changes)
        self._strip.show([Tab("changes", "Changes", f"{count:,}"), Tab("lines", "Lines")])
        nothing = "Both are the same, byte for byte." if same else _ONLY_WRITTEN
        self._list.load(changes, nothing, own=len(changes) - count)
        self._list.styles.height = max(1, len(changes))
        self._tell()
        await self._point()

    def _is_own(self, change: Change) -> bool:
        return change.pointer in self._own

    def _stopped(self) -> bool:
        return self._closed

    def _tell(self, state: str | None = None) -> None:
        """The head: what is compared, and what came of it."""
        if state is not None:
            self._state = state
        elif self._changes is not None:
            count = sum(not self._is_own(change) for change in self._changes)
            self._state = "no difference" if not count else "1 change" if count == 1 else f"{count:,} changes"
            if count < len(self._changes):
                self._state += " but the id" if not count else " beside the id"
        room = max(10, self.size.width - 2)
        parts: list[Part] = []
        one_line = sum(len(title) for title in self._titles) + len(self._state) + 16 <= room
        gap = "    " if one_line else "\n"
        for sign, tone, title in zip("−+", ("$text-error", "$text-success"), self._titles, strict=True):
            parts += [(f"{sign} ", f"bold {tone}"), (clip(guard.line(title), room - 2), "bold"), (gap, "")]
        self._head.update(Content.assemble(*parts, (self._state, "$text-warning")))

    # Views

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        await self._open(event.tab)

    async def action_diff_view(self) -> None:
        tabs = [tab.id for tab in self._strip.tabs]
        await self._open(tabs[(tabs.index(self._strip.active) + 1) % len(tabs)])

    async def _open(self, tab: str) -> None:
        self._strip.active = tab
        switcher = self.query_one(ContentSwitcher)
        switcher.current = f"diff-{tab}"
        (self._whole if tab == "lines" else self._list).focus()
        if tab == "lines" and self._lines is None:
            self._lines = _Lines()
            self._lines = await asyncio.to_thread(
                _compared, *self._texts, self._changes is not None, self._stopped
            )
            if not self._closed:
                same = "Both are the same, byte for byte."
                self._whole.load(self._lines.old, self._lines.new, self._lines.blocks, same)

    @on(LineView.Moved)
    async def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        if event.view is self._list:
            await self._point()

    @on(ChangeList.Opened)
    def _change_opened(self, event: ChangeList.Opened) -> None:
        event.stop()
        self._detail.focus()

    async def _point(self) -> None:
        """Shows the change under the cursor in full."""
        change = self._list.current
        if change is None:
            self._pointer.update(Content(""))
            self._detail.load([], [], [])
            return
        where = guard.line(change.pointer) or "(the whole)"
        said = {"add": "came", "remove": "went", "replace": "changed", "spelling": "is written differently"}
        how = "differs, as it must" if self._is_own(change) else said[change.op]
        self._pointer.update(Content.assemble(where, (f"  {how}", "$quiet")))
        old = [] if change.op == "add" else _value_lines(change.old)
        new = [] if change.op == "remove" else _value_lines(change.new)
        blocks = await asyncio.to_thread(compare_lines, old, new)
        if change is self._list.current:
            self._detail.load(old, new, blocks)

    def action_next_change(self) -> None:
        self._step(1)

    def action_previous_change(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._strip.active == "lines":
            self._whole.step(by)
        else:
            self._list.cursor += by

    # What is done with it

    def action_copy_diff(self) -> None:
        if self._strip.active == "lines":
            offer = self._whole.copy_offer()
        elif self._detail.has_focus:
            offer = self._detail.copy_offer()
        else:
            offer = ("The changes", self._list.text()) if self._changes else None
        if offer is not None:
            self.post_message(CopyRequested(*offer))

    def action_copy_pointer(self) -> None:
        if (change := self._list.current) is not None:
            self.post_message(CopyRequested("The pointer", guard.masked(change.pointer)))

    def action_close(self) -> None:
        if self._detail.has_focus:
            self._list.focus()
        else:
            self.dismiss(None)


_OWN = ("/id", "/params/_meta/progressToken", "/params/progressToken", "/params/requestId")
_ONLY_WRITTEN = (
    "No value differs; the texts do: in order of members, in blanks, or in how a number or text is written."
)


def _changes(old: str, new: str, stopped: Callable[[], bool]) -> list[Change] | None:
    """None where one of the texts is no JSON, or too deep to be compared as such."""
    try:
        return jsondiff.diff(numbers.spelled(old), numbers.spelled(new), stopped)
    except (ValueError, RecursionError, jsondiff.Stopped):
        return None


def _compared(old: str, new: str, as_json: bool, stopped: Callable[[], bool]) -> _Lines:
    if as_json:
        old, new = (spelled(numbers.spelled(text), 2) for text in (old, new))
    left, right = old.split("\n"), new.split("\n")
    try:
        return _Lines(left, right, jsondiff.align(left, right, stopped))
    except jsondiff.Stopped:
        return _Lines()


def _value_lines(value: object) -> list[str]:
    """A value in full: a text by its lines, all else as JSON."""
    if isinstance(value, str):
        return value.split("\n")
    return spelled(value, 2).split("\n")
