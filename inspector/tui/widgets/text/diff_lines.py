"""Two texts line by line, what is equal folded away: one below the other, or side by side where there is room."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.cells import cell_len
from rich.segment import Segment
from textual import events

from inspector.base.jsondiff import align
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView
from inspector.tui.widgets.text.wrapping import wrap

WIDE = 110
"""Cells of width from which the two stand side by side."""
_CONTEXT = 3
_LONGEST = 200_000
"""Characters of one line that are shown."""

Kind = Literal["same", "gap", "pair", "old", "new"]
Blocks = list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Half:
    """A piece of a line as it is shown; `hot` is the part that differs. `number` counts from 1, 0 where the line goes
    on from the row above."""

    text: str
    number: int = 0
    hot: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Row:
    kind: Kind
    old: Half | None = None
    new: Half | None = None
    note: str = ""


class DiffLines(LineView):
    """`load` takes the lines and how they are aligned, as `compare_lines` finds it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "diff-lines--old", "diff-lines--new", "diff-lines--hot-old", "diff-lines--hot-new", "diff-lines--quiet",
    }  # fmt: skip
    DEFAULT_CSS = """
    DiffLines {
        & > .diff-lines--old { color: $text-error; }
        & > .diff-lines--new { color: $text-success; }
        & > .diff-lines--hot-old { color: $text-error; text-style: bold underline; }
        & > .diff-lines--hot-new { color: $text-success; text-style: bold underline; }
        & > .diff-lines--quiet { color: $quiet; }
    }
    """
    HELP = "Red and − is what was, green and + what is; the part that differs is underlined."

    def __init__(self, *, id: str | None = None, wide: int = WIDE, whole: bool = False) -> None:
        """Side by side from `wide` cells on; `whole` folds nothing away."""
        super().__init__(id=id)
        self._wide = wide
        self._around = sys.maxsize if whole else _CONTEXT
        self._old: Sequence[str] = ()
        self._new: Sequence[str] = ()
        self._blocks: Blocks = []
        self._rows: list[Row] = []
        self._serial = 0
        self._laid_out = (0, -1)
        self._nothing = ""

    def load(self, old: Sequence[str], new: Sequence[str], blocks: Blocks, nothing: str = "") -> None:
        """`nothing` is said where there is no line at all; safe text."""
        self._old, self._new, self._blocks, self._nothing = old, new, blocks, nothing
        self._laid_out = (0, -1)
        self.set_reactive(DiffLines.cursor, 0)
        self._lay_out()
        self.scroll_to(y=0, animate=False, force=True)

    @property
    def whole(self) -> bool:
        """Whether nothing is folded away."""
        return self._around == sys.maxsize

    @whole.setter
    def whole(self, whole: bool) -> None:
        self._around = sys.maxsize if whole else _CONTEXT
        self.reload()

    def reload(self) -> None:
        self._laid_out = (0, -1)
        self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()

    @property
    def split(self) -> bool:
        return self.line_width >= self._wide

    def _lay_out(self) -> None:
        width = self.line_width
        if width <= 0 or self._laid_out == (width, guard.epoch()):
            return
        self._laid_out = (width, guard.epoch())
        room = (width - 3) // 2 - self._gutter - 2 if self.split else width - 2 - 2 * self._gutter
        self._rows = list(_rows(self._old, self._new, self._blocks, max(8, room), self.split, self._around))
        self._serial += 1
        self.lines_changed()
        self.repaint()

    @property
    def _gutter(self) -> int:
        return len(str(max(len(self._old), len(self._new), 1))) + 1

    def line_count(self) -> int:
        return len(self._rows)

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def empty_text(self) -> str:
        return self._nothing

    def step(self, by: int) -> bool:
        """To the next place that differs, or the one before; False where there is none."""
        starts = [
            number
            for number, row in enumerate(self._rows)
            if row.kind in ("old", "new", "pair")
            and (number == 0 or self._rows[number - 1].kind in ("same", "gap"))
        ]
        found = [at for at in starts if (at > self.cursor if by > 0 else at < self.cursor)]
        if found:
            self.cursor = found[0] if by > 0 else found[-1]
        return bool(found)

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        row = self._rows[index]
        quiet = self.component("diff-lines--quiet")
        if row.kind == "gap":
            yield Segment(f"{' ' * self._gutter}⋯ {row.note}", quiet)
        elif self.split:
            half = (width - 3) // 2
            yield from self._half(row.old, row.kind != "same", "old", half)
            yield Segment(" │ ", quiet)
            yield from self._half(row.new, row.kind != "same", "new", half)
        else:
            yield from self._unified(row)

    def _unified(self, row: Row) -> Iterator[Segment]:
        gutter, quiet = self._gutter, self.component("diff-lines--quiet")
        old, new = row.old, row.new
        left = str(old.number) if old is not None and old.number else ""
        right = str(new.number) if new is not None and new.number else ""
        yield Segment(f"{left:>{gutter - 1}} {right:>{gutter - 1}} ", quiet)
        side = "old" if new is None else "new"
        if row.kind == "same":
            yield Segment("  ", quiet)
            yield Segment(new.text if new is not None else "")
        else:
            yield Segment("− " if side == "old" else "+ ", self.component(f"diff-lines--{side}"))
            half = old if new is None else new
            assert half is not None
            yield from self._hot(half, side)

    def _half(self, half: Half | None, differs: bool, side: str, width: int) -> Iterator[Segment]:
        gutter = self._gutter
        if half is None:
            yield Segment(" " * width)
            return
        sign = ("− " if side == "old" else "+ ") if differs else "  "
        style = self.component(f"diff-lines--{side}" if differs else "diff-lines--quiet")
        yield Segment(f"{half.number or '':>{gutter - 1}} {sign}", style)
        if differs:
            yield from self._hot(half, side)
        else:
            yield Segment(half.text)
        yield Segment(" " * max(0, width - gutter - 2 - cell_len(half.text)))

    def _hot(self, half: Half, side: str) -> Iterator[Segment]:
        first, last = half.hot
        plain = self.component(f"diff-lines--{side}")
        yield Segment(half.text[:first], plain)
        yield Segment(half.text[first:last], self.component(f"diff-lines--hot-{side}"))
        yield Segment(half.text[last:], plain)

    def copy_offer(self) -> tuple[str, str] | None:
        """The difference as text, as `diff -u` writes it without its heads."""
        lines = []
        for mark, old, new in _entries(self._old, self._new, self._blocks, _CONTEXT):
            if mark == "gap":
                lines.append("@@")
            elif mark == "same":
                lines.append(f" {self._old[old]}")
            elif mark == "old":
                lines.append(f"-{self._old[old]}")
            else:
                lines.append(f"+{self._new[new]}")
        return ("The difference", guard.masked("\n".join(lines))) if lines else None


