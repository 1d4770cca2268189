"""One line of a form: label, control, type, and below them a line of help and what is wrong."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, TextArea

from inspector.schema.field import Field, State
from inspector.schema.group import Group
from inspector.schema.pages import Growing
from inspector.schema.scalars import (
    AnyField,
    MultiField,
    NumberField,
    TextField,
)
from inspector.schema.union import Union
from inspector.tui import guard
from inspector.tui.registry import bindings
from inspector.tui.undo import Undoable
from inspector.tui.widgets.forms import doing, fitting, options, places, row_messages, row_text
from inspector.tui.widgets.forms.controls import Adder, Chooser, FieldArea, FieldInput, Fold, Segments
from inspector.tui.widgets.forms.lines import Line
from inspector.tui.widgets.forms.pager import Pager
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.forms.suggestions import Propose, SuggestedInput
from inspector.tui.widgets.forms.words import hint

TYPE_WIDTH = 14
_AREA = 5
_ASKING = " asking the server …"


class FieldRow(Widget):
    """Draws its texts itself and has only the control as a child, so that hundreds of rows stay cheap."""

    DEFAULT_CSS = """
    FieldRow { layout: horizontal; height: 1; width: 1fr; max-width: 130; }
    FieldRow > .key { width: 10; }
    """
    SCOPE = "field"
    BINDINGS: ClassVar[list[BindingType]] = bindings("field")

    def __init__(self, line: Line, label_width: int, propose: Propose | None = None) -> None:
        super().__init__()
        self.line = line
        self._propose = propose
        self.error = ""
        self.warning = ""
        self.is_open = False
        self.entered = False
        self._label_width = label_width
        self.area = isinstance(line.field, TextField) and line.field.multiline
        self._key = FieldInput(compact=True, classes="key", select_on_focus=False) if line.keyed else None
        if self._key is not None:
            self._key.edited = self._renamed
        self.control: Widget = fitting.control(self.line, self._propose, area=self.area)

    @property
    def field(self) -> Field:
        return self.line.field

    # What it looks like

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
            self._key.show(self.field.name)
            self._key.placeholder = '""'
            left = 0
            self.control.styles.width = "1fr"
        self.control.styles.margin = (0, self._right(), 0, left)
        fitting.show(self)
        self._resize()

    def on_resize(self) -> None:
        if self.control.styles.margin.right != self._right():
            # There is room for the type now, or no longer.
            self.sync()
        if self.styles.height is None or self.styles.height.value != self.height_wanted:
            self._resize()

    def enter_key(self) -> None:
        """The focus goes behind the key of an entry, if it has one."""
        if self._key is not None:
            self._key.focus()
            self._key.cursor_position = len(self._key.value)

    def on_click(self) -> None:
        """A click beside the control is meant for it."""
        if not self.has_focus_within and self.entry_point.focusable:
            self.entry_point.focus()

    @property
    def entry_point(self) -> Widget:
        """What the focus goes to: the key of an entry until it has one, then the value."""
        return self._key if self._key is not None and not self._key.value else self.control

    def _right(self) -> int:
        return len(_ASKING) + 1 if self._asking else TYPE_WIDTH + 1 if self._wide else 1

    @property
    def _asking(self) -> bool:
        return isinstance(self.control, SuggestedInput) and self.control.asking

    @property
    def _wide(self) -> bool:
        return self.line.holds and (self.parent is None or self._available() >= 64)

    def _available(self) -> int:
        parent = self.parent
        return parent.size.width if isinstance(parent, Widget) else 80

    @property
    def height_wanted(self) -> int:
        return (_AREA if isinstance(self.control, FieldArea) else 1) + len(self._below())

    def _resize(self) -> None:
        self.styles.height = self.height_wanted
        self.refresh()

    def _below(self) -> list[tuple[str, str]]:
        room = (self.size.width or self._available()) - self._label_width - 3
        return row_text.below(self.line, self.error, self.warning, max(8, room))

    def render(self) -> Content:
        width = self.size.width
        if not self.line.holds:
            return Content("")
        label = row_text.label(self.line, self.has_focus_within, bool(self.error))
        head = label.truncate(self._label_width, ellipsis=True, pad=True)
        if self._asking:
            gap = max(0, width - self._label_width - len(_ASKING))
            head += Content.assemble(" " * gap, (_ASKING, "$quiet"))
        elif self._wide:
            gap = max(0, width - self._label_width - TYPE_WIDTH)
            head += Content(" " * gap) + row_text.kind(self.field).truncate(TYPE_WIDTH, ellipsis=True)
        rows = [head]
        if isinstance(self.control, FieldArea):
            rows += [Content("")] * (_AREA - 1)
        indent = " " * (self._label_width + 2)
        for text, tone in self._below():
            room = max(8, width - len(indent) - 1)
            rows.append(Content(indent) + Content.assemble((text, tone)).truncate(room, ellipsis=True))
        return Content("\n").join(rows)

    def help(self) -> Content:
        """Everything that is known of the field."""
        return row_text.help(self.line)

    def explain(self, width: int) -> Content:
        """Help on the field, for `width` cells."""
        return self.help()

    def offers(self) -> list[tuple[str, str]]:
        """What can be done with the field, as the id of an action and a word for it."""
        return doing.offers(self)

    # What a person does

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is not self._key:
            event.input.placeholder = guard.line(hint(self.field))
        self._changed()

    def _renamed(self, key: str) -> None:
        if isinstance(self.line.owner, Group) and self.line.index is not None:
            field = self.line.owner.rename_entry(self.line.index, key)
            if field is not self.field:
                # Another kind of value belongs under this key; the key keeps the focus.
                self.post_message(row_messages.Changed(layout=True, focus=field, named=True))

    @on(SuggestedInput.Waits)
    def _waits(self, event: SuggestedInput.Waits) -> None:
        event.stop()
        self.sync()

    @on(OptionList.OptionSelected)
    def _proposal_picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if isinstance(self.control, SuggestedInput):
            self.control.pick(event.option_index)

    @on(TextArea.Changed)
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        text = event.text_area.text
        if self.area:
            self.field.set_text(text)
        else:
            self.field.set_json(text)
        self._changed()

    @on(FieldInput.Outgrown)
    def _outgrown(self, event: FieldInput.Outgrown) -> None:
        event.stop()
        if isinstance(self.field, TextField):
            self.field.set_text(event.text)
            self.area = True
        else:
            self.field.set_text(event.text)
            self.post_message(row_messages.Asked(self, "json", True))
            return
        self._changed(layout=True, rebuild=True)

    @on(Segments.Picked)
    def _segment_picked(self, event: Segments.Picked) -> None:
        event.stop()
        self._pick(event.index)

    def _pick(self, at: int) -> None:
        options.choose(self.line, at)
        self._changed(layout=isinstance(self.field, Union))

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
        picked = options.picked(self.line)
        titles = [option for option, _ in options.options(self.line) or []]
        free = isinstance(field, Union) and field.reads_text
        picker = Picker(title, titles, [] if picked is None else [picked], free=free, query=event.query)

        def one_picked(indices: list[int] | None) -> None:
            if picker.typed:
                self._type(picker.typed)
            elif indices:
                self._pick(indices[0])
                if picker.onward:
                    self.post_message(row_messages.Onward(self))

        self.app.push_screen(picker, one_picked)

    def _several_picked(self, indices: list[int] | None) -> None:
        if indices is not None and isinstance(self.field, MultiField):
            self.field.set_choices(indices)
            self._changed()

    @on(Fold.Toggled)
    def _fold_toggled(self, event: Fold.Toggled) -> None:
        event.stop()
        self.post_message(row_messages.Asked(self, "fold", event.wanted))

    @on(Adder.Wanted)
    def _row_wanted(self, event: Adder.Wanted) -> None:
        event.stop()
        self._add(event.typed)

    @on(Fold.Typed)
    def _typed_on_fold(self, event: Fold.Typed) -> None:
        """In a list it begins a row, in a group the value of its first field."""
        event.stop()
        if places.growing(self.field) is self.field:
            self._add(event.typed)
            return
        _begin(self.field, event.typed)
        self.post_message(row_messages.Asked(self, "fold", True))
        self.post_message(row_messages.Changed(True, self.field, inside=True))

    @on(Segments.Typed)
    def _typed_on_choice(self, event: Segments.Typed) -> None:
        """What begins no option may begin a value: of the branch that reads it."""
        event.stop()
        self._type(event.typed)

    def _type(self, text: str) -> None:
        if isinstance(field := self.field, Union) and field.reads_text:
            field.set_text(text)
            self._changed(layout=True, focus=field.branch)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(row_messages.Onward(self))

    def _changed(
        self, layout: bool = False, focus: Field | None = None, *, inside: bool = False, rebuild: bool = False
    ) -> None:
        self.entered = True
        if rebuild:
            self.call_later(self._rebuild)
        fitting.show(self)
        self.refresh()
        self.post_message(row_messages.Changed(layout, focus, inside))

    async def _rebuild(self) -> None:
        await self.control.remove()
        self.control = fitting.control(self.line, self._propose, area=self.area)
        await self.mount(self.control)
        self.sync()
        if isinstance(self.control, FieldArea):
            self.control.move_cursor(self.control.document.end)
        self.control.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        by = parameters[0] if parameters else 0
        return doing.allows(self, action, by if isinstance(by, int) else 0)

    def action_null(self) -> None:
        self._overwritten()
        self.field.set_null()
        self._stated()

    def action_unset(self) -> None:
        self._overwritten()
        self.field.clear()
        self._stated()

    def action_empty(self) -> None:
        self._overwritten()
        self.field.set_empty()
        self._stated()

    def _overwritten(self) -> None:
        """What was entered is about to go, and can be brought back."""
        field = self.field
        if not field.touched:
            return
        typed, text = field.state is State.TEXT, field.typed
        before = text if typed else field.as_json()

        def back() -> None:
            (field.set_text if typed else field.set_json)(before)
            if self.is_attached:
                self._stated()

        self.post_message(Undoable(f"{guard.line(field.label)} has what was entered before", back))

    def _stated(self) -> None:
        if isinstance(self.control, FieldArea):
            with self.control.prevent(TextArea.Changed):
                self.control.text = self.field.text if self.area else self.field.as_json()
            self.control.select_all()
        self._changed(layout=self.line.kind in ("fold", "union"))

    def action_add(self) -> None:
        self._add("")

    def _add(self, typed: str) -> None:
        """A new row that begins with what was typed, if it is filled in by typing."""
        if (added := places.add(self.field)) is None:
            return
        named = bool(typed) and isinstance(owner := added.parent, Group)
        if named and isinstance(owner, Group):
            added = owner.rename_entry(len(owner.rows) - 1, typed)
        elif typed:
            _begin(added, typed)
        self.post_message(row_messages.Changed(True, added, inside=not named, named=named))

    def action_remove(self) -> None:
        if (place := places.place_of(self.field)) is not None:
            removed, focus = places.remove(place)
            self.post_message(row_messages.Changed(True, focus, removed=removed))

    def action_turn(self, by: int) -> None:
        if (owner := places.paged(self.field)) is not None:
            self.post_message(row_messages.Paged(owner, by))

    @on(Pager.Turned)
    def _page_turned(self, event: Pager.Turned) -> None:
        event.stop()
        self.action_turn(event.by)

    @on(Pager.Sought)
    def _row_sought(self, event: Pager.Sought) -> None:
        event.stop()
        if isinstance(self.field, Growing):
            self.post_message(row_messages.Paged(self.field, at=event.at))

    def action_bring_back(self) -> None:
        self.post_message(row_messages.BringBack())

    def action_reveal(self) -> None:
        if isinstance(self.control, FieldInput):
            self.control.password = not self.control.password
            self.post_message(row_messages.Unveiled(self))

    @property
    def is_veiled(self) -> bool:
        return isinstance(self.control, FieldInput) and self.control.password

    def action_move(self, by: int) -> None:
        place = places.place_of(self.field)
        if place is not None and (moved := places.move(place, by, self.field)) is not None:
            self._changed(layout=True, focus=moved)

    def action_go(self, by: int) -> None:
        self.post_message(row_messages.Onward(self, by))

    def action_leap(self, by: int, whole: bool = False) -> None:
        self.post_message(row_messages.Leap(self, by, whole=whole))

    @on(FieldArea.Edge)
    def _edge_reached(self, event: FieldArea.Edge) -> None:
        event.stop()
        self.post_message(row_messages.Onward(self, event.by))

    @property
    def hides(self) -> bool:
        """Whether what is typed here is masked until it is asked for."""
        return self.field.secret and isinstance(self.control, FieldInput)

    @property
    def proposes(self) -> bool:
        """Whether the server has something to say of what is typed here."""
        return isinstance(self.control, SuggestedInput)

    @property
    def recalls(self) -> bool:
        """Whether there are earlier calls to take a value from, and a control whose keys leave room for that."""
        if isinstance(self.control, SuggestedInput):
            return True
        plain = isinstance(self.control, FieldInput) and not self.field.secret
        recalls = getattr(self.parent, "recalls", None)
        return plain and recalls is not None and bool(recalls())

    def action_recall(self) -> None:
        self.post_message(row_messages.Recall(self))

    def action_as_json(self) -> None:
        if isinstance(self.field, TextField) and self.line.kind == "value" and not self.area:
            self.area = True
            self.call_later(self._rebuild)
            return
        self.post_message(row_messages.Asked(self, "json"))


def _begin(field: Field, typed: str) -> None:
    """The value of a field, or of the first in it, begins with what was typed, where it has none and takes text."""
    while isinstance(field, Group) and field.fields:
        field = next(iter(field.fields.values()))
    if isinstance(field, TextField | NumberField | AnyField) and not field.touched:
        field.set_text(typed)
