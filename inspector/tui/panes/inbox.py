"""What a server asked its client: what is open, what was answered, who answers, the roots it is offered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, ContentSwitcher, Static

from inspector.base.errors import Failed
from inspector.base.text import clip
from inspector.config.settings import is_missing
from inspector.policy import answering
from inspector.policy.answering import Answering
from inspector.session.inbox import Refusal, Root
from inspector.session.responders import Profile
from inspector.tui import asked, guard
from inspector.tui.panes.tools import NARROW
from inspector.tui.registry import bindings, label, titled
from inspector.tui.undo import Undoable
from inspector.tui.widgets.inbox.question_view import QuestionView
from inspector.tui.widgets.inbox.roots_view import RootsView
from inspector.tui.widgets.lists.filter_list import FilterList, Item

if TYPE_CHECKING:
    from inspector.session.inbox import Question, Reply
    from inspector.workspace.connection import Connection

_ROOTS = "roots"
_KEPT = 12
"""Questions that are over and kept as widgets."""


class InboxPane(Vertical):
    """The list at the left, the chosen question at the right; on a narrow screen one after the other."""

    SCOPE = "inbox"
    BINDINGS: ClassVar[list[BindingType]] = bindings("inbox")
    HELP = (
        "What the server asks while it works: to fill in a form, to open a link, to let a model answer, which folders"
        " it may see. The call waits until you answer."
    )
    DEFAULT_CSS = """
    InboxPane {
        height: 1fr;
        & > .bar { height: 1; margin: 0 1 1 1; }
        & > .bar > Button { margin-right: 1; width: auto; min-width: 0; max-width: 60%; }
        & > .bar > Static { width: 1fr; height: 1; color: $quiet; text-wrap: nowrap; text-overflow: ellipsis; }
        & > .desk { height: 1fr; }
        & > .desk > FilterList { width: 36%; min-width: 24; max-width: 56; border-right: vkey $line; }
        & > .desk > ContentSwitcher { width: 1fr; height: 1fr; }
        & .empty { padding: 1 2; color: $quiet; }
        &.-narrow > .desk > FilterList { width: 1fr; max-width: 100%; border-right: none; }
        &.-narrow > .desk > ContentSwitcher { display: none; }
        &.-narrow.-open > .desk > FilterList { display: none; }
        &.-narrow.-open > .desk > ContentSwitcher { display: block; }
        &.-narrow.-open > .bar { display: none; }
    }
    """

    def __init__(self, connection: Connection, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.connection = connection
        self.inbox = connection.inbox
        self._who = Button("", name="policy", compact=True)
        self._where = Button("", name="roots", compact=True)
        self._all = Button("", name="decline_all", compact=True)
        self._said = Static(markup=False)
        self._list = FilterList(placeholder="filter questions", empty=_EMPTY)
        self._nothing = Static(_NOTHING, classes="empty", markup=False, id="none")
        self._switcher = ContentSwitcher(self._nothing, initial="none")
        self._shown: list[Item] = []

    def compose(self) -> ComposeResult:
        with Horizontal(classes="bar"):
            yield self._who
            yield self._where
            yield self._all
            yield self._said
        with Horizontal(classes="desk"):
            yield self._list
            yield self._switcher

    def on_mount(self) -> None:
        self.refresh_state()

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width:
            self.set_class(event.size.width < NARROW, "-narrow")
            self._tell()

    def refresh_state(self) -> None:
        """Looks at the inbox again."""
        self._tell()
        questions = [*self.inbox.open, *(one for one in reversed(self.inbox.questions) if not one.is_open)]
        self._list.show([self._item(question) for question in questions])

    def _tell(self) -> None:
        self._retitle(self._who, titled(f"Answers: {who_answers(self.connection)}", "inbox.policy"))
        roots = self.inbox.roots
        count = "none declared" if roots is None else str(len(roots))
        self._retitle(self._where, titled(f"Roots: {count}", "inbox.roots"))
        waiting = len(self.inbox.open)
        self._all.display = waiting > 1
        self._retitle(self._all, titled(f"Decline all {waiting}", "inbox.decline_all"))
        pings = self.inbox.pings
        self._said.update(Content(f"{pings} ping{'' if pings == 1 else 's'}" if pings else ""))

    @staticmethod
    def _retitle(button: Button, title: str) -> None:
        if str(button.label) != title:
            button.label = Content(title)
            button.refresh(layout=True)

    def _item(self, question: Question) -> Item:
        kind = asked.kind_of(question)
        note = "" if kind in ("roots", "other") else kind
        state = "open" if question.is_open else question.state
        sides = (f"{state} {asked.waits(question)}  {asked.asked_at(question)}", asked.asked_at(question))
        return Item(str(question.number), asked.subject(question), asked.STATES[question.state], note, sides)

    # The chosen one

    def _question(self, key: str) -> Question | None:
        return next((one for one in self.inbox.questions if str(one.number) == key), None)

    @property
    def view(self) -> QuestionView | RootsView | None:
        current = self._switcher.visible_content
        return current if isinstance(current, QuestionView | RootsView) else None

    @on(FilterList.Pointed)
    async def _pointed(self, event: FilterList.Pointed) -> None:
        event.stop()
        # The cursor also moves by itself, when something is asked: what somebody is in stays. A form of roots that is
        # laid out anew has no focus for a moment.
        inside = self._switcher.has_focus_within or isinstance(self.view, RootsView)
        if not self.has_class("-narrow") and (self._list.has_focus_within or not inside):
            await self.show(event.key)

    @on(FilterList.Opened)
    async def _opened(self, event: FilterList.Opened) -> None:
        event.stop()
        await self.open(event.key)

    async def show(self, key: str) -> None:
        question = self._question(key)
        if question is None:
            return
        id_ = f"asked-{key}"
        if not self._switcher.query(f"#{id_}"):
            await self._make_room()
            await self._switcher.add_content(
                QuestionView(self.connection, question, lambda: self._last(question), id=id_)
            )
        if self._switcher.query(f"#{id_}"):
            self._switcher.current = id_
            self.refresh_bindings()

    async def _make_room(self) -> None:
        over = [view for view in self._switcher.query(QuestionView) if not view.question.is_open]
        for view in over[: max(0, len(over) - _KEPT + 1)]:
            await view.remove()

    def _last(self, question: Question) -> Reply | None:
        kind = asked.kind_of(question)
        found = (
            one.reply
            for one in reversed(self.inbox.questions)
            if one is not question and one.state == "answered" and asked.kind_of(one) == kind
        )
        return next(found, None)

    async def open(self, key: str) -> None:
        """Shows a question, with the focus where it is answered."""
        await self.show(key)
        self.add_class("-open")
        if (view := self.view) is not None:
            await view.enter()

    async def open_question(self, question: Question) -> None:
        """The same for one that is known."""
        self.refresh_state()
        self._list.select(str(question.number))
        await self.open(str(question.number))

    @on(QuestionView.Ended)
    async def _ended(self, event: QuestionView.Ended) -> None:
        """After an answer the next one that is open is chosen in the list, and not entered: a key that comes twice
        must not answer what nobody has read. One that was taken back, and the last one, stay to be read."""
        event.stop()
        self.refresh_state()
        self.refresh_bindings()
        view = self.view
        if event.view is not view or not view.has_focus_within:
            return
        waiting = self.inbox.open
        if waiting and view.question.reply is not None:
            self._list.select(str(waiting[0].number))
            self.remove_class("-open")
            self._list.enter()
            await self.show(str(waiting[0].number))
        else:
            self._list.select(str(view.question.number))
            await view.enter()

    # Where the focus is

    def enter(self) -> None:
        if self.inbox.open:
            self.call_later(self.open_question, self.inbox.open[0])
        elif self.has_class("-narrow") and self.has_class("-open") and (view := self.view) is not None:
            self.call_later(view.enter)
        elif self.inbox.questions:
            self._list.enter()
        else:
            self._who.focus()

    def leave(self) -> bool:
        if self._list.has_focus_within:
            return self._list.end_filter()
        if self._switcher.has_focus_within:
            self.remove_class("-open")
            if self.inbox.questions:
                self._list.enter()
            else:
                self._who.focus()
            return True
        return False

    def open_filter(self) -> None:
        self.remove_class("-open")
        self._list.open_filter()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view = self.view if self.is_mounted else None
        if action == "decline_all":
            return bool(self.inbox.open)
        if action in _OF_A_QUESTION and not self._switcher.has_focus_within:
            # Only what the person is in is answered; from the list the first key goes there.
            return action == "answer" and self._list.key is not None
        if action in _OF_A_QUESTION:
            if action == "answer" and self._next_after(view) is not None:
                return True
            if isinstance(view, QuestionView):
                return view.can(action)
            return isinstance(view, RootsView) and action == "answer"
        return True

    def title_here(self, action: str) -> str:
        """What a key of the pane does where the focus is, where its title says something else; else empty."""
        if action != "answer" or not self.is_mounted:
            return ""
        if not self._switcher.has_focus_within:
            return "Go to it"
        return "Next question" if self._next_after(self.view) is not None else ""

    def _next_after(self, view: QuestionView | RootsView | None) -> Question | None:
        """The question to go to from one that is over."""
        over = isinstance(view, QuestionView) and not view.question.is_open
        return next(iter(self.inbox.open), None) if over else None

    async def action_answer(self) -> None:
        if not self._switcher.has_focus_within:
            if (key := self._list.key) is not None:
                await self.open(key)
        elif (after := self._next_after(self.view)) is not None:
            await self.open_question(after)
        elif (view := self.view) is not None:
            await view.answer()

    def action_decline(self) -> None:
        if isinstance(view := self.view, QuestionView):
            view.decline()

    @work(group="dialogs", exclusive=True)
    async def action_decline_all(self) -> None:
        """Declines what is open now, after a yes where that is more than one."""
        waiting = self.inbox.open
        if len(waiting) > 1:
            from inspector.tui.screens.confirm import ConfirmScreen

            text = Content("Each gets the no of its kind, and the calls that wait for them go on with that.")
            title = f"Decline all {len(waiting)} questions of {guard.line(self.connection.name)}?"
            if not await self.app.push_screen_wait(ConfirmScreen(title, text, yes="Decline all", no="No")):
                return
        for question in waiting:
            question.decline()

    def action_dismiss(self) -> None:
        if isinstance(view := self.view, QuestionView):
            view.dismiss()

    def action_shortcut(self) -> None:
        if isinstance(view := self.view, QuestionView):
            view.shortcut()

    async def action_next_view(self) -> None:
        if isinstance(view := self.view, QuestionView):
            await view.next_view()

    async def action_fill_last(self) -> None:
        if isinstance(view := self.view, QuestionView):
            await view.fill_last()

    async def action_edit_outside(self) -> None:
        if isinstance(view := self.view, QuestionView):
            await view.edit_outside()

    @on(Button.Pressed)
    async def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.name == "policy":
            self.action_policy()
        elif event.button.name == "decline_all":
            self.action_decline_all()
        else:
            await self.action_roots()

    # Roots

    async def action_roots(self) -> None:
        if not self._switcher.query(f"#{_ROOTS}"):
            await self._switcher.add_content(RootsView(self._save_roots, id=_ROOTS))
        self._switcher.current = _ROOTS
        self.add_class("-open")
        view = self._switcher.query_one(RootsView)
        await view.show(self.inbox.roots or ())
        await view.enter()

    def _save_roots(self, roots: tuple[Root, ...]) -> str:
        before = self.inbox.roots
        declared = before is not None
        self.inbox.roots = roots
        if before is not None and before != roots:
            self.post_message(Undoable("the roots are those of before", lambda: self._roots_again(before)))
        said = f"{len(roots)} root{'' if len(roots) == 1 else 's'}"
        if missing := [root.uri for root in roots if is_missing(root.uri)]:
            said += f"; no such folder here: {guard.line(clip(', '.join(missing), 200), cut=True)}"
        kept = replace(answering.recall(self.connection.entry), roots=roots)
        said += _kept(self.connection, kept)
        session = self.connection.session
        if session is None or self.connection.state != "ready":
            said += "; the server gets them when it is started"
        elif session.handshake is not None and session.handshake.era == "modern":
            said += "; the server gets them when it asks again"
        elif not declared:
            said += f"; no roots were declared to it: {label('restart')} starts it again with them"
        else:
            try:
                session.notify("notifications/roots/list_changed")
                said += "; the server was told"
            except Failed as failed:
                said += f"; the server could not be told: {guard.message(failed.failure.message)}"
        self.refresh_state()
        return said

    async def _roots_again(self, roots: tuple[Root, ...]) -> None:
        self.notify(self._save_roots(roots), title="Roots", timeout=5, markup=False)
        for view in self.query(RootsView):
            await view.show(roots)

    # Who answers

    @work(group="dialogs", exclusive=True)
    async def action_policy(self) -> None:
        from inspector.tui.screens.answering import SAME, AnsweringScreen

        kept = answering.recall(self.connection.entry)
        chosen = await self.app.push_screen_wait(
            AnsweringScreen(guard.line(self.connection.name), kept.answers)
        )
        if chosen is None:
            return
        declared = self.inbox.capabilities
        before, was = kept, self.inbox.responder

        def back() -> None:
            self.inbox.responder = was
            answering.keep(self.connection.entry, before)
            self.refresh_state()

        self.post_message(
            Undoable(f"{who_answers(self.connection)} answers {guard.line(self.connection.name)}", back)
        )
        said = ""
        if chosen == SAME:
            self.inbox.responder = self._as_before()
        else:
            kept = replace(kept, answers=chosen)
            self.inbox.responder = answering.responder(chosen)
            said = _kept(self.connection, kept)
        if self.connection.state == "ready" and self.inbox.capabilities != declared:
            said += f"; other capabilities are declared then: {label('restart')} starts it again with them"
        self.refresh_state()
        name = guard.line(self.connection.name)
        self.notify(
            f"{name}: {who_answers(self.connection)}{said}", title="Who answers", timeout=6, markup=False
        )

    def _as_before(self) -> Profile:
        """What the person answered last, as a profile."""
        found = {asked.kind_of(one): one.reply for one in self.inbox.questions if one.state == "answered"}
        form, sampling = found.get("form"), found.get("sampling")
        content = form.get("content", {}) if isinstance(form, dict) else {}
        return Profile(
            form="accept",
            url="accept" if "link" in found else "decline",
            content=content if isinstance(content, dict) else {},
            sampling="echo" if sampling is None or isinstance(sampling, Refusal) else sampling,
            title="as you did last",
        )


_OF_A_QUESTION = frozenset(
    {"answer", "decline", "dismiss", "shortcut", "next_view", "fill_last", "edit_outside"}
)
_EMPTY = "Nothing was asked yet."
_NOTHING = (
    "This server has not asked for anything yet.\n\nWhile it works, a server may ask you to fill in a form or to open"
    " a link (elicitation), to have a model answer (sampling), or which folders it may use (roots). It shows up here,"
    " and the call that it belongs to waits."
)


def who_answers(connection: Connection) -> str:
    """A safe word."""
    responder = connection.inbox.responder
    return "nobody" if responder is None else guard.line(responder.title)


def _kept(connection: Connection, kept: Answering) -> str:
    try:
        answering.keep(connection.entry, kept)
    except OSError as error:
        return f"; it could not be kept for the next time: {error.strerror}"
    return ""
