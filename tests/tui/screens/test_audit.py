"""The audit trail in the app."""

from __future__ import annotations

from pathlib import Path

from app import Until, open_tool, opened, painted
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.tui.screens.approve import ApproveScreen
from inspector.tui.screens.audit import AuditScreen
from inspector.workspace.tool_calls import ToolCalls


async def test_the_newest_call_leads_to_its_frame_and_words_find_others(until: Until, tmp_path: Path) -> None:
    calls = ToolCalls(Audit(Secrets(), PERSON, folder=tmp_path), Approvals())
    async with opened("bakery", tool_calls=calls) as (app, pilot):
        view = await open_tool(app, pilot, until, "sell")
        for key, count in (("y", 1), ("n", 2)):
            await pilot.press("f5")
            await until(pilot, lambda: isinstance(app.screen, ApproveScreen))
            await pilot.press(key)
            await until(pilot, lambda count=count: len(view.calls) == count and not view.calls[0].running)
        await pilot.press("alt+y")
        await until(pilot, lambda: isinstance(app.screen, AuditScreen) and "2 calls" in painted(app))
        await until(pilot, lambda: '"reason": "the call was rejected"' in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AuditScreen))
        app.screen.query_one(Input).value = "outcome=ok"
        await until(pilot, lambda: "1 calls" in painted(app) and '"sha256"' in painted(app))
        await pilot.press("enter")
        pane = app.main.traffic_pane
        assert pane is not None
        await until(pilot, lambda: app.screen is app.main and pane.detail.number == view.calls[-1].sent_row)


async def test_an_empty_trail_and_one_that_fits_nothing_say_so(until: Until, tmp_path: Path) -> None:
    calls = ToolCalls(Audit(Secrets(), PERSON, folder=tmp_path), Approvals())
    async with opened("bakery", size=(80, 24), tool_calls=calls) as (app, pilot):
        await pilot.press("alt+y")
        await until(pilot, lambda: "No tool was called yet." in painted(app))
        app.screen.query_one(Input).value = "zzz"
        await until(pilot, lambda: "No call fits that." in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
