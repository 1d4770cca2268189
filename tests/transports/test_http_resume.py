"""Streams that end early: where they are taken up again, when, how often; and arrays of messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from live import http

from inspector.base.errors import Failed
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports import sse
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

EVENTS = (("Content-Type", "text/event-stream"),)
JSON = (("Content-Type", "application/json"),)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "_BACK_OFF", (0.0,))
    monkeypatch.setattr(sse, "_SHORTEST", 0.0)


def stream(*parts: str, broken: bool = False, hold: asyncio.Event | None = None) -> StreamingResponse:
    async def body() -> AsyncIterator[bytes]:
        for part in parts:
            yield part.encode()
        if broken:
            raise ConnectionResetError
        if hold is not None:
            await hold.wait()

    return StreamingResponse(body(), 200, EVENTS)


def event(message: Any, id: str = "") -> str:
    return (f"id: {id}\n" if id else "") + f"data: {json.dumps(message)}\n\n"


class Server:
    """Answers calls as `call` says, and GET as `get` does; `listens` are GETs without and `resumes` those with a
    Last-Event-ID."""

    def __init__(self) -> None:
        self.call: Callable[[dict[str, Any]], Any] = lambda message: None
        self.get: Callable[[str | None], Any] = lambda last: Response(405)
        self.calls: list[dict[str, Any]] = []
        self.answers: asyncio.Queue[Any] = asyncio.Queue()
        self.listens = 0
        self.resumes: list[str] = []

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        if request.method == "GET":
            last = request.headers.get("last-event-id")
            if last is None:
                self.listens += 1
            else:
                self.resumes.append(last)
                assert request.headers["mcp-session-id"] == "s1"
                assert request.headers["accept"] == "text/event-stream"
            return self.get(last)
        message = json.loads(request.body) if request.body else {}
        if isinstance(message, list) or "method" not in message:
            self.answers.put_nowait(message)
            return Response(202)
        if "id" not in message:
            return Response(202)
        if message["method"] == "initialize":
            asked = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {}}
            body = {"jsonrpc": "2.0", "id": message["id"], "result": asked | {"serverInfo": {"name": "r"}}}
            return Response(200, json.dumps(body).encode(), (*JSON, ("Mcp-Session-Id", "s1")))
        self.calls.append(message)
        return self.call(message)


@asynccontextmanager
async def connected(protocol: str = "legacy", **settings: Any) -> AsyncIterator[tuple[Any, Server]]:
    handler = Server()
    async with (
        serve(handler) as server,
        http(
            f"{server.url}/mcp", options=Options(protocol=protocol, connect_timeout=20), **settings
        ) as session,
    ):
        yield session, handler


@pytest.mark.parametrize("protocol", ["2025-03-26", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("broken", [False, True])
async def test_a_stream_that_ends_early_is_taken_up_after_the_last_event(protocol: str, broken: bool) -> None:
    traffic = Traffic.in_memory()
    seen: list[str | None] = []
    async with connected(protocol, traffic=traffic, notified=lambda message: seen.append(message.method)) as (
        session,
        server,
    ):
        await session.connect()
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}
        server.call = lambda message: stream("id: e1\nretry: 30\ndata:\n\n", event(note, "e2"), broken=broken)
        server.get = lambda last: stream(
            event({"jsonrpc": "2.0", "id": server.calls[-1]["id"], "result": {"after": last}}, "e3")
        )
        answer = await session.request("tools/call", {"name": "t"})
        assert answer.result == {"after": "e2"} and answer.http_status == 200
        assert server.resumes == ["e2"] and len(server.calls) == 1
        assert seen == ["notifications/message"]
        exchange = traffic.exchange(answer.sent_row)
        assert exchange is not None and exchange.method == "POST"
        told = [(field, value) for _, field, value in exchange.events if field in ("retry", "resume")]
        assert told == [("retry", "30"), ("resume", "GET with Last-Event-ID e2 in 30 ms")]
        resumed = traffic.exchange(answer.row)
        assert resumed is not None and resumed.method == "GET"
        assert dict(resumed.request_headers)["Last-Event-ID"] == "e2"


async def test_a_stream_is_taken_up_as_long_as_that_brings_events() -> None:
    traffic = Traffic.in_memory()
    async with connected(traffic=traffic) as (session, server):
        await session.connect()
        server.call = lambda message: stream("id: 0\ndata:\n\n")

        def get(last: str | None) -> Any:
            number = int(last or 0) + 1
            if number < 9:
                return stream(f"id: {number}\nretry: 1\ndata:\n\n")
            return stream(event({"jsonrpc": "2.0", "id": server.calls[-1]["id"], "result": {}}))

        server.get = get
        assert (await session.request("tools/call")).failure is None
        assert server.resumes == [str(number) for number in range(9)]
    told = [raw for raw in traffic.raws(traffic.first, traffic.end) if b"it is taken up again" in raw]
    assert len(told) == 1


async def test_a_stream_whose_rest_never_comes_is_given_up() -> None:
    async with connected() as (session, server):
        await session.connect()
        server.call = lambda message: stream("id: 0\ndata:\n\n")
        server.get = lambda last: stream()
        with pytest.raises(Failed) as failed:
            await session.request("tools/call")
        assert failed.value.failure.kind == "stream" and "without a response" in failed.value.failure.message
        assert len(server.resumes) == 5 and len(server.calls) == 1


@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (Response(404, b"unknown event"), "HTTP 404"),
        (Response(405), "HTTP 405"),
        (Response(200, b"hello", (("Content-Type", "text/plain"),)), "HTTP 200 text/plain"),
    ],
)
async def test_a_server_that_refuses_the_rest_is_asked_once(refusal: Response, words: str) -> None:
    async with connected() as (session, server):
        await session.connect()
        server.call = lambda message: stream("id: 0\ndata:\n\n")
        server.get = lambda last: refusal
        with pytest.raises(Failed) as failed:
            await session.request("tools/call")
        assert words in failed.value.failure.message
        assert server.resumes == ["0"] and len(server.calls) == 1


async def test_a_stream_without_ids_is_not_asked_for() -> None:
    async with connected() as (session, server):
        await session.connect()
        server.call = lambda message: stream(": nothing\n\n", "retry: 1\ndata:\n\n")
        server.get = lambda last: stream()
        with pytest.raises(Failed):
            await session.request("tools/call")
        assert server.resumes == []


async def test_what_was_answered_elsewhere_is_not_asked_for_again() -> None:
    own: asyncio.Queue[str] = asyncio.Queue()

    def listening(last: str | None) -> StreamingResponse:
        async def body() -> AsyncIterator[bytes]:
            yield b": open\n\n"
            while True:
                yield (await own.get()).encode()

        return StreamingResponse(body(), 200, EVENTS)

    def call(message: dict[str, Any]) -> StreamingResponse:
        hold = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, hold.set)
        own.put_nowait(event({"jsonrpc": "2.0", "id": message["id"], "result": {}}))
        return stream("id: 0\ndata:\n\n", hold=hold)

    async with connected() as (session, server):
        server.get, server.call = listening, call
        await session.connect()
        assert (await session.request("tools/call")).failure is None
        assert (await session.request("tools/call")).failure is None
        await session.close()
        assert server.resumes == [] and server.listens == 1


async def test_the_own_stream_of_the_server_is_taken_up_after_its_last_event() -> None:
    arrived = asyncio.Event()
    asked: list[str | None] = []

    def get(last: str | None) -> Any:
        asked.append(last)
        if last is None:
            return stream("id: a\nretry: 1\ndata:\n\n")
        if last == "a":
            return stream(event({"jsonrpc": "2.0", "method": "notifications/x"}, "b"))
        return stream(hold=asyncio.Event()) if arrived.is_set() else Response(500)

    async with connected(notified=lambda message: arrived.set()) as (session, server):
        server.get = get
        await session.connect()
        await arrived.wait()
        while asked[-1] != "b":
            await asyncio.sleep(0)
        assert asked == [None, "a", "b"]


async def test_a_stream_of_the_server_that_always_ends_at_once_is_given_up() -> None:
    traffic = Traffic.in_memory()
    async with connected(traffic=traffic) as (session, server):
        server.get = lambda last: stream()
        await session.connect()
        while not any(
            b"asked no more" in traffic.raw(number) for number in range(traffic.first, traffic.end)
        ):
            await asyncio.sleep(0.001)
        assert server.listens == 6
        server.call = lambda message: Response(
            200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode(), JSON
        )
        assert (await session.request("tools/call")).failure is None


async def test_requests_on_the_stream_of_the_server_are_answered_by_post() -> None:
    async with connected() as (session, server):
        server.get = lambda last: stream(
            event({"jsonrpc": "2.0", "id": "s", "method": "ping"}), hold=asyncio.Event()
        )
        await session.connect()
        assert await server.answers.get() == {"jsonrpc": "2.0", "id": "s", "result": {}}


@pytest.mark.parametrize(
    ("protocol", "notes"), [("2025-03-26", []), ("2025-06-18", ["sent inside of a batch"])]
)
async def test_an_array_of_answers_is_one_frame_of_several_messages(protocol: str, notes: list[str]) -> None:
    traffic = Traffic.in_memory()
    seen: list[str | None] = []
    async with connected(protocol, traffic=traffic, notified=lambda message: seen.append(message.method)) as (
        session,
        server,
    ):
        await session.connect()
        server.call = lambda message: Response(
            200,
            json.dumps([
                {"jsonrpc": "2.0", "method": "notifications/x"}, 5,
                {"jsonrpc": "2.0", "id": message["id"], "result": {"in": "a batch"}},
            ]).encode(),
            JSON,
        )  # fmt: skip
        answer = await session.request("tools/call")
        assert answer.result == {"in": "a batch"} and answer.notes == notes
        assert seen == ["notifications/x"] and session.noise == 1
        traffic.advance()
        assert traffic.row(answer.row).kind == "batch"


@pytest.mark.parametrize("protocol", ["2025-03-26", "2025-06-18"])
async def test_requests_in_an_array_are_answered_in_one_where_the_version_has_arrays(protocol: str) -> None:
    asked = [{"jsonrpc": "2.0", "id": id, "method": "ping"} for id in ("a", "b")]
    expected = [{"jsonrpc": "2.0", "id": id, "result": {}} for id in ("a", "b")]
    async with connected(protocol) as (session, server):
        server.get = lambda last: stream(event(asked), hold=asyncio.Event())
        await session.connect()
        if protocol == "2025-03-26":
            assert await server.answers.get() == expected
        else:
            answers = [await server.answers.get(), await server.answers.get()]
            assert sorted(answers, key=lambda answer: answer["id"]) == expected
