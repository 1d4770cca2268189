"""The skills of a server in the app: listed, read, compared with the list."""

from __future__ import annotations

import sys
from pathlib import Path

from app import Until, painted

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.panes.skills import SkillsPane
from inspector.workspace.workspace import Workspace

WORKS = [sys.executable, str(Path(__file__).parents[2] / "servers" / "works.py")]


async def test_skills_are_read_when_they_are_wanted_and_compared_with_the_list(until: Until) -> None:
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}) as workspace:
        entry = from_command([*WORKS, "skills"])
        entry.name = "works"
        connection = workspace.add(entry)
        app = InspectorApp(workspace, "works")
        async with app.run_test(size=(140, 40)) as pilot:
            await until(pilot, lambda: connection.count("tools") is not None and app.main.pane is not None)
            app.main.pane.want("skills")
            await until(pilot, lambda: "not read yet" in painted(app) and "FORMS.md" in painted(app))
            await until(pilot, lambda: connection.skills.checked == {} and "Skills 2" in painted(app))
            await until(pilot, lambda: "2 remarks: see Overview" in painted(app))
            app.main.query_one(SkillsPane).enter()
            await pilot.press("enter")
            await until(pilot, lambda: "size and digest are as the list says" in painted(app))
            await until(pilot, lambda: "Read forms with care" in painted(app))
            await pilot.press("f6")
            await until(pilot, lambda: "Read *forms* with care" in painted(app))
            await pilot.press("escape", "f7", *["down"] * 4)
            await until(pilot, lambda: "a client must not use this skill" in painted(app))
            await until(
                pilot, lambda: "it has 1 byte, not 5" in painted(app) and "another digest" in painted(app)
            )
            await pilot.press("down")
            await until(pilot, lambda: "no such resource" in painted(app))
            await pilot.press("f8")
            await until(pilot, lambda: not connection.skills.checked and "not read yet" in painted(app))


async def test_a_server_without_skills_has_no_tab_for_them(until: Until) -> None:
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}) as workspace:
        connection = workspace.add(from_command(WORKS))
        app = InspectorApp(workspace, "works")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: connection.count("tools") is not None and "Tools 15" in painted(app))
            assert "Skills" not in painted(app)
