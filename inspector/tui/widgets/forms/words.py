"""What a form says of a field in a word or two where there is no value to show."""

from __future__ import annotations

from inspector.base.text import clip
from inspector.schema.choices import spelled
from inspector.schema.field import Field, State
from inspector.schema.group import Group
from inspector.schema.rows import Rows
from inspector.schema.scalars import AnyField, MultiField, TextField


def contents(field: Field) -> str:
    """What a group or list holds, for its head."""
    if field.state is State.NULL:
        return "null"
    if field.state is State.EMPTY:
        return "[]" if isinstance(field, Rows) else "{}"
    if isinstance(field, Rows):
        count = len(field.rows)
        return (
            f"{count:,} item{'' if count == 1 else 's'}" if count else "[]" if field.required else "not sent"
        )
    if isinstance(field, Group):
        if not field.touched and not field.required:
            return "not sent"
        count = sum(1 for part in field.parts() if part.touched or part.prefilled) + field.rows.packed
        return f"{count:,} set" if count else "{}" if field.is_map else ""
    return ""


def effects(field: Field) -> str:
    """What conditions mean for the field and, where it is a group, for its members."""
    sentences = field.effects.sentences if isinstance(field, Group) else ()
    return " · ".join((*sentences, *field.notes))


def hint(field: Field) -> str:
    """What a control without text says: the state of the field."""
    if field.state is State.NULL:
        return "null"
    if field.state is State.EMPTY:
        return (
            '""'
            if isinstance(field, TextField | AnyField)
            else "[]"
            if isinstance(field, Rows | MultiField)
            else "{}"
        )
    if field.state is State.VALUE:
        return clip(spelled(field.value), 60)
    if isinstance(field, TextField) and field.required and field.blank:
        return 'required · "" if left empty'
    if field.required:
        return "[]" if isinstance(field, MultiField) else "required"
    return (
        f"not sent · default {clip(spelled(field.default), 60)}"
        if field.has_default and field.default is not None
        else "not sent"
    )
