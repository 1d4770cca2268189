"""server-everything asks, works for long and keeps tasks; a person answers in the app."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from app import Until, painted
from textual.pilot import Pilot

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call
from inspector.tui.panes.inbox import InboxPane
from inspector.tui.panes.tool import ToolView
from inspector.workspace.workspace import Workspace


@pytest.mark.node
async def test_what_it_asks_is_answered_and_what_takes_long_is_followed(
    npm_server: Callable[[str], str],
    until: Until,
) -> None:
    async with Workspace(
        Traffic.in_memory(), secrets=Secrets(), environment={"PATH": os.environ["PATH"]}
    ) as workspace:
        entry = from_command([npm_server("mcp-server-everything")])
        entry.name = "everything"
        connection = workspace.add(entry)
        app = InspectorApp(workspace, "everything")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: connection.count("tools") is not None and app.main.pane is not None)

            async def called(name: str, arguments: dict[str, Any]) -> Callable[[], Call]:
                """Calls a tool from its form."""
                await app.main.go_to("everything", name)
                await until(
                    pilot,
                    lambda: any(
                        view.name_ == name and view.has_focus_within for view in app.main.query(ToolView)
                    ),
                )
                view = next(view for view in app.main.query(ToolView) if view.name_ == name)
                if arguments:
                    await view._form.load(arguments)
                before = len(view.calls)
                await pilot.press("f5")
                await until(pilot, lambda: len(view.calls) > before)
                return lambda: view.calls[0]

            async def asked(pilot: Pilot[Any]) -> None:
                await until(pilot, lambda: connection.inbox.open)
                await pilot.press("f12")
                await until(
                    pilot,
                    lambda: (panes := app.main.query(InboxPane)) and panes.first()._switcher.has_focus_within,
                )

            call = await called("trigger-elicitation-request", {})
            await asked(pilot)
            await pilot.press(*"Ada Lovelace", "f5")
            await until(pilot, lambda: call().badge == "ok")
            answer = next(q.reply for q in connection.inbox.questions if q.method == "elicitation/create")
            assert isinstance(answer, dict) and answer["content"]["name"] == "Ada Lovelace"
            assert answer["content"]["integer"] == 42 and "Ada Lovelace" in str(call().answer.result)  # type: ignore[union-attr]

            call = await called("trigger-sampling-request", {"prompt": "Say hello"})
            await asked(pilot)
            await pilot.press(*"Hello from a person", "f5")
            await until(pilot, lambda: call().badge == "ok")
            assert "Hello from a person" in str(call().answer.result)  # type: ignore[union-attr]

            call = await called("trigger-long-running-operation", {"duration": 6, "steps": 3})
            await until(pilot, lambda: "1/3" in painted(app) or "2/3" in painted(app))
            await until(pilot, lambda: call().badge == "ok")

            call = await called("simulate-research-query", {"topic": "python", "ambiguous": True})
            await until(pilot, lambda: "task working" in painted(app) or "task input" in painted(app))
            await asked(pilot)
            await pilot.press("f8")
            await until(pilot, lambda: call().badge == "ok")
            assert "Research Report" in str(call().answer.result)  # type: ignore[union-attr]
            assert [task.status for task in connection.long_tasks.tasks.values()] == ["completed"]

            call = await called("trigger-elicitation-request-async", {})
            await asked(pilot)
            assert connection.inbox.open[0].as_task
            await until(pilot, lambda: "as a task" in painted(app))
            await pilot.press(*"Ada", "f5")
            await until(pilot, lambda: call().badge == "ok")
            assert "User provided the requested information" in str(call().answer.result)  # type: ignore[union-attr]
