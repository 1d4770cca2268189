"""Calls as the app remembers them: what was sent, how it went, what came back, and which still run.

A call belongs to its connection and not to what shows it: it goes on when one looks away, and is still known when the
list of tools was read again or the server was restarted.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.policy.approval import AGAIN
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer
from inspector.workspace.task_outcome import outcome

if TYPE_CHECKING:
    from inspector.session.dispatcher import Dispatcher, Pending, Progress
    from inspector.workspace.connection import Connection
    from inspector.workspace.longtasks import LongTask, LongTasks

Badge = Literal[
    "running", "ok", "tool error", "protocol error", "timed out", "cancelled", "connection lost", "session lost",
    "HTTP error", "not sent", "link first",
]  # fmt: skip

MARKS: dict[Badge, tuple[str, str]] = {
    "running": ("…", "$text-warning"),
    "ok": ("✓", "$text-success"),
    "tool error": ("▲", "$text-warning"),
    "protocol error": ("✗", "$text-error"),
    "timed out": ("◔", "$text-error"),
    "cancelled": ("○", "$quiet"),
    "connection lost": ("⊘", "$text-error"),
    "session lost": ("⊘", "$text-error"),
    "HTTP error": ("✗", "$text-error"),
    "link first": ("?", "$text-warning"),
    "not sent": ("⊘", "$text-error"),
}
_BADGE_OF_KIND: dict[str, Badge] = {
    "timeout": "timed out", "cancelled": "cancelled", "io": "not sent", "http": "HTTP error", "auth": "HTTP error",
    "redirect": "HTTP error", "not_mcp": "HTTP error", "protocol": "protocol error", "rpc": "protocol error",
    "session": "session lost", "consent": "not sent", "dns": "not sent", "refused": "not sent", "tls": "not sent",
    "proxy": "not sent",
}  # fmt: skip
MORE_TIME = 60.0
"""Seconds that a running call is given on both clocks at once."""
HISTORY = 50
"""Calls of one tool that are remembered."""
_HELD = 4 << 20
"""Bytes of answers of one connection that are kept decoded; older ones are read back from the traffic."""


@dataclass(eq=False)
class Call:
    """One request under way or over. `ask` is what was asked for, with `params` as sent; `began` is on the
    monotonic clock, `at` is seconds since the epoch. `promised` is the schema of structured content, None where there
    is none. `row` and `sent_row` are rows of the traffic, `size` the bytes of the answer, `rounds` how often input
    was asked for. `approver` is who has allowed it, empty where that is yet to be asked."""

    ask: str
    params: dict[str, Any]
    promised: Any = None
    at: float = field(default_factory=time.time)
    began: float = field(default_factory=time.monotonic)
    answer: Answer | None = None
    failure: Failure | None = None
    pending: Pending | None = None
    progress: Progress | None = None
    seconds: float | None = None
    badge: Badge = "running"
    row: int | None = None
    sent_row: int | None = None
    size: int = 0
    dispatcher: Dispatcher | None = None
    connection: Connection | None = None
    task: LongTask | None = None
    cancelling: bool = False
    rounds: int = 0
    approver: str = ""

    def anew(self) -> Call:
        """The same, to be sent once more: whoever allowed it before allows that."""
        return Call(self.ask, self.params, self.promised, approver=AGAIN if self.sent_row is not None else "")

    @property
    def running(self) -> bool:
        return self.seconds is None

    @property
    def elapsed(self) -> float:
        return self.seconds if self.seconds is not None else time.monotonic() - self.began

    @property
    def why(self) -> Failure | None:
        """Why there is no result, be it ours or the server's word."""
        return self.failure or (self.answer.failure if self.answer is not None else None)

    @property
    def subject(self) -> str:
        """The tool, prompt or URI; foreign."""
        return str(self.params.get("name", self.params.get("uri", "")))

    def clocks(self) -> Clocks | None:
        """How far both clocks are, while it runs."""
        pending = self.pending
        if pending is None or not self.running:
            return None
        now = asyncio.get_running_loop().time()
        held = self.waits_for_person
        idle = 0.0 if held else now - pending.idle_since
        return Clocks(idle, pending.idle, now - pending.started, pending.total, held)

    @property
    def waits_for_person(self) -> bool:
        """Whether it stands still until a question of the server is answered."""
        if not self.running:
            return False
        if self.task is not None and any(question.is_open for question in self.task.asked.values()):
            return True
        # Between two rounds of input no request is under way: there, too, the person is waited for.
        return self.pending is not None and (self.pending.held > 0 or self.pending.future.done())

    def settle(self) -> None:
        """It is over: what stays known of it when the answer itself is not held any more."""
        if self.seconds is None:
            self.seconds = time.monotonic() - self.began
        answer = self.answer
        if answer is not None:
            self.row, self.sent_row, self.size = answer.row, answer.sent_row, len(answer.raw)
            self.rounds = answer.rounds
        self.badge = self._judge()

    def _judge(self) -> Badge:
        if (why := self.why) is not None:
            if self.sent_row is None and why.kind != "cancelled":
                return "not sent"
            if why.code == jsonrpc.LINKS_FIRST:
                return "link first"
            return _BADGE_OF_KIND.get(why.kind, "connection lost")
        result = self.answer.result if self.answer is not None else None
        return "tool error" if isinstance(result, dict) and result.get("isError") is True else "ok"


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds that passed and are allowed: since the last sign of life, and in all. The first clock stands still while
    it is `held`: the call waits for the person."""

    idle: float
    idle_limit: float
    total: float
    total_limit: float
    held: bool = False

    @property
    def left(self) -> float:
        return min(self.idle_limit - self.idle, self.total_limit - self.total)


class CallBook:
    """The calls of one connection, newest first, by what was called. Get it with `book_of`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._calls: dict[tuple[str, str], deque[Call]] = {}
        self._held: deque[Call] = deque()
        self.revision = 0
        """Rises when a call begins or ends."""
        self.refused: Call | None = None
        """The one that ended last, where the server refused it for what may be done."""

    def of(self, ask: str, subject: str) -> deque[Call]:
        """The calls of one tool, prompt or resource; at most `HISTORY`."""
        return self._calls.get((ask, subject), deque())

    def latest(self, ask: str) -> Call | None:
        """The call that was begun last, of all subjects."""
        first = [calls[0] for (kind, _), calls in self._calls.items() if kind == ask and calls]
        return max(first, key=lambda call: call.began, default=None)

    def running(self, ask: str, subject: str | None = None) -> list[Call]:
        """Those under way, of one subject or of all."""
        found = [self.of(ask, subject)] if subject is not None else list(self._calls.values())
        return [call for calls in found for call in calls if call.running and call.ask == ask]

    def begin(self, call: Call) -> asyncio.Task[None]:
        """Sends a call; it runs by itself from here on, as the task that is returned."""
        calls = self._calls.setdefault((call.ask, call.subject), deque())
        calls.appendleft(call)
        while len(calls) > HISTORY and not calls[-1].running:
            calls.pop()
        self.revision += 1
        return tasks.spawn(self._perform(call), f"{call.ask} {call.subject[:40]}")

    async def _perform(self, call: Call) -> None:
        try:
            await _send(self._connection, call)
        finally:
            self.revision += 1
            self.refused = call if call.why is not None and call.why.kind == "auth" else None
            if call.ask == "tools/call":
                self._hold(call)
            else:
                # Reads are kept by what shows them, and there is no end to the URIs of a server.
                self._calls.pop((call.ask, call.subject), None)

    def _hold(self, call: Call) -> None:
        """Lets go of the oldest answers where the newest are too many; those that the traffic has not as they are
        stay."""
        if call.answer is None:
            return
        self._held.appendleft(call)
        size = 0
        for held in list(self._held):
            size += held.size
            answer = held.answer
            if size > _HELD and held is not call and answer is not None and _readable_again(answer):
                held.answer = None
                self._held.remove(held)


