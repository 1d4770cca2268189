"""Which control the line of a form is filled in with, and what that shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import TextArea

from inspector.schema.pages import Growing
from inspector.schema.scalars import AnyField, MultiField, TextField
from inspector.tui import guard
from inspector.tui.widgets.forms import options
from inspector.tui.widgets.forms.controls import Adder, Chooser, FieldArea, FieldInput, Fold, Segments
from inspector.tui.widgets.forms.lines import Line
from inspector.tui.widgets.forms.pager import Pager
from inspector.tui.widgets.forms.suggestions import Propose, SuggestedInput
from inspector.tui.widgets.forms.words import adds, contents, hint

if TYPE_CHECKING:
    from inspector.tui.widgets.forms.row import FieldRow

_SEGMENTS = 44
"""Widest row of choices that stand side by side."""


def control(line: Line, propose: Propose | None, *, area: bool) -> Widget:
    """What a line is filled in with; a text that has several lines, with an `area`."""
    field = line.field
    if line.kind == "add":
        return Adder(f"+ {adds(field)}")
    if line.kind in ("page", "more") and isinstance(field, Growing):
        return Pager(field)
    if line.kind == "json" or area:
        return FieldArea("")
    if line.kind == "fold":
        return Fold()
    choices = options.options(line)
    if choices is not None:
        titles = [title for title, _ in choices]
        if len(titles) >= 7 or sum(map(len, titles)) + 5 * len(titles) >= _SEGMENTS:
            return Chooser()
        segments = Segments(titles)
        segments.can_focus = not options.is_settled(line)
        return segments
    if isinstance(field, MultiField):
        return Chooser()
    if propose is not None and isinstance(field, TextField) and not field.secret:
        asking = SuggestedInput(lambda typed: propose(field, typed))
        asking.edited = field.set_text
        return asking
    box = FieldInput(compact=True, password=field.secret, select_on_focus=False)
    box.grows = isinstance(field, TextField | AnyField)
    box.edited = field.set_text
    return box


def show(row: FieldRow) -> None:
    """The control of a row shows what its field holds."""
    line, field, control = row.line, row.field, row.control
    if isinstance(control, Fold):
        control.show(contents(field, not row.is_open), row.is_open, not field.touched)
    elif isinstance(control, Pager):
        control.refresh()
    elif isinstance(control, Segments):
        control.show(options.picked(line))
        control.can_focus = not options.is_settled(line)
    elif isinstance(control, Chooser):
        control.show(options.chosen(line), hint(field))
    elif isinstance(control, FieldInput):
        control.show(field.text)
        control.placeholder = guard.line(hint(field))
    elif isinstance(control, FieldArea):
        text = field.text if row.area else field.as_json()
        if not control.has_focus and control.text != text:
            with control.prevent(TextArea.Changed):
                control.text = text
            if not field.touched:
                # What the form filled in gives way to what is typed.
                control.select_all()
        control.placeholder = guard.line(hint(field))
