"""Files that are watched in the app: a real server, changed while it runs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from app import Until, painted, tool_view
from textual.pilot import Pilot

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call, book_of
from inspector.tui.screens.diff import DiffScreen
from inspector.workspace.workspace import Workspace

DRIFTING = Path(__file__).parent.parent / "servers" / "drifting.py"


@pytest.fixture
def server(tmp_path: Path) -> Path:
    return Path(shutil.copy(DRIFTING, tmp_path / "server.py"))


@asynccontextmanager
async def shop(server: Path, *watched: str) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), listens=True) as workspace:
        workspace.watched = watched
        entry = from_command([sys.executable, str(server)])
        entry.name = "shop"
        workspace.add(entry)
        app = InspectorApp(workspace, "servers.json")
        async with app.run_test(size=(120, 40)) as pilot:
            yield app, pilot


def told(app: InspectorApp) -> str:
    return "\n".join(notice.message for notice in app._notifications)


def change(server: Path, old: str, new: str) -> None:
    text = server.read_text()
    assert old in text
    server.write_text(text.replace(old, new))


async def test_a_change_repeats_the_last_call_and_tells_what_is_different(server: Path, until: Until) -> None:
    async with shop(server) as (app, pilot):
        connection = app.workspace.connections["shop"]
        await until(pilot, lambda: connection.count("tools") == 5)
        await book_of(connection).begin(Call("tools/call", {"name": "price", "arguments": {"item": "rye"}}))
        await pilot.press("alt+w", *str(server.parent / "*.py"), "enter")
        await until(pilot, lambda: "watching 1 file" in told(app))
        change(server, '"1.50"', '"1.60"')
        await until(
            pilot, lambda: "server.py changed. price: 1 change in the answer  alt+c shows it" in told(app)
        )
        assert len(book_of(connection).of("tools/call", "price")) == 2
        await pilot.press("alt+c")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen) and "1.60" in painted(app))
        assert "/answer/content/0/text" in painted(app)
        await pilot.press("escape")
        change(server, '("price", "clock",', '("price", "weight", "clock",')
        await until(pilot, lambda: "+ weight" in told(app))
        server.write_text("this is no program")
        await until(pilot, lambda: "server.py changed. exited with code 1" in told(app))
        await pilot.press("alt+w", "ctrl+u", "enter")
        await until(pilot, lambda: "not watched any more" in told(app))
        assert not app.main.file_watches


async def test_the_answer_on_show_is_the_new_one_and_times_are_no_change(server: Path, until: Until) -> None:
    async with shop(server, str(server)) as (app, pilot):
        connection = app.workspace.connections["shop"]
        await until(pilot, lambda: connection.count("tools") == 5 and "watching 1 file" in told(app))
        await app.main.go_to("shop", "price")
        await until(pilot, lambda: (view := tool_view(app)) is not None and view.name_ == "price")
        await pilot.press("f5")
        await until(pilot, lambda: "1.50" in painted(app))
        change(server, '"1.50"', '"1.60"')
        await until(pilot, lambda: "1 change in the answer" in told(app))
        await until(pilot, lambda: "1.60" in painted(app) and "1.50" not in painted(app))
        await book_of(connection).begin(Call("tools/call", {"name": "clock", "arguments": {}}))
        change(server, "here still", "here")
        await until(pilot, lambda: "Nothing is different." in told(app))
        assert "clock: " not in told(app)


async def test_files_may_be_watched_from_the_start(server: Path, until: Until) -> None:
    async with shop(server, str(server.parent)) as (app, pilot):
        connection = app.workspace.connections["shop"]
        await until(pilot, lambda: connection.count("tools") == 5 and "watching 1 file" in told(app))
        change(server, '"gone")', '"gone", "weight")')
        await until(pilot, lambda: "+ weight" in told(app) and connection.count("tools") == 6)
        await pilot.press("d")
        await until(pilot, lambda: connection.state == "disabled")
        change(server, '"1.50"', '"1.60"')
        await until(pilot, lambda: "server.py changed. Nothing is started: shop is disabled" in told(app))
        assert connection.state == "disabled"
