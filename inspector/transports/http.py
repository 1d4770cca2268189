"""Streamable HTTP (spec: basic/transports, 2025-03-26 to 2025-11-25): every message a POST, answers as JSON or SSE."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from inspector.base import tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.text import bytes_size
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.protocol.revisions import revision
from inspector.transports import _http
from inspector.transports.base import Closed, Listener, Observer
from inspector.transports.framing import FRAME_CAP
from inspector.transports.http_failures import (
    content_failure,
    network_failure,
    says_session_gone,
    status_failure,
)  # fmt: skip
from inspector.transports.sse import Event, EventStream

_BOTH = "application/json, text/event-stream"
_STREAM_PATIENCE = 1.0
"""Seconds that the head of the GET stream is waited for; a server may hold it back until it has something to say."""
_LATE = 10.0
"""Seconds that the exchange of a given-up request stays open, so that a late answer is still seen."""
_BACK_OFF = (1.0, 2.0, 4.0, 8.0, 16.0)
_HOPS = 5
_DELETE_PATIENCE = 1.0
_ERROR_BODY = 1024 * 1024


class HttpTransport:
    """Moves frames by POST. Clocks are the caller's: nothing here times out by itself but the closing."""

    kind = "http"

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        observer: Observer,
        listener: Listener,
        insecure: bool = False,
        ca: str | None = None,
    ) -> None:
        self.url = url
        self._headers = dict(headers)
        self._observer = observer
        self._listener = listener
        self._insecure = insecure
        self._ca = ca
        self._client: _http.AsyncClient | None = None
        self._session: str | None = None
        self._version: str | None = None
        self._posts: dict[Id, asyncio.Task[None]] = {}
        self._quiet_posts: set[asyncio.Task[None]] = set()
        self._owners: dict[int, Id] = {}
        self._statuses: dict[int, int] = {}
        self._phases: dict[Id, str] = {}
        self._stream: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def session_id(self) -> str | None:
        return self._session

    async def open(self) -> None:
        """Prepares the client; the network is first touched by the first frame. Raises Failed: config, tls."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise fail("config", f"{self.url} is no http or https URL", "as in http://127.0.0.1:3000/mcp")
        try:
            self._client = _http.client(self.url, insecure=self._insecure, ca=self._ca)
        except (OSError, ssl.SSLError) as error:
            where = self._ca or "SSL_CERT_FILE or SSL_CERT_DIR"
            raise fail(
                "tls", f"the authorities in {where} cannot be used: {error}", "give a PEM file"
            ) from error
        except (ValueError, ImportError) as error:
            raise fail(
                "proxy", f"the proxy settings cannot be used: {error}", "see HTTP_PROXY and HTTPS_PROXY"
            ) from error

    def send(self, raw: bytes, *, id: Id | None = None, method: str | None = None) -> int:
        if self._client is None or self._closing:
            raise fail("stream", "the connection is closed", "connect again")
        headers = self._stamp({"Content-Type": "application/json", "Accept": _BOTH})
        exchange = self._observer.http_request("POST", self.url, list(headers.items()))
        row = self._observer.sent(raw, exchange)
        task = tasks.spawn(self._post(exchange, raw, headers, id, method), f"POST {method or 'answer'}")
        if id is None:
            self._quiet_posts.add(task)
            task.add_done_callback(self._quiet_posts.discard)
        else:
            self._posts[id] = task
            self._owners[exchange] = id
        return row

    def abandon(self, id: Id) -> None:
        """Before 2026-07-28 a closed stream is no cancel, so the exchange stays a while for a late answer."""
        task = self._posts.get(id)
        if task is not None:
            asyncio.get_running_loop().call_later(_LATE, task.cancel)

    def negotiated(self, version: str) -> None:
        self._version = version if revision(version).version_header else None

    async def ready(self) -> str | None:
        """Lets `initialized` arrive first, then opens the server's own stream and waits for its status, since a
        request that is sent meanwhile may be answered there."""
        if self._quiet_posts:
            await asyncio.wait(set(self._quiet_posts))
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._stream = tasks.spawn(self._listen(told), "GET stream")
        done, _ = await asyncio.wait({told}, timeout=_STREAM_PATIENCE)
        return told.result() if done else "no answer yet; listening on"

    def owner_of(self, exchange: int) -> Id | None:
        return self._owners.get(exchange)

    def status_of(self, exchange: int) -> int | None:
        return self._statuses.get(exchange)

    def renew(self) -> None:
        self._session = None
        self._version = None
        if self._stream is not None:
            self._stream.cancel()
            self._stream = None
        self._observer.system("the session is gone; a new one is opened")

    def explain_silence(self) -> str | None:
        if not self._phases:
            return None
        return f"POST {self.url}: {list(self._phases.values())[-1]}"

    def stderr_tail(self) -> tuple[str, ...]:
        return ()

    async def close(self) -> Closed:
        """Ends the session by DELETE (best effort, one second), then every open exchange."""
        if self._client is None or self._closing:
            return Closed("never opened" if self._client is None else "closed already")
        self._closing = True
        how = "closed"
        if self._session is not None:
            how = await self._delete()
        await tasks.cancel(self._stream, *self._posts.values(), *self._quiet_posts)
        await self._client.aclose()
        return Closed(how)

    async def _delete(self) -> str:
        assert self._client is not None
        headers = self._stamp({})
        exchange = self._observer.http_request("DELETE", self.url, list(headers.items()))
        try:
            async with asyncio.timeout(_DELETE_PATIENCE):
                response = await self._client.delete(self.url, headers=_http.as_sent(headers))
        except TimeoutError:
            self._observer.http_end(exchange, "no answer in time")
            return "DELETE without an answer"
        except Exception as error:
            self._observer.http_end(exchange, str(error))
            return "DELETE failed"
        self._observer.http_response(exchange, response.status_code, _pairs(response))
        self._observer.http_end(exchange, "complete")
        return f"DELETE {response.status_code}"

    def _stamp(self, headers: dict[str, str]) -> dict[str, str]:
        """Our headers, then the user's, which win."""
        stamped = dict(headers)
        if self._session is not None:
            stamped["Mcp-Session-Id"] = self._session
        if self._version is not None:
            stamped["MCP-Protocol-Version"] = self._version
        names = {name.lower() for name in self._headers}
        return {name: value for name, value in stamped.items() if name.lower() not in names} | self._headers

    async def _post(
        self, exchange: int, raw: bytes, headers: dict[str, str], id_: Id | None, method: str | None
    ) -> None:
        phase = "before an answer came"
        failure: Failure | None = None
        try:
            if id_ is not None:
                self._phases[id_] = "sent; waiting for the head of the answer"
            response = await self._send_following("POST", exchange, headers, raw)
            phase = "in the middle of the answer"
            try:
                if id_ is not None:
                    self._phases[id_] = f"HTTP {response.status_code} came, then nothing more"
                    self._statuses[exchange] = response.status_code
                failure = await self._take(exchange, response, headers, id_, method)
            finally:
                await response.aclose()
            self._observer.http_end(exchange, "complete")
        except asyncio.CancelledError:
            self._observer.http_end(exchange, "closed by us")
            raise
        except Failed as failed:
            failure = failed.failure
            self._observer.http_end(exchange, failure.message)
        except Exception as error:
            # Not all that goes wrong with foreign bytes does so in the library's own exceptions.
            failure = network_failure(self.url, error, phase)
            self._observer.http_end(exchange, failure.message)
        finally:
            if id_ is not None:
                self._phases.pop(id_, None)
                self._posts.pop(id_, None)
                self._owners.pop(exchange, None)
                self._statuses.pop(exchange, None)
        if id_ is not None:
            self._listener.undelivered(id_, failure or _unanswered())
        elif failure is not None:
            self._observer.system(f"{method or 'an answer'} was refused: {failure.message}")

    async def _send_following(
        self, verb: str, exchange: int, headers: dict[str, str], raw: bytes | None
    ) -> _http.Response:
        """Sends, and follows redirects that keep method and body (307, 308) on the same origin."""
        assert self._client is not None
        url = self.url
        for _ in range(_HOPS):
            request = self._client.build_request(verb, url, headers=_http.as_sent(headers), content=raw)
            response = await self._client.send(request, stream=True)
            self._observer.http_response(exchange, response.status_code, _pairs(response))
            target = response.headers.get("location")
            if response.status_code not in (307, 308) or not target:
                return response
            following = urljoin(url, target)
            if _origin(following) != _origin(url):
                return response
            await response.aclose()
            self._observer.http_event(exchange, "redirect", following)
            url = following
        raise fail("redirect", f"{self.url} redirects more than {_HOPS} times", "use the URL it ends at")

    async def _take(
        self,
        exchange: int,
        response: _http.Response,
        sent: Mapping[str, str],
        id_: Id | None,
        method: str | None,
    ) -> Failure | None:
        """Reads the answer and delivers its frames; a failure is what the request ends with if none answered it."""
        if method == "initialize":
            named = (value for name, value in response.headers.raw if name.lower() == b"mcp-session-id")
            self._session = _http.as_text(next(named, b"")) or self._session
        content_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
        if response.is_success and content_type == "text/event-stream" and id_ is not None:
            await self._events(exchange, response)
            return None
        if not response.is_success:
            return await self._refusal(exchange, response, "Mcp-Session-Id" in sent, method)
        body = await _body(response, FRAME_CAP)
        if id_ is None:
            if body:
                self._observer.http_body(exchange, body)
            return None
        message = jsonrpc.read(body) if body else None
        if message is not None and (content_type == "application/json" or message.kind != "invalid"):
            if content_type != "application/json":
                self._observer.system(f"the answer came as {content_type or 'no content type'}; read as JSON")
            if message.kind != "invalid":
                self._deliver(exchange, body)
                return _answered_another(response.status_code)
            self._observer.http_body(exchange, body)
            return Failure(
                kind="protocol",
                message=f"the body is {message.problem}",
                hint="see the raw body in the traffic",
                http_status=response.status_code,
            )
        self._observer.http_body(exchange, body)
        return content_failure(self.url, response.status_code, content_type, body)

    async def _refusal(
        self, exchange: int, response: _http.Response, had_session: bool, method: str | None
    ) -> Failure | None:
        status = response.status_code
        try:
            body = await _body(response, _ERROR_BODY)
        except Failed:
            body = b""
        message = jsonrpc.read(body) if body else None
        unknown_method = _error_code(message) == jsonrpc.METHOD_NOT_FOUND
        if had_session and method != "initialize" and says_session_gone(status, body) and not unknown_method:
            self._observer.http_body(exchange, body)
            return Failure(
                kind="session",
                message=f"the server no longer knows the session (HTTP {status})",
                hint="connect again",
                http_status=status,
            )
        headers = {name.lower(): value for name, value in response.headers.items()}
        failure = status_failure(response.request.method, str(response.request.url), status, headers, body)
        if message is not None and message.is_answer and status not in (401, 403) and message.kind == "error":
            self._deliver(exchange, body)
        elif body:
            self._observer.http_body(exchange, body)
        return failure

    async def _events(self, exchange: int, response: _http.Response) -> None:
        stream = EventStream()
        async for chunk in response.aiter_bytes():
            for part in stream.feed(chunk):
                if isinstance(part, Event):
                    self._event(exchange, part)
                else:
                    self._observer.http_event(exchange, part.field, part.value)
        if rest := stream.rest():
            self._observer.http_body(exchange, rest)

    def _event(self, exchange: int, event: Event) -> None:
        if event.id is not None:
            self._observer.http_event(exchange, "id", event.id)
        if event.retry is not None:
            self._observer.http_event(exchange, "retry", str(event.retry))
        if not event.data:
            return
        if event.event == "message" or (
            event.event == "error" and jsonrpc.read(event.data).kind != "invalid"
        ):
            self._deliver(exchange, event.data)
        else:
            self._observer.http_event(exchange, f"event {event.event}", event.data.decode("utf-8", "replace"))

    def _deliver(self, exchange: int, raw: bytes) -> None:
        row = self._observer.received([raw], exchange)
        self._listener.frame(raw, row, exchange)

    async def _listen(self, told: asyncio.Future[str]) -> None:
        """The server's own stream: tried once; one that was really open is opened again with growing pauses."""
        tries = 0
        while not self._closing:
            opened = await self._listen_once(told)
            tries = 0 if opened else tries + 1
            if not told.done():
                told.set_result("no answer")
            if not opened and (tries == 1 or tries > len(_BACK_OFF)):
                return
            await asyncio.sleep(_BACK_OFF[min(tries, len(_BACK_OFF) - 1)])

    async def _listen_once(self, told: asyncio.Future[str]) -> bool:
        headers = self._stamp({"Accept": "text/event-stream"})
        exchange = self._observer.http_request("GET", self.url, list(headers.items()))
        opened = False
        try:
            response = await self._send_following("GET", exchange, headers, None)
            try:
                content_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
                opened = response.status_code == 200 and content_type == "text/event-stream"
                if not told.done():
                    told.set_result("open" if opened else _no_stream(response.status_code, content_type))
                if opened:
                    await self._events(exchange, response)
            finally:
                await response.aclose()
            self._observer.http_end(exchange, "complete" if not opened else "the server ended the stream")
        except asyncio.CancelledError:
            self._observer.http_end(exchange, "closed by us")
            raise
        except Exception as error:
            self._observer.http_end(exchange, str(error))
        return opened


def _no_stream(status: int, content_type: str) -> str:
    return f"none offered (HTTP {status}{', ' + content_type if status == 200 else ''})"


def _unanswered() -> Failure:
    return Failure(
        kind="stream",
        message="the stream was closed without a response",
        hint="the server or a gateway cut it; the request is not repeated by itself",
    )


def _answered_another(status: int) -> Failure:
    return Failure(
        kind="protocol",
        message="the body holds no answer to this request: it has another id, or is no answer",
        hint="see the raw frame in the traffic",
        http_status=status,
    )


def _error_code(message: jsonrpc.Message | None) -> int | None:
    if message is None or message.kind != "error" or not isinstance(message.value, dict):
        return None
    error = message.value.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int else None


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _pairs(response: _http.Response) -> list[tuple[str, str]]:
    return list(response.headers.multi_items())


async def _body(response: _http.Response, cap: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > cap:
            raise fail("protocol", f"the body is longer than {bytes_size(cap)}", "ask for less at once")
        parts.append(part)
    return b"".join(parts)
