"""Lists and tuples, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector.base.jsonptr import index_of
from inspector.schema.field import ABSENT, Field, Place, Report
from inspector.schema.pages import Growing
from inspector.schema.parts import LOOK, Container, Maker, below
from inspector.schema.shape import Shape


class Rows(Growing):
    """A list. A tuple is one whose first rows have schemas of their own."""

    widget = "list"

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent, make)
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
        return self.item_schema(len(self.rows)) is not False

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
        self._refit((later, later - 1) for later in range(place + 1, self._odd))
        self.changed_below(row)
        return row

    def move(self, index: int, to: int) -> None:
        row = self.rows.pop(index)
        self.rows.insert(to, row)
        by = 1 if index < to else -1
        passed = range(index, to, by)
        self._refit([(at, at + by) for at in passed] + [(to, index)])
        self.changed_below(self.rows[to])

    def remove(self, index: int) -> None:
        super().remove(index)
        self._refit((later, later + 1) for later in range(index, self._odd))

    def put_back(self, index: int, row: Field) -> None:
        super().put_back(index, row)
        self._refit((later, later - 1) for later in range(index + 1, self._odd))

    @property
    def _odd(self) -> int:
        """Where the rows end that may be of another kind than those before and behind them."""
        return min(len(self.rows), len(self.leading) + 1) if self.leading else 0

    def _refit(self, moved: Iterable[tuple[int, int]]) -> None:
        """Rows of a tuple that came to a place from another get the field that belongs there; what was entered is
        taken over."""
        from inspector.schema.takeover import take_over

        for at, before in moved if self.leading else ():
            if self.item_schema(at) != self.item_schema(before):
                old, new = self.rows[at], self.make_item(at)
                self.rows.put(at, new)
                take_over(old, new)

    def find(self, token: str) -> int | None:
        index = index_of(token)
        return index if index is not None and index < len(self.rows) else None

    def seek(self, text: str) -> int | None:
        index = index_of(text.strip("[]"))
        return None if index is None or not self.rows else min(index, len(self.rows) - 1)

    def unpacked(self, index: int, item: Any) -> tuple[Field, Any]:
        return self.make_item(index), item

    def packed(self, row: Field, value: Any) -> Any:
        return value

    def parts(self) -> Iterable[Field]:
        return self.rows.fields()

    def every_part(self) -> Iterable[Field]:
        return self.rows.every()

    def token_of(self, part: Field) -> str | int | None:
        return self.rows.place(part) or 0

    def _drop(self) -> None:
        self.rows.fill([])

    def _takes(self, value: Any) -> bool:
        return isinstance(value, list)

    def _lay_out(self, value: Any) -> None:
        self.rows.fill(list(value))

    def _empty(self) -> Any:
        return []

    def _collect(self, at: str, report: Report) -> Any:
        values = []
        for index, row in enumerate(self.rows.items):
            value = row.emit(below(at, index), report) if isinstance(row, Field) else row
            if value is not ABSENT:
                values.append(value)
        return values

    def fits(self, value: Any, look: int = LOOK) -> int:
        if not isinstance(value, list):
            return -1
        if not value or not look:
            return 2
        return -1 if self.sample(0).fits(value[0], look - 1) < 0 else 3
