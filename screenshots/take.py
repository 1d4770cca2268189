"""Takes the pictures of this folder anew: `python screenshots/take.py [SCENE ...]`. Real servers, driven by keys.

The pictures of the README lie here; every scene at three sizes in both themes goes to `gallery/SIZE-THEME/`, which
is not kept in the repository.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from scenes import REAL, SCENES
from textual.pilot import Pilot

from inspector import demo
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command, from_url
from inspector.config.entry import Entry
from inspector.traffic.store import Traffic
from inspector.tui import themes
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace

HERE = Path(__file__).parent
SERVERS = HERE.parent / ".servers"
THEMES = {"dark": themes.DARK.name, "light": themes.LIGHT.name}
SIZES = ((80, 24), (120, 40), (200, 60))
README = {
    "workspace": ("call_ok", (130, 38), "dark"),
    "form": ("tool_form", (120, 44), "light"),
    "failure": ("overview_failed", (110, 34), "dark"),
    "traffic": ("traffic_detail", (150, 34), "dark"),
    "figures": ("traffic_figures", (120, 34), "dark"),
    "picture": ("call_picture", (120, 40), "light"),
    "narrow": ("call_ok", (80, 24), "dark"),
    "elicitation": ("inbox_form", (120, 40), "dark"),
    "sampling": ("inbox_sampling", (120, 40), "dark"),
    "progress": ("progress", (120, 40), "light"),
    "task": ("task_running", (120, 40), "dark"),
    "side-by-side": ("side_by_side_answers", (130, 38), "dark"),
    "findings": ("findings", (130, 34), "dark"),
}
"""File: scene, size, theme."""


def entries(urls: Mapping[str, str]) -> list[Entry]:
    """The demo servers, started by a command that says nothing of the machine."""
    found = []
    for name, raw in demo.demo_config(urls)["mcpServers"].items():
        entry = from_url(raw["url"]) if "url" in raw else from_command(["python", *raw["args"]])
        entry.name, entry.enabled = name, not raw.get("disabled", False)
        found.append(entry)
    return found


@asynccontextmanager
async def opened_real(size: tuple[int, int]) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    """The app on server-everything, as `make servers` installs it."""
    environment = {**os.environ, "PATH": os.pathsep.join([str(SERVERS / "node" / "bin"), os.environ["PATH"]])}
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment=environment) as workspace:
        entry = from_command([str(SERVERS / "node_modules" / ".bin" / "mcp-server-everything")])
        entry.name = "everything"
        workspace.add(entry)
        app = InspectorApp(workspace, "~/.paicli/mcp.json")
        async with app.run_test(size=size) as pilot:
            yield app, pilot


@asynccontextmanager
async def opened(size: tuple[int, int]) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    """The app on the demo servers."""
    environment = {**os.environ, "PATH": str(Path(sys.executable).parent)}
    async with (
        demo.open_house() as urls,
        Workspace(Traffic.in_memory(), secrets=Secrets(), environment=environment) as workspace,
    ):
        for entry in entries(urls):
            workspace.add(entry)
        app = InspectorApp(workspace, "~/.paicli/mcp.json")
        async with app.run_test(size=size) as pilot:
            yield app, pilot


async def pictures(scene: str, size: tuple[int, int], *shades: str) -> list[str]:
    """SVG of a scene, one for each of `THEMES` that is named."""
    found = []
    async with (opened_real if scene in REAL else opened)(size) as (app, pilot):
        app.theme = THEMES[shades[0]]
        await SCENES[scene](app, pilot)
        for shade in shades:
            app.theme = THEMES[shade]
            await pilot.pause(0.3)
            found.append(app.export_screenshot(title="mcp-inspect"))
    return found


def readme(name: str) -> None:
    scene, size, shade = README[name]
    picture = asyncio.run(pictures(scene, size, shade))[0]
    if any(str(folder) in picture for folder in (Path(sys.executable).parent, SERVERS.parent)):
        raise SystemExit(f"{name} shows a path of this machine; change the scene")
    (HERE / f"{name}.svg").write_text(picture, encoding="utf-8")
    print(f"{name}.svg")


def gallery(scene: str) -> None:
    for size in SIZES:
        for shade, picture in zip(THEMES, asyncio.run(pictures(scene, size, *THEMES)), strict=True):
            folder = HERE / "gallery" / f"{size[0]}x{size[1]}-{shade}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{scene.rstrip('_')}.svg").write_text(picture, encoding="utf-8")
    print(f"gallery: {scene}")


def main() -> None:
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        os.environ["MCP_INSPECT_HOME"] = home
        for name in README:
            if not wanted or name in wanted:
                readme(name)
        for scene in SCENES:
            if not wanted or scene in wanted:
                gallery(scene)


if __name__ == "__main__":
    main()
