"""Places inside of a value that a field holds whole: what is entered at one goes into the value, the rest stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inspector.base.jsonptr import index_of
from inspector.schema.field import ABSENT, Field, Place, Report, State
from inspector.schema.group import Group
from inspector.schema.parts import Container
from inspector.schema.rows import Rows
from inspector.schema.scalars import AnyField, ChoiceField, JsonField, MultiField
from inspector.schema.shape import Shape


def holds(field: Field) -> bool:
    """Whether what is inside of the field is a matter of its value: it has no fields of its own for that."""
    if isinstance(field, Container):
        return field.state is State.VALUE and isinstance(field.value, dict | list)
    return isinstance(field, AnyField | ChoiceField | JsonField | MultiField)


def inside(owner: Field, token: str, listed: bool) -> Field | None:
    """A field for one member or item of the value; None where the value has no such place. `listed` says that a value
    which is yet to be made is a list."""
    value = _value_of(owner)
    if not isinstance(value, dict | list):
        value = [] if listed or isinstance(owner, MultiField) else {}
    index = index_of(token)
    if isinstance(value, list) and (index is None or (index > len(value) and not listed)):
        return None
    part = _part(owner, token)
    part.parent = None
    if (held := _within(value, token)) is not ABSENT:
        part.load(held)
    part.parent = _Holder(owner, token, isinstance(value, list))
    return part


def remover(owner: Field, path: Sequence[str]) -> Callable[[], None] | None:
    """How to take the member or item at the end of a path out of the value; None where there is none."""
    value = _value_of(owner)
    for token in path:
        value = _within(value, token)
        if value is ABSENT:
            return None

    def remove() -> None:
        field: Field | None = owner
        for token in path[:-1]:
            field = None if field is None else inside(field, token, False)
        if field is not None and _within(whole := _value_of(field), path[-1]) is not ABSENT:
            field.load(_put(whole, path[-1], ABSENT))

    return remove


def _within(value: Any, token: str) -> Any:
    """The member or item of a value; ABSENT where there is none."""
    if isinstance(value, dict):
        return value.get(token, ABSENT)
    index = index_of(token)
    there = isinstance(value, list) and index is not None and index < len(value)
    return value[index] if there else ABSENT


class _Holder(Container):
    """Stands above a part and hands what is entered there on to the field that holds the value."""

    def __init__(self, owner: Field, token: str, listed: bool) -> None:
        super().__init__(owner.shape, Place("", True, owner.depth, None), None)
        self._owner = owner
        self._token = token
        self._listed = listed

    @property
    def pointer(self) -> str:
        return self._owner.pointer

    def token_of(self, part: Field) -> str | int | None:
        return self._token

    def changed_below(self, part: Field) -> None:
        value = _value_of(self._owner)
        if not isinstance(value, list if self._listed else dict):
            value = [] if self._listed else {}
        self._owner.load(_put(value, self._token, part.emit("", Report())))

    def _collect(self, at: str, report: Report) -> Any:
        return self._owner.emit(at, report)


def _value_of(field: Field) -> Any:
    return field.value if isinstance(field, Container) else field.emit("", Report())


def _part(owner: Field, token: str) -> Field:
    if isinstance(owner, Rows) and (index := index_of(token)) is not None:
        return owner.make_item(index)
    if isinstance(owner, Group):
        return owner.make_member(token)
    place = Place("", True, owner.depth + 1, None)
    if isinstance(owner, MultiField):
        return ChoiceField(Shape("choice", {}, choices=owner.choices), place, None)
    return AnyField(Shape("any", {}), place, None)


def _put(value: Any, token: str, part: Any) -> Any:
    """The value with another part in place of one; a list is filled up with null as far as needed."""
    if isinstance(value, list):
        index = index_of(token) or 0
        items = value + [None] * (index - len(value))
        items[index : index + 1] = [] if part is ABSENT else [part]
        return items
    members = {key: member for key, member in value.items() if key != token or part is not ABSENT}
    if part is not ABSENT:
        members[token] = part
    return members
