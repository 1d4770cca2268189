"""A server that writes terminal sequences, markup and bidi marks into everything it says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.base.text import visible
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace

NASTY = "\x1b]52;c;aGk=\x07[@click=app.leave]x[/x][/] \u202egnp\u200b \x9b31m"

SERVER = Path(__file__).parent.parent / "servers" / "hostile.py"

Until = Callable[[Pilot[Any], Callable[[], object]], Any]


def painted(app: InspectorApp) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return [segment.text for strip in strips for segment in strip if not segment.control]


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_nothing_of_it_is_obeyed_or_left_out(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    async with Workspace(Traffic.in_memory(), environment={"PATH": ""}) as workspace:
        entry = from_command([sys.executable, str(SERVER)])
        entry.name = NASTY
        connection = workspace.add(entry)
        app = InspectorApp(workspace, NASTY)
        async with app.run_test(size=size) as pilot:
            await until(
                pilot, lambda: connection.state == "ready" and connection.count("prompts") is not None
            )
            seen = ""
            for tab in "12345":
                await pilot.press(tab)
                await pilot.pause(0.15)
                for key in ("enter", "f5", "f6", "f6", "f6", "escape"):
                    await pilot.press(key)
                    await pilot.pause()
                    texts = painted(app)
                    seen += "".join(texts)
                    assert all(text == visible(text) for text in texts), (tab, key)
            assert app.is_running and connection.state == "ready"
            assert "\\u001b]52" in seen and "[@click=app.leave]" in seen
