"""A call of a tool to its end, also where the server works on it by itself: as a task."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from inspector.base import tasks
from inspector.base.errors import Failed, fail
from inspector.base.text import duration
from inspector.protocol.jsonrpc import METHOD_NOT_FOUND
from inspector.session.answer import Answer
from inspector.workspace.connection import Connection
from inspector.workspace.longtasks import TTL, LongTask, may_be_task

_PATIENCE = 2.0
"""Seconds that the server has to take notice of a task that is given up."""


async def call(
    connection: Connection,
    params: dict[str, Any],
    *,
    told: Callable[[LongTask], None] = lambda task: None,
    **hooks: Any,
) -> Answer:
    """The answer to `tools/call`; of a task, what it comes to. A tool that must be called as one is called so (spec
    2025-11-25: utilities/tasks, tool-level negotiation). `told` is called when a task was made. Raises Failed."""
    answer = await connection.request("tools/call", params, **hooks)
    if _refused(answer) and await _must_be_task(connection, params):
        params = {**params, "task": {"ttl": TTL}}
        answer = await connection.request("tools/call", params, **hooks)
    task = connection.long_tasks.made(answer, params)
    if task is None:
        return answer
    told(task)
    began = time.monotonic()
    limit = connection.options.max_time
    try:
        async with asyncio.timeout(limit):
            end = await connection.long_tasks.follow(task)
            return replace(end, seconds=answer.seconds + time.monotonic() - began)
    except TimeoutError:
        await _give_up(connection, task)
        raise fail(
            "timeout", f"the task was not over within {duration(limit)}", "allow more with --max-time"
        ) from None
    except asyncio.CancelledError:
        await _give_up(connection, task)
        raise


def _refused(answer: Answer) -> bool:
    """Whether it may be the word for a tool that must be called as a task: the specification asks for -32601, servers
    in the field say -32603 or make a failed result of it."""
    if answer.failure is not None:
        return answer.failure.kind == "rpc"
    result = answer.result
    if not isinstance(result, dict) or result.get("isError") is not True:
        return False
    said = str(result.get("content"))
    return str(METHOD_NOT_FOUND) in said or "task" in said.lower()


async def _must_be_task(connection: Connection, params: dict[str, Any]) -> bool:
    session = connection.session
    handshake = session.handshake if session is not None else None
    if (
        session is None
        or handshake is None
        or handshake.era == "modern"
        or "tasks" not in handshake.capabilities
    ):
        return False
    entry = (await session.list("tools")).find(str(params.get("name")))
    return may_be_task(entry, handshake.capabilities) == "required"


async def _give_up(connection: Connection, task: LongTask) -> None:
    """The server is told, and not waited for for long: whoever cancels a second time must not wait at all."""
    telling = tasks.spawn(_tell(connection, task), "give up a task")
    await asyncio.wait({telling}, timeout=_PATIENCE)


async def _tell(connection: Connection, task: LongTask) -> None:
    try:
        await connection.long_tasks.give_up(task)
    except Failed:
        # It is over, or the connection is: there is nothing left to end.
        pass
