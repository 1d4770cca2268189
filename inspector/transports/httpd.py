"""The one small HTTP/1.1 server of ours: loopback, keep-alive, streaming, safe against DNS rebinding.

A handler is `async (Request) -> Response | StreamingResponse`. It is cancelled when the client goes away, and
so is the iterator of a streaming body. A client that closes only its sending side counts as gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import h11

from inspector.base import tasks

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_CHUNK = 65536
_LINGER = 1.0
_REASONS = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Request:
    """One request, its body read whole. `headers` has lower-case names; repeated ones are joined by `, `. `fields` are
    the headers as they came."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""
    fields: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Response:
    status: int = 200
    body: bytes = b""
    headers: Sequence[tuple[str, str]] = ()

    @classmethod
    def text(cls, status: int, text: str, headers: Sequence[tuple[str, str]] = ()) -> Response:
        return cls(status, f"{text}\n".encode(), (("Content-Type", "text/plain; charset=utf-8"), *headers))


@dataclass(frozen=True, slots=True)
class StreamingResponse:
    """A body that is written part by part as it comes; each part is flushed. Ends when the iterator ends."""

    body: AsyncIterator[bytes]
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()


Handler: TypeAlias = Callable[[Request], Awaitable[Response | StreamingResponse]]


_WAITING = 128
"""Connections that may wait to be accepted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`body` in bytes. In seconds: `idle`, the longest wait for a request or the rest of one, and `grace`,
    that for an answer under way when the server closes."""

    body: int = 64 * 1024 * 1024
    idle: float = 120.0
    grace: float = 1.0


