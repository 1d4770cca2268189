"""Tasks: those of 2025-11-25, and those of the extension for 2026-07-28."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base.text import clip
from inspector.check.rules import MODERN, V07, V11, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol.revisions import PREFIX

_PAGE = "2025-11-25/basic/utilities/tasks"
_EXTENSION = "https://modelcontextprotocol.io/extensions/tasks/overview"
_STATES = ("working", "input_required", "completed", "failed", "cancelled")
_ENDS = ("completed", "failed", "cancelled")
_POLLS = ("tasks/get", "tasks/cancel")
_TOLD = ("notifications/tasks/status", "notifications/tasks")


def _tasks(frame: Frame) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each task that a message describes in full, with its pointer."""
    if frame.message.kind == "notification":
        yield frame.params, "/params"
    elif isinstance(created := frame.result.get("task"), dict) and "taskId" in created:
        yield created, "/result/task"
    elif frame.result.get("resultType") == "task" or (
        frame.method in _POLLS and not (frame.version == V07 and frame.method == "tasks/cancel")
    ):
        yield frame.result, "/result"


@rule("K01", "error", (V11, V07), f"{_PAGE}#data-types", on="result")
@also("K01", on="notification", of=_TOLD)
def poor_task(frame: Frame, talk: Talk) -> Findings:
    """A task lacks its id, state, times or time to live."""
    for task, where in _tasks(frame):
        for name in ("taskId", "status", "createdAt", "lastUpdatedAt"):
            if not isinstance(task.get(name), str):
                yield Found(f"the task has no {name}", f"{where}/{name}")
        life = "ttlMs" if frame.version == V07 else "ttl"
        if life not in task:
            yield Found(f"the task has no {life}", f"{where}/{life}")
        if isinstance(task.get("status"), str) and task["status"] not in _STATES:
            yield Found(f"{clip(task['status'], 40)} is no state of a task", f"{where}/status")


@rule("K02", "error", (V11, V07), f"{_PAGE}#task-status-lifecycle", on="result")
@also("K02", on="notification", of=_TOLD)
def odd_change(frame: Frame, talk: Talk) -> Findings:
    """A task leaves a state that is final, or begins in another one than working."""
    states: dict[str, str] = talk.kept("K02", dict)
    for task, where in _tasks(frame):
        name, state = task.get("taskId"), task.get("status")
        if not isinstance(name, str) or not isinstance(state, str):
            continue
        before = states.get(name)
        if before in _ENDS and state != before:
            yield Found(f"the task is {clip(state, 40)} after it was {before}", f"{where}/status")
        elif before is None and frame.version == V11 and where == "/result/task" and state != "working":
            yield Found(f"the task begins as {clip(state, 40)}", f"{where}/status")
        states[name] = state


@rule("K03", "error", (V11,), f"{_PAGE}#task-support-and-handling", on="result")
def unasked_task(frame: Frame, talk: Talk) -> Findings:
    """A task is made of a request that did not ask for one."""
    made = any(where == "/result/task" for _, where in _tasks(frame))
    if made and frame.request is not None and "task" not in frame.request.params:
        yield Found(f"{clip(frame.method or '', 60)} did not ask for a task, and became one", "/result/task")


@rule("K06", "error", MODERN, _EXTENSION, on="result", of="tasks/get")
@also("K06", on="notification", of="notifications/tasks")
def empty_outcome(frame: Frame, talk: Talk) -> Findings:
    """A task is over, or waits, without what that brings with it."""
    needed = {"completed": "result", "failed": "error", "input_required": "inputRequests"}
    for task, where in _tasks(frame):
        name = needed.get(str(task.get("status")))
        if name is not None and name not in task:
            yield Found(f"the task is {task['status']} and has no {name}", where)


@rule("K07", "error", (V11,), f"{_PAGE}#associating-task-related-messages", on="result", of="tasks/result")
def nameless_outcome(frame: Frame, talk: Talk) -> Findings:
    """The outcome of a task does not say whose it is."""
    if not members(frame.meta.get(f"{PREFIX}related-task")):
        yield Found(f"the result has no {PREFIX}related-task in its _meta", "/result/_meta")


@rule("K05", "warning", MODERN, _EXTENSION, on="result", of=("tasks/result", "tasks/list"))
def removed_method(frame: Frame, talk: Talk) -> Findings:
    """A method of tasks is served that the extension took away."""
    yield f"{frame.method} was answered; the extension for tasks does not have it"
