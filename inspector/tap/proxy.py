"""A tap over HTTP: requests of a client go on to the server behind it, answers come back piece by piece."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from itertools import count
from typing import NamedTuple
from urllib.parse import urlsplit

from inspector.base import tasks
from inspector.base.errors import Failed
from inspector.faults.bodies import ServerEnds, spoiled
from inspector.faults.http import HttpFaults
from inspector.faults.injector import Exchange, Injector
from inspector.tap.feed import Feed
from inspector.tap.notes import Kind
from inspector.transports import _http, httpd
from inspector.transports.http_failures import origin
from inspector.transports.http_sender import client_for
from inspector.transports.httpd import Request, Response, StreamingResponse
from inspector.transports.network_failures import network_failure

_HOP_BY_HOP = frozenset({
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "expect",
})  # fmt: skip
"""What is said to the next hop only (RFC 9110, 7.6.1)."""
Pairs = list[tuple[str, str]]
LOGIN = (
    "the server wants a login, and names itself in it and not the tap: clients that compare the two refuse. "
    "Give its token with --header 'Authorization: Bearer ${TOKEN}'"
)


class Upstream(NamedTuple):
    """The server behind a tap. `headers` are added to every request, in place of those of the client."""

    url: str
    headers: Mapping[str, str]
    insecure: bool = False
    ca: str | None = None


class Proxy:
    """Handles the requests of a client. Raises Failed (tls, proxy) where no request can ever be sent."""

    def __init__(
        self,
        upstream: Upstream,
        feed: Feed,
        faults: Injector | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`say` is told once where a login will not get through."""
        self._upstream = upstream
        self._say: Callable[[str], None] | None = say
        self._parts = urlsplit(upstream.url)
        self._feed = feed
        self._faults = HttpFaults(faults) if faults is not None else None
        self._client = client_for(upstream.url, upstream.insecure, upstream.ca)
        self._numbers = count(1)
        self.here = ""
        """The URL of the tap without its path, for answers that name their own place."""
        self.ended = asyncio.Event()
        """Set by a fault that ends the server."""
        self.exit_code = 0

    async def handle(self, request: Request) -> Response | StreamingResponse:
        number = next(self._numbers)
        url = self._target(request)
        headers = self._request_headers(request)
        self._note(Kind.REQUEST, number, method=request.method, url=url, headers=headers)
        if request.body:
            self._feed.put(Kind.REQUEST_BODY, request.body, number)
        wrong, instead = (Exchange(), None) if self._faults is None else self._faults.before(request)
        if instead is not None:
            return self._answered(number, instead)
        try:
            response = await self._client.forward(request.method, url, headers, request.body)
        except asyncio.CancelledError:
            self._end(number, "closed by the client before an answer came")
            raise
        except Exception as error:
            failure = (
                error.failure
                if isinstance(error, Failed)
                else network_failure(url, error, "before an answer came")
            )
            said = f"mcp-inspect tap: {failure.message}"
            return self._answered(number, Response.text(502, said), outcome=failure.message)
        if response.status_code == 401:
            self._tell_of_login()
        answered = self._response_headers(response, wrong)
        self._note(Kind.RESPONSE, number, status=response.status_code, headers=answered)
        return StreamingResponse(
            _Body(self._body(number, request, response, wrong)), response.status_code, answered
        )

    async def close(self) -> None:
        await self._client.aclose()

    def _tell_of_login(self) -> None:
        # A rewritten name would get the client a token for the tap, which no server that looks at it may accept.
        if self._say is not None:
            self._say(LOGIN)
            self._say = None

    def _target(self, request: Request) -> str:
        """The same path there. What the URL of the server asks for in its query, a client need not know."""
        query = request.query or (self._parts.query if request.path == (self._parts.path or "/") else "")
        return f"{self._parts.scheme}://{self._parts.netloc}{request.path}{'?' + query if query else ''}"

    def _request_headers(self, request: Request) -> Pairs:
        given = {name.lower() for name in self._upstream.headers}
        kept = [
            (name, value)
            for name, value in _end_to_end(request.fields)
            if name.lower() not in given | {"host"}
        ]
        if self._faults is not None:
            # What is to be changed must be read first.
            kept = [(name, value) for name, value in kept if name.lower() != "accept-encoding"]
        place = origin(self._upstream.url)
        # A value may be of any bytes; our server reads it as Latin-1, which keeps them.
        kept = [(name, _http.as_text(value.encode("latin-1"))) for name, value in kept]
        kept = [(name, place if name.lower() == "origin" else value) for name, value in kept]
        return [("Host", self._parts.netloc.rpartition("@")[2]), *kept, *self._upstream.headers.items()]

    def _response_headers(self, response: _http.Response, wrong: Exchange) -> Pairs:
        pairs = _end_to_end(
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
        )
        if self._faults is not None:
            pairs = [(name, value) for name, value in pairs if name.lower() != "content-length"]
        if wrong.content_type is not None:
            pairs = [
                (name, wrong.content_type if name.lower() == "content-type" else value)
                for name, value in pairs
            ]
        return [
            (name, self._named_here(value) if name.lower() == "location" else value) for name, value in pairs
        ]

    def _named_here(self, url: str) -> str:
        try:
            return (
                self.here + url[len(_origin_of(url)) :] if origin(url) == origin(self._upstream.url) else url
            )
        except ValueError:
            return url

    async def _body(
        self, number: int, request: Request, response: _http.Response, wrong: Exchange
    ) -> AsyncIterator[bytes]:
        outcome = "closed by the client"
        chunks: AsyncIterator[bytes] = response.aiter_raw()
        if request.method == "GET" and "event-stream" in response.headers.get("content-type", ""):
            chunks = self._kept_here(chunks)
        if self._faults is not None:
            chunks = spoiled(chunks, self._faults.injector, wrong, response.headers.get("content-type", ""))
        try:
            async for chunk in chunks:
                if chunk:
                    self._feed.put(Kind.RESPONSE_BODY, chunk, number)
                    yield chunk
            outcome = "complete"
        except ServerEnds as end:
            outcome, self.exit_code = str(end), end.code
            self.ended.set()
            raise
        except Exception as error:
            # The client is to see what we saw: an answer that breaks off.
            outcome = network_failure(self._upstream.url, error, "in the middle of the answer").message
            raise ConnectionError(outcome) from error
        finally:
            self._end(number, outcome)
            # A task of its own: the client may be seen to leave twice, and a second cancel would leave the server
            # behind, with a stream that nobody reads.
            tasks.spawn(response.aclose(), "end of an answer")

    async def _kept_here(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The stream of HTTP+SSE, whose first event says where to post to: a whole URL of the server would lead the
        client past the tap."""
        away = re.compile(rb"(?m)^(data: ?)" + re.escape(_origin_of(self._upstream.url).encode()) + rb"(?=/)")
        first = True
        async for chunk in chunks:
            if first and b"endpoint" in chunk:
                chunk = away.sub(rb"\g<1>" + self.here.encode(), chunk)
            first = False
            yield chunk

    def _answered(self, number: int, response: Response, outcome: str = "complete") -> Response:
        self._note(Kind.RESPONSE, number, status=response.status, headers=list(response.headers))
        self._feed.put(Kind.RESPONSE_BODY, response.body, number)
        self._end(number, outcome)
        return response

    def _note(self, kind: Kind, number: int, **facts: object) -> None:
        self._feed.put(kind, json.dumps(facts).encode("utf-8", "surrogatepass"), number)

    def _end(self, number: int, outcome: str) -> None:
        self._feed.put(Kind.END, outcome.encode("utf-8", "replace"), number)


class _Body:
    """A body that is closed also where nobody began to read it, as that of a HEAD."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        self._parts = parts
        self._begun = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        self._begun = True
        return await anext(self._parts)

    async def aclose(self) -> None:
        if not self._begun:
            await anext(self._parts, None)
        await self._parts.aclose()  # type: ignore[attr-defined]


def _end_to_end(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """The headers that a proxy passes on: not what is for the next hop, nor what `Connection` names as such."""
    pairs = list(pairs)
    named = {
        word.strip().lower()
        for name, value in pairs
        if name.lower() == "connection"
        for word in value.split(",")
    }
    return [(name, value) for name, value in pairs if name.lower() not in _HOP_BY_HOP | named]


def _origin_of(url: str) -> str:
    """Scheme and place as they are spelled."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


async def listen(proxy: Proxy, port: int, told: Callable[[str], None]) -> int:
    """Passes on until SIGINT or SIGTERM comes; `told` gets the URL without a path once it can be reached. Returns the
    exit code, 130 for SIGINT. Raises OSError where the port is not to be had."""

    def ended(number: int) -> None:
        proxy.exit_code = 130 if number == signal.SIGINT else 0
        proxy.ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            asyncio.get_running_loop().add_signal_handler(number, ended, number)
        except NotImplementedError:
            pass  # Windows: the signal ends the process by itself
    tasks.watch_loop()
    try:
        async with httpd.serve(proxy.handle, port=port) as server:
            proxy.here = server.url
            told(server.url)
            await proxy.ended.wait()
    finally:
        await proxy.close()
    return proxy.exit_code
