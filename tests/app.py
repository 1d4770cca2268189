"""The app on real servers, without a terminal: opened, driven by a pilot, read as text."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command, from_url
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.panes.tool import ToolView
from inspector.tui.panes.tools import ToolsPane
from inspector.workspace.tool_calls import ToolCalls
from inspector.workspace.workspace import Workspace

DEMO = [sys.executable, "-m", "inspector.demo", "stdio"]
SHELF = str(Path(__file__).parent / "servers" / "shelf.py")
DRIFTING = str(Path(SHELF).with_name("drifting.py"))
SERVERS: dict[str, list[str] | str] = {
    "bakery": [*DEMO, "bakery"],
    "post": [*DEMO, "post"],
    "broken": [sys.executable, "-c", "import sys; sys.exit('BAKERY_KEY is not set')"],
    "ghost": ["/nowhere/to/be/found"],
    "shelf": [sys.executable, SHELF],
    "asker": [sys.executable, str(Path(SHELF).with_name("asker.py"))],
    "many": [sys.executable, SHELF, "many"],
    "shifting": [sys.executable, str(Path(SHELF).with_name("shifting.py"))],
    "cheap": [sys.executable, DRIFTING, "price=1.50"],
    "dear": [sys.executable, DRIFTING, "price=1.75", "gone=gone", "reader=price,clock,gone"],
    "dual": [sys.executable, str(Path(SHELF).with_name("eras.py")), "dual"],
    "silent": [sys.executable, "-c", "import sys; sys.stdin.read()"],
}
Until = Callable[[Pilot[Any], Callable[[], object]], Any]


@asynccontextmanager
async def opened(
    *names: str,
    size: tuple[int, int] = (120, 40),
    disabled: tuple[str, ...] = (),
    traffic: Traffic | None = None,
    options: Options = Options(),
    tool_calls: ToolCalls | None = None,
) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    """The app on some of `SERVERS`, in memory unless it is given a traffic; it asks about calls, and writes them down,
    only where `tool_calls` are given."""
    book = Traffic.in_memory() if traffic is None else traffic
    async with Workspace(
        book, secrets=Secrets(), environment={"PATH": ""}, options=options, listens=True
    ) as workspace:
        workspace.tool_calls = tool_calls
        for name in names:
            served = SERVERS[name]
            entry = from_url(served) if isinstance(served, str) else from_command(served)
            entry.name, entry.enabled = name, name not in disabled
            workspace.add(entry)
        app = InspectorApp(workspace, "servers.json")
        async with app.run_test(size=size) as pilot:
            yield app, pilot


def state(app: InspectorApp, name: str) -> str:
    return app.workspace.connections[name].state


def painted(app: App[Any]) -> str:
    """The whole screen as text."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip)[:width] for strip in strips[:height])


async def open_tool(
    app: InspectorApp, pilot: Pilot[Any], until: Until, name: str, server: str = "bakery"
) -> ToolView:
    """The view of a tool, as soon as it is there."""
    await until(pilot, lambda: app.workspace.connections[server].count("tools") is not None)
    await until(pilot, lambda: app.main.pane is not None)
    await app.main.go_to(server, name)
    await until(pilot, lambda: (view := tool_view(app)) is not None and view.name_ == name)
    view = tool_view(app)
    assert view is not None
    return view


def tool_view(app: InspectorApp) -> ToolView | None:
    tab = app.main.pane.tab if app.main.pane is not None else None
    return tab.view if isinstance(tab, ToolsPane) else None
