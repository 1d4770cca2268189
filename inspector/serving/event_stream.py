"""An event stream that a client reads, and may take up again where it broke (spec 2025-11-25: transports,
resumability)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from inspector.serving.exchange import EVENTS, Exchange
from inspector.serving.wire import one_line
from inspector.transports.httpd import StreamingResponse

_KEEP_ALIVE = 15.0
_KEPT = 200
_RETRY = 1000
"""Milliseconds after which a client may come back."""


class Stream:
    """Messages as they come. `left` is told when it is read no more: True where it was read to its end. One with a
    `name` has ids in its events, and keeps the latest ones for a client that missed them."""

    def __init__(
        self,
        exchange: Exchange,
        left: Callable[[Stream, bool], None],
        name: str = "",
        *,
        listens: bool = False,
    ) -> None:
        self.name, self.listens = name, listens
        self._exchange: Exchange | None = exchange
        self._left = left
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=_KEPT if name else 0)
        self._count = 0
        self._over = False
        self._came = asyncio.Event()
        self._body: _Body | None = None

    @property
    def is_read(self) -> bool:
        return self._body is not None

    def announce(self) -> int | None:
        """The next event has its id from here on, which is told before what is in it. Gives the number of the exchange
        on which it goes out, None while nobody reads it."""
        self._count += 1
        if self._exchange is None:
            return None
        if self.name:
            self._exchange.event("id", f"{self.name}-{self._count}")
        return self._exchange.number

    def put(self, raw: bytes, event: str = "message") -> None:
        """The event that was announced."""
        self._add(b"event: %s\ndata: %s\n\n" % (event.encode(), one_line(raw)))

    def prime(self) -> None:
        """An event without a message, so that the client has an id to come back with from the beginning on."""
        self.announce()
        if self._exchange is not None:
            self._exchange.event("retry", str(_RETRY))
        self._add(b"retry: %d\ndata: \n\n" % _RETRY)

    def end(self) -> None:
        self._over = True
        self._came.set()

    def response(self, headers: Sequence[tuple[str, str]] = ()) -> StreamingResponse:
        """For whoever reads it from now on."""
        fixed = (
            ("Content-Type", EVENTS),
            ("Cache-Control", "no-cache, no-transform"),
            ("X-Accel-Buffering", "no"),
        )
        self._body = _Body(self)
        self._came.set()
        return StreamingResponse(self._body, headers=[*fixed, *headers])

    def resume(self, exchange: Exchange, after: int) -> None:
        """What came behind that event comes again, in another exchange."""
        if self._exchange is not None:
            self._exchange.ends("taken up elsewhere by the client")
        self._exchange = exchange
        again = [each for each in self._kept if each[0] > after]
        self._kept = deque((each for each in self._kept if each[0] <= after), maxlen=_KEPT)
        self._waiting.extendleft(reversed(again))

    def _add(self, event: bytes) -> None:
        id = b"id: %s-%d\n" % (self.name.encode(), self._count) if self.name else b""
        self._waiting.append((self._count, id + event))
        self._came.set()

    async def _next(self, body: _Body) -> bytes | None:
        """The next event for this reader, None where none comes any more."""
        while self._body is body:
            if self._waiting:
                event = self._waiting.popleft()
                self._kept.append(event)
                return event[1]
            if self._over:
                return None
            self._came.clear()
            try:
                async with asyncio.timeout(_KEEP_ALIVE):
                    await self._came.wait()
            except TimeoutError:
                return b": still here\n\n"
        return None

    def _closed(self, body: _Body) -> None:
        if self._body is not body:
            return
        self._body = None
        if self._exchange is not None:
            self._exchange.ends("complete" if body.whole else "closed by the client")
            self._exchange = None
        self._left(self, body.whole)


class _Body:
    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.whole = False
        """Whether it was read to its end, and not just to its last event."""

    def __aiter__(self) -> _Body:
        return self

    async def __anext__(self) -> bytes:
        event = await self._stream._next(self)
        if event is None:
            self.whole = True
            raise StopAsyncIteration
        return event

    async def aclose(self) -> None:
        self._stream._closed(self)
