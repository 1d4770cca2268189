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

SERVER = r"""
import json, sys

N = "\x1b]52;c;aGk=\x07[@click=app.leave]x[/x][/] \u202egnp\u200b \x9b31m"
ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}, N: {N: True}},
        "serverInfo": {"name": N, "version": N, "title": N},
        "instructions": N,
    },
    "tools/list": {"tools": [
        {"name": N, "title": N, "description": N,
         "inputSchema": {"type": "object", "properties": {N: {"type": "string", "description": N}}}},
        {"name": 7}, N, {"name": N, "inputSchema": N},
    ]},
    "resources/list": {"resources": [{"name": N, "uri": N, "mimeType": N, "description": N}]},
    "resources/templates/list": {"resourceTemplates": [{"name": N, "uriTemplate": N}]},
    "prompts/list": {"prompts": [
        {"name": N, "description": N, "arguments": [{"name": N, "description": N}]},
    ]},
    "tools/call": {
        "content": [
            {"type": "text", "text": N}, {"type": N}, N, {"type": "resource_link", "name": N, "uri": N},
            {"type": "image", "data": N, "mimeType": N},
        ],
        "structuredContent": {N: N},
    },
    "resources/read": {"contents": [{"uri": N, "text": N}, {"uri": N, "blob": N}]},
    "prompts/get": {"messages": [{"role": N, "content": {"type": "text", "text": N}}, N]},
}
sys.stderr.buffer.write(N.encode() + b"\n")
sys.stderr.flush()
for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:
        said = {"jsonrpc": "2.0", "id": ask["id"]}
        known = ANSWERS.get(ask["method"])
        said |= {"result": known} if known else {"error": {"code": -32601, "message": N, "data": N}}
        print(json.dumps(said), flush=True)
"""

Until = Callable[[Pilot[Any], Callable[[], object]], Any]


def painted(app: InspectorApp) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return [segment.text for strip in strips for segment in strip if not segment.control]


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_nothing_of_it_is_obeyed_or_left_out(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    async with Workspace(Traffic.in_memory(), environment={"PATH": ""}) as workspace:
        entry = from_command([sys.executable, str(script)])
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
