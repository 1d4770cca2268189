"""Which answer belongs to which request: pairs, states, progress and HTTP exchanges, from the rows in their
order.

Each session has two id spaces, one per direction of the request. A proxy or a server over HTTP sees the clients of
many sessions in one of ours: there each HTTP session (Mcp-Session-Id, or the address of its messages) has its own, and
what belongs to none is matched within its exchange first. Ids of the wrong JSON type (7 and "7") are matched and
flagged. What is remembered is bounded, so that a peer that never answers or answers twice costs
nothing.

A request that comes back with the input it was asked for (spec 2026-07-28: multi round-trip requests) is linked to
the answer that asked, by the state or the keys that both name; what is said of a task to the answer that made it.
`server/discover` before anything else is the probe.
"""

from __future__ import annotations

import json
from typing import Any

from inspector.base.secrets import MASK
from inspector.protocol.jsonrpc import Message, classify, is_words, match_key, read
from inspector.traffic.index import (
    ANSWERED,
    ASKS,
    BATCH,
    CANCELLED,
    DUPLICATE,
    ERROR,
    EXCHANGE,
    FAILED,
    INVALID,
    KIND_OF,
    LATE,
    NONE,
    NOTIFICATION,
    PART,
    PENDING,
    REQUEST,
    RESPONSE,
    STDERR,
    SYSTEM,
    TOOL_ERROR,
    UNKNOWN,
    Columns,
)  # fmt: skip
from inspector.traffic.lines import C2S, ERR, HTTP, ID_TYPE, PROBE, PROBLEM, REUSED_ID, S2C, decoded
from inspector.traffic.recent import Recent
from inspector.traffic.task_frames import TaskFrames

_OPEN, _CLOSED = 1 << 18, 1 << 14
_SETTLED = (ANSWERED, FAILED, TOOL_ERROR, ASKS)


class _Side:
    """The requests of one direction of one session."""

    __slots__ = ("answered", "asked", "begun", "clients", "pending", "tokens")

    def __init__(self) -> None:
        self.pending: Recent[str | int] = Recent(_OPEN)
        self.answered: Recent[str | int] = Recent(_CLOSED)
        self.tokens: Recent[str | int] = Recent(_CLOSED)
        self.asked: Recent[Any] = Recent(_CLOSED)
        self.begun = False
        self.clients = 0


def message_of(raw: bytes) -> Message:
    """The same as `jsonrpc.read`, sooner where the frame is in order."""
    if not is_words(raw):
        try:
            return classify(decoded(raw))
        except (ValueError, StopIteration, RecursionError):
            pass
    return read(raw)


def id_number(id_: Any) -> int:
    """A number to find an id by; 7 and "7" have different ones. 0 is none."""
    return hash(repr(id_)) & 0xFFFFFFFF or 1


def subject(message: Message) -> str | None:
    """The tool or prompt that a request names."""
    if message.method not in ("tools/call", "prompts/get"):
        return None
    name = _member(message.value, "params", "name")
    return name if type(name) is str else None


def _round(method: str | None, target: str | None, members: dict[str, Any], keys: str) -> Any:
    """What an answer that asks for input, and the request that gives it, have in common."""
    state, asked = members.get("requestState"), members.get(keys)
    return method, target, repr(state), tuple(sorted(asked)) if type(asked) is dict else ()


def _scope(head: Any) -> str:
    """The HTTP session that the head of a request or an answer names; empty where it names none."""
    headers = _member(head, "headers")
    for pair in headers if type(headers) is list else ():
        if type(pair) is list and len(pair) == 2 and str(pair[0]).lower() == "mcp-session-id":
            return str(pair[1])
    url = _member(head, "url")
    return _session_in(url.partition("?")[2]) if type(url) is str and "?" in url else ""


def _session_in(query: str) -> str:
    """The session that an address for messages names (2024-11-05), or what it was masked with, if that tells sessions
    apart."""
    found = (value for name, _, value in (part.partition("=") for part in query.split("&"))
             if name.lower().replace("_", "").replace("-", "").endswith("sessionid"))  # fmt: skip
    name = next(found, "")
    return "" if name == MASK else name


