"""One line of a form: label, control, type, and below them a line of help and what is wrong."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea

from inspector.base.text import clip, first_line
from inspector.schema.field import Field, State
from inspector.schema.group import Group
from inspector.schema.hints import text as schema_text
from inspector.schema.rows import Rows
from inspector.schema.scalars import (
    AnyField,
    BooleanField,
    ChoiceField,
    MultiField,
    NeverField,
    TextField,
    find,
)
from inspector.schema.union import Union
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.widgets.forms.controls import Adder, Chooser, FieldArea, FieldInput, Fold, Segments
from inspector.tui.widgets.forms.lines import Line
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.forms.words import contents, effects, hint

TYPE_WIDTH = 14
_SEGMENTS = 44
_AREA = 5

Pick: TypeAlias = "int | Literal['unset', 'null']"
"""A choice or branch by its position, or a state of the field."""


class FieldRow(Widget):
    """Draws its texts itself and has only the control as a child, so that hundreds of rows stay cheap."""

    DEFAULT_CSS = """
    FieldRow { layout: horizontal; height: 1; width: 1fr; max-width: 130; }
    FieldRow > .key { width: 10; }
    """
    SCOPE = "field"
    BINDINGS: ClassVar[list[BindingType]] = bindings("field")

    class Changed(Message):
        """Something was entered; `layout` is True where other lines come or go, `focus` names where to go then."""

        def __init__(self, layout: bool = False, focus: Field | None = None) -> None:
            super().__init__()
            self.layout = layout
            self.focus = focus

    class Asked(Message):
        """The layout is asked to change: unfold (or fold), or show as JSON."""

        def __init__(self, row: FieldRow, what: str, wanted: bool | None = None) -> None:
            super().__init__()
            self.row = row
            self.what = what
            self.wanted = wanted

    class Recall(Message):
        """Values that the field had in earlier calls are wanted."""

        def __init__(self, row: FieldRow) -> None:
            super().__init__()
            self.row = row

    class Leave(Message):
        """Enter was pressed: on to the next field."""

    def __init__(self, line: Line, label_width: int) -> None:
        super().__init__()
        self.line = line
        self.error = ""
        self.warning = ""
        self.is_open = False
        self.entered = False
        self._label_width = label_width
        self._area = isinstance(line.field, TextField) and line.field.multiline
        self._key = FieldInput(compact=True, classes="key") if line.entry is not None else None
        self.control: Widget = self._build()

    @property
    def field(self) -> Field:
        return self.line.field

    # What it looks like

    def _build(self) -> Widget:
        line, field = self.line, self.line.field
        if line.kind == "add":
            return Adder("+ entry" if isinstance(field, Group) else "+ item")
        if line.kind == "json" or self._area:
            return FieldArea("")
        if line.kind == "fold":
            return Fold()
        options = self._options()
        if options is not None:
            titles = [title for title, _ in options]
            short = len(titles) < 7 and sum(map(len, titles)) + 5 * len(titles) < _SEGMENTS
            return Segments(titles) if short else Chooser()
        if isinstance(field, MultiField):
            return Chooser()
        box = FieldInput(compact=True, password=field.secret, select_on_focus=False)
        box.grows = isinstance(field, TextField | AnyField)
        return box

    def _options(self) -> list[tuple[str, Pick]] | None:
        """What can be chosen, as title and pick, the states of the field among it; None for other controls."""
        field = self.field
        titles: list[str]
        if isinstance(field, BooleanField):
            titles = ["false", "true"]
        elif isinstance(field, ChoiceField):
            titles = [choice.title for choice in field.choices]
        elif self.line.kind == "union" and isinstance(field, Union):
            titles = [branch.title for branch in field.branches]
        else:
            return None
        options: list[tuple[str, Pick]] = [(title, index) for index, title in enumerate(titles)]
        if isinstance(field, BooleanField):
            options.reverse()
        if not field.required:
            options.insert(0, ("not sent", "unset"))
        if field.nullable and find(None, field.choices) is None:
            options.append(("null", "null"))
        return options

    def compose(self) -> ComposeResult:
        if self._key is not None:
            yield self._key
        yield self.control

    def on_mount(self) -> None:
        self.sync()

    def set_label_width(self, width: int) -> None:
        if width != self._label_width:
            self._label_width = width
            self.sync()

    def place(self, line: Line) -> None:
        """The line moved or was renamed; the field is the same."""
        self.line = line
        self.sync()

    def show_issue(self, error: str, warning: str) -> None:
        if (error, warning) != (self.error, self.warning):
            self.error, self.warning = error, warning
            self._resize()

    def sync(self) -> None:
        """Shows what the field holds."""
        if not self.is_attached:
            return
        left = self._label_width + 1
        if self._key is not None:
            self._key.styles.margin = (0, 1, 0, 1 + 2 * self.line.level)
            self._key.styles.width = max(4, left - 2 - 2 * self.line.level)
            with self._key.prevent(Input.Changed):
                self._key.value = self.line.entry.key if self.line.entry is not None else ""
            self._key.placeholder = '""'
            left = 0
            self.control.styles.width = "1fr"
        self.control.styles.margin = (0, self._right(), 0, left)
        self._show_value()
        self._resize()

    def _right(self) -> int:
        return TYPE_WIDTH + 1 if self._wide else 1

    @property
    def _wide(self) -> bool:
        return self.line.kind != "add" and (self.parent is None or self._available() >= 64)

    def _available(self) -> int:
        parent = self.parent
        return parent.size.width if isinstance(parent, Widget) else 80

    def _show_value(self) -> None:
        field, control = self.field, self.control
        if isinstance(control, Fold):
            control.show(contents(field), self.is_open, not field.touched)
        elif isinstance(control, Segments):
            control.show(self._picked())
        elif isinstance(control, Chooser):
            control.show(self._chosen_text(), hint(field))
        elif isinstance(control, FieldInput):
            self._show_text(control, field.text)
            control.placeholder = guard.line(hint(field))
        elif isinstance(control, FieldArea):
            text = field.text if self._area else field.as_json()
            if not control.has_focus and control.text != text:
                with control.prevent(TextArea.Changed):
                    control.text = text
            control.placeholder = guard.line(hint(field))

    @staticmethod
    def _show_text(control: FieldInput, text: str) -> None:
        if control.value != text:
            with control.prevent(Input.Changed):
                control.value = text

    def _picked(self) -> int | None:
        """Which of the options the field holds."""
        field = self.field
        pick: Pick | None = None
        if isinstance(field, BooleanField) and field.state is State.VALUE and isinstance(field.value, bool):
            pick = int(field.value)
        elif isinstance(field, ChoiceField):
            pick = field.index
        elif isinstance(field, Union) and field.state is State.ABSENT:
            pick = field.chosen
        if pick is None and field.state in (State.ABSENT, State.NULL):
            pick = "unset" if field.state is State.ABSENT else "null"
        return next((at for at, (_, other) in enumerate(self._options() or []) if other == pick), None)

    def _chosen_text(self) -> str:
        field = self.field
        if isinstance(field, MultiField):
            return ", ".join(field.choices[index].title for index in field.indices)
        at = self._picked()
        title, pick = (self._options() or [])[at] if at is not None else ("", "unset")
        return "" if isinstance(pick, str) else title

    @property
    def height_wanted(self) -> int:
        return (_AREA if isinstance(self.control, FieldArea) else 1) + len(self._below())

    def _resize(self) -> None:
        self.styles.height = self.height_wanted
        self.refresh()

    def _below(self) -> list[tuple[str, str]]:
        """The lines under the control: help in a line, and what is wrong."""
        found: list[tuple[str, str]] = []
        if self.line.kind != "add":
            about = first_line(self.field.description) or self.field.limits
            if about and (self.line.label or self.line.kind == "union"):
                found.append((guard.line(clip(about, 400)), "$quiet"))
                if self.field.description and (notes := effects(self.field)):
                    found.append((guard.line(clip(notes, 400)), "$quiet"))
        if self.error:
            found.append(("✗ " + guard.line(clip(self.error, 300)), "$text-error"))
        elif self.warning:
            found.append(("▲ " + guard.line(clip(self.warning, 300)), "$text-warning"))
        return found

    def render(self) -> Content:
        width = self.size.width
        if self.line.kind == "add":
            return Content("")
        head = self._label().truncate(self._label_width, ellipsis=True, pad=True)
        if self._wide:
            gap = max(0, width - self._label_width - TYPE_WIDTH)
            head += Content(" " * gap) + self._type().truncate(TYPE_WIDTH, ellipsis=True)
        rows = [head]
        if isinstance(self.control, FieldArea):
            rows += [Content("")] * (_AREA - 1)
        indent = " " * (self._label_width + 2)
        for text, tone in self._below():
            room = max(8, width - len(indent) - 1)
            rows.append(Content(indent) + Content.assemble((text, tone)).truncate(room, ellipsis=True))
        return Content("\n").join(rows)

    def _label(self) -> Content:
        line, field = self.line, self.field
        if line.entry is not None:
            return Content.assemble(("▌" if self.has_focus_within else " ", "$accent"))
        label = line.label
        if not label and field.parent is not None and field.parent.token_of(field) == "":
            label = '""'
        tone = "$text-error" if self.error else "bold" if self.has_focus_within else ""
        if field.deprecated:
            tone += " strike"
        name = guard.line(label)
        mark = field.required and line.index is None and bool(label)
        return Content.assemble(
            ("▌" if self.has_focus_within else " ", "$accent"),
            (" " * (2 * line.level), ""),
            (name, tone.strip()),
            (" *" if mark else "", "$accent"),
        )

    def _type(self) -> Content:
        field = self.field
        word = field.type_label
        if isinstance(field, AnyField) and field.state is State.TEXT:
            word = f"→ {field.reading}"
        return Content.assemble((" " + guard.line(word), "$quiet"))

    def help(self) -> Content:
        """Everything that is known of the field, and what can be done with it."""
        field = self.field
        head = [field.pointer or "(all arguments)", field.type_label]
        if self.line.owner is None:
            head.append("required" if field.required else "optional")
        title = schema_text(field.schema, "title")
        if title and title != field.name:
            head.insert(1, title)
        if field.limits:
            head.append(field.limits)
        parts = [(guard.line(clip(" · ".join(head), 500)), "$text-secondary")]
        about = field.description.strip()
        if about:
            parts += [("\n" + guard.block(clip(about, 2000)), "")]
        return Content.assemble(*parts)

    def explain(self, width: int) -> Content:
        """Help on the field, for `width` cells."""
        return self.help()

    def offers(self) -> list[tuple[str, str]]:
        """What can be done with the field, as the id of an action and a word for it."""
        if self.line.kind == "add":
            return [("field.add", "add")]
        found = [("field.null", "null")] if self.field.nullable else []
        found.append(("field.unset", "unset"))
        if isinstance(self.field, TextField | MultiField | Group | Rows | AnyField):
            found.append(("field.empty", "empty"))
        if self._owner() is not None:
            found.append(("field.add", "add"))
        if self.line.owner is not None:
            found.append(("field.remove", "remove"))
        if isinstance(self.line.owner, Rows):
            found += [("field.move_up", "up"), ("field.move_down", "down")]
        back = self.line.kind == "json" and not self.field.raw
        found.append(("field.as_json", "form" if back else "JSON"))
        if self.recalls:
            found.append(("field.recall", "earlier values"))
        return found

    # What a person does

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is self._key:
            if isinstance(self.line.owner, Group) and self.line.index is not None:
                self.line.owner.rename_entry(self.line.index, event.value)
        else:
            self.field.set_text(event.value)
            event.input.placeholder = guard.line(hint(self.field))
        self._changed()

    @on(TextArea.Changed)
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        text = event.text_area.text
        if self._area:
            self.field.set_text(text)
        else:
            self.field.set_json(text)
        self._changed()

    @on(FieldInput.Outgrown)
    def _outgrown(self, event: FieldInput.Outgrown) -> None:
        event.stop()
        if isinstance(self.field, TextField):
            self.field.set_text(event.text)
            self._area = True
        else:
            self.field.set_text(event.text)
            self.post_message(self.Asked(self, "json", True))
            return
        self._changed(layout=True, rebuild=True)

    @on(Segments.Picked)
    def _segment_picked(self, event: Segments.Picked) -> None:
        event.stop()
        self._pick(event.index)

    def _pick(self, at: int) -> None:
        field, (_, pick) = self.field, (self._options() or [])[at]
        if pick == "unset":
            field.clear()
        elif pick == "null":
            field.set_null()
        elif isinstance(field, BooleanField):
            field.set_bool(bool(pick))
        else:
            field.set_choice(int(pick))
        self._changed(layout=isinstance(field, Union))

    @on(Chooser.Wanted)
    def _choice_wanted(self, event: Chooser.Wanted) -> None:
        event.stop()
        field = self.field
        title = self.line.label or "choose"
        if isinstance(field, MultiField):
            titles = [choice.title for choice in field.choices]
            picker = Picker(title, titles, field.indices, several=True, query=event.query)
            self.app.push_screen(picker, self._several_picked)
            return
        picked = self._picked()
        titles = [option for option, _ in self._options() or []]
        picker = Picker(title, titles, [] if picked is None else [picked], query=event.query)
        self.app.push_screen(picker, self._one_picked)

    def _one_picked(self, indices: list[int] | None) -> None:
        if indices:
            self._pick(indices[0])

    def _several_picked(self, indices: list[int] | None) -> None:
        if indices is not None and isinstance(self.field, MultiField):
            self.field.set_choices(indices)
            self._changed()

    @on(Fold.Toggled)
    def _fold_toggled(self, event: Fold.Toggled) -> None:
        event.stop()
        self.post_message(self.Asked(self, "fold", event.wanted))

    @on(Adder.Wanted)
    def _row_wanted(self, event: Adder.Wanted) -> None:
        event.stop()
        self.action_add()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Leave())

    def _changed(self, layout: bool = False, focus: Field | None = None, rebuild: bool = False) -> None:
        self.entered = True
        if rebuild:
            self.call_later(self._rebuild)
        self._show_value()
        self.refresh()
        self.post_message(self.Changed(layout, focus))

    async def _rebuild(self) -> None:
        await self.control.remove()
        self.control = self._build()
        await self.mount(self.control)
        self.sync()
        self.control.focus()

    def _owner(self) -> Rows | Group | None:
        """The list or map that a new row goes to from here."""
        field = self.line.owner or self.field
        if isinstance(field, Union):
            field = field.branch or field
        if isinstance(field, Rows):
            return field if field.can_add else None
        return field if isinstance(field, Group) and field.open else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self.line.kind == "add":
            return action == "add"
        if action == "recall":
            return self.recalls
        if action == "add":
            return self._owner() is not None
        if action == "remove":
            return self.line.owner is not None
        if action == "move":
            return isinstance(self.line.owner, Rows)
        if action == "empty":
            return not isinstance(self.field, BooleanField | ChoiceField | NeverField)
        return True

    def action_null(self) -> None:
        self.field.set_null()
        self._stated()

    def action_unset(self) -> None:
        self.field.clear()
        self._stated()

    def action_empty(self) -> None:
        self.field.set_empty()
        self._stated()

    def _stated(self) -> None:
        if isinstance(self.control, FieldArea):
            with self.control.prevent(TextArea.Changed):
                self.control.text = self.field.text if self._area else self.field.as_json()
        self._changed(layout=self.line.kind in ("fold", "union"))

    def action_add(self) -> None:
        owner = self._owner()
        if isinstance(owner, Rows):
            at = self.line.index + 1 if self.line.owner is owner and self.line.index is not None else None
            self._changed(layout=True, focus=owner.add(at))
        elif isinstance(owner, Group):
            self._changed(layout=True, focus=owner.add_entry(""))

    def action_remove(self) -> None:
        owner, index = self.line.owner, self.line.index
        if index is None or owner is None:
            return
        if isinstance(owner, Rows):
            owner.remove(index)
            after: Field | None = owner.rows[min(index, len(owner.rows) - 1)] if owner.rows else owner
        else:
            owner.remove_entry(index)
            after = owner.entries[min(index, len(owner.entries) - 1)].field if owner.entries else owner
        self._changed(layout=True, focus=after)

    def action_move(self, by: int) -> None:
        owner, index = self.line.owner, self.line.index
        if isinstance(owner, Rows) and index is not None and 0 <= index + by < len(owner.rows):
            owner.move(index, index + by)
            self._changed(layout=True, focus=self.field)

    @property
    def recalls(self) -> bool:
        """Whether there are earlier calls to take a value from, and a control whose keys leave room for that."""
        plain = isinstance(self.control, FieldInput) and not self.field.secret
        return plain and bool(getattr(self.parent, "recalls", False))

    def action_recall(self) -> None:
        self.post_message(self.Recall(self))

    def action_as_json(self) -> None:
        if isinstance(self.field, TextField) and self.line.kind == "value" and not self._area:
            self._area = True
            self.call_later(self._rebuild)
            return
        self.post_message(self.Asked(self, "json"))
