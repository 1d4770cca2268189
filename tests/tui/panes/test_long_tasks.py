"""The tasks of a server in the app: made by a call, asked for input, followed and ended."""

from __future__ import annotations

import sys
from pathlib import Path

from app import Until, painted

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.session.responders import AskPerson
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call, book_of, cancel, restored
from inspector.tui.panes.inbox import InboxPane
from inspector.tui.panes.long_tasks import TasksPane
from inspector.workspace.workspace import Workspace

WORKS = str(Path(__file__).parents[2] / "servers" / "works.py")


async def test_a_task_of_the_extension_asks_and_ends_and_stands_in_the_table(until: Until) -> None:
    traffic = Traffic.in_memory()
    options = Options(responder=AskPerson())
    async with Workspace(
        traffic, secrets=Secrets(), options=options, environment={"PATH": ""}, listens=True
    ) as workspace:
        entry = from_command([sys.executable, WORKS])
        entry.name = "works"
        connection = workspace.add(entry)
        app = InspectorApp(workspace, "works")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: connection.count("tools") is not None and app.main.pane is not None)
            call = Call("tools/call", {"name": "asks", "arguments": {}})
            book_of(connection).begin(call)
            await until(pilot, lambda: len(connection.inbox.open) == 2)
            await until(pilot, lambda: "Tasks" in painted(app))
            await app.main.go_to("works", None)
            app.main.pane.want("tasks")
            await until(pilot, lambda: app.main.query(TasksPane) and "who, say" in painted(app))
            await until(
                pilot, lambda: "extension of 2026" in painted(app) and "input_required" in painted(app)
            )
            await pilot.press("f12")
            await until(
                pilot,
                lambda: (panes := app.main.query(InboxPane)) and panes.first()._switcher.has_focus_within,
            )
            await until(pilot, lambda: "for asks" in painted(app))
            await pilot.press("f5")
            await until(pilot, lambda: len(connection.inbox.open) == 1)
            connection.inbox.open[0].settle({"role": "assistant", "model": "m", "content": []})
            await until(pilot, lambda: connection.inbox.open and connection.inbox.open[0].key == "sure")
            connection.inbox.open[0].settle({"action": "decline"})
            await until(pilot, lambda: not call.running)
            assert call.badge == "ok" and call.answer is not None
            whole, call.answer = call.answer.raw, None
            again = restored(call, lambda row: traffic.raw(row))
            assert again is not None and again.raw == whole

            long = Call("tools/call", {"name": "stubborn", "arguments": {}})
            book_of(connection).begin(long)
            await until(pilot, lambda: long.task is not None)
            app.main.pane.want("tasks")
            await until(pilot, lambda: "stubborn" in painted(app))
            cancel(long)
            await until(pilot, lambda: not long.running)
            assert long.badge == "cancelled" and long.task is not None and not long.task.is_over


async def test_tasks_are_looked_at_fetched_and_ended_by_keys(until: Until) -> None:
    options = Options(responder=AskPerson())
    async with Workspace(
        Traffic.in_memory(), secrets=Secrets(), options=options, environment={"PATH": ""}
    ) as workspace:
        entry = from_command([sys.executable, WORKS])
        entry.name = "works"
        connection = workspace.add(entry)
        app = InspectorApp(workspace, "works")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: connection.count("tools") is not None and app.main.pane is not None)
            made = connection.long_tasks
            for tool in ("quick", "strange", "long"):
                params = {"name": tool, "arguments": {}}
                assert made.made(await connection.request("tools/call", params), params) is not None
            app.main.pane.want("tasks")
            await until(pilot, lambda: app.main.query(TasksPane) and "long stands at working" in painted(app))
            app.main.query_one(TasksPane).enter()
            long, quick = made.tasks["task/long"], made.tasks["task/quick"]
            await pilot.press("f6")
            await until(pilot, lambda: long.told is not None)
            await pilot.press("f8")
            await until(pilot, lambda: long.status == "cancelled" and "cancelled" in painted(app))
            assert app.main.query_one(TasksPane).check_action("end", ()) is False
            await pilot.press("f5")
            await until(pilot, lambda: quick.told is not None)
            await pilot.press("down", "down", "f7")
            await until(pilot, lambda: quick.result is not None and "quick is done" in painted(app))
            assert "\x1b" not in painted(app) and "\u202e" not in painted(app)
