"""What changed, seen in the app: servers, baselines, recordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.tui.app import InspectorApp
from inspector.tui.screens.compared import ComparedScreen
from inspector.tui.screens.comparing import ComparingScreen
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.save import SaveScreen


async def _ready(app: InspectorApp, pilot: Pilot[Any], until: Until, *names: str) -> None:
    await until(pilot, lambda: app.main.traffic_pane is not None)
    for name in names:
        await until(pilot, lambda name=name: app.workspace.connections[name].count("tools") is not None)
        await until(pilot, lambda name=name: app.workspace.connections[name].count("prompts") is not None)


async def _choose(app: InspectorApp, pilot: Pilot[Any], until: Until, before: str, after: str) -> None:
    """By the title of an entry, or a path."""
    await pilot.press("alt+d")
    await until(pilot, lambda: isinstance(app.screen, ComparingScreen))
    for side, wanted in (("before", before), ("after", after)):
        if "/" in wanted:
            app.screen.query_one(f"#path-{side}", Input).value = wanted
        else:
            listed = app.screen.query_one(f"#{side}", OptionList)
            listed.highlighted = [str(option.prompt) for option in listed.options].index(wanted)
    await pilot.press("f5")


def _recording(app: InspectorApp, path: Path, *changes: tuple[bytes, bytes]) -> Path:
    data = b"".join(export("jsonl", Source(app.workspace.traffic, range(len(app.workspace.traffic)))))
    for old, new in changes:
        assert old in data
        data = data.replace(old, new)
    path.write_bytes(data)
    return path


async def test_two_servers_are_compared(until: Until) -> None:
    async with opened("bakery", "post", size=(120, 40)) as (app, pilot):
        await _ready(app, pilot, until, "bakery", "post")
        await _choose(app, pilot, until, "bakery now", "post now")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "breaking" in painted(app))
        await until(pilot, lambda: "tool price_of" in painted(app) and " added" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen))
        await pilot.press("escape", "x")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "− post now" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)


async def test_a_recording_and_the_session_with_another_answer(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        await _ready(app, pilot, until, "bakery")
        answer = await app.workspace.connections["bakery"].request(
            "tools/call", {"name": "say_hello", "arguments": {"name": "Ada"}}
        )
        said = answer.result["content"][0]["text"]  # type: ignore[index]
        app.workspace.traffic.advance()
        path = _recording(
            app, tmp_path / "then.mcprec", (said.encode(), b"Good day"), (b'"say_hello"', b'"say_hello"')
        )
        await _choose(app, pilot, until, str(path), "this session")
        await until(
            pilot, lambda: isinstance(app.screen, ComparedScreen) and "1 answered differently" in painted(app)
        )
        await until(pilot, lambda: "Good day" in painted(app))
        report = tmp_path / "diff.json"
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        app.screen.query_one(Input).value = str(report)
        await pilot.press("enter")
        await until(pilot, lambda: report.exists() and isinstance(app.screen, ComparedScreen))
        written = json.loads(report.read_text())
        assert [call["different"] for call in written["calls"] if call["name"] == "tools/call say_hello"] == [
            1
        ]


async def test_a_baseline_is_accepted_and_what_has_drifted_is_shown(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", size=(120, 40)) as (app, pilot):
        await _ready(app, pilot, until, "bakery")
        await pilot.press("alt+v")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and "30 tools" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: app.screen is app.main)
        await pilot.press("alt+v")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "no difference" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        from inspector.tui.compared_sides import baseline_file

        path = baseline_file(app.workspace, app.workspace.connections["bakery"])
        path.write_text(path.read_text().replace('"price_of"', '"cost_of"'))
        await pilot.press("alt+v")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "tool cost_of" in painted(app))
        assert "tool price_of" in painted(app) and "1 added, 1 removed" in painted(app)
        await pilot.press("A")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and "is replaced" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "no difference" in painted(app))
        assert '"price_of"' in path.read_text() and '"cost_of"' not in path.read_text()


async def test_what_cannot_be_compared_is_told(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", "broken") as (app, pilot):
        await _ready(app, pilot, until, "bakery")
        await until(pilot, lambda: app.workspace.connections["broken"].state == "error")
        await _choose(app, pilot, until, "bakery now", "bakery now")
        await until(pilot, lambda: "both sides are the same" in painted(app))
        app.screen.query_one("#path-after", Input).value = str(tmp_path / "nothing")
        await pilot.press("f5")
        await until(pilot, lambda: "there is no /" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        await _choose(app, pilot, until, "bakery now", "broken now")
        await until(pilot, lambda: isinstance(app.screen, ComparedScreen) and "✗" in painted(app))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, ComparingScreen))
