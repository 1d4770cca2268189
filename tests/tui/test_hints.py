"""Hints for newcomers: in their place, gone once they were followed or put away, and never where nobody asked."""

from __future__ import annotations

from app import Until, open_tool, opened, painted
from rich.cells import cell_len

from inspector.tui.hints import HINTS, told
from inspector.tui.registry import BY_ID
from inspector.tui.remembered import recall
from inspector.tui.widgets.bars.hint_line import HintLine

_ROOM = 76
"""Cells of a line on the smallest common terminal."""


def test_every_hint_names_keys_that_are_there_fits_and_can_be_followed() -> None:
    for hint in HINTS:
        assert "{" not in told(hint) and cell_len(told(hint)) <= _ROOM, told(hint)
        assert hint.done and set(hint.done) <= set(BY_ID)
    assert len({hint.id for hint in HINTS}) == len(HINTS)


async def test_hints_go_when_they_were_followed_or_put_away_and_stay_away(until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        line = app.main.query_one(HintLine)
        await until(pilot, lambda: app.workspace.connections["bakery"].count("tools") is not None)
        await until(pilot, lambda: app.main.traffic_pane is not None)
        # Nobody looks at this terminal: there are none, and none take up room.
        await pilot.press("s")
        assert not line.display and line.region.height == 0
        app.hints.shown = True
        await until(pilot, lambda: "goes to the tools" in painted(app))
        assert line.region.height == 1 and line.region.bottom == app.size.height - 1
        await pilot.press("t")
        await until(pilot, lambda: "opens the form of a tool" in painted(app))
        assert recall().hints == ["tools"]
        await open_tool(app, pilot, until, "check_oven")
        await until(pilot, lambda: "F5 calls the tool" in painted(app))
        # A tool without arguments is called by its key, not by an enter too many.
        await pilot.press("enter")
        view = app.main.pane.tab.view if app.main.pane is not None else None
        assert view is not None and view.calls == []
        await pilot.press("f5")
        await until(pilot, lambda: view.calls and "goes into the answer" in painted(app))
        assert "call" in app.hints.gone
        await pilot.press("backspace")
        await until(pilot, lambda: "goes into the answer" not in painted(app))
        assert {"tools", "call", "result"} <= set(recall().hints)
        await app.run_action("hints")
        await until(pilot, lambda: not line.display)
        assert recall().hints == ["*"]
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        app.hints.shown = True
        await until(pilot, lambda: app.workspace.connections["bakery"].count("tools") is not None)
        app.main.tell_hint()
        assert not app.main.query_one(HintLine).display
