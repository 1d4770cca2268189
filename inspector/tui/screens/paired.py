"""Two live servers side by side: what they declare and list, aligned by name, and what both answer to one request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Input, Static

from inspector.base import tasks
from inspector.compare.paired import Pair
from inspector.tui import calls, guard, paired_words
from inspector.tui.clipboard import CopyRequested
from inspector.tui.paired_asks import TABS
from inspector.tui.paired_form import PairedForm
from inspector.tui.paired_model import Both, PairedModel
from inspector.tui.registry import bindings
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.bars.tab_strip import TabStrip
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.paired.both_answers import BothAnswers
from inspector.tui.widgets.paired.pair_list import PairList
from inspector.tui.widgets.text.change_list import ChangeList
from inspector.tui.widgets.text.diff_lines import DiffLines, compare_lines

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_TICK = 0.1
_WIDE, _SHORT = 170, 30
_ASKS = frozenset({"send", "other_form", "next_view", "previous_view"})

Left = Literal["over", "others", "questions"] | int
"""How it was left: closed, for other sides, to the questions of a server, to a row of the traffic. In the latter two it
goes on."""


class PairedScreen(Screen[Left]):
    """Shows a model that outlives it."""

    SCOPE = "paired"
    BINDINGS: ClassVar[list[BindingType]] = bindings("paired")
    DEFAULT_CSS = """
    PairedScreen {
        background: $background;
        & > #paired-heads { height: 2; padding: 0 1; background: $surface; text-wrap: nowrap; }
        & > #paired-tabs { height: 1; background: $surface; }
        & > #paired-body { height: 1fr; layout: vertical; }
        & #paired-lists { height: auto; max-height: 40%; }
        & #paired-work { height: 1fr; border-top: solid $line; }
        & #paired-filter { display: none; height: 1; background: $panel; }
        & #paired-filter.-open { display: block; }
        & PairList { height: auto; min-height: 4; max-height: 100%; padding: 0 1; }
        & #paired-about { height: auto; max-height: 4; padding: 0 1; color: $text-primary; }
        & #paired-views { height: 1; }
        & ContentSwitcher { height: 1fr; }
        & #paired-definition { height: 1fr; padding: 0 1; }
        &.-wide > #paired-body { layout: horizontal; }
        &.-wide #paired-lists { width: 2fr; height: 1fr; max-height: 100%; }
        &.-wide #paired-work { width: 3fr; height: 1fr; border-top: none; border-left: vkey $line; }
        &.-zoomed #paired-lists { display: none; }
        &.-short #paired-lists { height: 1fr; max-height: 100%; }
        &.-wide PairList, &.-short PairList { height: 1fr; }
        &.-short #paired-work { display: none; height: 1fr; border-top: none; }
        &.-short.-working #paired-work { display: block; }
        &.-short.-working #paired-lists { display: none; }
    }
    """

    def __init__(self, model: PairedModel) -> None:
        super().__init__()
        self.model = model
        self._stale, self._second = True, 0
        self._unsubscribe: Callable[[], None] = lambda: None
        self._heads = Static(id="paired-heads", markup=False)
        self._tabs = TabStrip(paired_words.tabs(model), id="paired-tabs")
        self._filter = Input(placeholder="part of a name", compact=True, id="paired-filter")
        self._list = PairList(id="paired-list")
        self._about = Static(id="paired-about", markup=False)
        self._views = TabStrip(paired_words.views(model, "opening"), id="paired-views")
        self._definition = DiffLines(id="paired-definition", wide=72)
        self._form = PairedForm(model, id="paired-form")
        self._answers = BothAnswers(id="paired-answers")

    def compose(self) -> ComposeResult:
        yield self._heads
        yield self._tabs
        with Container(id="paired-body"):
            with Vertical(id="paired-lists"):
                yield self._filter
                yield self._list
            with Vertical(id="paired-work"):
                yield self._about
                yield self._views
                with ContentSwitcher(initial="paired-definition"):
                    yield self._definition
                    yield self._form
                    yield self._answers
        yield KeyBar()

    def on_mount(self) -> None:
        self._tabs.active = self.model.tab
        self._unsubscribe = self.model.paired.workspace.subscribe(self._changed)
        self._load()
        self._list.focus()
        self.set_interval(_TICK, self._tick)

    def on_unmount(self) -> None:
        self._unsubscribe()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= _WIDE, "-wide")
        self.set_class(event.size.height < _SHORT, "-short")
        self._tell()

    # What goes on meanwhile

    def _changed(self) -> None:
        self._stale = True

    def _tick(self) -> None:
        second = int(time.monotonic())
        if self._stale or second != self._second:
            self._stale, self._second = False, second
            self._tell()
            self._read()
        if (both := self._answers.both) is not None and both.running:
            self._answers.tell()
        if any(not both.judged and not both.running for both in self.model.asked.values()):
            self._judge()

    @work(group="read", exclusive=False)
    async def _read(self) -> None:
        if self.model.reading:
            self._stale = True
        elif await self.model.read() and self.is_attached:
            self._load()

    @work(group="judge", exclusive=True)
    async def _judge(self) -> None:
        for both in list(self.model.asked.values()):
            if not both.judged and not both.running:
                await self.model.judge(both)
                if both is self._both and self.is_attached:
                    await self._answers.show(both)
                    self._show_views()
        self._tell()
        self.refresh_bindings()

    def _load(self) -> None:
        self._list.load(
            self.model.rows[self.model.tab],
            paired_words.nothing(self.model),
            self.model.place,
            paired_words.unfit(self.model),
        )
        self._tell()

    # What is seen

    @property
    def _pair(self) -> Pair | None:
        return self._list.current

    @property
    def _both(self) -> Both | None:
        pair = self._pair
        return self.model.asked.get((self.model.tab, pair.name)) if pair is not None else None

    def _tell(self) -> None:
        self._heads.update(paired_words.heads(self.model.paired, max(40, self.size.width - 2)))
        self._tabs.show(paired_words.tabs(self.model))

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        if event.view is self._list:
            self.model.place = self._pair.name if self._pair is not None else None
            self._point()

    @work(group="point", exclusive=True)
    async def _point(self) -> None:
        """What there is of the line under the cursor, in the view that is open."""
        pair = self._pair
        self._show_views()
        self._about.update(paired_words.about(self.model, pair))
        await self._show_view(pair)
        self.refresh_bindings()

    def _show_views(self) -> None:
        self._views.show(paired_words.views(self.model, self.model.tab, self._both))
        if self.model.view not in [tab.id for tab in self._views.tabs]:
            self.model.view = self._views.tabs[0].id
        self._views.active = self.model.view

    async def _show_view(self, pair: Pair | None) -> None:
        view = self.model.view
        self._views.active = view
        switcher = self.query_one(ContentSwitcher)
        if view == "answers":
            await self._answers.show(self._both)
            switcher.current = "paired-answers"
        elif view in ("form", "json"):
            await self._form.open(self.model.tab, pair, view == "json")
            switcher.current = "paired-form"
        else:
            old, new = paired_words.sides(pair)
            blocks = await asyncio.to_thread(compare_lines, old, new)
            if pair is self._pair:
                self._definition.whole = old == new or not old or not new
                self._definition.load(old, new, blocks, "Nothing is chosen.")
                switcher.current = "paired-definition"

    async def _open(self, view: str) -> None:
        """Opens a view, with the focus in it."""
        self.model.view = view
        self._show_views()
        self.add_class("-working")
        await self._show_view(self._pair)
        self.call_after_refresh(self._enter)

    async def _enter(self) -> None:
        if self.model.view == "answers":
            self._answers.enter()
        elif self.model.view in ("form", "json"):
            await self._form.enter()
        else:
            self._definition.focus()

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        if event.strip is self._views:
            await self._open(event.tab)
        else:
            self._go_to(event.tab)

    def _go_to(self, tab: str) -> None:
        self.model.tab = next(each for each in TABS if each == tab)
        self.model.place = None
        self.model.view = "definition"
        self._tabs.active = tab
        self.remove_class("-working")
        self._list.cursor = 0
        self._load()
        self._list.focus()

    def action_tab(self, by: int) -> None:
        names = list(TABS)
        self._go_to(names[(names.index(self.model.tab) + by) % len(names)])

    async def action_view(self, by: int) -> None:
        names = [tab.id for tab in self._views.tabs]
        at = names.index(self.model.view) if self.model.view in names else 0
        if self._list.has_focus and self.has_class("-short"):
            by = 0
        await self._open(names[(at + by) % len(names)])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        pair, both = self._pair, self._both
        if action in ("send", "other_form", "view"):
            return pair is not None and (action == "view" or self.model.can_ask(pair))
        if action == "cancel":
            return both is not None and both.running
        if action == "ignore":
            return self.model.view == "answers" and bool(both is not None and both.changes)
        if action == "frames":
            return both is not None
        if action == "keep":
            return self.model.paired.begun is not None
        return True

    # What is asked

    @on(PairList.Opened)
    async def _opened(self, event: PairList.Opened) -> None:
        event.stop()
        pair = self._pair
        if pair is None or not self.model.can_ask(pair):
            await self._open("definition")
            return
        ask = self.model.ask(pair)
        if ask is not None and ask.needs_nothing and self.model.tab != "tools":
            await self.action_send()
        else:
            await self._open("json" if ask is not None and ask.raw else "form")

    async def action_send(self) -> None:
        if (pair := self._pair) is not None and self.model.can_ask(pair):
            await self._form.open(self.model.tab, pair, self.model.view == "json")
            await self._form.submit()

    @on(PairedForm.Refused)
    async def _refused(self, event: PairedForm.Refused) -> None:
        event.stop()
        if self.model.view not in ("form", "json"):
            await self._open("form")

    @on(PairedForm.Ready)
    async def _ready(self, event: PairedForm.Ready) -> None:
        event.stop()
        both = self.model.send(event.tab, event.pair.name, event.ask, event.entered)
        if self._both is both:
            await self._open("answers")
        self._tell()

    def action_cancel(self) -> None:
        if (both := self._both) is not None:
            calls.cancel(both.left)
            calls.cancel(both.right)

    async def action_other_form(self) -> None:
        if (pair := self._pair) is not None:
            await self._form.turn(pair)
            await self._open(self.model.view if self.model.view in ("form", "json") else "form")

    # Moving about

    def action_next(self, by: int) -> None:
        view: PairList | DiffLines | None = None
        for each in (self._definition, self._answers.lines):
            view = each if each.has_focus else view
        if not (view or self._list).step(by):
            self.notify("no other difference that way", timeout=3, markup=False)

    def action_different(self) -> None:
        self._list.narrow(only_different=not self._list.only_different)
        self._tell()

    def action_filter(self) -> None:
        self.remove_class("-working", "-zoomed")
        self._filter.add_class("-open")
        self._filter.focus()

    @on(Input.Changed, "#paired-filter")
    def _filtered(self, event: Input.Changed) -> None:
        event.stop()
        self._list.narrow(event.value)

    @on(Input.Submitted, "#paired-filter")
    def _filter_done(self, event: Input.Submitted) -> None:
        """In the list of requests, what fits none is a method of its own."""
        event.stop()
        method = event.value.strip()
        if self.model.tab == "requests" and method and self._pair is None:
            self.model.add_method(method)
            self.model.place = method
            self._load()
        self._list.focus()

    def action_zoom(self) -> None:
        if self.has_class("-short"):
            self.toggle_class("-working")
        else:
            self.toggle_class("-zoomed")
        if self.has_class("-zoomed") or self.has_class("-working"):
            self.call_after_refresh(self._enter)
        else:
            self._list.focus()

    def action_fold(self) -> None:
        for lines in (self._definition, self._answers.lines):
            lines.whole = not lines.whole

    def action_whole(self) -> None:
        from inspector.tui.screens.diff import DiffScreen
        from inspector.tui.widgets.answers.verdict import answer_text

        both = self._both
        names = [guard.line(side.name) for side in self.model.paired.sides]
        if self.model.view == "answers" and both is not None:
            answers = [(call, self.model.answer_of(call)) for call in (both.left, both.right)]
            texts = [answer_text(call, answer) for call, answer in answers]
        else:
            texts = ["\n".join(lines) for lines in paired_words.sides(self._pair)]
        self.app.push_screen(DiffScreen(names[0], texts[0], names[1], texts[1]))

    def action_close(self) -> None:
        if self._filter.has_class("-open") and (self._filter.has_focus or self._list.has_focus):
            self._filter.remove_class("-open")
            self._filter.value = ""
            self._list.focus()
        elif not self._list.has_focus or self.has_class("-zoomed"):
            self.remove_class("-working", "-zoomed")
            self._list.focus()
        else:
            self.dismiss("over")

    def action_leave(self) -> None:
        self.dismiss("over")

    # What is done with both

    def action_swap(self) -> None:
        self.model.swap()
        self._stale = True

    def action_others(self) -> None:
        self.dismiss("others")

    def action_questions(self) -> None:
        self.dismiss("questions")

    def action_frames(self) -> None:
        both = self._both
        if both is not None and (
            row := both.left.sent_row if both.left.sent_row is not None else both.right.sent_row
        ):
            self.dismiss(row)

    @work(group="servers")
    async def action_restart(self) -> None:
        paired = self.model.paired
        sides = [side for side in paired.sides if paired.is_here(side)]
        for side in [side for side in sides if side.state in ("error", "disabled")] or sides:
            await self._restart(side)

    async def _restart(self, side: Connection) -> None:
        from inspector.tui.screens.questions import may_start

        if await may_start(self.app, side):
            tasks.spawn(side.restart(), f"restart {side.name}")

    def action_keep(self) -> None:
        paired = self.model.paired
        if paired.begun is not None:
            paired.keeps = not paired.keeps
            what = "stays among the servers when this is closed" if paired.keeps else "ends with this"
            self.notify(f"{guard.line(paired.begun.name)} {what}", timeout=4, markup=False)
            self._tell()

    @work(group="dialogs", exclusive=True)
    async def action_rules(self) -> None:
        from inspector.tui.screens.rules import RulesScreen

        model = self.model
        await self.app.push_screen_wait(RulesScreen(model.rules, model.exact, model.use))

    def action_ignore(self) -> None:
        if (change := self._answers.changes.current) is not None:
            model = self.model
            model.use(f"{model.rules.rstrip()}\n{paired_words.pointer(change)}".lstrip(), model.exact)

    def action_save_report(self, form: str) -> None:
        from inspector.tui.screens.save import SaveScreen

        suffix, text = paired_words.report(self.model, form)
        data = text.encode("utf-8", "backslashreplace")
        self.app.push_screen(SaveScreen("What differs", f"side-by-side.{suffix}", data))

    def action_copy_report(self) -> None:
        if self._answers.has_focus_within and self._answers.lines.has_focus:
            offer = self._answers.lines.copy_offer()
        elif self._definition.has_focus:
            offer = self._definition.copy_offer()
        else:
            offer = ("What differs", paired_words.report(self.model, "text")[1])
        if offer is not None:
            self.post_message(CopyRequested(offer[0], guard.masked(offer[1])))

    @on(ChangeList.Opened)
    def _change_opened(self, event: ChangeList.Opened) -> None:
        event.stop()
        self._answers.lines.focus()
