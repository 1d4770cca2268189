"""Plays a server over HTTP: one endpoint of Streamable HTTP for both eras, a session for each client that initializes;
and beside it the two endpoints of 2024-11-05."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from inspector.base import tasks
from inspector.base.errors import Failed
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import INVALID_REQUEST, PARSE_ERROR, Id, Message
from inspector.serving.browsers import for_browsers
from inspector.serving.definition import Definition, Places, is_modern
from inspector.serving.engine import BATCH, Session
from inspector.serving.exchange import EVENTS, JSON, Exchange, LiveWatch, Unwatched, refused
from inspector.serving.pairs import Pairs
from inspector.serving.streams import Live
from inspector.transports import httpd
from inspector.transports.httpd import Handler, Request, Response, StreamingResponse

if TYPE_CHECKING:
    from inspector.serving.modern import ModernSession
    from inspector.serving.stateless import Stateless

_L = TypeVar("_L", bound=Live)
_SESSION_NOT_FOUND, _BAD_REQUEST = -32001, -32000
_MOST_SESSIONS = 1000
_LOOK = 0.5
"""Seconds between two looks at the file that is served."""
_NOT_ONE = "Invalid request: the body must be one JSON-RPC message"


class Endpoint:
    """The handler of the endpoint and its sessions. A full house drops the session that was begun first."""

    def __init__(
        self,
        definition: Definition,
        say: Callable[[str], None] = lambda line: None,
        *,
        session: Callable[..., ModernSession] | None = None,
        watched: Callable[[], LiveWatch] = Unwatched,
        stray: LiveWatch | None = None,
    ) -> None:
        """`session` makes the conversations, those that play the definition where it is left out; `watched` is asked
        for each of them who sees it, `stray` sees the requests that belong to none."""
        self._watched = watched
        self._stray = stray or Unwatched()
        self._make = partial(session or partial(Session, definition), say=say)
        self._sessions: dict[str, Live] = {}
        self._legacy = not all(map(is_modern, definition.versions))
        self._places = definition.places
        self._pairs = Pairs(self._live, self._places.base + self._places.message)
        self._stateless: Stateless | None = None
        if any(map(is_modern, definition.versions)):
            # Loaded where it is spoken: not all demo servers do.
            from inspector.serving import modern, stateless

            make = session or partial(modern.ModernSession, definition)
            self._stateless = stateless.Stateless(
                make(clock=asyncio.get_running_loop().time, say=say), watched()
            )

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        exchange = Exchange(request)
        answer = self._answer(exchange)
        exchange.belongs_to(self._stray)
        exchange.finish(answer)
        return answer

    def _answer(self, exchange: Exchange) -> Response | StreamingResponse:
        path, method = exchange.request.path.rstrip("/"), exchange.request.method
        places = self._places
        if self._legacy and path in (places.sse, places.message):
            return self._pairs.get(exchange) if path == places.sse else self._pairs.post(exchange)
        if path != places.path:
            return Response.text(404, f"There is nothing here; the MCP endpoint is {places.path}")
        if method == "POST":
            return self._post(exchange)
        if not self._legacy:
            return Response.text(405, "Use POST", [("Allow", "POST")])
        if method == "GET":
            return self._get(exchange)
        if method == "DELETE":
            return self._delete(exchange)
        return Response.text(405, "Use POST, GET or DELETE", [("Allow", "POST, GET, DELETE")])

    def become(self, definition: Definition) -> None:
        """All sessions go on as what the file says by now."""
        stateless = [] if self._stateless is None else [self._stateless]
        for live in [*self._sessions.values(), *self._pairs.sessions, *stateless]:
            live.session.become(definition)
            live.push()

    def close(self) -> None:
        """Ends all sessions and their streams."""
        for live in self._sessions.values():
            live.close()
        self._sessions.clear()
        self._pairs.close()
        if self._stateless is not None:
            self._stateless.close()

    def _post(self, exchange: Exchange) -> Response | StreamingResponse:
        request = exchange.request
        if _media_type(request.headers.get("content-type", "")) != JSON:
            return refused(415, _BAD_REQUEST, f"Unsupported Media Type: Content-Type must be {JSON}")
        if not (_accepts(request, JSON) and _accepts(request, EVENTS)):
            return refused(406, _BAD_REQUEST, f"Not Acceptable: Accept must list {JSON} and {EVENTS}")
        message = jsonrpc.read(request.body)
        if not message.readable:
            return refused(400, PARSE_ERROR, f"Parse error: {message.problem}")
        if message.kind == "invalid":
            return refused(400, INVALID_REQUEST, _NOT_ONE)
        if message.kind == "batch":
            return self._batch(exchange, message)
        if message.value.get("jsonrpc") != "2.0":
            id_ = message.id if message.kind == "request" else None
            return refused(400, INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"', id_)
        if self._stateless is not None and (
            not self._legacy or self._stateless.means(request.headers, message)
        ):
            exchange.belongs_to(self._stateless.watch)
            return self._stateless.refusal(request.headers, message) or self._stateless.post(
                exchange, message
            )
        if message.method == "initialize" and "mcp-session-id" not in request.headers:
            return self._begin(exchange, message.id)
        live = self._session(exchange, message.id if message.kind == "request" else None)
        if isinstance(live, Response):
            return live
        if message.kind != "request":
            live.take(request.body)
            return Response(202)
        if not jsonrpc.is_id(message.id) or live.session.is_running(message.id):
            return refused(400, INVALID_REQUEST, "Invalid request: the id is no fresh string or integer")
        return live.ask(exchange, request.body, [message.id])

    def _batch(self, exchange: Exchange, message: Message) -> Response | StreamingResponse:
        """Several messages at once (spec 2025-03-26: transports)."""
        live = self._session(exchange)
        if isinstance(live, Response):
            return live
        parts = live.session.parts_of(message)
        if parts is None or any(part.value.get("jsonrpc") != "2.0" for part in parts):
            return refused(400, INVALID_REQUEST, _NOT_ONE)
        ids = [part.id for part in parts if part.kind == "request"]
        if not all(map(jsonrpc.is_id, ids)) or any(map(live.session.is_running, ids)):
            return refused(400, INVALID_REQUEST, "Invalid request: an id is no fresh string or integer")
        if ids or any(part.kind == "invalid" for part in parts):
            return live.ask(exchange, exchange.request.body, ids or [BATCH])
        live.take(exchange.request.body)
        return Response(202)

    def _begin(self, exchange: Exchange, id: Id) -> Response | StreamingResponse:
        if not jsonrpc.is_id(id):
            return refused(400, INVALID_REQUEST, "Invalid request: the id is neither a string nor an integer")
        name = secrets.token_hex(16)
        live = self._live(Live, name)
        exchange.belongs_to(live.watch)
        answer = live.ask(exchange, exchange.request.body, [id], [("Mcp-Session-Id", name)])
        if live.session.greeted:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions))).close()
            self._sessions[name] = live
        return answer

    def _live(self, kind: type[_L], name: str) -> _L:
        clock = asyncio.get_running_loop().time
        return kind(self._make(label=name, clock=clock), self._watched())

    def _get(self, exchange: Exchange) -> Response | StreamingResponse:
        if not _accepts(exchange.request, EVENTS):
            return refused(406, _BAD_REQUEST, f"Not Acceptable: Accept must list {EVENTS}")
        live = self._session(exchange)
        if isinstance(live, Response):
            return live
        return live.listen(exchange, exchange.request.headers.get("last-event-id", ""))

    def _delete(self, exchange: Exchange) -> Response:
        live = self._session(exchange)
        if isinstance(live, Response):
            return live
        del self._sessions[exchange.request.headers["mcp-session-id"]]
        live.close()
        return Response(204)

    def _session(self, exchange: Exchange, id: Any = None) -> Live | Response:
        """The one that the request belongs to, or the refusal of it, which carries the id of the message."""
        headers = exchange.request.headers
        name = headers.get("mcp-session-id")
        if name is None:
            return refused(400, _BAD_REQUEST, "Bad Request: the header Mcp-Session-Id is missing", id)
        live = self._sessions.get(name)
        if live is None:
            return refused(404, _SESSION_NOT_FOUND, "Session not found", id)
        exchange.belongs_to(live.watch)
        spoken = live.session.version, live.session.definition.agrees
        version = headers.get("mcp-protocol-version", live.session.version)
        if version not in spoken:
            problem = f"MCP-Protocol-Version is {version}, the session speaks {live.session.version}"
            return refused(400, _BAD_REQUEST, f"Bad Request: {problem}", id)
        return live


def _media_type(value: str) -> str:
    return value.partition(";")[0].strip().lower()


def _accepts(request: Request, media_type: str) -> bool:
    wanted = {_media_type(each) for each in request.headers.get("accept", "").split(",")}
    return bool(wanted & {media_type, "*/*", media_type.partition("/")[0] + "/*"})


@asynccontextmanager
async def hosted(
    definition: Definition | Callable[[], Definition],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    say: Callable[[str], None] = lambda line: None,
    through: Callable[[Handler], Handler] = lambda handler: handler,
    reread: Callable[[], Definition | None] | None = None,
    **more: Any,
) -> AsyncIterator[str]:
    """Serves a definition in the running event loop; gives the URL of its endpoint. A function makes the definition
    when the first request comes; `reread` is asked again and again for another one. `more` is for `Endpoint`; all
    answers pass through what `through` makes of it.

    Raises OSError where the address is not to be had.
    """
    endpoint: Endpoint | None = None

    async def answer(request: Request) -> Response | StreamingResponse:
        nonlocal endpoint
        if endpoint is None:
            endpoint = Endpoint(definition() if callable(definition) else definition, say, **more)
        return await endpoint(request)

    async def looks() -> None:
        while reread is not None:
            await asyncio.sleep(_LOOK)
            try:
                if (now := reread()) is not None and endpoint is not None:
                    endpoint.become(now)
            except Failed as failed:
                say(f"what was served goes on: {failed.failure.message}")

    async with httpd.serve(for_browsers(through(answer)), host=host, port=port) as server:
        looking = tasks.spawn(looks(), "the file that is served")
        try:
            yield server.url + (Places() if callable(definition) else definition.places).path
        finally:
            await tasks.cancel(looking)
            if endpoint is not None:
                endpoint.close()


def serve(server: AbstractAsyncContextManager[str], told: Callable[[str], None]) -> int:
    """Serves until SIGINT or SIGTERM comes; `told` gets the URL once it can be reached. Gives the exit code of the
    process, 130 for SIGINT. Raises OSError where the address is not to be had."""

    code = 0

    async def run() -> None:
        stop = asyncio.Event()

        def ended(number: int) -> None:
            nonlocal code
            code = 130 if number == signal.SIGINT else 0
            stop.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                asyncio.get_running_loop().add_signal_handler(number, ended, number)
            except NotImplementedError:
                pass  # Windows: the signal ends the process by itself
        async with server as url:
            told(url)
            await stop.wait()

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        return 130
    return code
