"""Rounds of input (spec 2026-07-28: multi round-trip requests): an answer that asks back, and the same request again
with what it asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failure
from inspector.base.text import quoted
from inspector.session.answer import Answer
from inspector.session.inbox import Refusal, Reply

if TYPE_CHECKING:
    from inspector.session.session import Session

INPUT_REQUIRED = "input_required"
MOST = 10
"""Rounds of one request, after which the person is asked whether to go on: the server may go in circles."""
_MAY_ASK = ("tools/call", "prompts/get", "resources/read")


async def answered(
    session: Session,
    method: str,
    params: dict[str, Any],
    answer: Answer,
    send: Callable[[dict[str, Any]], Awaitable[Answer]],
) -> Answer:
    """The answer that ends the rounds. What could not be given is told in its `flaw`; then the last answer stands.

    `send` sends the request again, with these params. Raises Failed as it does.
    """
    for number in count(1):
        if not _asks(answer):
            break
        if method not in _MAY_ASK:
            return _flawed(answer, "protocol", f"{method} must not be answered by asking for input")
        result = answer.result
        asked, state = result.get("inputRequests"), result.get("requestState")
        if problem := _problem(result):
            return _flawed(answer, "protocol", problem)
        if number > 1 and number % MOST == 1 and not await _goes_on(session, number - 1, answer):
            return _flawed(answer, "protocol", f"the server still asks for input after {number - 1} rounds")
        again = dict(params)
        if asked is not None:
            replies = await _replies(session, asked, answer)
            refused = [
                f"{key}: {reply.message}" for key, reply in replies.items() if isinstance(reply, Refusal)
            ]
            if refused:
                return _flawed(
                    answer, "cancelled", f"the server asks for input that is not given ({'; '.join(refused)})"
                )
            again["inputResponses"] = replies
        if state is not None:
            again["requestState"] = state
        answer = await send(again)
        answer.rounds = number
    return answer


def _asks(answer: Answer) -> bool:
    result = answer.result
    return (
        answer.message.kind == "response"
        and isinstance(result, dict)
        and result.get("resultType") == INPUT_REQUIRED
    )


def _problem(result: dict[str, Any]) -> str | None:
    asked, state = result.get("inputRequests"), result.get("requestState")
    if asked is None and state is None:
        return "the server asks for input, but neither says for which nor gives a state to come back with"
    if state is not None and not isinstance(state, str):
        return "requestState is no string"
    if asked is None:
        return None
    if not isinstance(asked, dict):
        return "inputRequests is no object"
    for key, request in asked.items():
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return f"the input request {quoted(key, 80)} names no method"
    return None


async def _goes_on(session: Session, rounds: int, answer: Answer) -> bool:
    params = {
        "message": f"It asked {rounds} times and asks again. Go on?",
        "next": answer.result.get("inputRequests"),
    }
    question = session.asking.own("rounds", params, answer.row, answer.message.id)
    reply = await question.answer()
    return isinstance(reply, dict) and reply.get("action") == "accept"


async def _replies(session: Session, asked: dict[str, Any], answer: Answer) -> dict[str, Reply]:
    """Asks everything at once, as the server did. Raises Failed where a question is withdrawn."""
    questions = {
        key: session.asking.input(
            request["method"], request.get("params"), key, answer.row, answer.message.id
        )
        for key, request in asked.items()
    }
    try:
        return {key: await question.answer() for key, question in questions.items()}
    finally:
        for question in questions.values():
            question.withdraw("cancelled", "the request that it belongs to was given up")


def _flawed(answer: Answer, kind: Any, message: str) -> Answer:
    hint = (
        "the request was not sent again; --answer FILE says what is answered"
        if kind == "cancelled"
        else "see the raw frame in the traffic"
    )
    answer.flaw = Failure(kind=kind, message=message, hint=hint)
    return answer
