"""What was cleared, removed, muted or overwritten comes back with one key, and is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from app import Until, open_tool, opened
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.base.paths import paths
from inspector.config import kept
from inspector.config.entry import Source
from inspector.tui.undo import Undo, Undoable


async def test_the_last_is_taken_back_first_and_only_so_many_are_kept() -> None:
    undo, done = Undo(), []

    async def later() -> None:
        done.append("later")

    undo.did(Undoable("first", lambda: done.append("first")))
    undo.did(Undoable("later", later))
    assert [await undo.back(), await undo.back(), await undo.back()] == ["later", "first", ""]
    assert done == ["later", "first"]
    for number in range(200):
        undo.did(Undoable(str(number), lambda: None))
    names = [await undo.back() for _ in range(200)]
    assert names[0] == "199" and 10 < len([name for name in names if name]) < 200


async def _undone(told: list[str], pilot: Pilot[Any], until: Until, said: str) -> None:
    told.clear()
    await pilot.press("alt+z")
    await until(pilot, lambda: any(f"Undone: {said}" in each for each in told))


async def test_forms_marks_filters_and_servers_come_back(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("bakery", "shelf") as (app, pilot):
        told: list[str] = []
        # A toast does not stay for as long as a busy machine needs to look at it.
        monkeypatch.setattr(app, "notify", lambda message, **_: told.append(message))
        view = await open_tool(app, pilot, until, "say_hello")
        field = view.query(Input).first()
        await pilot.press(*"Mia")
        await until(pilot, lambda: field.value == "Mia")
        await pilot.press("ctrl+u")
        await until(pilot, lambda: field.value == "")
        await _undone(told, pilot, until, "Your name has what was entered before")
        await until(pilot, lambda: field.value == "Mia")
        await pilot.press("ctrl+e")
        await until(pilot, lambda: field.value == "")
        await _undone(told, pilot, until, "Your name has what was entered before")
        await until(pilot, lambda: field.value == "Mia")

        # Another call is taken up in place of what was entered.
        await view._work.form_in_hand.load({"name": "Ben"})
        await until(pilot, lambda: next(each.value for each in view.query(Input)) == "Ben")
        await _undone(told, pilot, until, "the form has what was entered before")
        await until(pilot, lambda: next(each.value for each in view.query(Input)) == "Mia")

        traffic = app.main.traffic_pane
        assert traffic is not None
        await pilot.press("escape", "f", "m")
        await until(pilot, lambda: traffic.frames.has_focus and len(traffic.frames.marks) == 1)
        marks = dict(traffic.frames.marks)
        await pilot.press("m")
        await until(pilot, lambda: not traffic.frames.marks)
        await _undone(told, pilot, until, "row")
        assert traffic.frames.marks == marks
        traffic.filter_by("dir:out")
        await until(pilot, lambda: traffic.frames.shown < traffic.frames.total)
        await pilot.press("escape")
        await until(pilot, lambda: traffic.filter_source == "")
        await _undone(told, pilot, until, "the filter is back")
        await until(pilot, lambda: traffic.filter_source == "dir:out")

        # A server of our own file: in the file again with all that stood there, and on the list.
        raw = {"command": "no-such-shelf", "env": {"KEY": "${SHELF_KEY}"}}
        kept.keep("shelf", raw)
        before = paths().servers.read_text()
        shelf = app.workspace.connections["shelf"]
        shelf.entry.source = Source(str(paths().servers), "/mcpServers/shelf", "app", "named")
        await pilot.press("s", "G", "delete")
        await until(pilot, lambda: app.screen is not app.main)
        await pilot.press("y")
        await until(pilot, lambda: "shelf" not in app.workspace.connections and app.screen is app.main)
        assert "shelf" not in json.loads(paths().servers.read_text())["mcpServers"]
        await _undone(told, pilot, until, "shelf is on the list again")
        await until(pilot, lambda: "shelf" in app.workspace.connections)
        assert json.loads(paths().servers.read_text()) == json.loads(before)

        await pilot.press("alt+z")
        await until(pilot, lambda: any("nothing to undo" in each for each in told))
