"""The answers of a session over HTTP: JSON what is there at once, an event stream what takes time or brings
notifications."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.serving.engine import Frame, Session
from inspector.serving.wire import one_line
from inspector.transports.httpd import Response, StreamingResponse

JSON, EVENTS = "application/json", "text/event-stream"
_KEEP_ALIVE = 15.0
_BACKLOG = 1000


class Watch(Protocol):
    """Sees the frames of one client's conversation as they are on the wire."""

    def heard(self, raw: bytes) -> None: ...

    def said(self, raw: bytes) -> None: ...


class LiveWatch(Watch, Protocol):
    """Is told, too, when the conversation begins and ends; the end maybe more than once."""

    def begun(self, live: Live) -> None: ...

    def ended(self) -> None: ...


class Unwatched:
    """Sees nothing."""

    def begun(self, live: Live) -> None: ...

    def ended(self) -> None: ...

    def heard(self, raw: bytes) -> None: ...

    def said(self, raw: bytes) -> None: ...


class Stream:
    """The body of an event stream: messages as they come; `done` is told when it is over, however it ended."""

    def __init__(self, done: Callable[[Stream], None]) -> None:
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._done = done

    def put(self, raw: bytes, event: str = "message") -> None:
        self._waiting.put_nowait(b"event: %s\ndata: %s\n\n" % (event.encode(), one_line(raw)))

    def end(self) -> None:
        self._waiting.put_nowait(None)

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> bytes:
        try:
            async with asyncio.timeout(_KEEP_ALIVE):
                raw = await self._waiting.get()
        except TimeoutError:
            return b": still here\n\n"
        if raw is None:
            raise StopAsyncIteration
        return raw

    async def aclose(self) -> None:
        self._done(self)

    def response(self, headers: Sequence[tuple[str, str]] = ()) -> StreamingResponse:
        fixed = (
            ("Content-Type", EVENTS),
            ("Cache-Control", "no-cache, no-transform"),
            ("X-Accel-Buffering", "no"),
        )
        return StreamingResponse(self, headers=[*fixed, *headers])


class Live:
    """A session, and the streams on which its frames go out; `watch` sees them all."""

    def __init__(self, session: Session, watch: LiveWatch) -> None:
        self.session = session
        self.watch = watch
        self._answers: dict[Id, Stream] = {}
        self._listeners: list[Stream] = []
        self._backlog: deque[bytes] = deque(maxlen=_BACKLOG)
        self._timer: asyncio.TimerHandle | None = None
        watch.begun(self)

    @property
    def listens(self) -> bool:
        """Whether the client has a stream open for what belongs to no request; it waits until there is one."""
        return bool(self._listeners)

    def push(self) -> None:
        """Sends what was said in the session from outside of it."""
        self._deliver(self.session.tick())

    def ask(
        self, raw: bytes, id: Id, headers: Sequence[tuple[str, str]] = ()
    ) -> Response | StreamingResponse:
        """The answer to a request: JSON where it is complete at once, else a stream that brings it."""
        frames = self.session.feed(raw)
        own = [frame for frame in frames if frame.about == id]
        if len(own) == 1 and not self.session.is_running(id):
            self._deliver([frame for frame in frames if frame.about != id])
            raw = self._outgoing(own[0])
            return Response(self._status(raw), raw, [("Content-Type", JSON), *headers])
        stream = self._answers[id] = Stream(lambda ended: self._hung_up(id, ended))
        self._deliver(frames)
        return stream.response(headers)

    def take(self, raw: bytes) -> None:
        """A frame that is not answered."""
        self._deliver(self.session.feed(raw))

    def listen(self) -> StreamingResponse:
        """A stream for what belongs to no request; the newest one gets it, starting with what has waited."""
        stream = Stream(self._listeners.remove)
        for raw in self._backlog:
            stream.put(raw)
        self._backlog.clear()
        self._listeners.append(stream)
        return stream.response()

    def close(self) -> None:
        self.session.close()
        if self._timer is not None:
            self._timer.cancel()
        for stream in [*self._answers.values(), *self._listeners]:
            stream.end()
        self.watch.ended()

    def _hung_up(self, id: Id, stream: Stream) -> None:
        """The stream has ended, perhaps before its answer."""
        if self._answers.get(id) is stream:
            del self._answers[id]

    def _status(self, answer: bytes) -> int:
        """The HTTP status of an answer."""
        return 200

    def _named(self, raw: bytes, about: Id) -> bytes:
        """A frame as the client of this request knows it."""
        return raw

    def _outgoing(self, frame: Frame) -> bytes:
        """The bytes of a frame that goes out."""
        raw = frame.raw if frame.about is None else self._named(frame.raw, frame.about)
        self.watch.said(raw)
        return raw

    def _deliver(self, frames: Sequence[Frame]) -> None:
        for frame in frames:
            if frame.about is not None:
                # Without a stream its client has hung up: nobody waits for this any more.
                if frame.about in self._answers:
                    self._answers[frame.about].put(self._outgoing(frame))
            elif self._listeners:
                self._listeners[-1].put(self._outgoing(frame))
            else:
                self._backlog.append(self._outgoing(frame))
        for id in [id for id in self._answers if not self.session.is_running(id)]:
            self._answers.pop(id).end()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wake = self.session.wake()
        loop = asyncio.get_running_loop()
        self._timer = None if wake is None else loop.call_at(wake, lambda: self._deliver(self.session.tick()))


def refused(status: int, code: int, message: str, id: Any = None) -> Response:
    """An error with the id of the request; it belongs to none where that is no id."""
    whose = {"id": id} if jsonrpc.is_id(id) else {}
    body = jsonrpc.encode({"jsonrpc": "2.0", **whose, "error": {"code": code, "message": message}})
    return Response(status, body, [("Content-Type", JSON)])
