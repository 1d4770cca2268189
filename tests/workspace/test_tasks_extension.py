"""Tasks of 2026-07-28, over stdio and HTTP: made, polled, asked for input, told of, cancelled."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from live import until
from works import WORKS, served

from inspector.base.errors import Failed
from inspector.config.adhoc import from_command
from inspector.protocol.jsonrpc import read
from inspector.session.answer import Answer
from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection
from inspector.workspace.longtasks import LongTask
from inspector.workspace.task_outcome import outcome
from inspector.workspace.workspace import Workspace

ANSWERS = Profile(form="accept", sampling="echo")


@pytest.fixture(params=["stdio", "http"])
async def works(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Workspace, Connection]]:
    """A connection to tests/servers/works.py that also listens."""
    async with served(request.param) as entry:
        options = Options(responder=ANSWERS)
        traffic = Traffic.in_memory()
        environment = {"PATH": os.environ["PATH"]}
        async with Workspace(traffic, options=options, environment=environment, listens=True) as workspace:
            connection = workspace.add(entry)
            workspace.start()
            await workspace.settled()
            assert connection.state == "ready", connection.error
            yield workspace, connection


async def made(connection: Connection, tool: str) -> LongTask:
    params = {"name": tool, "arguments": {}}
    task = connection.long_tasks.made(await connection.request("tools/call", params), params)
    assert task is not None and task.by_extension and task.subject == tool
    return task


def said(answer: Answer) -> str:
    assert answer.failure is None, answer.failure
    return str(answer.result["content"][0]["text"])


async def test_a_task_is_polled_and_asked_of_until_it_is_over(works: tuple[Workspace, Connection]) -> None:
    _, connection = works
    assert said(await connection.long_tasks.follow(await made(connection, "quick"))) == "quick is done"
    task = await made(connection, "asks")
    answer = said(await connection.long_tasks.follow(task))
    assert '"who": {"action": "accept", "content": {"name": "Ada"}}' in answer
    assert '"sure": {"action"' in answer and '"text": "Say hello"' in answer
    assert [question.key for question in connection.inbox.questions] == ["who", "say", "sure"]
    assert said(await connection.long_tasks.follow(await made(connection, "first"))) == "first is done"


async def test_what_a_task_comes_to_is_the_answer_as_the_server_wrote_it(
    works: tuple[Workspace, Connection],
) -> None:
    _, connection = works
    broke = await connection.long_tasks.follow(await made(connection, "fails"))
    assert broke.failure is not None and (broke.failure.kind, broke.failure.code) == ("rpc", -32099)
    assert b'"data": {"at": 1.5}' in broke.raw
    failed = await connection.long_tasks.follow(await made(connection, "tool error"))
    assert failed.failure is None and failed.result["isError"] is True
    odd = await connection.long_tasks.follow(await made(connection, "odd"))
    assert odd.failure is not None and "holds no result" in odd.failure.message


async def test_a_task_is_told_of_and_not_polled_before_its_time(works: tuple[Workspace, Connection]) -> None:
    _, connection = works
    task = await made(connection, "told")
    assert task.pause == 3600
    assert said(await connection.long_tasks.follow(task)) == "told is done"


async def test_a_cancelled_task_ends_and_one_that_goes_on_is_let_go(
    works: tuple[Workspace, Connection],
) -> None:
    workspace, connection = works
    long, stubborn = await made(connection, "long"), await made(connection, "stubborn")
    following = asyncio.create_task(connection.long_tasks.follow(long))
    await until(workspace, lambda: long.followers > 0)
    await connection.long_tasks.cancel(long)
    answer = await following
    assert answer.failure is not None and answer.failure.kind == "cancelled" and long.status == "cancelled"
    following = asyncio.create_task(connection.long_tasks.follow(stubborn))
    await until(workspace, lambda: stubborn.followers > 0)
    await connection.long_tasks.give_up(stubborn)
    answer = await following
    assert answer.failure is not None and "was given up" in answer.failure.message
    assert stubborn.status == "working"
    await connection.long_tasks.list()
    assert stubborn.status == "working" and not connection.long_tasks.warning


async def test_input_that_is_not_given_ends_the_task(works: tuple[Workspace, Connection]) -> None:
    _, connection = works
    connection.inbox.responder = Profile(form="accept", sampling="refuse")
    task = await made(connection, "asks")
    answer = await connection.long_tasks.follow(task)
    assert answer.failure is not None and "say: User rejected" in answer.failure.message
    assert task.status == "cancelled" and answer.result["status"] == "cancelled"


async def test_an_id_and_an_interval_of_any_kind_are_taken(works: tuple[Workspace, Connection]) -> None:
    _, connection = works
    task = await made(connection, "strange")
    assert task.id.startswith("\ud800") and task.pause == 1
    assert said(await connection.long_tasks.follow(task)) == "strange is done"


async def test_a_task_where_none_may_be_is_no_answer(works: tuple[Workspace, Connection]) -> None:
    _, connection = works
    answer = await connection.request("prompts/get", {"name": "tasked"})
    assert answer.failure is not None and "must not be answered with a task" in answer.failure.message
    with pytest.raises(Failed):
        await connection.long_tasks.look(LongTask("nobody's", {}, by_extension=True))


async def test_the_extension_is_declared_to_who_lists_it_or_asks_for_it() -> None:
    options = Options(responder=ANSWERS)
    async with Workspace(Traffic.in_memory(), options=options, environment={"PATH": ""}) as workspace:
        connection = workspace.add(from_command([*WORKS, "notasks"]))
        workspace.start()
        await workspace.settled()
        assert connection.session is not None
        answer = await connection.request("tools/call", {"name": "undeclared"})
        assert answer.failure is not None and "did not declare" in answer.failure.message
        assert connection.long_tasks.made(answer, {"name": "undeclared"}) is None
        # The refusal says what is missing, so the request is sent once more with it.
        task = await made(connection, "quick")
        assert said(await connection.long_tasks.follow(task)) == "quick is done"
        assert any("which it does not list" in warning for warning in connection.session.warnings)


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "telegram", None, 5])
def test_what_holds_no_outcome_is_told(status: Any) -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","result":5,"error":[],"status":%s}}'
    filled = raw % (f'"{status}"' if isinstance(status, str) else "null").encode()
    told = outcome(Answer(filled, read(filled), 0, 0, 0.0))
    assert told.failure is not None and told.raw == filled
