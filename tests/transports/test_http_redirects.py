"""Servers that send their clients to another origin: refused by default; where it is allowed, nothing that the user
gave for the one origin is told to the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from command import inspect
from live import http

from inspector.base.errors import Failed
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

JSON, STREAM = ("Content-Type", "application/json"), ("Content-Type", "text/event-stream")


class There:
    """The other origin: a server of sessions at /mcp, and of HTTP+SSE at /sse."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        self.requests.append(request)
        if request.method == "GET" and request.path == "/sse":
            return StreamingResponse(self._events(), 200, (STREAM,))
        if request.method != "POST":
            return Response(405)
        message = json.loads(request.body)
        if "id" not in message:
            return Response(202)
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "there", "version": "1"},
        }
        answer = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        if request.path == "/messages":
            self.answers.put_nowait(answer)
            return Response(202)
        return Response(200, answer, (JSON, ("Mcp-Session-Id", "s"), ("Set-Cookie", "there=1")))

    async def _events(self) -> AsyncIterator[bytes]:
        yield b"event: endpoint\ndata: /messages\n\n"
        while True:
            yield b"data: " + await self.answers.get() + b"\n\n"


@asynccontextmanager
async def two_origins(status: int = 307, path: str = "/mcp") -> AsyncIterator[tuple[str, str, There]]:
    """The URL that redirects, that which it redirects to, and what is there."""
    there = There()
    async with serve(there) as other:
        target = f"{other.url}{path}"

        async def sends_away(request: Request) -> Response:
            return Response(status, b"", (("Location", target), ("Set-Cookie", "mine=2")))

        async with serve(sends_away) as one:
            yield f"{one.url}{path}", target, there


MINE = {"Authorization": "Bearer secret", "X-Api-Key": "secret", "Cookie": "mine=1"}


@pytest.mark.parametrize("transport", ["http", "sse", "auto"])
async def test_another_origin_is_refused_with_both_addresses(transport: str) -> None:
    async with two_origins(308) as (url, target, there), http(url, MINE, transport=transport) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert failure.kind == "redirect" and url in failure.message and target in failure.message
    assert failure.data == {"origin": target.removesuffix("/mcp")} and "--yes" in str(failure.hint)
    assert not there.requests


@pytest.mark.parametrize("status", [307, 308])
@pytest.mark.parametrize("transport", ["http", "auto"])
async def test_where_it_is_allowed_the_frames_go_there_and_nothing_else(status: int, transport: str) -> None:
    traffic, asked = Traffic.in_memory(), []
    async with two_origins(status) as (url, target, there):
        url = url.replace("http://", "http://user:secret@")
        settings = {"leaves": lambda origin: asked.append(origin) or True}
        async with http(url, MINE, transport=transport, settings=settings, traffic=traffic) as session:
            await session.connect()
            await session.request("ping")
    assert {*asked} == {target.removesuffix("/mcp")}
    posts = [request for request in there.requests if request.method == "POST"]
    assert [json.loads(request.body)["method"] for request in posts] == [
        "initialize", "notifications/initialized", "ping",
    ]  # fmt: skip
    for request in there.requests:
        assert "secret" not in str(request.headers) and "mine" not in str(request.headers)
        assert "there=1" in request.headers.get("cookie", "") or request is posts[0]
    assert posts[-1].headers["mcp-session-id"] == "s" and "text/event-stream" in posts[-1].headers["accept"]
    traffic.advance()
    told = [row for row in map(traffic.row, range(traffic.first, traffic.end)) if row.channel == "sys"]
    assert sum(b"another origin" in traffic.raw(row.number) for row in told) == 1
    shown = [traffic.exchange(number) for number in range(traffic.first, traffic.end)]
    assert any(
        ("redirect", target) in [event[1:] for event in each.events] for each in shown if each is not None
    )


@pytest.mark.parametrize("stream_redirected", [True, False])
async def test_messages_of_http_sse_go_to_another_origin_without_what_the_user_gave(
    stream_redirected: bool,
) -> None:
    async with two_origins(path="/sse") as (url, target, there):

        async def names_the_other(request: Request) -> StreamingResponse:
            async def events() -> AsyncIterator[bytes]:
                yield f"event: endpoint\ndata: {target.replace('/sse', '/messages')}\n\n".encode()
                while True:
                    yield b"data: " + await there.answers.get() + b"\n\n"

            return StreamingResponse(events(), 200, (STREAM,))

        async with serve(names_the_other) as naming:
            start = url if stream_redirected else f"{naming.url}/sse"
            async with http(start, MINE, transport="sse") as session:
                with pytest.raises(Failed) as failed:
                    await session.connect()
            assert failed.value.failure.data == {"origin": target.removesuffix("/sse")}
            async with http(
                start, MINE, transport="sse", settings={"leaves": lambda origin: True}
            ) as session:
                await session.connect()
                await session.request("ping")
    assert [request.path for request in there.requests].count("/messages") == 3
    assert not any("secret" in str(request.headers) for request in there.requests)


async def test_a_loop_between_two_origins_ends() -> None:
    async def sends_on(request: Request) -> Response:
        return Response(307, b"", (("Location", urls[request.headers["host"] in urls[0]]),))

    async with serve(sends_on) as one, serve(sends_on) as two:
        urls = [f"{one.url}/mcp", f"{two.url}/mcp"]
        async with http(urls[0], settings={"leaves": lambda origin: True}) as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
    assert failed.value.failure.kind == "redirect" and "more than 5 times" in failed.value.failure.message


async def test_the_command_line_follows_only_with_a_yes() -> None:
    async with two_origins() as (url, _, there):
        header = ("--header", "X-Api-Key: secret")
        refused = await asyncio.to_thread(inspect, "status", url, *header, "--json")
        assert refused.code == 3 and refused.json["servers"][0]["error"]["kind"] == "redirect"
        assert not there.requests
        assert (await asyncio.to_thread(inspect, "status", url, *header, "--yes")).code == 0
    assert there.requests and not any("secret" in str(request.headers) for request in there.requests)
