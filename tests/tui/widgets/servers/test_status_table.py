"""The table of servers: what it shows in which width, and what it costs."""

from __future__ import annotations

import asyncio
import sys

import pytest
from app import SERVERS, Until, opened, painted, state
from live import ODD

from inspector.tui.widgets.servers import status_columns
from inspector.tui.widgets.servers.sparkline import sparkline

ODD_SERVER = [sys.executable, ODD]


@pytest.fixture(autouse=True)
def servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SERVERS, "odd", ODD_SERVER)
    monkeypatch.setitem(SERVERS, "exit", [*ODD_SERVER, "exit"])


def test_a_sparkline_is_scaled_to_its_tallest_bar() -> None:
    assert sparkline([1, 2, 4], 5) == "  ▃▅█"
    assert sparkline([0, 0], 2) == "▁▁"
    assert sparkline([9, 1, 1], 2) == "██"
    assert sparkline([], 3) == "   " and sparkline([1], 0) == ""


@pytest.mark.parametrize("width", range(status_columns.HEADED, 220, 7))
@pytest.mark.parametrize("names", [["a"], ["a" * 60, "b"]])
def test_columns_never_need_more_than_there_is(width: int, names: list[str]) -> None:
    shape = status_columns.layout(width, names)
    ((heading, _),) = status_columns.heading(shape)
    assert len(heading) <= width + 1
    taken = sum(column.width + 1 for column in shape.columns)
    assert 4 + shape.name + taken + (shape.bars and shape.bars + 8) <= width


async def test_with_room_there_are_columns_and_all_of_them_when_zoomed(until: Until) -> None:
    async with opened("odd", "exit", size=(200, 60)) as (app, pilot):
        await until(pilot, lambda: state(app, "odd") == "ready" and state(app, "exit") == "error")
        await until(pilot, lambda: "ROUND TRIPS" in painted(app) and "MiB" in painted(app))
        await pilot.press("z")
        await until(pilot, lambda: "RESTARTS" in painted(app) and "PROTOCOL" in painted(app))
        text = painted(app)
        assert "2025-11-25" in text and "T_API_KEY is not set" in text
        assert "tallest is slowest" in text


async def test_nothing_is_measured_that_is_not_shown(until: Until) -> None:
    async with opened("odd", size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: state(app, "odd") == "ready")
        app.main.table._beat()
        assert app.main.table._health == {}


async def test_a_kept_server_counts_down(until: Until) -> None:
    async with opened("exit", size=(80, 24)) as (app, pilot):
        connection = app.workspace.connections["exit"]
        connection.keeping.clock = lambda: 0.0
        connection.keeping.sleep = lambda seconds: asyncio.Event().wait()
        await until(pilot, lambda: state(app, "exit") == "error")
        await pilot.press("K")
        await until(pilot, lambda: "again in 1s" in painted(app) and "1 of 5" in painted(app))
        await until(pilot, lambda: "↻" in painted(app))
        await pilot.press("S")
        await until(pilot, lambda: "again in" not in painted(app))
        await pilot.press("K")
        await until(pilot, lambda: "↻" not in painted(app))


async def test_only_lines_that_changed_are_painted_again(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("odd", "exit", size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: state(app, "odd") == "ready" and state(app, "exit") == "error")
        await until(pilot, lambda: app.workspace.connections["odd"].count("tools") is not None)
        table, painted_lines = app.main.table, []
        table.show(app.main.connections)
        monkeypatch.setattr(table, "refresh_lines", lambda y, count=1: painted_lines.append(y))
        table.show(app.main.connections)
        assert painted_lines == []
        app.workspace.connections["odd"].name = "renamed"
        table.show(app.main.connections)
        assert set(painted_lines) == {0}


async def test_the_heading_stays_when_the_table_scrolls(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"s{number:02}" for number in range(30)]
    for name in names:
        monkeypatch.setitem(SERVERS, name, ["/nowhere"])
    async with opened(*names, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: all(state(app, name) == "error" for name in names))
        await pilot.press("z", "end")
        await until(pilot, lambda: app.main.table.selected == "s29" and "s29" in painted(app))
        await until(pilot, lambda: "SERVER" in painted(app) and "s00" not in painted(app))
        for _ in range(29):
            await pilot.press("up")
        await until(pilot, lambda: "s00" in painted(app))
        await pilot.click(app.main.table, offset=(6, 4))
        await until(pilot, lambda: app.main.table.selected == "s01")
