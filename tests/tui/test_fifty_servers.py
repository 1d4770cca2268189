"""Fifty servers at once: cheap ones, of which only the lines that open a session are real."""

from __future__ import annotations

import json

import pytest
from app import SERVERS, Until, opened, painted, state

from inspector.session.session import Options

ANSWER = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 0,
        "result": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "serverInfo": {"name": "cheap", "version": "1"},
        },
    }
)
CHEAP = ["/bin/sh", "-c", f"read line; echo '{ANSWER}'; while read line; do :; done"]
NAMES = [f"server-{number:02}" for number in range(50)]


async def test_fifty_servers_start_and_keys_work_meanwhile(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        monkeypatch.setitem(SERVERS, name, CHEAP)
    async with opened(*NAMES, size=(80, 24), options=Options(protocol="legacy")) as (app, pilot):
        await until(pilot, lambda: "server-00" in painted(app))
        await pilot.press("n")
        assert app.main.table.selected == "server-01"
        await until(pilot, lambda: all(state(app, name) == "ready" for name in NAMES))
        await until(pilot, lambda: "50 ready" in painted(app))
        await pilot.press("s", "end")
        await until(pilot, lambda: app.main.table.selected == "server-49" and "server-49" in painted(app))
        await until(pilot, lambda: app.main.pane is not None and "cheap 1" in painted(app))
        await pilot.press("d")
        await until(pilot, lambda: state(app, "server-49") == "disabled" and "49 ready" in painted(app))
        await pilot.press("home", "r")
        first = app.workspace.connections["server-00"]
        await until(pilot, lambda: first.restarts == 1 and first.state == "ready")
        assert (
            len({one.facts.pid for one in app.workspace.connections.values() if one.facts is not None}) == 50
        )
