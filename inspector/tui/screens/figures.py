"""How often and how fast: the requests of the traffic by method and tool."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.base.text import cells, duration
from inspector.traffic.stats import Calls, Tally
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.registry import bindings, label
from inspector.tui.screens.dialog import Dialog, MovesList

_SLICE = 20_000
_MOST = 500
_PERCENTS = (50, 95, 99, 100)
_ORDERS: tuple[tuple[str, Callable[[Calls], Any]], ...] = (
    ("most frequent first", lambda calls: -calls.count),
    ("slowest first", lambda calls: -(calls.percentiles(50)[0] or 0.0)),
    ("most failures first", lambda calls: (-calls.errors, -calls.count)),
)
_TITLES = ("CALLS", "FAILED", "OPEN", "P50", "P95", "P99", "MAX")
_WIDTHS = (7, 7, 6, 8, 8, 8, 8)
_NARROW, _FEW = 100, 5
"""Below this width so many columns are shown, so that names keep their room."""
_AROUND = 6
"""Rows of height that the dialog has beside its list."""


class FiguresScreen(MovesList, ModalScreen[str | None]):
    """Ends with the filter that finds what was chosen."""

    DEFAULT_CSS = """
    FiguresScreen {
        & > Dialog { width: 120; max-width: 100%; height: auto; max-height: 100%; padding: 0 1; }
        OptionList { height: auto; background: $surface; }
        Static { height: 1; color: $quiet; text-wrap: nowrap; }
        #keys { margin-top: 1; }
    }
    """
    SCOPE = "figures"
    BINDINGS: ClassVar[list[BindingType]] = bindings("figures")

    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self._traffic = traffic
        self._calls: list[Calls] = []
        self._order = 0
        self._titles = Static(markup=False)
        self._list = OptionList(markup=False, compact=True)
        self._keys = Static(id="keys", markup=False)

    def compose(self) -> ComposeResult:
        with Dialog() as box:
            box.border_title = "Requests by method and tool"
            yield self._titles
            yield self._list
            yield self._keys

    def on_mount(self) -> None:
        self._list.focus()
        self._tell_keys("counting …")
        self._count()

    def on_resize(self) -> None:
        self._fill()

    @work(group="figures", exclusive=True)
    async def _count(self) -> None:
        tally = Tally(self._traffic)
        while tally.take(_SLICE):
            await asyncio.sleep(0)
        self._calls = tally.calls()
        self._fill()

    def _tell_keys(self, said: str) -> None:
        keys = (("go", "filters by it"), ("sort", "sorts"), ("close", "closes"))
        told = " · ".join(f"{label(f'figures.{key}')} {what}" for key, what in keys)
        self._keys.update(Content(f"{told} · {said}"))

    def _fill(self) -> None:
        word, key = _ORDERS[self._order]
        self._calls.sort(key=key)
        columns = _FEW if self.size.width < _NARROW else len(_WIDTHS)
        room = max(16, min(116, self.size.width - 4) - sum(_WIDTHS[:columns]) - 2)
        self._list.styles.max_height = max(3, self.size.height - _AROUND)
        shown = self._calls[:_MOST]
        several = len({calls.server for calls in self._calls}) > 1
        self._titles.update(Content(f"{'':<{room}}" + _columns(_TITLES[:columns])))
        self._list.clear_options()
        self._list.add_options([Option(_line(calls, room, several, columns)) for calls in shown])
        self._list.highlighted = 0 if shown else None
        left = f", the first {_MOST} of {len(self._calls):,}" if len(self._calls) > _MOST else ""
        self._tell_keys(f"{word}{left}" if shown else "there are no requests yet")

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._list.highlighted = event.option_index
        self.action_go()

    def action_go(self) -> None:
        at = self._list.highlighted
        self.dismiss(_filter(self._calls[at]) if at is not None else None)

    def action_sort(self) -> None:
        self._order = (self._order + 1) % len(_ORDERS)
        self._fill()

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


def _columns(texts: tuple[str, ...]) -> str:
    return "".join(f"{text:>{width}}" for text, width in zip(texts, _WIDTHS, strict=False))


def _line(calls: Calls, room: int, several: bool, columns: int) -> Content:
    name = f"{calls.server}  " if several else ""
    subject = " ".join(filter(None, (calls.method, calls.target)))
    told = guard.line(f"{name}{'' if calls.ours else '← '}{subject}", cut=True)
    title = Content(told).truncate(room, ellipsis=True, pad=True)
    times = tuple("" if took is None else duration(took) for took in calls.percentiles(*_PERCENTS))
    counts = f"{calls.count:>{_WIDTHS[0]},}"
    failed = f"{calls.errors or '':>{_WIDTHS[1]}}"
    waiting = f"{calls.pending or '':>{_WIDTHS[2]}}"
    rest = "".join(f"{text:>{width}}" for text, width in zip(times, _WIDTHS[3:columns], strict=False))
    return title + Content.assemble(
        (counts, ""), (failed, "$text-error"), (waiting, "$text-warning"), (rest, "$quiet")
    )


def _filter(calls: Calls) -> str:
    """Words of the filter; names with blanks or signs of its language are put into quotes."""
    parts = [("dir", "out" if calls.ours else "in"), ("server", calls.server), ("method", calls.method)]
    if calls.target:
        parts.append(("tool", calls.target))
    return " ".join(f"{name}:{_quoted(value)}" for name, value in parts if value)


def _quoted(value: str) -> str:
    plain = all(char.isalnum() or char in "_-./" for char in value)
    return value if plain and cells(value) else '"' + value.replace('"', "") + '"'
