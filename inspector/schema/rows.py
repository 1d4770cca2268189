"""Lists and tuples, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.schema.field import ABSENT, Field, Place, Report
from inspector.schema.parts import LOOK, ROWS, Container, Maker, below
from inspector.schema.shape import Shape


class Rows(Container):
    """A list. A tuple is one whose first rows have schemas of their own."""

    widget = "list"

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent)
        self._make = make
        self.rows: list[Field] = []
        self._samples: dict[int, Field] = {}

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

    def sample(self, index: int) -> Field:
        """A field like that of the item at an index, kept to compare values with."""
        kind = min(index, len(self.leading))
        if kind not in self._samples:
            self._samples[kind] = self.make_item(kind)
        return self._samples[kind]

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

    def put_back(self, index: int, row: Field) -> None:
        """A row that was taken away comes back, at the end where there are fewer rows by now."""
        self.rows.insert(index, row)
        self.changed_below(row)

    def discard(self, part: Field) -> None:
        """Takes the row that is this field away."""
        self.remove(next(index for index, row in enumerate(self.rows) if row is part))

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
            value = row.emit(below(at, index), report)
            if value is not ABSENT:
                values.append(value)
        return values

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not isinstance(value, list):
            return -1
        if not value or not look:
            return 2
        return -1 if self.sample(0).fits(value[0], look - 1) < 0 else 3
