"""One client of what the app serves: who it is, how far it has come, and what is sent to it by hand."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from inspector.base.errors import Failed, Failure, fail
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.protocol.revisions import PREFIX
from inspector.serving.call import LEVELS
from inspector.serving.engine import Session
from inspector.serving.modern import meta_of
from inspector.serving.stateless import Stateless
from inspector.serving.streams import Live
from inspector.session.answer import Answer
from inspector.traffic.session_log import SessionLog
from inspector.workspace.seen import Seen

State = Literal["begun", "ready", "silent", "ended"]
_SILENT_AFTER = 60
"""Seconds without a word and without an open stream, after which a client may have left."""
_MOST_OPEN = 1000
_PROGRESS, _LOG = "notifications/progress", "notifications/message"
_UPDATED = "notifications/resources/updated"
_NEEDS = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation", "roots/list": "roots"}


class Sent(NamedTuple):
    """A request that has gone out, as the row that it is in the traffic."""

    row: int


class _Open(NamedTuple):
    """A request of ours that waits for its answer."""

    row: int
    sent_at: float
    answer: asyncio.Future[Answer]


class Client(Seen):
    """Watches one conversation, and writes it to the traffic, where the client is the one who sends. In 2026-07-28
    there are no sessions: all clients of that version are one of these, which tells who spoke last.

    `joined` is called before its first frame, `changed` whenever what is told here is different. Names, versions and
    methods are the client's: foreign.
    """

    def __init__(
        self,
        log: Callable[[Client], SessionLog],
        joined: Callable[[Client], None],
        changed: Callable[[], None],
    ) -> None:
        """`log` gives the session of the traffic that is its own."""
        self.name = ""
        """How we call it; given by who takes it in."""
        self.began = time.time()
        """Seconds since the epoch; so are the others."""
        self.ready_at: float | None = None
        self.ended_at: float | None = None
        self.requests = 0
        self.last = ""
        """The method of its latest request or notification."""
        self.last_at = self.began
        super().__init__(self._joins)
        self._log_of_client, self._joined, self._changed = log, joined, changed
        self._live: Live | None = None
        self._info: Mapping[str, Any] = {}
        self._tokens: dict[Id, Id] = {}
        self._asked: dict[Id, _Open] = {}
        self._said = 0
        self._row = -1
        self._sent, self._below = "", False

    # What it is

    @property
    def state(self) -> State:
        """`begun` until the client has said that it is initialized; `silent` where nothing tells that it is still
        there, which over Streamable HTTP it need not say."""
        if self.ended_at is not None:
            return "ended"
        if time.time() - self.last_at > _SILENT_AFTER and not self._reads:
            return "silent"
        return "ready" if self.is_modern or self._session.initialized else "begun"

    @property
    def _reads(self) -> bool:
        return self._live is not None and self._live.is_open

    @property
    def held(self) -> int:
        """How much of what it has sent waits until it says that it is initialized."""
        return self._session.held

    @property
    def is_modern(self) -> bool:
        return isinstance(self._live, Stateless)

    @property
    def era(self) -> str:
        return "modern" if self.is_modern else "legacy"

    @property
    def version(self) -> str:
        """Of the protocol; empty before it is known."""
        return self._session.version if self.is_modern or self._session.greeted else ""

    @property
    def info(self) -> Mapping[str, Any]:
        """What it says of itself."""
        return self._info if self.is_modern else self._session.client_info

    @property
    def capabilities(self) -> Mapping[str, Any]:
        return self._session.client_capabilities

    @property
    def subscriptions(self) -> set[str]:
        """URIs of resources."""
        return self._session.subscriptions

    @property
    def token(self) -> Id | None:
        """The progress token of the latest request that runs; None where there is none."""
        return next((token for id, token in reversed(self._tokens.items()) if self._runs(id)), None)

    @property
    def _session(self) -> Session:
        assert self._live is not None
        return self._live.session

    # What it says and hears

    def _joins(self) -> SessionLog:
        self._joined(self)
        return self._log_of_client(self)

    def begun(self, live: Live) -> None:
        self._live = live

    def ended(self) -> None:
        if self.ended_at is None and self.is_begun:
            self.ended_at = time.time()
            for open_ in self._asked.values():
                if not open_.answer.done():
                    open_.answer.set_exception(Failed(self._gone()))
            self._changed()

    def heard(self, raw: bytes, exchange: int | None = None) -> int:
        row = super().heard(raw, exchange)
        message = jsonrpc.read(raw)
        if message.is_answer:
            self._answered(message, raw, row)
        elif message.method is not None and isinstance(message.value, dict):
            self.last, self.last_at = message.method, time.time()
            self.requests += message.kind == "request"
            params = message.value.get("params")
            self._tells(message.id, meta_of(params) if isinstance(params, dict) else {})
            if message.method == "notifications/initialized":
                self.ready_at = self.last_at
        self._changed()
        return row

    def said(self, raw: bytes, exchange: int | None = None) -> int:
        self._row = super().said(raw, exchange)
        self._said += 1
        return self._row

    def _tells(self, id: Any, meta: Mapping[str, Any]) -> None:
        info, token = meta.get(f"{PREFIX}clientInfo"), meta.get("progressToken")
        if isinstance(info, dict):
            self._info = info
        if jsonrpc.is_id(id) and token is not None and jsonrpc.is_id(token):
            self._tokens[id] = token
            for oldest in list(itertools.islice(self._tokens, max(0, len(self._tokens) - _MOST_OPEN))):
                del self._tokens[oldest]

    def _answered(self, message: jsonrpc.Message, raw: bytes, row: int) -> None:
        open_ = self._asked.pop(message.id, None) if jsonrpc.is_id(message.id) else None
        if open_ is not None and not open_.answer.done():
            took = time.monotonic() - open_.sent_at
            open_.answer.set_result(Answer(raw, message, row, open_.row, took))

    # What is sent by hand

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Sends a notification, and gives its row. In 2026-07-28 it reaches those who have subscribed to it. Raises
        Failed where it can go to nobody."""
        live = self._there()
        self._sent = method
        level = (params or {}).get("level")
        self._below = level in LEVELS and LEVELS.index(level) < LEVELS.index(self._session.level)
        about = self._about(params) if method in (_PROGRESS, _LOG) else None
        if self.is_modern and about is None and method in (_PROGRESS, _LOG):
            raise fail(
                "unsupported",
                f"in this version {method} belongs to a request that runs, and none with that token does",
                "send it while a call runs, with the token of that call",
            )
        before = self._said
        if self.is_modern and method == _UPDATED and params is not None:
            live.session.updated(str(params.get("uri")))
        else:
            live.session.notify(method, params, about)
        live.push()
        if self._said == before:
            raise fail(
                "unsupported",
                f"no client listens for {method}; nothing was sent",
                "a client has to subscribe",
            )
        return self._row

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        started: Callable[[Sent], None] = lambda sent: None,
    ) -> Answer:
        """Sends a request and waits for what the client answers, as long as that takes. Raises Failed."""
        live = self._there()
        if self.is_modern:
            raise fail(
                "unsupported",
                "in this version a server sends no requests: it asks in the answer to a call",
                "let an answer of a definition `ask`",
            )
        self._sent = method
        id = live.session.ask(method, params)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        live.push()
        self._asked[id] = _Open(self._row, time.monotonic(), answer)
        started(Sent(self._row))
        try:
            return await answer
        finally:
            self._asked.pop(id, None)

    @property
    def can_be_asked(self) -> bool:
        """Whether its version has requests of servers."""
        return not self.is_modern

    @property
    def remark(self) -> str:
        """What there is to say of what was just sent to it; empty where there is nothing."""
        needs = _NEEDS.get(self._sent)
        if needs is not None and needs not in self.capabilities:
            return f"this client does not declare {needs}; a server should not ask it"
        if self._sent == _LOG and self._below:
            return f"this client wants to hear of {self._session.level} and above"
        if self._live is not None and not self.is_modern and not self._live.listens:
            return "it waits until the client opens a stream for what the server says by itself"
        return ""

    def _there(self) -> Live:
        if self._live is None or self.ended_at is not None:
            raise Failed(self._gone())
        return self._live

    def _gone(self) -> Failure:
        return Failure(kind="session", message=f"{self.name} has ended", hint="choose a client that is there")

    def _about(self, params: Mapping[str, Any] | None) -> Id | None:
        """The request that runs with the token of these params; the latest one that runs for a log message."""
        wanted = (params or {}).get("progressToken", self.token)
        return next((id for id, token in self._tokens.items() if token == wanted and self._runs(id)), None)

    def _runs(self, id: Id) -> bool:
        return self._session.is_running(id)


class Everyone:
    """All clients that are there, to be told something at once."""

    name = "all clients"
    can_be_asked = False
    token = None

    def __init__(self, clients: Sequence[Client]) -> None:
        self.clients = [client for client in clients if client.state != "ended"]
        self.remark = ""
        """How many were told, and what was wrong with the others."""

    @property
    def subscriptions(self) -> set[str]:
        """URIs of resources."""
        return set().union(*(client.subscriptions for client in self.clients))

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Sends it to each; one that cannot be told keeps none of the others from it. Gives the last row. Raises
        Failed where nobody could be told."""
        rows, failures = [], []
        for client in self.clients:
            try:
                rows.append(client.notify(method, params))
            except Failed as failed:
                failures.append(failed)
        if not rows:
            raise failures[0] if failures else fail("session", "no client is there", "let one connect")
        left_out = f"; not {len(failures)}: {failures[0].failure.message}" if failures else ""
        self.remark = f"to {len(rows)} of {len(self.clients)} clients{left_out}"
        return rows[-1]

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        started: Callable[[Sent], None] = lambda sent: None,
    ) -> Answer:
        """Raises Failed: a request has one answer."""
        raise fail("unsupported", "a request goes to one client", "choose it in the list")
