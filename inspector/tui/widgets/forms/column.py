"""A long column of which only the rows near what is looked at are mounted; the others take room and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from inspector.base.text import cells
from inspector.tui import guard
from inspector.tui.widgets.forms.lines import Line, Unfolded
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.suggestions import Propose

BATCH = 8
"""Fewest rows mounted at once."""
_FAR = 3
"""Screens of height between what is mounted and what is looked at from which the rows between are left out."""
_NEAR = 60
"""The same in lines, where the focus goes to one."""
_NARROWEST, _WIDEST = 12, 28


class Column(VerticalScroll):
    """Lines of a form, one below the other. What is entered lives in the model, so rows may come and go."""

    DEFAULT_CSS = """
    Column {
        & > .rest { height: 0; width: 1fr; }
    }
    """

    def __init__(self, propose: Propose | None) -> None:
        super().__init__()
        self._propose = propose
        self._unfolded = Unfolded()
        self._lines: list[Line] = []
        self._rows: list[FieldRow] = []
        self._first = 0
        """The line of the first row: what lies above it is not mounted where somebody jumped to a far place."""
        self._above = Static(classes="rest", markup=False)
        self._rest = Static(classes="rest", markup=False)
        self._busy = False

    def on_resize(self) -> None:
        self._fit_labels()
        self.call_after_refresh(self._mount_more)

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        if new > old or self._first:
            self.call_later(self._mount_more)

    def _mounted(self) -> None:
        """Called when other rows are mounted than before."""

    @property
    def row(self) -> FieldRow | None:
        """The one with the focus."""
        return next((row for row in self._rows if row.has_focus_within), None)

    async def _settle(self, more: int) -> None:
        """Brings the rows in line with the lines, from the first that was there on: those that stay keep their widgets,
        and there are `more` of them than before."""
        first = self._anchor()
        wanted = max(len(self._rows) + more, self._count(first, max(self.size.height, 16)))
        kept = {row.line.key: row for row in self._rows}
        rows: list[FieldRow] = []
        fresh: set[FieldRow] = set()
        for line in self._lines[first : first + wanted]:
            row = kept.pop(line.key, None)
            if row is None:
                row = FieldRow(line, self._label_width(), self._propose)
                fresh.add(row)
            rows.append(row)
        async with self.batch():
            if kept:
                await self.remove_children(list(kept.values()))
            await self._insert(rows, fresh)
            self._rows, self._first = rows, first
            for line, row in zip(self._lines[first:], rows, strict=False):
                row.is_open = self._unfolded.is_open(line.field) if line.kind == "fold" else False
                row.place(line)
            self._fit_labels()
        self._reserve()

    def _anchor(self) -> int:
        """Where the rows begin: at the first line of those that were there."""
        if not self._first:
            return 0
        kept = {row.line.key for row in self._rows}
        return next((at for at, line in enumerate(self._lines) if line.key in kept), 0)

    async def _insert(self, rows: list[FieldRow], fresh: set[FieldRow]) -> None:
        """Mounts new rows in runs, each before the old row that follows it."""
        order = [row for row in rows if row not in fresh]
        if [row for row in self._rows if row in set(order)] != order:
            for row in order:
                self.move_child(row, before=self._rest)
        run: list[Widget] = []
        for widget in [*rows, self._rest]:
            if widget in fresh:
                run.append(widget)
            elif run:
                await self._put(run, before=widget)
                run = []

    async def _put(
        self, widgets: Sequence[Widget], *, before: Widget | None = None, after: Widget | None = None
    ) -> None:
        """Mounts them, unless the form is leaving the screen: then nothing can be."""
        if self.is_attached:
            await self.mount(*widgets, before=before, after=after)

    def _count(self, start: int, height: int) -> int:
        """How many lines from `start` on it takes to fill a height."""
        count = 0
        for line in self._lines[start:]:
            if height <= 0:
                break
            height -= tall(line)
            count += 1
        return count

    async def _mount_more(self) -> None:
        """Mounts the next rows while the end of what is mounted is near."""
        top, height = self.scroll_offset.y, self.size.height
        missing = top + height * 5 // 4 - self._rest.virtual_region.y if self._end < len(self._lines) else 0
        above = self._above.virtual_region.bottom - top + height // 4 if self._first else 0
        if self._busy or not height or max(missing, above) <= 0:
            return
        self._busy = True
        try:
            if max(missing, above) > _FAR * height:
                await self._jump(self._count_to(top))
            elif missing > 0:
                await self._mount_to(self._end + max(BATCH, self._count(self._end, missing)))
            else:
                await self._mount_from(self._first - max(BATCH, above))
            self._mounted()
        finally:
            self._busy = False
        self.call_after_refresh(self._mount_more)

    @property
    def _end(self) -> int:
        """The line behind the last row."""
        return self._first + len(self._rows)

    def _count_to(self, height: int) -> int:
        """The line at a height from the top, before anything is mounted there."""
        return max(0, self._count(0, height) - 1)

    def _fresh(self, start: int, end: int) -> list[FieldRow]:
        width = self._label_width()
        rows = [FieldRow(line, width, self._propose) for line in self._lines[start:end]]
        for row in rows:
            row.is_open = row.line.kind == "fold" and self._unfolded.is_open(row.line.field)
        return rows

    async def _mount_to(self, end: int) -> None:
        fresh = self._fresh(self._end, end)
        self._rows += fresh
        await self._put(fresh, before=self._rest)
        self._reserve()

    async def _mount_from(self, start: int) -> None:
        start = max(0, start)
        fresh = self._fresh(start, self._first)
        self._rows, self._first = [*fresh, *self._rows], start
        await self._put(fresh, after=self._above)
        self._reserve()

    async def _jump(self, at: int) -> None:
        """Mounts the rows round a far line in place of those that are there; values live in the model."""
        focused = self.row is not None
        start = max(0, at - BATCH)
        async with self.batch():
            gone, self._rows, self._first = self._rows, [], start
            await self.remove_children(gone)
            await self._mount_to(start + BATCH + self._count(at, max(self.size.height, 16) * 5 // 4))
        if focused:
            self._rows[min(at - start, len(self._rows) - 1)].entry_point.focus()

    async def _reach(self, at: int) -> FieldRow:
        """The row of a line, mounted if it is not."""
        if not self._first - _NEAR <= at < self._end + _NEAR:
            await self._jump(at)
        elif at < self._first:
            await self._mount_from(at - BATCH)
        elif at >= self._end:
            await self._mount_to(at + BATCH)
        return self._rows[at - self._first]

    def _reserve(self) -> None:
        """Keeps the room of the rows that are not mounted, so that the scrollbar tells the truth."""
        self._above.styles.height = sum(map(tall, self._lines[: self._first]))
        self._rest.styles.height = sum(map(tall, self._lines[self._end :]))

    @property
    def height_wanted(self) -> int:
        """Rows of height that show all lines at once, with what is wrong below them."""
        rows = sum(row.height_wanted for row in self._rows)
        others = [*self._lines[: self._first], *self._lines[self._end :]]
        return max(1, rows + sum(map(tall, others)))

    def _label_width(self) -> int:
        widest = max(
            (cells(guard.line(line.label)) + 2 * line.level + 4 for line in self._lines[:400]), default=0
        )
        limit = max(_NARROWEST, min(_WIDEST, self.size.width // 3))
        return max(_NARROWEST, min(limit, widest))

    def _fit_labels(self) -> None:
        width = self._label_width()
        for row in self._rows:
            row.set_label_width(width)


def tall(line: Line) -> int:
    """Rows of height that a line takes before it is mounted."""
    control = 5 if line.kind == "json" else 1
    if not line.holds or not line.field.description:
        return control
    return control + (2 if line.field.notes else 1)
