"""A prompt to be entered: what is said and by whom, attributes with their types, and the very text that goes out."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from inspector.base.errors import Failed
from inspector.base.text import clip
from inspector.lenses.solon import saved
from inspector.lenses.solon.clients import Profile
from inspector.lenses.solon.prompt import ROLES, Prompt, remarks
from inspector.schema.form import FormModel
from inspector.tui import guard
from inspector.tui.widgets.forms.schema_form import SchemaForm
from inspector.tui.widgets.text.reading_view import ReadingView

_VALUE = {
    "oneOf": [
        {"type": "string", "title": "text"},
        {"type": "number", "title": "number"},
        {"type": "boolean", "title": "true or false"},
        {"title": "JSON", "type": ["object", "array", "null"]},
    ]
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "What the prompt is called in the list"},
        "messages": {
            "type": "array",
            "title": "Messages",
            "items": {
                "type": "object",
                "properties": {
                    "role": {
                        "enum": ["user", *(role for role in ROLES if role != "user")],
                        "default": "user",
                    },
                    "content": {"type": "string", "format": "multiline"},
                },
                "required": ["role", "content"],
            },
        },
        "attrs": {
            "type": "object",
            "title": "Attributes",
            "description": "What a skill looks at besides the text, such as tenant_id, user_role",
            "additionalProperties": _VALUE,
        },
        "raw": {
            "type": "string",
            "title": "Raw",
            "description": "The text of promptJson itself, in place of all above",
            "format": "multiline",
        },
    },
    "required": ["name"],
}


class PromptForm(Vertical):
    """Posts `Entered` with what was entered, whether or not it is a prompt already."""

    DEFAULT_CSS = """
    PromptForm {
        height: 1fr;
        & > SchemaForm { height: 3fr; }
        & > .said { height: auto; max-height: 3; padding: 0 1; color: $text-warning; border-top: solid $line; }
        & > ReadingView { height: 2fr; min-height: 3; padding: 0 1; }
    }
    """

    class Entered(Message):
        def __init__(self, form: PromptForm, value: dict[str, Any]) -> None:
            super().__init__()
            self.form = form
            self.value = value

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._form = SchemaForm(FormModel(_SCHEMA, blanks=True))
        self._said = Static(classes="said", markup=False)
        self._text = ReadingView()
        self._sent = ""

    def compose(self) -> ComposeResult:
        yield self._form
        yield self._said
        yield self._text

    async def load(self, prompt: Prompt) -> None:
        """Takes a prompt in place of what was entered."""
        with self._form.prevent(SchemaForm.Changed):
            await self._form.load(saved.as_json(prompt))

    async def enter(self) -> None:
        await self._form.enter()

    async def edit_outside(self) -> None:
        await self._form.edit_outside()

    def show(self, prompt: Prompt, profile: Profile, trouble: Failed | None = None) -> None:
        """What would be sent of a prompt, to the letter, and what is odd about it."""
        text = prompt.text(profile)
        notes = [remark.message for remark in remarks(text)]
        if trouble is not None:
            notes.insert(
                0,
                f"this is no prompt yet: {trouble.failure.message.strip()}; what stands below is the last one",
            )
        self._said.update(
            Content("\n".join(guard.line(clip(note, 300)) for note in notes))
            if notes
            else Content.styled(
                f"promptJson as {profile} writes it, to the letter, {len(text):,} characters", "$quiet"
            )
        )
        if text != self._sent:
            self._sent = text
            self._text.load(text.encode("utf-8", "surrogatepass"))

    @on(SchemaForm.Changed)
    def _changed(self, event: SchemaForm.Changed) -> None:
        event.stop()
        self.post_message(self.Entered(self, self._form.model.collect().arguments))
