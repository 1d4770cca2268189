"""A config file that changes while its servers run, and the files of other clients, in the app."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from app import DEMO, Until, painted, state
from textual.pilot import Pilot

from inspector.base.secrets import Secrets
from inspector.config.load import load
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.screens.found import FoundScreen
from inspector.tui.widgets.lists.choices import Choices
from inspector.workspace.config_files import ConfigFiles
from inspector.workspace.workspace import Workspace

BAKERY = {"command": sys.executable, "args": [*DEMO[1:], "bakery"]}


def write(path: Path, **servers: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), listens=True) as workspace:
        workspace.config_files = ConfigFiles([path], lambda: [load(path)])
        for entry in load(path).entries:
            workspace.add(entry)
        app = InspectorApp(workspace, "servers.json")
        async with app.run_test(size=(120, 40)) as pilot:
            yield app, pilot


async def test_what_changes_is_marked_and_restarted_on_request(tmp_path: Path, until: Until) -> None:
    path = write(tmp_path / "mcp.json", shop=BAKERY, old=BAKERY)
    async with opened(path) as (app, pilot):
        shop, old = app.workspace.connections["shop"], app.workspace.connections["old"]
        await until(pilot, lambda: state(app, "shop") == "ready" == state(app, "old"))
        before = shop.facts
        write(path, shop={**BAKERY, "env": {"SIGN": "open"}}, fresh=BAKERY)
        await until(pilot, lambda: "changed: r restarts it" in painted(app))
        await until(pilot, lambda: "no longer in its file" in painted(app) and "fresh" in painted(app))
        assert state(app, "fresh") == "disabled"
        assert shop.facts is before and state(app, "shop") == "ready" == state(app, "old")
        assert old.gone
        await app.main.show_server("shop")
        app.main.table.focus()
        await pilot.press("r")
        await until(pilot, lambda: state(app, "shop") == "ready" and shop.facts is not before)
        assert shop.server is not None and shop.server.env == {"SIGN": "open"}
        await until(pilot, lambda: "changed: r" not in painted(app))


async def test_an_edit_in_the_middle_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    path = write(tmp_path / "mcp.json", shop=BAKERY)
    async with opened(path) as (app, pilot):
        await until(pilot, lambda: state(app, "shop") == "ready")
        before = app.workspace.connections["shop"].facts
        told: list[str] = []
        monkeypatch.setattr(app.main, "notify", lambda text, **_: told.append(str(text)))
        path.write_text('{"mcpServers": {"shop": {')
        await until(pilot, lambda: told)
        assert told[0].startswith(f"{path}:1:") and told[0].endswith("the servers stay as they are")
        write(path, shop=BAKERY, fresh=BAKERY)
        await until(pilot, lambda: "fresh" in app.workspace.connections)
        shop = app.workspace.connections["shop"]
        assert (shop.gone, shop.waiting, shop.facts) == (False, None, before)


async def test_servers_of_other_clients_are_chosen_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    home, project = tmp_path / "home", tmp_path / "p"
    monkeypatch.setenv("HOME", str(home))
    write(home / ".cursor" / "mcp.json", shop=BAKERY, twin=BAKERY)
    write(project / ".mcp.json", here=BAKERY)
    monkeypatch.chdir(project)
    started = write(tmp_path / "mcp.json")
    async with opened(started) as (app, pilot):
        await pilot.press("alt+g")
        await until(pilot, lambda: isinstance(app.screen, FoundScreen) and "Claude Code" in painted(app))
        shown = painted(app)
        assert "Servers of other clients: 3 in 2 files" in shown
        assert "the same server as here of Claude Code, twin of Cursor" in shown
        assert ".cursor/mcp.json" in shown
        await until(pilot, lambda: isinstance(app.focused, Choices))
        await pilot.press("down", "space", "f5")
        await until(pilot, lambda: "shop" in app.workspace.connections)
        await until(pilot, lambda: state(app, "shop") == "ready")
        assert list(app.workspace.connections) == ["shop"]
