"""The fields that have fields: groups of named members, lists of rows, unions of branches.

Parts are built when they are first asked for, so that a schema that contains itself costs what is opened of it.
A group or list is sent when something in it was entered, when it was emptied on purpose, or when it is required.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from inspector.base.jsonptr import escape
from inspector.schema.field import ABSENT, ChoiceField, Field, Place, Report, State
from inspector.schema.shape import Branch, Shape

ROWS = 1_000
"""Most rows that a loaded list or map is laid out in; a longer one is kept whole, as a JSON value."""
OPENED = 8
"""How deep required members that nobody touched are looked into: enough for people, little for a schema that loops."""
LOOK = 3
"""How many levels of a value are compared with a branch to find the one that it belongs to."""


class Maker(Protocol):
    """Builds the field for a schema; what it reads references against is its own."""

    def __call__(self, schema: Any, name: str, required: bool, parent: Container | None) -> Field: ...


class Container(Field):
    """A field with parts. Entering something in a part takes back what was said about the whole."""

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent)
        self._make = make

    def parts(self) -> Iterable[Field]:
        """The parts that exist already; none is built for this."""
        return ()

    @property
    def touched(self) -> bool:
        return not self.prefilled and (super().touched or any(part.touched for part in self.parts()))

    def token_of(self, part: Field) -> str | int | None:
        """The last token of a part's pointer; None where the part has the pointer of the whole."""
        return part.name

    def changed_below(self, part: Field) -> None:
        """A part says that it has changed."""
        self.prefilled = False
        if part.touched:
            self.state = State.ABSENT
        if self.parent is not None:
            self.parent.changed_below(self)

    def load(self, value: Any) -> None:
        """Lays the value out in parts where it has the right type and size, else keeps it whole."""
        self._drop()
        if self._takes(value):
            self._set(State.ABSENT if value else State.EMPTY)
            self._lay_out(value)
        else:
            super().load(value)

    def clear(self) -> None:
        self._drop()
        super().clear()

    def _set(self, state: State, *, value: Any = None, typed: str = "") -> None:
        if state is State.EMPTY:
            self._drop()
        super()._set(state, value=value, typed=typed)

    def _drop(self) -> None:
        """Forgets all parts."""

    def _takes(self, value: Any) -> bool:
        return False

    def _lay_out(self, value: Any) -> None:
        """Puts the members of a value that is taken into parts."""

    def _untouched(self, at: str, report: Report) -> Any:
        touched = not report.opened and self.touched
        if not (self.required or self.prefilled or touched):
            return ABSENT
        if touched:
            return self._collect(at, report)
        if report.opened >= OPENED:
            report.error(at, "required, nested too deeply to be filled in by itself")
            return ABSENT
        report.opened += 1
        value = self._collect(at, report)
        report.opened -= 1
        return value

    def _collect(self, at: str, report: Report) -> Any:
        raise NotImplementedError


class Entry:
    """A member of an object that the schema does not name: its key is entered too."""

    def __init__(self, key: str, field: Field) -> None:
        self.key = key
        self.field = field


