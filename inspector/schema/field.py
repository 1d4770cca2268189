"""The fields of a form that hold one value: text, numbers, booleans, choices, free values.

A field keeps what a person entered and turns it into a value only when asked (`emit`). Six states are told apart:
absent, null, empty, typed text, an exact value, and JSON text that a person edits in place of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from inspector.base import numbers
from inspector.base.jsonptr import escape
from inspector.base.jsontext import Malformed
from inspector.schema import hints
from inspector.schema.shape import Choice, Shape, is_member, spelled

if TYPE_CHECKING:
    from inspector.schema.parts import Container

Widget = Literal[
    "text", "number", "boolean", "choice", "multi", "list", "group", "union", "any", "json", "none"
]


class Missing(Enum):
    """What a field emits that is not sent at all."""

    ABSENT = "absent"


ABSENT: Final = Missing.ABSENT


class State(StrEnum):
    """What a field holds. A group, a list or a union without a state of its own is `absent`: its parts decide."""

    ABSENT = "absent"
    NULL = "null"
    EMPTY = "empty"
    TEXT = "text"
    VALUE = "value"
    JSON = "json"


class Issue(NamedTuple):
    """Something that is wrong with a value: its JSON Pointer, and why."""

    path: str
    message: str


ISSUES = 200


@dataclass(slots=True)
class Report:
    """What came up while the values were collected; at most ISSUES of each.

    `opened` counts the containers around the present one that nobody entered anything in.
    """

    errors: list[Issue] = field(default_factory=list)
    warnings: list[Issue] = field(default_factory=list)
    opened: int = 0

    def error(self, path: str, message: str) -> None:
        if len(self.errors) < ISSUES:
            self.errors.append(Issue(path, message))

    def warning(self, path: str, message: str) -> None:
        if len(self.warnings) < ISSUES:
            self.warnings.append(Issue(path, message))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field stands. `origin` is the schema its references end at: the same one above means recursion."""

    name: str
    required: bool
    depth: int
    origin: Any


