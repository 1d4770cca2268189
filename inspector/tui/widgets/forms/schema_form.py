"""The form of a tool as a widget: fields and JSON over one model, and the checks between them and sending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Static, TextArea
from textual.worker import Worker

from inspector.base.errors import Failed
from inspector.base.jsonptr import tokens
from inspector.base.numbers import unwritten
from inspector.base.text import clip
from inspector.schema.field import ABSENT, LACKING, Field, Issue, json_text
from inspector.schema.form import FormModel, Outcome
from inspector.schema.validate import is_large
from inspector.tui import guard
from inspector.tui.editor import edit
from inspector.tui.registry import spoken
from inspector.tui.undo import Undoable
from inspector.tui.widgets.forms import row_messages
from inspector.tui.widgets.forms.controls import FieldArea
from inspector.tui.widgets.forms.fields import Fields
from inspector.tui.widgets.forms.keys_line import KeysLine
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.suggestions import Propose, SuggestedInput
from inspector.tui.widgets.text.json_view import JsonView

View = Literal["form", "json"]
HELP = 4
"""Rows of help and keys below the fields, rule included."""
_RECALLED = 50
"""Most earlier calls that are looked into for the values of a field."""
_CALM = 0.15
"""Seconds without a key before the arguments are checked."""


BROKEN = "This is not JSON yet, so it cannot be sent."


class SchemaForm(Vertical):
    """What is entered lives in `model`; switching views loses nothing, not even JSON that does not parse yet.

    `Changed` follows each entry. `submit` ends in `Submitted` with the arguments, or in `Refused` with what is
    wrong and the focus at the first field of it; `submit(anyway=True)` sends whatever there is.
    """

    DEFAULT_CSS = """
    SchemaForm {
        height: 1fr;
        & > ContentSwitcher { height: 1fr; }
        & .editor { height: 1fr; border: none; padding: 0 1; }
        & > .banner { height: auto; max-height: 3; padding: 0 1; color: $text-warning; display: none; }
        & > .problem { height: auto; max-height: 3; padding: 0 1; color: $text-error; display: none; }
        & > .problem.-advice { color: $quiet; }
        & > .help { height: 3; padding: 0 1; color: $quiet; border-top: solid $line; }
        &.-high > .help { height: 5; }
        &.-low > .help { height: 2; }
        &.-json > .help, &.-json > .keys { display: none; }
        &.-tiny > .help, &.-tiny > .keys { display: none; }
    }
    """

    class Changed(Message):
        """Something was entered."""

        def __init__(self, form: SchemaForm) -> None:
            super().__init__()
            self.form = form

        @property
        def control(self) -> SchemaForm:
            return self.form

    class Submitted(Message):
        """These arguments are to be sent."""

        def __init__(self, form: SchemaForm, arguments: dict[str, Any]) -> None:
            super().__init__()
            self.form = form
            self.arguments = arguments

        @property
        def control(self) -> SchemaForm:
            return self.form

    class Refused(Message):
        """The arguments do not fit; they can be sent all the same with `submit(anyway=True)`, but for what is entered
        at the pointers `unread`, which is no value."""

        def __init__(self, form: SchemaForm, errors: list[Issue], unread: list[str]) -> None:
            super().__init__()
            self.form = form
            self.errors = errors
            self.unread = unread

        @property
        def control(self) -> SchemaForm:
            return self.form

    WANTS_ROOM = True
    """A low screen gives it more room while it is filled in."""

    def __init__(
        self, model: FormModel, *, view: View = "form", propose: Propose | None = None, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.model = model
        self._view: View = view
        self._strict = False
        self._told = ""
        self._banner = Static(classes="banner", markup=False)
        self._problem = Static(classes="problem", markup=False)
        self._help = Static(classes="help", markup=False)
        self._keys = KeysLine(classes="keys")
        self._fields = Fields(model, propose)
        self._fields.id = "schema-form-fields"
        self._editor = FieldArea("", id="schema-form-json", classes="editor")
        self._checking: Timer | None = None
        self._reader: JsonView | None = None
        self._problems = 0
        self._apart: Worker[None] | None = None
        self._stale = False
        self._past: Callable[[], Sequence[Any]] = tuple

    def compose(self) -> ComposeResult:
        yield self._banner
        with ContentSwitcher(initial="schema-form-fields"):
            yield self._fields
            yield self._editor
        yield self._problem
        yield self._help
        yield self._keys

    async def on_mount(self) -> None:
        self._show_problems()
        if self._view == "json":
            await self.show("json")

    def on_resize(self) -> None:
        self.set_class(self.size.height < 16, "-low")
        self.set_class(self.size.height >= 30, "-high")
        self.set_class(self.size.height < min(8, self._fields.height_wanted + 3), "-tiny")

    # Views

    @property
    def height_wanted(self) -> int:
        """Rows of height that show the whole form without scrolling, help included."""
        if self._view == "json":
            return max(4, self._editor.document.line_count + 1)
        told = sum(widget.size.height + 1 for widget in (self._banner, self._problem) if widget.display)
        return self._fields.height_wanted + told + HELP

    @property
    def view(self) -> View:
        return self._view

    @property
    def is_broken(self) -> bool:
        """Whether the JSON on show does not parse, so that there is nothing to send."""
        return self._view == "json" and self.model.root.state == "json"

    async def show(self, view: View) -> None:
        """Switches between fields and JSON."""
        self._view = view
        self.set_class(view == "json", "-json")
        page: Widget = self._fields
        if view == "json":
            page = await self._json_page()
        else:
            await self._fields.lay_out()
        self.query_one(ContentSwitcher).current = page.id
        self.post_message(Fields.Reshaped())
        self._check()

    async def enter(self) -> None:
        """The focus goes to the field that had it last, at first to the first, or into the JSON."""
        if self._view == "form":
            await self._fields.focus_last()
        elif self._reader is not None and self._is_read:
            self._reader.focus()
        else:
            self._editor.focus()

    @property
    def place(self) -> str | None:
        """The pointer of the field with the focus; None where none has it."""
        return self._fields.place if self._view == "form" else None

    async def go_to(self, place: str) -> None:
        """The focus goes to the field at a pointer, or to the nearest one around it."""
        await self._fields.focus_place(place)

    async def load(self, arguments: Any, place: str | None = None) -> None:
        """Takes arguments, as of an earlier call, in place of what was entered; the focus stays in its place, or goes
        to the one that is named."""
        place = place or self._fields.place
        self._overwritten()
        self.model.load(arguments)
        await self._taken(place)

    def _overwritten(self) -> None:
        """All that was entered is about to go, and can be brought back."""
        if not self.model.root.touched:
            return
        before = self.model.as_json()

        async def back() -> None:
            self.model.set_json(before)
            if self.is_attached:
                await self._taken(self._fields.place)

        self.post_message(Undoable("the form has what was entered before", back))

    async def _taken(self, place: str | None) -> None:
        self._fields.forget()
        await self.show(self._view)
        if place is not None:
            await self._fields.focus_place(place)
        self._changed()

    async def clear(self) -> None:
        """Empties the form."""
        self._strict = False
        self.model.clear()
        self._fields.forget()
        await self.show(self._view)
        self._changed()

    async def edit_outside(self) -> bool:
        """Opens the JSON of the arguments in the person's own editor, or the one field with the focus that is edited as
        text of several lines here, and takes what comes back. Where there is no editor, or it failed, that is told, and
        the answer is False."""
        try:
            await self._edit_outside()
        except Failed as failed:
            why = failed.failure
            said = guard.message(f"{why.message[:1].upper()}{why.message[1:]}: {why.hint}")
            self.notify(said, severity="warning", markup=False)
            return False
        return True

    async def _edit_outside(self) -> None:
        row = self._fields.row
        if self._view == "form" and row is not None and isinstance(area := row.control, FieldArea):
            name = "field.json" if row.line.kind == "json" else "field.txt"
            area.text = await edit(self.app, area.text, name)
            return
        before = self.model.as_json() or "{}"
        after = await edit(self.app, before, "arguments.json")
        if after != before:
            self._overwritten()
            broken = self.model.set_json(after) is not None
            await self.show("json" if broken else self._view)
            self._changed()

    def remember(self, past: Callable[[], Sequence[Any]]) -> None:
        """Arguments of earlier calls as they were sent, newest first, whose values are offered field by field."""
        self._past = past
        self._fields.recalls = lambda: bool(past())

    @on(row_messages.Recall)
    def _recalled(self, event: row_messages.Recall) -> None:
        event.stop()
        row = event.row
        found = self._earlier(row.field)
        if isinstance(row.control, SuggestedInput):
            row.control.now([value for value in found.values() if isinstance(value, str) and value])
            return
        if not found:
            self.notify("No earlier call had a value here.", markup=False)
            return
        values = list(found.values())
        titles = [value if isinstance(value, str) and value else text for text, value in found.items()]

        async def picked(indices: list[int] | None) -> None:
            if indices:
                row.field.load(values[indices[0]])
                await self.show(self._view)
                await self._fields.focus_place(row.field.pointer)
                self._changed()

        title = f"{row.line.label or 'value'} in earlier calls"
        self.app.push_screen(Picker(title, titles, []), picked)

    def _earlier(self, field: Field) -> dict[str, Any]:
        """What earlier calls had for a field, newest first, by its JSON text."""
        at = tokens(field.pointer)
        found: dict[str, Any] = {}
        for arguments in self._past()[:_RECALLED]:
            value = _value_at(unwritten(arguments), at)
            if value is not ABSENT:
                found.setdefault(json_text(value), value)
        return found

    @on(SuggestedInput.Told)
    def _suggestion_told(self, event: SuggestedInput.Told) -> None:
        event.stop()
        self._told = event.text
        self._check()

    async def _json_page(self) -> Widget:
        """The editor of the JSON; for more than one edits line by line a view to read it in."""
        arguments = self.model.collect().arguments
        if self.model.root.state == "json" or not is_large(arguments):
            self._show_json()
            return self._editor
        if self._reader is None:
            self._reader = JsonView(id="schema-form-read")
            await self.query_one(ContentSwitcher).mount(self._reader)
        self._reader.renew(await asyncio.to_thread(json_text, arguments))
        return self._reader

    @property
    def _is_read(self) -> bool:
        """Whether the JSON is on show as what is too large to be edited here."""
        return self._reader is not None and self.query_one(ContentSwitcher).current == self._reader.id

    def _show_json(self) -> None:
        text = self.model.as_json() or "{}"
        if self._editor.text != text:
            with self._editor.prevent(TextArea.Changed):
                self._editor.text = text

    # Entering and checking

    @on(Fields.Changed)
    def _field_changed(self, event: Fields.Changed) -> None:
        event.stop()
        self._changed()

    @on(TextArea.Changed)
    def _json_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if event.text_area is self._editor:
            self.model.set_json(self._editor.text)
            self._changed()

    def _changed(self) -> None:
        self._told = ""
        if self._checking is not None:
            self._checking.stop()
        self._checking = self.set_timer(_CALM, self._check)
        self.post_message(self.Changed(self))

    @property
    def veiled(self) -> list[tuple[str, Any]]:
        """The pointers and values of what is in fields for secrets and not shown there."""
        return [(at, value) for at, value in self.model.secrets() if at not in self._fields.unveiled]

    def outcome(self) -> Outcome:
        """What would be sent as things stand, and what does not fit."""
        return self.model.arguments()

    def _check(self) -> None:
        """Says what does not fit; of much that is entered as soon as it is known."""
        if not is_large(self.model.collect().arguments):
            self._tell(self.outcome())
            return
        self._stale = True
        if self._apart is None or self._apart.is_finished:
            self._apart = self.run_worker(self._check_apart())

    async def _check_apart(self) -> None:
        while self._stale:
            self._stale = False
            outcome = await self.model.arguments_apart()
            if not self._stale:
                self._tell(outcome)

    def _tell(self, outcome: Outcome) -> None:
        self._show_problems()
        broken = self.model.root.state == "json"
        lost, advice = self._fields.show_issues(outcome, self._strict)
        if self._view == "json":
            # What is no object at all is told at once, what is missing in one when it is sent.
            shown = [issue for issue in outcome.errors if self._strict or not issue.path]
            lost = [f"{path}: {message}" if path else message for path, message in shown]
        elif broken:
            lost = ["The JSON view holds text that does not parse. Entering something here discards it."]
        large = (
            f"This is much to edit here; {spoken('edit_outside')} opens it in your editor."
            if self._is_read
            else ""
        )
        said = lost[:3] or advice[:3] or [text for text in (large, self._told, self._fields.note) if text]
        self._problem.set_class(not lost, "-advice")
        if self._problem.display != bool(said):
            self._problem.display = bool(said)
            self.call_after_refresh(self.post_message, Fields.Reshaped())
        self._problem.update(guard.safe_block(clip("; ".join(said), 500)))

    async def submit(self, *, anyway: bool = False) -> None:
        """Sends what was entered if it fits, or `anyway`."""
        self._strict = True
        outcome = await self.model.arguments_apart()
        self._tell(outcome)
        if outcome.errors and not anyway:
            if self._view == "form":
                await self._fields.unfold_to(outcome.errors)
                self._tell(outcome)
                await self._fields.focus_error()
            errors = self._fields.in_order(outcome.errors)
            sent = unwritten(outcome.arguments)
            unread = [
                path
                for path, message in errors
                if message != LACKING and _value_at(sent, tokens(path)) is ABSENT
            ]
            self.post_message(self.Refused(self, errors, unread))
            return
        self.post_message(self.Submitted(self, outcome.arguments))

    def _show_problems(self) -> None:
        """What is odd about the schema; more of it is found as more of it is looked at."""
        problems = self.model.problems
        if len(problems) != self._problems:
            self._problems = len(problems)
            told = [*problems[:2], f"{len(problems) - 2} more of the kind"] if len(problems) > 3 else problems
            self._banner.display = bool(problems)
            self._banner.update(guard.safe_block("\n".join(f"▲ {clip(text, 200)}" for text in told)))

    # Help

    @on(Fields.Pointed)
    def _row_pointed(self, event: Fields.Pointed) -> None:
        event.stop()
        row: FieldRow | None = event.row
        self._help.update(row.help() if row is not None else Content(""), layout=False)
        self._keys.show(row)


def _value_at(value: Any, at: list[str]) -> Any:
    """What arguments hold at the tokens of a pointer; ABSENT where they hold nothing there."""
    for token in at:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return ABSENT
    return value