def compare_lines(old: Sequence[str], new: Sequence[str]) -> Blocks:
    """How two texts are aligned; to be called in a thread where they are long."""
    return align(old, new)


def _entries(
    old: Sequence[str], new: Sequence[str], blocks: Blocks, context: int
) -> Iterator[tuple[str, int, int]]:
    """`same`, `old`, `new` or `gap` with the indexes, in order. A gap has the count of what it hides."""
    at = to = 0
    ends = (len(old), len(new), 0)
    for first, second, count in [*blocks, ends]:
        yield from (("old", number, -1) for number in range(at, first))
        yield from (("new", -1, number) for number in range(to, second))
        head = context if at or to or first or second else 0
        tail = context if (first + count, second + count) != (len(old), len(new)) else 0
        if count > head + tail + 1 and context < sys.maxsize:
            yield from (("same", first + step, second + step) for step in range(head))
            yield "gap", count - head - tail, 0
            yield from (("same", first + step, second + step) for step in range(count - tail, count))
        else:
            yield from (("same", first + step, second + step) for step in range(count))
        at, to = first + count, second + count


def _rows(
    old: Sequence[str], new: Sequence[str], blocks: Blocks, room: int, split: bool, context: int
) -> Iterator[Row]:
    gone: list[int] = []
    come: list[int] = []
    for kind, left, right in _entries(old, new, blocks, context):
        if kind == "old":
            gone.append(left)
            continue
        if kind == "new":
            come.append(right)
            continue
        yield from _changed(old, new, gone, come, room, split)
        gone, come = [], []
        if kind == "gap":
            yield Row("gap", note="1 line is the same" if left == 1 else f"{left:,} lines are the same")
        else:
            text = guard.line(new[right][:_LONGEST], cut=len(new[right]) > _LONGEST)
            for at, (first, last) in enumerate(wrap(text, room)):
                piece = text[first:last]
                yield Row("same", Half(piece, 0 if at else left + 1), Half(piece, 0 if at else right + 1))
    yield from _changed(old, new, gone, come, room, split)


def _changed(
    old: Sequence[str], new: Sequence[str], gone: list[int], come: list[int], room: int, split: bool
) -> Iterator[Row]:
    lefts: list[list[Half]] = []
    rights: list[list[Half]] = []
    for number in range(max(len(gone), len(come))):
        before = _shown(old[gone[number]]) if number < len(gone) else None
        after = _shown(new[come[number]]) if number < len(come) else None
        head, tail = _common(before, after)
        if before is not None:
            lefts.append(_halves(before, gone[number] + 1, (head, len(before) - tail), room))
        if after is not None:
            rights.append(_halves(after, come[number] + 1, (head, len(after) - tail), room))
    if not split:
        yield from (Row("old", old=half) for halves in lefts for half in halves)
        yield from (Row("new", new=half) for halves in rights for half in halves)
        return
    for number in range(max(len(lefts), len(rights))):
        left = lefts[number] if number < len(lefts) else []
        right = rights[number] if number < len(rights) else []
        for step in range(max(len(left), len(right))):
            yield Row(
                "pair",
                left[step] if step < len(left) else None,
                right[step] if step < len(right) else None,
            )


def _shown(line: str) -> str:
    return guard.line(line[:_LONGEST], cut=len(line) > _LONGEST)


def _common(before: str | None, after: str | None) -> tuple[int, int]:
    """How much of two lines is the same at their start and end; nothing is hot where a line has no partner."""
    if before is None or after is None:
        return len(before or after or ""), 0
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    # Where nearly all is different, marking it says nothing.
    return (head, tail) if head + tail > 2 else (max(len(before), len(after)), 0)


def _halves(text: str, number: int, hot: tuple[int, int], room: int) -> list[Half]:
    return [
        Half(
            text[first:last],
            0 if at else number,
            (min(max(hot[0] - first, 0), last - first), min(max(hot[1] - first, 0), last - first)),
        )
        for at, (first, last) in enumerate(wrap(text, room))
    ]
