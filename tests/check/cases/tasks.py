"""Cases for the rules of `inspector.check.tasks`."""

from __future__ import annotations

from typing import Any

from check.conversation import (
    ABLE,
    EVERYTHING,
    PREFIX,
    Case,
    Row,
    answers,
    asks,
    complete,
    fails,
    message,
    meta,
    new,
    old,
    sent,
    tells,
)

from inspector.check.rules import V11

TASK = {
    "taskId": "t",
    "status": "working",
    "createdAt": "2026-01-01T00:00:00Z",
    "lastUpdatedAt": "2026-01-01T00:00:00Z",
}
OF_11 = {**TASK, "ttl": None}
OF_07 = {**TASK, "ttlMs": 1}
TASKS = {**ABLE, "extensions": {f"{PREFIX}tasks": {}}}


def made(task: Any, *rows: Row, asked: bool = True) -> list[Row]:
    params = {"name": "t", **({"task": {}} if asked else {})}
    return old(asks("tools/call", params), answers({"task": task}), *rows, version=V11)


def polled(task: Any) -> list[Row]:
    return new(asks("tasks/get", {"_meta": meta(capabilities=TASKS), "taskId": "t"}), answers(complete(task)))


def outcome(**meta: Any) -> list[Row]:
    return old(asks("tasks/result", {"taskId": "t"}), answers({"content": [], "_meta": meta}))


LASTING = {**OF_07, "ttlMs": None, "pollIntervalMs": 5000}
WITH_TASKS = {**EVERYTHING, "extensions": {f"{PREFIX}tasks": {}}}


def tasked(task: Any = LASTING) -> list[Row]:
    """A call that becomes a task."""
    params = {"_meta": meta(capabilities=TASKS), "name": "t"}
    return [asks("tools/call", params, 5), answers({**complete(task), "resultType": "task"}, 5)]


def asked(id_: int, at: float | None = None) -> Row:
    return sent(
        message(id=id_, method="tasks/get", params={"_meta": meta(capabilities=TASKS), "taskId": "t"}), at
    )


def lived(*rows: Row) -> list[Row]:
    """A task is made, and asked about at once."""
    made, answer = tasked()
    answer.at = 0
    return new(made, answer, asked(7, 0), *rows, server=WITH_TASKS)


CASES: dict[str, Case] = {
    "K01": (made(TASK), made(OF_11)),
    "K02": (
        made(OF_11, tells("tasks/status", {**OF_11, "status": "failed"}), tells("tasks/status", OF_11)),
        made(OF_11, tells("tasks/status", {**OF_11, "status": "failed"})),
    ),
    "K03": (made(OF_11, asked=False), made(OF_11)),
    "K06": (polled({**OF_07, "status": "completed"}), polled({**OF_07, "status": "completed", "result": {}})),
    "K04": (
        lived(fails(-32602)),
        lived(answers(complete({**OF_07, "ttlMs": 900})), asked(8), fails(-32602, 8)),
    ),
    "K08": (
        lived(answers(complete(LASTING)), asked(8, 0.1)),
        lived(answers(complete(LASTING)), asked(8, 99)),
    ),
    "X04": (new(*tasked()), new(*tasked(), server=WITH_TASKS)),
    "K07": (outcome(), outcome(**{f"{PREFIX}related-task": {"taskId": "t"}})),
    "K05": (
        new(asks("tasks/list", {"_meta": meta()}), answers(complete({"tasks": []}))),
        old(asks("tasks/list"), answers({"tasks": []})),
    ),
}
