"""Tasks of a server from their making to their end."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from live import until

from inspector.base.errors import Failed
from inspector.config.adhoc import from_command
from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.unkept import Unkept
from inspector.workspace.connection import Connection
from inspector.workspace.longtasks import LongTask, LongTasks, may_be_task
from inspector.workspace.workspace import Workspace

ASKER = [sys.executable, str(Path(__file__).parents[1] / "servers" / "asker.py")]


@asynccontextmanager
async def asker() -> AsyncIterator[tuple[Workspace, Connection]]:
    options = Options(responder=Profile(form="accept"))
    async with Workspace(Unkept(), options=options, environment={"PATH": ""}) as workspace:
        connection = workspace.add(from_command(ASKER))
        workspace.start()
        await workspace.settled()
        assert connection.state == "ready", connection.error
        yield workspace, connection


async def made(connection: Connection, tool: str) -> LongTask:
    params = {"name": tool, "arguments": {}, "task": {"ttl": 1000}}
    task = connection.long_tasks.made(await connection.request("tools/call", params), params)
    assert task is not None
    return task


async def test_tasks_are_followed_to_their_result_also_where_they_want_input() -> None:
    async with asker() as (_, connection):
        quick, asks = await made(connection, "quick"), await made(connection, "asks")
        assert (quick.status, asks.status) == ("completed", "input_required")
        answer = await connection.long_tasks.follow(quick)
        assert answer.result["content"][0]["text"] == "quick is done"
        answer = await connection.long_tasks.follow(asks)
        assert '"name": "Ada"' in answer.result["content"][0]["text"] and asks.status == "completed"


async def test_tasks_are_listed_over_pages_cancelled_and_told_of() -> None:
    async with asker() as (workspace, connection):
        for tool in ("long", "quick", "long"):
            await made(connection, tool)
        connection.long_tasks.tasks.clear()
        await connection.long_tasks.list()
        first, second, third = connection.long_tasks.tasks.values()
        assert [each.status for each in (first, second, third)] == ["working", "completed", "working"]
        await connection.long_tasks.cancel(first)
        assert first.status == "cancelled"
        assert (await connection.long_tasks.fetch(first)).failure is not None
        with pytest.raises(Failed):
            await connection.long_tasks.cancel(second)
        connection.long_tasks.take({"taskId": third.id, "status": "failed"})
        await until(workspace, lambda: third.is_over)


async def test_a_server_that_does_not_list_its_tasks_is_asked_for_those_that_are_known() -> None:
    async with asker() as (_, connection):
        long = await made(connection, "long")
        assert connection.session is not None and connection.session.handshake is not None
        del connection.session.handshake.capabilities["tasks"]["list"]
        long.value["status"] = "?"
        await connection.long_tasks.list()
        assert (
            long.status == "working"
            and long.told is not None
            and list(connection.long_tasks.tasks) == [long.id]
        )


async def test_messages_are_kept_by_level_and_the_level_is_asked_for() -> None:
    async with asker() as (_, connection):
        await connection.told.set_level("warning")
        answer = await connection.request("tools/call", {"name": "log", "arguments": {}})
        assert answer.result["content"][0]["text"] == "warning"
        log = connection.messages
        assert (
            log.count == 11
            and log.levels["info"] == 2
            and log.levels["other"] == 2
            and log.level == "warning"
        )
        assert [message.rank for message in log.messages][:9] == list(range(9))


def test_what_is_no_task_is_none() -> None:
    tasks = LongTasks(lambda *given: None, lambda: None, lambda: None)  # type: ignore[arg-type]
    assert all(tasks.take(value) is None for value in (None, 5, {}, {"taskId": 5}))
    odd = tasks.take({"taskId": "a", "status": 5, "pollInterval": "soon", "statusMessage": []})
    assert odd is not None and (odd.status, odd.message, odd.pause) == ("", "", 1.0) and not odd.is_over
    assert may_be_task({"execution": {"taskSupport": "required"}}, {"tasks": {"requests": []}}) == ""
    assert may_be_task({"execution": 5}, {}) == "" and may_be_task(None, None) == ""
