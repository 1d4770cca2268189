"""Calls that a server works on by itself, polled until they are over: tasks of 2025-11-25 (spec: utilities/tasks) and
of the extension of 2026-07-28 (ext-tasks: tasks)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from inspector.base import tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.text import quoted
from inspector.session.answer import Answer
from inspector.session.inbox import Question, Refusal
from inspector.workspace.task_outcome import outcome

if TYPE_CHECKING:
    from inspector.session.session import Session

Request = Callable[..., Awaitable[Answer]]
OVER = ("completed", "failed", "cancelled")
TTL = 300_000
"""Milliseconds for which a server is asked to keep what a task of ours comes to."""
_POLL, _SHORTEST, _LONGEST = 1.0, 0.2, 3600.0
_MOST = 1000
_PAGES = 50
_QUESTIONS = 100
_OF_A_STATE = ("inputRequests", "result", "error")


@dataclass(eq=False)
class LongTask:
    """`value` is the task as the server told it last; foreign. `subject` is what was called, where it was from here.

    `by_extension` tells the two designs apart. `asked` are the questions of the task, by their key."""

    id: str
    value: dict[str, Any]
    subject: str = ""
    by_extension: bool = False
    seen_at: float = field(default_factory=time.time)
    result: Answer | None = None
    asked: dict[str, Question] = field(default_factory=dict)
    told: Answer | None = None
    """The latest answer about it."""
    problem: Failure | None = None
    """Why it is not waited for any longer."""
    followers: int = 0
    """How many wait for its end."""
    ended: Callable[[Answer], None] | None = None
    """Told once what it came to, by whoever followed it first."""
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
        wished = self.value.get("pollIntervalMs" if self.by_extension else "pollInterval")
        if isinstance(wished, bool) or not isinstance(wished, int | float):
            return _POLL
        return min(_LONGEST, max(_SHORTEST, wished / 1000))

    @property
    def lifetime(self) -> Any:
        """Milliseconds from its making for which the server keeps it; foreign."""
        return self.value.get("ttlMs" if self.by_extension else "ttl")


class LongTasks:
    """Those of one server by id, the oldest first. `request` and `session` are those of its connection; `watch` asks to
    be told of a task by the extension, or no longer."""

    def __init__(
        self,
        request: Request,
        session: Callable[[], Session | None],
        changed: Callable[[], None],
        watch: Callable[[str, bool], None] = lambda id_, on: None,
    ) -> None:
        self._request = request
        self._session = session
        self._changed = changed
        self._watch = watch
        self.tasks: dict[str, LongTask] = {}
        self.warning = ""
        """What is wrong with the list of the server's tasks."""

    def take(self, value: Any, subject: str = "", *, by_extension: bool = False) -> LongTask | None:
        """A task as the server tells it; None for what is none."""
        id_ = value.get("taskId") if isinstance(value, dict) else None
        if not isinstance(id_, str):
            return None
        task = self.tasks.get(id_)
        if task is None:
            while len(self.tasks) >= _MOST:
                del self.tasks[next(iter(self.tasks))]
            task = self.tasks[id_] = LongTask(id_, {}, by_extension=by_extension)
        before = {name: part for name, part in task.value.items() if name not in _OF_A_STATE}
        task.value = {**before, **value}
        task.subject = subject or task.subject
        task.seen_at = time.time()
        task._news.set()
        self._changed()
        return task

    def made(self, answer: Answer, params: dict[str, Any] | None) -> LongTask | None:
        """The task that a call was answered with; None for every other answer."""
        result, given = answer.result, params or {}
        if answer.failure is not None or not isinstance(result, dict):
            return None
        session, subject = self._session(), str(given.get("name", ""))
        modern = session is not None and session.handshake is not None and session.handshake.era == "modern"
        if modern and result.get("resultType") == "task":
            return self.take(result, subject, by_extension=True)
        return self.take(result.get("task"), subject) if "task" in given and not modern else None

    async def follow(self, task: LongTask, **hooks: Any) -> Answer:
        """Waits until it is over, and gives what it came to. What the server asks meanwhile goes to the inbox. Raises
        Failed where an answer does not come."""
        end = await (self._poll(task) if task.by_extension else self._await_result(task, **hooks))
        ended, task.ended = task.ended, None
        if ended is not None:
            ended(end)
        return end

    async def _await_result(self, task: LongTask, **hooks: Any) -> Answer:
        """Where it wants input, the result is asked for at once: what the server asks comes with it."""
        while not task.is_over and task.status != "input_required":
            await self._news(task)
        return await self.fetch(task, **hooks)

    async def _poll(self, task: LongTask) -> Answer:
        """What it wants to know stands in the task itself, and so does what it comes to."""
        if not task.followers:
            task.problem = None
            task.asked = {key: each for key, each in task.asked.items() if each.reply is not None}
            self._watch(task.id, True)
        task.followers += 1
        try:
            while not task.is_over and task.problem is None:
                self._ask(task)
                await self._news(task)
            if task.problem is not None:
                if task.problem.kind != "cancelled":
                    raise Failed(task.problem)
                if not task.is_over:
                    await self.cancel(task)
            if task.told is None or (task.problem is None and not _is_over(task.told)):
                await self.look(task)
            assert task.told is not None
            task.result = (
                outcome(task.told) if task.problem is None else replace(task.told, flaw=task.problem)
            )
            return task.result
        finally:
            task.followers -= 1
            if not task.followers:
                self._watch(task.id, False)
                for question in task.asked.values():
                    question.withdraw("cancelled", "the task that asks is over, or not waited for any more")

    async def _news(self, task: LongTask) -> None:
        """Waits for a word of the server about the task, and asks for one where none comes in time."""
        task._news.clear()
        try:
            async with asyncio.timeout(task.pause):
                await task._news.wait()
        except TimeoutError:
            await self.look(task)

    def _ask(self, task: LongTask) -> None:
        """Puts what the task asks into the inbox, each key once: it is repeated in every answer until it is given."""
        session, asked = self._session(), task.value.get("inputRequests")
        if task.status != "input_required" or not isinstance(asked, dict) or session is None:
            return
        for key, request in islice(asked.items(), _QUESTIONS):
            method = request.get("method") if isinstance(request, dict) else None
            if key in task.asked:
                continue
            if not isinstance(method, str):
                task.problem = _problem(f"the input request {quoted(key, 80)} of the task names no method")
                return
            row = task.told.row if task.told is not None else -1
            task.asked[key] = question = session.asking.input(method, request.get("params"), key, row)
            tasks.spawn(self._give(task, key, question), "input for a task")

    async def _give(self, task: LongTask, key: str, question: Question) -> None:
        try:
            reply = await question.answer()
            if isinstance(reply, Refusal):
                # There is no way to say no to this but to end the task.
                task.problem = Failure(
                    kind="cancelled",
                    message=f"the task asks for input that is not given ({key}: {reply.message}), so it was cancelled",
                    hint="--answer FILE says what is answered",
                )
            else:
                given = {"taskId": task.id, "inputResponses": {key: reply}}
                _good(await self._request("tasks/update", given))
        except Failed as failed:
            if task.problem is None and question.reply is not None:
                task.problem = failed.failure
        task._news.set()

    async def fetch(self, task: LongTask, **hooks: Any) -> Answer:
        """What it comes to, waiting until it is over. Raises Failed."""
        if task.by_extension:
            await self.look(task)
            return await self._poll(task)
        # It is waited for as long as the task takes: no clock but that of the person.
        task.result = await self._request(
            "tasks/result", {"taskId": task.id}, timeout=math.inf, max_time=math.inf, **hooks
        )
        if not task.is_over:
            await self.look(task)
        return task.result

    async def look(self, task: LongTask) -> None:
        """`tasks/get`. Raises Failed."""
        answer = await self._request("tasks/get", {"taskId": task.id})
        value = _good(answer)
        if value.get("taskId") != task.id:
            raise fail(
                "protocol", "tasks/get answered with something else than this task", "see the raw frame"
            )
        task.told = answer
        self.take(value)

    async def cancel(self, task: LongTask) -> None:
        """`tasks/cancel`. By the extension it is only a wish, and the task may go on. Raises Failed."""
        value = _good(await self._request("tasks/cancel", {"taskId": task.id}))
        if task.by_extension:
            await self.look(task)
        else:
            self.take(value)

    async def give_up(self, task: LongTask) -> None:
        """Cancels it, and whoever follows it by the extension does not wait for its end, which may be long in coming.
        Raises Failed."""
        if task.by_extension and task.followers:
            task.problem = Failure(
                kind="cancelled", message="the task was given up; the server was asked to end it"
            )
            task._news.set()
        else:
            await self.cancel(task)

    def _lists_tasks(self) -> bool:
        session = self._session()
        handshake = session.handshake if session is not None else None
        offered = handshake.capabilities.get("tasks") if handshake is not None else None
        return (
            handshake is not None
            and handshake.era == "legacy"
            and isinstance(offered, dict)
            and "list" in offered
        )

    async def list(self) -> None:
        """All tasks of the server: by `tasks/list`, every page, where there is that; else those that are known and not
        over, one by one. Raises Failed."""
        self.warning = ""
        lists = self._lists_tasks()
        for known in [task for task in self.tasks.values() if not task.is_over]:
            if known.by_extension or not lists:
                await self.look(known)
        if not lists:
            return
        cursor: Any = None
        for _ in range(_PAGES):
            result = _good(await self._request("tasks/list", {} if cursor is None else {"cursor": cursor}))
            listed = result.get("tasks")
            for value in listed if isinstance(listed, list) else []:
                self.take(value)
            before, cursor = cursor, result.get("nextCursor")
            if cursor is None:
                return
            if cursor == before:
                self.warning = f"repeated cursor {quoted(cursor, 80)}; the list of tasks loops"
                return
        self.warning = f"page budget of {_PAGES} used up; the list of tasks may go on"


def may_be_task(entry: Any, capabilities: Any) -> str:
    """`required` or `optional` for a tool that can be called as a task of 2025-11-25; else empty."""
    execution = entry.get("execution") if isinstance(entry, dict) else None
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    value = capabilities
    for member in ("tasks", "requests", "tools", "call"):
        value = value.get(member) if isinstance(value, dict) else None
    return support if value is not None and support in ("required", "optional") else ""


def _is_over(answer: Answer) -> bool:
    return isinstance(answer.result, dict) and answer.result.get("status") in OVER


def _problem(message: str) -> Failure:
    return Failure(kind="protocol", message=message, hint="see the raw frame in the traffic")


def _good(answer: Answer) -> dict[str, Any]:
    if answer.failure is not None:
        raise Failed(answer.failure)
    if not isinstance(answer.result, dict):
        raise Failed(_problem("the answer holds no object"))
    return answer.result
