"""Exchanges as bars over time: a row for each request, as wide as it took."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from inspector.base.text import duration
from inspector.traffic.folding import Exchange
from inspector.traffic.index import REQUEST
from inspector.traffic.lines import C2S, S2C
from inspector.traffic.query import Query
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView, fit
from inspector.tui.widgets.traffic.frame_columns import SLOW, between_told

TICK = 0.05
_SLICE = 0.008
_COLOURS = 5
_LABEL, _SERVER, _TOOK, _GAP = 44, 10, 9, 10
_ROOM_FOR_GAP = 110
_SHORTEST = 1e-5
"""Seconds that the whole width shows at the least."""
_PROGRESS = 4096
"""Rows behind a request among which its progress is looked for."""
_FAILED = frozenset({"error", "tool error", "cancelled"})


class _Requests(View):
    """The requests that begin exchanges, and nothing else."""

    def _heads(self, found: Sequence[int]) -> list[int]:
        kinds, first = self.traffic.columns.kind, self.traffic.first
        return [head for head in super()._heads(found) if head >= first and kinds[head - first] == REQUEST]


class Waterfall(LineView):
    """Of all traffic, or of the exchanges that a query finds. Shows the whole time until it is zoomed; then the part
    from `start` on that is `span` seconds long. Posts `Changed` when something else is shown or pointed at."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"waterfall--{name}"
        for name in ("quiet", "text", "error", "slow", "pending", "tick", *map(str, range(_COLOURS)))
    }
    DEFAULT_CSS = """
    Waterfall {
        & > .waterfall--quiet { color: $quiet; }
        & > .waterfall--text { color: $foreground; }
        & > .waterfall--error { color: $text-error; text-style: bold; }
        & > .waterfall--slow { color: $text-warning; }
        & > .waterfall--pending { color: $text-warning; }
        & > .waterfall--tick { color: $foreground; text-style: bold; }
        & > .waterfall--0 { color: $text-primary; }
        & > .waterfall--1 { color: $text-success; }
        & > .waterfall--2 { color: $text-accent; }
        & > .waterfall--3 { color: $text-secondary; }
        & > .waterfall--4 { color: $text-warning; }
    }
    """
    HELP = (
        "A row for each request, a bar as long as it took, in the colour of its server. ┿ is progress, ✗ a failure, "
        "┅ waits for its answer. Thin bars are requests of the server. gap is the time since the frame before."
    )

    class Changed(Message):
        """Another part of the time, another row, or more of them."""

    class Opened(Message):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, traffic: Traffic, query: Query | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.traffic = traffic
        self.view = _Requests(traffic, query, folded=True)
        self.start = 0.0
        self.span: float | None = None
        self._revision = -1
        self._behind = True

    def on_mount(self) -> None:
        self.set_interval(TICK, self.tick)
        self.tick()

    def tick(self) -> None:
        """Looks at what is new, for a slice of time."""
        if self._revision == self.traffic.revision and not self._behind:
            return
        count, at_end = len(self.view), self.cursor >= len(self.view) - 1
        self._behind = self.traffic.advance(_SLICE)
        self._behind |= self.view.extend(_SLICE)
        self._revision = self.traffic.revision
        self.lines_changed()
        if at_end and not self.traffic.read_only and len(self.view) != count:
            self.cursor = len(self.view) - 1
        self.refresh()
        self.post_message(self.Changed())

    def point(self, number: int) -> None:
        """Puts the cursor on the exchange of a row, or near to it."""
        place = self.view.place_of(self.view.listed_for(number))
        self.cursor = min(place, max(0, len(self.view) - 1))

    @property
    def selected(self) -> int | None:
        return self.view[self.cursor] if self.cursor < len(self.view) else None

    # The part of the time that is seen

    @property
    def whole(self) -> tuple[float, float]:
        """When the first row held came, and the seconds until the last one."""
        times = self.traffic.columns.time
        return (times[0], max(_SHORTEST, times[-1] - times[0])) if len(times) else (0.0, 1.0)

    @property
    def window(self) -> tuple[float, float]:
        """From when on is seen, and how many seconds."""
        return self.whole if self.span is None else (self.start, self.span)

    def zoom(self, factor: float) -> None:
        """So many times closer; what the cursor is on stays in its place."""
        start, span = self.window
        length = self.whole[1]
        wanted = max(_SHORTEST, span / factor)
        if wanted >= length:
            self.span = None
        else:
            number = self.selected
            fixed = self._time(number) if number is not None else start + span / 2
            share = min(1.0, max(0.0, (fixed - start) / span))
            self.start, self.span = fixed - share * wanted, wanted
        self._shown()

    def shift(self, share: float) -> None:
        """Moves by a part of what is seen."""
        if self.span is not None:
            begun, length = self.whole
            self.start = min(
                begun + length - self.span / 2, max(begun - self.span / 2, self.start + share * self.span)
            )
            self._shown()

    def show_all(self) -> None:
        self.span = None
        self._shown()

    def _shown(self) -> None:
        self.repaint()
        self.post_message(self.Changed())

    def watch_cursor(self, before: int, cursor: int) -> None:
        super().watch_cursor(before, cursor)
        number = self.selected
        if self.span is not None and number is not None:
            at = self._time(number)
            if not self.start <= at < self.start + self.span:
                self.start = at - self.span / 10
                self.repaint()
        self.post_message(self.Changed())

    def _time(self, number: int) -> float:
        return self.traffic.columns.time[number - self.traffic.first]

    # What is painted

    def areas(self, width: int) -> tuple[int, int, int]:
        """The cells of the labels, the bars, and the figures at the right."""
        right = _TOOK + (_GAP if width >= _ROOM_FOR_GAP else 0)
        label = min(_LABEL, width // 3)
        return label, max(8, width - label - right - 1), right

    def line_count(self) -> int:
        return len(self.view)

    def empty_text(self) -> str:
        return "no requests here"

    def line_key(self, index: int) -> Hashable:
        number = self.view[index]
        exchange = self.traffic.folding.exchange(number)
        now = self.traffic.columns.time[-1] if exchange is not None and exchange.answer is None else 0
        return number, exchange, self.window, now

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        number = self.view[index]
        exchange = self.traffic.folding.exchange(number)
        if exchange is None:
            return
        columns, position = self.traffic.columns, number - self.traffic.first
        label, bar, right = self.areas(width)
        colour = self.component(f"waterfall--{self._colour(columns.session[position])}")
        yield Segment("● ", colour)
        room = label - 2
        if len(self._labels()) > 1:
            yield Segment(
                fit(guard.line(self.traffic.label(columns.session[position])), _SERVER) + " ", colour
            )
            room -= _SERVER + 1
        name = columns.names.name
        subject = name(columns.target[position]) or name(columns.method[position])
        subject = subject or self.traffic.row(number).method or ""
        yield Segment(fit(guard.line(subject, cut=True), room) + " ", self.component("waterfall--text"))
        yield from self._bar(exchange, bar, colour)
        yield self._took(exchange)
        if right > _TOOK:
            gap = self.gap(number)
            told = f"+{duration(gap)}" if gap is not None else ""
            yield Segment(fit(told, _GAP, right=True), self.component("waterfall--quiet"))

    def _labels(self) -> list[str]:
        return list(dict.fromkeys(each.label for each in self.traffic.sessions.values()))

    def _colour(self, session: int) -> int:
        labels, label = self._labels(), self.traffic.label(session)
        return labels.index(label) % _COLOURS if label in labels else 0

    def _bar(self, exchange: Exchange, width: int, colour: Style) -> Iterator[Segment]:
        start, span = self.window
        begun = self._time(exchange.number)
        if exchange.answer is not None:
            ended = self._time(exchange.answer)
        else:
            ended = self.traffic.columns.time[-1] if exchange.state == "pending" else begun
        left, end = (begun - start) / span * width, (ended - start) / span * width
        if end < 0 or left >= width:
            edge = "‹" + " " * (width - 1) if end < 0 else " " * (width - 1) + "›"
            yield Segment(edge, self.component("waterfall--quiet"))
            return
        first = min(width - 1, max(0, int(left)))
        last = min(width - 1, max(first, int(end)))
        ours = self.traffic.columns.channel[exchange.number - self.traffic.first] == C2S
        line = "┅" if exchange.state == "pending" else "━" if ours else "─"
        cells = [line] * (last - first + 1)
        for moment in self._progress(exchange):
            if 0 <= (at := int((moment - start) / span * width) - first) < len(cells):
                cells[at] = "┿"
        failed = exchange.state in _FAILED
        if failed and end < width:
            cells[-1] = "✗"
        style = self.component("waterfall--error") if failed else colour
        if exchange.state == "pending":
            style = self.component("waterfall--pending")
        yield Segment(" " * first)
        yield Segment("".join(cells), style)
        yield Segment(" " * (width - 1 - last))

    def _progress(self, exchange: Exchange) -> Iterator[float]:
        """When progress was told of it."""
        if not exchange.progress:
            return
        columns, first = self.traffic.columns, self.traffic.first
        begin = exchange.number - first + 1
        end = exchange.answer - first if exchange.answer is not None else columns.described
        peers = columns.peer[begin : min(end, begin + _PROGRESS)]
        at = -1
        while True:
            try:
                at = peers.index(exchange.number + 1, at + 1)
            except ValueError:
                return
            yield columns.time[begin + at]

    def _took(self, exchange: Exchange) -> Segment:
        if exchange.took is None:
            pending = exchange.state == "pending"
            return Segment(
                fit("…" if pending else "", _TOOK, right=True), self.component("waterfall--pending")
            )
        style = self.component("waterfall--slow" if exchange.took >= SLOW else "waterfall--quiet")
        return Segment(fit(duration(exchange.took), _TOOK, right=True), style)

    def gap(self, number: int) -> float | None:
        """Seconds since the frame before; None where there is none."""
        columns = self.traffic.columns
        for position in range(number - self.traffic.first - 1, -1, -1):
            if columns.channel[position] <= S2C:
                return self._time(number) - columns.time[position]
        return None

    def told(self, number: int) -> str:
        """One exchange in a line; foreign and unescaped."""
        exchange = self.traffic.folding.exchange(number)
        row = self.traffic.row(number)
        parts = [f"#{number} {row.server} {row.summary}", f"at {duration(row.time - self.whole[0])}"]
        if (gap := self.gap(number)) is not None:
            parts.append(f"{duration(gap)} after the frame before")
        if exchange is not None:
            took = f" in {duration(exchange.took)}" if exchange.took is not None else ""
            parts += [f"{exchange.state}{took}", between_told(exchange)]
        return " · ".join(filter(None, parts))

    def action_open(self) -> None:
        if (number := self.selected) is not None:
            self.post_message(self.Opened(number))


def axis(width: int, begun: float, start: float, span: float) -> str:
    """Times along so many cells, as seconds since `begun`."""
    line = [" "] * width
    step = _step(span * 14 / max(1, width))
    number = -(-(start - begun) // step)
    while (moment := begun + number * step) < start + span:
        at = int((moment - start) / span * width)
        text = "│" + (duration(number * step) if number else "0")
        if number >= 0 and at + len(text) <= width:
            line[at : at + len(text)] = text
        number += 1
    return "".join(line)


def _step(least: float) -> float:
    """The next of 1, 2, 5, 10 ... that is no less."""
    steps = [base * 10.0**power for power in range(-6, 7) for base in (1, 2, 5)]
    return steps[min(len(steps) - 1, bisect_left(steps, least))]
