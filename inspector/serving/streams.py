"""The answers of a session over HTTP: JSON what is there at once, an event stream what takes time or brings
notifications."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from inspector.protocol.jsonrpc import Id
from inspector.serving.definition import MODERN
from inspector.serving.engine import Frame, Session
from inspector.serving.event_stream import Stream
from inspector.serving.exchange import JSON, Exchange, LiveWatch
from inspector.transports.httpd import Response, StreamingResponse

_BACKLOG = 1000
_MOST_BROKEN = 20
"""Streams that may be taken up again."""
_RESUMABLE_SINCE, _PRIMED_SINCE = "2025-03-26", "2025-11-25"


class Live:
    """A session, and the streams on which its frames go out; `watch` sees them all."""

    def __init__(self, session: Session, watch: LiveWatch) -> None:
        self.session = session
        self.watch = watch
        self._answers: dict[Id, Stream] = {}
        self._listeners: list[Stream] = []
        self._named: dict[str, Stream] = {}
        self._streams = 0
        self._backlog: deque[bytes] = deque(maxlen=_BACKLOG)
        self._timer: asyncio.TimerHandle | None = None
        watch.begun(self)

    @property
    def listens(self) -> bool:
        """Whether the client has a stream open for what belongs to no request; it waits until there is one."""
        return bool(self._listeners)

    @property
    def is_open(self) -> bool:
        """Whether the client reads a stream."""
        return any(stream.is_read for stream in (*self._answers.values(), *self._listeners))

    def push(self) -> None:
        """Sends what was said in the session from outside of it."""
        self._deliver(self.session.tick())

    def ask(
        self, exchange: Exchange, raw: bytes, ids: Sequence[Id], headers: Sequence[tuple[str, str]] = ()
    ) -> Response | StreamingResponse:
        """The answer to a request, or to those of a batch: JSON where it is complete at once, else a stream that
        brings it."""
        frames = self.session.feed(raw)
        own = [frame for frame in frames if frame.about in ids]
        if len(own) == 1 and not any(map(self.session.is_running, ids)):
            self._deliver([frame for frame in frames if frame.about not in ids])
            raw = self._called(own[0])
            response = Response(self._status(raw), raw, [("Content-Type", JSON), *headers])
            exchange.begins(response)
            exchange.said(raw)
            return response
        stream = self._stream(exchange)
        for id in ids:
            self._answers[id] = stream
        answer = stream.response(headers)
        exchange.begins(answer)
        if stream.name and self.session.version >= _PRIMED_SINCE:
            stream.prime()
        self._deliver(frames)
        return answer

    def take(self, raw: bytes) -> None:
        """A frame that is not answered."""
        self._deliver(self.session.feed(raw))

    def listen(self, exchange: Exchange, last: str = "") -> StreamingResponse:
        """A stream for what belongs to no request; the newest one gets it, starting with what has waited. `last` is
        the id of an event: then it is the rest of the stream that this came on, if that is known."""
        name, _, number = last.rpartition("-")
        if (stream := self._named.get(name)) is not None and number.isascii() and number.isdigit():
            stream.resume(exchange, int(number))
        else:
            stream = self._stream(exchange, listens=True)
        answer = stream.response()
        exchange.begins(answer)
        if stream.listens and stream not in self._listeners:
            self._listeners.append(stream)
            for raw in self._backlog:
                stream.announce()
                stream.put(raw)
            self._backlog.clear()
        return answer

    def close(self) -> None:
        self.session.close()
        if self._timer is not None:
            self._timer.cancel()
        for stream in {*self._answers.values(), *self._listeners}:
            stream.end()
        self.watch.ended()

    def _stream(self, exchange: Exchange, *, listens: bool = False) -> Stream:
        """A new one; it has a name where it may be taken up again."""
        self._streams += 1
        name = str(self._streams) if _RESUMABLE_SINCE <= self.session.version < MODERN else ""
        stream = Stream(exchange, self._left, name, listens=listens)
        if name:
            self._named[name] = stream
            if len(self._named) > _MOST_BROKEN:
                broken = (each for each, stream in self._named.items() if not stream.is_read)
                self._named.pop(next(broken, ""), None)
        return stream

    def _left(self, stream: Stream, whole: bool) -> None:
        """The client has read the stream to its end, or has hung up, maybe to come back."""
        if stream in self._listeners:
            self._listeners.remove(stream)
        if whole:
            self._named.pop(stream.name, None)
        elif not stream.name:
            for id in [id for id, each in self._answers.items() if each is stream]:
                self._hung_up(id)

    def _hung_up(self, id: Id) -> None:
        """Nobody waits any more for the answer to a request."""
        self._answers.pop(id, None)

    def _status(self, answer: bytes) -> int:
        """The HTTP status of an answer."""
        return 200

    def _called(self, frame: Frame) -> bytes:
        """The bytes of a frame as the client knows what it is about."""
        return frame.raw

    def _say(self, frame: Frame, exchange: int | None) -> bytes:
        raw = self._called(frame)
        self.watch.said(raw, exchange)
        return raw

    def _deliver(self, frames: Sequence[Frame]) -> None:
        for frame in frames:
            stream = self._listeners[-1] if self._listeners else None
            if frame.about is not None:
                # Without a stream its client has hung up: nobody waits for this any more.
                stream = self._answers.get(frame.about)
                if stream is None:
                    continue
            if stream is None:
                self._backlog.append(self._say(frame, None))
            else:
                stream.put(self._say(frame, stream.announce()))
        over = {id: stream for id, stream in self._answers.items() if not self.session.is_running(id)}
        for id in over:
            del self._answers[id]
        for stream in over.values():
            if stream not in self._answers.values():
                stream.end()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wake = self.session.wake()
        loop = asyncio.get_running_loop()
        self._timer = None if wake is None else loop.call_at(wake, lambda: self._deliver(self.session.tick()))
