"""HTTP+SSE (spec: 2024-11-05, basic/transports): frames go out by POST, all that comes back comes on one GET stream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin, urlsplit

from inspector.base import tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.text import clip, quoted
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.transports import _http
from inspector.transports.base import Silence
from inspector.transports.framing import FRAME_CAP
from inspector.transports.http_body import EVENT_STREAM, content_type
from inspector.transports.http_failures import (
    LEAVES,
    excerpt,
    origin,
    says_session_gone,
    session_gone,
    status_failure,
)
from inspector.transports.http_pipe import HttpPipe

_EXCERPT = 64 * 1024
_LASTING = 5.0
"""Seconds after which a session was worth its opening though nothing was said in it: gateways cut idle streams."""
_PREFIX_HINT = (
    "a gateway in front may cut a prefix off the path; the server should name a relative URL, or say the right path "
    "with --message-url"
)


class SseTransport(HttpPipe):
    """Open once the server has said where frames are posted. The stream is the session: when it ends, so does that,
    and a new one may be opened in its place."""

    kind = "sse"
    legacy_only = True

    def __init__(
        self, url: str, headers: Mapping[str, str], *, message_url: str | None = None, **settings: Any
    ) -> None:
        """`message_url` is where messages go in place of what the server names, though with the query of that, which
        says for which session; it may be relative. `settings` are those of `HttpPipe`."""
        super().__init__(url, headers, **settings)
        self._message_url = message_url
        self.endpoint: str | None = None
        self._heard = "sent; waiting for the head of the answer"
        self._agreed = False
        self._renewed = False
        self._of_use = False
        self._opened = 0.0

    async def open(self) -> None:
        """Opens the stream and waits for its endpoint event, for as long as the caller does. Raises Failed."""
        await super().open()
        if self._message_url is not None:
            self._check_message_url(self._message_url)
        await self._open_stream()

    def _check_message_url(self, message_url: str) -> None:
        try:
            same = origin(urljoin(self.url, message_url)) == origin(self.url)
        except ValueError:
            same = False
        if not same:
            raise fail(
                "config",
                f"the message URL {message_url} does not lead to the origin of {self.url}",
                "give a path, as in --message-url /gw/messages",
            )

    async def _open_stream(self) -> None:
        named: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._opened = time.monotonic()
        self._stream = tasks.spawn(self._listen(named), "GET stream")
        await named

    def abandon(self, id: Id) -> None:
        """Nothing to release: answers come on the one stream for all."""

    def negotiated(self, version: str) -> None:
        self._agreed = True

    def may_renew(self) -> bool:
        """Once; and again only where the session before brought more than its handshake, or stood for a while."""
        stood = self._of_use or time.monotonic() - self._opened > _LASTING
        return self._agreed and (stood or not self._renewed)

    async def renew(self) -> None:
        """Leaves the stream, if it is still there, for a new one. Raises Failed."""
        self._observer.system("the session is gone; a new one is opened")
        await tasks.cancel(self._stream)
        self.endpoint = None
        self._agreed = self._of_use = False
        self._renewed = True
        await self._open_stream()

    @property
    def opening(self) -> bool:
        """The stream was asked for, and has not named an endpoint yet."""
        return self._stream is not None and self.endpoint is None

    def describe(self) -> str:
        told = super().describe()
        return f"messages go to {self.endpoint}" + (f", {told}" if told != "ok" else "")

    def _explain_wait(self) -> Silence | None:
        if self.endpoint is None:
            return Silence(f"GET {self.url}: {self._heard}{self._unused}")
        told = super()._explain_wait()
        return told or Silence(
            f"{self.endpoint} took what was posted, but no answer came on the event stream{self._unused}"
        )

    def _target(self) -> str:
        return self.endpoint or self.url

    def _post_headers(self) -> dict[str, str]:
        return {"Content-Type": "application/json"}

    async def _take(
        self, exchange: int, response: _http.Response, id_: Id | None, method: str | None
    ) -> Failure | None:
        """Any 2xx says that the frame has arrived; its answer comes on the stream. Some servers put it into the body
        all the same."""
        if response.is_success:
            body = await self._body(exchange, response, FRAME_CAP)
            if id_ is not None and body and jsonrpc.read(body).is_answer:
                self._observer.system("an answer came in the body of a POST, not on the stream")
                self._deliver(exchange, body)
            elif body:
                self._observer.http_body(exchange, body)
            return None
        try:
            body = await self._body(exchange, response, _EXCERPT)
        except Failed:
            body = b""
        if self._agreed and says_session_gone(response.status_code, body):
            self._observer.http_body(exchange, body)
            return session_gone(response.status_code)
        if body and jsonrpc.read(body).is_answer:
            self._deliver(exchange, body)
        elif body:
            self._observer.http_body(exchange, body)
        headers = {name.lower(): value for name, value in response.headers.items()}
        status = response.status_code
        asked = response.request
        failure = status_failure(
            "POST", str(asked.url), status, headers, body, asked.headers, logs_in=self._sender.logs_in
        )
        if failure.kind != "http":
            return failure
        return replace(
            failure,
            message=f"{failure.message}; that is where the endpoint event of {self.url} said messages go",
            hint=_PREFIX_HINT if status in (404, 405) and method == "initialize" else failure.hint,
        )

    async def _listen(self, named: asyncio.Future[str]) -> None:
        request = self._sender.request("GET", self.url, {"Accept": EVENT_STREAM, "Cache-Control": "no-store"})
        exchange = self._sender.begin(request)

        async def take(response: _http.Response) -> Failure | None:
            self._heard = f"HTTP {response.status_code} came, then nothing more"
            if not response.is_success or content_type(response) != EVENT_STREAM:
                return await self._no_stream(exchange, response)
            self._heard = (
                "the event stream is open, but no endpoint event came, which says where messages are posted"
            )
            async for event in self._events(exchange, response):
                if event.event == "endpoint":
                    data = (event.data or b"").decode("utf-8", "replace")
                    self._observer.http_event(exchange, "event endpoint", data)
                    self._name(str(response.request.url), data, named)
                else:
                    self._of_use |= self._agreed and bool(event.data)
                    self._message(exchange, event)
            return None

        try:
            failure = await self._exchange(exchange, request, take)
        except asyncio.CancelledError:
            if not named.done():
                named.set_exception(Failed(Failure(kind="stream", message="the connection is closed")))
            raise
        if failure is None:
            what = "after the endpoint event" if named.done() else "before the endpoint event came"
            failure = Failure(
                kind="stream",
                message=f"the event stream of {self.url} ended {what}",
                hint="HTTP+SSE cannot be resumed; connect again",
            )
        elif failure.kind == "stream":
            failure = replace(failure, message=f"the event stream of {self.url} was lost: {failure.message}")
        if not named.done():
            named.set_exception(Failed(failure))
        elif not self._closing and not named.cancelled():
            self._observer.system(failure.message)
            self._listener.lost(failure)

    def _name(self, base: str, data: str, named: asyncio.Future[str]) -> None:
        """Takes an endpoint event: a URL, relative to that of the stream (RFC 3986). Raises Failed where it leads
        to another origin, which the headers of the user are not meant for."""
        shown = clip(data, 300)
        try:
            endpoint = urljoin(base, data.strip())
            if self._message_url is not None:
                query = urlsplit(endpoint).query
                endpoint = urljoin(base, self._message_url)
                endpoint += f"?{query}" if query and not urlsplit(endpoint).query else ""
            if not data.strip():
                raise ValueError("it is empty")
            place = origin(endpoint)
            _http.check(endpoint)
        except ValueError as error:
            raise fail(
                "protocol",
                f"the endpoint event of {self.url} holds no URL: {quoted(shown, 200)}",
                "the server must name where messages go, as /messages?session=1",
            ) from error
        if place != origin(base) and not self._sender.leaves(place):
            failure = Failure(
                kind="redirect",
                message=f"the endpoint event of {self.url} leads to another origin, {shown}, which is refused",
                hint="the server names a wrong address of itself, or another server; if only the path is right: "
                f"--message-url {clip(urlsplit(endpoint).path, 100)}; {LEAVES}",
            )
            raise Failed(replace(failure, data={"origin": place}))
        if not named.done():
            self.endpoint = endpoint
            named.set_result(endpoint)
        elif endpoint != self.endpoint:
            self._observer.system(f"the endpoint came again: messages go to {endpoint} from now on")
            self.endpoint = endpoint

    async def _no_stream(self, exchange: int, response: _http.Response) -> Failure:
        try:
            body = await self._body(exchange, response, _EXCERPT)
        except Failed:
            body = b""
        if body:
            self._observer.http_body(exchange, body)
        status = response.status_code
        if not response.is_success:
            headers = {name.lower(): value for name, value in response.headers.items()}
            asked = response.request
            failure = status_failure(
                "GET", str(asked.url), status, headers, body, asked.headers, logs_in=self._sender.logs_in
            )
            hint = "the path of HTTP+SSE is often /sse; newer servers speak Streamable HTTP, often at /mcp"
            return replace(failure, hint=hint) if status in (400, 404, 405, 406) else failure
        said = excerpt(body)
        what = content_type(response) or "no content type"
        return Failure(
            kind="not_mcp",
            message=f"GET {self.url} answered with {what}, not with an event stream"
            + (f": {said}" if said else ""),
            hint="is this the endpoint of HTTP+SSE? A sign-in page or a website answers like this",
            http_status=status,
        )
