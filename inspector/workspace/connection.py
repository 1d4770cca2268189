"""One server of the workspace over its whole life: waiting, starting, ready, failed, started again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from inspector.base import crash, tasks
from inspector.base.errors import Failed, Failure
from inspector.base.numbers import verbatim
from inspector.base.secrets import Secrets
from inspector.config.server import Entry, Server
from inspector.protocol.identity import Identity
from inspector.protocol.jsonrpc import Message
from inspector.protocol.listing import ListKind
from inspector.session.answer import Answer
from inspector.session.catalog import Catalog
from inspector.session.dispatcher import Pending, Progress
from inspector.session.inbox import Inbox, Root
from inspector.session.session import Options, Session
from inspector.session.steps import Steps
from inspector.transports.base import Closed, Observer, ProcessFacts, Written
from inspector.transports.stderr import StderrTail
from inspector.workspace.keeping import Keeping
from inspector.workspace.pipes import facts_of, pipe_to
from inspector.workspace.relisted import ListChanges
from inspector.workspace.remembered_era import RememberedEra
from inspector.workspace.starts import Starts

State = Literal["queued", "starting", "open", "ready", "error", "disabled"]
"""`open` where a person sends the handshake, until it is done."""


if TYPE_CHECKING:
    from inspector.auth.login import Person
    from inspector.session.eras.by_hand import Stage
    from inspector.session.handshake import Handshake
    from inspector.transports.base import Credentials
    from inspector.workspace.authorization import Authorization
    from inspector.workspace.longtasks import LongTasks
    from inspector.workspace.message_log import MessageLog
    from inspector.workspace.rereading import Rereading
    from inspector.workspace.skill_shelf import SkillShelf
    from inspector.workspace.subscriptions import Subscriptions
    from inspector.workspace.told import Told
    from inspector.workspace.tool_calls import ToolCalls


class Log(Observer, Protocol):
    """What a connection writes its traffic to."""

    def facts(self, **changes: Any) -> None:
        """What became known about the session."""
        ...


class Book(Protocol):
    """Where all traffic goes: `traffic.store.Traffic`, or `traffic.unkept.Unkept`."""

    def session(self, label: str, **facts: Any) -> Log: ...

    def withhold(self, cleaned: Callable[[bytes], bytes]) -> None: ...

    def close(self) -> None: ...


class Connection:
    """A named server and what is known of it now. Every start is one task that opens and closes all it uses.

    `changed` is called, on the loop, whenever something that a view shows is different. Texts of `error`, stderr
    and listings are the server's: foreign, and possibly with secrets in them.
    """

    def __init__(
        self,
        entry: Entry,
        *,
        book: Book,
        secrets: Secrets,
        starts: Starts,
        options: Options,
        environment: Mapping[str, str],
        changed: Callable[[], None],
        lists: bool = True,
        listens: bool = False,
    ) -> None:
        self.entry = entry
        self.name = entry.name
        self.options = options
        self.state: State = "queued" if entry.enabled else "disabled"
        self.error: Failure | None = None
        self.server: Server | None = None
        self.session: Session | None = None
        self.catalog: Catalog | None = None
        self.log: Log | None = None
        self.steps = Steps()
        self.stderr = StderrTail(options.stderr_lines)
        self.restarts = 0
        self.closed: Closed | None = None
        self.state_since = time.monotonic()
        self.list_changes = ListChanges()
        self.inbox = Inbox(
            options.responder, None if options.roots is None else tuple(map(Root, options.roots))
        )
        self.inbox.changed = changed
        self._book = book
        self._secrets = secrets
        self._starts = starts
        self._environment = environment
        self._changed = changed
        self._lists = lists
        self._listens = listens
        self._last_output = 0.0
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._settled = asyncio.Event()
        self._asked = False
        self._stood = 0.0
        self._era = RememberedEra(secrets)
        self.keeping = Keeping(self._start_again, changed)
        self.tool_calls: ToolCalls | None = None
        self.identity: Identity | None = None
        """Who we say that we are to this server from its next start on; None where that is said for all."""
        self.by_hand = False
        """The handshake is left to the person."""
        self.ungated = False
        """What the server did not declare is asked for all the same."""
        self.approver = ""
        """Who allows calls of tools of this server; empty where nothing else is said than of all."""
        self.waiting: Entry | None = None
        """What its config file says by now, where that is something else; counts from `take_waiting` on."""
        self.gone = False
        """Its config file does not name it any more."""
        self.elsewhere: set[str] = set()
        """Origins that the server may send us to, beside its own; what the entry holds is not told there."""

    @cached_property
    def told(self) -> Told:
        """Not made before it is needed: a process can start meanwhile."""
        from inspector.workspace.told import Told

        return Told(
            self.name,
            self.request,
            lambda: self.session,
            self._changed,
            self._warn,
            listens=self._listens,
        )

    @property
    def subscriptions(self) -> Subscriptions:
        return self.told.subscriptions

    @property
    def rereading(self) -> Rereading:
        return self.told.rereading

    @property
    def messages(self) -> MessageLog:
        return self.told.messages

    @property
    def long_tasks(self) -> LongTasks:
        return self.told.long_tasks

    @cached_property
    def skills(self) -> SkillShelf:
        from inspector.workspace.skill_shelf import SkillShelf

        return SkillShelf(self.request, self._changed, self._warn)

    @cached_property
    def authorization(self) -> Authorization:
        from inspector.workspace.authorization import Authorization

        return Authorization(self.name, self._book, self._secrets, self._environment, self._changed)

    async def log_in(
        self,
        person: Person,
        refusal: Failure | None = None,
        more: Sequence[str] = (),
        patience: float | None = None,
    ) -> None:
        """Logs in, and starts it anew where it is not up. `refusal` is what a request of its session met; without it,
        what the connection ended with. `more` are scopes to be asked for beside those granted before,
        `patience` the seconds that the person has in the browser. Raises Failed."""
        server = self.server or self.entry.resolve(self._environment, files=True)
        refusal = refusal or (self.error if self.error is not None and self.error.kind == "auth" else None)
        version = self.session.version if self.session is not None else None
        await self.authorization.log_in(
            server, person, refusal, version or self.options.protocol, more, patience
        )
        if self.state != "ready":
            await self.stop()
            self.start()

    is_ours = True
    """False for a conversation of others."""
    is_tapped = False
    """True for what goes on between a client and a server of others (`workspace.tapped`)."""
    is_served = False
    """True for what the app itself serves to clients (`workspace.serving`)."""

    @property
    def served_at(self) -> str:
        """Where clients reach what is served; empty where nothing is."""
        return ""

    @property
    def guests(self) -> int:
        """How many clients are there of what is served."""
        return 0

    @property
    def transport(self) -> str:
        """`stdio`, `http` or `sse` of a connection; before that, what the config says."""
        if self.session is not None:
            return self.session.transport.kind
        return self.server.transport if self.server is not None else self.entry.transport

    @property
    def handshake(self) -> Handshake | None:
        """How the conversation of now, or the last one, was opened; None where it was not."""
        return self.session.handshake if self.session is not None else None

    @property
    def facts(self) -> ProcessFacts | None:
        """Of the process that runs now, or ran last; None over HTTP."""
        return getattr(self.session.transport, "facts", None) if self.session is not None else None

    @property
    def unwritten(self) -> tuple[int, int]:
        """Messages and bytes that wait to be written to a process that does not read."""
        return getattr(self.session.transport, "unwritten", (0, 0)) if self.session is not None else (0, 0)

    @property
    def environment(self) -> Mapping[str, str]:
        """What variables are read from."""
        return self._environment

    def learn(self, value: str, name: str) -> None:
        """A secret value, and the variable that it comes from: it is masked from now on."""
        self._secrets.add(value, name)

    @property
    def uptime(self) -> float | None:
        """Seconds since it became ready; None where it is not."""
        ready = self.session.ready_at if self.session is not None and self.state == "ready" else None
        return time.monotonic() - ready if ready is not None else None

    def offers(self, capability: str) -> bool:
        """Whether the server may be asked for what belongs to a capability; none before the handshake."""
        handshake = self.handshake
        return handshake is not None and (self.ungated or capability in handshake.capabilities)

    def count(self, kind: ListKind) -> int | None:
        """How many entries a list has; None where it was not declared, not read yet, or refused."""
        listing = self.catalog.listings.get(kind) if self.catalog is not None else None
        return None if listing is None or listing.failure is not None else len(listing.entries)

    def _listed(self, kind: ListKind) -> None:
        if self.catalog is not None:
            self.list_changes.took(kind, self.catalog.listings[kind])
        self._changed()

    @property
    def round_trips(self) -> Sequence[float]:
        """Seconds that the latest answers of this session took, oldest first; bounded."""
        return self.session.dispatcher.round_trips if self.session is not None else ()

    @property
    def stage(self) -> Stage:
        """How far a handshake by hand has come."""
        return getattr(self.session.era, "stage", "new") if self.session is not None else "new"

    @property
    def is_open(self) -> bool:
        """Whether requests can be sent."""
        return self.session is not None and self.state in ("open", "ready")

    def start(self, *, by_hand: bool = False) -> None:
        """Begins a connection in the background; does nothing where one is under way or up."""
        if self._task is not None and not self._task.done():
            return
        self.by_hand = by_hand
        self.keeping.rest()
        self._begin()

    def _start_again(self) -> None:
        if self._task is None or self._task.done():
            self.restarts += 1
            self._begin()

    def _begin(self) -> None:
        self._stop.clear()
        self._settled.clear()
        self._asked, self._stood = False, 0.0
        self._task = tasks.spawn(self._run(), f"connection {self.name}")
        self._task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        if not self._asked and not task.cancelled() and self.error is not None:
            self.keeping.ended(self.error, self._stood)

    def keep(self, on: bool) -> None:
        """Keeps it connected from now on, or no longer. One that is down because of an error gets its first try."""
        self.keeping.switch(on)
        if (
            on
            and self.state == "error"
            and self.error is not None
            and (self._task is None or self._task.done())
        ):
            self.keeping.ended(self.error, 0.0)

    def refuse(self, failure: Failure) -> None:
        """It may not be started for now: state `disabled`, with the reason."""
        self.error = failure
        self._enter("disabled")

    async def settled(self) -> None:
        """Waits until the start has come to an end: ready with its lists, failed, or disabled."""
        if self._task is not None:
            await self._settled.wait()

    async def stop(self, *, disable: bool = False) -> None:
        """Ends the connection, in every state, within the bounds of its transport."""
        self._asked = True
        self.keeping.rest()
        self._stop.set()
        task = self._task
        if task is not None and not task.done():
            if not self._settled.is_set():
                task.cancel()
            await asyncio.wait({task})
        if disable:
            self._enter("disabled")

    def take_waiting(self) -> None:
        """From now on what its config file says counts; nothing happens where that is what counts already."""
        if self.waiting is not None:
            self.waiting.answers = self.entry.answers
            self.entry, self.waiting = self.waiting, None
            self._changed()

    async def restart(self, *, by_hand: bool = False) -> None:
        """Ends what runs and begins again, with variables read afresh."""
        began = self.session is not None
        await self.stop()
        if began:
            self.restarts += 1
        self.start(by_hand=by_hand)

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        timeout: float | None = None,
        max_time: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        started: Callable[[Pending], None] | None = None,
        approver: str = "",
        written: Written | None = None,
    ) -> Answer:
        """Any request. Raises Failed where no answer came; where it is down, with the reason for that. `approver` is
        who has allowed a call of a tool; else that is asked first, and Failed (consent) where it is refused. `written`
        are headers for this one alone."""
        if self.session is None or not self.is_open:
            raise Failed(self._down())
        session = self.session

        async def ask() -> Answer:
            return await session.request(
                method,
                params,
                timeout=timeout,
                max_time=max_time,
                on_progress=on_progress,
                started=started,
                written=written,
            )

        if method == "tools/call" and self.tool_calls is not None:
            return await self.tool_calls.send(self, params or {}, approver, ask)
        return await ask()

    def notify(
        self, method: str, params: dict[str, Any] | None = None, written: Written | None = None
    ) -> int:
        """Any notification; gives the row that it is in the traffic. Raises Failed where it did not go out."""
        if self.session is None or not self.is_open:
            raise Failed(self._down())
        return self.session.notify(method, params, written)

    async def call(self, tool: str, arguments: Any, **clocks: Any) -> Answer:
        """`tools/call`, numbers spelled as they were typed; see `request`."""
        params = {"name": tool, "arguments": verbatim(arguments)}
        return await self.request("tools/call", params, **clocks)

    def _down(self) -> Failure:
        """Why nothing can be sent."""
        state = "starting" if self.state in ("queued", "starting") else "not connected"
        said = f"{self.name} is {state}; nothing was sent"
        if self.error is None:
            return Failure(kind="stream", message=said, hint="call again when it is ready")
        return replace(
            self.error, message=f"{said}. {self.error.message}", hint=self.error.hint or "start it again"
        )

    def kill_now(self) -> None:
        """Ends the process tree without the loop's help: our own process is about to end."""
        if (
            self.session is not None
            and (kill := getattr(self.session.transport, "kill_now", None)) is not None
        ):
            kill()

    async def _run(self) -> None:
        self.error = None
        self.closed = None
        self.steps = Steps()
        self._enter("queued")
        try:
            await self._connect()
            self._settled.set()
            await self._stop.wait()
        except Failed as failed:
            self.error = failed.failure
        except asyncio.CancelledError:
            if not self._stop.is_set():
                raise
            self.error = Failure(kind="cancelled", message="the start was cancelled", hint="start it again")
        except Exception as error:
            # A fault of ours is reported, and costs only this server.
            self.error = crash.failure(f"connection {self.name}", error)
            raise
        finally:
            # The outcome is told before the closing, which may take the server its three seconds.
            self._stood = self.uptime or 0.0
            if self.error is not None:
                self.steps.stop(self.error.message)
            self._enter("error" if self.error is not None else "disabled")
            self._settled.set()
            await self._close()
            self._changed()

    async def _connect(self) -> None:
        step = self.steps.begin("resolve")
        server = self.entry.resolve(self._environment, files=True)
        self.server = server
        server.teach(self._secrets)
        if server.failure is not None:
            raise Failed(server.failure)
        if (helper := self.entry.headers_helper) is not None:
            from inspector.workspace.headers_helper import add_headers

            await add_headers(server, helper, self._environment)
            server.teach(self._secrets)
        step.end(server.command or server.url or "ok")
        if server.transport == "stdio":
            async with self._starts.place(lambda: self._last_output):
                await self._converse(server)
        else:
            await self._converse(server)

    async def _converse(self, server: Server) -> None:
        self._enter("starting")
        self.log = log = self._book.session(self.name, **facts_of(server))
        options = self.options
        if self.identity is not None:
            options = replace(options, identity=self.identity)
        if server.connect_timeout is not None:
            options = replace(options, connect_timeout=server.connect_timeout)
        if server.request_timeout is not None:
            options = replace(options, timeout=server.request_timeout)
        if server.protocol is not None and options.protocol_by_entry:
            options = replace(options, protocol=server.protocol)
        session = Session(
            lambda listener: pipe_to(
                server,
                self._environment,
                log,
                listener,
                self.stderr,
                self._active,
                self._leaves,
                self._credentials(server, log),
            ),
            options,
            steps=self.steps,
            inbox=self.inbox,
            notified=self._notified,
            changed=self._changed,
            ended=self._ended,
            renewed=self._renewed,
            remembered=self._era.recalled(server, options),
        )
        self.session, self.ungated = session, False
        self.catalog = Catalog(session, self._listed)
        if server.insecure and (server.url or "").lower().startswith("https:"):
            session.warnings.append("the certificate of the server is NOT checked (insecure)")
        if self.by_hand:
            await session.connect(by_hand=True)
            self._enter("open")
            return
        await self._era.connect(server, session)
        self._agreed(session)
        self._enter("ready")
        await self.told.begin(session, lists=self._lists)
        if self._lists:
            await self.catalog.load()
            self._changed()
        self.told.ask_again(lambda: self.state == "ready")

    @asynccontextmanager
    async def beside(self, protocol: str, label: str | None = None) -> AsyncIterator[Session]:
        """A second session with this server, in a process and with traffic of its own, ended with the block; `label` is
        what the traffic calls it. What the server asks in it is nobody's to answer but by rule. Raises Failed."""
        server = self.server
        if server is None or self.session is None:
            raise Failed(self.error or Failure(kind="stream", message=f"{self.name} is not connected"))
        log = self._book.session(label or f"{self.name} ({protocol})", **facts_of(server))
        tail = StderrTail(self.options.stderr_lines)
        session = Session(
            lambda listener: pipe_to(
                server,
                self._environment,
                log,
                listener,
                tail,
                leaves=self._leaves,
                credentials=self._credentials(server, log),
            ),
            replace(self.session.options, protocol=protocol),
            inbox=Inbox(self.inbox.responder, self.inbox.roots),
        )
        try:
            await session.connect()
            yield session
        finally:
            await session.close()

    def _warn(self, text: str) -> None:
        if self.session is not None and text not in self.session.warnings:
            self.session.warnings.append(text)
            self._changed()

    def _credentials(self, server: Server, log: Log) -> Credentials | None:
        return None if server.transport == "stdio" else self.authorization.credentials(server, log)

    def _leaves(self, origin: str) -> bool:
        return self.options.leaves or origin in self.elsewhere

    def _active(self) -> None:
        self._last_output = asyncio.get_running_loop().time()

    def _notified(self, message: Message) -> None:
        # Who only calls reads no list that the call does not need.
        if not self.told.take(message) and self.catalog is not None and self.state == "ready" and self._lists:
            self.catalog.notified(message.method)

    def _agreed(self, session: Session) -> None:
        if self.log is not None and session.handshake is not None:
            self.log.facts(
                transport=session.transport.kind,
                protocolVersion=session.handshake.version,
                serverInfo=session.handshake.server_info,
            )

    def _renewed(self) -> None:
        """The server may be another one than before, as after its update."""
        if self.session is not None:
            self._agreed(self.session)
        if self.state == "open":
            self._enter("ready")
        if self.catalog is not None and self._lists:
            self.catalog.renewed()
        self.told.ask_again(lambda: self.state == "ready")

    def _ended(self, failure: Failure) -> None:
        if self.is_open:
            self.error = failure
            self._stop.set()

    async def _close(self) -> None:
        await self.told.close()
        if self.catalog is not None:
            await self.catalog.close()
        if self.session is not None:
            self.closed = await self.session.close()

    def _enter(self, state: State) -> None:
        self.state = state
        self.state_since = time.monotonic()
        self._changed()
