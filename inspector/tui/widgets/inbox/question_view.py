"""One question of a server: what it wants, the answer while it is open, what was answered when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, ContentSwitcher, Static

from inspector.base.text import clip
from inspector.schema.form import FormModel
from inspector.session.inbox import Refusal
from inspector.session.responders import Profile
from inspector.tui import asked, guard
from inspector.tui.registry import spoken, titled
from inspector.tui.widgets.bars.tab_strip import Tab, TabStrip
from inspector.tui.widgets.forms.complaint import Complaint
from inspector.tui.widgets.forms.schema_form import BROKEN, SchemaForm
from inspector.tui.widgets.inbox.link import link_parts, open_link, openable
from inspector.tui.widgets.inbox.question_head import as_json, head_parts
from inspector.tui.widgets.inbox.sampling import (
    Conversation,
    answer_schema,
    arguments_of,
    reply_of,
    says_nothing,
)
from inspector.tui.widgets.lists.moving import Scroll
from inspector.tui.widgets.text.facts import Part
from inspector.tui.widgets.text.json_view import JsonView

if TYPE_CHECKING:
    from inspector.session.inbox import Question, Reply
    from inspector.workspace.connection import Connection

_LOW = 20
_TITLES = {"form": "Answer", "json": "JSON", "link": "Link", "messages": "Messages", "reply": "Answer"}
_REQUEST = {False: "Request", True: "Asked next"}
_ANSWER = {"form": "Accept", "sampling": "Send", "link": "Open…", "limit": "Go on"}
_REFUSE = {"sampling": "Refuse", "limit": "Stop"}
_CANCEL = ("form", "link")
_SHORTCUT = {"sampling": "Echo", "link": "Accept"}


class QuestionView(Vertical):
    """Settles the question when the person answers. `last` gives what the person answered last to one of this kind.
    Posts `Ended` when it is over, however it went."""

    DEFAULT_CSS = """
    QuestionView {
        height: 1fr;
        & > .head { height: auto; max-height: 40%; padding: 0 1; margin-bottom: 1; }
        & > .head > Static { height: auto; }
        &.-low > .head { margin-bottom: 0; max-height: 30%; }
        & > ContentSwitcher { height: 1fr; }
        & .desk { height: 1fr; }
        & .desk > Conversation { height: 2fr; min-height: 6; border-bottom: solid $line; }
        & .desk > SchemaForm { height: 3fr; }
        &.-low .desk > Conversation { display: none; }
        & .link { padding: 0 1; }
        & .link > Static { height: auto; }
        & .outcome { height: auto; max-height: 4; padding: 0 1; }
        & JsonView { height: 1fr; padding: 0 1; }
        & > .buttons { height: 1; margin: 0 1; }
        & > .buttons > Button { margin-right: 1; width: auto; min-width: 0; }
    }
    """

    class Ended(Message):
        def __init__(self, view: QuestionView) -> None:
            super().__init__()
            self.view = view

    def __init__(
        self, connection: Connection, question: Question, last: Callable[[], Reply | None], *, id: str
    ) -> None:
        super().__init__(id=id)
        self.question = question
        self.kind = asked.kind_of(question)
        self._connection = connection
        self._last = last
        self._head = Static(markup=False)
        self._strip = TabStrip(self._tabs())
        self._switcher = ContentSwitcher()
        self._problem = Complaint()
        self.form = self._make_form()
        self._over = not question.is_open
        self._outgoing: asyncio.TimerHandle | None = None
        self._outgoing_reply: Reply = {}
        self._owner = asked.owner(connection, question)

    def _make_form(self) -> SchemaForm | None:
        given = self.question.arguments
        if not self.question.is_open or self.kind not in ("form", "sampling"):
            return None
        schema = given.get("requestedSchema") if self.kind == "form" else answer_schema(given)
        return SchemaForm(FormModel(schema, send_defaults=True, blanks=False))

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="head", can_focus=False):
            yield self._head
        yield self._strip
        yield self._switcher
        yield self._problem
        with Horizontal(classes="buttons"):
            yield from self._buttons()

    def _buttons(self) -> ComposeResult:
        if not self.question.is_open or self.kind not in _ANSWER:
            return
        if self.can("answer"):
            yield _button("answer", _ANSWER[self.kind], "primary")
        if self.kind in _SHORTCUT:
            yield _button("shortcut", _SHORTCUT[self.kind])
        yield _button("decline", _REFUSE.get(self.kind, "Decline"))
        if self.kind in _CANCEL:
            yield _button("dismiss", "Cancel")

    async def on_mount(self) -> None:
        self.refresh_state()
        await self.open(self._strip.tabs[0].id)
        self.set_interval(0.5, self.refresh_state)
        self.question.on_end(self._ended)

    def on_resize(self, event: events.Resize) -> None:
        if event.size.height:
            self.set_class(event.size.height < _LOW, "-low")

    def _ended(self, question: Question) -> None:
        if self.is_attached:
            self.call_later(self.refresh_state)

    def on_unmount(self) -> None:
        self._hold_back()

    # What it is

    def refresh_state(self) -> None:
        """The clock of an open one runs; one that is over shows what came of it."""
        sent_at = self._outgoing.when() if self._outgoing is not None else None
        low = self.has_class("-low")
        parts = head_parts(self._connection, self.question, self._owner, sent_at=sent_at, low=low)
        self._head.update(Content.assemble(*parts).rstrip())
        if not self._over and not self.question.is_open:
            self._over = True
            self.call_later(self._end)

    # Views

    @property
    def tab(self) -> str:
        """The view on show."""
        return self._strip.active

    def _tabs(self) -> list[Tab]:
        own: dict[str, list[str]] = {
            "limit": [],
            "form": ["form", "json"],
            "link": ["link"],
            "sampling": ["form", "messages", "json"],
        }
        after = {"link": ["link"], "sampling": ["messages"]}
        names = (
            own.get(self.kind, ["reply"]) if self.question.is_open else ["reply", *after.get(self.kind, [])]
        )
        return [*(Tab(name, _TITLES[name]) for name in names), Tab("request", _REQUEST[self.question.ours])]

    async def open(self, tab: str) -> None:
        """Shows a view; it is built when it is looked at first."""
        id_ = f"question-{'form' if tab == 'json' else tab}"
        if not self._switcher.query(f"#{id_}"):
            await self._switcher.mount(self._build(tab, id_))
        if not self._switcher.query(f"#{id_}"):
            # The view is being taken down, as at the end of the app: nothing is mounted any more.
            return
        if tab in ("form", "json") and self.form is not None:
            await self.form.show("json" if tab == "json" else "form")
        self._strip.active = tab
        self._switcher.current = id_

    def _build(self, tab: str, id_: str) -> Widget:
        question = self.question
        if tab in ("form", "json") and self.form is not None:
            talk = [Conversation(question.arguments)] if self.kind == "sampling" else []
            return Vertical(*talk, self.form, classes="desk", id=id_)
        if tab == "messages":
            return Conversation(question.arguments, id=id_)
        if tab == "link":
            told = Content.assemble(*link_parts(question.arguments.get("url"))).rstrip()
            return Scroll(Static(told, markup=False), classes="link", id=id_)
        if tab == "reply":
            return Vertical(
                Static(Content.assemble(*_outcome(question)).rstrip(), classes="outcome", markup=False),
                JsonView(_reply_text(question)),
                id=id_,
            )
        return JsonView(as_json(question.arguments.get("next") if question.ours else question.params), id=id_)

    @on(TabStrip.Chosen)
    async def _tab_chosen(self, event: TabStrip.Chosen) -> None:
        event.stop()
        await self.open(event.tab)
        if not self._strip.has_focus:
            await self.enter()

    async def next_view(self) -> None:
        names = [tab.id for tab in self._strip.tabs]
        await self.open(names[(names.index(self._strip.active) + 1) % len(names)])
        await self.enter()

    async def enter(self) -> None:
        """The focus goes to where the answer is given, or to what can be read."""
        current = self._switcher.visible_content
        if self._strip.active in ("form", "json") and self.form is not None:
            if self.form.view == "json" or self.form.model.fields:
                await self.form.enter()
                return
        elif isinstance(current, JsonView):
            current.focus()
            return
        elif isinstance(current, Conversation) and current.enter():
            return
        elif current is not None and (inside := current.query(JsonView)):
            inside.first().focus()
            return
        if buttons := self.query(".buttons > Button"):
            buttons.first().focus()
        else:
            self._strip.focus()

    async def _end(self) -> None:
        """It is over: the answer takes the place of the form."""
        inside = self.has_focus_within
        self._hold_back()
        if inside:
            self._strip.focus()
        self._problem.say("")
        await self.query_one(".buttons").remove()
        self._strip.show(self._tabs())
        await self._switcher.query("#question-form, #question-reply").remove()
        self.form = None
        await self.open("reply")
        self.refresh_state()
        self.post_message(self.Ended(self))

    # Answering

    @on(Button.Pressed)
    async def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action(f"{event.button.name}()", self._pane())

    def _pane(self) -> Any:
        return next(node for node in self.ancestors if getattr(node, "SCOPE", "") == "inbox")

    async def answer(self) -> None:
        """Sends what is filled in; what does not fit goes out when it is asked for again."""
        if self._outgoing is not None:
            self._outgoing.cancel()
            reply = self._outgoing_reply
            self._outgoing = None
            self.question.settle(reply)
        elif self.kind == "link":
            self._go()
        elif self.kind == "limit":
            self.question.settle({"action": "accept"})
        elif self.form is not None:
            if self.form.is_broken:
                self._problem.say(BROKEN)
                return
            await self.form.submit(anyway=self._problem.insist)

    @work(group="dialogs", exclusive=True)
    async def _go(self) -> None:
        if await open_link(self.app, self.question.arguments.get("url")):
            self.question.settle({"action": "accept"}, "opened in the browser")

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        for _, secret in event.form.model.secrets():
            if isinstance(secret, str):
                self.app.workspace.secrets.add(secret)  # type: ignore[attr-defined]
        if self.kind == "form":
            self.question.settle({"action": "accept", "content": event.arguments})
            return
        if says_nothing(event.arguments) and not self._problem.insist:
            said = f"The model says nothing yet. {spoken('inbox.answer')} again sends an empty text."
            self._problem.say(said, insist=True)
            return
        reply, delay = reply_of(event.arguments)
        if delay <= 0:
            self.question.settle(reply)
            return
        self._outgoing_reply = reply
        self._outgoing = asyncio.get_running_loop().call_later(delay, self.question.settle, reply)
        self.refresh_state()

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._problem.refuse(event.errors, "answer", "inbox.answer", unread=event.unread)

    @on(SchemaForm.Changed)
    def _changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self._problem.say("")

    def decline(self) -> None:
        self.question.decline()

    def dismiss(self) -> None:
        if self.kind in _CANCEL:
            self.question.settle({"action": "cancel"})

    def shortcut(self) -> None:
        """Echoes sampling; accepts a link that is not opened here."""
        if self.kind == "sampling":
            reply = Profile(sampling="echo").answer(self.question.method, self.question.arguments)
            assert reply is not None
            self.question.settle(reply, "echo")
        elif self.kind == "link":
            self.question.settle({"action": "accept"}, "accepted without opening it here")

    def can(self, action: str) -> bool:
        """Whether this can be done with the question as it is."""
        if action == "next_view":
            return True
        if not self.question.is_open or self.kind not in _ANSWER:
            return False
        if action in ("fill_last", "edit_outside"):
            return self.form is not None
        if action == "answer":
            return self.kind != "link" or openable(self.question.arguments.get("url"))
        return {"shortcut": self.kind in _SHORTCUT, "dismiss": self.kind in _CANCEL}.get(action, True)

    async def fill_last(self) -> None:
        """Takes up what was answered last."""
        reply = self._last()
        if self.form is None:
            return
        if not isinstance(reply, dict):
            self.notify("Nothing was answered yet to a question of this kind.", markup=False)
            return
        await self.form.load(arguments_of(reply) if self.kind == "sampling" else reply.get("content", {}))

    async def edit_outside(self) -> None:
        """The answer, or one field of it, in the person's own editor."""
        if self.form is None:
            return
        if self._strip.active not in ("form", "json"):
            await self.open("json")
        if await self.form.edit_outside():
            await self.open(self.form.view)

    def _hold_back(self) -> None:
        if self._outgoing is not None:
            self._outgoing.cancel()
            self._outgoing = None

    def copy_offer(self) -> tuple[str, str] | None:
        url = self.question.arguments.get("url")
        if self.kind == "link" and isinstance(url, str):
            return "The address", url
        return "The request", as_json(self.question.params)


def _button(action: str, title: str, variant: Any = "default") -> Button:
    return Button(
        Content(titled(title, f"inbox.{action}", "{} {}")), name=action, variant=variant, compact=True
    )


def _outcome(question: Question) -> list[Part]:
    mark, tone = asked.STATES[question.state]
    said = str(question.state)
    if question.reply is None and not question.is_open:
        said += "; no answer was sent"
    parts: list[Part] = [(f"{mark} {said}", f"bold {tone}")]
    if question.reason:
        parts.append((f"  {clip(guard.message(question.reason), 300)}", "$quiet"))
    return parts


def _reply_text(question: Question) -> str:
    reply = question.reply
    if isinstance(reply, Refusal):
        body: dict[str, Any] = {"code": reply.code, "message": reply.message}
        return as_json({"error": body if reply.data is None else {**body, "data": reply.data}})
    return as_json({"result": reply}) if reply is not None else ""
