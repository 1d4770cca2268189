"""What a server asks of its client, and who answers: questions from their arrival to their end."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from inspector.base.errors import Failed, Failure
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id

USER_REJECTED = -1
"""The code of an answer that says: the user does not want this sampling."""
_KEPT = 500

State = Literal["open", "answered", "declined", "refused", "cancelled", "timed out", "lost"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as the answer."""

    code: int
    message: str
    data: Any = None


Reply: TypeAlias = dict[str, Any] | Refusal


@dataclass(eq=False, slots=True)
class Question:
    """One request of the server: a JSON-RPC request, or one of `inputRequests` (spec: MRTR).

    `key` is its JSON-RPC id, or its key among the input requests; whatever JSON can hold. `params` are as they came.
    `number` tells it from others of its inbox. `row` is that of the frame it came in. `owner` is the id of the request
    of ours that it belongs to, where that is known. `problem` says what is wrong with it. `as_task`: the server comes
    for the answer later. `ours`: this program asks, about what the server does. `due` is when a rule answers that waits
    on purpose. Times are seconds since the epoch.

    It ends once: by `settle`, with the answer, or by `withdraw`, without one. What comes after the end is ignored.
    """

    method: str
    params: Any
    key: Any
    row: int = -1
    owner: Id | None = None
    problem: str | None = None
    input: bool = False
    as_task: bool = False
    ours: bool = False
    number: int = 0
    asked_at: float = field(default_factory=time.time)
    ended_at: float | None = None
    state: State = "open"
    reply: Reply | None = None
    reason: str = ""
    complete: bool = False
    due: float | None = None
    _told: list[Callable[[Question], None]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def arguments(self) -> Mapping[str, Any]:
        """`params` where they are an object, as they should be; otherwise nothing."""
        return self.params if isinstance(self.params, dict) else {}

    def settle(self, reply: Reply, reason: str = "") -> None:
        """The answer; it goes out at once. `reason` says who gave it, where that was not the person."""
        if self.is_open:
            self.reply = reply
            self._end(_outcome(reply), reason)

    def refuse(self, code: int, message: str, reason: str = "") -> None:
        self.settle(Refusal(code, message), reason)

    def decline(self) -> None:
        """The no of the person, in the words that its kind has for it."""
        if self.method == "sampling/createMessage":
            self.refuse(USER_REJECTED, "User rejected sampling request")
        else:
            self.settle({"action": "decline"})

    def withdraw(self, state: Literal["cancelled", "timed out", "lost"], reason: str) -> None:
        """Nobody waits for the answer any more: nothing goes out."""
        if self.is_open:
            self._end(state, reason)

    def not_delivered(self, reason: str) -> None:
        """Its answer went out and did not reach the server."""
        self.state, self.reason = "lost", f"the answer did not arrive: {reason}"

    def _end(self, state: State, reason: str) -> None:
        self.state, self.reason, self.ended_at = state, reason, time.time()
        told, self._told = self._told, []
        for each in told:
            each(self)

    def on_end(self, told: Callable[[Question], None]) -> None:
        """Calls `told` when it has ended; at once where it has."""
        if self.is_open:
            self._told.append(told)
        else:
            told(self)

    async def answer(self) -> Reply:
        """Waits for the answer. Raises Failed where it was withdrawn; cancelling the wait withdraws it."""
        ended = asyncio.Event()
        self.on_end(lambda question: ended.set())
        try:
            await ended.wait()
        except asyncio.CancelledError:
            self.withdraw("cancelled", "nobody waits for the answer any more")
            raise
        if self.reply is None:
            raise Failed(Failure(kind="cancelled", message=f"{self.method}: {self.reason}"))
        return self.reply


def _outcome(reply: Reply) -> State:
    if isinstance(reply, Refusal):
        return "declined" if reply.code == USER_REJECTED else "refused"
    action = reply.get("action")
    return "declined" if action == "decline" else "cancelled" if action == "cancel" else "answered"


class Responder(Protocol):
    """Who answers for the person. `capabilities` are declared in the handshake, `title` names who it is."""

    @property
    def title(self) -> str: ...

    @property
    def capabilities(self) -> Mapping[str, Any]: ...

    def take(self, question: Question) -> None:
        """Settles the question, now or later; it must not block. One that stays open waits for whoever looks
        into the inbox."""
        ...


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that is offered to a server."""

    uri: str
    name: str | None = None

    def as_json(self) -> dict[str, str]:
        return {"uri": self.uri} if self.name is None else {"uri": self.uri, "name": self.name}


class Inbox:
    """The questions of one server over all its sessions, the newest last; bounded.

    `roots` are offered to who asks; None declares none and refuses to tell them. Where there is no `responder`,
    nothing else is declared or answered. `arrived` is told every question that stays open, `completed` the id of every
    elicitation that the server calls complete, `changed` that something is different. `pings` counts the pings, which
    are answered and not kept.
    """

    def __init__(self, responder: Responder | None = None, roots: Sequence[Root] | None = ()) -> None:
        self.responder = responder
        self.roots = None if roots is None else tuple(roots)
        self.questions: deque[Question] = deque(maxlen=_KEPT)
        self.pings = 0
        self.completions: deque[str] = deque(maxlen=_KEPT)
        """The ids of what the server called complete, also where a call was refused for it (-32042)."""
        self._count = 0
        self.arrived: Callable[[Question], None] = lambda question: None
        self.changed: Callable[[], None] = lambda: None
        self.completed: Callable[[Any], None] = lambda elicitation: None

    @property
    def capabilities(self) -> dict[str, Any]:
        roots = {} if self.roots is None else {"roots": {"listChanged": True}}
        return roots if self.responder is None else {**roots, **self.responder.capabilities}

    @property
    def open(self) -> list[Question]:
        """Those that wait for an answer, the oldest first."""
        return [question for question in self.questions if question.is_open]

    def ask(self, question: Question) -> None:
        """Takes a question in and sees to its answer; it may have ended when this returns, or before."""
        if len(self.questions) == _KEPT and (oldest := self.questions[0]).is_open:
            oldest.refuse(
                jsonrpc.INTERNAL_ERROR, "Too many requests are open", "too many questions were open"
            )
        self._count += 1
        question.number = self._count
        self.questions.append(question)
        question.on_end(lambda ended: self.changed())
        if not question.is_open:
            pass
        elif question.method == "roots/list":
            self._tell_roots(question)
        elif self.responder is None:
            refuse_unknown(question)
        else:
            self.responder.take(question)
        if question.is_open:
            self.arrived(question)
            self.changed()

    def complete(self, elicitation: Any) -> None:
        """The server says that what a link led to is done (spec 2025-11-25: elicitation, URL mode)."""
        if isinstance(elicitation, str):
            self.completions.append(elicitation)
            for question in self.questions:
                question.complete |= question.arguments.get("elicitationId") == elicitation
        self.completed(elicitation)
        self.changed()

    def _tell_roots(self, question: Question) -> None:
        if self.roots is None:
            reason = {"reason": "Client does not have roots capability"}
            question.settle(
                Refusal(jsonrpc.METHOD_NOT_FOUND, "Roots not supported", reason), "no roots are declared"
            )
        else:
            question.settle({"roots": [root.as_json() for root in self.roots]}, "the list of roots")


def refuse_unknown(question: Question) -> None:
    """What is answered to a method that nobody answers here."""
    message = f"Method not found: {question.method}"
    question.refuse(jsonrpc.METHOD_NOT_FOUND, message, "nobody answers this method here")