@dataclass(slots=True)
class Server:
    """A listening server; `port` is the real one where 0 was asked for."""

    handler: Handler
    hosts: frozenset[str]
    origins: frozenset[str]
    limits: Limits
    host: str = ""
    port: int = 0
    _listener: asyncio.Server | None = None
    _connections: dict[asyncio.Task[Any], _Connection] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    async def open(self, host: str, port: int) -> None:
        """Raises OSError where the address is not to be had."""
        # asyncio takes the backlog for the number of connections it accepts at one go, and where no more files may be
        # open it comes back that many times for each of them, without an end: so one at a go, and room to wait in.
        self._listener = await asyncio.start_server(self._accept, host, port, backlog=1)
        for bound in self._listener.sockets:
            with bound.dup() as same:
                same.listen(_WAITING)
        self.host, self.port = host, self._listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stops listening, ends idle connections at once and busy ones after the grace at the latest."""
        if self._listener is not None:
            self._listener.close()
        busy = [task for task, connection in self._connections.items() if connection.closing()]
        if busy and self.limits.grace > 0:
            await asyncio.wait(busy, timeout=self.limits.grace)
        await tasks.cancel(*self._connections)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = _Connection(self, reader, writer)
        task = tasks.spawn(connection.run(), "http connection")
        connection.task = task
        self._connections[task] = connection
        task.add_done_callback(lambda done: self._connections.pop(done, None))


@asynccontextmanager
async def serve(
    handler: Handler,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    hosts: frozenset[str] = LOOPBACK,
    origins: frozenset[str] = LOOPBACK,
    limits: Limits | None = None,
) -> AsyncIterator[Server]:
    """A server for as long as the context lasts. Raises OSError where the address is not to be had.

    `hosts` are the names that a Host header may carry, `origins` the host names that an Origin may come from.
    """
    server = Server(handler, hosts, origins, limits or Limits())
    await server.open(host, port)
    try:
        yield server
    finally:
        await server.close()


class _Connection:
    def __init__(self, server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.task: asyncio.Task[None] | None = None
        self._server = server
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_CHUNK)
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._last = False
        self._refused = False

    def closing(self) -> bool:
        """Ends the connection after the answer under way; False where there is none."""
        self._last = True
        if self._idle.is_set() and self.task is not None:
            self.task.cancel()
            return False
        return True

    async def run(self) -> None:
        pump = tasks.spawn(self._pump(), "http reader")
        try:
            while await self._exchange():
                self._http.start_next_cycle()
            if self._refused:
                # To close over input that was not read would reset the connection before the answer is seen.
                self._writer.write_eof()
                await asyncio.wait({pump}, timeout=_LINGER)
        except (ConnectionError, TimeoutError, h11.LocalProtocolError):
            pass  # the client is gone, or too slow to be waited for
        finally:
            await tasks.cancel(pump)
            self._writer.close()

    async def _pump(self) -> None:
        """Feeds the parser all the time, so that the end of the client is noticed while a handler runs."""
        ahead = 0
        while True:
            try:
                data = await self._reader.read(_CHUNK)
            except ConnectionError:
                data = b""
            if data and self._refused:
                continue
            self._http.receive_data(data)
            self._arrived.set()
            if not data:
                if not self._idle.is_set() and self.task is not None:
                    self.task.cancel()
                return
            ahead = 0 if self._idle.is_set() else ahead + len(data)
            if ahead > _CHUNK:
                await self._idle.wait()

    async def _event(self) -> Any:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                head = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(head) or b"")
            self._arrived.clear()
            async with asyncio.timeout(self._server.limits.idle):
                await self._arrived.wait()
        return event

    async def _exchange(self) -> bool:
        """One request and its answer; True where another may follow on this connection."""
        try:
            request = await self._request()
        except h11.RemoteProtocolError as error:
            self._refused = True
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                await self._send(Response.text(error.error_status_hint, f"Bad request: {error}"), close=True)
            return False
        if request is None:
            return False
        if isinstance(request, Response):
            self._refused = True
            await self._send(request, close=True)
            return False
        self._idle.clear()
        try:
            await self._send(await self._answer(request), head_only=request.method == "HEAD")
        finally:
            self._idle.set()
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE and not self._last

    async def _request(self) -> Request | Response | None:
        """The next request, an answer that refuses it, or None where the client has closed."""
        head = await self._event()
        if not isinstance(head, h11.Request):
            return None
        headers: dict[str, str] = {}
        for raw_name, raw_value in head.headers:
            name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if refusal := self._refusal(headers):
            return refusal
        parts: list[bytes] = []
        size = 0
        while isinstance(part := await self._event(), h11.Data):
            size += len(part.data)
            if size > self._server.limits.body:
                return Response.text(413, f"The body is over {self._server.limits.body} bytes")
            parts.append(bytes(part.data))
        fields = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers.raw_items()
        ]
        path, _, query = head.target.decode("latin-1").partition("?")
        return Request(head.method.decode("latin-1"), path, query, headers, b"".join(parts), fields)

    def _refusal(self, headers: Mapping[str, str]) -> Response | None:
        host = _host_name("//" + headers.get("host", ""))
        if host not in self._server.hosts:
            return Response.text(403, "This Host is not served here (protection against DNS rebinding)")
        if "origin" in headers and _host_name(headers["origin"]) not in self._server.origins:
            return Response.text(403, "This Origin is not served here (protection against DNS rebinding)")
        return None

    async def _answer(self, request: Request) -> Response | StreamingResponse:
        try:
            return await self._server.handler(request)
        except Exception as error:
            tasks.report("http handler", error)
            return Response.text(500, "The server failed on this request")

    async def _send(
        self, response: Response | StreamingResponse, *, close: bool = False, head_only: bool = False
    ) -> None:
        headers = list(response.headers)
        if isinstance(response, Response) and response.status != 204:
            headers.append(("Content-Length", str(len(response.body))))
        if close or self._last:
            headers.append(("Connection", "close"))
        reason = _REASONS.get(response.status, "")
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        head = (
            self._http.send(h11.Response(status_code=response.status, headers=encoded, reason=reason)) or b""
        )
        if isinstance(response, Response):
            if response.body and not head_only:
                head += self._http.send(h11.Data(data=response.body)) or b""
            self._writer.write(head + (self._http.send(h11.EndOfMessage()) or b""))
            await self._writer.drain()
            return
        try:
            self._writer.write(head)
            await self._writer.drain()
            if not head_only:
                async for part in response.body:
                    self._writer.write(self._http.send(h11.Data(data=part)) or b"")
                    await self._writer.drain()
            self._writer.write(self._http.send(h11.EndOfMessage()) or b"")
            await self._writer.drain()
        finally:
            end = getattr(response.body, "aclose", None)
            if end is not None:
                await end()


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
