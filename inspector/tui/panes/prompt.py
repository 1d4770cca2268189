"""One prompt: what is said of it, its arguments, the messages that come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from inspector.tui.calls import Call
from inspector.tui.panes.chosen import ChosenView, Visit, head_parts
from inspector.tui.pieces import messages
from inspector.tui.widgets.answers.messages_view import MessagesView

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection


class PromptView(ChosenView):
    VERB, GO, CANCEL = "Get", "get", "prompts.cancel_call"

    def __init__(self, connection: Connection, visit: Visit, *, id: str | None = None) -> None:
        self.messages = MessagesView(visit.listing)
        ref = {"type": "ref/prompt", "name": visit.entry.get("name")}
        super().__init__(connection, visit, self.messages, schema=schema_of(visit.entry), ref=ref, id=id)

    def show_state(self) -> None:
        self.head.update(Content.assemble(*head_parts(self.visit, "", [], [])).rstrip())

    def drafted(self, arguments: dict[str, Any]) -> Call:
        params: dict[str, Any] = {"name": self.visit.entry.get("name")}
        if self.form is not None:
            params["arguments"] = arguments
        return Call("prompts/get", params)

    async def fill(self, call: Call) -> None:
        found, whole = messages(call.answer.result if call.answer is not None else None)
        await self.messages.show_messages(call, found, whole)


def schema_of(entry: dict[str, Any]) -> dict[str, Any] | None:
    """A schema for the arguments that have a name, the first of each name; None where there are none."""
    listed = entry.get("arguments")
    properties: dict[str, dict[str, str]] = {}
    required: list[str] = []
    for argument in listed if isinstance(listed, list) else []:
        if not isinstance(argument, dict) or not isinstance(name := argument.get("name"), str):
            continue
        if name in properties:
            continue
        said = {key: argument[key] for key in ("title", "description") if isinstance(argument.get(key), str)}
        properties[name] = {"type": "string", **said}
        if argument.get("required") is True:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required} if properties else None
