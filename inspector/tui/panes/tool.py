"""One tool: what it says of itself, its arguments as form or JSON, the call under way, the answer, those before."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static

from inspector.base import numbers
from inspector.base.jsontext import Verbatim
from inspector.base.numbers import verbatim
from inspector.base.text import clip
from inspector.schema.form import FormModel
from inspector.tui import guard
from inspector.tui.calls import Call, book_of, restored
from inspector.tui.registry import spoken
from inspector.tui.widgets.answer_view import AnswerView, answer_text
from inspector.tui.widgets.call_bar import CallBar
from inspector.tui.widgets.call_list import CallList
from inspector.tui.widgets.facts import Part
from inspector.tui.widgets.filter_list import FilterList
from inspector.tui.widgets.schema_form import Fields, SchemaForm
from inspector.tui.widgets.schema_form.form import HELP
from inspector.tui.widgets.tab_strip import Tab, TabStrip

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_ASK = "tools/call"
_HINTS = (
    ("readOnlyHint", True, "only reads", "$text-success"),
    ("destructiveHint", True, "may destroy", "bold $text-error"),
    ("idempotentHint", True, "safe to repeat", "$quiet"),
    ("openWorldHint", True, "reaches outside", "$quiet"),
)
_ANSWER = 7
"""Rows that an answer needs to be worth a look beside the arguments."""
_ROOM = 24
"""Rows of height from which arguments and answer always share it, a long form scrolling in its half."""


class ToolView(Vertical):
    """Keeps its arguments as long as it lives; its calls are kept by their connection. `key` is its place in the list
    of tools."""

    DEFAULT_CSS = """
    ToolView {
        height: 1fr;
        & > #tool-head { height: auto; max-height: 6; padding: 0 1; margin-bottom: 1; }
        &.-unfolded > #tool-head { max-height: 60%; overflow-y: auto; }
        & > #tool-editor { height: 1fr; min-height: 3; }
        & > #tool-problem { height: auto; max-height: 3; padding: 0 1; color: $text-warning; display: none; }
        & > AnswerView { height: 1fr; display: none; margin-top: 1; }
        &.-answered > AnswerView { display: block; }
        &.-close > #tool-head { display: none; }
        &.-close > AnswerView { margin-top: 0; }
        &.-turns.-answered.-reading > #tool-editor { display: none; }
        &.-turns.-answered.-reading > #tool-head { display: none; }
        &.-turns.-answered > AnswerView { display: none; }
        &.-turns.-answered.-reading > AnswerView { display: block; margin-top: 0; }
        &.-result > #tool-head, &.-result > #tool-editor, &.-result > #tool-problem {
            display: none;
        }
        &.-result > #tool-tabs { display: none; }
        &.-result > AnswerView { display: block; margin-top: 0; }
        & JsonView { height: 1fr; padding: 0 1; }
    }
    """

    def __init__(
        self,
        connection: Connection,
        entry: dict[str, Any],
        reasons: list[str],
        *,
        key: str,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.key = key
        self.seen = time.monotonic()
        self._connection = connection
        self.entry = entry
        self._book = book_of(connection)
        self._head = Static(_head(entry, reasons), id="tool-head", markup=False)
        self._strip = TabStrip(self._tabs(), id="tool-tabs")
        self._editor = ContentSwitcher(id="tool-editor")
        self._problem = Static(id="tool-problem", markup=False)
        self._bar = CallBar(connection, "Call", "call", "cancel_call")
        self._answer = AnswerView()
        self._form = SchemaForm(FormModel(entry.get("inputSchema")), id="view-form")
        self._insist = False
        self._beside = False
        self._editor_height: int | None = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        yield self._editor
        yield self._problem
        yield self._bar
        yield self._answer

    async def on_mount(self) -> None:
        await self._open("json" if self._form.model.raw_only else "form")
        self._bar.follow(self._book.running(_ASK, self.name_)[::-1])
        if (call := next((call for call in self.calls if not call.running), None)) is not None:
            # It was called before this view was made: in an earlier life of the server, or of the list.
            await self._answer.show(call)
            self.add_class("-answered")
            self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    @property
    def running(self) -> bool:
        return self._bar.running

    @property
    def calls(self) -> list[Call]:
        """Those of this tool, newest first."""
        return list(self._book.of(_ASK, self.name_))

    @property
    def name_(self) -> str:
        return str(self.entry["name"])

    def renew(self, entry: dict[str, Any] | None, reasons: list[str]) -> None:
        """The list was read again; a tool with another schema or name is not this one any more."""
        same = ("name", "inputSchema")
        if entry is None or any(entry.get(member) != self.entry.get(member) for member in same):
            self._bar.tell("the server lists this tool differently now; choose it again", "$text-warning")
            return
        self.entry = entry
        self._head.update(_head(entry, reasons))
        self._editor.query("#view-schema").remove()

    def _tabs(self) -> list[Tab]:
        tabs = [Tab("form", "Form"), Tab("json", "JSON"), Tab("schema", "Schema")]
        if calls := self.calls:
            tabs.append(Tab("history", "History", str(len(calls))))
        return tabs

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        if event.strip is self._strip:
            event.stop()
            self.remove_class("-reading")
            await self._open(event.tab)
            if not self._strip.has_focus:
                await self.enter()

    async def _open(self, tab: str) -> None:
        self.seen = time.monotonic()
        id_ = "view-form" if tab == "json" else f"view-{tab}"
        if not self._editor.query(f"#{id_}"):
            await self._editor.mount(self._build(tab, id_))
        if tab == "history":
            self._editor.query_one(f"#{id_}", CallList).show_calls(self.calls)
        elif tab == "form" or tab == "json":
            await self._form.show("json" if tab == "json" else "form")
        self._strip.active = tab
        self._editor.current = id_
        self._arrange()

    def _build(self, tab: str, id_: str) -> Widget:
        if tab in ("form", "json"):
            return self._form
        if tab == "history":
            return CallList(id=id_)
        from inspector.tui.widgets.json_view import JsonView

        return JsonView(self._entry_text(), id=id_)

    def _entry_text(self) -> str:
        catalog = self._connection.catalog
        listing = catalog.listings.get("tools") if catalog is not None else None
        texts = listing.texts() if listing is not None else []
        return texts[int(self.key)] if int(self.key) < len(texts) else json.dumps(self.entry)

    async def next_view(self) -> None:
        """The view to the right of this one, with the focus in it."""
        names = [tab.id for tab in self._strip.tabs]
        self.remove_class("-reading")
        await self._open(names[(names.index(self._strip.active) + 1) % len(names)])
        await self.enter()

    def unfold_description(self) -> None:
        self.toggle_class("-unfolded")

    async def enter(self) -> None:
        """The focus goes to the arguments."""
        self.remove_class("-reading")
        current = self._editor.visible_content
        if current is self._form:
            if self._form.view == "form" and not self._form.model.fields:
                # It takes no arguments: there is nothing to do but to call it.
                self._bar.enter()
            else:
                await self._form.enter()
        elif isinstance(current, FilterList):
            current.enter()
        elif current is not None:
            current.focus()

    def leave(self) -> bool:
        """Ends a search, or goes from the answer back to the arguments where they take turns."""
        if self._answer.leave():
            return True
        if self.has_class("-turns") and self.has_class("-reading"):
            self.call_later(self.enter)
            return True
        return False

    # Calling

    async def call(self) -> None:
        """Calls with the arguments as they stand, or in the history those of the call under the cursor as they were.
        What does not fit the schema, and a second call beside one that runs, is sent when asked for again."""
        if self.running and not self._beside:
            self._complain(
                f"It runs already: {spoken('cancel_call')} cancels it. "
                f"{spoken('call')} again calls a second time beside it."
            )
            self._beside = True
            return
        if self._strip.active == "history":
            if (past := self._history.call) is not None:
                self._begin(Call(past.ask, past.params, self.entry.get("outputSchema")))
            return
        if self._form.model.root.state == "json" and self._form.view == "json":
            self._complain("This is not JSON yet, so it cannot be sent.")
            return
        await self._form.submit(anyway=self._insist)

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        self._begin(Call(_ASK, self._params(event.arguments), self.entry.get("outputSchema")))

    def _params(self, arguments: Any) -> dict[str, Any]:
        try:
            arguments = verbatim(arguments)
        except ValueError:
            pass  # sending says what is wrong with it
        return {"name": self.name_, "arguments": arguments}

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._insist = True
        count = len(event.errors)
        what = "One thing does" if count == 1 else f"{count} things do"
        self._complain(f"{what} not fit the schema. {spoken('call')} again sends it all the same.")

    @on(SchemaForm.Changed)
    def _form_changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self._complain("")

    def _begin(self, call: Call) -> None:
        self._complain("")
        self._bar.begin(call)
        self._strip.show(self._tabs())
        self._show_history()

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        if self._beside:
            self._complain("")
        await self._answer.show(event.call)
        self.add_class("-answered", "-reading")
        self._arrange()
        self._show_history()
        if self.has_class("-turns") and self.has_focus_within:
            self.call_after_refresh(self._answer.enter)

    @on(Fields.Reshaped)
    def _form_reshaped(self, event: Fields.Reshaped) -> None:
        event.stop()
        self._arrange()

    def _arrange(self) -> None:
        """Shares the height out: the form takes what it needs up to a half, the answer the rest. Where that would be
        too little for one of them the head goes, and then they take turns."""
        height = self.size.height
        if not height:
            # Not seen: everything stays as it is, which costs nothing when it is seen again.
            return
        if not self.has_class("-answered"):
            self.remove_class("-close", "-turns")
            self._set_editor(None)
            return
        half = (height - 3) // 2
        wanted = self._form.height_wanted if self._strip.active == "form" else half
        least = wanted - HELP if self._strip.active == "form" else half
        if least <= 1:
            # It takes no arguments, so that there is nothing to explain either.
            wanted = least
        head = 0 if self.has_class("-unfolded") else min(6, self._head.virtual_size.height) + 1
        if height >= _ROOM:
            wanted, least = min(wanted, half), min(least, half)
        fits = [height - 2 - part - _ANSWER for part in (head + 1 + wanted, head + 1 + least, wanted, least)]
        place = next((number for number, left in enumerate(fits) if left >= 0), None)
        self.set_class(place is None, "-turns")
        self.set_class(place in (2, 3), "-close")
        self._set_editor(None if place is None else wanted if place in (0, 2) else least)

    def _set_editor(self, height: int | None) -> None:
        if height != self._editor_height:
            self._editor_height = height
            self._editor.styles.height = height

    @on(CallBar.Wanted)
    async def _call_wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        await self.call()

    def cancel(self) -> None:
        self._bar.cancel()

    def extend(self) -> None:
        """Gives the running call more time."""
        self._bar.extend()

    def _complain(self, text: str) -> None:
        self._insist = self._insist and bool(text)
        self._beside = self._beside and bool(text)
        self._problem.display = bool(text)
        self._problem.update(guard.safe(text))

    # What was called before

    @property
    def _history(self) -> CallList:
        return self._editor.query_one(CallList)

    def _show_history(self) -> None:
        if self._editor.query(CallList):
            self._history.show_calls(self.calls)

    @on(FilterList.Pointed)
    async def _past_pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        call = self._history.by_key(event.key)
        if call is not None and not call.running and self._strip.active == "history":
            await self._answer.show(call)
            self.add_class("-answered")
            self._arrange()

    @on(FilterList.Opened)
    async def _past_opened(self, event: FilterList.Opened) -> None:
        """Its answer is read."""
        event.stop()
        call = self._history.by_key(event.key)
        if call is not None and not call.running:
            await self._answer.show(call)
            self.add_class("-answered", "-reading")
            self._arrange()
            self.call_after_refresh(self._answer.enter)

    @on(CallList.Edit)
    async def _past_edited(self, event: CallList.Edit) -> None:
        event.stop()
        await self._open("json" if self._form.model.raw_only else "form")
        await self._form.load(_plain(event.call.params.get("arguments")))
        await self.enter()

    @on(CallList.Compare)
    def _compare(self, event: CallList.Compare) -> None:
        event.stop()
        self._show_diff(event.older, event.newer)

    @on(AnswerView.CompareWanted)
    def _compare_wanted(self, event: AnswerView.CompareWanted) -> None:
        event.stop()
        ended = [call for call in self.calls if not call.running]
        before = ended[ended.index(event.call) + 1 :] if event.call in ended else []
        if before:
            self._show_diff(before[0], event.call)
        else:
            self.notify("There is no answer before this one to compare it with", markup=False)

    def _show_diff(self, older: Call, newer: Call) -> None:
        from inspector.tui.screens.diff import DiffScreen

        raw_of = self.app.workspace.traffic.raw  # type: ignore[attr-defined]
        sides: list[str] = []
        for call in (older, newer):
            when = time.strftime("%H:%M:%S", time.localtime(call.at))
            sides += [f"{call.subject} {when} {call.badge}", answer_text(call, restored(call, raw_of))]
        self.app.push_screen(DiffScreen(*sides))

    # The room of the result

    def zoom_result(self) -> bool:
        """Gives the result all the room, or takes it back; False where there is no result."""
        if not self.has_class("-answered"):
            return False
        self.toggle_class("-result")
        if self.has_class("-result"):
            self._answer.enter()
        else:
            self._arrange()
            self.call_later(self.enter)
        return True

    def copyable(self) -> Call:
        """What is copied as something: the call that is read or was made of what is entered, else one that was not made
        yet."""
        if self._answer.has_focus_within and self._answer.call is not None:
            return self._answer.call
        if self._strip.active == "history" and self._editor.query(CallList) and (past := self._history.call):
            return past
        entered = Call(_ASK, self._params(self._form.outcome().arguments))
        read = self._answer.call
        # Nothing was changed since: the answer on show is that to what is entered.
        return read if read is not None and read.params == entered.params else entered


def _plain(arguments: Any) -> Any:
    """Arguments that were written ahead so that their numbers keep their spelling, as values again."""
    return numbers.loads(arguments) if type(arguments) is Verbatim else arguments


def _head(entry: dict[str, Any], reasons: list[str]) -> Content:
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(str(name)), "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$quiet"))
    hints = entry.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    for member, value, word, tone in _HINTS:
        if hints.get(member) is value:
            parts.append((f"  {word}", tone))
    parts.append(("\n", ""))
    for reason in reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:8000], "$quiet"))
    return Content.assemble(*parts)
