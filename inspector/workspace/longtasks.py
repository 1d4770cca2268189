"""Tasks of 2025-11-25: calls that a server works on by itself, polled until they are over (spec: utilities/tasks)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from inspector.base.errors import Failed, Failure
from inspector.session.dispatcher import Answer

Request = Callable[..., Awaitable[Answer]]
OVER = ("completed", "failed", "cancelled")
TTL = 300_000
"""Milliseconds for which a server is asked to keep what a task of ours comes to."""
_POLL, _SHORTEST, _LONGEST = 1.0, 0.2, 30.0
_MOST = 1000
_PAGES = 50


@dataclass(eq=False)
class LongTask:
    """`value` is the task as the server told it last; foreign. `subject` is what was called, where it was from here."""

    id: str
    value: dict[str, Any]
    subject: str = ""
    seen_at: float = field(default_factory=time.time)
    result: Answer | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def status(self) -> str:
        status = self.value.get("status")
        return status if isinstance(status, str) else ""

    @property
    def message(self) -> str:
        text = self.value.get("statusMessage")
        return text if isinstance(text, str) else ""

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def pause(self) -> float:
        """Seconds between two looks at it, as the server wishes."""
        wished = self.value.get("pollInterval")
        if isinstance(wished, bool) or not isinstance(wished, int | float):
            return _POLL
        return min(_LONGEST, max(_SHORTEST, wished / 1000))


class LongTasks:
    """Those of one server by id, the oldest first. `request` sends a request, as that of a connection."""

    def __init__(self, request: Request, changed: Callable[[], None]) -> None:
        self._request = request
        self._changed = changed
        self.tasks: dict[str, LongTask] = {}

    def take(self, value: Any, subject: str = "") -> LongTask | None:
        """A task as the server tells it; None for what is none."""
        id_ = value.get("taskId") if isinstance(value, dict) else None
        if not isinstance(id_, str):
            return None
        task = self.tasks.get(id_)
        if task is None:
            while len(self.tasks) >= _MOST:
                del self.tasks[next(iter(self.tasks))]
            task = self.tasks[id_] = LongTask(id_, {})
        task.value = {**task.value, **value}
        task.subject = subject or task.subject
        task.seen_at = time.time()
        task._news.set()
        self._changed()
        return task

    async def follow(self, task: LongTask, **hooks: Any) -> Answer:
        """Waits until it is over, and gives its result. Where it wants input, the result is asked for at once: what
        the server asks comes with it. Raises Failed where an answer does not come."""
        while not task.is_over and task.status != "input_required":
            task._news.clear()
            try:
                async with asyncio.timeout(task.pause):
                    await task._news.wait()
            except TimeoutError:
                await self.look(task)
        return await self.fetch(task, **hooks)

    async def fetch(self, task: LongTask, **hooks: Any) -> Answer:
        """`tasks/result`, which waits until it is over. Raises Failed."""
        task.result = await self._request("tasks/result", {"taskId": task.id}, **hooks)
        if not task.is_over:
            await self.look(task)
        return task.result

    async def look(self, task: LongTask) -> None:
        """`tasks/get`. Raises Failed."""
        self.take(_good(await self._request("tasks/get", {"taskId": task.id})))

    async def cancel(self, task: LongTask) -> None:
        """`tasks/cancel`. Raises Failed."""
        self.take(_good(await self._request("tasks/cancel", {"taskId": task.id})))

    async def list(self) -> None:
        """`tasks/list`, every page. Raises Failed."""
        cursor: Any = None
        for _ in range(_PAGES):
            result = _good(await self._request("tasks/list", {} if cursor is None else {"cursor": cursor}))
            listed = result.get("tasks") if isinstance(result, dict) else None
            for value in listed if isinstance(listed, list) else []:
                self.take(value)
            before, cursor = cursor, result.get("nextCursor") if isinstance(result, dict) else None
            if cursor is None or cursor == before:
                return


def created(answer: Answer) -> Any:
    """The task of an answer that says that one was made; None for every other."""
    result = answer.result
    return result.get("task") if isinstance(result, dict) and isinstance(result.get("task"), dict) else None


def may_be_task(entry: Any, capabilities: Any) -> str:
    """`required` or `optional` for a tool that can be called as a task; else empty."""
    execution = entry.get("execution") if isinstance(entry, dict) else None
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    value = capabilities
    for member in ("tasks", "requests", "tools", "call"):
        value = value.get(member) if isinstance(value, dict) else None
    return support if value is not None and support in ("required", "optional") else ""


def _good(answer: Answer) -> Any:
    if answer.failure is not None:
        raise Failed(answer.failure)
    if not isinstance(answer.result, dict):
        raise Failed(Failure(kind="protocol", message="the answer holds no object", hint="see the raw frame"))
    return answer.result
