"""What the Process pane tells of a process that runs, and when it does not ask."""

from __future__ import annotations

import re
import sys

import pytest
from app import SERVERS, Until, opened, painted, state

from inspector.tui.panes import process as pane
from inspector.workspace.health import Health, Pulse


async def test_the_pane_shows_what_the_process_tree_costs(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pane, "PULSE", 0.05)
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready" and app.main.pane is not None)
        app.main.pane.want("process")  # type: ignore[union-attr]
        shown = re.compile(r"process tree +CPU \d+% · mem \d+\.\d MiB · 1 process\b")
        await until(pilot, lambda: shown.search(painted(app)))
        await app.workspace.connections["bakery"].stop()
        await until(pilot, lambda: "process tree" not in painted(app))


async def test_what_waits_for_a_process_that_does_not_read_is_told(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pane, "PULSE", 0.05)
    monkeypatch.setitem(SERVERS, "deaf", [sys.executable, "-c", "import time; time.sleep(600)"])
    async with opened("deaf", disabled=("deaf",)) as (app, pilot):
        deaf = app.workspace.connections["deaf"]
        await until(pilot, lambda: app.main.pane is not None)
        await pilot.press("s", "B")
        await until(pilot, lambda: state(app, "deaf") == "open")
        app.main.pane.want("process")  # type: ignore[union-attr]
        await until(pilot, lambda: "process tree" in painted(app) and "not written" not in painted(app))
        deaf.notify("notifications/x", {"pad": "x" * 1_000_000})
        told = re.compile(r"not written +1 message, 9\d\d\.\d KiB: it does not read its stdin")
        await until(pilot, lambda: told.search(painted(app)))
        deaf.kill_now()


async def test_nothing_is_sampled_where_nothing_is_shown(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def sample(pulse: Pulse, pid: int) -> Health:
        asked.append(pid)
        return Health(None, 1 << 20, 3)

    monkeypatch.setattr(pane, "PULSE", 0.02)
    monkeypatch.setattr(Pulse, "sample", sample)
    async with opened("bakery") as (app, pilot):
        ticks: list[None] = []
        app.set_interval(0.02, lambda: ticks.append(None))
        await until(pilot, lambda: state(app, "bakery") == "ready" and app.main.pane is not None)
        await until(pilot, lambda: len(ticks) > 5)
        assert not asked
        app.main.pane.want("process")  # type: ignore[union-attr]
        await until(pilot, lambda: len(asked) > 2)
        app.main.pane.want("overview")  # type: ignore[union-attr]
        await until(pilot, lambda: not app.main.query_one(pane.ProcessPane).is_on_screen)
        asked.clear()
        ticks.clear()
        await until(pilot, lambda: len(ticks) > 10)
        assert not asked
