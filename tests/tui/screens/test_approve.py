"""A call of a tool that a person has to allow first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app import Until, open_tool, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.config.settings import Asks
from inspector.policy import audit
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.tui.app import InspectorApp
from inspector.tui.panes.tool import ToolView
from inspector.tui.screens.approve import ApproveScreen
from inspector.tui.screens.line import LineScreen
from inspector.workspace.tool_calls import ToolCalls


def _calls(folder: Path, asks: Asks = "changing") -> ToolCalls:
    return ToolCalls(Audit(Secrets(), PERSON, folder=folder), Approvals({"": asks}))


def _trail(folder: Path) -> list[tuple[Any, ...]]:
    """What was written down, the oldest first."""
    members = ("tool", "outcome", "approver", "reason")
    return [tuple(record.get(name) for name in members) for record in audit.trail(folder).newest()][::-1]


async def _wanted(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    await pilot.press("f5")
    await until(
        pilot, lambda: isinstance(app.screen, ApproveScreen) and "Reject, with a reason" in painted(app)
    )


async def _over(app: InspectorApp, pilot: Pilot[Any], until: Until, view: ToolView, calls: int) -> None:
    await until(
        pilot,
        lambda: (
            app.screen is app.main and len(view.calls) == calls and not any(one.running for one in view.calls)
        ),
    )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_who_asks_says_what_is_called_with_what_and_whose_word_the_hints_are(
    size: tuple[int, int], until: Until, tmp_path: Path
) -> None:
    async with opened("bakery", size=size, tool_calls=_calls(tmp_path)) as (app, pilot):
        view = await open_tool(app, pilot, until, "sell")
        await _wanted(app, pilot, until)
        shown = painted(app)
        for said in (
            "sell of bakery",
            '"item": "croissant"',
            "nothing vouches for them",
            "do not ask again about this tool",
        ):
            assert said in shown
        assert view.calls[0].sent_row is None
        await pilot.press("enter")
        await _over(app, pilot, until, view, 1)
        assert view.calls[0].badge == "ok"
    assert _trail(tmp_path) == [("sell", "ok", "person", None)]


async def test_a_tool_or_a_server_is_allowed_until_the_app_is_left(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", tool_calls=_calls(tmp_path)) as (app, pilot):
        view = await open_tool(app, pilot, until, "sell")
        await _wanted(app, pilot, until)
        await pilot.press("t")
        await _over(app, pilot, until, view, 1)
        await pilot.press("f5")
        await _over(app, pilot, until, view, 2)
        other = await open_tool(app, pilot, until, "throw_away_leftovers")
        await _wanted(app, pilot, until)
        await pilot.press("s")
        await _over(app, pilot, until, other, 1)
        third = await open_tool(app, pilot, until, "burn_toast")
        await pilot.press("f5")
        await _over(app, pilot, until, third, 1)
    assert [each[:1] + each[2:3] for each in _trail(tmp_path)] == [
        ("sell", "this tool"),
        ("sell", "this tool"),
        ("throw_away_leftovers", "this server"),
        ("burn_toast", "this server"),
    ]


async def test_what_is_rejected_is_not_sent_and_is_written_down_with_the_reason(
    until: Until, tmp_path: Path
) -> None:
    async with opened("bakery", tool_calls=_calls(tmp_path)) as (app, pilot):
        view = await open_tool(app, pilot, until, "sell")
        await _wanted(app, pilot, until)
        await pilot.press("escape")
        await _over(app, pilot, until, view, 1)
        await _wanted(app, pilot, until)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, LineScreen))
        app.screen.query_one(Input).value = "not today"
        await pilot.press("enter")
        await _over(app, pilot, until, view, 2)
        await until(pilot, lambda: "not today" in painted(app))
        assert [call.badge for call in view.calls] == ["not sent", "not sent"]
        await _wanted(app, pilot, until)
        await pilot.press("e")
        await _over(app, pilot, until, view, 3)
        rows = range(app.workspace.traffic.first, app.workspace.traffic.end)
        assert not any(app.workspace.traffic.row(row).method == "tools/call" for row in rows)
    assert _trail(tmp_path) == [
        ("sell", "denied", "person", "the call was rejected"),
        ("sell", "denied", "person", "the call was rejected: not today"),
        ("sell", "denied", "person", "the arguments are to be changed first"),
    ]


async def test_who_only_reads_is_not_asked_about_unless_the_settings_say_so(
    until: Until, tmp_path: Path
) -> None:
    async with opened("bakery", tool_calls=_calls(tmp_path / "a")) as (app, pilot):
        view = await open_tool(app, pilot, until, "check_oven")
        await pilot.press("f5")
        await _over(app, pilot, until, view, 1)
    assert _trail(tmp_path / "a") == [("check_oven", "ok", "read-only hint", None)]
    async with opened("bakery", tool_calls=_calls(tmp_path / "b", "always")) as (app, pilot):
        view = await open_tool(app, pilot, until, "check_oven")
        await _wanted(app, pilot, until)
        await pilot.press("y")
        await _over(app, pilot, until, view, 1)
    assert _trail(tmp_path / "b") == [("check_oven", "ok", "person", None)]
    async with opened("bakery", tool_calls=_calls(tmp_path / "c", "never")) as (app, pilot):
        view = await open_tool(app, pilot, until, "sell")
        await pilot.press("f5")
        await _over(app, pilot, until, view, 1)
    assert _trail(tmp_path / "c") == [("sell", "ok", "settings", None)]
