"""Exchanges over time, on traffic whose times are known."""

from __future__ import annotations

import json
from typing import Any

import pytest
from app import Until, opened, painted

from inspector.traffic.query import compile
from inspector.traffic.store import Traffic
from inspector.tui.panes.traffic import TrafficPane
from inspector.tui.screens.timeline import TimelineScreen
from inspector.tui.widgets.traffic.waterfall import Waterfall, axis


def timed(*rows: tuple[float, str, str, dict[str, Any]]) -> Traffic:
    """Rows as (seconds, server, direction, message)."""
    traffic = Traffic.in_memory()
    logs = {name: traffic.session(name) for _, name, _, _ in rows}
    for _, name, direction, members in rows:
        raw = json.dumps({"jsonrpc": "2.0", **members}).encode()
        logs[name].sent(raw) if direction == ">" else logs[name].received([raw])
    traffic.advance()
    for place, (moment, _, _, _) in enumerate(rows):
        traffic.columns.time[place] = moment
    return traffic


def call(id_: int, tool: str) -> dict[str, Any]:
    return {"id": id_, "method": "tools/call", "params": {"name": tool, "_meta": {"progressToken": id_}}}


def progress(id_: int) -> dict[str, Any]:
    return {"method": "notifications/progress", "params": {"progressToken": id_, "progress": 1}}


TRAFFIC = (
    (100.0, "shop", ">", call(1, "first")),
    (105.0, "shop", "<", progress(1)),
    (110.0, "shop", "<", {"id": 1, "result": {"content": []}}),
    (115.0, "bank", ">", call(2, "fails")),
    (120.0, "bank", "<", {"id": 2, "error": {"code": 1, "message": "m"}}),
    (130.0, "shop", ">", call(3, "waits")),
    (140.0, "shop", "<", {"method": "notifications/message", "params": {}}),
)


def bar(bars: Waterfall, index: int) -> str:
    """The cells of a bar."""
    text = "".join(segment.text for segment in bars.paint(index, bars.line_width))
    label, width, _ = bars.areas(bars.line_width)
    return text[label + 1 : label + 1 + width]


async def test_bars_are_as_long_as_exchanges_took(stage, until) -> None:
    bars = Waterfall(timed(*TRAFFIC))
    async with stage(bars).run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: bars.line_count() == 3)
        width = bars.areas(bars.line_width)[1]
        first, fails, waits = (bar(bars, index) for index in range(3))
        assert first.rstrip().startswith("━") and len(first.rstrip()) == pytest.approx(width / 4, abs=2)
        assert first.index("┿") == pytest.approx(width / 8, abs=1)
        assert fails.rstrip().endswith("✗") and fails.index("━") == pytest.approx(width * 15 / 40, abs=1)
        assert waits.endswith("┅") and waits.index("┅") == pytest.approx(width * 30 / 40, abs=1)
        assert bars.gap(3) == 5.0 and bars.gap(0) is None


async def test_zoom_keeps_the_cursor_in_place_and_the_cursor_takes_the_view_along(stage, until) -> None:
    bars = Waterfall(timed(*TRAFFIC))
    async with stage(bars).run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: bars.line_count() == 3)
        bars.cursor = 1
        before = bar(bars, 1).index("━")
        bars.zoom(2)
        assert bars.window == (pytest.approx(107.5), pytest.approx(20.0))
        assert bar(bars, 1).index("━") == pytest.approx(before, abs=1)
        bars.zoom(4)
        assert (
            bars.window[1] == pytest.approx(5.0)
            and bar(bars, 0).startswith("‹")
            and bar(bars, 2).endswith("›")
        )
        bars.cursor = 2
        assert bar(bars, 2).lstrip().startswith("┅")
        bars.shift(-1)
        assert bars.window[0] == pytest.approx(130 - 0.5 - 5)
        bars.zoom(1 / 64)
        assert bars.span is None and bars.window == (100.0, 40.0)


def test_the_axis_tells_round_times_that_have_room() -> None:
    line = axis(60, 100.0, 100.0, 40.0)
    assert len(line) == 60 and line.startswith("│0")
    assert line.index("│10.0 s") == 15 and line.index("│20.0 s") == 30
    assert axis(20, 0.0, 3.0, 0.004).strip()


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_from_the_list_and_back_to_a_frame(size: tuple[int, int], until: Until) -> None:
    async with opened(traffic=timed(*TRAFFIC), size=size) as (app, pilot):
        await until(pilot, lambda: app.main.traffic_pane is not None)
        pane = app.main.traffic_pane
        assert isinstance(pane, TrafficPane)
        await until(pilot, lambda: pane.frames.shown == 7)
        pane.frames.focus()
        await pilot.press("home", "L")
        await until(pilot, lambda: isinstance(app.screen, TimelineScreen) and "waits" in painted(app))
        await until(pilot, lambda: "3 exchanges · 40.0 s" in painted(app) and "bank" in painted(app))
        await pilot.press("down", "plus")
        await until(pilot, lambda: "20.0 s of 40.0 s" in painted(app) and "#3 bank" in painted(app))
        await pilot.press("0")
        await until(pilot, lambda: "exchanges · 40.0 s" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main and pane.frames.selected == 3)


async def test_it_goes_on_with_live_traffic_and_has_what_the_filter_finds(stage, until) -> None:
    traffic = timed(*TRAFFIC)
    bars = Waterfall(traffic, compile("server:shop"))
    async with stage(bars).run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: bars.line_count() == 2)
        bars.cursor = 1
        traffic.session("shop").sent(json.dumps({"jsonrpc": "2.0", **call(9, "new")}).encode())
        await until(pilot, lambda: bars.line_count() == 3 and bars.cursor == 2)
