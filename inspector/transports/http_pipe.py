"""What both HTTP transports do alike: requests one by one with their exchanges, redirects, bodies, event streams."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

from inspector.base import tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.text import bytes_size, quoted
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.transports import _http
from inspector.transports.base import NO_HEADERS, Closed, Credentials, Listener, Observer, Silence, Written
from inspector.transports.http_body import EVENT_STREAM, body_of, content_type, whole_body
from inspector.transports.http_sender import HttpSender
from inspector.transports.instead import Instead
from inspector.transports.network_failures import NO_TLS, network_failure
from inspector.transports.sse import Event, EventStream

_PROBED, _PROBED_BODY = 5.0, 1 << 20
"""Seconds, and bytes of a body, after which a probe has seen enough."""


class HttpPipe(ABC):
    """Moves frames by POST. Clocks are the caller's: nothing here times out by itself but the closing."""

    kind = "http"
    legacy_only = False

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        observer: Observer,
        listener: Listener,
        insecure: bool = False,
        ca: str | None = None,
        leaves: Callable[[str], bool] = lambda origin: False,
        credentials: Credentials | None = None,
    ) -> None:
        """`headers`, `leaves` and `credentials` are those of `HttpSender`."""
        self.url = url
        self._observer = observer
        self._listener = listener
        self._sender = HttpSender(
            url, headers, observer, insecure=insecure, ca=ca, leaves=leaves, credentials=credentials
        )
        self._posts: dict[Id, asyncio.Task[None]] = {}
        self._quiet_posts: set[asyncio.Task[None]] = set()
        self._owners: dict[int, Id] = {}
        self._statuses: dict[int, int] = {}
        self._phases: dict[Id, str] = {}
        self._came: dict[int, int] = {}
        self._heads: dict[Id, int] = {}
        self._instead: dict[int, Instead] = {}
        self._unused = ""
        """The last event of a name that means nothing to us, as a clause."""
        self._stream: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Prepares the client. Raises Failed: config, tls, proxy."""
        await self._sender.open()
        self._closing = False

    def describe(self) -> str:
        """What opening came to, for people."""
        return self._sender.describe()

    def send(
        self,
        raw: bytes,
        *,
        id: Id | None = None,
        method: str | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> int:
        if not self._sender.is_open or self._closing:
            raise fail("stream", "the connection is closed", "connect again")
        written = headers if isinstance(headers, Written) else None
        due = {**self._post_headers(), **({} if written else headers)}
        request = self._sender.request("POST", self._target(), due, raw, written)
        exchange = self._sender.begin(request)
        row = self._observer.sent(raw, exchange)
        task = tasks.spawn(self._post(exchange, request, id, method, row), f"POST {method or 'answer'}")
        if id is None:
            self._quiet_posts.add(task)
            task.add_done_callback(self._quiet_posts.discard)
        else:
            self._posts[id] = task
            self._owners[exchange] = id
        return row

    async def probe(self, verb: str, raw: bytes, headers: Mapping[str, str | None]) -> None:
        """One exchange as no client has it, for who wants to see how the server takes it: `headers` differ from those
        that are due, None leaves one out. What comes back stands in the traffic, and nobody else is told of it. A
        stream is read up to its first answer."""
        if not self._sender.is_open or self._closing:
            return
        due = {**self._post_headers(), **headers}
        kept = {name: value for name, value in due.items() if value is not None}
        request = self._sender.request(verb, self._target(), kept, raw or None)
        exchange = self._sender.begin(request)
        if raw:
            self._observer.sent(raw, exchange)
        with suppress(TimeoutError):
            async with asyncio.timeout(_PROBED):
                await self._exchange(exchange, request, partial(self._look, exchange))

    async def _look(self, exchange: int, response: _http.Response) -> None:
        if content_type(response) == EVENT_STREAM:
            async for event in self._events(exchange, response):
                if event.data:
                    self._observer.received([event.data], exchange)
                    if jsonrpc.read(event.data).is_answer:
                        return
            return
        body = await self._body(exchange, response, _PROBED_BODY)
        if body and jsonrpc.read(body).kind != "invalid":
            self._observer.received([body], exchange)
        elif body:
            self._observer.http_body(exchange, body)

    def due_headers(self) -> Mapping[str, str]:
        return self._post_headers()

    def _target(self) -> str:
        """Where frames are posted."""
        return self.url

    @abstractmethod
    def _post_headers(self) -> dict[str, str]: ...

    @abstractmethod
    async def _take(
        self, exchange: int, response: _http.Response, id_: Id | None, method: str | None
    ) -> Failure | None:
        """Reads what came back for a POST and delivers its frames. Returns why the request can be answered no more;
        None where it was, or may still be."""

    async def _afterwards(self, id_: Id, exchange: int, failure: Failure | None) -> Failure | None:
        """The exchange of a request has ended, with this; returns what the request ends with."""
        return failure

    @abstractmethod
    def abandon(self, id: Id) -> None:
        """The caller no longer waits for this request."""

    @abstractmethod
    def negotiated(self, version: str) -> None:
        """The handshake settled on this version."""

    def may_go_another_way(self, failure: Failure) -> bool:
        return False

    async def go_another_way(self, failure: Failure) -> str:
        raise Failed(failure)

    async def ready(self) -> str | None:
        return None

    def may_renew(self) -> bool:
        return False

    @abstractmethod
    async def renew(self) -> None:
        """Forgets the session. Raises Failed."""

    def owner_of(self, exchange: int) -> Id | None:
        return self._owners.get(exchange)

    def status_of(self, exchange: int) -> int | None:
        return self._statuses.get(exchange)

    def explain_silence(self) -> Silence | None:
        connecting, securing = self._sender.reaching()
        if connecting or securing:
            where = urlsplit(self._target()).netloc.rpartition("@")[2]
            if securing:
                return Silence(f"{where} is connected, but does not answer the TLS handshake", NO_TLS, "tls")
            return Silence(
                f"{where} does not answer the attempt to connect",
                "check host and port; a firewall may drop what is sent there",
            )
        return self._explain_wait()

    def _explain_wait(self) -> Silence | None:
        if not self._phases:
            return None
        id_, told = list(self._phases.items())[-1]
        if came := next(reversed(self._came.values()), 0):
            told = f"{told}; {bytes_size(came)} of the body came so far, and no whole answer in it"
        elif came := self._heads.get(id_, 0):
            told = f"{told}; {bytes_size(came)} of it came so far"
        return Silence(f"POST {self._target()}: {told}")

    def stderr_tail(self) -> tuple[str, ...]:
        return ()

    async def close(self) -> Closed:
        """Says goodbye (best effort), then ends every open exchange."""
        if not self._sender.is_open or self._closing:
            return Closed("never opened" if not self._sender.is_open else "closed already")
        self._closing = True
        how = await self._goodbye()
        await tasks.cancel(self._stream, *self._posts.values(), *self._quiet_posts)
        await self._sender.close()
        return Closed(how)

    async def _goodbye(self) -> str:
        return "closed"

    async def _post(
        self, exchange: int, request: _http.Request, id_: Id | None, method: str | None, row: int
    ) -> None:
        async def take(response: _http.Response) -> Failure | None:
            if id_ is not None:
                self._phases[id_] = f"HTTP {response.status_code} came, then nothing more"
                self._heads.pop(id_, None)
                self._came[exchange] = 0
                self._statuses[exchange] = response.status_code
            return await self._take(exchange, response, id_, method)

        failure: Failure | None = None
        try:
            if id_ is not None:
                self._phases[id_] = "sent; waiting for the head of the answer"
                self._heads[id_] = 0
                _http.heard.set(partial(self._hear, id_))
            failure = await self._exchange(exchange, request, take)
            if id_ is not None:
                failure = await self._afterwards(id_, exchange, failure)
        finally:
            if id_ is not None:
                self._phases.pop(id_, None)
                self._heads.pop(id_, None)
                self._posts.pop(id_, None)
                self._owners.pop(exchange, None)
                self._statuses.pop(exchange, None)
                self._came.pop(exchange, None)
                self._instead.pop(exchange, None)
        if failure is None:
            return
        if id_ is None:
            self._observer.system(f"{method or 'an answer'} was refused: {failure.message}")
            self._listener.unsent(row, failure)
            return
        if self._listener.waiting(id_):
            self._observer.system(f"no answer to {method or 'a request'}: {failure.message}")
        self._listener.undelivered(id_, failure)

    async def _exchange(
        self,
        exchange: int,
        request: _http.Request,
        take: Callable[[_http.Response], Awaitable[Failure | None]],
    ) -> Failure | None:
        """One request from its sending to its end, told to the observer. Returns what `take` said, or what broke."""
        failure: Failure | None = None
        url = str(request.url)
        try:
            response = await self._sender.send(exchange, request)
            url = str(response.request.url)
            try:
                failure = await take(response)
            finally:
                await response.aclose()
            self._observer.http_end(exchange, "complete")
        except asyncio.CancelledError:
            self._observer.http_end(exchange, "closed by us")
            raise
        except Failed as failed:
            failure = failed.failure
            self._observer.http_end(exchange, failure.message)
        except Exception as error:
            failure = network_failure(url, error, "in the middle of the answer")
            self._observer.http_end(exchange, failure.message)
        return failure

    async def _body(self, exchange: int, response: _http.Response, cap: int) -> bytes:
        """`whole_body`, counted meanwhile."""
        return await whole_body(response, cap, lambda part: self._count(exchange, part))

    async def _events(self, exchange: int, response: _http.Response) -> AsyncIterator[Event]:
        """The events of a stream that could be meant for us; everything else of it is only told."""
        stream = EventStream()
        async for chunk in body_of(response):
            self._count(exchange, chunk)
            for part in stream.feed(chunk):
                if not isinstance(part, Event):
                    self._observer.http_event(exchange, part.field, part.value)
                    if part.field == "oversized":
                        self._over_the_cap(exchange, part.value)
                    continue
                if part.id is not None:
                    self._observer.http_event(exchange, "id", part.id)
                if part.retry is not None:
                    self._observer.http_event(exchange, "retry", str(part.retry))
                if instead := self._instead.get(exchange):
                    instead.came(part)
                yield part
        if rest := stream.rest():
            self._observer.http_body(exchange, rest)
            if instead := self._instead.get(exchange):
                instead.ended(rest)

    def _count(self, exchange: int, chunk: bytes) -> None:
        if exchange in self._came:
            self._came[exchange] += len(chunk)

    def _hear(self, id_: Id, count: int) -> None:
        if id_ in self._heads:
            self._heads[id_] += count

    def _over_the_cap(self, exchange: int, told: str) -> None:
        """Gives up what the event would have answered; a stream of none is read on behind it. Raises Failed."""
        if exchange in self._owners:
            raise fail("protocol", told, "ask for less at once")
        self._observer.system(told)

    def _message(self, exchange: int, event: Event) -> None:
        """Delivers an event that holds a frame, and tells of one that holds none."""
        if not event.data:
            return
        if event.event == "message" or (
            event.event == "error" and jsonrpc.read(event.data).kind != "invalid"
        ):
            self._deliver(exchange, event.data)
        else:
            said = event.data.decode("utf-8", "replace")
            self._observer.http_event(exchange, f"event {event.event}", said)
            self._unused = f"; an event {quoted(event.event, 40)} came: {quoted(said, 80)}"

    def _deliver(self, exchange: int, raw: bytes) -> None:
        row = self._observer.received([raw], exchange)
        self._listener.frame(raw, row, exchange)
