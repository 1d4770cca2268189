"""Rows that come and go: of a list, or the entries of a map. Those on the open page are fields, whatever their number.

A page keeps a list of a hundred thousand rows as cheap as one of a thousand: the rows before and behind it are held as
the exact values that they are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from inspector.schema.field import ABSENT, LACKING, Field, Place, Report
from inspector.schema.parts import Container, Maker
from inspector.schema.shape import Shape

ROWS = 1_000
"""Most rows on a page."""
FIELDS = 2_500
"""Most fields on a page, unless its first row has more."""


class Growing(Container):
    """A container with rows that a person adds and takes away."""

    def __init__(self, shape: Shape, place: Place, parent: Container | None, make: Maker) -> None:
        super().__init__(shape, place, parent)
        self._make = make
        self.rows = Pages(self, make)

    @abstractmethod
    def find(self, token: str) -> int | None:
        """The place of the row that the token of a pointer names."""

    @abstractmethod
    def seek(self, text: str) -> int | None:
        """The place of the row that a person means by a number, or by a key or the beginning of one."""

    @abstractmethod
    def unpacked(self, index: int, item: Any) -> tuple[Field, Any]:
        """A field for the row at an index, and the value to load it with."""

    @abstractmethod
    def packed(self, row: Field, value: Any) -> Any:
        """What is kept of a row with a value while it is no field."""

    def remove(self, index: int) -> None:
        """Takes a row away. The last one gone is as if there had never been one."""
        self.changed_below(self.rows.pop(index))

    def put_back(self, index: int, row: Field) -> None:
        """A row that was taken away comes back, at the end where there are fewer rows by now."""
        self.rows.insert(index, row)
        self.changed_below(row)

    def cut(self, length: int) -> None:
        """Takes away what was added behind so many rows."""
        while len(self.rows) > length:
            self.remove(len(self.rows) - 1)

    @property
    def touched(self) -> bool:
        return (bool(self.rows) and not self.prefilled) or super().touched


class Pages:
    """The rows, counted from the start of the list; `first` and `end` bound the open page.

    A row that is asked for is a field from then on. One off the page is packed again when others need its room, except
    where it has no value yet or a wrong one: so nothing that was entered is lost.
    """

    def __init__(self, owner: Growing, make: Maker) -> None:
        self._owner = owner
        self._make = make
        self._items: list[Any] = []
        self._places: dict[int, int] | None = None
        self._loose = 0
        self._room = ROWS
        self._size = ROWS
        self.first = 0
        self.end = 0

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: int) -> Field:
        item = self._items[at]
        if isinstance(item, Field):
            return item
        if not self.first <= at < self.end:
            self._settle()
        row, value = self._owner.unpacked(at, item)
        self._items[at] = row
        if self._places is not None:
            self._places[id(row)] = at
        # It is there already: nobody around it has to hear of a change.
        row.parent = None
        row.load(value)
        row.parent = self._owner
        return row

    @property
    def items(self) -> Sequence[Any]:
        """All rows, each a field or packed."""
        return self._items

    def fields(self) -> Iterator[Field]:
        """The rows that are fields."""
        return (item for item in self._items if isinstance(item, Field))

    def every(self) -> Iterator[Field]:
        """All rows one by one."""
        return (self[at] for at in range(len(self._items)))

    @property
    def packed(self) -> int:
        """How many rows are no fields."""
        return len(self._items) - sum(1 for _ in self.fields())

    def shown(self) -> Iterator[tuple[int, Field]]:
        """The rows of the open page, each with its place in the list."""
        return ((at, self[at]) for at in range(self.first, self.end))

    def place(self, row: Field) -> int | None:
        """Where a row stands; None for what is none of them."""
        if self._places is None:
            self._places = {id(self._items[at]): at for at in range(self.first, self.end)}
        at = self._places.get(id(row))
        if at is not None and self._items[at] is row:
            return at
        if not self._loose:
            return None
        return next((at for at, item in enumerate(self._items) if item is row), None)

    # The page ------------------------------------------------------------------------------------------------------

    def fill(self, items: list[Any]) -> None:
        """Takes packed rows in place of those that were there."""
        self._items, self._size, self._loose = items, ROWS, 0
        self.first = self.end = 0
        self._open(0)

    def turn(self, by: int) -> bool:
        """To the next page (1) or the one before (-1); False where there is none."""
        if not (self.first > 0 if by < 0 else self.end < len(self._items)):
            return False
        self._open(self.end if by > 0 else max(0, self.first - self._size))
        return True

    def show(self, at: int) -> None:
        """Opens the page with the row at a place."""
        if not self.first <= at < self.end:
            self._open(at - at % self._size)
            if at >= self.end:
                self._open(at)

    def _open(self, first: int) -> None:
        for at in range(self.first, self.end):
            self._pack(at)
        began, at = self._make.made, first
        self._places = None
        self.first = self.end = first
        while at < len(self._items) and at - first < self._size:
            if at > first and self._make.made - began >= FIELDS:
                self._size = at - first
                break
            # Before it is built: it is on the page already.
            self.end = at = at + 1
            self[at - 1]

    def _pack(self, at: int) -> None:
        row = self._items[at]
        if isinstance(row, Field):
            report = Report()
            value = row.emit("", report)
            # What is merely missing is missing in the value too.
            wrong = any(issue.message != LACKING for issue in report.errors + report.warnings)
            if value is ABSENT or wrong:
                self._loose += 1
            else:
                self._items[at] = self._owner.packed(row, value)

    def _settle(self) -> None:
        """Packs the rows off the page where there are many of them."""
        self._loose += 1
        if self._loose > self._room:
            self._loose, self._places = 1, None
            for at in [at for at, item in enumerate(self._items) if isinstance(item, Field)]:
                if not self.first <= at < self.end:
                    self._pack(at)
            self._room = max(ROWS, 2 * self._loose)

    # Rows that come and go ------------------------------------------------------------------------------------------

    def insert(self, at: int, row: Field) -> None:
        """Puts a row in and opens its page."""
        at = min(at, len(self._items))
        self._items.insert(at, row)
        self._places = None
        if self.first <= at <= self.end:
            self.end += 1
            if self.end - self.first > ROWS:
                self._narrow(at)
            return
        if at < self.first:
            self.first, self.end = self.first + 1, self.end + 1
        self.show(at)

    def _narrow(self, kept: int) -> None:
        """Takes the row furthest from one off the page."""
        if kept - self.first > self.end - kept:
            self._pack(self.first)
            self.first += 1
        else:
            self._pack(self.end - 1)
            self.end -= 1

    def put(self, at: int, row: Field) -> None:
        """Another field for the row at a place."""
        self._items[at] = row
        self._places = None

    def pop(self, at: int) -> Field:
        """Takes a row out; the page is turned where it was the last one there."""
        row = self[at]
        del self._items[at]
        self._places = None
        self.first -= at < self.first
        self.end -= at < self.end
        if self.first == self.end and self._items:
            self._open(self.first if self.first < len(self._items) else max(0, self.first - self._size))
        return row
