"""The fields that hold one value: text, numbers, booleans, choices, values of any type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inspector.base import numbers
from inspector.base.jsontext import Malformed
from inspector.schema import hints
from inspector.schema.choices import Choice, is_member, members
from inspector.schema.field import ABSENT, Field, Report, State, Widget, explain, json_text


class TextField(Field):
    """A string. Where it is required and left empty it is sent as such if `blank`, and else missing."""

    widget: Widget = "text"
    blank = True

    def _spell(self, value: Any) -> str:
        return value if isinstance(value, str) else json_text(value)

    def set_text(self, text: str) -> None:
        self._set(State.TEXT if text else State.ABSENT, typed=text)

    def load(self, value: Any) -> None:
        if isinstance(value, str):
            self._set(State.TEXT if value else State.EMPTY, typed=value)
        else:
            super().load(value)

    def _untouched(self, at: str, report: Report) -> Any:
        return "" if self.required and self.blank else super()._untouched(at, report)

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

    def reads(self, text: str) -> bool:
        """Whether the text is a number of this kind."""
        try:
            self._number(text)
        except (ValueError, OverflowError):
            return False
        return True

    def _number(self, text: str) -> int | float:
        read: Callable[[str], int | float] = numbers.integer if self.whole else numbers.number
        value = read(text.strip(" \t\r\n"))
        if not self.whole:
            float(value)
        return value

    def _read(self, at: str, report: Report) -> Any:
        try:
            value = self._number(self.typed)
        except OverflowError:
            report.error(at, "beyond the range of a double")
        except ValueError as error:
            if not self.conditional:
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
    def picked(self) -> list[Any]:
        """A list of the values that are picked."""
        return list(self.value) if self.state is State.VALUE and isinstance(self.value, list) else []

    @property
    def indices(self) -> list[int]:
        """Positions of what is picked."""
        return [index for index in members(self.picked, self.choices) if index is not None]

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
        return 1 if None in members(value, self.choices) else 3


class AnyField(Field):
    """A value of any type: what is JSON is sent as that, other text as a string. `reading` says which."""

    widget: Widget = "any"

    def _spell(self, value: Any) -> str:
        return value if isinstance(value, str) and not _is_json(value) else json_text(value)

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
                report.warning(at, f"sent as a string, for it is no JSON: {explain(self.typed, error)}")
            return self.typed


class NeverField(AnyField):
    """A field that no value suits: `false` as a schema. It can still be sent on purpose."""

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
    """The position of a value or, where no value is meant exactly, of a title, or of an equal number."""
    found = is_member(wanted, choices)
    if found is None and isinstance(wanted, str):
        titles = [choice.title for choice in choices]
        found = titles.index(wanted) if wanted in titles else _equal_number(wanted, choices)
    return found


def _equal_number(text: str, choices: tuple[Choice, ...]) -> int | None:
    """The position of the number that a text spells in another way, as 1.0 does with 1."""
    try:
        number = numbers.number(text.strip())
    except ValueError:
        return None
    for index, choice in enumerate(choices):
        if (
            isinstance(choice.value, int | float)
            and not isinstance(choice.value, bool)
            and choice.value == number
        ):
            return index
    return None


def _is_json(text: str) -> bool:
    try:
        numbers.loads(text)
    except Malformed:
        return False
    return True