class Group(Container):
    """An object: the members that the schema names, and entries under keys of one's own."""

    widget = "group"

    def __init__(
        self, shape: Shape, place: Place, parent: Container | None, make: Maker, fill_constants: bool
    ) -> None:
        super().__init__(shape, place, parent, make)
        self._fill_constants = fill_constants
        self._fields: dict[str, Field] | None = None
        self.entries: list[Entry] = []

    @property
    def named(self) -> dict[str, Any]:
        """The schemas of the members that the schema names, required ones without a schema included."""
        properties = self.schema.get("properties")
        members = dict(properties) if isinstance(properties, dict) else {}
        for name in self.required_names:
            members.setdefault(name, self.entry_schema(name))
        return members

    @property
    def required_names(self) -> list[str]:
        required = self.schema.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        properties = self.schema.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
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
                if self._fill_constants and isinstance(field, ChoiceField) and len(field.choices) == 1:
                    field.prefill(field.choices[0].value)
                self._fields[name] = field
        return self._fields

    @property
    def is_map(self) -> bool:
        """True where the schema names no member: key and value rows are all there is."""
        return not self.named

    @property
    def open(self) -> bool:
        """True where entries under keys of one's own are offered: said by the schema, or nothing else to fill in."""
        extra = self.schema.get("additionalProperties")
        if isinstance(self.schema.get("patternProperties"), dict) and self.schema["patternProperties"]:
            return True
        if isinstance(extra, dict):
            return extra.get("not") != {} or len(extra) > 1
        return extra is True or (extra is None and self.is_map)

    def entry_schema(self, key: str) -> Any:
        """The schema of the value under a key that the schema does not name."""
        patterns = self.schema.get("patternProperties")
        extra = self.schema.get("additionalProperties", True)
        if isinstance(patterns, dict) and patterns and (len(patterns) == 1 or not isinstance(extra, dict)):
            return next(iter(patterns.values()))
        return extra if isinstance(extra, dict) else True

    def template(self) -> Field:
        """A field for the value of an entry, to describe it; it belongs to no entry."""
        return self._make(self.entry_schema(""), "", True, self)

    def add_entry(self, key: str) -> Field:
        """A new row under a key; the field to fill in."""
        field = self._make(self.entry_schema(key), key, True, self)
        self.entries.append(Entry(key, field))
        self.changed_below(field)
        return field

    def rename_entry(self, index: int, key: str) -> None:
        self.entries[index].key = key
        self.changed_below(self.entries[index].field)

    def remove_entry(self, index: int) -> None:
        self.changed_below(self.entries.pop(index).field)

    def member(self, key: str) -> Field | None:
        """The field under a name or the key of an entry."""
        if key in self.fields:
            return self.fields[key]
        return next((entry.field for entry in self.entries if entry.key == key), None)

    def parts(self) -> Iterable[Field]:
        if self._fields is not None:
            yield from self._fields.values()
        for entry in self.entries:
            yield entry.field

    @property
    def touched(self) -> bool:
        return (bool(self.entries) and not self.prefilled) or super().touched

    def token_of(self, part: Field) -> str | int | None:
        return next((entry.key for entry in self.entries if entry.field is part), part.name)

    def _drop(self) -> None:
        self._fields = None
        self.entries = []

    def _takes(self, value: Any) -> bool:
        return isinstance(value, dict) and len(value) <= ROWS

    def _lay_out(self, value: Any) -> None:
        for name, field in self.fields.items():
            if name in value:
                field.load(value[name])
            else:
                field.clear()
        for key, member in value.items():
            if key not in self.fields:
                self.add_entry(key).load(member)

    def _empty(self) -> Any:
        return {}

    def _collect(self, at: str, report: Report) -> Any:
        members: dict[str, Any] = {}
        for name, field in self.fields.items():
            value = field.emit(_below(at, name), report)
            if value is not ABSENT:
                members[name] = value
        for entry in self.entries:
            below = _below(at, entry.key)
            if entry.key in members:
                report.error(below, "the same name twice")
            value = entry.field.emit(below, report)
            if value is not ABSENT:
                members.setdefault(entry.key, value)
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


class Rows(Container):
    """A list. A tuple is one whose first rows have schemas of their own."""

    widget = "list"

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent, make)
        self.rows: list[Field] = []

    @property
    def leading(self) -> list[Any]:
        """The schemas of the first items of a tuple, in either dialect."""
        for keyword in ("prefixItems", "items"):
            if isinstance(several := self.schema.get(keyword), list):
                return several
        return []

    def item_schema(self, index: int) -> Any:
        """The schema of the item at an index; False where there may be none."""
        leading = self.leading
        if index < len(leading):
            return leading[index]
        rest = self.schema.get(
            "additionalItems" if isinstance(self.schema.get("items"), list) else "items", True
        )
        return rest if isinstance(rest, dict | bool) else True

    @property
    def can_add(self) -> bool:
        return self.item_schema(len(self.rows)) is not False and len(self.rows) < ROWS

    def template(self) -> Field:
        """A field for the next item, to describe it; it belongs to no row."""
        return self.make_item(len(self.leading))

    def make_item(self, index: int) -> Field:
        """A field for the item at an index; it is no row yet."""
        return self._make(self.item_schema(index), "", True, self)

    def add(self, at: int | None = None) -> Field:
        """A new row, at the end where no place is said; the field to fill in."""
        place = len(self.rows) if at is None else at
        row = self.make_item(place)
        self.rows.insert(place, row)
        self.changed_below(row)
        return row

    def remove(self, index: int) -> None:
        """Takes a row away. The last one gone is as if there had never been one."""
        self.changed_below(self.rows.pop(index))

    def move(self, index: int, to: int) -> None:
        row = self.rows.pop(index)
        self.rows.insert(to, row)
        self.changed_below(row)

    def parts(self) -> Iterable[Field]:
        return self.rows

    @property
    def touched(self) -> bool:
        return (bool(self.rows) and not self.prefilled) or super().touched

    def token_of(self, part: Field) -> str | int | None:
        return next((index for index, row in enumerate(self.rows) if row is part), 0)

    def _drop(self) -> None:
        self.rows = []

    def _takes(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) <= ROWS

    def _lay_out(self, value: Any) -> None:
        for item in value:
            self.add().load(item)

    def _empty(self) -> Any:
        return []

    def _collect(self, at: str, report: Report) -> Any:
        values = []
        for index, row in enumerate(self.rows):
            value = row.emit(_below(at, index), report)
            if value is not ABSENT:
                values.append(value)
        return values

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not isinstance(value, list):
            return -1
        if not value or not look:
            return 2
        return -1 if self.make_item(0).fits(value[0], look - 1) < 0 else 3


