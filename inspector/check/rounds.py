"""Input in rounds (2026-07-28): results that ask for something, and requests that come back with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base.jsonptr import escape
from inspector.base.text import clip, quoted
from inspector.check.framing import json_text
from inspector.check.rules import MODERN, Findings, Found, also, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol import elicitation, sampling
from inspector.protocol.listing import json_type

MAY_ASK = ("tools/call", "prompts/get", "resources/read")
_INPUTS = (elicitation.METHOD, sampling.METHOD, "roots/list")
_SERVER = "basic/patterns/mrtr#server-requirements-basic-workflow"
_ROUNDS = 10


@rule("M01", "error", MODERN, "basic/patterns/mrtr", on="result")
def asks_elsewhere(frame: Frame, talk: Talk) -> Findings:
    """Input is asked for in answer to a method that cannot ask."""
    if frame.result.get("resultType") == "input_required" and frame.method not in MAY_ASK:
        yield Found(
            f"{clip(frame.method or '', 60)} cannot be answered with input_required", "/result/resultType"
        )


@rule("M02", "error", MODERN, "basic/patterns/mrtr", on="result")
def asks_nothing(frame: Frame, talk: Talk) -> Findings:
    """A result asks for input and names neither requests nor a state."""
    result = frame.result
    if result.get("resultType") == "input_required" and not (
        "inputRequests" in result or "requestState" in result
    ):
        yield Found("the result has neither inputRequests nor requestState", "/result")


@rule("M03", "error", MODERN, "basic/patterns/mrtr", on="result", of=MAY_ASK)
def odd_input(frame: Frame, talk: Talk) -> Findings:
    """An input request is of no kind that there is, or is a whole JSON-RPC request."""
    if frame.result.get("resultType") != "input_required":
        return
    requests = frame.result.get("inputRequests", {})
    if not isinstance(requests, dict):
        yield Found(f"inputRequests is {json_type(requests)}", "/result/inputRequests")
        return
    for key, request in requests.items():
        where, method = f"/result/inputRequests/{escape(key)}", members(request).get("method")
        if method not in _INPUTS:
            yield Found(f"{quoted(method, 60)} is nothing that can be asked so", f"{where}/method")
        for name in ("jsonrpc", "id"):
            if name in members(request):
                yield Found(
                    f"the request has {name}, as if it were sent by itself", f"{where}/{name}", level="info"
                )


@rule("M07", "info", MODERN, "basic/patterns/mrtr", on="result", of=MAY_ASK)
def many_rounds(frame: Frame, talk: Talk) -> Findings:
    """A request needs more than ten rounds of input."""
    rounds: dict[tuple[str | None, str], int] = talk.kept("M07", dict)
    if frame.request is None:
        return
    key = frame.method, repr(_target(frame.request))
    rounds[key] = rounds.get(key, 0) + 1 if frame.result.get("resultType") == "input_required" else 0
    if rounds[key] > _ROUNDS:
        yield f"{frame.method} asked for input {_ROUNDS} times, and asks again"


@dataclass(frozen=True, slots=True)
class _Question:
    """What was asked for, by its keys, and the id of the request that was answered so."""

    keys: frozenset[str]
    id: str


def _questions(talk: Talk) -> dict[int, _Question]:
    """Those of the server, whatever the connection: by what a request says that comes back to one."""
    return talk.known("questions", dict)


def _states(talk: Talk) -> set[int]:
    return talk.known("states", set)


def _target(request: Frame) -> Any:
    return request.params.get("name", request.params.get("uri"))


def _mark(*parts: Any) -> int:
    return hash(repr(parts))


def _question(request: Frame, talk: Talk) -> _Question | None:
    """The one that a request comes back to."""
    return _questions(talk).get(_mark(request.method, _target(request), request.params.get("requestState")))


@also("M04", on="result", of=MAY_ASK)
def note_question(frame: Frame, talk: Talk) -> Findings:
    result, request = frame.result, frame.request
    if result.get("resultType") == "input_required" and request is not None:
        state = result.get("requestState")
        keys = frozenset(members(result.get("inputRequests")))
        mark = _mark(request.method, _target(request), state)
        _questions(talk)[mark] = _Question(keys, json_text(request.message.id))
        if "requestState" in result:
            _states(talk).add(_mark(state))
    return ()


@rule("M04", "error", MODERN, "basic/patterns/mrtr#client-requirements-basic-workflow", on="sent", of=MAY_ASK)
def bad_return(frame: Frame, talk: Talk) -> Findings:
    """The client comes back with a state that no server gave, without an answer that was asked for, or under the id of
    the first request."""
    if frame.message.kind != "request" or frame.probing:
        return
    params = frame.params
    if "requestState" in params and _mark(params["requestState"]) not in _states(talk):
        yield Found("the client's requestState is none that the server gave", "/params/requestState")
    question = _question(frame, talk) if params.keys() & {"requestState", "inputResponses"} else None
    if question is not None:
        for key in sorted(question.keys - members(params.get("inputResponses")).keys()):
            yield Found(f"the client leaves out what was asked as {clip(key, 60)}", "/params/inputResponses")
        if json_text(frame.message.id) == question.id:
            yield Found("the client comes back under the id of the request that was answered", "/id")


@rule("M05", "warning", MODERN, _SERVER, on="result", of=MAY_ASK)
def trusted_state(frame: Frame, talk: Talk) -> Findings:
    """A request with a state that the server did not give is served."""
    params: Mapping[str, Any] = frame.request.params if frame.request is not None else {}
    known = _states(talk)
    # What the state has no influence on, it need not protect: so much cannot be seen from outside.
    foreign = "requestState" in params and _mark(params["requestState"]) not in known
    if known and foreign and frame.result.get("resultType") == "complete":
        yield "a requestState that the server did not give was taken; where it matters it must be refused"


@rule("M06", "warning", MODERN, "basic/patterns/mrtr#error-handling", on="error", of=MAY_ASK)
def intolerant(frame: Frame, talk: Talk) -> Findings:
    """Input with a key too many, or one too few, is answered by an error."""
    question = _question(frame.request, talk) if frame.request is not None else None
    if frame.request is None or question is None:
        return
    given = members(frame.request.params.get("inputResponses")).keys()
    if more := given - question.keys:
        yield f"input has {clip(min(more), 60)} that was not asked for, and that is an error; it should be ignored"
    elif question.keys - given:
        yield "input that was asked for is missing, and that is an error; it should be asked for again"
