"""What a form says of a field in a word or two where there is no value to show."""

from __future__ import annotations

from itertools import islice

from inspector.base.text import clip
from inspector.schema.choices import spelled
from inspector.schema.field import Field, State
from inspector.schema.group import Group
from inspector.schema.parts import Container
from inspector.schema.rows import Rows
from inspector.schema.scalars import AnyField, MultiField, TextField

_LOOKED, _TOLD = 100, 4
"""Members of a group that are looked into for its head, and how many of them it tells."""


def contents(field: Field, folded: bool = False) -> str:
    """What a group or list holds, for its head; the values themselves where they are `folded` away."""
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
        if not count:
            return "{}" if field.is_map else ""
        return (folded and _values(field)) or f"{count:,} set"
    return ""


def _values(group: Group) -> str:
    """The first values of a group, each behind its name; empty where it holds nothing but groups and lists."""
    parts = [
        part
        for part in islice(group.parts(), _LOOKED)
        if (part.touched or part.prefilled) and not isinstance(part, Container)
    ]
    return " · ".join(
        f"{clip(part.name, 20)} {'•••' if part.secret else clip(part.text or hint(part), 30)}"
        for part in parts[:_TOLD]
    )


def adds(field: Field) -> str:
    """What a new row of a list or map is: where lists stand in lists, the name tells which one it is of."""
    if field.parent is None:
        return "argument"
    token = field.parent.token_of(field)
    of = (
        "" if token is None or token == "" else f" of [{token}]" if isinstance(token, int) else f" of {token}"
    )
    return ("entry" if isinstance(field, Group) else "item") + clip(of, 40)


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
