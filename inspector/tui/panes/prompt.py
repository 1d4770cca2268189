"""One prompt: what is said of it, its arguments, the messages that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from inspector.tui.calls import Call
from inspector.tui.completion import proposer
from inspector.tui.panes.chosen import ChosenView, Visit, head_parts
from inspector.tui.pieces import messages
from inspector.tui.registry import spoken
from inspector.tui.widgets.answers.messages_view import MessagesView
from inspector.tui.widgets.forms.argument_form import Argument, ArgumentForm

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


class PromptView(ChosenView):
    """A required argument that is missing is told before anything is sent; asked for again it is sent without."""

    VERB, GO, CANCEL = "Get", "get", "prompts.cancel_call"

    def __init__(self, connection: Connection, visit: Visit, *, id: str | None = None) -> None:
        self.messages = MessagesView(visit.listing)
        super().__init__(connection, visit, self.messages, id=id)
        self._form = self._make_form()
        self._insist = False

    def _make_form(self) -> ArgumentForm | None:
        arguments = _arguments(self.visit.entry)
        if not arguments:
            return None
        propose = proposer(self.connection, {"type": "ref/prompt", "name": self.visit.entry.get("name")})
        return ArgumentForm(arguments, self.visit.values, propose)

    def compose(self) -> ComposeResult:
        yield self.head
        if self._form is not None:
            yield self._form
        yield self.bar
        yield self.content

    def show_state(self) -> None:
        self.head.update(Content.assemble(*head_parts(self.visit, "", [], [])).rstrip())

    @property
    def is_ready(self) -> bool:
        return self._form is None

    @on(ArgumentForm.Changed)
    def _typed(self, event: ArgumentForm.Changed) -> None:
        event.stop()
        self._insist = False
        if self._form is not None:
            self._form.tell("")
            self.visit.values = self._form.values

    @on(ArgumentForm.Submitted)
    def _submitted(self, event: ArgumentForm.Submitted) -> None:
        event.stop()
        self.ask()

    def ask(self) -> None:
        if self.running:
            return
        form = self._form
        if form is not None and form.missing and not self._insist:
            self._insist = True
            self.remove_class("-reading")
            form.point_at_missing()
            form.tell(f"▲ A required argument is empty. {spoken('get')} again sends it all the same.")
            return
        self._insist = False
        if form is not None:
            form.tell("")
        params: dict[str, Any] = {"name": self.visit.entry.get("name")}
        if form is not None:
            params["arguments"] = form.values
        self.begin(Call("prompts/get", params))

    async def fill(self, call: Call) -> None:
        found, whole = messages(call.answer.result if call.answer is not None else None)
        await self.messages.show_messages(call, found, whole)

    def enter(self) -> None:
        self.remove_class("-reading")
        if self._form is None or not self._form.enter():
            self.enter_content()


def _arguments(entry: dict[str, Any]) -> list[Argument]:
    """The arguments that have a name, each name once."""
    listed = entry.get("arguments")
    found: dict[str, Argument] = {}
    for argument in listed if isinstance(listed, list) else []:
        if isinstance(argument, dict) and isinstance(name := argument.get("name"), str):
            about = argument.get("description") or argument.get("title")
            about = about if isinstance(about, str) else ""
            required = argument.get("required") is True
            found.setdefault(name, Argument(name, about, required, "required" if required else "optional"))
    return list(found.values())
