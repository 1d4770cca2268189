"""The folders that a server is offered: added, changed, taken away, and the server is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from inspector.config.settings import root_uri
from inspector.schema.form import FormModel
from inspector.session.inbox import Root
from inspector.tui.registry import titled
from inspector.tui.widgets.forms.complaint import Complaint
from inspector.tui.widgets.forms.schema_form import SchemaForm

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "roots": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "uri": {"type": "string", "description": "A folder, or its file: URI."},
                    "name": {"type": "string", "description": "How the server may call it."},
                },
            },
        }
    },
}


class RootsView(Vertical):
    """`save` takes the new list; it tells the server, and returns what is to be said to the person."""

    DEFAULT_CSS = """
    RootsView {
        height: 1fr;
        & > .head { height: auto; padding: 0 1; margin-bottom: 1; }
        & > SchemaForm { height: 1fr; }
        & > .buttons { height: 1; margin: 0 1; }
    }
    """

    def __init__(self, save: Callable[[tuple[Root, ...]], str], *, id: str) -> None:
        super().__init__(id=id)
        self._save = save
        self.form = SchemaForm(FormModel(_SCHEMA))
        self._problem = Complaint()
        self._next = ""

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(
                ("Roots\n", "bold $foreground"),
                ("What roots/list tells this server. Saving says that it changed.", "$quiet"),
            ),
            classes="head",
            markup=False,
        )  # fmt: skip
        yield self.form
        yield self._problem
        with Horizontal(classes="buttons"):
            yield Button(Content(titled("Save", "inbox.answer")), variant="primary", compact=True)

    async def show(self, roots: Sequence[Root]) -> None:
        """Begins with this list and a row to type the next one into; rows without a URI are no roots."""
        self._next = f"/roots/{len(roots)}/uri"
        inside = self.has_focus_within
        if inside:
            # The row that has the focus is taken away; the focus would go anywhere.
            self.screen.set_focus(self.query_one(Button))
        rows = [*(root.as_json() for root in roots), {}]
        await self.form.load({"roots": rows}, self._next if inside else None)

    async def enter(self) -> None:
        await self.form.go_to(self._next)

    async def answer(self) -> None:
        await self.form.submit(anyway=self._problem.insist)

    @on(Button.Pressed)
    async def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.answer()

    @on(SchemaForm.Submitted)
    async def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        listed = event.arguments.get("roots")
        roots = []
        for each in listed if isinstance(listed, list) else []:
            if isinstance(each, dict) and isinstance(uri := each.get("uri"), str) and uri.strip():
                name = each.get("name")
                roots.append(Root(root_uri(uri), name if isinstance(name, str) and name else None))
        self._problem.say("")
        self.notify(self._save(tuple(roots)), title="Roots", timeout=5, markup=False)
        await self.show(roots)

    @on(SchemaForm.Refused)
    def _refused(self, event: SchemaForm.Refused) -> None:
        event.stop()
        self._problem.refuse(event.errors, "roots", "inbox.answer", "saves it", unread=event.unread)

    @on(SchemaForm.Changed)
    def _changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self._problem.say("")
