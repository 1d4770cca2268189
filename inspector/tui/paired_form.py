"""What both servers are asked with: one form, of the schema of one side, told where the other side's differs."""

from __future__ import annotations

import asyncio
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from inspector.compare.paired import Pair
from inspector.schema.takeover import take_over
from inspector.tui import guard
from inspector.tui.calls import book_of
from inspector.tui.completion import proposer
from inspector.tui.paired_asks import Ask, Tab
from inspector.tui.paired_model import PairedModel
from inspector.tui.registry import spoken
from inspector.tui.widgets.forms.complaint import Complaint
from inspector.tui.widgets.forms.schema_form import BROKEN, SchemaForm, View
from inspector.tui.widgets.text.facts import Part

_TOLD = 3


class PairedForm(Vertical):
    """Posts `Ready` with what is to be sent, `Refused` where it is not sent as it stands."""

    DEFAULT_CSS = """
    PairedForm {
        height: 1fr;
        & > .note { height: auto; max-height: 2; padding: 0 1; color: $quiet; }
        & > SchemaForm { height: 1fr; }
    }
    """

    class Ready(Message):
        """These arguments are to be sent to both."""

        def __init__(self, tab: Tab, pair: Pair, ask: Ask, entered: dict[str, Any]) -> None:
            super().__init__()
            self.tab, self.pair, self.ask, self.entered = tab, pair, ask, entered

    class Refused(Message):
        """They do not fit."""

    def __init__(self, model: PairedModel, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._model = model
        self._note = Static(classes="note", markup=False)
        self._problem = Complaint()
        self._opening = asyncio.Lock()
        self._form: SchemaForm | None = None
        self._shown: tuple[Tab, Pair, Ask] | None = None

    def compose(self) -> ComposeResult:
        yield self._note
        yield self._problem

    async def open(self, tab: Tab, pair: Pair | None, as_json: bool) -> None:
        """The form of a row, with what was filled in before."""
        async with self._opening:
            await self._open(tab, pair, as_json)

    async def _open(self, tab: Tab, pair: Pair | None, as_json: bool) -> None:
        ask = self._model.ask(pair) if pair is not None else None
        if pair is None or ask is None:
            await self._take_down()
            self._note.update(Content("Nothing can be asked here."))
            return
        view: View = "json" if as_json or ask.raw or ask.model.raw_only else "form"
        if self._form is None or self._shown is None or self._shown[2] is not ask:
            await self._take_down()
            side = self._model.form_side(pair)
            form = self._form = SchemaForm(
                ask.model, view=view, propose=proposer(side, ask.ref) if ask.ref else None
            )
            form.remember(
                lambda: [call.params.get("arguments") for call in book_of(side).of(ask.method, pair.name)]
            )
            self._problem.say("")
            await self.mount(form, before=self._problem)
        elif self._form.view != view:
            await self._form.show(view)
        self._shown = tab, pair, ask
        self._note.update(self._about(pair))

    async def _take_down(self) -> None:
        form, self._form, self._shown = self._form, None, None
        if form is not None:
            await form.remove()

    def _about(self, pair: Pair) -> Content:
        if pair.mark == "same" or self._model.tab in ("requests", "resources"):
            return Content("It goes to both as it is.")
        left, right = (guard.line(side.name) for side in self._model.paired.sides)
        if pair.left is None or pair.right is None:
            return Content(
                f"Only {left if pair.right is None else right} lists it; it goes to both all the same."
            )
        shown = self._model.form_side(pair)
        places = [
            each.pointer for each in pair.changes if each.pointer.startswith(("/inputSchema", "/arguments"))
        ]
        parts: list[Part] = [(f"The form of {guard.line(shown.name)}; ", "")]
        if not places:
            parts.append(("what is filled in is the same on both sides.", ""))
        else:
            more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
            told = ", ".join(
                guard.line(place.removeprefix("/inputSchema"), cut=True) for place in places[:_TOLD]
            )
            parts += [(f"the other side differs at {told}{more}", "$text-warning")]
            parts.append((f"; {spoken('paired.other_form')} takes its form", ""))
        return Content.assemble(*parts)

    async def turn(self, pair: Pair) -> None:
        """Takes the form of the other side, with what was filled in as far as it can hold it."""
        before = self._model.ask(pair)
        if self._model.turn(pair) and before is not None:
            after = self._model.ask(pair)
            if after is not None and after is not before:
                take_over(before.model.root, after.model.root)

    async def enter(self) -> None:
        """The focus goes to what is filled in."""
        if self._form is not None and (self._form.view == "json" or self._form.model.fields):
            await self._form.enter()
        else:
            self.screen.query_one("#paired-views").focus()

    async def submit(self) -> None:
        """Sends what is filled in, if it fits; asked for again, as it is."""
        if self._form is None:
            return
        if self._form.is_broken:
            self._problem.say(BROKEN)
            self.post_message(self.Refused())
            return
        await self._form.submit(anyway=self._problem.insist)

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        if event.form is not self._form:
            return
        self._problem.say("")
        for _, secret in event.form.model.secrets():
            if isinstance(secret, str):
                self._model.paired.workspace.secrets.add(secret)
        if self._shown is not None:
            self.post_message(self.Ready(*self._shown, event.arguments))

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._problem.refuse(event.errors, "arguments", "paired.send", unread=event.unread)
        self.post_message(self.Refused())

    @on(SchemaForm.Changed)
    def _changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self._problem.say("")
