"""The form of a tool: from any input schema to fields, and from what was entered to arguments."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, NamedTuple

from inspector.schema.effects import Effects, effects_of
from inspector.schema.field import Field, Issue, Place, Report, State
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
from inspector.schema.validate import NO_BRANCH, Checker

DEPTH = 100
"""Deepest field; what lies below it is filled in as JSON."""
FIELDS = 10_000
"""Most fields that one form builds until it is emptied or loaded anew."""
SECONDS = 0.7
"""Longest time of the processor that is spent on reading the schema for them."""

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


class Outcome(NamedTuple):
    """What a form would send. With errors, `arguments` is what sending it anyway would send."""

    arguments: dict[str, Any]
    errors: list[Issue]
    warnings: list[Issue]


class FormModel:
    """The fields of one schema and what was entered in them.

    Takes any JSON value as a schema and never raises: what is wrong with it is in `problems`. `root` is the field of
    the whole (a Group, a Union of groups or a choice of objects); its parts are built when they are looked at.
    `send_defaults` fills in the defaults of optional fields too, as elicitation forms do. Without `blanks` a required
    text that was left empty is missing, where else it is sent as an empty one.
    """

    def __init__(self, schema: Any, *, send_defaults: bool = False, blanks: bool = True) -> None:
        self.schema = schema
        self._resolver = Resolver(schema)
        self._send_defaults = send_defaults
        self._blanks = blanks
        self._count = 0
        self._spent = 0.0
        self._checker: Checker | None = None
        self.root = self._root(schema)

    @property
    def raw_only(self) -> bool:
        """True where a JSON editor is the only way to fill the form in. A schema that declares nothing has rows for
        arguments under names of one's own."""
        return self.root.raw

    @property
    def problems(self) -> list[str]:
        """What is odd about the schema, as far as it was looked into."""
        return self._resolver.problems

    @property
    def fields(self) -> list[Field]:
        """The fields of the first level, those of the chosen branch where the root is a union; a choice of whole
        objects is one field."""
        root = self.root.branch if isinstance(self.root, Union) else self.root
        if isinstance(root, ChoiceField):
            return [root]
        return list(root.fields.values()) if isinstance(root, Group) else []

    def _root(self, schema: Any) -> Container | ChoiceField:
        if not isinstance(schema, dict):
            said = "no inputSchema" if schema is None else f"the schema is {_kind_of(schema)}, not an object"
            self._resolver.problem(f"{said}; arguments are free")
            schema = {}
        found = shape(self._resolver, schema)
        place = Place("", True, 0, self._resolver.target(schema))
        if found.kind == "union":
            return Union(found, place, None, self._make)
        objects = tuple(choice for choice in found.choices if isinstance(choice.value, dict))
        if found.kind == "choice" and objects:
            whole = ChoiceField(replace(found, choices=objects), place, None)
            self._prefill(whole)
            return whole
        if found.kind != "group":
            if found.schema or found.kind == "never":
                self._resolver.problem("the schema does not describe an object; arguments are free")
            found = Shape(
                "group", {key: found.schema[key] for key in ("title", "description") if key in found.schema}
            )
        properties = found.schema.get("properties", {})
        if not isinstance(properties, dict):
            self._resolver.problem(f"properties is {_kind_of(properties)}, not an object; arguments are free")
        return Group(found, place, None, self._make, self._effects, None)

    def _effects(self, schema: dict[str, Any]) -> Effects:
        began = time.thread_time()
        found = effects_of(self._resolver, schema)
        self._spent += time.thread_time() - began
        return found

    def _make(self, schema: Any, name: str, required: bool, parent: Container | None) -> Field:
        self._count += 1
        depth = parent.depth + 1 if parent is not None else 1
        if depth > DEPTH or self._count > FIELDS or self._spent > SECONDS:
            large = (
                "takes too long to read" if self._spent > SECONDS else "is deeper or larger than a form shows"
            )
            self._resolver.problem(f"the schema {large}; the rest is filled in as JSON")
            return JsonField(_ANYTHING, Place(name, required, depth, schema), parent)
        began = time.thread_time()
        place = Place(name, required, depth, self._resolver.target(_inner(schema)))
        found = shape(self._resolver, schema)
        self._spent += time.thread_time() - began
        field: Field
        if found.kind == "group":
            tells = parent.tells if isinstance(parent, Union) else None
            field = Group(found, place, parent, self._make, self._effects, tells)
        elif found.kind == "list":
            field = Rows(found, place, parent, self._make)
        elif found.kind == "union":
            field = Union(found, place, parent, self._make)
        else:
            field = _SCALAR[found.kind](found, place, parent)
            if isinstance(field, TextField):
                field.blank = self._blanks
        self._prefill(field)
        return field

    def _prefill(self, field: Field) -> None:
        if field.has_default and (field.required or self._send_defaults):
            field.prefill(field.default)
        elif field.required and isinstance(field, ChoiceField) and len(field.choices) == 1:
            field.prefill(field.choices[0].value)

    def clear(self) -> None:
        """Empties the whole form."""
        self._afresh()
        self.root.clear()

    def _afresh(self) -> None:
        """What was built is let go, so that it no longer counts."""
        self._count, self._spent = 0, 0.0

    def load(self, arguments: Any) -> None:
        """Takes arguments as they are; `arguments()` gives them back equal."""
        self._afresh()
        self.root.load(arguments)

    def set_json(self, text: str) -> str | None:
        """Takes the arguments as JSON text; the answer says what is wrong with it, and the text is kept."""
        self._afresh()
        return self.root.set_json(text)

    def as_json(self) -> str:
        """The arguments as JSON text, indented; what a person typed where that is no JSON."""
        return self.root.as_json()

    def at(self, pointer: str) -> Field | None:
        """The field at a JSON Pointer, inside the chosen branches; rows and entries only where they exist."""
        from inspector.schema.fill import find_field

        return find_field(self.root, pointer)

    def collect(self) -> Outcome:
        """What would be sent, and what cannot be read or is missing; the schema is not asked. Cheap."""
        report = Report()
        value = self.root.emit("", report)
        if not isinstance(value, dict):
            if not any(issue.path == "" for issue in report.errors):
                report.error("", "arguments have to be an object")
            value = {}
        return Outcome(value, report.errors, report.warnings)

    def secrets(self) -> list[tuple[str, Any]]:
        """What was entered in fields for passwords and the like: pointers and values."""
        found: list[tuple[str, Any]] = []
        waiting: list[Field] = [self.root]
        while waiting:
            field = waiting.pop()
            if isinstance(field, Container):
                waiting += field.parts()
            elif field.secret and field.touched:
                found.append((field.pointer, field.emit("", Report())))
        return found

    def _chosen(self, pointer: str, followed: int) -> int | None:
        """The position of the branch that was chosen at a pointer, in the union inside of so many others there."""
        field = self.at(pointer)
        trail: tuple[int, ...] = ()
        while isinstance(field, Union) and field.chosen is not None and field.state is State.ABSENT:
            trail += field.branches[field.chosen].trail
            field = field.branch
        return trail[followed] if followed < len(trail) else None

    def arguments(self) -> Outcome:
        """What would be sent, checked against the whole schema; one error for each place."""
        arguments, errors, warnings = self.collect()
        if self._checker is None:
            self._checker = Checker(self.schema)
        told = {issue.path for issue in errors}
        found = self._checker.check(arguments, self._chosen)
        errors += [
            issue
            for issue in found.errors
            if issue.path not in told
            # That no branch fits says no more where the reason inside of it is told already.
            and not (
                issue.message.endswith(NO_BRANCH) and any(at.startswith(issue.path + "/") for at in told)
            )
        ]
        return Outcome(arguments, errors, warnings + found.warnings)


def _inner(schema: Any) -> Any:
    """The part of a schema that tells it from others: what a lone or last `allOf` part is."""
    while isinstance(schema, dict) and isinstance(several := schema.get("allOf"), list) and several:
        if "properties" in schema or "$ref" in schema:
            break
        schema = several[-1]
    return schema


def _kind_of(value: Any) -> str:
    """The JSON type of a value, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
