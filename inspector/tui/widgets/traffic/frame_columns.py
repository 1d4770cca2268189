"""Which columns a list of frames has room for, and what stands in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from inspector.base.text import bytes_size, cells, duration
from inspector.protocol.jsonrpc import Id
from inspector.traffic.folding import Exchange
from inspector.traffic.index import State
from inspector.traffic.judged import Verdict
from inspector.traffic.rows import Row
from inspector.traffic.show import ARROWS, KINDS, clock
from inspector.tui import guard
from inspector.tui.levels import badge
from inspector.tui.widgets.lists.line_view import fit

TITLES = {
    "gutter": "", "number": "#", "time": "time", "server": "server", "session": "conn", "dir": "", "kind": "kind",
    "told": "method / result", "id": "id", "size": "size", "took": "took", "mark": "mark",
}  # fmt: skip
CHOICES = {
    "number": "number of the row", "time": "of day, since the start or the row above", "server": "server",
    "session": "which connection of a server", "dir": "direction", "kind": "kind",
    "told": "method, or what came of it", "id": "id", "size": "size in bytes", "took": "time until the answer",
    "mark": "name of the mark",
}  # fmt: skip
"""The columns that a person may choose, and what they tell."""
USUAL = ("number", "time", "server", "dir", "kind", "told", "id", "size", "took")
_RIGHT = frozenset({"number", "session", "time", "id", "size", "took"})
_ENOUGH = 34
_AMPLE = 60
_NOTE = 12
"""Cells that a note has at the least."""
_BADGE = 8
"""Cells of what is wrong with a row: a mark, a rule, how many others."""
SLOW = 1.0
ODD_STATES = ("cancelled", "late", "duplicate", "unknown")

Styles = Callable[[str], Style]
Part = tuple[str, str]
"""A component by the last part of its name, and text."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A request that stands for its whole exchange, and the row that answered it last."""

    exchange: Exchange
    answer: Row | None


@dataclass(frozen=True, slots=True)
class Columns:
    """Names and widths in cells, from left to right, with `gap` cells between them."""

    widths: tuple[tuple[str, int], ...]
    gap: int

    def width_of(self, name: str) -> int:
        return dict(self.widths).get(name, 0)

    def at(self, cell: int) -> str:
        """The column that a cell of a line is in, the gap before it included; the last one behind the end."""
        end = 0
        for name, width in self.widths:
            end += width
            if cell < end:
                return name
            end += self.gap
        return self.widths[-1][0] if self.widths else ""


def layout(width: int, *, digits: int, server: int, names: Sequence[str] = USUAL) -> Columns:
    """The columns of those `names` that there is room for, in that order; what a row tells is always among them.
    `digits` is the length of the longest number, `server` that of the longest name of one, 0 where there is only
    one server. The least important go first."""
    gap = 2 if width >= 110 else 1
    sizes = {
        "number": max(4, digits), "time": 12, "server": min(server, 24 if width >= 150 else 14), "session": 4,
        "dir": 1, "kind": 4, "told": 0, "id": 8 if width >= 110 else 5, "size": 9, "took": 7, "mark": 12,
    }  # fmt: skip
    wanted = {"gutter": 2, **{name: sizes[name] for name in names if name in sizes}}
    wanted.setdefault("told", 0)
    if not server:
        wanted.pop("server", None)

    def told() -> int:
        return width - sum(wanted.values()) - gap * (len(wanted) - 1)

    if told() < _AMPLE and "time" in wanted:
        wanted["time"] = 8
    for name, least in (
        ("session", 0),
        ("mark", 6),
        ("server", 10),
        ("id", 0),
        ("size", 0),
        ("server", 0),
        ("time", 0),
        ("number", 0),
        ("took", 0),
    ):
        if told() >= _ENOUGH:
            break
        if least and name in wanted:
            wanted[name] = min(wanted[name], least)
        else:
            wanted.pop(name, None)
    wanted["told"] = max(8, told())
    return Columns(tuple(wanted.items()), gap)


def titles(columns: Columns) -> str:
    """The head of the list."""
    cells = [fit(TITLES[name], width, right=name in _RIGHT) for name, width in columns.widths]
    return (" " * columns.gap).join(cells)


