"""A call is saved from its result, and saved calls are made from inside the app."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from app import Until, open_tool, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from inspector.calls import saved
from inspector.tui.app import InspectorApp
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.screens.save_call import SaveCallScreen
from inspector.tui.screens.saved_calls import OpenCallsScreen, SavedCallsScreen

CALLS = """\
calls:
  - name: rye
    tool: price_of
    arguments: {item: croissant}
  - name: wrong
    tool: price_of
    arguments: {item: croissant}
    expect: {at: {/content/0/text: for free}}
  - name: sold
    tool: sell
    expect: {error: true}
"""


async def _ready(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    await until(pilot, lambda: app.main.traffic_pane is not None)
    await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)


async def _open_calls(app: InspectorApp, pilot: Pilot[Any], until: Until, path: Path) -> SavedCallsScreen:
    await pilot.press("alt+l")
    await until(pilot, lambda: isinstance(app.screen, OpenCallsScreen))
    app.screen.query_one(Input).value = str(path)
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, SavedCallsScreen) and path.name in painted(app))
    assert isinstance(app.screen, SavedCallsScreen)
    return app.screen


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_call_is_saved_with_what_its_answer_was_and_made_again(
    until: Until, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        await _ready(app, pilot, until)
        view = await open_tool(app, pilot, until, "price_of")
        await view._work.form_in_hand.load({"item": "croissant"})
        await pilot.press("f5")
        await until(
            pilot, lambda: bool(view.calls) and view.calls[0].badge == "ok" and view._answer.call is not None
        )
        path = tmp_path / "calls.yaml"
        for number in (1, 2):
            await pilot.press("alt+k")
            await until(pilot, lambda: isinstance(app.screen, SaveCallScreen) and "expect:" in painted(app))
            text = app.screen.query_one(TextArea).text
            assert ("name: price_of 2" in text) == (number == 2)
            told = "A new file of saved calls" if number == 1 else "with 1 call: this one is added to it"
            assert told in painted(app)
            app.screen.query_one(Input).value = str(path)
            await pilot.press("f5")
            await until(pilot, lambda: app.screen is app.main)
        calls = saved.read(path).calls
        assert [call.name for call in calls] == ["price_of", "price_of 2"]
        assert calls[0].params == {"name": "price_of", "arguments": {"item": "croissant"}}
        await pilot.press("alt+l")
        await until(pilot, lambda: isinstance(app.screen, SavedCallsScreen) and "2 calls" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: "✓ 2 as expected" in painted(app) and "running" not in painted(app))
        await pilot.press("f")
        await until(pilot, lambda: app.screen is app.main)
        pane = app.main.traffic_pane
        assert pane is not None
        await until(pilot, lambda: pane.detail_open)
        assert app.workspace.traffic.row(pane.detail.number or 0).kind == "response"


async def test_what_is_not_as_expected_is_told_and_reported(until: Until, tmp_path: Path) -> None:
    path = tmp_path / "calls.yaml"
    path.write_text(CALLS)
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await _ready(app, pilot, until)
        screen = await _open_calls(app, pilot, until, path)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and "sell" in painted(app))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is screen)
        assert not screen.model.outcomes
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: app.screen is screen and len(screen.model.report) == 3)
        await until(pilot, lambda: "✗ 1 not as expected" in painted(app) and not screen.model.running)
        await pilot.press("n")
        await until(pilot, lambda: 'expected "for free"' in painted(app))
        report = tmp_path / "report.json"
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        app.screen.query_one(Input).value = str(report)
        await pilot.press("enter")
        await until(pilot, lambda: report.exists() and app.screen is screen)
        written = json.loads(report.read_text())
        assert (written["passed"], written["failed"]) == (2, 1)
        junit = tmp_path / "report.xml"
        await pilot.press("W")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        app.screen.query_one(Input).value = str(junit)
        await pilot.press("enter")
        await until(pilot, lambda: junit.exists() and app.screen is screen)
        assert "for free" in junit.read_text()

        path.write_text(CALLS.replace("for free", "{exists: true}"))
        await pilot.press("r")
        await until(pilot, lambda: not screen.model.outcomes and "not as expected" not in painted(app))
        await pilot.press("space")
        await until(pilot, lambda: "✓ 1 as expected" in painted(app))
        assert [outcome.call.name for outcome in screen.model.report] == ["wrong"]


async def test_a_file_that_is_none_is_told(until: Until, tmp_path: Path) -> None:
    path = tmp_path / "calls.yaml"
    path.write_text("calls: [{tol: a}]")
    async with opened("bakery") as (app, pilot):
        await _ready(app, pilot, until)
        await pilot.press("alt+l")
        await until(pilot, lambda: isinstance(app.screen, OpenCallsScreen))
        app.screen.query_one(Input).value = str(path)
        await pilot.press("f5")
        await until(pilot, lambda: "'tol'" in painted(app))
        path.write_text("calls: [{tool: a, server: ghost}]")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, SavedCallsScreen))
        await pilot.press("f5")
        await until(
            pilot, lambda: "✗ 1 not as expected" in painted(app) or isinstance(app.screen, ConfirmScreen)
        )
