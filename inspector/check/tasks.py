"""Tasks: those of 2025-11-25, and those of the extension for 2026-07-28."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.text import clip
from inspector.check.rules import MODERN, V07, V11, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol.extensions import TASKS
from inspector.protocol.jsonrpc import INVALID_PARAMS
from inspector.protocol.revisions import PREFIX

_PAGE = "2025-11-25/basic/utilities/tasks"
_EXTENSION = "https://modelcontextprotocol.io/extensions/tasks/overview"
_STATES = ("working", "input_required", "completed", "failed", "cancelled")
_ENDS = ("completed", "failed", "cancelled")
_POLLS = ("tasks/get", "tasks/cancel")
_METHODS = ("tasks/get", "tasks/update", "tasks/cancel")
_EARLY, _SLACK = 0.9, 1.0
"""A part of a pause, and seconds, within which clocks may differ."""
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


@rule("K03", "error", (V11, V07), f"{_PAGE}#task-support-and-handling", on="result")
def unasked_task(frame: Frame, talk: Talk) -> Findings:
    """A task is made of a request that did not ask for one, or whose client did not declare the extension."""
    if frame.result.get("resultType") == "task" and frame.version == V07 and not _declared(frame.request):
        yield Found(f"{clip(frame.method or '', 60)} became a task, and its client did not declare {TASKS}",
                    "/result/resultType")  # fmt: skip
    made = any(where == "/result/task" for _, where in _tasks(frame))
    if made and frame.version == V11 and frame.request is not None and "task" not in frame.request.params:
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


def _declared(request: Frame | None) -> bool:
    """Whether the client of a request of 2026-07-28 has tasks."""
    return request is not None and TASKS in members(request.declared.get("extensions"))


@rule("X04", "error", MODERN, "basic/versioning#extension-negotiation", on="result")
def not_negotiated(frame: Frame, talk: Talk) -> Findings:
    """What belongs to an extension is used, and not both sides declared it."""
    if frame.result.get("resultType") != "task" and frame.method not in _METHODS:
        return
    if not talk.declares("extensions", TASKS):
        yield f"{clip(frame.method or '', 60)} is served as the extension {TASKS} has it, and that is not declared"
    elif frame.method in _METHODS and not _declared(frame.request):
        yield f"{frame.method} is served, and the client did not declare {TASKS}; error -32021 was due"


@also("X04", on="notification", of="notifications/tasks")
def told_undeclared(frame: Frame, talk: Talk) -> Findings:
    if not talk.declares("extensions", TASKS):
        yield f"notifications/tasks came, and the server does not declare {TASKS}"


@dataclass(slots=True)
class _Life:
    """A task as it was last described. Times are those of rows, in seconds; None where nobody said."""

    born: float
    ttl: float | None = None
    pause: float | None = None
    asked: float | None = None
    got: bool = False


def _lives(talk: Talk) -> dict[str, _Life]:
    return talk.known("lives", dict)


def _seconds(value: Any) -> float | None:
    return value / 1000 if type(value) in (int, float) and 0 <= value < 1e12 else None


@also("K08", on="result")
@also("K08", on="notification", of=_TOLD)
def note_life(frame: Frame, talk: Talk) -> Findings:
    for task, where in _tasks(frame):
        name, modern = task.get("taskId"), frame.version == V07
        if not isinstance(name, str):
            continue
        life = _lives(talk).setdefault(name, _Life(frame.time))
        life.pause = _seconds(task.get("pollIntervalMs" if modern else "pollInterval"))
        life.ttl = _seconds(task.get("ttlMs" if modern else "ttl"))
        life.got = life.got or frame.method == "tasks/get"
        age = frame.time - life.born
        if frame.method == "tasks/get" and life.ttl is not None and age > life.ttl + _SLACK:
            yield Found("the task is still there after its time to live", f"{where}/taskId")


@rule("K08", "info", (V11, V07), f"{_PAGE}#ttl-and-resource-management", on="sent", of="tasks/get")
def impatient(frame: Frame, talk: Talk) -> Findings:
    """A task is asked about sooner than its server wants, or is there longer than it said."""
    life = _lives(talk).get(str(frame.params.get("taskId")))
    if life is None:
        return
    if life.asked is not None and life.pause is not None and frame.time - life.asked < life.pause * _EARLY:
        yield Found(f"the client asks again sooner than after the {life.pause:g} s that the server wants")
    life.asked = frame.time


@rule("K04", "error", MODERN, _EXTENSION, on="error", of="tasks/get")
def lost_task(frame: Frame, talk: Talk) -> Findings:
    """A task is not found right after it was made."""
    life = _lives(talk).get(str(frame.request.params.get("taskId"))) if frame.request is not None else None
    if life is None or life.got or frame.error.get("code") != INVALID_PARAMS:
        return
    if life.ttl is None or frame.time - life.born < life.ttl:
        yield "the task was made just now, and is not known; it must be there before the answer that names it"
