"""One tool: its arguments as form or JSON, as a model sees it, its definition, the call under way, the answer, those
before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from inspector.protocol.apps import page_of
from inspector.tui.calls import Call, book_of, restored
from inspector.tui.panes import tool_room
from inspector.tui.panes.tool_work import ASK, ToolWork
from inspector.tui.registry import spoken
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.answers.verdict import answer_text
from inspector.tui.widgets.bars.tab_strip import TabStrip
from inspector.tui.widgets.forms.complaint import Complaint
from inspector.tui.widgets.forms.fields import Fields
from inspector.tui.widgets.forms.schema_form import BROKEN, SchemaForm
from inspector.tui.widgets.lists.filter_list import FilterList
from inspector.tui.widgets.tools.back_line import BackLine
from inspector.tui.widgets.tools.call_bar import CallBar
from inspector.tui.widgets.tools.call_list import CallList
from inspector.tui.widgets.tools.tool_head import tool_head

if TYPE_CHECKING:
    from inspector.schema.form import FormModel
    from inspector.workspace.connection import Connection


class ToolView(Vertical):
    """Keeps its arguments as long as it lives, in `model` where one is given; its calls are kept by their connection.
    `place` is where it stands in the list of tools."""

    DEFAULT_CSS = """
    ToolView {
        height: 1fr;
        & > #tool-head { height: auto; max-height: 6; padding: 0 1; margin-bottom: 1; }
        &.-unfolded > #tool-head { max-height: 60%; overflow-y: auto; }
        &.-drafting.-low > #tool-head { display: none; }
        &.-defining.-low > #tool-head { display: none; }
        & > AnswerView { height: 1fr; display: none; margin-top: 1; }
        &.-answered > AnswerView { display: block; }
        &.-drafting > AnswerView { display: none; }
        &.-close > #tool-head { display: none; }
        &.-close > AnswerView { margin-top: 0; }
        &.-turns.-answered.-reading > #tool-work { display: none; }
        &.-turns.-answered.-reading > #tool-head { display: none; }
        &.-turns.-answered > AnswerView { display: none; }
        &.-turns.-answered.-reading > AnswerView { display: block; margin-top: 0; }
        &.-turns.-answered.-reading > BackLine { display: block; }
        &.-result > #tool-head, &.-result > #tool-work { display: none; }
        &.-result > #tool-tabs, &.-result > BackLine { display: none; }
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
        place: int,
        model: FormModel | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.seen = time.monotonic()
        self._connection = connection
        self.entry = entry
        self._book = book_of(connection)
        self._head = Static(tool_head(entry, reasons), id="tool-head", markup=False)
        self._work = ToolWork(connection, entry, place, model, id="tool-work")
        self._form, self._strip = self._work.form, self._work.strip
        self._problem = Complaint()
        self._bar = CallBar(connection, "Call", "call", "cancel_call")
        self._answer = AnswerView()
        self._back = BackLine()
        self._beside = False
        self._work_height: int | None = None

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._strip
        yield self._work
        yield self._problem
        yield self._bar
        yield self._answer
        yield self._back

    async def on_mount(self) -> None:
        await self._work.start()
        self._bar.follow(self._book.running(ASK, self.name_)[::-1])
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
        return self._work.calls

    @property
    def name_(self) -> str:
        return str(self.entry["name"])

    @property
    def page(self) -> str | None:
        """The URI of the page that belongs to it."""
        page = page_of(self.entry)
        return page.uri if page is not None else None

    @property
    def model(self) -> FormModel:
        """What is entered."""
        return self._form.model

    def stands_for(self, entry: Any) -> bool:
        """Whether this is the view of a tool as it is listed now: with another schema it takes another form."""
        same = ("name", "inputSchema")
        return isinstance(entry, dict) and all(entry.get(member) == self.entry.get(member) for member in same)

    def renew(self, entry: dict[str, Any], reasons: list[str], place: int) -> None:
        """The list was read again, and holds the tool with the same schema."""
        self.entry = entry
        self._head.update(tool_head(entry, reasons))
        self.call_later(self._work.renew, entry, place)

    def say_gone(self) -> None:
        self._problem.say("The server does not list this tool any more. A call is sent all the same.")

    async def follow(self, before: ToolView) -> None:
        """Takes the place of a view of the same tool with another schema, and its focus."""
        if (tab := before._strip.active) != "history" or self.calls:
            await self._open(tab)
        if before.has_focus_within:
            place = before._form.place
            await self.enter()
            if place is not None:
                await self._form.go_to(place)
        self._problem.say("The server has changed what this tool takes. What was entered is kept.")

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
        await self._work.open(tab)

    @on(ToolWork.Opened)
    def _opened(self, event: ToolWork.Opened) -> None:
        event.stop()
        self.set_class(self._strip.active in ("model", "raw"), "-defining")
        self._back.show(self._strip.title)
        self._arrange()

    async def next_view(self, by: int = 1) -> None:
        """The view to the right of this one, or so many further, with the focus in it."""
        self.seen = time.monotonic()
        self.remove_class("-reading")
        await self._work.step(by)
        await self.enter()

    async def show_history(self) -> None:
        """The calls so far, with the focus in them; from there back to the arguments."""
        self.remove_class("-reading")
        await self._open("form" if self._strip.active == "history" else "history")
        await self.enter()

    def unfold_description(self) -> None:
        self.toggle_class("-unfolded")

    async def enter(self) -> None:
        """The focus goes to the arguments."""
        self.remove_class("-reading")
        self._arrange()
        if not await self._work.enter():
            # It takes no arguments: an enter too many must not call it.
            self._work.strip.focus()

    def leave(self) -> bool:
        """Ends a search, or goes from the answer back to the arguments."""
        if self._answer.leave():
            return True
        if self._answer.has_focus_within or self._hides_work:
            self.call_later(self.enter)
            return True
        return False

    @property
    def _hides_work(self) -> bool:
        """Whether the answer stands in the place of the arguments."""
        return self.has_class("-turns") and self.has_class("-reading")

    @on(BackLine.Wanted)
    async def _work_wanted(self, event: BackLine.Wanted) -> None:
        event.stop()
        await self.enter()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The tabs say what is below them, so that it comes back with them."""
        if event.widget is self._strip and self._hides_work:
            self.remove_class("-reading")
            self._arrange()

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
        if (history := self._work.history) is not None:
            if (past := history.call) is not None:
                self._begin(Call(past.ask, past.params, self.entry.get("outputSchema")))
            return
        form = self._work.form_in_hand
        if form.is_broken:
            self._complain(BROKEN)
            return
        await form.submit(anyway=self._problem.insist)

    @on(SchemaForm.Submitted)
    async def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        if not self._problem.insist and self._work.misfits(event.arguments):
            again = f"{spoken('call')} again sends it all the same."
            said = f"This is what the model was asked for, but the raw schema does not take it. {again}"
            self._problem.say(said, insist=True)
            return
        for secret in self._work.secrets():
            # From now on it is one of the secrets that no list, recording or copy shows.
            self.app.workspace.secrets.add(secret)  # type: ignore[attr-defined]
        params = await self._work.params_apart(event.arguments)
        if not self.running or self._beside:
            self._begin(Call(ASK, params, self.entry.get("outputSchema")))

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._problem.refuse(event.errors, "arguments", "call", unread=event.unread)

    @on(SchemaForm.Changed)
    def _form_changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self._complain("")

    def _begin(self, call: Call) -> None:
        self._complain("")
        self._bar.begin(call)
        self._work.refresh_calls()

    def again(self, connection: Connection, call: Call) -> bool:
        """Makes a call once more where it is one of this tool."""
        if connection is not self._connection or (call.ask, call.subject) != (ASK, self.name_):
            return False
        self._begin(call.anew())
        return True

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        if self._beside:
            self._complain("")
        await self._answer.show(event.call)
        self.add_class("-answered", "-reading")
        self._arrange()
        self._work.refresh_calls()
        if self.has_class("-turns") and self.has_focus_within:
            self.call_after_refresh(self._answer.enter)

    async def made_again(self, connection: Connection, call: Call) -> None:
        """A call was made without this view; its answer is shown where it is one of this tool, and none runs here."""
        if connection is self._connection and call.subject == self.name_ and not self.running:
            await self._answer.show(call)
            self.add_class("-answered")
            self._arrange()
            self._work.refresh_calls()

    @on(Fields.Reshaped)
    def _form_reshaped(self, event: Fields.Reshaped) -> None:
        event.stop()
        self._arrange()

    def _arrange(self) -> None:
        """Shares the height out between the arguments and what came of them; the frame on show takes its room from the
        form beside it, or in the place of the answer below it."""
        width, height = self.size
        if not height:
            # Not seen: everything stays as it is, which costs nothing when it is seen again.
            return
        beside = width >= tool_room.BESIDE
        drafting = self._work.previewing and not beside and not self.has_class("-reading")
        low = tool_room.is_low(height)
        self.set_class(drafting, "-drafting")
        self.set_class(low, "-low")
        self._work.show_preview(self._work.previewing and (beside or drafting), beside=beside, low=low)
        if drafting or not self.has_class("-answered"):
            shares = tool_room.Shares()
        else:
            head = 0 if self.has_class("-unfolded") else min(6, self._head.virtual_size.height) + 1
            shares = tool_room.share(height, head, self._work.height_wanted)
        self.set_class(shares.turns, "-turns")
        self.set_class(shares.close, "-close")
        if shares.editor != self._work_height:
            self._work_height = shares.editor
            self._work.styles.height = shares.editor

    # What would be sent

    def toggle_preview(self) -> None:
        """Shows the frame that a call would send now, or hides it."""
        hidden = self.has_class("-reading") and not self._work.has_class("-beside")
        self._work.preview(hidden or not self._work.previewing)
        self.remove_class("-reading")
        self._arrange()

    def toggle_task(self) -> None:
        """Calls are sent as tasks from now on, or no longer."""
        self._work.as_task = not self._work.as_task
        self._work.draft()
        how = (
            "as a task: the server works by itself and is asked for the result"
            if self._work.as_task
            else "as usual"
        )
        needs = "; the tool says that it must be a task" if self._work.task_support == "required" else ""
        self._bar.tell(f"called {how}{needs}", "$quiet")

    @property
    def task_support(self) -> str:
        return self._work.task_support

    async def fill_last(self) -> None:
        """Takes the arguments of the newest call up in the form."""
        if not self.calls:
            self.notify("No call of this tool since the app was started.", markup=False)
            return
        await self._work.take_up(self.calls[0])
        if not self._work.form_in_hand.has_focus_within:
            await self.enter()

    async def edit_outside(self) -> None:
        """The arguments, or one field of them, in the person's own editor."""
        await self._work.edit_outside()

    @on(CallBar.Wanted)
    async def _call_wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        await self.call()

    def cancel(self) -> None:
        self._bar.cancel()

    def extend(self) -> None:
        """Gives the running call more time."""
        self._bar.extend()

    def set_clocks(self) -> None:
        """Asks how long the running call may take."""
        self._bar.set_clocks()

    def _complain(self, text: str) -> None:
        self._beside = self._beside and bool(text)
        self._problem.say(text)

    # What was called before

    @on(FilterList.Pointed)
    async def _past_pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        call = self._work.call_named(event.key)
        if call is not None and not call.running and self._strip.active == "history":
            await self._answer.show(call)
            self.add_class("-answered")
            self._arrange()

    @on(FilterList.Opened)
    async def _past_opened(self, event: FilterList.Opened) -> None:
        """Its answer is read."""
        event.stop()
        call = self._work.call_named(event.key)
        if call is not None and not call.running:
            await self._answer.show(call)
            self.add_class("-answered", "-reading")
            self._arrange()
            self.call_after_refresh(self._answer.enter)

    @on(CallList.Edit)
    async def _past_edited(self, event: CallList.Edit) -> None:
        event.stop()
        await self._work.take_up(event.call)
        await self.enter()

    @on(CallList.Compare)
    def _compare(self, event: CallList.Compare) -> None:
        event.stop()
        self._show_diff(event.older, event.newer)

    @on(AnswerView.AgainWanted)
    def _again_wanted(self, event: AnswerView.AgainWanted) -> None:
        event.stop()
        self._begin(Call(event.call.ask, event.call.params, event.call.promised))

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
        """Goes into the result; from there gives it all the room, and takes that back. False where there is no
        result, or where it has no more room than before."""
        if not self.has_class("-answered"):
            return False
        if not self.has_class("-result") and not self._answer.has_focus_within:
            self.add_class("-reading")
            self._arrange()
            self.call_after_refresh(self._answer.enter)
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
        if (history := self._work.history) is not None and (past := history.call):
            return past
        entered = Call(ASK, self._work.params(self._work.form_in_hand.model.collect().arguments))
        read = self._answer.call
        # Nothing was changed since: the answer on show is that to what is entered.
        return read if read is not None and read.params == entered.params else entered
