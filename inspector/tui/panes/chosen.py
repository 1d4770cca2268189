"""The entry that was chosen, a resource or a prompt: what is listed of it, its form, what came of asking for it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from inspector.base.text import clip
from inspector.schema.form import FormModel
from inspector.tui import guard
from inspector.tui.calls import Call
from inspector.tui.completion import proposer
from inspector.tui.widgets.answers.content_view import ContentView, summary
from inspector.tui.widgets.forms.complaint import Complaint
from inspector.tui.widgets.forms.fields import Fields
from inspector.tui.widgets.forms.schema_form import BROKEN, HELP, SchemaForm
from inspector.tui.widgets.text.facts import Part
from inspector.tui.widgets.tools.call_bar import CallBar
from inspector.tui.widgets.tools.frame_preview import FramePreview
from inspector.tui.widgets.tools.tool_head import extras

if TYPE_CHECKING:
    from inspector.protocol.listing import ListKind
    from inspector.workspace.connection import Connection

_PAST = 50
"""Arguments sent before that are kept."""


@dataclass(eq=False)
class Visit:
    """What was looked at and what came of it. `listing` is the JSON text of the entry as served, `model` holds what was
    entered and `past` what was sent, newest first; `address` is a URI by hand, `seen` how many updates there were when
    it was read last."""

    key: str
    kind: ListKind | None
    entry: dict[str, Any]
    listing: str
    reasons: list[str]
    model: FormModel | None = None
    past: list[dict[str, Any]] = field(default_factory=list)
    address: str | None = None
    call: Call | None = None
    seen: int = 0
    at: float = field(default_factory=time.monotonic)

    @property
    def read(self) -> bool:
        return self.call is not None


class ChosenView(Vertical):
    """Shows a visit and changes it. What is missing in the form is told before anything is sent; asked for again it is
    sent without."""

    DEFAULT_CSS = """
    ChosenView {
        height: 1fr;
        & > .head { height: auto; max-height: 9; padding: 0 1; margin-bottom: 1; }
        & > ContentView { height: 1fr; margin-top: 1; }
        & > FramePreview { height: 1fr; margin-top: 1; display: none; }
        &.-drafting > FramePreview { display: block; }
        &.-drafting > ContentView { display: none; }
        & > SchemaForm { max-height: 50%; }
        &.-short > .head { margin-bottom: 0; max-height: 4; }
        &.-short.-answered > .head { max-height: 1; }
        &.-short > ContentView { margin-top: 0; }
        &.-short.-answered.-reading > SchemaForm { display: none; }
        &.-unfolded > .head { max-height: 60%; overflow-y: auto; }
    }
    """
    VERB: ClassVar[str] = ""
    GO: ClassVar[str] = ""
    """The action of that name."""
    CANCEL: ClassVar[str] = ""
    SHORT: ClassVar[int] = 17
    """Rows below which what is listed gives its room to the content once there is some."""

    def __init__(
        self,
        connection: Connection,
        visit: Visit,
        content: ContentView,
        *,
        schema: dict[str, Any] | None = None,
        ref: dict[str, Any] | None = None,
        id: str | None = None,
    ) -> None:
        """`schema` says what is to be filled in, `ref` whom the server knows it by when it proposes values."""
        super().__init__(id=id)
        self.visit = visit
        self.connection = connection
        self.head = Static(classes="head", markup=False)
        self.bar = CallBar(connection, self.VERB, self.GO, self.CANCEL)
        self.content = content
        self.form: SchemaForm | None = None
        if schema is not None:
            visit.model = visit.model or form_of(schema)
            self.form = SchemaForm(visit.model, propose=proposer(connection, ref or {}))
            self.form.remember(lambda: visit.past)
        self._problem = Complaint()
        self._frame = FramePreview(connection)

    def compose(self) -> ComposeResult:
        yield self.head
        if self.form is not None:
            yield self.form
        yield from self.below_form()
        yield self._problem
        yield self.bar
        yield self._frame
        yield self.content

    def below_form(self) -> list[Widget]:
        return []

    async def on_mount(self) -> None:
        self.show_state()
        if self.visit.call is not None and not self.visit.call.running:
            await self.show_answer(self.visit.call)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(0 < event.size.height < self.SHORT, "-short")
        self._arrange()

    @on(Fields.Reshaped)
    def _reshaped(self, event: Fields.Reshaped) -> None:
        event.stop()
        self._arrange()

    def _arrange(self) -> None:
        """The form takes the rows that it needs, its help only where half of the height has room for it."""
        if self.form is None or not self.size.height:
            return
        wanted = self.form.height_wanted
        self.form.styles.height = wanted if wanted <= self.size.height // 2 else max(1, wanted - HELP)

    @property
    def running(self) -> bool:
        return self.bar.running

    @property
    def is_ready(self) -> bool:
        """Nothing is to be filled in before it is asked for."""
        return self.form is None

    def show_state(self) -> None:
        """What is said above may be different now."""
        raise NotImplementedError

    def drafted(self, arguments: dict[str, Any]) -> Call:
        """The request with what is filled in."""
        raise NotImplementedError

    def ask(self) -> None:
        """Sends the request with what is filled in; does nothing while one runs."""
        if self.running:
            return
        if self.form is None:
            self.send({})
            return
        self.remove_class("-reading")
        self.call_later(self._submit, self.form)

    async def _submit(self, form: SchemaForm) -> None:
        if form.is_broken:
            self.complain(BROKEN)
        else:
            await form.submit(anyway=self._problem.insist)

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        past = self.visit.past
        if event.arguments not in past[:1]:
            past.insert(0, event.arguments)
            del past[_PAST:]
        self.send(event.arguments)

    def send(self, arguments: dict[str, Any]) -> None:
        self.complain("")
        self.begin(self.drafted(arguments))

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._problem.refuse(event.errors, "arguments", self.GO, unread=event.unread)

    def complain(self, text: str) -> None:
        """Says why it was not sent in safe text, or no longer."""
        self._problem.say(text)

    @on(SchemaForm.Changed)
    def _entered(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self.complain("")
        self.follow_form()

    def follow_form(self) -> None:
        """Something else is entered than before."""
        if self.has_class("-drafting"):
            arguments = self.form.model.collect().arguments if self.form is not None else {}
            call = self.drafted(arguments)
            self._frame.show(call.ask, call.params)

    def toggle_preview(self) -> None:
        """Shows the frame that would be sent now in the place of the content, or the content again."""
        self.toggle_class("-drafting")
        self.follow_form()
        self.call_after_refresh(self._frame.bring_up)

    async def fill_last(self) -> None:
        """Takes up what was filled in when it was asked for last."""
        if self.form is None or not self.visit.past:
            self.notify("It was not asked for with arguments yet.", markup=False)
            return
        self.remove_class("-reading")
        await self.form.load(self.visit.past[0])
        if not self.form.has_focus_within:
            await self.form.enter()

    async def show_as_json(self) -> None:
        """What is filled in as JSON, or as fields again."""
        if self.form is not None:
            self.remove_class("-reading")
            await self.form.show("form" if self.form.view == "json" else "json")
            await self.form.enter()

    async def edit_outside(self) -> None:
        """What is filled in, or one field of it, in the person's own editor."""
        if self.form is not None:
            self.remove_class("-reading")
            await self.form.edit_outside()
            await self.form.enter()

    async def fill(self, call: Call) -> None:
        """Shows what came of a call in `content`."""
        raise NotImplementedError

    def enter(self) -> None:
        """The focus goes to where work begins: a field that is to be filled in, or the content."""
        self.remove_class("-reading")
        if self.form is not None:
            self.call_later(self.form.enter)
        else:
            self.enter_content()

    async def renew(self, entry: dict[str, Any], listing: str, reasons: list[str]) -> None:
        """It is listed anew."""
        self.visit.entry, self.visit.reasons = entry, reasons
        if listing != self.visit.listing:
            self.visit.listing = listing
            await self.content.relist(listing)
        self.show_state()

    @on(CallBar.Wanted)
    def _wanted(self, event: CallBar.Wanted) -> None:
        event.stop()
        self.ask()

    def begin(self, call: Call) -> None:
        self.visit.call = call
        self.remove_class("-drafting")
        self.bar.begin(call)

    def again(self, connection: Connection, call: Call) -> bool:
        """Makes a call once more where it is what is shown here."""
        if connection is not self.connection or call is not self.visit.call:
            return False
        self.begin(call.anew())
        return True

    @on(CallBar.Ended)
    async def _ended(self, event: CallBar.Ended) -> None:
        # The pane hears of it as well.
        inside = self.has_focus_within
        await self.show_answer(event.call)
        self.show_state()
        if inside and self.has_class("-short"):
            self.call_after_refresh(self.enter_content)

    async def show_answer(self, call: Call) -> None:
        self.add_class("-answered", "-reading")
        self.bar.tell(*summary(call))
        await self.fill(call)

    def enter_content(self) -> None:
        self.add_class("-reading")
        self.content.enter()

    def leave(self) -> bool:
        """Ends a search, or goes from the content back to the fields that gave it their room."""
        if self.content.leave():
            return True
        if self.has_class("-short") and self.has_class("-reading") and not self.is_ready:
            self.remove_class("-reading")
            if self.content.has_focus_within:
                self.enter()
                return True
        return False

    def unfold(self) -> None:
        self.toggle_class("-unfolded")


def form_of(schema: dict[str, Any]) -> FormModel:
    """The form for what an entry asks for: a required text that was left empty is missing here."""
    return FormModel(schema, blanks=False)


def head_parts(visit: Visit, address: str, facts: list[str], watching: list[Part]) -> list[Part]:
    """What is listed of an entry: its names, what it is, what it is for, what is odd about it."""
    entry = visit.entry
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(name) if isinstance(name, str) else "(no name)", "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$foreground"))
    parts += [(f"  {' · '.join(facts)}" if facts else "", "$quiet"), ("\n", "")]
    if address:
        parts += [(guard.line(address), "$text-primary"), ("\n", "")]
    if watching:
        parts += [*watching, ("\n", "")]
    for reason in visit.reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:8000] + "\n", "$quiet"))
    return parts + extras(entry)
