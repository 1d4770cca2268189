"""Streamable HTTP against servers on loopback that keep the rules, and against those that do not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from live import http

from inspector import demo
from inspector.base.errors import Failed, Failure
from inspector.session.inbox import Inbox
from inspector.session.responders import AskPerson
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.base import Written
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

Answer = Response | StreamingResponse


def result(request: dict[str, Any]) -> dict[str, Any]:
    if request["method"] == "initialize":
        return {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "fixture", "version": "1"},
        }
    if request["method"] == "tools/list":
        return {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
    return {"content": []}


def as_json(message: Any, status: int = 200, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(
        status, json.dumps(message).encode(), (("Content-Type", "application/json"), *named.items())
    )


class Server:
    """Answers as a good server does; `odd` may answer in its place, by returning something."""

    def __init__(self, odd: Callable[[Request, dict[str, Any]], Answer | None]) -> None:
        self.odd = odd
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Answer:
        self.requests.append(request)
        message = json.loads(request.body) if request.body else {}
        answer = self.odd(request, message)
        if answer is not None:
            return answer
        if request.method != "POST":
            return Response(405)
        if "id" not in message:
            return Response(202)
        return as_json({"jsonrpc": "2.0", "id": message["id"], "result": result(message)})


@asynccontextmanager
async def served(
    odd: Callable[[Request, dict[str, Any]], Answer | None],
) -> AsyncIterator[tuple[str, Server]]:
    handler = Server(odd)
    async with serve(handler) as server:
        yield f"{server.url}/mcp", handler


async def failure_of(odd: Callable[[Request, dict[str, Any]], Answer | None], **options: Any) -> Failure:
    """What a connection ends with."""
    async with (
        served(odd) as (url, _),
        http(url, options=Options(**{"protocol": "legacy", **options})) as session,
    ):
        with pytest.raises(Failed) as failed:
            await session.connect()
    return failed.value.failure


async def test_headers_and_order_of_a_whole_session() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "initialize":
            return as_json(
                {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}, Mcp_Session_Id="s!1~'()*"
            )
        return None

    async with served(odd) as (url, server), http(url, {"X-Mine": "1"}) as session:
        await session.connect()
        assert (await session.request("tools/call", {"name": "t"})).failure is None
        closed = await session.close()
    assert closed.how == "DELETE 405"
    assert [request.method for request in server.requests] == ["POST", "POST", "GET", "POST", "DELETE"]
    first, initialized, stream, call, delete = (request.headers for request in server.requests)
    assert (
        first["accept"] == "application/json, text/event-stream"
        and first["content-type"] == "application/json"
    )
    assert "mcp-session-id" not in first and "mcp-protocol-version" not in first
    for headers in (initialized, stream, call, delete):
        assert headers["mcp-session-id"] == "s!1~'()*" and headers["mcp-protocol-version"] == "2025-11-25"
        assert headers["x-mine"] == "1"
    assert stream["accept"] == "text/event-stream"


async def test_headers_that_are_written_for_one_request_count_before_all_others() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "initialize":
            return as_json(
                {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}, Mcp_Session_Id="s"
            )
        return Response(404) if request.headers.get("mcp-session-id") != "s" else None

    async with served(odd) as (url, server), http(url, {"X-Mine": "1", "Accept": "text/plain"}) as session:
        await session.connect()
        assert session.due_headers("ping", {})["Mcp-Session-Id"] == "s"
        with pytest.raises(Failed) as gone:
            await session.request(
                "ping", written=Written({"mcp-session-id": "t", "x-mine": "2", "Accept": ""})
            )
        assert gone.value.failure.kind == "session" and not session.warnings, "nothing is renewed"
        assert (await session.request("ping")).failure is None
        session.notify("notifications/x", None, Written({"Mcp-Session-Id": ""}))
    named = [request.headers for request in server.requests if request.body and b"ping" in request.body]
    assert (named[0]["mcp-session-id"], named[0]["x-mine"]) == ("t", "2") and "accept" not in named[0]
    assert (named[1]["mcp-session-id"], named[1]["x-mine"], named[1]["accept"]) == ("s", "1", "text/plain")


async def test_the_version_header_is_sent_only_where_the_version_has_it() -> None:
    async with served(lambda request, message: None) as (url, server):
        async with http(url, options=Options(protocol="2025-03-26")) as session:
            await session.connect()
            await session.request("ping")
        assert "mcp-protocol-version" not in server.requests[-1].headers


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "words"),
    [
        (401, b'{"error":"x"}', {"WWW-Authenticate": 'Bearer error="e", error_description="token expired"'}, "auth",
         "token expired"),
        (403, b"scope admin required", {}, "auth", "scope admin required"),
        (404, b"nope", {}, "http", "404"),
        (405, b"", {}, "http", "405"),
        (406, b"", {}, "http", "406"),
        (415, b"", {}, "http", "415"),
        (502, b"<html><title>Bad Gateway</title>" + b"x" * 50_000, {}, "http", "Bad Gateway"),
        (200, b"<title>Sign in</title>", {"Content-Type": "text/html"}, "not_mcp", "Sign in"),
        (200, b'{"jsonrpc": "2.0", "id": 0, ', {"Content-Type": "application/json"}, "protocol", "not JSON"),
        (202, b"", {}, "protocol", "without an answer"),
        (302, b"", {"Location": "http://elsewhere.test/login"}, "redirect", "elsewhere.test"),
        (308, b"", {"Location": "http://elsewhere.test/mcp"}, "redirect", "elsewhere.test"),
    ],
)  # fmt: skip
async def test_what_a_status_says_about_a_connection(
    status: int, body: bytes, headers: dict[str, str], kind: str, words: str
) -> None:
    failure = await failure_of(lambda request, message: Response(status, body, tuple(headers.items())))
    assert failure.kind == kind and words in failure.message
    assert failure.hint
    assert failure.http_status == status


async def test_a_json_rpc_error_in_a_non_2xx_answer_is_that_error() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer:
        return as_json(
            {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": "db down"}}, 500
        )

    failure = await failure_of(odd)
    assert (failure.kind, failure.code, failure.message) == ("rpc", -32603, "db down")
    assert failure.http_status == 500


async def test_an_error_without_id_belongs_to_the_request_of_its_exchange() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("params", {}).get("name") == "bad":
            return as_json(
                {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no id here"}}, 400
            )
        return None

    async with served(odd) as (url, _), http(url) as session:
        await session.connect()
        good, bad = await asyncio.gather(
            session.request("tools/call", {"name": "good"}), session.request("tools/call", {"name": "bad"})
        )
        assert good.failure is None
        assert bad.failure is not None and "no id here" in bad.failure.message


async def test_versions_that_an_error_names_are_offered() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer:
        text = "Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2024-11-05)"
        return as_json({"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": text}}, 400)

    failure = await failure_of(odd)
    assert failure.kind == "version" and "2025-06-18, 2024-11-05" in (failure.hint or "")


async def test_redirects_on_the_same_origin_keep_method_body_and_headers() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if request.path == "/mcp":
            return Response(307, b"", (("Location", "/mcp/"),))
        if message.get("method") != "initialize":
            return Response(204) if request.method == "DELETE" else None
        return as_json({"jsonrpc": "2.0", "id": message["id"], "result": result(message)}, Mcp_Session_Id="s")

    async with served(odd) as (url, server), http(url, {"Authorization": "Bearer t"}) as session:
        await session.connect()
        assert (await session.close()).how == "DELETE 204"
    posts = [request for request in server.requests if request.method == "POST" and request.path == "/mcp/"]
    assert posts[0].headers["authorization"] == "Bearer t" and b"initialize" in posts[0].body


async def test_a_redirect_loop_ends() -> None:
    failure = await failure_of(lambda request, message: Response(307, b"", (("Location", "/mcp"),)))
    assert failure.kind == "redirect"


@pytest.mark.parametrize(
    "answer", [Response(200, b"null"), Response(200), Response(204), Response(202, b"Accepted")]
)
async def test_any_2xx_accepts_a_notification(answer: Response) -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        return answer if request.method == "POST" and "id" not in message else None

    traffic = Traffic.in_memory()
    async with served(odd) as (url, _), http(url, traffic=traffic) as session:
        await session.connect()
        session.notify("notifications/x")
        assert (await session.request("ping")).failure is None
    told = [raw.decode() for raw in traffic.raws(traffic.first, traffic.end) if b"was accepted by" in raw]
    assert (
        len(told) == 1 and f"HTTP {answer.status}" in told[0] and ("a body" in told[0]) == bool(answer.body)
    )


@pytest.mark.parametrize("status", [200, 400, 404, 405, 500])
async def test_a_refused_server_stream_is_asked_for_once(status: int) -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        return Response(status, b"no") if request.method == "GET" else None

    async with served(odd) as (url, server), http(url) as session:
        await session.connect()
        assert session.steps.steps[-1].outcome.startswith("none offered")
        for _ in range(5):
            await session.request("ping")
        assert [request.method for request in server.requests].count("GET") == 1


def sessions_that_die(gone: Callable[[], Response]) -> Callable[[Request, dict[str, Any]], Answer | None]:
    """A server whose first session dies with the first call."""
    made: list[str] = []

    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "initialize":
            assert "mcp-session-id" not in request.headers
            made.append(f"s{len(made) + 1}")
            return as_json(
                {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}, Mcp_Session_Id=made[-1]
            )
        if request.headers.get("mcp-session-id") == "s1" and message.get("method") in (
            "tools/call",
            "tools/list",
        ):
            return gone()
        return None

    return odd


GONE = [
    lambda: Response(404, b"Session not found"),
    lambda: as_json(
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Session not found"}}, 404
    ),
    lambda: as_json(
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "No valid session ID"}}, 400
    ),
]


@pytest.mark.parametrize("gone", GONE)
async def test_a_read_is_repeated_in_a_new_session(gone: Callable[[], Response]) -> None:
    async with served(sessions_that_die(gone)) as (url, _), http(url) as session:
        await session.connect()
        listing = await session.list("tools")
        assert listing.failure is None and len(listing.entries) == 1
        assert "forgot the session" in session.warnings[0]
        gone_through = [each.state for each in session.states.entered]
        assert gone_through == ["NEW", "INITIALIZING", "READY", "INITIALIZING", "READY"]


@pytest.mark.parametrize("gone", GONE)
async def test_a_call_is_not_repeated_but_the_next_one_works(gone: Callable[[], Response]) -> None:
    async with served(sessions_that_die(gone)) as (url, server), http(url) as session:
        await session.connect()
        with pytest.raises(Failed) as failed:
            await session.request("tools/call", {"name": "t"})
        assert failed.value.failure.kind == "session" and "call again" in (failed.value.failure.hint or "")
        assert (await session.request("tools/call", {"name": "t"})).failure is None
        bodies = [json.loads(request.body).get("method") for request in server.requests if request.body]
        assert bodies.count("initialize") == 2 and bodies.count("tools/call") == 2


async def test_an_unknown_method_is_no_dead_session() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "initialize":
            return as_json(
                {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}, Mcp_Session_Id="s"
            )
        if message.get("method") == "x":
            return as_json(
                {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "what?"}}, 404
            )
        return None

    async with served(odd) as (url, _), http(url) as session:
        await session.connect()
        answer = await session.request("x")
        assert answer.failure is not None and answer.failure.code == -32601


def events(*parts: str, hold: asyncio.Event | None = None) -> StreamingResponse:
    async def body() -> AsyncIterator[bytes]:
        for part in parts:
            for start in range(0, len(part.encode()), 7):
                yield part.encode()[start : start + 7]
        if hold is not None:
            await hold.wait()

    return StreamingResponse(body(), 200, (("Content-Type", "text/event-stream;charset=UTF-8"),))


async def test_an_event_stream_with_every_liberty_is_understood() -> None:
    seen: list[Any] = []

    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") != "tools/call":
            return None
        note = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "n"}})
        answer = json.dumps(
            {"jsonrpc": "2.0", "id": message["id"], "result": {"t": "a\u2028b\u0085é😀"}}, ensure_ascii=False
        )
        head, tail = answer.split(",", 1)
        return events(
            ": hello\n\nid: 0\nretry: 5\ndata:\n\n", "event: ping\ndata: now\n\n",
            f"event: message\r\ndata:{note}\r\n\r\n",
            f"data: {head},\r\ndata: {tail}\r\nid: 2\r\n\r\n",
        )  # fmt: skip

    async with served(odd) as (url, _), http(url, notified=seen.append) as session:
        await session.connect()
        answer = await session.request("tools/call", {"name": "t"})
        assert answer.result == {"t": "a\u2028b\u0085é😀"}
        assert [message.method for message in seen] == ["notifications/message"]


async def test_a_stream_that_ends_without_the_answer_fails_the_call_at_once() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        return events(": nothing\n\n") if message.get("method") == "tools/call" else None

    async with served(odd) as (url, _), http(url) as session:
        await session.connect()
        with pytest.raises(Failed) as failed:
            await session.request("tools/call", {"name": "t"})
        assert failed.value.failure.kind == "stream" and "without a response" in failed.value.failure.message


async def page(request: Request) -> Response:
    return Response(502, b"<h1>Bad Gateway</h1>", (("Content-Type", "text/html"),))


async def test_what_ended_a_request_without_an_answer_is_in_the_traffic() -> None:
    traffic = Traffic.in_memory()
    async with serve(page) as server, http(server.url, traffic=traffic) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    traffic.advance()
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    told = [row.summary for row in rows if row.channel == "sys"]
    assert told == [f"no answer to initialize: {failed.value.failure.message}"] and "502" in told[0]


async def test_silence_after_the_head_is_named() -> None:
    hold = asyncio.Event()
    failure = await failure_of(lambda request, message: events(hold=hold), connect_timeout=0.5)
    hold.set()
    assert failure.kind == "timeout" and "HTTP 200 came, then nothing more" in failure.message


async def test_an_answer_may_come_on_the_stream_of_the_server() -> None:
    waiting: asyncio.Queue[str] = asyncio.Queue()

    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if request.method == "GET":

            async def body() -> AsyncIterator[bytes]:
                yield b": open\n\n"
                yield f"data: {await waiting.get()}\n\n".encode()
                await asyncio.Event().wait()

            return StreamingResponse(body(), 200, (("Content-Type", "text/event-stream"),))
        if message.get("method") == "tools/call":
            waiting.put_nowait(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"from": "GET"}}))
            return events(": see the other stream\n\n", hold=asyncio.Event())
        return None

    async with served(odd) as (url, _), http(url) as session:
        await session.connect()
        assert (await session.request("tools/call", {"name": "t"})).result == {"from": "GET"}


async def test_nobody_listens_no_name_no_tls() -> None:
    for url, kind in (
        ("http://127.0.0.1:1/mcp", "refused"),
        ("ftp://127.0.0.1/", "config"),
        ("http://", "config"),
    ):
        async with http(url) as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
            assert failed.value.failure.kind == kind
    async with (
        served(lambda request, message: None) as (url, _),
        http(url.replace("http:", "https:")) as session,
    ):
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "tls" and "http://" in (failed.value.failure.hint or "")


async def test_a_dead_proxy_does_not_stand_before_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    async with served(lambda request, message: None) as (url, _), http(url) as session:
        await session.connect()


async def test_the_demo_library_works_as_a_whole() -> None:
    async with demo.hosted() as url, http(url) as session:
        await session.connect()
        listings = await session.lists()
        assert {kind: listing.failure for kind, listing in listings.items()} == dict.fromkeys(listings)
        assert len(listings) == 4 and session.steps.steps[-5].outcome == "open"
        assert (await session.close()).how.startswith("DELETE 20")


async def test_headers_of_any_bytes_go_out_as_they_came() -> None:
    named = b"s\xff\xc3\xa9".decode("latin-1")

    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "initialize":
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result(message)}
            return as_json(answer, Mcp_Session_Id=named)
        return None

    async with served(odd) as (url, server), http(url, {"X-Name": "é漢"}) as session:
        await session.connect()
        assert (await session.request("tools/list", {})).failure is None
    last = dict(server.requests[-1].headers)
    assert server.requests[-1].method == "DELETE"
    assert last["mcp-session-id"].encode("latin-1") == named.encode("latin-1")
    assert last["x-name"].encode("latin-1").decode() == "é漢"


async def test_an_answer_to_another_request_is_told_at_once() -> None:
    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        return as_json({"jsonrpc": "2.0", "id": 999, "result": {}}) if "id" in message else None

    failure = await failure_of(odd)
    assert failure.kind == "protocol" and "another id" in failure.message


async def test_a_proxy_that_does_not_answer_is_named_and_its_password_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_PROXY", "no_proxy", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://user:password1@127.0.0.1:1")
    async with http("http://server.test/mcp") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert failure.kind == "proxy" and "127.0.0.1:1" in failure.message and "server.test" in failure.message
    assert "password1" not in failure.message


async def test_a_kind_of_proxy_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "zorp://127.0.0.1:1")
    async with http("http://server.test/mcp") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "proxy"


async def test_what_only_the_http_library_refuses_fails_the_request_and_nothing_else() -> None:
    async with (
        served(lambda request, message: None) as (url, _),
        http(url, {"Content-Length": "3"}) as session,
    ):
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "stream"


async def test_an_answer_that_does_not_arrive_is_not_called_given() -> None:
    hold = asyncio.Event()
    question = {"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "Which?"}}

    def odd(request: Request, message: dict[str, Any]) -> Answer | None:
        if message.get("method") == "tools/call":
            return events(f"data: {json.dumps(question)}\n\n", hold=hold)
        if message.get("id") == "q":
            return Response(500, body=b"the session has moved")
        return None

    inbox = Inbox(AskPerson())
    arrived, lost = asyncio.Event(), asyncio.Event()
    inbox.arrived = lambda question: arrived.set()
    async with served(odd) as (url, _), http(url, inbox=inbox) as session:
        await session.connect()
        call = asyncio.ensure_future(session.request("tools/call", {"name": "any"}))
        async with asyncio.timeout(20):
            await arrived.wait()
            (asked,) = inbox.open
            asked.settle({"action": "decline"})
            assert asked.state == "declined"
            inbox.changed = lost.set
            await lost.wait()
        assert asked.state == "lost"
        assert "did not arrive: HTTP 500" in asked.reason and "the session has moved" in asked.reason
        hold.set()
        with pytest.raises(Failed):
            await call
