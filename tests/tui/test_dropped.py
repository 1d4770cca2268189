"""A tool that must not be used over HTTP, since its `x-mcp-header` is wrong: it is seen, with the reason, and not
called."""

from __future__ import annotations

import json
from typing import Any

import app as apps
import pytest
from app import Until, opened, painted, state

from inspector.transports.httpd import Request, Response, serve
from inspector.tui.panes.tools import ToolsPane

MODERN = "2026-07-28"
BAD = {
    "type": "object",
    "properties": {"list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}}},
}
RESULTS: dict[str, Any] = {
    "server/discover": {"supportedVersions": [MODERN], "capabilities": {"tools": {}}},
    "tools/list": {"tools": [{"name": "good", "inputSchema": {"type": "object"}}, {"name": "bad", "inputSchema": BAD}],
                   "ttlMs": 60_000, "cacheScope": "private"},
    "tools/call": {"content": []},
}  # fmt: skip


async def test_a_dropped_tool_is_shown_with_its_reason(until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def answer(request: Request) -> Response:
        message = json.loads(request.body)
        asked.append(message["method"])
        if message["method"] not in RESULTS:
            body: dict[str, Any] = {"error": {"code": -32601, "message": "no such method"}}
        else:
            body = {"result": {"resultType": "complete", **RESULTS[message["method"]]}}
        raw = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **body}).encode()
        return Response(404 if "error" in body else 200, raw, (("Content-Type", "application/json"),))

    async with serve(answer) as server:
        monkeypatch.setitem(apps.SERVERS, "web", f"{server.url}/mcp")
        async with opened("web", size=(200, 60)) as (app, pilot):
            await until(pilot, lambda: state(app, "web") == "ready" and app.main.pane is not None)
            app.main.tab_wanted("overview")
            await app.main.go_to("web", None)
            await until(pilot, lambda: "may be kept for 1m" in painted(app))
            await until(pilot, lambda: "tools: entry 1: dropped: x-mcp-header" in painted(app))
            await app.main.go_to("web", "bad")
            pane = app.main.pane
            assert pane is not None
            await until(pilot, lambda: isinstance(pane.tab, ToolsPane) and pane.tab.view is not None)
            await until(pilot, lambda: "▲ dropped: x-mcp-header" in painted(app))
            await until(pilot, lambda: pane.tab.view.has_focus_within)
            await pilot.press("f5")
            await until(pilot, lambda: "bad is dropped" in painted(app))
            assert "tools/call" not in asked
