"""What a recording has to send: the requests of its client, with the answers they had then."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base import numbers
from inspector.base.secrets import MASK
from inspector.base.text import decode
from inspector.protocol.jsonrpc import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION
from inspector.protocol.revisions import PREFIX
from inspector.traffic.rows import Row
from inspector.traffic.store import Traffic

_BY_THE_SESSION = ("initialize", "server/discover", "ping")
"""What a live session does by itself, in the way of its own era."""
_OF_TASKS = ("tasks/get", "tasks/result", "tasks/update")
"""Polls of a task: how many there are is a matter of time; what counts is what the task comes to."""
_OF_ROUNDS = (b"inputResponses", b"requestState")
"""Members of a request that goes on with one before."""
_WITHOUT_END = ("subscriptions/listen",)
_OF_ITSELF = (str(HEADER_MISMATCH), str(UNSUPPORTED_VERSION))
_OF_THEN = ("tasks/list", "tasks/cancel")
_BRIEF = 60


@dataclass(slots=True)
class Asked:
    """A request of the server and what the client answered: `reply` is a message with `result` or `error`."""

    method: str
    params: Any
    reply: dict[str, Any]


@dataclass(slots=True)
class Step:
    """One request. `seq` is its row, `at` when it went out, in seconds; `answer` a message with `result` or `error`,
    numbers as spelled; `took` the seconds until its first answer. `skip` says why it is not sent, and is empty where it
    is."""

    seq: int
    session: int
    at: float
    method: str
    params: Any
    answer: dict[str, Any] | None = None
    took: float | None = None
    skip: str = ""
    masked: list[tuple[str | int, ...]] = field(default_factory=list)
    """Where a value in `params` was masked by the recorder."""

    @property
    def tool(self) -> str:
        """The tool that it calls; empty for every other request."""
        name = self.params.get("name") if isinstance(self.params, dict) else None
        return name if self.method == "tools/call" and isinstance(name, str) else ""

    @property
    def title(self) -> str:
        """Method and subject; foreign."""
        params = self.params if isinstance(self.params, dict) else {}
        subject = next((params[key] for key in ("name", "uri") if isinstance(params.get(key), str)), "")
        return f"{self.method} {subject}".rstrip()

    @property
    def told(self) -> str:
        """The same with the arguments, briefly, which tell the calls of one tool apart."""
        arguments = self.params.get("arguments") if isinstance(self.params, dict) else None
        return f"{self.title} {numbers.brief(arguments, _BRIEF)}" if arguments else self.title


@dataclass(slots=True)
class Plan:
    """Of one server of a recording, over all its sessions. `roots` are those that were told; None where none were asked
    for. `declared` are the capabilities that the client had."""

    label: str
    steps: list[Step] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    declared: dict[str, Any] = field(default_factory=dict)
    roots: list[dict[str, Any]] | None = None


def plans(traffic: Traffic, wanted: Container[int] | None = None) -> dict[str, Plan]:
    """One plan for each server of a recording, by its label, of all requests or those of the `wanted` rows; `traffic`
    is described wholly. Never raises on what a recording holds: what cannot be read is a step with a reason to skip
    it."""
    reading = Reading(traffic, wanted)
    while reading.take(len(traffic)):
        pass
    return reading.plans()


class Reading:
    """Makes the plans of a traffic bit by bit, of the rows that it holds when this begins. Where `wanted` is given,
    only requests of these rows become steps, and what belongs to no step is not read."""

    def __init__(self, traffic: Traffic, wanted: Container[int] | None = None) -> None:
        self._traffic = traffic
        self._wanted = wanted
        self._next, self._end = traffic.first, traffic.end
        self._plans: dict[str, Plan] = {}
        self._by_row: dict[int, Step] = {}
        self._tasks: dict[tuple[int, str], Step] = {}
        self._eras: dict[int, str] = {}

    def take(self, rows: int) -> bool:
        """Reads so many rows more; False where all are read."""
        traffic = self._traffic
        begin = max(self._next, traffic.first)
        self._next = min(self._end, begin + rows)
        for number in range(begin, self._next):
            row = traffic.row(number)
            if row.kind not in ("request", "batch") or not row.session or self._is_left_out(row):
                continue
            plan = self._plans.setdefault(row.server, Plan(row.server))
            for message, answer in self._requests(row):
                if row.channel == "c2s":
                    self._ours(plan, row, message, answer)
                elif answer is not None:
                    self._theirs(plan, message, answer)
        return self._next < self._end

    def plans(self) -> dict[str, Plan]:
        """Those that have something to send, by label."""
        return {label: plan for label, plan in self._plans.items() if plan.steps}

    def _is_left_out(self, row: Row) -> bool:
        """A request that is not wanted, and that no step needs."""
        if self._wanted is None or row.number in self._wanted or row.channel != "c2s" or row.kind == "batch":
            return False
        if row.method in (*_BY_THE_SESSION, *_OF_TASKS):
            return False
        raw = self._traffic.raw(row.number)
        return not any(name in raw for name in _OF_ROUNDS)

    def _requests(self, row: Row) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None]]:
        """Each request of a row with its answer."""
        messages = [each for each in self._messages(row.number) if "method" in each and "id" in each]
        answers = [] if row.peer is None else self._messages(row.peer)
        alone = row.kind == "request" and len(answers) == 1
        for message in messages:
            found = (each for each in answers if alone or numbers.same(each.get("id"), message["id"]))
            yield message, next((each for each in found if "method" not in each), None)

    def _messages(self, number: int) -> list[dict[str, Any]]:
        try:
            value = numbers.spelled(decode(self._traffic.raw(number)).removeprefix("\ufeff"))
        except (ValueError, IndexError):
            return []
        return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]

    def _ours(self, plan: Plan, row: Row, message: dict[str, Any], answer: dict[str, Any] | None) -> None:
        method, params = message["method"], message.get("params")
        if not isinstance(method, str):
            return
        _note_declared(plan, params)
        if method == "initialize" or _version(params):
            self._eras[row.session] = "legacy" if method == "initialize" else "modern"
        if method in _BY_THE_SESSION:
            return
        if isinstance(params, dict) and self._belongs(plan, row, method, params, answer):
            return
        if self._wanted is not None and row.number not in self._wanted:
            return
        step = Step(row.number, row.session, row.time, method, _without_token(params), answer, row.took)
        if "redacted" in row.flags:
            step.masked = list(_masked(step.params, ()))
        step.skip = _reason(step, row) or self._refused_itself(row, params, answer)
        plan.steps.append(step)
        self._by_row[row.number] = step
        self._note_task(step, answer)

    def _refused_itself(self, row: Row, params: Any, answer: dict[str, Any] | None) -> str:
        """Why it cannot be sent again: it was refused for what each session says of itself in its own way
        (2026-07-28)."""
        error = answer.get("error") if answer is not None else None
        code = str(error.get("code")) if isinstance(error, dict) else ""
        lacks = self._eras.get(row.session) == "modern" and not _version(params)
        if code in _OF_ITSELF or (lacks and code == str(INVALID_PARAMS)):
            return "it was refused for its headers or its version, and those are the session's own"
        return ""

    def _belongs(
        self, plan: Plan, row: Row, method: str, params: dict[str, Any], answer: dict[str, Any] | None
    ) -> bool:
        """Whether it goes on with a request before: a later round of input, or a look at a task. Then its answer is
        that of the one before."""
        if method in _OF_TASKS:
            step = self._tasks.get((row.session, str(params.get("taskId"))))
            self._given_to_task(plan, step, params)
            outcome = _outcome(method, answer)
            if step is not None and outcome is not None:
                step.answer, step.skip = outcome, ""
            return True
        if "inputResponses" not in params and "requestState" not in params:
            return False
        before = next((step for step in map(self._asked_in, self._traffic.linked(row.number)) if step), None)
        if before is None:
            return False
        self._given(plan, before.answer, params)
        before.answer = answer
        self._by_row[row.number] = before
        self._note_task(before, answer)
        return True

    def _asked_in(self, number: int) -> Step | None:
        """The step whose answer, in this row, asked for input."""
        row = self._traffic.row(number)
        asks = row.kind == "response" and row.state == "input required" and row.peer is not None
        return self._by_row.get(row.peer) if asks and row.peer is not None else None

    def _given(self, plan: Plan, answer: dict[str, Any] | None, params: dict[str, Any]) -> None:
        result = answer.get("result") if answer is not None else None
        asked = result.get("inputRequests") if isinstance(result, dict) else None
        given = params.get("inputResponses")
        if not isinstance(asked, dict) or not isinstance(given, dict):
            return
        for key, request in asked.items():
            if isinstance(request, dict) and isinstance(request.get("method"), str) and key in given:
                plan.asked.append(Asked(request["method"], request.get("params"), {"result": given[key]}))

    def _given_to_task(self, plan: Plan, step: Step | None, params: dict[str, Any]) -> None:
        if step is not None:
            self._given(plan, step.answer, params)

    def _note_task(self, step: Step, answer: dict[str, Any] | None) -> None:
        result = answer.get("result") if answer is not None else None
        task = result.get("task", result) if isinstance(result, dict) else None
        if isinstance(task, dict) and isinstance(task.get("taskId"), str):
            self._tasks[step.session, task["taskId"]] = step
            step.skip = step.skip or "the recording ends before its task does"

    def _theirs(self, plan: Plan, message: dict[str, Any], answer: dict[str, Any]) -> None:
        if message["method"] == "roots/list":
            result = answer.get("result")
            roots = result.get("roots") if isinstance(result, dict) else None
            if isinstance(roots, list):
                plan.roots = [root for root in roots if isinstance(root, dict)]
        elif isinstance(message["method"], str) and ("result" in answer or "error" in answer):
            plan.asked.append(Asked(message["method"], message.get("params"), answer))


def _version(params: Any) -> Any:
    """Of the protocol, where each request tells it."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(f"{PREFIX}protocolVersion") if isinstance(meta, dict) else None


