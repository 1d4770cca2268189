"""Finds the field at a pointer, as the form stands: nothing is entered or chosen on the way."""

from __future__ import annotations

from inspector.base.jsonptr import tokens
from inspector.schema.field import Field
from inspector.schema.group import Group
from inspector.schema.pages import Growing
from inspector.schema.union import Union


def find_field(root: Field, pointer: str) -> Field | None:
    """The field at a pointer, inside the chosen branches."""
    here: Field | None = root
    for token in tokens(pointer):
        here = _step(here, token)
    return here


def is_shown(root: Field, pointer: str) -> bool:
    """Whether all rows on the way to a place are on the open pages of their lists."""
    return _follow(root, pointer, False)


def show(root: Field, pointer: str) -> None:
    """Opens the pages with the rows on the way to a place."""
    _follow(root, pointer, True)


def _follow(root: Field, pointer: str, turn: bool) -> bool:
    here: Field | None = root
    for token in tokens(pointer):
        owner = chosen(here)
        at = owner.find(token) if isinstance(owner, Growing) else None
        if isinstance(owner, Growing) and at is not None and not owner.rows.first <= at < owner.rows.end:
            if not turn:
                return False
            owner.rows.show(at)
        here = _step(owner, token)
    return True


def _step(here: Field | None, token: str) -> Field | None:
    here = chosen(here)
    if isinstance(here, Group) and token in here.fields:
        return here.fields[token]
    at = here.find(token) if isinstance(here, Growing) else None
    return here.rows[at] if isinstance(here, Growing) and at is not None else None


def chosen(field: Field | None) -> Field | None:
    """The field itself; of a union, the branch that counts."""
    while isinstance(field, Union):
        field = field.branch
    return field
