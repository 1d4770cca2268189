"""What differs between two sides: listings, baselines, recordings."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from inspector.base import numbers
from inspector.base.errors import Failed
from inspector.base.text import clip, visible_json
from inspector.compare.report import Report, document_of, junit_of, summary
from inspector.compare.report import lines as sentences
from inspector.compare.sides import Side, compared
from inspector.replay.ignoring import Ignoring, rules_of
from inspector.tui import guard
from inspector.tui.clipboard import CopyRequested
from inspector.tui.compared_lines import lines
from inspector.tui.compared_sides import Choice, of_baseline
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.replay.difference_list import DifferenceList
from inspector.tui.widgets.text.diff_lines import DiffLines, compare_lines
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.workspace.workspace import Workspace


class ComparedScreen(Screen[bool]):
    """Dismissed with True where other sides are wanted."""

    SCOPE = "compared"
    BINDINGS: ClassVar[list[BindingType]] = bindings("compared")
    DEFAULT_CSS = """
    ComparedScreen {
        background: $background;
        & > #compared-head { height: auto; max-height: 5; padding: 0 1; background: $surface; }
        & > DifferenceList { height: auto; max-height: 50%; padding: 0 1; }
        & > #compared-about { height: 1; padding: 0 1; background: $surface; color: $text-primary; text-wrap: nowrap; }
        & > DiffLines { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self, workspace: Workspace, before: Choice, after: Choice) -> None:
        super().__init__()
        self._workspace, self._before, self._after = workspace, before, after
        self._sides: tuple[Side, Side] | None = None
        self._report: Report | None = None
        self._rules, self._exact = "", False
        self._head = Static(id="compared-head", markup=False)
        self._list = DifferenceList()
        self._about = Static(id="compared-about", markup=False)
        self._detail = DiffLines(id="compared-detail")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._list
        yield self._about
        yield self._detail
        yield KeyBar()

    def on_mount(self) -> None:
        self._list.focus()
        self._read()

    def on_resize(self) -> None:
        self._tell()

    @work(group="compare", exclusive=True)
    async def _read(self) -> None:
        self._sides = self._report = None
        self._tell("reading …")
        try:
            sides = await asyncio.gather(self._before.read(), self._after.read())
            self._sides = (sides[0], sides[1])
            await self._compare(rules_of(self._rules, exact=self._exact))
        except Failed as failed:
            self._list.load([], "")
            self._tell(
                f"✗ {guard.message(failed.failure.message)}; {guard.message(failed.failure.hint or '')}"
            )

    async def _compare(self, rules: Ignoring) -> None:
        if self._sides is None:
            return
        old, new = self._sides
        self._report = await asyncio.to_thread(compared, old, new, rules)
        found = lines(self._report, old, new)
        self._list.load(found, "no difference")
        self._list.styles.height = max(2, len(found))
        self._list.cursor = 0
        self._tell()
        self._point()
        self.refresh_bindings()

    # What is seen

    def _tell(self, state: str = "") -> None:
        parts: list[Part] = [("− ", "bold $text-error"), (self._before.title, "bold"), ("\n", "")]
        parts += [("+ ", "bold $text-success"), (self._after.title, "bold"), ("\n", "")]
        report = self._report
        if report is None or state:
            parts.append((state or "reading …", "$text-warning"))
        else:
            breaks = any(each.breaks for each in report.listings)
            tone = "bold $text-error" if breaks else "$text-warning" if report.differs else "$text-success"
            parts.append((summary(report) if report.differs else "no difference", tone))
            notes = [*report.notes, *(note for each in report.listings for note in each.notes)]
            parts += [(f"\n▲ {guard.line(note)}", "$text-warning") for note in notes[:2]]
        self._head.update(Content.assemble(*parts))

    @work(group="point", exclusive=True)
    async def _point(self) -> None:
        line = self._list.current
        if line is None:
            self._about.update(Content(""))
            self._detail.load([], [], [])
            return
        self._about.update(Content(clip(guard.line(line.text, cut=True), 400)))
        old, new = (text.split("\n") if text is not None else [] for text in (line.old, line.new))
        blocks = await asyncio.to_thread(compare_lines, old, new)
        if line is self._list.current:
            self._detail.load(old, new, blocks)

    @on(LineView.Moved)
    def _cursor_moved(self, event: LineView.Moved) -> None:
        event.stop()
        if event.view is self._list:
            self._point()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        if action == "accept":
            return self._after.connection is not None and self._report is not None
        if action == "rules":
            return bool(self._report is not None and self._report.calls)
        if action in ("save_report", "copy_report", "swap"):
            return self._report is not None
        return True

    # What is done with it

    @on(DifferenceList.Opened)
    def _opened(self, event: DifferenceList.Opened) -> None:
        event.stop()
        self.action_whole()

    def action_whole(self) -> None:
        """Both sides of what is under the cursor, alone on the screen."""
        from inspector.tui.screens.diff import DiffScreen

        if (line := self._list.current) is not None:
            self.app.push_screen(
                DiffScreen(self._before.title, line.old or "", self._after.title, line.new or "")
            )

    def action_swap(self) -> None:
        self._before, self._after = self._after, self._before
        self._read()

    def action_again(self) -> None:
        self._read()

    def action_others(self) -> None:
        self.dismiss(True)

    @work(group="dialogs", exclusive=True)
    async def action_rules(self) -> None:
        from inspector.tui.screens.rules import RulesScreen

        if await self.app.push_screen_wait(RulesScreen(self._rules, self._exact, self._take)):
            await self._compare(rules_of(self._rules, exact=self._exact))

    def _take(self, rules: str, exact: bool) -> None:
        rules_of(rules, exact=exact)
        self._rules, self._exact = rules, exact

    @work(group="dialogs", exclusive=True)
    async def action_accept(self) -> None:
        """What the server lists now is its baseline from here on."""
        connection, sides = self._after.connection, self._sides
        if connection is None or sides is None:
            return
        from inspector.tui.screens.baselines import accept

        lists = sides[1].lists[connection.name]
        if await accept(self.app, self._workspace, connection, lists):
            self._before = of_baseline(self._workspace, connection)
            self._read()

    def action_save_report(self, form: str) -> None:
        from inspector.tui.screens.save import SaveScreen

        if (report := self._report) is None:
            return
        if form == "junit":
            text = junit_of(report)
        else:
            notes = [*report.notes, *(note for each in report.listings for note in each.notes)]
            written = document_of(report, notes, numbers.plain)
            text = json.dumps(written, indent=1, ensure_ascii=False) + "\n"
        suffix = "xml" if form == "junit" else "json"
        data = text.encode("utf-8", "backslashreplace")
        self.app.push_screen(SaveScreen("What differs", f"diff.{suffix}", data))

    def action_copy_report(self) -> None:
        if self._report is not None:
            text = visible_json("\n".join(sentences(self._report)))
            self.post_message(CopyRequested("What differs", guard.masked(text)))

    def action_close(self) -> None:
        if self._detail.has_focus:
            self._list.focus()
        else:
            self.dismiss(False)