class Field:
    """One value of a form, of any kind; the kinds override how it is read and written."""

    widget: Widget = "json"
    more = False

    def __init__(self, shape: Shape, place: Place, parent: Container | None) -> None:
        self.shape = shape
        self.name = place.name
        self.required = place.required
        self.depth = place.depth
        self.origin = place.origin
        self.parent = parent
        self.state = State.ABSENT
        self.value: Any = None
        self.typed = ""
        self.prefilled = False

    # What the schema says ------------------------------------------------------------------------------------------

    @property
    def schema(self) -> dict[str, Any]:
        return self.shape.schema

    @property
    def nullable(self) -> bool:
        return self.shape.nullable

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.shape.choices

    @property
    def label(self) -> str:
        return hints.text(self.schema, "title") or self.name

    @property
    def type(self) -> str:
        """The type as JSON Schema names it."""
        return hints.type_of(self.shape)

    @property
    def type_label(self) -> str:
        """The type for people."""
        return hints.type_label(self.shape)

    @property
    def help(self) -> str:
        """The description, then what limits the value, in lines."""
        return hints.help_of(self.schema)

    @property
    def description(self) -> str:
        return hints.text(self.schema, "description")

    @property
    def limits(self) -> str:
        """Bounds, pattern, format, default, examples: one line."""
        return hints.limits(self.schema)

    @property
    def has_default(self) -> bool:
        return "default" in self.schema

    @property
    def default(self) -> Any:
        return self.schema.get("default")

    @property
    def deprecated(self) -> bool:
        return self.schema.get("deprecated") is True

    @property
    def read_only(self) -> bool:
        return self.schema.get("readOnly") is True

    @property
    def secret(self) -> bool:
        return self.schema.get("format") == "password" or self.schema.get("writeOnly") is True

    @property
    def raw(self) -> bool:
        """True where a JSON editor is the only way to fill the field in."""
        return self.widget == "json"

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the value, as rows and keys stand now."""
        if self.parent is None:
            return ""
        token = self.parent.token_of(self)
        return self.parent.pointer + ("" if token is None else f"/{escape(token)}")

    # What is in it ------------------------------------------------------------------------------------------------

    @property
    def touched(self) -> bool:
        """True where a person entered something; what was filled in by the form does not count."""
        return self.state is not State.ABSENT and not self.prefilled

    @property
    def text(self) -> str:
        """What an input shows: the text as typed, or the value spelled as text."""
        if self.state in (State.TEXT, State.JSON):
            return self.typed
        return self._spell(self.value) if self.state is State.VALUE else ""

    def _spell(self, value: Any) -> str:
        return _json(value)

    def as_json(self) -> str:
        """The JSON text that an editor of this field starts from; empty where nothing is sent."""
        if self.state is State.JSON:
            return self.typed
        value = self.emit("", Report())
        return "" if value is ABSENT else _json(value, 2)

    def clear(self) -> None:
        """As if nothing had ever been entered; the form's own filling goes too."""
        self._set(State.ABSENT)

    def set_null(self) -> None:
        self._set(State.NULL)

    def set_empty(self) -> None:
        """The explicit empty value: "" here, [] and {} in lists and groups."""
        self._set(State.EMPTY)

    def set_text(self, text: str) -> None:
        """Takes what was typed; nothing at all is as if the field were cleared. Kinds that are no text take JSON."""
        self.set_json(text)

    def set_json(self, text: str) -> str | None:
        """Takes JSON text in place of the field. Broken text is kept and not sent; the answer says what is wrong."""
        if not text.strip():
            self.clear()
            return None
        try:
            value = numbers.loads(text)
        except Malformed as error:
            self._set(State.JSON, typed=text)
            return _explain(text, error)
        self.load(value)
        return None

    def load(self, value: Any) -> None:
        """Takes an exact JSON value; `emit` gives it back equal, whatever the schema says."""
        self._set(State.NULL if value is None else State.VALUE, value=value)

    def set_bool(self, value: bool) -> None:
        self.load(value)

    def set_choice(self, index: int) -> None:
        """Picks a choice by its position. Raises IndexError."""
        self._set(State.VALUE, value=self.choices[index].value)

    def prefill(self, value: Any) -> None:
        """Fills in what the schema fixes or proposes, without it counting as entered."""
        parent, self.parent = self.parent, None
        self.load(value)
        self.parent = parent
        self.prefilled = True

    def _set(self, state: State, *, value: Any = None, typed: str = "") -> None:
        self.state, self.value, self.typed = state, value, typed
        self.prefilled = False
        if self.parent is not None:
            self.parent.changed_below(self)

    # What is sent -------------------------------------------------------------------------------------------------

    def emit(self, at: str, report: Report) -> Any:
        """The value to send, or ABSENT; what is wrong goes to the report. `at` is the pointer of the value."""
        match self.state:
            case State.NULL:
                return None
            case State.VALUE:
                return self.value
            case State.JSON:
                try:
                    return numbers.loads(self.typed)
                except Malformed as error:
                    report.error(at, f"not JSON: {_explain(self.typed, error)}")
                    return ABSENT
            case State.EMPTY:
                return self._empty()
            case State.TEXT:
                return self._read(at, report)
        return self._untouched(at, report)

    def _empty(self) -> Any:
        return ""

    def _read(self, at: str, report: Report) -> Any:
        return self.typed

    def _untouched(self, at: str, report: Report) -> Any:
        if self.required:
            report.error(at, "required")
        return ABSENT

    def fits(self, value: Any, look: int = 0) -> int:
        """How well a value suits this field: below 0 not at all, else the more the better; `look` is how deep to go."""
        return 0


class TextField(Field):
    widget: Widget = "text"

    def _spell(self, value: Any) -> str:
        return value if isinstance(value, str) else _json(value)

    def set_text(self, text: str) -> None:
        self._set(State.TEXT if text else State.ABSENT, typed=text)

    def load(self, value: Any) -> None:
        if isinstance(value, str):
            self._set(State.TEXT if value else State.EMPTY, typed=value)
        else:
            super().load(value)

    def _untouched(self, at: str, report: Report) -> Any:
        return "" if self.required else ABSENT

    def fits(self, value: Any, look: int = 0) -> int:
        return 2 if isinstance(value, str) else -1

    @property
    def multiline(self) -> bool:
        return "\n" in self.text or self.schema.get("format") in ("textarea", "multiline", "markdown")


class NumberField(Field):
    """A number, or an integer; what is typed is sent digit by digit."""

    widget: Widget = "number"

    @property
    def whole(self) -> bool:
        return self.shape.kind == "integer"

    def set_text(self, text: str) -> None:
        self._set(State.TEXT if text else State.ABSENT, typed=text)

    def _read(self, at: str, report: Report) -> Any:
        read: Callable[[str], int | float] = numbers.integer if self.whole else numbers.number
        text = self.typed.strip(" \t\r\n")
        try:
            value = read(text)
            if not self.whole:
                float(value)
        except OverflowError:
            report.error(at, "beyond the range of a double")
        except ValueError as error:
            report.error(at, str(error))
        else:
            return value
        return self.typed

    def fits(self, value: Any, look: int = 0) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return -1
        return (
            (3 if self.whole else 2)
            if isinstance(value, int) or not self.whole
            else (1 if value.is_integer() else -1)
        )