def _readable_again(answer: Answer) -> bool:
    """What came inside of a batch is no row of its own."""
    return answer.row >= 0 and "sent inside of a batch" not in answer.notes


def restored(call: Call, raw_of: Callable[[int], bytes]) -> Answer | None:
    """The answer of a call, read back from the traffic where it is not held; None where there was none or the traffic
    has let go of it. `raw_of` gives the bytes of a row or raises IndexError."""
    if call.answer is not None or call.row is None:
        return call.answer
    try:
        raw = raw_of(call.row)
    except IndexError:
        return None
    sent = call.sent_row if call.sent_row is not None else -1
    answer = Answer(raw, jsonrpc.read(raw), call.row, sent, call.elapsed)
    return outcome(answer) if call.task is not None and call.task.by_extension else answer


_books: WeakKeyDictionary[Connection, CallBook] = WeakKeyDictionary()


def book_of(connection: Connection) -> CallBook:
    """The one book of a connection, over all its starts."""
    book = _books.get(connection)
    if book is None:
        book = _books[connection] = CallBook(connection)
    return book


async def _send(connection: Connection, call: Call) -> None:
    """Sends the request of `call` and fills in how it went. Never raises Failed. When the waiting task is cancelled
    the call counts as cancelled and the server is told."""

    def started(pending: Pending) -> None:
        call.pending = pending
        call.sent_row = pending.row
        call.dispatcher = connection.session.dispatcher if connection.session is not None else None

    call.connection = connection

    def progressed(progress: Progress) -> None:
        call.progress = progress

    try:
        call.answer = await connection.request(
            call.ask, call.params, on_progress=progressed, started=started, approver=call.approver
        )
        call.seconds = call.answer.seconds
        call.task = connection.long_tasks.made(call.answer, call.params)
        if call.task is not None:
            # Until the result is asked for, no request of it is under way.
            call.seconds = call.answer = call.pending = None
            call.answer = await connection.long_tasks.follow(call.task, started=started)
    except Failed as failed:
        call.failure = failed.failure
    except ValueError as error:
        # NaN and infinities: the JSON editor lets them through, the wire cannot carry them.
        call.failure = Failure(kind="io", message=f"this cannot be written as JSON: {error}")
    except asyncio.CancelledError:
        call.failure = Failure(kind="cancelled", message="the call was cancelled")
        raise
    finally:
        if call.cancelling:
            call.answer, call.failure = None, Failure(kind="cancelled", message="the task was cancelled")
        call.settle()
        # What is over must not keep a connection alive that may be over too.
        call.pending = call.dispatcher = call.connection = None


def cancel(call: Call) -> None:
    """Gives a running call up; the server is told. A task is asked to end, and the call ends with it."""
    if call.task is not None and call.running and call.connection is not None:
        call.cancelling = True
        tasks.spawn(_cancel_task(call.connection.long_tasks, call.task), "cancel a task")
    elif call.running and call.pending is not None and call.dispatcher is not None:
        call.dispatcher.cancel(call.pending, "the user cancelled")


async def _cancel_task(long_tasks: LongTasks, task: LongTask) -> None:
    try:
        await long_tasks.give_up(task)
    except Failed:
        # One that is over already cannot be cancelled; its result is on the way.
        pass


def set_clocks(call: Call, idle: float, total: float) -> None:
    """Lets a running call wait so many seconds on each clock, counted from where that began."""
    if call.running and call.pending is not None and call.dispatcher is not None:
        call.dispatcher.set_clocks(call.pending, idle, total)


def extend(call: Call, seconds: float = MORE_TIME) -> None:
    """Lets a running call wait longer, on both clocks."""
    if call.running and call.pending is not None and call.dispatcher is not None:
        call.dispatcher.extend(call.pending, seconds)
