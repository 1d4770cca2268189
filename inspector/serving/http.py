"""Plays a definition over Streamable HTTP: one endpoint, a session for each client that initializes.

An answer that is there at once comes as JSON, one that takes time or brings notifications as an event stream.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import INVALID_REQUEST, PARSE_ERROR, Id
from inspector.serving.definition import Definition
from inspector.serving.engine import Frame, Session
from inspector.transports import httpd
from inspector.transports.httpd import Request, Response, StreamingResponse

PATH = "/mcp"
_JSON, _EVENTS = "application/json", "text/event-stream"
_SESSION_NOT_FOUND, _BAD_REQUEST = -32001, -32000
_KEEP_ALIVE = 15.0
_MOST_SESSIONS = 1000
_BACKLOG = 1000


class Endpoint:
    """The handler of the endpoint and its sessions. A full house drops the session that was begun first."""

    def __init__(self, definition: Definition, say: Callable[[str], None] = lambda line: None) -> None:
        self._definition = definition
        self._say = say
        self._sessions: dict[str, _Live] = {}

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        if request.path.rstrip("/") != PATH:
            return Response.text(404, f"There is nothing here; the MCP endpoint is {PATH}")
        if request.method == "POST":
            return self._post(request)
        if request.method == "GET":
            return self._get(request)
        if request.method == "DELETE":
            return self._delete(request)
        return Response.text(405, "Use POST, GET or DELETE", [("Allow", "POST, GET, DELETE")])

    def close(self) -> None:
        """Ends all sessions and their streams."""
        for live in self._sessions.values():
            live.close()
        self._sessions.clear()

    def _post(self, request: Request) -> Response | StreamingResponse:
        if _media_type(request.headers.get("content-type", "")) != _JSON:
            return _refusal(415, _BAD_REQUEST, f"Unsupported Media Type: Content-Type must be {_JSON}")
        if not (_accepts(request, _JSON) and _accepts(request, _EVENTS)):
            return _refusal(406, _BAD_REQUEST, f"Not Acceptable: Accept must list {_JSON} and {_EVENTS}")
        message = jsonrpc.read(request.body)
        if not message.readable:
            return _refusal(400, PARSE_ERROR, f"Parse error: {message.problem}")
        if message.kind in ("invalid", "batch"):
            return _refusal(400, INVALID_REQUEST, "Invalid request: the body must be one JSON-RPC message")
        if message.method == "initialize" and "mcp-session-id" not in request.headers:
            return self._begin(request.body, message.id)
        live = self._session(request)
        if isinstance(live, Response):
            return live
        if message.kind != "request":
            live.take(request.body)
            return Response(202)
        if not jsonrpc.is_id(message.id) or live.session.is_running(message.id):
            return _refusal(400, INVALID_REQUEST, "Invalid request: the id is no fresh string or integer")
        return live.ask(request.body, message.id)

    def _begin(self, raw: bytes, id: Id) -> Response | StreamingResponse:
        if not jsonrpc.is_id(id):
            return _refusal(
                400, INVALID_REQUEST, "Invalid request: the id is neither a string nor an integer"
            )
        name = secrets.token_hex(16)
        live = _Live(
            Session(self._definition, label=name, clock=asyncio.get_running_loop().time, say=self._say)
        )
        answer = live.ask(raw, id, [("Mcp-Session-Id", name)])
        if live.session.capabilities:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions))).close()
            self._sessions[name] = live
        return answer

    def _get(self, request: Request) -> Response | StreamingResponse:
        if not _accepts(request, _EVENTS):
            return _refusal(406, _BAD_REQUEST, f"Not Acceptable: Accept must list {_EVENTS}")
        live = self._session(request)
        return live if isinstance(live, Response) else live.listen()

    def _delete(self, request: Request) -> Response:
        live = self._session(request)
        if isinstance(live, Response):
            return live
        del self._sessions[request.headers["mcp-session-id"]]
        live.close()
        return Response(204)

    def _session(self, request: Request) -> _Live | Response:
        name = request.headers.get("mcp-session-id")
        if name is None:
            return _refusal(400, _BAD_REQUEST, "Bad Request: the header Mcp-Session-Id is missing")
        live = self._sessions.get(name)
        if live is None:
            return _refusal(404, _SESSION_NOT_FOUND, "Session not found")
        version = request.headers.get("mcp-protocol-version", live.session.version)
        if version != live.session.version:
            problem = f"MCP-Protocol-Version is {version}, the session speaks {live.session.version}"
            return _refusal(400, _BAD_REQUEST, f"Bad Request: {problem}")
        return live


class _Stream:
    """The body of an event stream: messages as they come; `done` is told when it is over, however it ended."""

    def __init__(self, done: Callable[[_Stream], None]) -> None:
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._done = done

    def put(self, raw: bytes) -> None:
        self._waiting.put_nowait(raw)

    def end(self) -> None:
        self._waiting.put_nowait(None)

    def __aiter__(self) -> _Stream:
        return self

    async def __anext__(self) -> bytes:
        try:
            async with asyncio.timeout(_KEEP_ALIVE):
                raw = await self._waiting.get()
        except TimeoutError:
            return b": still here\n\n"
        if raw is None:
            raise StopAsyncIteration
        return b"event: message\ndata: " + raw + b"\n\n"

    async def aclose(self) -> None:
        self._done(self)

    def response(self, headers: Sequence[tuple[str, str]] = ()) -> StreamingResponse:
        fixed = (("Content-Type", _EVENTS), ("Cache-Control", "no-cache, no-transform"))
        return StreamingResponse(self, headers=[*fixed, *headers])


class _Live:
    """A session, and the streams on which its frames go out."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._answers: dict[Id, _Stream] = {}
        self._listeners: list[_Stream] = []
        self._backlog: deque[bytes] = deque(maxlen=_BACKLOG)
        self._timer: asyncio.TimerHandle | None = None

    def ask(
        self, raw: bytes, id: Id, headers: Sequence[tuple[str, str]] = ()
    ) -> Response | StreamingResponse:
        """The answer to a request: JSON where it is complete at once, else a stream that brings it."""
        frames = self.session.feed(raw)
        own = [frame for frame in frames if frame.about == id]
        if len(own) == 1 and not self.session.is_running(id):
            self._deliver([frame for frame in frames if frame.about != id])
            return Response(200, own[0].raw, [("Content-Type", _JSON), *headers])
        stream = self._answers[id] = _Stream(lambda ended: self._hung_up(id, ended))
        self._deliver(frames)
        return stream.response(headers)

    def take(self, raw: bytes) -> None:
        """A frame that is not answered."""
        self._deliver(self.session.feed(raw))

    def listen(self) -> StreamingResponse:
        """A stream for what belongs to no request; the newest one gets it, starting with what has waited."""
        stream = _Stream(self._listeners.remove)
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

    def _hung_up(self, id: Id, stream: _Stream) -> None:
        if self._answers.get(id) is stream:
            del self._answers[id]

    def _deliver(self, frames: Sequence[Frame]) -> None:
        for raw, about in frames:
            if about is not None:
                # Without a stream its client has hung up: nobody waits for this any more.
                if about in self._answers:
                    self._answers[about].put(raw)
            elif self._listeners:
                self._listeners[-1].put(raw)
            else:
                self._backlog.append(raw)
        for id in [id for id in self._answers if not self.session.is_running(id)]:
            self._answers.pop(id).end()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wake = self.session.wake()
        loop = asyncio.get_running_loop()
        self._timer = None if wake is None else loop.call_at(wake, lambda: self._deliver(self.session.tick()))


def _refusal(status: int, code: int, message: str) -> Response:
    body = jsonrpc.encode({"jsonrpc": "2.0", "error": {"code": code, "message": message}})
    return Response(status, body, [("Content-Type", _JSON)])


def _media_type(value: str) -> str:
    return value.partition(";")[0].strip().lower()


def _accepts(request: Request, media_type: str) -> bool:
    wanted = {_media_type(each) for each in request.headers.get("accept", "").split(",")}
    return bool(wanted & {media_type, "*/*", media_type.partition("/")[0] + "/*"})


@asynccontextmanager
async def hosted(
    definition: Definition,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    say: Callable[[str], None] = lambda line: None,
) -> AsyncIterator[str]:
    """Serves a definition in the running event loop; gives the URL of its endpoint.

    Raises OSError where the address is not to be had.
    """
    endpoint = Endpoint(definition, say)
    async with httpd.serve(endpoint, host=host, port=port) as server:
        try:
            yield server.url + PATH
        finally:
            endpoint.close()
