"""What every field of a form is: a place in the arguments, and what was entered there.

A field keeps what a person entered and turns it into a value only when asked (`emit`). Six states are told apart:
absent, null, empty, typed text, an exact value, and JSON text that a person edits in place of the field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from inspector.base import numbers
from inspector.base.jsonptr import escape
from inspector.base.jsontext import Malformed
from inspector.schema import hints
from inspector.schema.choices import Choice, spelled
from inspector.schema.shape import Shape

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
LACKING = "required"
"""What is said of a value that is missing, and nothing else."""


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


class Place(NamedTuple):
    """Where a field stands. `origin` is the schema its references end at: the same one above means recursion."""

    name: str
    required: bool
    depth: int
    origin: Any


class Field:
    """One value of a form, of any kind; the kinds override how it is read and written.

    `left_out` is true where loaded arguments did not have the value, so that nothing is filled in for it;
    `conditional` where only a condition says what the value is, so that text of another kind is let through.
    """

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
        self.left_out = False
        self.conditional = False
        self.notes: tuple[str, ...] = ()

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
        return "\n".join(part for part in (self.description.strip(), self.limits) if part)

    @property
    def description(self) -> str:
        return hints.text(self.schema, "description")

    @property
    def limits(self) -> str:
        """What other members mean for this one, bounds, pattern, format, default, examples: one line."""
        return " · ".join(part for part in (*self.notes, hints.limits(self.schema)) if part)

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
        return is_secret(self.schema)

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
        return json_text(value)

    def as_json(self) -> str:
        """The JSON text that an editor of this field starts from; empty where nothing is sent."""
        if self.state is State.JSON:
            return self.typed
        value = self.emit("", Report())
        return "" if value is ABSENT else json_text(value, 2)

    def clear(self) -> None:
        """As if nothing had ever been entered; the form's own filling goes too."""
        self._set(State.ABSENT)

    def leave_out(self) -> None:
        """Nothing is sent here until something is entered, not even what is filled in for a required value."""
        self.clear()
        self.left_out = True

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
            return explain(text, error)
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
        self.prefilled = self.left_out = False
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
                    report.error(at, f"not JSON: {explain(self.typed, error)}")
                    return ABSENT
            case State.EMPTY:
                return self._empty()
            case State.TEXT:
                return self._read(at, report)
        return Field._untouched(self, at, report) if self.left_out else self._untouched(at, report)

    def _empty(self) -> Any:
        return ""

    def _read(self, at: str, report: Report) -> Any:
        return self.typed

    def _untouched(self, at: str, report: Report) -> Any:
        if self.required:
            report.error(at, LACKING)
        return ABSENT

    def fits(self, value: Any, look: int = 0) -> int:
        """How well a value suits this field: below 0 not at all, else the more the better; `look` is how deep to go."""
        return 0


def is_secret(schema: dict[str, Any]) -> bool:
    """Whether what is entered for a schema is not to be shown."""
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def json_text(value: Any, indent: int | None = None) -> str:
    try:
        return numbers.dumps(value, indent)
    except ValueError:
        return spelled(value)


def explain(text: str, error: Malformed) -> str:
    if not error.position and text[:1] in ("{", "["):
        return str(error)
    line, column = numbers.place(text, error.position)
    return f"{error} (line {line}, column {column})"