def _member(value: Any, *path: str) -> Any:
    for key in path:
        if type(value) is not dict:
            return None
        value = value.get(key)
    return value


class Pairing:
    """Describes rows in their order: fills the columns of conclusions, also those of earlier rows it
    concerns."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._base = 0
        self._sides: dict[tuple[int, int, str], _Side] = {}
        self._exchanges: Recent[int] = Recent(_OPEN)
        self._scopes: dict[int, str] = {}
        """The HTTP session of each exchange under way that belongs to one."""
        self._alone: Recent[tuple[int, str, Any]] = Recent(_OPEN)
        """Requests and tokens of exchanges that belong to no session, by their exchange."""
        self.asked_by: Recent[int] = Recent(_CLOSED)
        """Requests that give input, with the answers that asked for it."""
        self.given_by: Recent[int] = Recent(_CLOSED)
        """The other way round."""
        self.tasks = TaskFrames()
        self.progress: Recent[int] = Recent(_OPEN)
        """How often progress was told of a request."""
        self.resumed: Recent[int] = Recent(_CLOSED)
        """How often the event stream of a request was taken up again."""

    @property
    def first(self) -> int:
        """The number of the oldest row held."""
        return self._base

    def drop(self, count: int) -> None:
        """The oldest rows are gone."""
        self._base += count

    def forget(self, session: int) -> None:
        """No row of it comes any more."""
        self._sides = {key: side for key, side in self._sides.items() if key[0] != session}

    def start_at(self, row: int) -> None:
        self._base = row

    def describe(self, raw: bytes) -> None:
        """Draws the conclusions about the next row that has none yet."""
        columns = self._columns
        position = columns.described
        channel = columns.channel[position]
        if channel <= S2C:
            self._frame(position, channel, message_of(raw))
        elif channel == HTTP:
            self._part(position, raw)
        else:
            columns.describe(STDERR if channel == ERR else SYSTEM)

    def _frame(self, position: int, channel: int, message: Message) -> None:
        columns = self._columns
        session = columns.session[position]
        kind = KIND_OF[message.kind]
        if message.problem is not None:
            columns.flags[position] |= PROBLEM
        id_ = id_number(message.id) if message.has_id else 0
        if message.method is None:
            columns.describe(kind, id_=id_)
        else:
            number = columns.names.number
            columns.describe(kind, number(message.method), target := number(subject(message)), id_)
            if target and message.method == "tools/call":
                columns.tools.add(target)
        if kind == REQUEST:
            self._request(position, session, channel, message)
        elif kind in (RESPONSE, ERROR):
            self._answer(position, session, channel, message)
        elif kind == NOTIFICATION:
            self._notification(position, session, channel, message)
        elif kind == BATCH:
            self._batch(position, session, channel, message)

    def _side(self, session: int, channel: int, position: int) -> _Side:
        key = session, channel, self._scopes.get(self._columns.exchange[position], "")
        side = self._sides.get(key)
        if side is None:
            side = self._sides[key] = _Side()
        return side

    def _request(self, position: int, session: int, channel: int, message: Message) -> None:
        columns = self._columns
        key = match_key(message.id)
        columns.state[position] = PENDING
        if key is None:
            return
        side = self._side(session, channel, position)
        row = self._base + position
        used = side.pending.pop(key) is not None or side.answered.pop(key) is not None
        if (exchange := columns.exchange[position]) and channel == C2S:
            side.clients += message.method in ("initialize", "server/discover")
            if message.method == "initialize":
                used, side.answered = False, Recent(_CLOSED)
            if exchange not in self._scopes:
                # Where several have introduced themselves nobody can tell whose id this is.
                used = used and side.clients < 2
                self._alone.add((exchange, "id", key), row)
        if used:
            columns.flags[position] |= REUSED_ID
        side.pending.add(key, row)
        if message.method != "server/discover":
            side.begun = True
        elif channel == C2S and not side.begun:
            columns.flags[position] |= PROBE
        params = message.value.get("params")
        if type(params) is not dict:
            return
        self._of_task(position, session, message, params)
        if "inputResponses" in params or "requestState" in params:
            asked = side.asked.pop(_round(message.method, subject(message), params, "inputResponses"))
            if asked is not None:
                self.asked_by.add(row, asked)
                self.given_by.add(asked, row)
        if type(meta := params.get("_meta")) is dict:
            token = match_key(meta.get("progressToken"))
            if token is not None:
                side.tokens.add(token, row)
                if exchange:
                    self._alone.add((exchange, "token", token), row)

    def _answer(self, position: int, session: int, channel: int, message: Message) -> None:
        columns = self._columns
        side = self._side(session, S2C if channel == C2S else C2S, position)
        key = match_key(message.id)
        outcome = ANSWERED
        if columns.kind[position] == ERROR:
            outcome = FAILED
        elif type(result := message.value["result"]) is dict:
            if result.get("isError") is True:
                outcome = TOOL_ERROR
            elif result.get("resultType") == "input_required":
                outcome = ASKS
        exchange = columns.exchange[position]
        row = self._alone.pop((exchange, "id", key)) if exchange and channel == S2C else None
        if row is None:
            row = side.pending.pop(key)
        elif side.pending.get(key) == row:
            side.pending.pop(key)
        again = row is None and (row := side.answered.get(key)) is not None
        if row is None or key is None:
            columns.state[position] = UNKNOWN
            return
        request = row - self._base
        if request < 0:
            columns.state[position] = DUPLICATE if again else outcome
            return
        columns.peer[position] = row + 1
        self._inherit(position, request)
        columns.flags[position] |= columns.flags[request] & PROBE
        if (
            outcome == ANSWERED
            and type(result) is dict
            and ("task" in result or result.get("resultType") == "task")
        ):
            method = columns.names.name(columns.method[request]) or ""
            self.tasks.answered(session, method, result, self._base + position)
        if outcome == ASKS:
            name = columns.names.name
            asks = name(columns.method[request]), name(columns.target[request])
            side.asked.add(_round(*asks, message.value["result"], "inputRequests"), self._base + position)
        batched = columns.kind[request] == BATCH
        if not batched and columns.id[request] != columns.id[position]:
            columns.flags[position] |= ID_TYPE
        before = columns.state[request]
        if again:
            columns.state[position] = DUPLICATE
            return
        side.answered.add(key, row)
        columns.state[position] = LATE if before == CANCELLED else outcome
        if not batched:
            columns.peer[request] = self._base + position + 1
            if before in (PENDING, FAILED):
                columns.state[request] = outcome

    def _inherit(self, position: int, request: int) -> None:
        columns = self._columns
        columns.method[position] = columns.method[request]
        columns.target[position] = columns.target[request]

    def _notification(self, position: int, session: int, channel: int, message: Message) -> None:
        params = message.value.get("params")
        if type(params) is not dict:
            return
        self._of_task(position, session, message, params)
        if message.method == "notifications/progress":
            side = self._side(session, S2C if channel == C2S else C2S, position)
            token = match_key(params.get("progressToken"))
            exchange = self._columns.exchange[position]
            row = self._alone.get((exchange, "token", token)) if exchange else None
            row = side.tokens.get(token) if row is None else row
            if self._belongs(position, row) and row is not None:
                self.progress.add(row, (self.progress.get(row) or 0) + 1)
        elif message.method == "notifications/cancelled":
            side = self._side(session, channel, position)
            key = match_key(params.get("requestId"))
            row = side.pending.get(key)
            late = row is None and (row := side.answered.get(key)) is not None
            if self._belongs(position, row) and row is not None and not late:
                self._columns.state[row - self._base] = CANCELLED

    def _of_task(self, position: int, session: int, message: Message, params: dict[str, Any]) -> None:
        maker = self.tasks.told(session, message, params, self._base + position)
        if maker is not None and maker >= self._base:
            self._columns.target[position] = self._columns.target[maker - self._base]

    def _belongs(self, position: int, row: int | None) -> bool:
        """Links a notification to its request; one that comes after the answer is late."""
        columns = self._columns
        if row is None:
            columns.state[position] = UNKNOWN
            return False
        if row < self._base:
            return False
        columns.peer[position] = row + 1
        columns.target[position] = columns.target[row - self._base]
        columns.state[position] = LATE if columns.state[row - self._base] in _SETTLED else NONE
        return True

    def _batch(self, position: int, session: int, channel: int, message: Message) -> None:
        """The parts of a batch are paired with single rows and other batches; the batch row stands for
        them."""
        columns = self._columns
        for item in message.value:
            part = classify(item)
            key = match_key(part.id) if part.has_id else None
            if key is None:
                continue
            if part.kind == "request":
                self._side(session, channel, position).pending.add(key, self._base + position)
            elif part.is_answer:
                side = self._side(session, S2C if channel == C2S else C2S, position)
                row = side.pending.pop(key)
                if row is None or row < self._base:
                    continue
                side.answered.add(key, row)
                request = row - self._base
                columns.peer[position] = row + 1
                columns.peer[request] = self._base + position + 1
                if columns.state[request] == PENDING:
                    failed = TOOL_ERROR if _member(part.value, "result", "isError") is True else ANSWERED
                    columns.state[request] = FAILED if part.kind == "error" else failed

    def _part(self, position: int, raw: bytes) -> None:
        """A part of an HTTP exchange; the row of the request stands for the whole exchange."""
        columns = self._columns
        try:
            part = json.loads(raw)
        except (ValueError, RecursionError):
            part = None
        if type(part) is not dict:
            columns.describe(INVALID)
            return
        number = columns.exchange[position]
        if type(request := part.get("request")) is dict:
            method = request.get("method")
            columns.describe(
                EXCHANGE, columns.names.number(method if type(method) is str else None), state=PENDING
            )
            self._exchanges.add(number, self._base + position)
            if scope := _scope(request):
                self._scopes[number] = scope
            return
        row = self._exchanges.get(number)
        columns.describe(PART)
        if row is None or row < self._base:
            return
        columns.peer[position] = row + 1
        opened = row - self._base
        if number not in self._scopes and (scope := _scope(_member(part, "response"))):
            self._begins(number, scope, self._columns.session[opened])
        if _member(part, "event", "field") == "event endpoint":
            query = str(_member(part, "event", "value")).partition("?")[2]
            self._scopes[number] = _session_in(query)
        status = _member(part, "response", "status")
        if type(status) is int and 0 < status < 1 << 16:
            columns.id[opened] = status
        if _member(part, "event", "field") == "resume" and self._carries_request(opened):
            self.resumed.add(row + 1, (self.resumed.get(row + 1) or 0) + 1)
        if "end" in part:
            self._exchanges.pop(number)
            self._scopes.pop(number, None)
            columns.peer[opened] = self._base + position + 1
            good = part["end"] in ("complete", "closed") and columns.id[opened] < 400
            columns.state[opened] = ANSWERED if good else FAILED
            if not good:
                self._unanswered(opened, by_us=part["end"] == "closed by us")

    def _begins(self, number: int, scope: str, session: int) -> None:
        """An HTTP session begins in this exchange."""
        self._scopes[number] = scope
        self._sides[session, C2S, scope] = _Side()

    def _unanswered(self, opened: int, *, by_us: bool) -> None:
        """A request in an exchange that was refused, that nobody answered, or that we closed waits no longer. One
        whose stream broke may still be answered elsewhere."""
        columns = self._columns
        status = columns.id[opened]
        if (
            (status == 0 or status >= 400 or by_us)
            and self._carries_request(opened)
            and columns.state[opened + 1] == PENDING
        ):
            columns.state[opened + 1] = CANCELLED if by_us else FAILED

    def _carries_request(self, opened: int) -> bool:
        """Whether the row behind that of an HTTP exchange is a request of ours that went out in it."""
        columns = self._columns
        carried = opened + 1
        return (
            columns.exchange[carried] == columns.exchange[opened]
            and columns.channel[carried] == C2S
            and columns.kind[carried] == REQUEST
        )
