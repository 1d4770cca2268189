"""Matches answers to requests. Knows ids, clocks and who waits; nothing of what the messages mean."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.base.text import decode, duration
from inspector.protocol import jsonrpc
from inspector.protocol.identity import Ids
from inspector.protocol.jsonrpc import Id, Message
from inspector.session.answer import Answer, oddities
from inspector.transports.base import Silence

IDLE = 60.0
TOTAL = 600.0
"""Default clocks of a request in seconds: progress resets the idle one, nothing resets the total."""
_REMEMBERED = 64
_OPENING = ("initialize", "server/discover")


@dataclass(slots=True)
class Progress:
    """The latest progress of a request. `steps` counts the notifications."""

    progress: Any = None
    total: Any = None
    message: str | None = None
    steps: int = 0


class Pending:
    """A request under way. Await `answer()`; `cancel` gives it up and tells the server."""

    __slots__ = (
        "future", "held", "id", "idle", "idle_since", "method", "on_progress", "progress", "row", "started", "total",
    )  # fmt: skip

    def __init__(
        self,
        id_: Id,
        method: str,
        row: int,
        future: asyncio.Future[Answer],
        now: float,
        idle: float,
        total: float,
    ) -> None:
        self.id = id_
        self.method = method
        self.row = row
        self.future = future
        self.started = self.idle_since = now
        self.idle = idle
        self.total = total
        self.held = 0
        """How many open questions of the server it may wait for; its idle clock stands still meanwhile."""
        self.progress: Progress | None = None
        self.on_progress: Callable[[Progress], None] | None = None

    def deadline(self) -> float:
        end = self.started + self.total
        return end if self.held else min(self.idle_since + self.idle, end)


@dataclass(slots=True)
class Stray:
    """An answer nobody waits for: `why` is `late`, `duplicate` or `unknown`."""

    why: str
    row: int
    id: Any


class Dispatcher:
    """The pending table of one connection. Frames go in through `frame`, in wire order.

    `send(raw, id, method, headers)` writes a frame and returns its row; it may raise Failed. `on_request`,
    `on_notification` and `on_noise` are told what is no answer. `explain` may add the likely cause to a time-out.
    """

    def __init__(
        self,
        send: Callable[[bytes, Id | None, str | None, Mapping[str, str]], int],
        *,
        on_request: Callable[[Message, int, int | None], None],
        on_notification: Callable[[Message], None],
        on_noise: Callable[[bytes, Message, int], None],
        explain: Callable[[Pending], Silence | None],
        abandon: Callable[[Id], None],
        owner_of: Callable[[int], Id | None],
        status_of: Callable[[int], int | None],
        ids: Ids | None = None,
    ) -> None:
        self._send = send
        self._on_request = on_request
        self._on_notification = on_notification
        self._on_noise = on_noise
        self._explain = explain
        self._abandon = abandon
        self._owner_of = owner_of
        self._status_of = status_of
        self._loop = asyncio.get_running_loop()
        self._ids = ids or Ids()
        self._next = 0
        self._abandoned: set[Id] = set()
        self._lost: Failure | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.pending: dict[Id, Pending] = {}
        self.strays: list[Stray] = []
        self.batches = False
        """Whether the version in use allows arrays of messages; where it does not, those in them are marked."""
        self.round_trips: deque[float] = deque(maxlen=_REMEMBERED)
        """Seconds from request to answer, of the latest ones; without those that waited for a program to start."""
        self.meta: Mapping[str, Any] = {}
        """What every request says of itself in `_meta`; what the caller gives there wins."""
        self.given_up: Callable[[Id, str], None] = lambda id_, reason: None
        """Told of a request that is given up though its answer is there: it may have asked for something."""
        self.tells_cancel = True
        """Whether the server is told by a notification that a request is given up."""

    def start(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        idle: float = IDLE,
        total: float = TOTAL,
        on_progress: Callable[[Progress], None] | None = None,
        headers: Mapping[str, str] = {},
    ) -> Pending:
        """Sends a request with an id and a progress token of its own. Raises Failed where it cannot be sent,
        ValueError where params hold what JSON cannot say (NaN). `headers` are for where it goes over HTTP."""
        if self._lost is not None:
            raise Failed(self._lost)
        id_ = self._ids.at(self._next)
        self._next += 1
        raw = self._frame(id_, method, params)
        future: asyncio.Future[Answer] = self._loop.create_future()
        # The entry stands before the frame is written: over a fast pipe the answer may come inside of send.
        now = self._loop.time()
        pending = Pending(id_, method, -1, future, now, idle, total)
        pending.on_progress = on_progress
        self.pending[id_] = pending
        try:
            pending.row = self._send(raw, id_, method, headers)
        except Failed:
            del self.pending[id_]
            raise
        deadline = pending.deadline()
        if self._alarm is None or deadline < self._alarm.when():
            self._set_alarm(deadline)
        return pending

    def draft(self, method: str, params: dict[str, Any] | None = None) -> bytes:
        """The frame that `start` would send next. Raises ValueError as it does."""
        return self._frame(self._ids.at(self._next), method, params)

    def _frame(self, id_: Id, method: str, params: dict[str, Any] | None) -> bytes:
        # The token is the id: unique among what is active, and 0 is as good as any (spec: utilities/progress).
        given = (params or {}).get("_meta")
        meta = {"progressToken": id_, **self.meta, **(given if isinstance(given, dict) else {})}
        return jsonrpc.request(id_, method, {**(params or {}), "_meta": meta})

    async def answer(self, pending: Pending) -> Answer:
        """Waits for the answer. Raises Failed on a time-out or a lost connection; when the waiting task is
        cancelled the server is told and the request counts as abandoned."""
        try:
            return await pending.future
        except asyncio.CancelledError:
            self.cancel(pending, "the user cancelled")
            raise

    def cancel(self, pending: Pending, reason: str) -> None:
        """Gives a request up: `notifications/cancelled` goes out, a later answer is kept as late. Never for
        initialize (spec: basic/utilities/cancellation)."""
        if self._give_up(pending, reason):
            self._fail(pending, Failure(kind="cancelled", message=f"{pending.method} was cancelled"))
        elif pending.future.done():
            self.given_up(pending.id, reason)

    def _give_up(self, pending: Pending, reason: str) -> bool:
        if self.pending.pop(pending.id, None) is None:
            return False
        self._abandoned.add(pending.id)
        if self.tells_cancel and pending.method != "initialize" and self._lost is None:
            note = jsonrpc.notification(
                "notifications/cancelled", {"requestId": pending.id, "reason": reason}
            )
            try:
                self._send(note, None, "notifications/cancelled", {})
            except Failed:
                pass
        self._abandon(pending.id)
        return True

    def hold(self, owner: Id | None) -> list[Pending]:
        """Stops the idle clock of the request with this id, or of all under way where it is not known which.
        Returns those whose clock stands, for `release`."""
        known = self.pending.get(owner) if owner is not None else None
        held = list(self.pending.values()) if known is None else [known]
        for pending in held:
            pending.held += 1
        return held

    def release(self, held: list[Pending]) -> None:
        """Their idle clocks begin anew, once nothing else holds them."""
        for pending in held:
            pending.held -= 1
            pending.idle_since = self._loop.time()
        if self.pending:
            self._set_alarm(min(pending.deadline() for pending in self.pending.values()))

    def forget(self, pending: Pending) -> None:
        """Waits no longer for a request, without a word to the server; its answer will count as late."""
        if self.pending.pop(pending.id, None) is not None:
            self._abandoned.add(pending.id)
            pending.future.cancel()

    def extend(self, pending: Pending, seconds: float) -> None:
        """Lets a running request wait longer, on both clocks."""
        self.set_clocks(pending, pending.idle + seconds, pending.total + seconds)

    def set_clocks(self, pending: Pending, idle: float, total: float) -> None:
        """Lets a running request wait so long on each clock; it is over at once where that much has passed."""
        pending.idle, pending.total = idle, total
        if self.pending:
            self._set_alarm(min(pending.deadline() for pending in self.pending.values()))

    def frame(self, raw: bytes, row: int, exchange: int | None) -> None:
        """One frame from the server, as it came. Never raises."""
        message = jsonrpc.read(raw)
        if message.kind == "batch":
            self._batch(raw, message, row, exchange)
        else:
            self._message(raw, message, row, exchange)

    def _batch(self, raw: bytes, message: Message, row: int, exchange: int | None) -> None:
        """Each message of an array counts for itself; where nothing in it is one, the array is noise as a whole."""
        if not any(type(item) is dict for item in message.value):
            self._on_noise(raw, message, row)
            return
        for item in message.value:
            part = jsonrpc.classify(item)
            if not self.batches:
                part.problem = part.problem or "sent inside of a batch"
            self._message(jsonrpc.encode(item), part, row, exchange)

    def _message(self, raw: bytes, message: Message, row: int, exchange: int | None) -> None:
        kind = message.kind
        if kind == "response" or kind == "error":
            self._answered(raw, message, row, exchange)
        elif kind == "request":
            if message.method in _OPENING and self._echoed(message):
                return
            self._on_request(message, row, exchange)
        elif kind == "notification":
            if message.method == "notifications/progress":
                self._progressed(message)
            self._on_notification(message)
        else:
            self._on_noise(raw, message, row)

    def _echoed(self, message: Message) -> bool:
        """Our own opening request comes back, as from a program that repeats what it reads: it is answered no more."""
        pending = self.pending.get(message.id) if type(message.id) is int else None
        if pending is None or pending.method != message.method:
            return False
        del self.pending[pending.id]
        self._fail(
            pending,
            Failure(
                kind="not_mcp",
                message=f"our own request {pending.method} came back: the program repeats what it reads",
                hint="is this the command that serves MCP? A shell, a terminal or cat answers like this",
            ),
        )
        return True

    def _answered(self, raw: bytes, message: Message, row: int, exchange: int | None) -> None:
        id_ = message.id
        notes: list[str] = []
        pending = self.pending.pop(id_, None) if type(id_) is int or type(id_) is str else None
        if pending is None:
            pending = self._find(id_, exchange, notes)
        if pending is None:
            self._stray(message, row)
            return
        if message.problem and message.readable and message.problem not in jsonrpc.VIOLATIONS:
            notes.append(message.problem)
        seconds = self._loop.time() - pending.started
        if pending.method not in _OPENING:
            self.round_trips.append(seconds)
        if message.kind == "response" and message.readable:
            notes += oddities(pending.method, message.value.get("result"))
        if not pending.future.done():
            status = self._status_of(exchange) if exchange is not None else None
            pending.future.set_result(Answer(raw, message, row, pending.row, seconds, notes, status))

    def _find(self, id_: Any, exchange: int | None, notes: list[str]) -> Pending | None:
        if id_ is None:
            owner = self._owner_of(exchange) if exchange is not None else None
            if owner is None and len(self.pending) == 1:
                owner = next(iter(self.pending))
            if owner is not None:
                notes.append("the answer had no id; it was taken for the only request that waited")
            return self.pending.pop(owner, None) if owner is not None else None
        key = jsonrpc.match_key(id_)
        pending = self.pending.pop(key, None) if key is not None else None
        if pending is not None:
            came = decode(jsonrpc.encode(id_))
            notes.append(f"the id came back as {came}, another JSON type than the {pending.id} that was sent")
        return pending

    def _stray(self, message: Message, row: int) -> None:
        key = jsonrpc.match_key(message.id)
        if key in self._abandoned:
            why = "late"
        elif (place := self._ids.place(key)) is not None and 0 <= place < self._next:
            why = "duplicate"
        else:
            why = "unknown"
        # Bounded: the traffic has them all, this list only feeds the counters and the log marks.
        if len(self.strays) < 10_000:
            self.strays.append(Stray(why, row, message.id))

    def _progressed(self, message: Message) -> None:
        params = message.value.get("params")
        if not isinstance(params, dict):
            return
        token = params.get("progressToken")
        pending = self.pending.get(token) if type(token) is int or type(token) is str else None
        if pending is None:
            return
        text = params.get("message")
        state = pending.progress or Progress()
        state.progress, state.total = params.get("progress"), params.get("total")
        state.message = text if isinstance(text, str) else None
        state.steps += 1
        pending.progress = state
        pending.idle_since = self._loop.time()
        if pending.on_progress is not None:
            pending.on_progress(state)

    def undelivered(self, id_: Id, failure: Failure) -> None:
        """The request with this id cannot be answered any more."""
        pending = self.pending.pop(id_, None)
        if pending is not None:
            self._fail(pending, failure)

    def lost(self, failure: Failure) -> None:
        """The connection is gone: everything that waits fails at once, with the reason."""
        if self._lost is None:
            self._lost = failure
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self.refuse(failure)

    def refuse(self, failure: Failure) -> None:
        """Everything that waits fails; the connection stays."""
        waiting, self.pending = self.pending, {}
        for pending in waiting.values():
            self._fail(pending, failure)

    def revive(self) -> None:
        """A new connection stands in the place of the lost one; ids go on."""
        self._lost = None

    def _fail(self, pending: Pending, failure: Failure) -> None:
        if not pending.future.done():
            pending.future.set_exception(Failed(failure))
            # Somebody who gave up waiting must not be told again at garbage collection.
            pending.future.exception()

    def _set_alarm(self, when: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_at(when, self._look_at_clocks)

    def _look_at_clocks(self) -> None:
        """One alarm serves all requests, since arming and cancelling one for each costs as much as sending it."""
        self._alarm = None
        now = self._loop.time()
        for pending in [one for one in self.pending.values() if one.deadline() <= now]:
            self._time_out(pending)
        if self.pending:
            self._set_alarm(min(pending.deadline() for pending in self.pending.values()))

    def _time_out(self, pending: Pending) -> None:
        total = pending.held > 0 or pending.started + pending.total <= pending.idle_since + pending.idle
        clock = pending.total if total else pending.idle
        message = f"no answer to {pending.method} within {duration(clock)}"
        hint = "allow more with --max-time" if total else "allow more with --timeout"
        silence = None
        try:
            silence = self._explain(pending)
        except Exception as error:
            # Whatever goes wrong while we look for a reason, the time is up.
            tasks.report("why there is no answer", error)
        if silence is not None:
            message += f"; {silence.cause}"
            hint = silence.hint or hint
        kind = silence.kind if silence else "timeout"
        if self._give_up(pending, f"no answer within {duration(clock)}"):
            self._fail(pending, Failure(kind=kind, message=message, hint=hint))
