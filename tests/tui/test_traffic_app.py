"""The traffic of real servers: what happens to frames when servers end, and when very many come."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import app as apps
import pytest
from app import Until, opened, painted, state

from inspector.traffic.store import Traffic
from inspector.tui.widgets.traffic.frame_list import FrameList

MANY = 100_000
BURST = Path(__file__).parent.parent / "servers" / "burst.py"


async def test_frames_survive_crash_restart_and_disconnect(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        await until(pilot, lambda: app.main.traffic_pane is not None)
        traffic, connection = app.workspace.traffic, app.workspace.connections["bakery"]
        held = [traffic.raw(number) for number in range(traffic.end)]
        assert any(b'"initialize"' in raw for raw in held)
        assert connection.facts is not None and connection.facts.pid is not None
        os.kill(connection.facts.pid, signal.SIGKILL)
        await until(pilot, lambda: state(app, "bakery") == "error")
        await pilot.press("r")
        await until(
            pilot, lambda: state(app, "bakery") == "ready" and connection.count("prompts") is not None
        )
        app.main.action_stop()
        await until(pilot, lambda: state(app, "bakery") == "disabled" or connection.session is None)
        assert traffic.first == 0 and [traffic.raw(number) for number in range(len(held))] == held
        await pilot.press("f", "home")
        pane = app.main.traffic_pane
        assert pane is not None
        pane.filter_by("method:initialize kind:req")
        await until(pilot, lambda: pane.frames.shown == 2)
        await pilot.press("home", "enter")
        await until(pilot, lambda: pane.detail_open and '"method": "initialize"' in painted(app))


async def test_a_burst_of_notifications_is_kept_while_keys_work(
    until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(apps.SERVERS, "burst", [sys.executable, str(BURST), str(MANY)])
    traffic = Traffic.on_disk(tmp_path / "spool")
    async with opened("burst", traffic=traffic) as (app, pilot):
        await until(pilot, lambda: app.main.query(FrameList))
        frames = app.main.query_one(FrameList)
        arrived: list[int] = []
        # Not by the pilot, which waits until nothing happens any more.
        while len(traffic) < MANY:
            for key, done in (
                ("f", lambda: app.focused is frames),
                ("s", lambda: app.focused is app.main.table),
            ):
                app.simulate_key(key)
                async with asyncio.timeout(60):
                    while not done():
                        await asyncio.sleep(0)
            arrived.append(len(traffic))
        assert len({count for count in arrived if 0 < count < MANY}) > 3, arrived
        await until(pilot, lambda: frames.total >= MANY and not frames._behind)
        await pilot.press("f", "end")
        await until(pilot, lambda: frames.cursor == frames.shown - 1)
        numbers = [
            json.loads(raw)["params"]["data"]
            for raw in traffic.raws(0, traffic.end)
            if b'"notifications/message"' in raw
        ]
        assert numbers == list(range(MANY)) and not traffic.dropped
    traffic.close()
