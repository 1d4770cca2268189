"""The wire side of what a server asks: requests become questions, their answers become frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, Failure
from inspector.base.patterns import pattern
from inspector.protocol import jsonrpc
from inspector.protocol.capabilities import may_be_task, undeclared
from inspector.protocol.elicitation import METHOD as ELICIT
from inspector.protocol.elicitation import oddity
from inspector.protocol.jsonrpc import Id, Message
from inspector.protocol.sampling import METHOD as SAMPLE
from inspector.protocol.sampling import misuse
from inspector.session.dispatcher import Dispatcher
from inspector.session.inbox import Inbox, Question, Refusal

if TYPE_CHECKING:
    from inspector.session.kept_tasks import KeptTasks

_REMEMBERED = 100
"""Answers whose delivery may still fail: on stdio nothing tells that one has arrived."""
_TIMED_OUT = pattern(r"(?i)time[- ]?d?[- ]?out")


class Asking:
    """Of one session. `send` writes a frame, returns its row and may raise Failed; `owner_of` tells whose request an
    HTTP exchange carries."""

    def __init__(
        self,
        inbox: Inbox,
        dispatcher: Dispatcher,
        send: Callable[[bytes], int],
        owner_of: Callable[[int], Id | None],
    ) -> None:
        self.inbox = inbox
        self.declared: Mapping[str, Any] | None = None
        """The capabilities that the server was told; None until it was told any."""
        self.detailed = True
        """Whether the version in use says in detail what is declared."""
        self._dispatcher = dispatcher
        self._send = send
        self._owner_of = owner_of
        self._open: list[Question] = []
        self._replies: list[tuple[bytes, tuple[Question, ...]]] = []
        self._on_the_way: dict[int, tuple[Question, ...]] = {}
        self._within = False
        self._kept: KeptTasks | None = None

    def request(self, message: Message, row: int, exchange: int | None) -> None:
        """A request of the server: what can be answered at once goes out with `flush`, at the end of its frame."""
        self._within = True
        if message.method == "ping":
            self.inbox.pings += 1
            self._replies.append((jsonrpc.result(message.id, {}), ()))
            return
        if self._takes_tasks and (message.method or "").startswith("tasks/") and message.readable:
            self._tasks().request(message)
            return
        question = Question(
            message.method or "",
            message.value.get("params"),
            message.id,
            row,
            self._owner(exchange),
            message.problem or self._repeated(message.id),
        )
        if not message.readable:
            question.refuse(jsonrpc.INVALID_PARAMS, "the parameters cannot be read", "it cannot be read")
        question.as_task = self._may_be_task(question)
        if question.as_task:
            self._tasks().keep(message.id, question)
        else:
            question.on_end(self._answer)
        self._take(question)

    def _may_be_task(self, question: Question) -> bool:
        """Whether the server makes a task of it; where that was not declared, its wish is passed over."""
        if not question.is_open or not isinstance(question.arguments.get("task"), dict):
            return False
        return self._takes_tasks and may_be_task(question.method, self.declared or {})

    @property
    def _takes_tasks(self) -> bool:
        return "tasks" in (self.declared or {})

    def _tasks(self) -> KeptTasks:
        if self._kept is None:
            from inspector.session.kept_tasks import KeptTasks

            self._kept = KeptTasks(self._reply)
        return self._kept

    def _reply(self, frame: bytes, *answered: Question) -> None:
        self._replies.append((frame, answered))
        if not self._within:
            self.flush()

    def input(self, method: str, params: Any, key: str, row: int = -1, owner: Id | None = None) -> Question:
        """One of `inputRequests` (spec 2026-07-28: MRTR), to be awaited with `Question.answer`."""
        question = Question(method, params, key, row, owner, input=True)
        self._take(question)
        return question

    def own(self, method: str, params: Any, row: int, owner: Id | None) -> Question:
        """One of this program, to the person; whoever else answers refuses it."""
        question = Question(method, params, method, row, owner, input=True, ours=True)
        self._take(question)
        return question

    def give_up(self, owner: Id, reason: str) -> None:
        """A request is given up between two rounds: what was asked for it needs no answer any more."""
        for question in tuple(self._open):
            if question.input and question.owner == owner:
                question.withdraw("cancelled", reason)

    def notified(self, message: Message) -> None:
        """A notification, which may be about a request of the server."""
        params = message.value.get("params")
        if not isinstance(params, dict):
            return
        if message.method == "notifications/cancelled" and "requestId" in params:
            self._cancelled(params)
        elif message.method == "notifications/elicitation/complete":
            self.inbox.complete(params.get("elicitationId"))

    def _cancelled(self, params: dict[str, Any]) -> None:
        """The open request of that id needs no answer any more (spec: cancellation)."""
        given = params.get("reason")
        reason = given if isinstance(given, str) and given else "the server cancelled it"
        key = jsonrpc.match_key(params["requestId"])
        for question in [each for each in self._open if not each.input]:
            if key is not None and jsonrpc.match_key(question.key) == key:
                question.withdraw("timed out" if _TIMED_OUT.search(reason) else "cancelled", reason)

    def lost(self, failure: Failure) -> None:
        """The connection is gone, and with it everybody who waits for an answer."""
        for question in tuple(self._open):
            question.withdraw("lost", failure.message)

    def flush(self) -> None:
        """Sends the answers to the requests of one frame: as an array where they came in one and the version has
        arrays (spec 2025-03-26: basic, batching)."""
        self._within = False
        if not self._replies:
            return
        replies, self._replies = self._replies, []
        if len(replies) > 1 and self._dispatcher.batches:
            frames = b",".join(frame for frame, _ in replies)
            replies = [(b"[" + frames + b"]", tuple(each for _, answered in replies for each in answered))]
        for frame, answered in replies:
            try:
                row = self._send(frame)
            except Failed as failed:
                for question in answered:
                    question.not_delivered(failed.failure.message)
                continue
            if answered:
                self._on_the_way[row] = answered
                if len(self._on_the_way) > _REMEMBERED:
                    del self._on_the_way[next(iter(self._on_the_way))]

    def undelivered(self, row: int, failure: Failure) -> None:
        """The frame of this row did not reach the server."""
        for question in self._on_the_way.pop(row, ()):
            question.not_delivered(failure.message)
        self.inbox.changed()

    def _take(self, question: Question) -> None:
        if self.declared is not None and (
            error := undeclared(question.method, question.arguments, self.declared, detailed=self.detailed)
        ):
            question.refuse(*error, "it was not declared")
        elif question.method == SAMPLE and (problem := misuse(question.arguments)):
            question.refuse(jsonrpc.INVALID_PARAMS, f"Invalid params: {problem}", problem)
        elif question.method == ELICIT and question.problem is None:
            question.problem = oddity(question.arguments, detailed=self.detailed)
        self.inbox.ask(question)
        if not question.is_open:
            return
        self._open.append(question)
        question.on_end(self._open.remove)
        if question.input:
            return
        # A person who thinks about the answer is no reason to give up the call that waits for it.
        held = self._dispatcher.hold(question.owner)
        question.on_end(lambda ended: self._dispatcher.release(held))

    def _answer(self, question: Question) -> None:
        reply = question.reply
        if reply is None:
            return
        if isinstance(reply, Refusal):
            frame = jsonrpc.error(question.key, reply.code, reply.message, reply.data)
        else:
            frame = jsonrpc.result(question.key, reply)
        self._reply(frame, question)

    def _owner(self, exchange: int | None) -> Id | None:
        owner = self._owner_of(exchange) if exchange is not None else None
        waiting = self._dispatcher.pending
        return next(iter(waiting)) if owner is None and len(waiting) == 1 else owner

    def _repeated(self, id_: Any) -> str | None:
        key = jsonrpc.match_key(id_)
        same = any(not each.input and jsonrpc.match_key(each.key) == key for each in self._open)
        return "an open request has the same id" if key is not None and same else None
