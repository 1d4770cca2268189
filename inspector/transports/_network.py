"""Connections for the HTTP library, straight on the event loop: the ones it brings cost a third of a call, in scopes
and clocks that are not used here."""

from __future__ import annotations

import asyncio
import select
import ssl
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from httpcore import AsyncNetworkBackend, AsyncNetworkStream, ConnectError, ReadError, RemoteProtocolError

_NEVER = 1e9
_MOST_UNREAD = 1024 * 1024
"""Bytes that may wait to be read; while there are more, the socket is left alone."""
heard: ContextVar[Callable[[int], None] | None] = ContextVar("heard", default=None)
"""Told the number of bytes of each read, by the task that reads."""
_STATUS_LINE = b"HTTP/"


class NoHttp(RemoteProtocolError):
    """An HTTP request was answered with something else, which begins with `head`."""

    def __init__(self, head: bytes) -> None:
        super().__init__("no HTTP")
        self.head = head


class Network(AsyncNetworkBackend):
    """Opens connections. No clocks: whoever waits has one. `connecting` and `securing` count the connections that are
    not open yet, and that are and wait for the TLS handshake."""

    def __init__(self) -> None:
        self.connecting = 0
        self.securing = 0

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> AsyncNetworkStream:
        """Raises ConnectError."""
        loop = asyncio.get_running_loop()
        self.connecting += 1
        try:
            opened = loop.create_connection(lambda: _Stream(self), host, port, happy_eyeballs_delay=0.25)
            return (await opened)[1]
        except OSError as error:
            raise ConnectError(str(error)) from error
        finally:
            self.connecting -= 1


class _Stream(asyncio.Protocol, AsyncNetworkStream):
    """One connection. What is written goes out when an answer is waited for: head and body of a request in one piece,
    which wakes the server once."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._transport: asyncio.Transport
        self._unsent: list[bytes] = []
        self._unread = bytearray()
        self._news: asyncio.Future[None] | None = None
        self._ended = False
        self._broken: Exception | None = None
        self._wrote = False
        self._unproven = b""
        """What must come next, where an HTTP request went out and its answer has not shown yet that it is HTTP."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if len(self._unread) > _MOST_UNREAD:
            self._transport.pause_reading()
        self._tell()

    def eof_received(self) -> None:
        self._ended = True
        self._tell()

    def connection_lost(self, error: Exception | None) -> None:
        self._ended, self._broken = True, error
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Raises ReadError; NoHttp at the first bytes of a connection, where they are none of HTTP."""
        if self._unsent:
            self._transport.write(b"".join(self._unsent))
            self._unsent.clear()
        while not self._unread and not self._ended:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        if not self._unread and self._broken is not None:
            raise ReadError(str(self._broken)) from self._broken
        if self._unproven and self._unread:
            head = bytes(self._unread[:64])
            if not head.startswith(self._unproven[: len(head)]):
                raise NoHttp(_STATUS_LINE[: -len(self._unproven)] + head)
            self._unproven = self._unproven[len(head) :]
        data = bytes(self._unread[:max_bytes])
        if told := heard.get():
            told(len(data))
        del self._unread[:max_bytes]
        if len(self._unread) <= _MOST_UNREAD:
            self._transport.resume_reading()
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not self._wrote:
            # Not so for SOCKS, whose first byte is a number.
            self._wrote, self._unproven = True, _STATUS_LINE if buffer[:1].isalpha() else b""
        self._unsent.append(buffer)

    async def aclose(self) -> None:
        self._transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> AsyncNetworkStream:
        """Raises ConnectError, whose cause is always an SSLError."""
        loop = asyncio.get_running_loop()
        self._network.securing += 1
        try:
            transport = await loop.start_tls(
                self._transport,
                self,
                ssl_context,
                server_hostname=server_hostname,
                ssl_handshake_timeout=_NEVER,
            )
        except BaseException as error:
            self._transport.abort()
            try:
                if isinstance(error, OSError) and not isinstance(error, ssl.SSLError):
                    raise ssl.SSLError(1, "the server ended the handshake") from error
                raise
            except ssl.SSLError as failed:
                raise ConnectError(str(failed)) from failed
        finally:
            self._network.securing -= 1
        assert transport is not None
        self._transport = transport
        return self

    def get_extra_info(self, info: str) -> Any:
        """`is_readable` is true where there is nothing to be waited for: the other side has ended an idle connection,
        also where the loop has not heard of it yet."""
        if info != "is_readable":
            return self._transport.get_extra_info(info)
        socket = self._transport.get_extra_info("socket")
        number = -1 if socket is None else socket.fileno()
        if self._ended or self._unread or number < 0:
            return True
        if not hasattr(select, "poll"):
            return bool(select.select([number], [], [], 0)[0])
        poll = select.poll()
        poll.register(number, select.POLLIN)
        return bool(poll.poll(0))
