"""`/mcp` commands in the palette."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from live import ODD

from inspector.tui.mcp_commands import commands
from inspector.tui.panes.process import ProcessPane


@pytest.fixture(autouse=True)
def servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SERVERS, "odd", [sys.executable, ODD])


def connection(name: str, state: str = "ready") -> Any:
    keeping = SimpleNamespace(again=None)
    return SimpleNamespace(
        name=name,
        state=state,
        count=lambda kind: 3,
        keeping=keeping,
        error=None,
        is_served=False,
        is_tapped=False,
    )


SOME = [connection("files"), connection("git"), connection("old files", "disabled")]


def texts(query: str) -> list[str]:
    return [command.text for command in commands(query, SOME)]


@pytest.mark.parametrize("query", ["/mcp", "mcp", "/mcp ", "/", "/m", " /MCP"])
def test_alone_it_lists_the_servers_with_their_states(query: str) -> None:
    assert texts(query) == ["/mcp files", "/mcp git", "/mcp old files"]
    assert [command.state for command in commands(query, SOME)][::2] == ["● ready, 3 tools", "○ off"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("/mcp restart", ["/mcp restart files", "/mcp restart git", "/mcp restart old files"]),
        ("mcp res", ["/mcp restart files", "/mcp restart git", "/mcp restart old files"]),
        ("/mcp logs gi", ["/mcp logs git"]),
        ("/mcp restart FILES", ["/mcp restart files", "/mcp restart old files"]),
        ("/mcp restart old f", ["/mcp restart old files"]),
        ("/mcp enable", ["/mcp enable old files"]),
        ("/mcp disable", ["/mcp disable files", "/mcp disable git"]),
        ("/mcp git", ["/mcp git"]),
        ("/mcp restart nobody", []),
        ("restart", []),
        ("m", []),
        ("", []),
        ("/mcpx", []),
    ],
)
def test_verbs_and_names_are_completed(query: str, expected: list[str]) -> None:
    assert texts(query) == expected


async def test_the_palette_runs_them(until: Until) -> None:
    async with opened("silent", "odd") as (app, pilot):
        await until(pilot, lambda: state(app, "odd") == "ready")

        async def run(typed: str, shown: str) -> None:
            await pilot.press("ctrl+p", *typed)
            await until(pilot, lambda: shown in painted(app))
            await pilot.press("down", "enter")
            await until(pilot, lambda: app.screen is app.main)

        await run("mcp restart od", "/mcp restart odd")
        await until(pilot, lambda: app.workspace.connections["odd"].restarts == 1)
        await until(pilot, lambda: state(app, "odd") == "ready" and app.main.table.selected == "odd")
        await run("mcp disable odd", "/mcp disable odd")
        await until(pilot, lambda: state(app, "odd") == "disabled")
        await run("mcp en", "/mcp enable odd")
        await until(pilot, lambda: state(app, "odd") == "ready")
        await run("mcp logs odd", "/mcp logs odd")
        await until(pilot, lambda: app.main.pane is not None and isinstance(app.main.pane.tab, ProcessPane))
        await run("mcp silent", "/mcp silent")
        assert app.main.table.selected == "silent"
