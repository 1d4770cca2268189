"""How often, how fast and when: the requests of the traffic by server, method and tool, with charts of the chosen
ones. It goes on counting while it is open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.base.text import cells, duration
from inspector.traffic.stats import Calls, Tally, together
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.registry import bindings, label
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.lists.moving import Options
from inspector.tui.widgets.traffic import charts

_SLICE = 20_000
_MOST = 500
_PACE = 1.0
_AT_MOST = 20
"""Counting and painting take one part of so many of the time, however much there is to count."""
_ORDERS: tuple[tuple[str, Callable[[Calls], Any]], ...] = (
    ("most frequent first", lambda calls: -calls.count),
    ("slowest first", lambda calls: -calls.longest),
    ("most failures first", lambda calls: (-calls.errors, -calls.count)),
)
_WIDE = (("CALLS", 8), ("FAILED", 8), ("OPEN", 6), ("P50", 9), ("P95", 9), ("P99", 9), ("MAX", 9))
_NARROW = (("CALLS", 7), ("FAILED", 7), ("P50", 9), ("P95", 9), ("MAX", 9))
_PERCENTS = {"P50": 50, "P95": 95, "P99": 99, "MAX": 100}
_TONES = {"FAILED": "$text-error", "OPEN": "$text-warning", "CALLS": "$foreground"}
_NARROW_BELOW = 100
_AROUND = 2
_NAME = 20
"""Cells that the name of a server has at most."""


class FiguresScreen(Screen[str | int | None]):
    """Ends with the filter that finds what was chosen, or with the row of its slowest answer."""

    DEFAULT_CSS = """
    FiguresScreen {
        background: $background;
        & > .head { height: 1; padding: 0 1; background: $surface; text-style: bold; text-wrap: nowrap; }
        & > #charts { height: auto; padding: 1 1 0 1; }
        & > #charts > #lengths { width: auto; padding: 0 0 0 2; }
        & > #charts > #moments { width: 1fr; }
        & > .titles {
            height: 1; margin: 1 0 0 0; padding: 0 1; color: $quiet; text-wrap: nowrap; background: $surface;
        }
        & > OptionList { height: 1fr; margin: 0 1; background: $background; }
        & > #none { display: none; height: 1fr; padding: 1 2; color: $quiet; }
    }
    """
    SCOPE = "figures"
    BINDINGS: ClassVar[list[BindingType]] = bindings("figures")

    def __init__(self, traffic: Traffic, tally: Tally) -> None:
        """`tally` is what was counted before; it is counted on."""
        super().__init__()
        self._traffic, self._tally = traffic, tally
        self._calls: list[Calls] = []
        """What is listed; the first are all of them together."""
        self._order = 0
        self._server = ""
        self._counted: object = None
        self._head = Static(classes="head", markup=False)
        self._moments = Static(id="moments", markup=False)
        self._lengths = Static(id="lengths", markup=False)
        self._titles = Static(classes="titles", markup=False)
        self._list = Options(markup=False, compact=True)
        self._none = Static(
            "Nothing was asked yet. A call of a tool is counted here as soon as it is made, and so is all of a"
            f" recording that is opened. {label('figures.close')} goes back.",
            id="none", markup=False,
        )  # fmt: skip

    def compose(self) -> ComposeResult:
        yield self._head
        with Horizontal(id="charts"):
            yield self._moments
            yield self._lengths
        yield self._titles
        yield self._list
        yield self._none
        yield KeyBar()

    def on_mount(self) -> None:
        self._list.focus()
        self._head.update("Figures · counting …")
        self._count()

    def on_resize(self) -> None:
        self._fill()

    @work(group="figures", exclusive=True)
    async def _count(self) -> None:
        while True:
            began = time.monotonic()
            while self._tally.take(_SLICE):
                await asyncio.sleep(0)
            self._tally.look_again()
            counted = self._tally.state
            if counted != self._counted:
                self._counted = counted
                self._fill()
            await asyncio.sleep(max(_PACE, _AT_MOST * (time.monotonic() - began)))

    def _fill(self) -> None:
        """Lists what was counted; what is highlighted stays so."""
        if self._counted is None:
            return
        chosen = self._chosen
        found = self._tally.calls()
        servers = {calls.server for calls in found}
        listed = [calls for calls in found if self._server in ("", calls.server)]
        for part in (self.query_one("#charts"), self._titles, self._list):
            part.display = bool(listed)
        self._none.display = not listed
        if not listed:
            self._head.update("Figures")
            return
        word, key = _ORDERS[self._order]
        listed.sort(key=key)
        whole = together(listed, self._server)
        self._calls = [whole, *listed[:_MOST]]
        columns = _NARROW if self.size.width < _NARROW_BELOW else _WIDE
        room = max(16, self.size.width - sum(width for _, width in columns) - _AROUND - 2)
        several = len(servers) > 1 and not self._server
        names = min(_NAME, max(map(cells, servers))) if several else 0
        self._titles.update(
            Content(f"{'METHOD AND TOOL':<{room}}" + "".join(f"{t:>{w}}" for t, w in columns))
        )
        self._list.clear_options()
        self._list.add_options([Option(_line(calls, room, names, columns)) for calls in self._calls])
        same = (
            at for at, calls in enumerate(self._calls) if chosen is not None and _name(calls) == _name(chosen)
        )
        self._list.highlighted = next(same, 0)
        left = f", the first {_MOST} of {len(listed):,}" if len(listed) > _MOST else ""
        where = guard.line(self._server) if self._server else "all servers" if several else "all"
        facts = [where, f"{whole.count:,} requests", f"{whole.errors:,} failed", f"{word}{left}"]
        self._head.update(Content.assemble("Figures  ", (" · ".join(facts), "not bold $quiet")))
        self._draw()

    @property
    def _chosen(self) -> Calls | None:
        at = self._list.highlighted
        return self._calls[at] if at is not None and at < len(self._calls) else None

    def _draw(self) -> None:
        """The charts of what is highlighted."""
        chosen = self._chosen
        if chosen is None:
            return
        height = 3 if self.size.height < 30 else 5 if self.size.height < 50 else 8
        parts = [chosen] if chosen.method else [
            calls for calls in self._tally.calls() if self._server in ("", calls.server)
        ]  # fmt: skip
        width = max(20, self.size.width - charts.LENGTHS_WIDTH - 4 - _AROUND)
        self._moments.update(charts.moments(parts, self._traffic.base_time, width, height))
        self._lengths.update(charts.lengths(chosen, height))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._draw()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._list.highlighted = event.option_index
        self.action_go()

    def action_go(self) -> None:
        self.dismiss(_filter(self._chosen) if self._chosen is not None else None)

    def action_slowest(self) -> None:
        if self._chosen is None or self._chosen.slowest is None:
            self.notify("none of these was answered yet", timeout=3, markup=False)
        else:
            self.dismiss(self._chosen.slowest)

    def action_sort(self) -> None:
        self._order = (self._order + 1) % len(_ORDERS)
        self._fill()

    def action_server(self) -> None:
        """The requests of the next server alone; after the last one those of all."""
        names = ["", *sorted({calls.server for calls in self._tally.calls()})]
        self._server = names[(names.index(self._server) + 1) % len(names)] if self._server in names else ""
        self._list.highlighted = 0
        self._fill()

    def action_close(self) -> None:
        self.dismiss(None)


def _name(calls: Calls) -> tuple[object, ...]:
    return calls.server, calls.method, calls.target, calls.ours


def _line(calls: Calls, room: int, names: int, columns: Sequence[tuple[str, int]]) -> Content:
    """`names` is the room for the name of the server, 0 where it is not told."""
    if calls.method:
        subject = " ".join(filter(None, (calls.method, calls.target)))
        title = Content(guard.line(f"{'' if calls.ours else '← '}{subject}", cut=True))
        if names:
            server = guard.safe(calls.server).truncate(names, ellipsis=True, pad=True)
            title = Content.assemble(server, "  ", title)
    else:
        title = Content.styled("all requests", "bold")
    parts: list[Content | tuple[str, str]] = [title.truncate(room, ellipsis=True, pad=True)]
    for word, width in columns:
        if (percent := _PERCENTS.get(word)) is not None:
            took = calls.percentiles(percent)[0]
            told = "" if took is None else duration(took)
        else:
            number = {"CALLS": calls.count, "FAILED": calls.errors, "OPEN": calls.pending}[word]
            told = f"{number:,}" if number else ""
        parts.append((f"{told:>{width}}", _TONES.get(word, "$quiet")))
    return Content.assemble(*parts)


def _filter(calls: Calls) -> str:
    """Words of the filter; names with blanks or signs of its language are put into quotes."""
    parts = [("server", calls.server), ("method", calls.method), ("tool", calls.target or "")]
    if calls.method:
        parts.insert(0, ("dir", "out" if calls.ours else "in"))
    return " ".join(f"{name}:{_quoted(value)}" for name, value in parts if value)


def _quoted(value: str) -> str:
    plain = all(char.isalnum() or char in "_-./" for char in value)
    return value if plain and cells(value) else '"' + value.replace('"', "") + '"'
