"""Objects: members that the schema names, and entries under keys of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from inspector.schema.effects import Effects
from inspector.schema.field import ABSENT, Field, Place, Report, State
from inspector.schema.pages import Growing
from inspector.schema.parts import LOOK, Container, Maker, below
from inspector.schema.patterns import matching
from inspector.schema.scalars import ChoiceField
from inspector.schema.shape import Shape, says_nothing


class Group(Growing):
    """An object: the members that the schema names, and entries under keys of one's own."""

    widget = "group"

    def __init__(
        self,
        shape: Shape,
        place: Place,
        parent: Container | None,
        make: Maker,
        look: Callable[[dict[str, Any]], Effects],
        tells: Callable[[str, Any, bool], bool] | None,
    ) -> None:
        super().__init__(shape, place, parent, make)
        self._look = look
        self._tells = tells
        self._fields: dict[str, Field] | None = None
        self._keys: dict[str, int] | None = None

    @cached_property
    def effects(self) -> Effects:
        """What conditions and dependencies in the schema mean for the members, in words."""
        return self._look(self.schema)

    @property
    def limits(self) -> str:
        return " · ".join(part for part in (*self.effects.sentences, super().limits) if part)

    @property
    def _properties(self) -> dict[str, Any]:
        properties = self.schema.get("properties")
        return properties if isinstance(properties, dict) else {}

    @cached_property
    def named(self) -> dict[str, Any]:
        """The schemas of the members that the schema names, also of those that it only requires, and of those that
        only a condition speaks of."""
        members = dict(self._properties)
        for name in self.required_names:
            members.setdefault(name, self.entry_schema(name))
        for name in self.effects.schemas:
            if name not in members:
                members[name] = self.effects.schema_of(name)
            elif self.effects.schemas[name] and says_nothing(members[name]):
                members[name] = {"allOf": [members[name], self.effects.schema_of(name)]}
        return members

    @property
    def required_names(self) -> list[str]:
        required = self.schema.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        for name, schema in self._properties.items():
            if isinstance(schema, dict) and schema.get("required") is True:
                names.append(name)
        return names

    @property
    def fields(self) -> dict[str, Field]:
        """The named members, built at first sight."""
        if self._fields is None:
            self._fields = {}
            required = set(self.required_names)
            for name, schema in self.named.items():
                field = self._make(schema, name, name in required, self)
                field.notes = tuple(self.effects.notes.get(name, ()))
                field.conditional = name in self.effects.schemas and says_nothing(
                    self._properties.get(name, True)
                )
                self._fields[name] = field
                if self._tells is None or field.state is not State.ABSENT or name not in self._properties:
                    continue
                if isinstance(field, ChoiceField) and len(field.choices) == 1:
                    constant = field.choices[0].value
                    if self._tells(name, constant, "const" in field.schema):
                        field.prefill(constant)
        return self._fields

    @property
    def is_map(self) -> bool:
        """True where the schema names no member: key and value rows are all there is."""
        return not self.named

    @property
    def open(self) -> bool:
        """True where entries under keys of one's own are offered: said by the schema, or nothing else to fill in."""
        extra = self._extra
        if self._patterns:
            return True
        if isinstance(extra, dict):
            return extra.get("not") != {} or len(extra) > 1
        return extra is True or (extra is None and self.is_map)

    @property
    def closed(self) -> bool:
        """True where the schema itself refuses members that it does not name."""
        return not self.open and "additionalProperties" in self.schema

    @property
    def _extra(self) -> Any:
        """What the schema says of members that it does not name; None where it says nothing."""
        return self.schema.get("additionalProperties", self.schema.get("unevaluatedProperties"))

    @property
    def _patterns(self) -> dict[str, Any]:
        patterns = self.schema.get("patternProperties")
        return patterns if isinstance(patterns, dict) else {}

    def entry_schema(self, key: str | None) -> Any:
        """The schema of the value under a key that the schema does not name; of any such key where none is said."""
        extra = self._extra
        if self._patterns:
            found = [] if key is None else [self._patterns[name] for name in matching(self._patterns, key)]
            if found:
                return found[0] if len(found) == 1 else {"allOf": found}
            if extra is False or (key is None and not isinstance(extra, dict)):
                return next(iter(self._patterns.values()))
        return extra if isinstance(extra, dict) else True

    def template(self) -> Field:
        """A field for the value of an entry, to describe it; it belongs to no entry."""
        return self._make(self.entry_schema(None), "", True, self)

    def make_member(self, key: str) -> Field:
        """A field for the value under any key; it belongs to nothing yet."""
        return self._make(self.named[key] if key in self.named else self.entry_schema(key), key, True, self)

    def add_entry(self, key: str, schema: Any = None) -> Field:
        """A new row under a key; the field to fill in. Another schema may say better what belongs there."""
        field = self._make(self.entry_schema(key) if schema is None else schema, key, True, self)
        if self._keys is not None:
            self._keys.setdefault(key, len(self.rows))
        self.rows.insert(len(self.rows), field)
        self.changed_below(field)
        return field

    def rename_entry(self, index: int, key: str) -> Field:
        """The field of the entry: another one where the new key asks for another kind of value; what was entered is
        taken over."""
        from inspector.schema.takeover import take_over

        self._keys = None
        row = self.rows[index]
        if self._patterns and (schema := self.entry_schema(key)) != self.entry_schema(row.name):
            before, row = row, self._make(schema, key, True, self)
            self.rows.put(index, row)
            take_over(before, row)
        row.name = key
        self.changed_below(row)
        return row

    def remove(self, index: int) -> None:
        self._keys = None
        super().remove(index)

    def put_back(self, index: int, row: Field) -> None:
        self._keys = None
        super().put_back(index, row)

    def seek(self, text: str) -> int | None:
        at = self.find(text)
        return at if at is not None else next((at for at, key in self._keyed() if key.startswith(text)), None)

    def _keyed(self) -> Iterable[tuple[int, str]]:
        return (
            (at, row.name if isinstance(row, Field) else row[0]) for at, row in enumerate(self.rows.items)
        )

    def find(self, token: str) -> int | None:
        if self._keys is None:
            self._keys = {}
            for at, key in self._keyed():
                self._keys.setdefault(key, at)
        return self._keys.get(token)

    def unpacked(self, index: int, item: Any) -> tuple[Field, Any]:
        key, value = item
        return self._make(self.entry_schema(key), key, True, self), value

    def packed(self, row: Field, value: Any) -> Any:
        return row.name, value

    def has(self, key: str) -> bool:
        """Whether there is a field under a name or the key of an entry."""
        return key in self.fields or self.find(key) is not None

    def member(self, key: str) -> Field | None:
        """The field under a name or the key of an entry."""
        if key in self.fields:
            return self.fields[key]
        at = self.find(key)
        return None if at is None else self.rows[at]

    def parts(self) -> Iterable[Field]:
        if self._fields is not None:
            yield from self._fields.values()
        yield from self.rows.fields()

    def every_part(self) -> Iterable[Field]:
        if self._fields is not None:
            yield from self._fields.values()
        yield from self.rows.every()

    def _drop(self) -> None:
        self._fields = None
        self._keys = None
        self.rows.fill([])

    def _takes(self, value: Any) -> bool:
        return isinstance(value, dict)

    def _lay_out(self, value: Any) -> None:
        for name, field in self.fields.items():
            if name in value:
                field.load(value[name])
            else:
                field.leave_out()
        self.rows.fill([item for item in value.items() if item[0] not in self.fields])

    def _empty(self) -> Any:
        return {}

    def _collect(self, at: str, report: Report) -> Any:
        members: dict[str, Any] = {}
        for name, field in self.fields.items():
            value = field.emit(below(at, name), report)
            if value is not ABSENT:
                members[name] = value
        for row in self.rows.items:
            key, value = (row.name, row.emit(below(at, row.name), report)) if isinstance(row, Field) else row
            if key in members:
                report.error(below(at, key), "the same name twice")
            if value is not ABSENT:
                members.setdefault(key, value)
        return members

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not isinstance(value, dict):
            return -1
        if any(name not in value for name in self.required_names):
            return -1
        score = 2
        for name, member in value.items():
            if name not in self.fields:
                score -= 0 if self.open else 2
                continue
            inner = self.fields[name].fits(member, look - 1) if look else 0
            if inner < 0 and not (member is None and self.fields[name].nullable):
                return -1
            score += 1 + (inner if isinstance(self.fields[name], ChoiceField) else 0)
        return max(score, 0)
