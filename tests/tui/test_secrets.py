"""Planted secrets are on no screen, in no picture, on no clipboard and in none of our files, whatever repeats them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from app import Until, painted
from leaks import VARIABLES, leaks, leaky_config

from inspector.base.secrets import Secrets
from inspector.config.load import load
from inspector.traffic.store import Traffic
from inspector.tui import app as the_app
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace

KEYS = ("enter", "f5", "y", "f6", "y", "f6", "y", "c", "escape", "escape")
"""What is pressed on each tab: opens, sends, goes from part to part and copies it, offers the ways to copy."""


@pytest.fixture
def config(tmp_path: Path) -> Iterator[str]:
    with leaky_config(tmp_path) as path:
        yield path


async def test_nothing_that_leaves_the_app_holds_a_planted_secret(
    config: str, home: Path, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []

    async def copy(app: InspectorApp, text: str) -> str:
        copied.append(text)
        return "the test"

    monkeypatch.setattr(the_app, "copy", copy)
    monkeypatch.chdir(tmp_path)
    found: dict[str, list[str]] = {}
    seen: list[str] = []
    loaded = load(Path(config), environment=VARIABLES, home=tmp_path)
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment=dict(VARIABLES)) as workspace:
        connections = [
            workspace.add(entry) for entry in loaded.entries if entry.name in ("stdio", "stream", "login")
        ]
        app = InspectorApp(workspace, "leaky")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: all(one.state in ("ready", "error") for one in connections))

            def look(where: str, *, picture: bool = False) -> None:
                seen.append(painted(app))
                if leak := leaks(seen[-1]) + (leaks(app.export_screenshot()) if picture else []):
                    found[where] = leak

            await pilot.press("R")
            for connection in connections:
                await app.main.go_to(connection.name, None)
                for tab in "123456":
                    await pilot.press(tab)
                    for key in KEYS:
                        await pilot.press(key)
                        look(f"{connection.name}, tab {tab}, {key}", picture=key == "f5")
            await pilot.press("f", "home", "enter", "y", "escape", "R")
            look("traffic")
            try:
                raise ValueError(" ".join(VARIABLES.values()))
            except ValueError as error:
                app.report("the test", error)
            await pilot.pause()
            look("a bug of ours")
    for number, text in enumerate(copied):
        if leak := leaks(text):
            found[f"copy {number}"] = leak
    files = [path for path in home.rglob("*") if path.is_file()]
    for path in files:
        if leak := leaks(path.read_text("utf-8", "surrogateescape")):
            found[str(path)] = leak
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)[:20_000]
    assert any("crashes" in str(path) for path in files) and any(path.suffix == ".mcprec" for path in files)
    assert sum("***" in text for text in copied) > 3 and "***" in "".join(seen)
