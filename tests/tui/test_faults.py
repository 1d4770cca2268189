"""Each fault of the table is told in its words on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app import tool_view
from fault_table import FAULTS, ODDITIES, Fault, configured, reachable
from textual.widget import Widget

from inspector.base.secrets import Secrets
from inspector.config.load import load
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.workspace.workspace import Workspace


@pytest.fixture(scope="module")
def urls() -> Iterator[dict[str, str]]:
    with reachable() as urls:
        yield urls


def shown(app: InspectorApp, widget: Widget) -> str:
    """What is painted where the widget is, as one line of words."""
    x, y, width, height = widget.region
    strips = app.screen._compositor.render_strips()[y : y + height]
    lines = (strip.crop(x, x + width).text for strip in strips)
    return " ".join(" ".join(line.strip(" │▌▐█┃") for line in lines).split())


@pytest.mark.parametrize("fault", [*FAULTS, *ODDITIES], ids=str)
async def test_the_app_shows_the_same_words(
    fault: Fault, urls: dict[str, str], tmp_path: Path, until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in fault.environment.items():
        monkeypatch.setenv(name, value)
    loaded = load(configured(fault, urls, tmp_path))
    options = Options(connect_timeout=fault.connect_patience, timeout=fault.patience)
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), options=options) as workspace:
        for entry in loaded.entries:
            workspace.add(entry)
        app = InspectorApp(workspace, "servers.json")
        async with app.run_test(size=(160, 70)) as pilot:
            connection = workspace.connections["faulty"]
            await until(
                pilot, lambda: connection.state == ("error" if fault.kind and not fault.tool else "ready")
            )
            await until(pilot, lambda: app.main.pane is not None)
            if fault.tool:
                await until(pilot, lambda: connection.count("tools") is not None)
                await app.main.go_to("faulty", fault.tool)
                await until(pilot, lambda: (view := tool_view(app)) is not None and view.has_focus_within)
                await pilot.press("f5")

            def told() -> bool:
                where = tool_view(app) if fault.tool else app.main.pane
                assert where is not None
                text = squeezed(shown(app, where))
                return all(squeezed(part) in text for part in (*fault.cause, fault.step))

            try:
                await until(pilot, told)
            except AssertionError:
                pytest.fail(f"not all of {(*fault.cause, fault.step)} is in: {shown(app, app.main.pane)}")


def squeezed(text: str) -> str:
    """Without blanks: a long word is broken where the line ends."""
    return "".join(text.split())
