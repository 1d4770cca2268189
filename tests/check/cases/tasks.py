"""Cases for the rules of `inspector.check.tasks`."""

from __future__ import annotations

from typing import Any

from check.conversation import ABLE, PREFIX, Case, Row, answers, asks, complete, meta, new, old, tells

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


CASES: dict[str, Case] = {
    "K01": (made(TASK), made(OF_11)),
    "K02": (
        made(OF_11, tells("tasks/status", {**OF_11, "status": "failed"}), tells("tasks/status", OF_11)),
        made(OF_11, tells("tasks/status", {**OF_11, "status": "failed"})),
    ),
    "K03": (made(OF_11, asked=False), made(OF_11)),
    "K06": (polled({**OF_07, "status": "completed"}), polled({**OF_07, "status": "completed", "result": {}})),
    "K07": (outcome(), outcome(**{f"{PREFIX}related-task": {"taskId": "t"}})),
    "K05": (
        new(asks("tasks/list", {"_meta": meta()}), answers(complete({"tasks": []}))),
        old(asks("tasks/list"), answers({"tasks": []})),
    ),
}
