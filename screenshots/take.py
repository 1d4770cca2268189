"""Takes the pictures of this folder anew: `python screenshots/take.py [NAME ...]`. Real servers, driven by keys."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from inspector import demo
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command, from_url
from inspector.config.entry import Entry
from inspector.traffic.store import Traffic
from inspector.tui import themes
from inspector.tui.app import InspectorApp
from inspector.tui.panes.tool import ToolView
from inspector.tui.panes.traffic import TrafficPane
from inspector.tui.widgets.answer_view import AnswerView
from inspector.workspace.workspace import Workspace

HERE = Path(__file__).parent
Scene = Callable[[InspectorApp, Pilot[Any]], Awaitable[None]]


async def until(pilot: Pilot[Any], condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            await pilot.pause(0.3)
            return
        await pilot.pause(0.01)
    raise TimeoutError("the scene did not come about")


async def settled(app: InspectorApp, pilot: Pilot[Any]) -> None:
    states = app.workspace.connections
    await until(pilot, lambda: all(one.state not in ("queued", "starting") for one in states.values()))
    await until(pilot, lambda: all(one.state != "ready" or one.count("prompts") for one in states.values()))


async def chosen(app: InspectorApp, pilot: Pilot[Any], tool: str) -> None:
    """The form of a tool has the focus."""
    await settled(app, pilot)
    await app.main.go_to("bakery", tool)
    await until(pilot, lambda: app.main.query(ToolView))
    await until(
        pilot, lambda: any(view.name_ == tool and view.has_focus_within for view in app.main.query(ToolView))
    )


async def called(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A tool with an enum, filled in and called."""
    await chosen(app, pilot, "say_hello")
    await pilot.press(*"Ada", "tab", "right", "right", "f5")
    await until(pilot, lambda: app.main.query_one(AnswerView).call)


async def form(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """Fields of every kind, some filled in, a list and a group unfolded."""
    await chosen(app, pilot, "order_cake")
    view = app.main.query_one(ToolView)
    await view._form.load(
        {
            "flavour": "chocolate",
            "size": "L",
            "layers": 3,
            "toppings": ["berries", "candles"],
            "words": ["Happy birthday", "Ada"],
            "deliver_to": {"street": "3 Mill Lane", "city": "Breadford"},
        }
    )
    await pilot.press("tab", "tab")
    await pilot.pause(0.5)


async def failure(app: InspectorApp, pilot: Pilot[Any]) -> None:
    await settled(app, pilot)
    await pilot.press("down", "down")
    await pilot.pause(0.8)


async def frames(app: InspectorApp, pilot: Pilot[Any]) -> None:
    """A request and its answer joined, the answer in detail beside the list."""
    await called(app, pilot)
    await pilot.press("f", "z", "end", "enter")
    await until(pilot, lambda: app.main.query_one(TrafficPane).detail_open)


SCENES: dict[str, tuple[Scene, tuple[int, int], str]] = {
    "workspace": (called, (130, 38), themes.DARK.name),
    "form": (form, (120, 44), themes.LIGHT.name),
    "failure": (failure, (110, 34), themes.DARK.name),
    "traffic": (frames, (150, 34), themes.DARK.name),
    "narrow": (called, (80, 24), themes.DARK.name),
}


def entries(url: str) -> list[Entry]:
    """The demo servers, started by a command that says nothing of the machine."""
    found = []
    for name, raw in demo.demo_config(url)["mcpServers"].items():
        entry = from_url(raw["url"]) if "url" in raw else from_command(["python", *raw["args"]])
        entry.name, entry.enabled = name, not raw.get("disabled", False)
        found.append(entry)
    return found


async def take(name: str) -> None:
    scene, size, theme = SCENES[name]
    environment = {**os.environ, "PATH": str(Path(sys.executable).parent)}
    async with (
        demo.hosted() as url,
        Workspace(Traffic.in_memory(), secrets=Secrets(), environment=environment) as workspace,
    ):
        for entry in entries(url):
            workspace.add(entry)
        app = InspectorApp(workspace, "~/.paicli/mcp.json")
        async with app.run_test(size=size) as pilot:
            app.theme = theme
            await scene(app, pilot)
            picture = app.export_screenshot(title="mcp-inspect")
    if str(Path(sys.executable).parent) in picture:
        raise SystemExit(f"{name} shows a path of this machine; change the scene")
    (HERE / f"{name}.svg").write_text(picture, encoding="utf-8")
    print(f"{name}.svg")


def main() -> None:
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    with tempfile.TemporaryDirectory() as home:
        os.environ["MCP_INSPECT_HOME"] = home
        for name in sys.argv[1:] or SCENES:
            asyncio.run(take(name))


if __name__ == "__main__":
    main()
