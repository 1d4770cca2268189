"""HTTP+SSE, and URLs of which it is not said what they speak, against servers on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from live import http

from inspector.base.errors import Failed, Failure
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

STREAM = (("Content-Type", "text/event-stream; charset=utf-8"),)
EVERY = ("sse", "auto", "auto-sse")


def frame(**members: Any) -> str:
    return f"event: message\r\ndata: {json.dumps({'jsonrpc': '2.0', **members})}\r\n\r\n"


class Old:
    """A server of 2024-11-05 at /gw/sse. `endpoint` are the parts that its stream begins with; `post` may answer a
    POST in its place. What is put into `stream` goes out; None ends it."""

    def __init__(self) -> None:
        self.endpoint = ["event: endpoint\r\ndata: messages?sid=1\r\n\r\n"]
        self.post: Callable[[Request, dict[str, Any]], Response | None] = lambda request, message: None
        self.get: Callable[[Request], Response | None] = lambda request: None
        self.stream: asyncio.Queue[str | None] = asyncio.Queue()
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        self.requests.append(request)
        if request.method == "GET" and request.path == "/gw/sse":
            return self.get(request) or StreamingResponse(self._events(), 200, STREAM)
        message = json.loads(request.body) if request.body else {}
        answer = self.post(request, message)
        if answer is not None:
            return answer
        if request.method != "POST" or request.path != "/gw/messages" or request.query != "sid=1":
            return Response(404, f"no {request.path} here".encode())
        if "id" in message:
            self.stream.put_nowait(frame(id=message["id"], result=self.result(message)))
        return Response(202, b"Accepted")

    async def _events(self) -> AsyncIterator[bytes]:
        yield b": hello\r\n\r\n"
        for part in self.endpoint:
            yield part.encode()
        while (part := await self.stream.get()) is not None:
            yield part.encode()

    def result(self, message: dict[str, Any]) -> Any:
        if message["method"] != "initialize":
            return {"echo": message["method"]}
        return {
            "protocolVersion": "2024-11-05",
            "capabilities": {},
            "serverInfo": {"name": "old", "version": "1"},
        }


@asynccontextmanager
async def old() -> AsyncIterator[tuple[str, Old]]:
    handler = Old()
    async with serve(handler) as server:
        yield f"{server.url}/gw/sse", handler


async def failure_of(url: str, transport: str = "sse", **options: Any) -> Failure:
    async with http(
        url, options=Options(**{"protocol": "legacy", **options}), transport=transport
    ) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    return failed.value.failure


@pytest.mark.parametrize("transport", EVERY)
@pytest.mark.parametrize("named", ["messages?sid=1", "/gw/messages?sid=1", "http://{host}/gw/messages?sid=1"])
async def test_the_endpoint_may_be_relative_or_whole(transport: str, named: str) -> None:
    async with old() as (url, server):
        host = url.split("/")[2]
        server.endpoint = [f"event: endpoint\ndata: {named.format(host=host)}\n\n"]
        async with http(url, {"X-Mine": "1"}, transport=transport) as session:
            await session.connect()
            assert (await session.request("ping")).result == {"echo": "ping"}
            assert session.transport.kind == "sse" and session.version == "2024-11-05"
        posts = [request for request in server.requests if request.path == "/gw/messages"]
        assert [json.loads(request.body)["method"] for request in posts] == [
            "initialize", "notifications/initialized", "ping",
        ]  # fmt: skip
        for request in posts:
            assert request.headers["x-mine"] == "1" and request.headers["content-type"] == "application/json"
            assert "mcp-protocol-version" not in request.headers
        stream = next(request for request in server.requests if request.method == "GET")
        assert stream.headers["accept"] == "text/event-stream" and stream.headers["x-mine"] == "1"


async def test_every_frame_and_exchange_is_in_the_traffic() -> None:
    traffic = Traffic.in_memory()
    async with old() as (url, _), http(url, transport="sse", traffic=traffic) as session:
        await session.connect()
        await session.request("ping")
    traffic.advance()
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    frames = [(row.channel, row.kind) for row in rows if row.channel in ("c2s", "s2c")]
    assert frames == [
        ("c2s", "request"), ("s2c", "response"), ("c2s", "notification"), ("c2s", "request"), ("s2c", "response"),
    ]  # fmt: skip
    exchanges = {row.exchange: traffic.exchange(row.number) for row in rows if row.exchange}
    stream, *posts = [exchange for _, exchange in sorted(exchanges.items()) if exchange is not None]
    assert stream.method == "GET" and stream.status == 200 and stream.outcome == "closed by us"
    assert [(field, value) for _, field, value in stream.events] == [
        ("comment", "hello"), ("event endpoint", "messages?sid=1"),
    ]  # fmt: skip
    assert len(stream.frames) == 2
    assert [(post.method, post.status, post.body) for post in posts] == [("POST", 202, b"Accepted")] * 3
    assert dict(posts[0].request_headers)["User-Agent"] == "mcp-inspect"


@pytest.mark.parametrize("transport", EVERY)
async def test_another_origin_is_refused_with_both_addresses(transport: str) -> None:
    async with old() as (url, server):
        server.endpoint = ["event: endpoint\ndata: http://0.0.0.0:1/messages\n\n"]
        failure = await failure_of(url, transport, connect_timeout=20)
        assert failure.kind == "redirect"
        assert url in failure.message and "http://0.0.0.0:1/messages" in failure.message
        assert failure.hint is not None and "--message-url /messages;" in failure.hint
        assert not [request for request in server.requests if request.path == "/messages"]


@pytest.mark.parametrize("transport", EVERY)
@pytest.mark.parametrize("named", ["http://0.0.0.0:1/gw/messages?sid=1", "/messages?sid=1"])
@pytest.mark.parametrize(
    "given", ["messages", "/gw/messages", "http://{host}/gw/messages", "/gw/messages?sid=1"]
)
async def test_a_message_url_of_the_user_stands_in_place_of_the_path_that_is_named(
    transport: str, named: str, given: str
) -> None:
    async with old() as (url, server):
        server.endpoint = [f"event: endpoint\ndata: {named}\n\n"]
        settings = {"message_url": given.format(host=url.split("/")[2])}
        async with http(url, transport=transport, settings=settings) as session:
            await session.connect()
            assert (await session.request("ping")).result == {"echo": "ping"}


@pytest.mark.parametrize("given", ["http://0.0.0.0:1/messages", "https://127.0.0.1/messages", "http://["])
async def test_a_message_url_leads_to_no_other_origin(given: str) -> None:
    async with old() as (url, server), http(url, transport="sse", settings={"message_url": given}) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "config" and server.requests == []


@pytest.mark.parametrize("data", ["", "http://[", "//[oops"])
async def test_an_endpoint_that_is_no_url_is_told(data: str) -> None:
    async with old() as (url, server):
        server.endpoint = [f"event: endpoint\ndata: {data}\n\n"]
        failure = await failure_of(url, connect_timeout=20)
        assert failure.kind == "protocol" and "endpoint event" in failure.message


async def test_what_never_comes_is_named() -> None:
    async with old() as (url, server):
        server.endpoint = [frame(method="notifications/message", params={})]
        for transport in ("sse", "auto"):
            failure = await failure_of(url, transport, connect_timeout=0.5)
            assert failure.kind == "timeout" and "no endpoint event" in failure.message


@pytest.mark.parametrize("transport", EVERY)
async def test_an_answer_that_never_comes_on_the_stream_is_told(transport: str) -> None:
    async with old() as (url, server):
        server.post = lambda request, message: Response(202) if request.path == "/gw/messages" else None
        failure = await failure_of(url, transport, connect_timeout=0.5)
        assert failure.kind == "timeout" and "no answer came on the event stream" in failure.message
        assert url.replace("sse", "messages?sid=1") in failure.message


async def test_a_stream_that_ends_before_the_endpoint_event() -> None:
    async with old() as (url, server):
        server.endpoint = []
        server.stream.put_nowait(None)
        failure = await failure_of(url, connect_timeout=20)
        assert failure.kind == "stream" and "before the endpoint event" in failure.message


async def test_a_late_endpoint_is_waited_for() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        server.endpoint = []
        opening = asyncio.ensure_future(session.connect())
        while not server.requests:
            await asyncio.sleep(0)
        server.stream.put_nowait("event: endpoint\ndata: messages?sid=1\n\n")
        await opening
        assert session.steps.steps[0].outcome.endswith("/gw/messages?sid=1")


async def test_a_second_endpoint_is_where_messages_go_from_then_on() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        server.post = lambda request, message: (
            server.stream.put_nowait(frame(id=message["id"], result=request.path)) or Response(200)
            if request.path == "/two" and "id" in message
            else None
        )
        server.stream.put_nowait("event: endpoint\ndata: /two\n\n" + frame(method="notifications/x"))
        while session.transport.endpoint.endswith("sid=1"):  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        assert (await session.request("ping")).result == "/two"


@pytest.mark.parametrize("transport", EVERY)
async def test_a_path_that_the_gateway_does_not_know_is_told_with_both_urls(transport: str) -> None:
    async with old() as (url, server):
        server.endpoint = ["event: endpoint\ndata: /messages?sid=1\n\n"]
        failure = await failure_of(url, transport, connect_timeout=20)
        assert failure.kind == "http" and failure.http_status == 404
        assert "/messages?sid=1" in failure.message and url in failure.message
        assert "gateway" in (failure.hint or "")


@pytest.mark.parametrize("status", [200, 202, 204])
async def test_any_2xx_accepts_a_message(status: int) -> None:
    def post(request: Request, message: dict[str, Any]) -> Response | None:
        if request.path != "/gw/messages":
            return None
        if "id" in message:
            server.stream.put_nowait(frame(id=message["id"], result=server.result(message)))
        return Response(status)

    async with old() as (url, server), http(url, transport="sse") as session:
        server.post = post
        await session.connect()
        assert (await session.request("ping")).failure is None


async def test_an_answer_in_the_body_of_the_post_is_taken() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        server.post = lambda request, message: Response(
            200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"in": "body"}}).encode()
        )
        assert (await session.request("ping")).result == {"in": "body"}


async def test_a_refused_message_fails_its_request_alone() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        server.post = lambda request, message: (
            Response(413, b"too long") if message.get("method") == "big" else None
        )
        with pytest.raises(Failed) as failed:
            await session.request("big")
        assert failed.value.failure.http_status == 413 and "too long" in failed.value.failure.message
        assert (await session.request("ping")).failure is None
        error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "too many at once"}}
        server.post = lambda request, message: Response(400, json.dumps(error).encode())
        answer = await session.request("ping")
        assert answer.failure is not None and "too many at once" in answer.failure.message
        assert answer.http_status == 400


def cut(server: Old, *methods: str) -> None:
    """Its stream ends, once, in the place of the answer to each of these."""
    left = list(methods)

    def post(request: Request, message: dict[str, Any]) -> Response | None:
        if message.get("method") not in left:
            return None
        left.remove(message["method"])
        server.stream.put_nowait(None)
        return Response(202)

    server.post = post


def asked(server: Old) -> list[str]:
    """What the server got, in order: methods of messages, and GET for a stream."""
    bodies = [json.loads(request.body)["method"] if request.body else "GET" for request in server.requests]
    return [name for name in bodies if name != "notifications/initialized"]


@pytest.mark.parametrize("transport", EVERY)
async def test_a_stream_that_is_cut_is_opened_anew_and_a_read_repeated(transport: str) -> None:
    traffic = Traffic.in_memory()
    async with old() as (url, server), http(url, transport=transport, traffic=traffic) as session:
        server.post = lambda request, message: Response(405) if request.path == "/gw/sse" else None
        await session.connect()
        server.requests.clear()
        cut(server, "tools/list")
        assert (await session.request("tools/list")).result == {"echo": "tools/list"}
        assert asked(server) == ["tools/list", "GET", "initialize", "tools/list"]
        assert session.failure is None and any("new one was opened" in told for told in session.warnings)
    traffic.advance()
    said = [str(traffic.row(number)) for number in range(traffic.first, traffic.end)]
    assert any("ended after the endpoint event" in text for text in said)


async def test_a_call_is_not_repeated_on_a_new_stream() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        server.requests.clear()
        cut(server, "tools/call")
        with pytest.raises(Failed) as failed:
            await session.request("tools/call")
        assert failed.value.failure.kind == "stream" and "call again" in (failed.value.failure.hint or "")
        assert (await session.request("tools/call")).result == {"echo": "tools/call"}
        assert asked(server) == ["tools/call", "GET", "initialize", "tools/call"]


async def test_a_stream_that_ends_while_nothing_is_asked_is_opened_anew_at_once() -> None:
    renewed = asyncio.Event()
    async with old() as (url, server), http(url, transport="sse", renewed=renewed.set) as session:
        await session.connect()
        server.stream.put_nowait(None)
        async with asyncio.timeout(20):
            await renewed.wait()
        assert (await session.request("tools/call")).result == {"echo": "tools/call"}


async def test_a_stream_that_always_ends_is_not_opened_for_ever() -> None:
    ended: list[Failure] = []
    async with old() as (url, server), http(url, transport="sse", ended=ended.append) as session:
        await session.connect()
        server.requests.clear()
        cut(server, "tools/list", "tools/list", "tools/list")
        with pytest.raises(Failed) as failed:
            await session.request("tools/list")
        assert failed.value.failure.kind == "stream"
        assert ended == [session.failure] == [failed.value.failure]
        assert asked(server) == ["tools/list", "GET", "initialize", "tools/list"]


@pytest.mark.parametrize("method", ["tools/list", "tools/call"])
async def test_a_server_that_is_gone_ends_what_waits_and_the_connection(method: str) -> None:
    ended: list[Failure] = []
    async with old() as (url, server), http(url, transport="sse", ended=ended.append) as session:
        await session.connect()
        cut(server, method)
        server.get = lambda request: Response(503, b"shutting down")
        with pytest.raises(Failed) as failed:
            await session.request(method)
        assert ended == [failed.value.failure] and failed.value.failure.kind == "stream"
        assert "ended after the endpoint event" in failed.value.failure.message
        assert "connecting again failed" in failed.value.failure.message
        with pytest.raises(Failed):
            await session.request("ping")


async def test_a_session_that_the_endpoint_no_longer_knows_is_opened_anew() -> None:
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        await session.request("ping")
        server.requests.clear()
        forgotten = [Response(404, b"Could not find session")]
        server.post = lambda request, message: (
            forgotten.pop() if forgotten and message["method"] == "tools/list" else None
        )
        assert (await session.request("tools/list")).result == {"echo": "tools/list"}
        assert asked(server) == ["tools/list", "GET", "initialize", "tools/list"]


async def test_closing_does_not_wait_for_a_new_stream() -> None:
    reached = asyncio.Event()
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        server.endpoint = []
        server.get = lambda request: reached.set()  # type: ignore[func-returns-value]
        server.stream.put_nowait(None)
        async with asyncio.timeout(20):
            await reached.wait()
            await session.close()


async def test_requests_of_the_server_are_answered_by_post() -> None:
    answered: asyncio.Queue[Any] = asyncio.Queue()
    async with old() as (url, server), http(url, transport="sse") as session:
        await session.connect()
        await session.request("ping")
        server.post = lambda request, message: answered.put_nowait(message) or Response(202)
        server.stream.put_nowait(frame(id="s1", method="ping"))
        assert await answered.get() == {"jsonrpc": "2.0", "id": "s1", "result": {}}


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Response(200, b"<title>Sign in</title>", (("Content-Type", "text/html"),)), "not_mcp", "Sign in"),
        (Response(404, b"nope"), "http", "404"),
        (Response(401, b"", (("WWW-Authenticate", 'Bearer error="x"'),)), "auth", "401"),
        (Response(302, b"", (("Location", "http://elsewhere.test/"),)), "redirect", "elsewhere.test"),
    ],
)
async def test_a_get_that_is_no_event_stream(answer: Response, kind: str, words: str) -> None:
    async with old() as (url, server):
        server.get = lambda request: answer
        failure = await failure_of(url, connect_timeout=20)
        assert failure.kind == kind and words in failure.message and failure.hint


async def test_redirects_on_the_same_origin_move_the_base_of_the_endpoint() -> None:
    async with old() as (url, server), http(url.replace("/gw/", "/"), transport="sse") as session:

        def moved(request: Request, message: dict[str, Any]) -> Response | None:
            return Response(307, b"", (("Location", "/gw/sse"),)) if request.path == "/sse" else None

        server.post = moved
        await session.connect()
        assert session.transport.endpoint == url.replace("/gw/sse", "/gw/messages?sid=1")  # type: ignore[attr-defined]


@pytest.mark.parametrize("status", [400, 404, 405])
@pytest.mark.parametrize("protocol", ["legacy", "auto"])
async def test_a_url_without_a_type_is_posted_to_first(status: int, protocol: str) -> None:
    options = Options(protocol=protocol, connect_timeout=20)
    async with old() as (url, server), http(url, options=options, transport="auto") as session:
        server.post = lambda request, message: Response(status) if request.path == "/gw/sse" else None
        await session.connect()
        probe = [] if protocol == "legacy" else ["era probe"]
        assert [request.method for request in server.requests][:3] == [
            "POST",
            *["POST" for _ in probe],
            "GET",
            "POST",
        ][:3]
        assert [step.step for step in session.steps.steps] == [
            "connect", *probe, "handshake", "other transport", "first JSON", "handshake", "version",
        ]  # fmt: skip
        refused, other = session.steps.steps[1 + len(probe) : 3 + len(probe)]
        assert not refused.ok and str(status) in refused.outcome
        assert other.ok and other.outcome.startswith("HTTP+SSE") and "/gw/messages" in other.outcome


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
async def test_what_is_no_word_about_the_transport_is_told_as_it_is(status: int) -> None:
    async with old() as (url, server):
        server.post = lambda request, message: Response(status)
        failure = await failure_of(url, "auto", connect_timeout=20)
        assert failure.http_status == status
        assert [request.method for request in server.requests] == ["POST"]


@pytest.mark.parametrize("transport", EVERY)
@pytest.mark.parametrize("protocol", ["modern", "2026-07-28"])
async def test_who_insists_on_the_modern_era_hears_that_this_transport_has_none_of_it(
    transport: str, protocol: str
) -> None:
    async with old() as (url, _):
        failure = await failure_of(url, transport, protocol=protocol, connect_timeout=20)
        assert failure.kind == "version" and "HTTP+SSE, which ended before 2026-07-28" in failure.message
        assert failure.hint is not None and "--protocol legacy" in failure.hint


async def test_where_neither_is_there_both_reasons_are_told() -> None:
    async with old() as (url, server):
        server.get = lambda request: Response(405)
        failure = await failure_of(url, "auto", connect_timeout=20)
        assert "HTTP 404 to POST" in failure.message and "HTTP 405 to GET" in failure.message
        failure = await failure_of(url, "auto-sse", connect_timeout=20)
        assert failure.http_status == 404


async def test_a_version_that_is_refused_is_not_asked_for_elsewhere() -> None:
    async with old() as (url, server):
        error = {
            "jsonrpc": "2.0",
            "id": 0,
            "error": {"code": -32602, "message": "no", "data": {"supported": ["1"]}},
        }
        server.post = lambda request, message: Response(400, json.dumps(error).encode())
        failure = await failure_of(url, "auto", connect_timeout=20)
        assert failure.kind == "version" and [request.method for request in server.requests] == ["POST"]


async def test_sse_first_goes_on_by_post_where_get_is_refused() -> None:
    def post(request: Request, message: dict[str, Any]) -> Response | None:
        if "id" not in message:
            return Response(202)
        body = {"jsonrpc": "2.0", "id": message["id"], "result": server.result(message)}
        return Response(200, json.dumps(body).encode(), (("Content-Type", "application/json"),))

    async with old() as (url, server), http(url, transport="auto-sse") as session:
        server.get, server.post = lambda request: Response(405), post
        await session.connect()
        assert session.transport.kind == "http"
        assert "HTTP 405 to GET" in session.steps.steps[0].outcome


async def test_a_dead_port_is_tried_once() -> None:
    for transport in EVERY:
        assert (await failure_of("http://127.0.0.1:1/sse", transport, connect_timeout=20)).kind == "refused"