class BooleanField(Field):
    widget: Widget = "boolean"

    def fits(self, value: Any, look: int = 0) -> int:
        return 2 if isinstance(value, bool) else -1


class ChoiceField(Field):
    """One of an enum; the position is kept, the exact value is sent."""

    widget: Widget = "choice"

    @property
    def index(self) -> int | None:
        """The position of what is chosen; None where nothing is, or a value beside the enum."""
        if self.state is State.NULL:
            return is_member(None, self.choices)
        return is_member(self.value, self.choices) if self.state is State.VALUE else None

    def set_text(self, text: str) -> None:
        found = find(text, self.choices)
        self.load(text) if found is None else self.set_choice(found)

    def fits(self, value: Any, look: int = 0) -> int:
        return 4 if is_member(value, self.choices) is not None else -1


class MultiField(Field):
    """Several of an enum, in the order of picking."""

    widget: Widget = "multi"

    @property
    def indices(self) -> list[int]:
        """Positions of what is picked."""
        picked = self.value if self.state is State.VALUE and isinstance(self.value, list) else []
        return [index for value in picked if (index := is_member(value, self.choices)) is not None]

    def set_choices(self, indices: Sequence[int]) -> None:
        """Picks by position; none at all is as if nothing had been picked. Raises IndexError."""
        picked = [self.choices[index].value for index in indices]
        self._set(State.VALUE if picked else State.ABSENT, value=picked)

    def toggle(self, index: int) -> None:
        indices = self.indices
        self.set_choices(
            [other for other in indices if other != index] if index in indices else [*indices, index]
        )

    def _empty(self) -> Any:
        return []

    def _untouched(self, at: str, report: Report) -> Any:
        return [] if self.required else ABSENT

    def fits(self, value: Any, look: int = 0) -> int:
        if not isinstance(value, list):
            return -1
        return 3 if all(is_member(item, self.choices) is not None for item in value) else 1


class AnyField(Field):
    """A value of any type: what is JSON is sent as that, other text as a string. `reading` says which."""

    widget: Widget = "any"

    def _spell(self, value: Any) -> str:
        return value if isinstance(value, str) and not _is_json(value) else _json(value)

    def set_text(self, text: str) -> None:
        self._set(State.TEXT if text else State.ABSENT, typed=text)

    def load(self, value: Any) -> None:
        if value == "" and isinstance(value, str):
            self._set(State.EMPTY)
        else:
            super().load(value)

    @property
    def reading(self) -> str:
        """How the text that was typed is taken: `string`, or the JSON type it has."""
        value = self.emit("", Report())
        return "" if value is ABSENT else hints.json_type(value)

    def _read(self, at: str, report: Report) -> Any:
        try:
            return numbers.loads(self.typed)
        except Malformed as error:
            if self.typed.lstrip()[:1] in ("{", "["):
                report.warning(at, f"sent as a string, for it is no JSON: {_explain(self.typed, error)}")
            return self.typed


class NeverField(Field):
    """A field that no value suits: `false` as a schema. It can still be sent on purpose, as JSON."""

    widget: Widget = "none"

    def _untouched(self, at: str, report: Report) -> Any:
        if self.required:
            report.error(at, "required, but the schema allows no value")
        return ABSENT

    def fits(self, value: Any, look: int = 0) -> int:
        return -1


class JsonField(Field):
    """A value for which there is only an editor; `more` says that the schema goes on where it was cut."""

    widget: Widget = "json"
    more = True


def find(wanted: Any, choices: tuple[Choice, ...]) -> int | None:
    """The position of a value or, where no value is meant exactly, of a title."""
    found = is_member(wanted, choices)
    if found is None and isinstance(wanted, str):
        titles = [choice.title for choice in choices]
        found = titles.index(wanted) if wanted in titles else None
    return found


def _is_json(text: str) -> bool:
    try:
        numbers.loads(text)
    except Malformed:
        return False
    return True


def _json(value: Any, indent: int | None = None) -> str:
    try:
        return numbers.dumps(value, indent)
    except ValueError:
        return spelled(value)


def _explain(text: str, error: Malformed) -> str:
    if not error.position and text[:1] in ("{", "["):
        return str(error)
    line, column = numbers.place(text, error.position)
    return f"{error} (line {line}, column {column})"
