"""What a field can be chosen to be: its choices or branches, and the states of the field beside them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from inspector.schema.field import State
from inspector.schema.scalars import BooleanField, ChoiceField, MultiField, find
from inspector.schema.union import Union
from inspector.tui.widgets.forms.lines import Line

Pick: TypeAlias = "int | Literal['unset', 'null']"
"""A choice or branch by its position, or a state of the field."""


def options(line: Line) -> list[tuple[str, Pick]] | None:
    """What can be chosen, as title and pick; None where a line is not filled in by choosing one of several."""
    field = line.field
    titles: list[str]
    if isinstance(field, BooleanField):
        titles = ["false", "true"]
    elif isinstance(field, ChoiceField):
        titles = [choice.title for choice in field.choices]
    elif line.kind == "union" and isinstance(field, Union):
        titles = [branch.title for branch in field.branches]
    else:
        return None
    found: list[tuple[str, Pick]] = [(title, index) for index, title in enumerate(titles)]
    if isinstance(field, BooleanField):
        found.reverse()
    if not field.required:
        found.insert(0, ("not sent", "unset"))
    if field.nullable and find(None, field.choices) is None:
        found.append(("null", "null"))
    return found


def is_settled(line: Line) -> bool:
    """There is nothing to choose: the one value is filled in already, as a required constant is."""
    return len(options(line) or ()) == 1 and picked(line) == 0


def picked(line: Line) -> int | None:
    """Which of the options the field holds."""
    field = line.field
    pick: Pick | None = None
    if isinstance(field, BooleanField) and field.state is State.VALUE and isinstance(field.value, bool):
        pick = int(field.value)
    elif isinstance(field, ChoiceField):
        pick = field.index
    elif isinstance(field, Union) and field.state is State.ABSENT:
        pick = field.chosen
    if pick is None and field.state in (State.ABSENT, State.NULL):
        pick = "unset" if field.state is State.ABSENT else "null"
    return next((at for at, (_, other) in enumerate(options(line) or []) if other == pick), None)


def choose(line: Line, at: int) -> None:
    """Takes the option at a position."""
    field, (_, pick) = line.field, (options(line) or [])[at]
    if pick == "unset":
        field.clear()
    elif pick == "null":
        field.set_null()
    elif isinstance(field, BooleanField):
        field.set_bool(bool(pick))
    else:
        field.set_choice(int(pick))


def chosen(line: Line) -> str:
    """The titles of what is chosen; empty where the field has no value."""
    field = line.field
    if isinstance(field, MultiField):
        return ", ".join(field.choices[index].title for index in field.indices)
    at = picked(line)
    title, pick = (options(line) or [])[at] if at is not None else ("", "unset")
    return "" if isinstance(pick, str) else title