def paint_row(
    row: Row,
    columns: Columns,
    gutter: str,
    time: str,
    styles: Styles,
    mark: str = "",
    folded: Folded | None = None,
    verdicts: Sequence[Verdict] = (),
) -> Iterator[Segment]:
    """One row in its columns. `styles` gives the style of a component by the last part of its name; `verdicts` are what
    was found wrong, the worst first."""
    gap = " " * columns.gap
    quiet = styles("quiet")
    last = columns.widths[-1][0]
    for name, width in columns.widths:
        after = "" if name == last else gap
        if name == "gutter":
            yield Segment(gutter[0], styles("mark"))
            yield Segment(gutter[1] + after, styles("pair"))
        elif name == "server":
            yield Segment(fit(guard.line(row.server), width) + after, styles("server"))
        elif name == "mark":
            yield Segment(fit(guard.line(mark), width) + after, styles("mark"))
        elif name == "dir":
            yield Segment(ARROWS[row.channel] + after, styles("out" if row.channel == "c2s" else "in"))
        elif name == "kind":
            yield Segment(fit(KINDS[row.kind], width) + after, styles(kind_style(row)))
        elif name == "told":
            parts = _parts(row) if folded is None else _folded_parts(row, folded)
            note = f"  ✎ {guard.line(row.note)}" if row.note else ""
            wrong = f"  {badge(verdicts):<{_BADGE}}" if verdicts else ""
            room = min(cells(note), max(_NOTE, width // 3))
            yield from _told(parts, width - room - len(wrong), "", styles)
            yield Segment(fit(note, room) + ("" if wrong else after), styles("note"))
            if wrong:
                yield Segment(wrong + after, styles(f"wrong-{verdicts[0].level}"))
        elif name == "took" and folded is not None:
            yield _duration(folded.exchange.took, folded.exchange.state, width, after, styles)
        elif name == "took":
            took = row.took if row.kind in ("response", "error", "http") else None
            yield _duration(took, row.state, width, after, styles)
        else:
            yield Segment(fit(_plain(row, name, width, time), width, right=True) + after, quiet)


def _plain(row: Row, name: str, width: int, time: str) -> str:
    if name == "number":
        return str(row.number)
    if name == "session":
        return str(row.session or "")
    if name == "time":
        return time[:width] if len(time) == 12 else time
    return id_text(row) if name == "id" else bytes_size(row.size)


def kind_style(row: Row) -> str:
    """The component that colours a row: its kind, but for answers that are failures."""
    return "error" if row.state == "tool error" and row.kind == "response" else row.kind


def id_text(row: Row) -> str:
    """An id as it is spelled in JSON, so that 7 and "7" differ; empty where there is none."""
    if not row.has_id:
        return ""
    value: Id | None = row.id
    try:
        return guard.line(json.dumps(value, ensure_ascii=False))
    except (ValueError, TypeError, RecursionError):
        return "?"


def oddities(row: Row) -> list[str]:
    """What is odd about a row, in a word each."""
    odd: list[str] = [row.state] if row.state in ODD_STATES and row.kind != "http" else []
    return odd + [flag for flag in row.flags if flag != "problem" or row.kind != "invalid"]


def _told(parts: Iterable[Part], width: int, after: str, styles: Styles) -> Iterator[Segment]:
    left = width
    for style, text in parts:
        if left <= 0:
            break
        shown = fit(text, left).rstrip(" ") if len(text) > left else text
        yield Segment(shown, styles(style))
        left -= len(shown) if shown.isascii() else Segment(shown).cell_length
    yield Segment(" " * left + after)


def _parts(row: Row) -> Iterator[Part]:
    """What a row says, as (component, text): oddities first, for the end may be cut off."""
    if odd := oddities(row):
        yield "odd", f"{', '.join(odd)}  "
    told = guard.line(" ".join(row.summary.split()), cut=True)
    method = guard.line(row.method) if row.method else ""
    if row.kind in ("request", "notification") and method and told.startswith(method):
        yield kind_style(row), method
        yield "text", told[len(method) :]
    elif row.kind in ("response", "error"):
        first, _, rest = told.partition(" ")
        if row.kind == "response" and row.state != "tool error":
            yield "response", first
            yield "text", f" {rest}" if rest else ""
        else:
            yield "error", told
        if method:
            yield "quiet", f"  {method}{' ' + guard.line(row.target) if row.target else ''}"
    else:
        yield ("text" if row.kind == "stderr" else kind_style(row)), told


def _folded_parts(row: Row, folded: Folded) -> Iterator[Part]:
    """Of a whole exchange: what was asked, what happened meanwhile, and what came of it."""
    yield from _parts(row)
    if between := between_told(folded.exchange):
        yield "quiet", f"  {between}"
    if folded.answer is not None:
        yield "quiet", "  ← "
        yield from (part for part in _parts(folded.answer) if part[0] != "quiet")
    elif folded.exchange.state in ("cancelled", "error"):
        yield "odd", f"  {'cancelled' if folded.exchange.state == 'cancelled' else 'no answer'}"


def between_told(exchange: Exchange) -> str:
    """What happened between a request and its answer, in numbers; empty where nothing did."""
    counts = (
        (exchange.rounds, "round of input", "rounds of input"),
        (exchange.resumed, "resumption", "resumptions"),
        (exchange.progress, "progress", "progress"),
    )
    return ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count)


def _duration(took: float | None, state: State, width: int, after: str, styles: Styles) -> Segment:
    if state == "pending":
        return Segment(fit("…", width, right=True) + after, styles("pending"))
    if took is None:
        return Segment(" " * width + after)
    style = styles("slow" if took >= SLOW else "quiet")
    return Segment(fit(duration(took), width, right=True) + after, style)


def clock_text(mode: str, base: float, moment: float, before: float) -> str:
    """A moment as `mode` wants it: time of day, seconds since the first row, or since the row above."""
    if mode == "clock":
        return clock(base + moment)
    return f"{moment - before:.3f}"