class Union(Container):
    """One of several branches. Each keeps what was entered in it while another is chosen."""

    widget = "union"

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent, make)
        self._built: dict[int, Field] = {}
        self._chosen: int | None = None

    @property
    def branches(self) -> tuple[Branch, ...]:
        return self.shape.branches

    @property
    def chosen(self) -> int | None:
        """The branch that counts: as chosen, the first one where the value is required, or none."""
        return 0 if self._chosen is None and self.required else self._chosen

    @property
    def decided(self) -> bool:
        """True where a branch was chosen, by a person or by what was entered."""
        return self._chosen is not None

    @property
    def branch(self) -> Field | None:
        """The field of the branch that counts."""
        return None if self.chosen is None else self.branch_field(self.chosen)

    def branch_field(self, index: int) -> Field:
        """The field of a branch, built at first sight. Raises IndexError."""
        if index not in self._built:
            field = self._make(self.branches[index].schema, self.name, self.required, self)
            if isinstance(field, Container):
                field.required = True
            self._built[index] = field
        return self._built[index]

    def choose(self, index: int | None) -> None:
        """Switches to a branch; what the old one shares with it by name and kind is carried over."""
        if index is None:
            self.clear()
            return
        old, new = self.branch, self.branch_field(index)
        if old is not None and old is not new:
            _carry(old, new)
        self._chosen = index
        self.state = State.ABSENT
        if isinstance(new, ChoiceField) and len(new.choices) == 1:
            new.set_choice(0)
        self.changed_below(new)

    def parts(self) -> Iterable[Field]:
        if self.chosen is not None and self.chosen in self._built:
            yield self._built[self.chosen]

    @property
    def touched(self) -> bool:
        if (
            self._chosen is not None
            and not self.prefilled
            and isinstance(self._built.get(self._chosen), Container)
        ):
            return True
        return super().touched

    def token_of(self, part: Field) -> str | int | None:
        return None

    def changed_below(self, part: Field) -> None:
        if self._chosen is None and part.touched:
            self._chosen = next((index for index, field in self._built.items() if field is part), None)
        super().changed_below(part)

    @property
    def text(self) -> str:
        return super().text if self.state is not State.ABSENT or self.branch is None else self.branch.text

    def set_text(self, text: str) -> None:
        """Typed text goes to the branch that was chosen, else to the first that can read it."""
        if not text:
            self.clear()
            return
        if self._chosen is None:
            self._chosen = self._reader_of(text)
        self.branch_field(self._chosen).set_text(text)

    def _reader_of(self, text: str) -> int:
        best, strict = 0, False
        for index in range(len(self.branches)):
            field = self.branch_field(index)
            if field.widget in ("text", "any") and not strict:
                best, strict = index, True
            elif field.widget in ("number", "boolean", "choice"):
                trial = self._make(self.branches[index].schema, self.name, True, None)
                trial.set_text(text)
                report = Report()
                value = trial.emit("", report)
                if not report.errors and trial.fits(value) >= 0:
                    return index
        return best

    def set_choice(self, index: int) -> None:
        self.choose(index)

    def set_empty(self) -> None:
        if self.branch is None:
            self._chosen = 0
        field = self.branch
        if field is not None:
            field.set_empty()

    def load(self, value: Any) -> None:
        self._drop()
        if value is None and self.nullable:
            super().load(value)
            return
        scores = [self.branch_field(index).fits(value) for index in range(len(self.branches))]
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        if best is None or scores[best] < 0:
            super().load(value)
            return
        self._built = {best: self.branch_field(best)}
        self._chosen = best
        self._built[best].load(value)
        self.state = State.ABSENT

    def _drop(self) -> None:
        self._built = {}
        self._chosen = None

    def _collect(self, at: str, report: Report) -> Any:
        return ABSENT if self.branch is None else self.branch.emit(at, report)

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not look:
            return 0
        return max(
            (self.branch_field(index).fits(value, look - 1) for index in range(len(self.branches))),
            default=-1,
        )


def _carry(old: Field, new: Field) -> None:
    """Takes over what was entered in members of the same name and kind that the new branch has untouched."""
    if not (isinstance(old, Group) and isinstance(new, Group)):
        return
    for name, field in new.fields.items():
        before = old.fields.get(name)
        if before is None or not before.touched or field.touched or field.widget != before.widget:
            continue
        if isinstance(field, ChoiceField) and len(field.choices) == 1:
            continue
        value = before.emit("", Report())
        if before.state is State.TEXT:
            field.set_text(before.typed)
        elif before.state is State.NULL:
            field.set_null()
        elif value is not ABSENT and field.fits(value) >= 0:
            field.load(value)


def _below(at: str, token: str | int) -> str:
    return f"{at}/{escape(token)}"
