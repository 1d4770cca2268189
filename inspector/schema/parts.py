"""The fields that have fields: groups of named members, lists of rows, unions of branches.

Parts are built when they are first asked for, so that a schema that contains itself costs what is opened of it.
A group or list is sent when something in it was entered, when it was emptied on purpose, or when it is required.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol

from inspector.base.jsonptr import escape
from inspector.schema.field import ABSENT, Field, Report, State

OPENED = 8
"""How deep required members that nobody touched are looked into: enough for people, little for a schema that loops."""
LOOK = 3
"""How many levels of a value are compared with a branch to find the one that it belongs to."""


class Maker(Protocol):
    """Builds the field for a schema; what it reads references against is its own."""

    made: int
    """How many fields there are by now, about."""

    def __call__(self, schema: Any, name: str, required: bool, parent: Container | None) -> Field: ...


class Container(Field, ABC):
    """A field with parts. Entering something in a part takes back what was said about the whole."""

    def parts(self) -> Iterable[Field]:
        """The parts that exist already; none is built for this."""
        return ()

    def every_part(self) -> Iterable[Field]:
        """The parts that exist, and the rows that are held as values, one by one."""
        return self.parts()

    def built(self) -> Iterable[Field]:
        """The parts that exist, those that do not count at present too."""
        return self.parts()

    @property
    def touched(self) -> bool:
        return not self.prefilled and (super().touched or any(part.touched for part in self.parts()))

    def token_of(self, part: Field) -> str | int | None:
        """The last token of a part's pointer; None where the part has the pointer of the whole."""
        return part.name

    def changed_below(self, part: Field) -> None:
        """A part says that it has changed."""
        self.prefilled = self.left_out = False
        if part.touched:
            self.state = State.ABSENT
        if self.parent is not None:
            self.parent.changed_below(self)

    def load(self, value: Any) -> None:
        """Lays the value out in parts where it has the right type, else keeps it whole."""
        self._drop()
        if self._takes(value):
            self._set(State.ABSENT if value else State.EMPTY)
            self._lay_out(value)
        else:
            super().load(value)

    def set_text(self, text: str) -> None:
        """JSON text; other text is sent as it is where the schema only implies what it describes."""
        if "type" in self.schema or text.lstrip()[:1] in ("", "{", "["):
            super().set_text(text)
        elif self.set_json(text) is not None:
            self.load(text)

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

    @abstractmethod
    def _collect(self, at: str, report: Report) -> Any:
        """What the parts come to; ABSENT where that is nothing."""


def below(at: str, token: str | int) -> str:
    return f"{at}/{escape(token)}"