def _note_declared(plan: Plan, params: Any) -> None:
    """Capabilities stand in `initialize`, or in each request of 2026-07-28."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    for holder, name in ((params, "capabilities"), (meta, f"{PREFIX}clientCapabilities")):
        declared = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(declared, dict):
            plan.declared |= declared


def _outcome(method: str, answer: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a task came to, where this answer tells it (spec 2025-11-25: utilities/tasks; ext-tasks: tasks)."""
    if answer is None or method == "tasks/result":
        return answer
    result = answer.get("result")
    if isinstance(result, dict):
        return next(({name: result[name]} for name in ("result", "error") if name in result), None)
    return None


def _reason(step: Step, row: Row) -> str:
    if step.method in _WITHOUT_END:
        return "it has no end"
    if step.method in _OF_THEN:
        return "it is about the tasks of then"
    if row.state == "cancelled":
        return "it was cancelled"
    if step.answer is None:
        return "the recording has no answer to compare with"
    if not isinstance(step.params, dict | None):
        return "its params are no object"
    return ""


def _without_token(params: Any) -> Any:
    """Without what the session says of itself: the progress token, and all that 2026-07-28 puts into each request."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        return params
    own = {
        name: value for name, value in meta.items() if name != "progressToken" and not name.startswith(PREFIX)
    }
    rest = {name: value for name, value in params.items() if name != "_meta"}
    return {**rest, "_meta": own} if own else rest or None


def _masked(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(value, path)]
    while waiting:
        part, place = waiting.pop()
        if isinstance(part, str) and MASK in part:
            yield place
        elif isinstance(part, dict):
            waiting += [(member, (*place, name)) for name, member in part.items()]
        elif isinstance(part, list):
            waiting += [(item, (*place, index)) for index, item in enumerate(part)]


def fill(step: Step, known: Sequence[tuple[str, str]]) -> None:
    """Puts values back that the recorder masked: those of the same name among the variables and headers of the server
    that it is sent to. A step with one that is not known there is skipped."""
    values = {_plain(name): value for name, value in known}
    for place in step.masked:
        value = values.get(_plain(str(place[-1]))) if place else None
        holder = step.params
        for name in place[:-1]:
            holder = holder[name]
        if value is None or holder[place[-1]] != MASK:
            step.skip = f"a value was masked when it was recorded: /{'/'.join(map(str, place))}"
            return
        holder[place[-1]] = value


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
