"""One conversation with one server: handshake, requests, what the server asks, the end."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inspector import __version__
from inspector.base.errors import Failed, Failure, fail
from inspector.base.patterns import pattern
from inspector.base.text import clip, decode, duration
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id, Message
from inspector.protocol.listing import LISTS, ListKind
from inspector.protocol.revisions import LATEST_LEGACY, REVISIONS, Era, revision
from inspector.session.asking import Asking
from inspector.session.dispatcher import IDLE, TOTAL, Answer, Dispatcher, Pending, Progress
from inspector.session.inbox import Inbox, Responder, Root
from inspector.session.listings import Listing, read_list
from inspector.session.pipe import Pipe
from inspector.session.steps import Steps
from inspector.transports.base import Closed, Listener
from inspector.transports.stderr import KEEP_LINES

CONNECT = 30.0
"""Seconds from spawn or connect to ready."""

_REPEATABLE_PREFIXES = ("tools/list", "resources/", "prompts/", "completion/", "ping", "logging/")


@dataclass(frozen=True, slots=True)
class Options:
    """How a session behaves. Times in seconds. `protocol` is `auto`, `legacy` or a version to insist on. `roots` are
    URIs for who asks; None declares none and refuses to tell them. `responder` answers what else the server asks; where
    there is none, nothing else is declared. `stderr_lines` are kept of a process."""

    protocol: str = "auto"
    connect_timeout: float = CONNECT
    timeout: float = IDLE
    max_time: float = TOTAL
    roots: tuple[str, ...] | None = ()
    responder: Responder | None = None
    stderr_lines: int = KEEP_LINES


@dataclass(slots=True)
class Handshake:
    """What was sent and what came back in the opening."""

    sent: dict[str, Any]
    version: str
    result: dict[str, Any] = field(default_factory=dict)
    era: Era = "legacy"

    @property
    def capabilities(self) -> dict[str, Any]:
        value = self.result.get("capabilities")
        return value if isinstance(value, dict) else {}

    @property
    def server_info(self) -> Any:
        return self.result.get("serverInfo")

    @property
    def instructions(self) -> str | None:
        value = self.result.get("instructions")
        return value if isinstance(value, str) else None

    def declares(self, kind: ListKind) -> bool:
        return LISTS[kind].capability in self.capabilities


class Session:
    """Opened once by `connect`, closed once by `close`. Requests may run side by side.

    What the server asks goes to `inbox`, or to one as the options say. `make` builds the transport for a listener.
    `notified` is told every notification, `changed` that something a
    status view shows is different, `ended` once that the connection was lost without being closed, `renewed`
    that a new session stands in the place of one that the server forgot.
    """

    def __init__(
        self,
        make: Callable[[Listener], Pipe],
        options: Options = Options(),
        *,
        steps: Steps | None = None,
        inbox: Inbox | None = None,
        notified: Callable[[Message], None] = lambda message: None,
        changed: Callable[[], None] = lambda: None,
        ended: Callable[[Failure], None] = lambda failure: None,
        renewed: Callable[[], None] = lambda: None,
    ) -> None:
        self.options = options
        self.transport = make(
            Listener(self._frame, self._undelivered, self._lost, lambda id_: id_ in self.dispatcher.pending)
        )
        self.dispatcher = Dispatcher(
            self._send,
            on_request=lambda *request: self.asking.request(*request),
            on_notification=self._notice,
            on_noise=self._noise,
            explain=self._explain,
            abandon=self.transport.abandon,
            owner_of=self.transport.owner_of,
            status_of=self.transport.status_of,
        )
        if inbox is None:
            roots = None if options.roots is None else tuple(map(Root, options.roots))
            inbox = Inbox(options.responder, roots)
        self.asking = Asking(inbox, self.dispatcher, self._answer, self.transport.owner_of)
        self.steps = steps if steps is not None else Steps()
        self.handshake: Handshake | None = None
        self.ready_at: float | None = None
        self.failure: Failure | None = None
        self.noise = 0
        self.warnings: list[str] = []
        self._notified = notified
        self._changed = changed
        self._ended = ended
        self._renewed = renewed
        self._recent_noise: deque[tuple[int, bytes]] = deque(maxlen=20)
        self._first_json: float | None = None
        self._opened = 0.0
        self._closing = False
        self._renewing: asyncio.Lock | None = None

    @property
    def version(self) -> str | None:
        return self.handshake.version if self.handshake else None

    async def connect(self) -> None:
        """From nothing to ready. Raises Failed with the reason; what was begun is closed by `close`."""
        try:
            async with asyncio.timeout(self.options.connect_timeout):
                await self._open()
                await self._initialize()
        except TimeoutError:
            failure = self._connect_timeout()
        except Failed as failed:
            failure = failed.failure
        else:
            self.ready_at = time.time()
            self._changed()
            return
        self.failure = failure
        self.steps.stop(failure.message)
        self._changed()
        raise Failed(failure)

    async def _open(self) -> None:
        step = self.steps.begin("spawn" if self.transport.kind == "stdio" else "connect")
        self._opened = time.monotonic()
        self._changed()
        await self.transport.open()
        step.end(self.transport.describe())
        self._changed()

    async def _initialize(self) -> None:
        step = self.steps.begin("handshake")
        wanted = self.options.protocol
        version = wanted if wanted in REVISIONS else LATEST_LEGACY
        params: dict[str, Any] = {
            "protocolVersion": version,
            "capabilities": self.asking.inbox.capabilities,
            "clientInfo": {"name": "mcp-inspect", "version": __version__},
        }
        try:
            answer = await self._offer(params, version)
        except Failed as failed:
            if self.handshake is not None or not self.transport.may_go_another_way(failed.failure):
                raise
            step.end(failed.failure.message, ok=False)
            step = self.steps.begin("other transport")
            self._changed()
            step.end(await self.transport.go_another_way(failed.failure))
            step = self.steps.begin("handshake")
            answer = await self._offer(params, version)
        result = answer.result
        if not isinstance(result, dict):
            raise fail(
                "protocol", "the answer to initialize holds no object", "see the raw frame in the traffic"
            )
        self.warnings += answer.notes
        step.end()
        self._settle_version(params, result, version, pinned=wanted not in ("auto", "legacy"))
        self._send(jsonrpc.notification("notifications/initialized"), None, "notifications/initialized")
        began = time.monotonic()
        note = await self.transport.ready()
        if note is not None:
            self.steps.mark("server stream", note, since=began, until=time.monotonic())

    async def _offer(self, params: dict[str, Any], version: str) -> Answer:
        """Sends initialize. Raises Failed for an answer that is an error, too."""
        pending = self.dispatcher.start("initialize", params, idle=TOTAL, total=TOTAL)
        answer = await self.dispatcher.answer(pending)
        if self.handshake is None:
            self._note_arrival()
        if answer.failure is not None:
            raise Failed(_refused_version(answer.failure, version))
        return answer

    def _note_arrival(self) -> None:
        arrivals = {"first byte": getattr(self.transport, "first_byte", None), "first JSON": self._first_json}
        for name, moment in arrivals.items():
            if moment is not None:
                self.steps.mark(name, "ok", since=self._opened, until=moment, before="handshake")

    def _settle_version(
        self, sent: dict[str, Any], result: dict[str, Any], asked: str, *, pinned: bool
    ) -> None:
        step = self.steps.begin("version")
        answered = result.get("protocolVersion")
        version = answered if isinstance(answered, str) and answered else asked
        if pinned and version != asked:
            raise fail(
                "version",
                f"the server speaks {version}, not {asked}",
                f"use --protocol {version} or leave --protocol out",
            )
        if not isinstance(answered, str) or answered not in REVISIONS:
            self.warnings.append(
                f"the server named an unknown protocol version: {answered!r}; going on with it"
            )
        self.handshake = Handshake(sent, version, result)
        self.dispatcher.batches = revision(version).batches
        self.transport.negotiated(version)
        step.end(version)

    def _connect_timeout(self) -> Failure:
        waited = duration(self.options.connect_timeout)
        if self.transport.kind == "stdio" and self.dispatcher.pending:
            message = f"no answer to initialize within {waited}"
        else:
            message = f"not ready within {waited}"
        glued = self._glued(-1)
        if cause := glued or self.transport.explain_silence():
            message += f"; {cause}"
        hint = (
            "stdout may carry nothing but one JSON-RPC message a line; send log text to stderr"
            if glued
            else "if it only starts slowly (a first download), allow more with --connect-timeout"
        )
        return Failure(kind="timeout", message=message, hint=hint, stderr=self.transport.stderr_tail())

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = None,
        max_time: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        started: Callable[[Pending], None] | None = None,
    ) -> Answer:
        """Sends a request and waits for its answer, be it a result or an error. Raises Failed where none came.

        A session that the server forgot is opened anew once; reads are then repeated, calls are not.
        """
        pending = self._start(method, params, timeout, max_time, on_progress)
        if started is not None:
            started(pending)
        try:
            return await self.dispatcher.answer(pending)
        except Failed as failed:
            if failed.failure.kind != "session":
                raise
            await self._renew(pending)
            if not method.startswith(_REPEATABLE_PREFIXES):
                hint = "a new session is open; calls are not repeated by themselves, so call again"
                raise Failed(replace(failed.failure, hint=hint)) from None
        return await self.dispatcher.answer(self._start(method, params, timeout, max_time, on_progress))

    def _start(
        self,
        method: str,
        params: dict[str, Any] | None,
        timeout: float | None,
        max_time: float | None,
        on_progress: Callable[[Progress], None] | None,
    ) -> Pending:
        options = self.options
        return self.dispatcher.start(
            method,
            params,
            idle=options.timeout if timeout is None else timeout,
            total=options.max_time if max_time is None else max_time,
            on_progress=on_progress,
        )

    async def _renew(self, after: Pending) -> None:
        if self._renewing is None:
            self._renewing = asyncio.Lock()
        asked = time.time()
        async with self._renewing:
            # Several requests may have met the same dead session; the first one in opens the new one.
            if self.ready_at is not None and self.ready_at > asked:
                return
            self.transport.renew()
            self.warnings.append("the server forgot the session; a new one was opened")
            async with asyncio.timeout(self.options.connect_timeout):
                await self._initialize()
            self.ready_at = time.time()
            self._changed()
            self._renewed()

    def notify(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Sends a notification; returns its row. Raises Failed where the connection is gone."""
        return self._send(jsonrpc.notification(method, params), None, method)

    async def list(self, kind: ListKind) -> Listing:
        """A list through all its pages, asked for whether it was declared or not. Never raises Failed."""
        step = self.steps.begin(LISTS[kind].method)
        listing = await read_list(kind, lambda method, params: self.request(method, params))
        if listing.failure is None:
            step.end(f"{len(listing.entries)}" + (f" in {listing.pages} pages" if listing.pages > 1 else ""))
        elif listing.failure.code == jsonrpc.METHOD_NOT_FOUND:
            declared = self.handshake is not None and self.handshake.declares(kind)
            step.end("declared, not implemented" if declared else "not implemented")
        else:
            step.end(listing.failure.message, ok=False)
        self._changed()
        return listing

    async def lists(
        self, kinds: Sequence[ListKind] = ("tools", "resources", "templates", "prompts")
    ) -> dict[ListKind, Listing]:
        """The declared ones among `kinds`, read side by side."""
        declared = [kind for kind in kinds if self.handshake is not None and self.handshake.declares(kind)]
        return dict(zip(declared, await asyncio.gather(*(self.list(kind) for kind in declared)), strict=True))

    async def close(self) -> Closed:
        """Ends the connection politely and within bounds, whatever state it is in. Never raises Failed."""
        self._closing = True
        if self.failure is None:
            closed = Failure(kind="cancelled", message="the connection was closed")
            self.dispatcher.lost(closed)
            self.asking.lost(closed)
        return await self.transport.close()

    def _send(self, raw: bytes, id_: Id | None, method: str | None) -> int:
        return self.transport.send(raw, id=id_, method=method)

    def _answer(self, raw: bytes) -> None:
        self._send(raw, None, None)

    def _frame(self, raw: bytes, row: int, exchange: int | None) -> None:
        self.dispatcher.frame(raw, row, exchange)
        self.asking.flush()
        if self._first_json is None and self.noise == 0:
            self._first_json = time.monotonic()

    def _undelivered(self, id_: Id, failure: Failure) -> None:
        self.dispatcher.undelivered(id_, failure)

    def _lost(self, failure: Failure) -> None:
        self.dispatcher.lost(failure)
        self.asking.lost(failure)
        if self._closing:
            return
        if self.failure is None:
            self.failure = failure
        self._changed()
        self._ended(failure)

    def _noise(self, raw: bytes, message: Message, row: int) -> None:
        self.noise += 1
        self._recent_noise.append((row, raw[:500]))

    def _explain(self, pending: Pending) -> str | None:
        return self._glued(pending.row) or self.transport.explain_silence()

    def _glued(self, after: int) -> str | None:
        for row, raw in self._recent_noise:
            if row > after and b'"jsonrpc"' in raw:
                line = clip(decode(raw).strip(), 160)
                return f"its answer may be in the unreadable line {line!r}: text stands before the JSON on one line"
        return None

    def _notice(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            self.asking.cancelled(message)
        self._notified(message)


_VERSION = pattern(r"\b20\d\d-\d\d-\d\d\b")


def _refused_version(failure: Failure, asked: str) -> Failure:
    """An error answer to initialize that names versions is about the version (spec: lifecycle, version negotiation)."""
    data = failure.data
    supported = data.get("supported") if isinstance(data, dict) else None
    if isinstance(supported, list):
        names = [str(version) for version in supported]
    else:
        names = [name for name in _VERSION.findall(failure.message) if name != asked]
    if not names:
        return failure
    return replace(
        failure,
        kind="version",
        message=f"the server does not speak {asked}: {failure.message}",
        hint=f"it speaks {', '.join(names)}; choose one with --protocol",
    )
