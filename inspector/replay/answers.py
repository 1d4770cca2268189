"""Answers what a live server asks as the client of the recording did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.base import numbers
from inspector.protocol import jsonrpc
from inspector.replay.plan import Asked, Plan
from inspector.session.inbox import Question, Refusal, Reply

_DECLARED = ("elicitation", "sampling", "tasks")


class FromRecording:
    """A responder: the answer that was given to the same question, else the next one that was given to its method. Each
    is given once. What the recording has no answer for is refused, and kept in `missed`."""

    title = "the recording"

    def __init__(self, plan: Plan) -> None:
        self._left = list(plan.asked)
        self.missed: list[str] = []
        self.capabilities: Mapping[str, Any] = {
            name: numbers.plain(plan.declared[name])
            for name in _DECLARED
            if isinstance(plan.declared.get(name), dict)
        }

    def take(self, question: Question) -> None:
        asked = self._find(question)
        if asked is None:
            self.missed.append(question.method)
            question.refuse(
                jsonrpc.METHOD_NOT_FOUND,
                f"The recording has no answer to {question.method}",
                "the recording has no answer to it",
            )
            return
        self._left.remove(asked)
        question.settle(_reply(asked.reply), "answered as in the recording")

    def _find(self, question: Question) -> Asked | None:
        fitting = [asked for asked in self._left if asked.method == question.method]
        same = (asked for asked in fitting if numbers.same(asked.params, question.params))
        return next(same, fitting[0] if fitting else None)


def _reply(message: dict[str, Any]) -> Reply:
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return dict(numbers.plain(result))
    code, text = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
    data = error.get("data") if isinstance(error, dict) else None
    data = numbers.plain(data)
    return Refusal(code if type(code) is int else jsonrpc.INTERNAL_ERROR, str(text or "refused"), data)
