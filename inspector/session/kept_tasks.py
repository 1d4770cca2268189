"""Tasks that a server makes of what it asks: it gets its answer when it comes for it (spec 2025-11-25: utilities/tasks,
the client as receiver)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Message
from inspector.session.inbox import Question, Refusal

_RELATED = "io.modelcontextprotocol/related-task"
_POLL = 1000
_MOST = 500
_STATUS = {
    "open": "working",
    "cancelled": "cancelled",
    "refused": "failed",
    "lost": "failed",
    "timed out": "failed",
}


class KeptTasks:
    """Of one session. `send` takes frames for the server."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._tasks: dict[str, _Kept] = {}

    def keep(self, id_: Any, question: Question) -> None:
        """Answers the request with a task; the answer to the question itself is for who asks for the result."""
        while len(self._tasks) >= _MOST:
            del self._tasks[next(iter(self._tasks))]
        kept = _Kept(question)
        self._tasks[kept.id] = kept
        self._send(jsonrpc.result(id_, {"task": kept.value()}))
        question.on_end(
            lambda ended: self._send(jsonrpc.notification("notifications/tasks/status", kept.value()))
        )

    def request(self, message: Message) -> None:
        """`tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`."""
        id_, method, params = message.id, message.method, message.value.get("params")
        if method == "tasks/list":
            self._send(jsonrpc.result(id_, {"tasks": [kept.value() for kept in self._tasks.values()]}))
            return
        wanted = params.get("taskId") if isinstance(params, dict) else None
        kept = self._tasks.get(wanted) if isinstance(wanted, str) else None
        if kept is None:
            self._send(jsonrpc.error(id_, jsonrpc.INVALID_PARAMS, "There is no such task"))
        elif method == "tasks/get":
            self._send(jsonrpc.result(id_, kept.value()))
        elif method == "tasks/result":
            kept.question.on_end(lambda ended: self._send(kept.result(id_)))
        elif method != "tasks/cancel":
            self._send(jsonrpc.error(id_, jsonrpc.METHOD_NOT_FOUND, f"Method not found: {method}"))
        elif not kept.question.is_open:
            self._send(jsonrpc.error(id_, jsonrpc.INVALID_PARAMS, f"The task is {kept.status} already"))
        else:
            kept.question.withdraw("cancelled", "the server cancelled the task")
            self._send(jsonrpc.result(id_, kept.value()))


class _Kept:
    def __init__(self, question: Question) -> None:
        self.id = os.urandom(16).hex()
        self.question = question

    @property
    def status(self) -> str:
        question = self.question
        # A form that was cancelled is an answer; a question that was withdrawn is none.
        state = "answered" if isinstance(question.reply, dict) else question.state
        return "failed" if isinstance(question.reply, Refusal) else _STATUS.get(state, "completed")

    def value(self) -> dict[str, Any]:
        asked, ended = self.question.asked_at, self.question.ended_at
        return {
            "taskId": self.id, "status": self.status, "createdAt": _stamp(asked),
            "lastUpdatedAt": _stamp(ended or asked), "ttl": None, "pollInterval": _POLL,
        }  # fmt: skip

    def result(self, id_: Any) -> bytes:
        reply = self.question.reply
        if isinstance(reply, Refusal):
            return jsonrpc.error(id_, reply.code, reply.message, reply.data)
        if reply is None:
            return jsonrpc.error(id_, jsonrpc.INTERNAL_ERROR, f"The task was {self.question.state}")
        meta = reply.get("_meta")
        related = {**(meta if isinstance(meta, dict) else {}), _RELATED: {"taskId": self.id}}
        return jsonrpc.result(id_, {**reply, "_meta": related})


def _stamp(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03}Z"
