"""What somebody is filling in while the server lists it anew: otherwise, at another place, or not any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app import Until, opened, painted, tool_view
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from inspector.tui.app import InspectorApp
from inspector.tui.panes.overview import OverviewPane
from inspector.tui.panes.prompts import PromptsPane
from inspector.tui.panes.tool import ToolView
from inspector.tui.screens.compared import ComparedScreen
from inspector.tui.widgets.forms.picker import Picker

SERVER = "shifting"


@pytest.fixture(autouse=True)
def _here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)


async def go_to(app: InspectorApp, pilot: Pilot[Any], until: Until, tool: str) -> ToolView:
    await until(pilot, lambda: app.workspace.connections[SERVER].count("tools") and app.main.pane is not None)
    await app.main.go_to(SERVER, tool)
    await until(pilot, lambda: (view := tool_view(app)) is not None and view.name_ == tool)
    view = tool_view(app)
    assert view is not None
    await until(pilot, lambda: view.has_focus_within)
    return view


async def shift(app: InspectorApp) -> None:
    session = app.workspace.connections[SERVER].session
    assert session is not None
    await session.request("x/shift", {})


async def test_a_tool_that_takes_something_else_keeps_what_was_entered_and_the_focus(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        await go_to(app, pilot, until, "order")
        await pilot.press("k", "down", "g", "down", "x", "7")
        await shift(app)
        await until(pilot, lambda: tool_view(app) is not None and "fresh" in painted(app))
        view = tool_view(app)
        assert view is not None
        await until(pilot, lambda: view._form.place == "/count")
        assert view.model.collect().arguments == {"keep": "k", "count": "x7", "fresh": "", "gone": "g"}
        said = ("The server has changed", "not an integer")
        await until(pilot, lambda: all(words in painted(app) for words in said))
        await shift(app)
        await until(pilot, lambda: tool_view(app) is not None and "fresh" not in painted(app))
        view = tool_view(app)
        assert view is not None
        assert view.model.collect().arguments == {"keep": "k", "gone": "g", "count": "x7"}


async def test_a_tool_that_is_gone_stays_with_who_fills_it_in(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        view = await go_to(app, pilot, until, "brief")
        await pilot.press("a", "b")
        await shift(app)
        await until(pilot, lambda: "does not list this tool any more" in painted(app))
        await pilot.press("c", "f5")
        await until(pilot, lambda: view.calls and not view.calls[0].running)
        assert tool_view(app) is view and view.model.collect().arguments == {"a": "abc"}


async def test_what_is_looked_at_from_the_list_stays_there_when_it_is_gone(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        await go_to(app, pilot, until, "brief")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.focused, OptionList))
        await shift(app)
        await until(pilot, lambda: "✗ brief  gone" in painted(app) and "in_front" in painted(app))
        view = tool_view(app)
        assert view is not None and view.name_ == "brief"
        await pilot.press("down")
        await until(pilot, lambda: (now := tool_view(app)) is not None and now.name_ != "brief")
        await pilot.press("up")
        await until(pilot, lambda: tool_view(app) is view)
        await shift(app)
        await until(pilot, lambda: "gone" not in painted(app))

        app.main.tab_wanted("prompts")
        await app.main.go_to(SERVER, None)
        await until(pilot, lambda: isinstance(app.main.pane and app.main.pane.tab, PromptsPane))
        assert app.main.pane is not None
        pane: PromptsPane = app.main.pane.tab
        await until(pilot, lambda: pane.view is not None)
        pane.enter()
        await pilot.press("down")
        looked_at = lambda: pane.view.visit.entry["name"] if pane.view is not None else ""  # noqa: E731
        await until(pilot, lambda: looked_at() == "fading")
        await shift(app)
        await until(pilot, lambda: "gone" in painted(app) and "does not list this any more" in painted(app))
        assert looked_at() == "fading" and pane.list.key == "prompts fading"


async def test_a_tool_at_another_place_is_the_same_one(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        view = await go_to(app, pilot, until, "later_3")
        await pilot.press("m")
        await shift(app)
        await until(pilot, lambda: "in_front" in painted(app))
        assert tool_view(app) is view and view.has_focus_within
        await view._work.open("raw")
        await until(pilot, lambda: '"note"' in painted(app))


async def test_what_was_entered_outlives_a_walk_along_many_tools(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        first = await go_to(app, pilot, until, "order")
        await pilot.press("k")
        for number in range(17):
            await go_to(app, pilot, until, f"later_{number}")
        again = await go_to(app, pilot, until, "order")
        assert again is not first and again.model.collect().arguments == {"keep": "k"}


async def test_a_prompt_that_asks_for_something_else_keeps_what_was_entered(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        await until(pilot, lambda: app.workspace.connections[SERVER].count("prompts") is not None)
        await until(pilot, lambda: app.main.pane is not None)
        app.main.tab_wanted("prompts")
        await app.main.go_to(SERVER, None)
        await until(pilot, lambda: isinstance(app.main.pane and app.main.pane.tab, PromptsPane))
        assert app.main.pane is not None
        pane: PromptsPane = app.main.pane.tab
        await until(pilot, lambda: pane.view is not None)
        pane.view.enter()  # type: ignore[union-attr]
        await until(pilot, lambda: pane.view is not None and pane.view.has_focus_within)
        await pilot.press("t")
        await shift(app)
        await until(pilot, lambda: "length" in painted(app) and pane.view.has_focus_within)  # type: ignore[union-attr]
        assert pane.view is not None and pane.view.form is not None
        assert pane.view.form.model.collect().arguments == {"topic": "t"}
        assert set(pane.view.form.model.root.fields) == {"topic", "length"}  # type: ignore[union-attr]
        await until(pilot, lambda: "The server has changed" in painted(app))


async def test_what_came_went_or_changed_is_told_in_overview_and_shown_in_full(until: Until) -> None:
    async with opened(SERVER, size=(160, 50)) as (app, pilot):
        await go_to(app, pilot, until, "order")
        await shift(app)
        changes = app.workspace.connections[SERVER].list_changes
        await until(pilot, lambda: changes.count > 0)
        app.main.tab_wanted("overview")
        await app.main.go_to(SERVER, None)
        await until(pilot, lambda: isinstance(app.focused, OverviewPane) and changes.count > 1)
        told = " ".join(str(app.main.query_one("#list-changes", Static).content).split())
        assert "tools: + in_front; − brief; ~ order (inputSchema)" in told and "prompts: −" in told
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, Picker) and "prompts: −" in painted(app))
        place = [change.kind for change in reversed(changes.changes)].index("tools")
        await pilot.press(*["down"] * place, "enter")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen))
        shown = ("tool brief", "tool in_front", "/inputSchema/properties/count/type")
        await until(pilot, lambda: all(words in painted(app) for words in shown))
