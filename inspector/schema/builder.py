"""Builds the fields of one schema, in bounds."""

from __future__ import annotations

import time
from typing import Any

from inspector.schema.effects import Effects, effects_of
from inspector.schema.field import Field, Place
from inspector.schema.group import Group
from inspector.schema.parts import Container
from inspector.schema.resolve import Resolver
from inspector.schema.rows import Rows
from inspector.schema.scalars import (
    AnyField,
    BooleanField,
    ChoiceField,
    JsonField,
    MultiField,
    NeverField,
    NumberField,
    TextField,
)
from inspector.schema.shape import Shape, shape
from inspector.schema.union import Union

DEPTH = 100
"""Deepest field; what lies below it is filled in as JSON."""
FIELDS = 10_000
"""Most fields that one form has at a time."""
SECONDS = 0.7
"""Longest time of the processor that is spent on reading the schema for them."""
_KNOWN = 20_000
"""Most schemas whose reading is kept."""

_SCALAR: dict[str, type[Field]] = {
    "text": TextField,
    "number": NumberField,
    "integer": NumberField,
    "boolean": BooleanField,
    "choice": ChoiceField,
    "multi": MultiField,
    "any": AnyField,
    "never": NeverField,
}
_ANYTHING = Shape("any", {})


class Builder:
    """Makes fields, and reads each schema once. `root` is the field that all others are in."""

    def __init__(self, resolver: Resolver, *, send_defaults: bool, blanks: bool) -> None:
        self.root: Field | None = None
        self.made = 0
        self._resolver = resolver
        self._send_defaults = send_defaults
        self._blanks = blanks
        self._spent = 0.0
        self._full = False
        self._known: dict[int, tuple[Any, Shape, Any]] = {}
        self._effects: dict[int, tuple[Any, Effects]] = {}

    def afresh(self) -> None:
        """What was built is let go, so that it no longer counts."""
        self.made, self._spent, self._full = 0, 0.0, False

    def __call__(self, schema: Any, name: str, required: bool, parent: Container | None) -> Field:
        self.made += 1
        depth = parent.depth + 1 if parent is not None else 1
        if depth > DEPTH or self._spent > SECONDS or self._is_full():
            large = (
                "takes too long to read" if self._spent > SECONDS else "is deeper or larger than a form shows"
            )
            self._resolver.problem(f"the schema {large}; the rest is filled in as JSON")
            return JsonField(_ANYTHING, Place(name, required, depth, schema), parent)
        found, origin = self._read(schema)
        place = Place(name, required, depth, origin)
        field: Field
        if found.kind == "group":
            tells = parent.tells if isinstance(parent, Union) else None
            field = Group(found, place, parent, self, self.effects, tells)
        elif found.kind == "list":
            field = Rows(found, place, parent, self)
        elif found.kind == "union":
            field = Union(found, place, parent, self)
        else:
            field = _SCALAR[found.kind](found, place, parent)
            if isinstance(field, TextField):
                field.blank = self._blanks
        self.prefill(field)
        return field

    def prefill(self, field: Field) -> None:
        """Fills in what is sent without being entered."""
        if field.has_default and (field.required or self._send_defaults):
            field.prefill(field.default)
        elif field.required and isinstance(field, ChoiceField) and len(field.choices) == 1:
            field.prefill(field.choices[0].value)

    def effects(self, schema: dict[str, Any]) -> Effects:
        """What conditions and dependencies in the schema of a group mean."""
        if (known := self._effects.get(id(schema))) is not None:
            return known[1]
        began = time.thread_time()
        found = effects_of(self._resolver, schema)
        self._spent += time.thread_time() - began
        if len(self._effects) < _KNOWN:
            self._effects[id(schema)] = schema, found
        return found

    def _read(self, schema: Any) -> tuple[Shape, Any]:
        """The shape of a schema, and where its references end; kept for the rows of a list and for all that refers to
        it."""
        schema = self._resolver.followed(schema)
        if (known := self._known.get(id(schema))) is not None:
            return known[1:]
        began = time.thread_time()
        found = shape(self._resolver, schema), self._resolver.target(_inner(schema))
        self._spent += time.thread_time() - began
        if len(self._known) < _KNOWN:
            self._known[id(schema)] = (schema, *found)
        return found

    def _is_full(self) -> bool:
        """Whether there are as many fields as there may be. What was let go since is taken off the count first."""
        if self.made > FIELDS and not self._full:
            self.made = _count(self.root)
            self._full = self.made > FIELDS * 3 // 4
        return self._full


def _count(root: Field | None) -> int:
    waiting = [root] if root is not None else []
    count = 0
    while waiting:
        field = waiting.pop()
        count += 1
        if isinstance(field, Container):
            waiting.extend(field.built())
    return count


def _inner(schema: Any) -> Any:
    """The part of a schema that tells it from others: what a lone or last `allOf` part is."""
    while isinstance(schema, dict) and isinstance(several := schema.get("allOf"), list) and several:
        if "properties" in schema or "$ref" in schema:
            break
        schema = several[-1]
    return schema
