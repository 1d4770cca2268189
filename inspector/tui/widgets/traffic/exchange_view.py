"""A request with everything that belongs to it, as one conversation: progress, cancel, answer, times."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from inspector.base.text import bytes_size, duration
from inspector.traffic.lines import HTTP
from inspector.traffic.rows import Row
from inspector.traffic.show import ARROWS, KINDS
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.widgets.lists.line_view import LineView, fit
from inspector.tui.widgets.traffic.frame_columns import kind_style, oddities

_BAR = 24
_ROOM_FOR_BAR = 80
_MOST = 2000
"""Rows of one conversation that are shown: a call may report progress for hours."""


def conversation(traffic: Traffic, number: int) -> list[int]:
    """The rows of the conversation that a row belongs to, oldest first: just the row where it belongs to none."""
    found: set[int] = set()
    waiting = [number]
    while waiting and len(found) < _MOST:
        at = waiting.pop()
        if at in found:
            continue
        found.add(at)
        # Of what belongs to a request only answers lead on, to the next round of it.
        if at == number or traffic.row(at).kind in ("request", "response"):
            waiting += traffic.linked(at)
    return sorted({*found, *_resumptions(traffic, found)})


def _resumptions(traffic: Traffic, rows: set[int]) -> Iterator[int]:
    """Where the event stream of one of these requests was taken up again: parts of its HTTP exchange."""
    columns, first = traffic.columns, traffic.first
    for number in rows:
        exchange = traffic.folding.exchange(number)
        if exchange is None or not exchange.resumed:
            continue
        wanted = columns.exchange[number - first]
        for row in range(number + 1, min(traffic.described, number + _MOST)):
            at = row - first
            if (
                columns.exchange[at] == wanted
                and columns.channel[at] == HTTP
                and b'"resume"' in traffic.raw(row)[:60]
            ):
                yield row


class ExchangeView(LineView):
    """Posts `Wanted` with the number of a row that is to be shown."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"exchange--{name}"
        for name in (
            "quiet",
            "text",
            "request",
            "notification",
            "response",
            "error",
            "bar",
            "here",
            "odd",
            "wait",
        )
    }
    DEFAULT_CSS = """
    ExchangeView {
        & > .exchange--quiet { color: $quiet; }
        & > .exchange--text { color: $foreground; }
        & > .exchange--request { color: $text-primary; text-style: bold; }
        & > .exchange--notification { color: $text-secondary; }
        & > .exchange--response { color: $text-success; }
        & > .exchange--error { color: $text-error; text-style: bold; }
        & > .exchange--bar { color: $text-accent; }
        & > .exchange--here { color: $text-accent; text-style: bold; }
        & > .exchange--odd { color: $text-warning; text-style: bold; }
        & > .exchange--wait { color: $text-warning; }
    }
    """
    HELP = (
        "The whole conversation of a request: what was asked, progress, cancel, the answer. At the left the time since"
        " the request and since the line above. Enter goes to a frame."
    )

    class Wanted(Message):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, traffic: Traffic, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._traffic = traffic
        self._rows: list[Row] = []
        self._left_out = 0
        self._here = -1
        self._serial = 0

    def load(self, number: int) -> None:
        """Shows the conversation of a row, with the cursor on it."""
        numbers = conversation(self._traffic, number)
        self._left_out = max(0, len(numbers) - _MOST)
        if self._left_out:
            half = _MOST // 2
            numbers = sorted({*numbers[:half], *numbers[-half:], number})
        self._rows = [self._traffic.row(each) for each in numbers if each >= self._traffic.first]
        self._here = number
        self._serial += 1
        self.lines_changed()
        self.cursor = next((at for at, row in enumerate(self._rows) if row.number == number), 0)
        self.repaint()

    @property
    def _pending(self) -> bool:
        return bool(self._rows) and self._rows[0].state == "pending"

    def line_count(self) -> int:
        return len(self._rows) + 2

    def line_key(self, index: int) -> Hashable:
        return self._serial, index

    def paint(self, index: int, width: int) -> Iterator[Segment]:
        if index < len(self._rows):
            yield from self._row(index, width)
        elif index == len(self._rows) + 1:
            yield from self._summary()

    def _row(self, index: int, width: int) -> Iterator[Segment]:
        row, first = self._rows[index], self._rows[0]
        above = self._rows[index - 1] if index else row
        quiet, style = self.component("exchange--quiet"), self._tone(row)
        here = row.number == self._here
        yield Segment("▌" if here else " ", self.component("exchange--here"))
        offset = f"+{duration(row.time - first.time)}" if index else "0"
        step = f"{duration(row.time - above.time)}" if index > 1 else ""
        yield Segment(f"{offset:>10} {step:>9}  ", quiet)
        yield Segment(f"{ARROWS[row.channel]} {KINDS[row.kind]:<4}", style)
        tail = f"{bytes_size(row.size):>10}  #{row.number:<6}"
        bar = min(_BAR, width - _ROOM_FOR_BAR) if width >= _ROOM_FOR_BAR + 8 else 0
        room = max(8, width - 29 - len(tail) - (bar + 2 if bar else 0))
        odd = oddities(row)
        told = guard.line(" ".join(row.summary.split()), cut=True).removeprefix("notifications/")
        if odd:
            word = fit(f"{', '.join(odd)}  ", min(room, 20)).rstrip() + " "
            yield Segment(word, self.component("exchange--odd"))
            room -= len(word)
        yield Segment(fit(told, room), style if row.kind in ("request", "error") else Style.null())
        yield Segment(tail, quiet)
        if bar:
            yield from self._bar(row, bar)

    def _bar(self, row: Row, width: int) -> Iterator[Segment]:
        """Where the row is in the time of the whole."""
        first, last = self._rows[0], self._rows[-1]
        span = last.time - first.time
        at = round((row.time - first.time) / span * (width - 1)) if span > 0 else 0
        yield Segment("  " + "─" * at + "●", self.component("exchange--bar"))

    def _summary(self) -> Iterator[Segment]:
        quiet = self.component("exchange--quiet")
        if self._pending:
            yield Segment("  not answered yet", self.component("exchange--wait"))
        elif len(self._rows) == 1:
            yield Segment("  nothing else belongs to this frame", quiet)
        else:
            took = duration(self._rows[-1].time - self._rows[0].time)
            count = f"{len(self._rows) + self._left_out} frames in {took}"
            yield Segment(f"  {count}; enter goes to a frame", quiet)
        if self._left_out:
            yield Segment(f"  · {self._left_out} in the middle are left out", quiet)

    def _tone(self, row: Row) -> Style:
        name = kind_style(row)
        return self.component(f"exchange--{name if name in _TONES else 'text'}")

    def action_open(self) -> None:
        if self.cursor < len(self._rows):
            self.post_message(self.Wanted(self._rows[self.cursor].number))

    def copy_offer(self) -> tuple[str, str] | None:
        """The lines as text."""
        if not self._rows:
            return None
        lines = ["".join(segment.text for segment in self._row(at, 100)) for at in range(len(self._rows))]
        return "The conversation", "\n".join(line.strip() for line in lines)


_TONES = frozenset({"request", "notification", "response", "error"})
