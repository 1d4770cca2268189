"""Streamable HTTP (spec: basic/transports, since 2025-03-26): every message a POST, answers as JSON or SSE."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.protocol.revisions import revision
from inspector.transports import _http
from inspector.transports.framing import FRAME_CAP
from inspector.transports.http_body import EVENT_STREAM, content_type
from inspector.transports.http_failures import (
    body_failure,
    content_failure,
    says_session_gone,
    session_gone,
    speaks_of_session,
    status_failure,
)
from inspector.transports.http_pipe import HttpPipe
from inspector.transports.instead import Instead
from inspector.transports.sse import Place

_BOTH = f"application/json, {EVENT_STREAM}"
_STREAM_PATIENCE = 1.0
"""Seconds that the head of the GET stream is waited for; a server may hold it back until it has something to say."""
_LATE = 10.0
"""Seconds that the exchange of a given-up request stays open, so that a late answer is still seen."""
_FRUITLESS = 5
"""Connections in a row that bring no event, after which a stream is not asked for again."""
_LASTING = 5.0
"""Seconds after which a silent stream was worth its opening: gateways cut those that idle for long."""
_DELETE_PATIENCE = 1.0
_ERROR_BODY = 1024 * 1024


class HttpTransport(HttpPipe):
    """Streamable HTTP. Before 2026-07-28 there may be a session and a stream of the server's own, and a stream that
    ends before its answer is resumed where the server gave its events ids. Since then there is none of that, and to
    close the stream of a request is to cancel it."""

    kind = "http"

    def __init__(self, url: str, headers: Mapping[str, str], **settings: Any) -> None:
        """`settings` are those of `HttpPipe`."""
        super().__init__(url, headers, **settings)
        self._session: str | None = None
        self._version: str | None = None
        self._stateless = False
        self._told_accepted = False
        self._places: dict[Id, Place] = {}

    @property
    def session_id(self) -> str | None:
        return self._session

    def abandon(self, id: Id) -> None:
        """Before 2026-07-28 a closed stream is no cancel, so the exchange stays a while for a late answer."""
        task = self._posts.get(id)
        if task is None:
            return
        if self._stateless:
            task.cancel()
        else:
            asyncio.get_running_loop().call_later(_LATE, task.cancel)

    def negotiated(self, version: str) -> None:
        rules = revision(version)
        self._stateless = rules.era == "modern"
        # Where requests say their version in `_meta`, the header is made of that.
        self._version = version if rules.version_header and not self._stateless else None

    async def ready(self) -> str | None:
        """Lets `initialized` arrive first, then opens the server's own stream and waits for its status, since a
        request that is sent meanwhile may be answered there."""
        if self._quiet_posts:
            await asyncio.wait(set(self._quiet_posts))
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._stream = tasks.spawn(self._listen(told), "GET stream")
        done, _ = await asyncio.wait({told}, timeout=_STREAM_PATIENCE)
        return told.result() if done else "no answer yet; listening on"

    async def renew(self) -> None:
        self._session = None
        self._version = None
        if self._stream is not None:
            self._stream.cancel()
            self._stream = None
        self._observer.system("the session is gone; a new one is opened")

    async def _goodbye(self) -> str:
        """Ends the session by DELETE, within a second."""
        if self._session is None or not self._sender.is_open:
            return "closed"
        request = self._sender.request("DELETE", self.url, self._stamp({}))
        told = "DELETE without an answer"

        async def take(response: _http.Response) -> None:
            nonlocal told
            told = f"DELETE {response.status_code}"

        try:
            async with asyncio.timeout(_DELETE_PATIENCE):
                if await self._exchange(self._sender.begin(request), request, take) is not None:
                    told = "DELETE failed"
        except TimeoutError:
            pass
        return told

    def _post_headers(self) -> dict[str, str]:
        return self._stamp({"Content-Type": "application/json", "Accept": _BOTH})

    def _stamp(self, headers: dict[str, str]) -> dict[str, str]:
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        if self._version is not None:
            headers["MCP-Protocol-Version"] = self._version
        return headers

    async def _take(
        self, exchange: int, response: _http.Response, id_: Id | None, method: str | None
    ) -> Failure | None:
        if method == "initialize" and not self._stateless:
            named = (value for name, value in response.headers.raw if name.lower() == b"mcp-session-id")
            self._session = _http.as_text(next(named, b"")) or self._session
        kind = content_type(response)
        if response.is_success and kind == EVENT_STREAM and id_ is not None:
            place = self._places[id_] = Place()
            instead = self._instead[exchange] = Instead()
            await self._read(exchange, response, place)
            return _unanswered(str(instead)) if self._listener.waiting(id_) else None
        if not response.is_success:
            return await self._refusal(exchange, response, method)
        body = await self._body(exchange, response, FRAME_CAP)
        if id_ is None:
            self._accepted(exchange, response.status_code, body)
            return None
        message = jsonrpc.read(body) if body else None
        if message is not None and (kind == "application/json" or message.kind != "invalid"):
            if kind != "application/json":
                self._observer.system(f"the answer came as {kind or 'no content type'}; read as JSON")
            if message.kind != "invalid":
                self._deliver(exchange, body)
                return _answered_another(response.status_code)
            self._observer.http_body(exchange, body)
            return body_failure(response.status_code, body, str(message.problem))
        self._observer.http_body(exchange, body)
        return content_failure(self.url, response.status_code, kind, body)

    def _accepted(self, exchange: int, status: int, body: bytes) -> None:
        """Any 2xx will do for what has no answer; where it is not the one of the specification, that is told once."""
        if body:
            self._observer.http_body(exchange, body)
        if (status != 202 or body) and not self._told_accepted:
            self._told_accepted = True
            came = f"HTTP {status}" + (" and a body" if body else "")
            self._observer.system(
                f"a message without an answer was accepted by {came}; 202 and no body is the rule"
            )

    async def _refusal(self, exchange: int, response: _http.Response, method: str | None) -> Failure | None:
        status = response.status_code
        try:
            body = await self._body(exchange, response, _ERROR_BODY)
        except Failed:
            body = b""
        message = jsonrpc.read(body) if body else None
        unknown_method = _error_code(message) == jsonrpc.METHOD_NOT_FOUND
        had_session = "mcp-session-id" in response.request.headers
        if had_session and method != "initialize" and says_session_gone(status, body) and not unknown_method:
            self._observer.http_body(exchange, body)
            return session_gone(status)
        headers = {name.lower(): value for name, value in response.headers.items()}
        asked = response.request
        failure = status_failure(
            asked.method, str(asked.url), status, headers, body, asked.headers, logs_in=self._sender.logs_in
        )
        if status in (401, 403) and had_session and method != "initialize" and speaks_of_session(body):
            failure = replace(
                failure,
                hint=f"it seems to be the session that is over: connect again; if not, {failure.hint}",
            )
        if message is not None and status not in (401, 403) and _is_rpc_error(message):
            self._deliver(exchange, body)
        elif body:
            self._observer.http_body(exchange, body)
        return failure

    async def _read(self, exchange: int, response: _http.Response, place: Place) -> None:
        async for event in self._events(exchange, response):
            place.take(event)
            self._message(exchange, event)

    async def _afterwards(self, id_: Id, exchange: int, failure: Failure | None) -> Failure | None:
        """Takes up a stream that ended before its answer (spec: basic/transports, resumability): by GET, after the
        pause that the server asked for, and again as long as that brings events."""
        place = self._places.pop(id_, None)
        tries = 0
        told = False
        if self._stateless or (failure is not None and failure.kind == "protocol"):
            return failure
        while place is not None and place.id is not None and tries < _FRUITLESS:
            if self._closing or not self._listener.waiting(id_):
                return None
            pause = place.wait(tries)
            self._phases[id_] = f"its stream ended after event {place.id}, and is asked for again"
            self._observer.http_event(
                exchange, "resume", f"GET with Last-Event-ID {place.id} in {pause * 1000:.0f} ms"
            )
            if not told:
                # Once: to close a stream and have it asked for again is how some servers make their clients poll.
                self._observer.system(
                    f"the stream of request {id_} ended before its answer; it is taken up again"
                )
                told = True
            await asyncio.sleep(pause)
            if not self._listener.waiting(id_):
                return None
            known = place.events
            exchange, failure, refused = await self._resume(id_, place)
            if refused:
                break
            tries = 0 if place.events > known else tries + 1
        return failure

    async def _resume(self, id_: Id, place: Place) -> tuple[int, Failure, bool]:
        """One connection for the rest of a stream: its exchange, what came of it, whether the server refused."""
        headers = self._stamp({"Accept": EVENT_STREAM, "Last-Event-ID": place.id or ""})
        request = self._sender.request("GET", self.url, headers)
        exchange = self._sender.begin(request)
        self._owners[exchange] = id_
        refused = False

        async def take(response: _http.Response) -> Failure | None:
            nonlocal refused
            self._statuses[exchange] = response.status_code
            kind = content_type(response)
            if response.status_code == 200 and kind == EVENT_STREAM:
                await self._read(exchange, response, place)
                return None
            refused = True
            return Failure(
                kind="stream",
                message="the stream was closed without a response; asked for its rest, the server answered "
                f"HTTP {response.status_code} {kind}".rstrip(),
                hint="the request is not repeated by itself",
                http_status=response.status_code,
            )

        try:
            failure = await self._exchange(exchange, request, take)
        finally:
            self._owners.pop(exchange, None)
            self._statuses.pop(exchange, None)
        return exchange, failure or _unanswered(), refused

    async def _listen(self, told: asyncio.Future[str]) -> None:
        """The server's own stream: tried once; one that was really open is opened again, after the last event that
        was seen, with pauses that grow as long as nothing comes."""
        place = Place()
        tries = 0
        while not self._closing:
            known, began = place.events, time.monotonic()
            opened = await self._listen_once(told, place)
            if not told.done():
                told.set_result("no answer")
            if not opened and ((tries == 0 and place.events == 0) or tries >= _FRUITLESS):
                return
            lasting = opened and time.monotonic() - began > _LASTING
            tries = 0 if place.events > known or lasting else tries + 1
            if tries > _FRUITLESS:
                self._observer.system("the server ends its own stream at once each time; it is asked no more")
                return
            await asyncio.sleep(place.wait(tries))

    async def _listen_once(self, told: asyncio.Future[str], place: Place) -> bool:
        headers = {"Accept": EVENT_STREAM} | ({"Last-Event-ID": place.id} if place.id else {})
        request = self._sender.request("GET", self.url, self._stamp(headers))
        exchange = self._sender.begin(request)
        opened = False

        async def take(response: _http.Response) -> None:
            nonlocal opened
            opened = response.status_code == 200 and content_type(response) == EVENT_STREAM
            if not told.done():
                told.set_result("open" if opened else _no_stream(response))
            if opened:
                await self._read(exchange, response, place)

        await self._exchange(exchange, request, take)
        return opened


def _no_stream(response: _http.Response) -> str:
    kind = f", {content_type(response)}" if response.status_code == 200 else ""
    return f"none offered (HTTP {response.status_code}{kind})"


def _unanswered(instead: str = "") -> Failure:
    return Failure(
        kind="stream",
        message="the stream was closed without a response" + (f"; {instead}" if instead else ""),
        hint="see the events of the exchange in the traffic; the request is not repeated by itself"
        if instead
        else "the server or a gateway cut it; the request is not repeated by itself",
    )


def _answered_another(status: int) -> Failure:
    return Failure(
        kind="protocol",
        message="the body holds no answer to this request: it has another id, or is no answer",
        hint="see the raw frame in the traffic",
        http_status=status,
    )


def _is_rpc_error(message: jsonrpc.Message) -> bool:
    """Many a server and gateway says `{"error": ...}` too, and means nothing of JSON-RPC."""
    value = message.value
    return message.kind == "error" and (not isinstance(value, dict) or "jsonrpc" in value or "id" in value)


def _error_code(message: jsonrpc.Message | None) -> int | None:
    if message is None or message.kind != "error" or not isinstance(message.value, dict):
        return None
    error = message.value.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int else None
