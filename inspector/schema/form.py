"""The form of a tool: from any input schema to fields, and from what was entered to arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from inspector.schema.builder import Builder
from inspector.schema.field import Field, Issue, Place, Report, State, is_secret
from inspector.schema.finding import find_field
from inspector.schema.group import Group
from inspector.schema.parts import Container
from inspector.schema.references import every_schema
from inspector.schema.resolve import Resolver
from inspector.schema.scalars import ChoiceField
from inspector.schema.shape import Shape, shape
from inspector.schema.union import Union
from inspector.schema.validate import NO_BRANCH, Checked, Checker, Chosen


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
        self._make = Builder(self._resolver, send_defaults=send_defaults, blanks=blanks)
        self._checker = Checker(schema)
        self.root = self._make.root = self._root(schema)

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
            self._make.prefill(whole)
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
        return Group(found, place, None, self._make, self._make.effects, None)

    def clear(self) -> None:
        """Empties the whole form."""
        self._make.afresh()
        self.root.clear()

    def load(self, arguments: Any) -> None:
        """Takes arguments as they are; `arguments()` gives them back equal."""
        self._make.afresh()
        self.root.load(arguments)

    def set_json(self, text: str) -> str | None:
        """Takes the arguments as JSON text; the answer says what is wrong with it, and the text is kept."""
        self._make.afresh()
        return self.root.set_json(text)

    def as_json(self) -> str:
        """The arguments as JSON text, indented; what a person typed where that is no JSON."""
        return self.root.as_json()

    def at(self, pointer: str) -> Field | None:
        """The field at a JSON Pointer, inside the chosen branches; rows and entries only where they exist."""
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
        return list(_secrets_in(self.root)) if self._has_secrets else []

    @cached_property
    def _has_secrets(self) -> bool:
        return any(is_secret(part) for part in every_schema(self.schema))

    def _chosen(self, pointer: str, followed: int) -> int | None:
        """The position of the branch that was chosen at a pointer, in the union inside of so many others there."""
        field = self.at(pointer)
        trail: tuple[int, ...] = ()
        while isinstance(field, Union) and field.chosen is not None and field.state is State.ABSENT:
            trail += field.branches[field.chosen].trail
            field = field.branch
        return trail[followed] if followed < len(trail) else None

    def _branches(self) -> Chosen:
        """The same as things stand, for whoever asks from another thread; of what is built."""
        trails: dict[str, tuple[int, ...]] = {}
        waiting: list[Field] = [self.root]
        while waiting:
            field = waiting.pop()
            if isinstance(field, Container):
                waiting += field.parts()
            if isinstance(field, Union) and field.chosen is not None and field.state is State.ABSENT:
                # Those inside of a union come after it.
                trails[field.pointer] = trails.get(field.pointer, ()) + field.branches[field.chosen].trail
        return lambda at, followed: next(iter(trails.get(at, ())[followed : followed + 1]), None)

    def arguments(self) -> Outcome:
        """What would be sent, checked against the whole schema; one error for each place."""
        outcome = self.collect()
        return self._with(outcome, self._checker.check(outcome.arguments, self._chosen))

    async def arguments_apart(self) -> Outcome:
        """The same of this moment; what is large is checked in a thread."""
        outcome = self.collect()
        found = await self._checker.check_apart(outcome.arguments, self._branches())
        return self._with(outcome, found)

    def _with(self, outcome: Outcome, found: Checked) -> Outcome:
        arguments, errors, warnings = outcome
        told = {issue.path for issue in errors}
        if "" in told:
            # There is no object yet: what the schema misses in an empty one says nothing.
            return outcome
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


def _secrets_in(field: Field) -> Iterator[tuple[str, Any]]:
    if isinstance(field, Container):
        for part in field.every_part():
            yield from _secrets_in(part)
    elif field.secret and field.touched:
        yield field.pointer, field.emit("", Report())


def _kind_of(value: Any) -> str:
    """The JSON type of a value, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    return "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
