"""One conversation with one server: handshake, requests, what the server asks, the end."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, Failure
from inspector.base.text import clip, duration, quoted
from inspector.protocol import jsonrpc
from inspector.protocol.capabilities import declared_in, unanswered
from inspector.protocol.identity import OURS, Identity, Ids
from inspector.protocol.jsonrpc import Id, Message
from inspector.protocol.listing import LISTS, ListKind
from inspector.session.answer import Answer
from inspector.session.asking import Asking
from inspector.session.dispatcher import IDLE, TOTAL, Dispatcher, Pending, Progress
from inspector.session.inbox import Inbox, Responder, Root
from inspector.session.pipe import Pipe
from inspector.session.states import States
from inspector.session.steps import Steps
from inspector.transports.base import Closed, Listener, Silence, Written
from inspector.transports.stderr import KEEP_LINES

if TYPE_CHECKING:
    from inspector.session.eras.legacy import Legacy
    from inspector.session.eras.listening import Listening
    from inspector.session.eras.modern import Modern
    from inspector.session.eras.verdict import Verdict
    from inspector.session.handshake import Handshake
    from inspector.session.listings import Listing

CONNECT = 30.0
"""Seconds from spawn or connect to ready."""
_ANSWERED_BY = {
    "sampling": " (--answer does)", "elicitation": " (--answer does)", "roots": " (roots are switched off)",
}  # fmt: skip
_EXTENSIONS = 8
"""Names of a kind that a step tells."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a session behaves. Times in seconds. `protocol` is `auto`, `legacy`, `modern` or a version to insist on;
    `protocol_by_entry` lets the entry of a server say otherwise.

    `roots` are URIs for who asks; None declares none and refuses to tell them. `responder` answers what else the server
    asks; where there is none, nothing else is declared. `extensions` are declared by identifier, with their settings.
    `stderr_lines` are kept of a process. `leaves` lets a server send us to any other origin.
    `identity` is who we say that we are."""

    protocol: str = "auto"
    protocol_by_entry: bool = True
    connect_timeout: float = CONNECT
    timeout: float = IDLE
    max_time: float = TOTAL
    roots: tuple[str, ...] | None = ()
    responder: Responder | None = None
    extensions: Mapping[str, Any] = field(default_factory=dict)
    stderr_lines: int = KEEP_LINES
    leaves: bool = False
    identity: Identity = OURS


_FLOOD = 20_000
"""Lines on stdout, none of which was JSON, after which nobody waits for a first message any longer."""


class Session:
    """Opened once by `connect`, closed once by `close`. Requests may run side by side.

    What the server asks goes to `inbox`, or to one as the options say. `make` builds the transport for a listener.
    `notified` is told every notification, `changed` that something a status view shows is different, `ended` once that
    the connection was lost without being closed, `renewed` that a new session stands in the place of one that the
    server forgot. `remembered` is the verdict of an earlier start; `verdict` that of this one.
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
        remembered: Verdict | None = None,
    ) -> None:
        self.options = options
        self._make = make
        self._generation = 0
        self.transport = make(self._listener())
        self.dispatcher = Dispatcher(
            self._send,
            on_request=self._asked,
            on_notification=self._notice,
            on_noise=self._noise,
            explain=lambda pending: self._silence(pending.row),
            abandon=lambda id_: self.transport.abandon(id_),
            owner_of=lambda exchange: self.transport.owner_of(exchange),
            status_of=lambda exchange: self.transport.status_of(exchange),
            ids=Ids(options.identity),
        )
        if inbox is None:
            roots = None if options.roots is None else tuple(map(Root, options.roots))
            inbox = Inbox(options.responder, roots)
        self.asking = Asking(
            inbox, self.dispatcher, self._answer, lambda exchange: self.transport.owner_of(exchange)
        )
        self.listenings: list[Listening] = []
        self.subscribed: dict[Id, Mapping[str, Any]] = {}
        """The filters of all subscriptions that were asked for, by the ids of the requests."""
        """Subscriptions that are open, or being opened (spec 2026-07-28: subscriptions)."""
        self.dispatcher.given_up = self.asking.give_up
        self.steps = steps if steps is not None else Steps()
        self.states = States()
        self.verdict = remembered
        self.era: Legacy | Modern | None = None
        self.handshake: Handshake | None = None
        self.ready_at: float | None = None
        self.failure: Failure | None = None
        self.noise = 0
        self.warnings: list[str] = []
        self._notified = notified
        self.changed = changed
        self._ended = ended
        self._renewed = renewed
        self._recent_noise: deque[tuple[int, bytes]] = deque(maxlen=20)
        self._first_json: float | None = None
        self._opened = 0.0
        self._closing = False
        self._arrived = False
        self._choosing = False
        self._lost_meanwhile: Failure | None = None

    @property
    def version(self) -> str | None:
        return self.handshake.version if self.handshake else None

    @property
    def capabilities(self) -> dict[str, Any]:
        """All that may be declared to the server, spelled as in 2025-11-25."""
        if self.options.identity.capabilities is not None:
            return dict(self.options.identity.capabilities)
        extensions = {"extensions": dict(self.options.extensions)} if self.options.extensions else {}
        return {**self.asking.inbox.capabilities, **extensions}

    def _warn_of_unanswered(self) -> None:
        """An identity may declare what nobody here answers."""
        declared = self.options.identity.capabilities or {}
        for name in unanswered(declared, self.asking.inbox.capabilities):
            how = _ANSWERED_BY.get(name, "")
            said = f"{self.options.identity.info['name']} declares {name}, which nobody answers here{how}"
            self.warnings.append(f"{said}: a server that uses it is refused")

    def declared(self, version: str) -> dict[str, Any]:
        """What is declared in a version. An identity's own word is not put right: servers see what its client says."""
        if self.options.identity.capabilities is not None:
            return self.capabilities
        return declared_in(version, self.capabilities)

    async def connect(self, *, by_hand: bool = False) -> None:
        """From nothing to ready; where a person sends the handshake `by_hand`, to the point before it. Raises Failed
        with the reason; what was begun is closed by `close`."""
        self._warn_of_unanswered()
        try:
            async with asyncio.timeout(self.options.connect_timeout):
                await self._open()
                if by_hand:
                    from inspector.session.eras.by_hand import ByHand

                    self.era, self.verdict = ByHand(self), None
                    if self.failure is not None:
                        raise Failed(self.failure)
                    return
                # A process takes longer to start than these to load.
                from inspector.session.eras.choosing import choose

                self._choosing = True
                self.era = await choose(self)
                self._choosing = False
                if self._lost_meanwhile is not None:
                    raise Failed(self._lost_meanwhile)
        except TimeoutError:
            failure = self._connect_timeout()
        except Failed as failed:
            failure = failed.failure
        else:
            self._tell_extensions()
            self.ready_at = time.monotonic()
            self.states.enter("READY")
            self.changed()
            return
        self.failure = failure
        self.states.enter("FAILED")
        self.steps.stop(failure.message)
        self.changed()
        raise Failed(failure)

    def _tell_extensions(self) -> None:
        """A step for what the server declares of extensions, where it declares any."""
        declared = self.handshake.extensions if self.handshake is not None else []
        told = []
        for what, wanted in (("in force", True), ("not in force", False)):
            names = [clip(each.name, 80) for each in declared if each.theirs and each.in_force is wanted]
            if names:
                more = ", …" if len(names) > _EXTENSIONS else ""
                told.append(f"{what}: {', '.join(names[:_EXTENSIONS])}{more}")
        if told:
            self.steps.begin("extensions").end("; ".join(told))

    async def _open(self) -> None:
        step = self.steps.begin("spawn" if self.transport.kind == "stdio" else "connect")
        self._opened = time.monotonic()
        self.states.enter("NEW")
        self.changed()
        await self.transport.open()
        step.end(self.transport.describe())
        self.changed()

    def _listener(self) -> Listener:
        mine = self._generation

        def lost(failure: Failure) -> None:
            if mine == self._generation:
                self._lost(failure)

        return Listener(
            self._frame,
            self._undelivered,
            lost,
            lambda id_: id_ in self.dispatcher.pending,
            lambda row, failure: self.asking.undelivered(row, failure),
        )

    def note_arrival(self) -> None:
        """The first answer is there: steps for what came before it."""
        if self._arrived:
            return
        self._arrived = True
        last = self.steps.steps[-1].step
        arrivals = {"first byte": getattr(self.transport, "first_byte", None), "first JSON": self._first_json}
        for name, moment in arrivals.items():
            if moment is not None:
                self.steps.mark(name, "ok", since=self._opened, until=moment, before=last)

    def _connect_timeout(self) -> Failure:
        waited = duration(self.options.connect_timeout)
        if self.transport.kind == "stdio" and self.dispatcher.pending:
            asked = [pending.method for pending in self.dispatcher.pending.values()]
            wanted = "initialize" if "initialize" in asked else asked[-1]
            message = f"not ready within {waited}: no answer to {wanted}"
        else:
            message = f"not ready within {waited}"
        hint = "see the log of the server; if it is only slow, allow more with --connect-timeout"
        if self.transport.kind == "stdio":
            hint = "if it only starts slowly (a first download), allow more with --connect-timeout"
        if silence := self._silence(-1):
            message += f"; {silence.cause}"
            hint = silence.hint or hint
        kind = silence.kind if silence else "timeout"
        return Failure(kind=kind, message=message, hint=hint, stderr=self.transport.stderr_tail())

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = None,
        max_time: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        started: Callable[[Pending], None] | None = None,
        written: Written | None = None,
    ) -> Answer:
        """Sends a request and waits for its answer, be it a result or an error. Raises Failed where none came.

        The era may send it more than once: for a session that the server forgot, or with input that it asked for.
        `started` is told each time. With headers that were `written` for it, it is sent as it is, and once.
        """
        options = self.options

        async def leg(params: dict[str, Any] | None, headers: Mapping[str, str]) -> Answer:
            pending = self.dispatcher.start(
                method,
                params,
                idle=options.timeout if timeout is None else timeout,
                total=options.max_time if max_time is None else max_time,
                on_progress=on_progress,
                headers=headers,
            )
            if started is not None:
                started(pending)
            return await self.dispatcher.answer(pending)

        if written:
            return await leg(params, Written({**self.mirrored(method, params or {}), **written}))
        return await leg(params, {}) if self.era is None else await self.era.converse(method, params, leg)

    def renewed(self) -> None:
        """A new session stands in the place of the one that the server forgot."""
        self.ready_at = time.monotonic()
        self.states.enter("READY")
        self.changed()
        self._renewed()

    async def replace_transport(self, why: str) -> None:
        """Ends the process and starts another one in its place. Raises Failed."""
        step = self.steps.begin("respawn")
        before = self.transport
        self._generation += 1
        await before.close()
        failure = Failure(kind="stream", message=why)
        self.dispatcher.lost(failure)
        self.asking.lost(failure)
        self.dispatcher.revive()
        self._lost_meanwhile = None
        self.transport = self._make(self._listener())
        self._arrived, self._first_json = False, None
        self._opened = time.monotonic()
        self.changed()
        await self.transport.open()
        step.end(f"{self.transport.describe()}; {why}")

    async def listen(
        self, notifications: Mapping[str, Any], ended: Callable[[Failure | None], None] = lambda failure: None
    ) -> Listening:
        """Asks a server of the modern era to tell of changes, and waits until it has agreed. Raises Failed."""
        from inspector.session.eras.listening import Listening

        listening = Listening(self, notifications, ended)
        await listening.open()
        return listening

    def notify(
        self, method: str, params: dict[str, Any] | None = None, written: Written | None = None
    ) -> int:
        """Sends a notification; returns its row. Raises Failed where the connection is gone."""
        row = self._send(jsonrpc.notification(method, params), None, method, written or {})
        if self.era is not None and self.era.name == "legacy":
            self.era.told(method)
        return row

    async def list(self, kind: ListKind) -> Listing:
        """A list through all its pages, asked for whether it was declared or not. Never raises Failed."""
        from inspector.session.listings import read_list

        step = self.steps.begin_again(LISTS[kind].method)
        listing = await read_list(kind, lambda method, params: self.request(method, params))
        if self.era is not None:
            self.era.listed(listing)
        if listing.failure is None:
            pages = f" in {listing.pages} pages" if listing.pages > 1 else ""
            kept = f"; {listing.kept}" if listing.kept else ""
            step.end(f"{len(listing.entries)}{pages}{kept}")
        elif listing.failure.code == jsonrpc.METHOD_NOT_FOUND:
            declared = self.handshake is not None and self.handshake.declares(kind)
            step.end("declared, not implemented" if declared else "not implemented")
            if self.handshake is not None and not declared:
                offered = ", ".join(self.handshake.capabilities) or "nothing"
                hint = clip(f"it does not declare {LISTS[kind].capability}; what it declares: {offered}", 200)
                listing.failure = replace(listing.failure, hint=hint)
        else:
            step.end(listing.failure.message, ok=False)
        self.changed()
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
        self.states.enter("CLOSED")
        if self.failure is None:
            closed = Failure(kind="cancelled", message="the connection was closed")
            self.dispatcher.lost(closed)
            self.asking.lost(closed)
        if self.era is not None and self.era.name == "legacy":
            await self.era.close()
        return await self.transport.close()

    def _send(self, raw: bytes, id_: Id | None, method: str | None, headers: Mapping[str, str]) -> int:
        return self.transport.send(raw, id=id_, method=method, headers=headers)

    def _answer(self, raw: bytes) -> int:
        return self._send(raw, None, None, {})

    def _frame(self, raw: bytes, row: int, exchange: int | None) -> None:
        noise = self.noise
        self.dispatcher.frame(raw, row, exchange)
        self.asking.flush()
        if self._first_json is None and self.noise == noise:
            self._first_json = time.monotonic()

    def _undelivered(self, id_: Id, failure: Failure) -> None:
        self.dispatcher.undelivered(id_, failure)

    def _lost(self, failure: Failure) -> None:
        if failure.kind == "exited" and not failure.stderr:
            from inspector.session.silence import explained

            failure = explained(failure, self._recent_noise, was_ready=self.ready_at is not None)
        self.dispatcher.lost(failure)
        self.asking.lost(failure)
        if self._choosing:
            # Who chooses the era is told by the request that waits, and may go on with another process.
            self._lost_meanwhile = failure
        if self._closing or self._choosing:
            return
        era = self.era
        if era is not None and era.name == "legacy" and era.renews and self.transport.may_renew():
            era.dropped(failure)
            self.changed()
            return
        self.lost_for_good(failure)

    def due_headers(self, method: str, params: dict[str, Any]) -> dict[str, str]:
        """The HTTP headers of the protocol that a request is sent with; none without HTTP. Raises Failed as `mirrored`
        does."""
        return {**self.transport.due_headers(), **self.mirrored(method, params)}

    def mirrored(self, method: str, params: dict[str, Any]) -> dict[str, str]:
        """The HTTP headers that repeat what a request says (2026-07-28); none in another era, or without HTTP. Raises
        Failed for a tool that must not be used over HTTP."""
        return self.era.headers(method, params) if self.era is not None and self.era.name == "modern" else {}

    def lost_for_good(self, failure: Failure) -> None:
        """The connection is gone, and nobody opens it again but a person."""
        self.dispatcher.lost(failure)
        self.asking.lost(failure)
        if self._closing or self.failure is not None:
            return
        self.failure = failure
        self.states.enter("LOST" if self.ready_at is not None else "FAILED")
        self.changed()
        self._ended(failure)

    def _noise(self, raw: bytes, message: Message, row: int) -> None:
        self.noise += 1
        self._recent_noise.append((row, raw[:500]))
        if self.noise % _FLOOD == 0 and self._first_json is None:
            from inspector.session.silence import flooded

            self.dispatcher.refuse(flooded(_FLOOD, self._recent_noise))

    def _silence(self, after: int) -> Silence | None:
        """What may have kept an answer from coming since this row."""
        from inspector.session.silence import ONLY_MESSAGES, in_place_of_an_answer, words_on_stdout
        from inspector.transports.remedies import in_silence

        told = in_place_of_an_answer(self._recent_noise, self.dispatcher.strays, after)
        lives = self.transport.explain_silence()
        noise = words_on_stdout(self._recent_noise)
        if told is not None or lives is None or not noise:
            return told or lives
        cause = f"{lives.cause}; its last line there that is no message: {quoted(noise[-1], 80)}"
        return lives._replace(cause=cause, hint=lives.hint or in_silence(noise) or ONLY_MESSAGES)

    def _asked(self, message: Message, row: int, exchange: int | None) -> None:
        if self.era is None or self.era.name == "legacy":
            self.asking.request(message, row, exchange)
        else:
            told = f"the server sent a request ({clip(message.method or '', 80)}), which it must not send in"
            if not any(warning.startswith(told) for warning in self.warnings):
                self.warnings.append(f"{told} {self.version}; it is not answered")

    def _notice(self, message: Message) -> None:
        self.asking.notified(message)
        if message.method == "notifications/cancelled":
            for listening in tuple(self.listenings):
                listening.cancelled(message)
        elif message.method == "notifications/subscriptions/acknowledged":
            for listening in self.listenings:
                listening.acknowledged(message)
        elif self.era is not None and self.era.name == "modern":
            from inspector.session.eras.listening import misplaced

            told = misplaced(message, self.subscribed)
            if told is not None and told not in self.warnings:
                self.warnings.append(told)
        self._notified(message)
