"""A recording over HTTP: of sessions, of 2024-11-05, and without sessions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from exchange import Exchange
from live import http, stdio

from inspector.demo import hosted
from inspector.serving import script
from inspector.serving.exchange import Unwatched
from inspector.serving.http import hosted as serve
from inspector.serving.recorded import RecordedSession
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer

PYTHON_SERVER = str(Path(__file__).parent.parent / "servers" / "drifting.py")
MODERN = Options(protocol="modern", connect_timeout=20)
JSON = {"Content-Type": "application/json"}
Served = Callable[..., AbstractAsyncContextManager[str]]


@asynccontextmanager
async def served(path: Path, **options: Any) -> AsyncIterator[str]:
    """The URL at which a recording is played."""
    traffic = Traffic.open_recording(path)
    try:
        traffic.advance()
        read = script.read(traffic)
        async with serve(read.definition, session=partial(RecordedSession, read, **options)) as url:
            yield url
    finally:
        traffic.close()


@pytest.fixture
async def drifting(tmp_path: Path) -> Path:
    """A recorded session over stdio."""
    import sys

    path = tmp_path / "a.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    async with stdio(sys.executable, PYTHON_SERVER, traffic=traffic) as session:
        await session.connect()
        await session.list("tools")
        await session.request("tools/call", {"name": "price", "arguments": {"item": "rye"}})
        await session.request("tools/call", {"name": "ask", "arguments": {}})
    traffic.close()
    return path


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_each_session_begins_anew(drifting: Path, transport: str) -> None:
    async with served(drifting) as url:
        at = url if transport == "http" else url.removesuffix("/mcp") + "/sse"
        for _ in range(2):
            async with http(at, transport=transport) as session:
                await session.connect()
                listed = await session.list("tools")
                assert [tool["name"] for tool in listed.entries] == ["price", "clock", "ask", "key", "gone"]
                answer = await session.request("tools/call", {"name": "price", "arguments": {"item": "rye"}})
                assert answer.result is not None and "1.50" in answer.result["content"][0]["text"]
                missed = await session.request("tools/call", {"name": "price", "arguments": {}})
                assert missed.failure is not None and "/arguments/item" in missed.failure.message


async def test_without_sessions_each_request_stands_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "p.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    async with hosted("post") as url, http(url, options=MODERN, traffic=traffic) as session:
        await session.connect()
        first = await session.list("tools")
    traffic.close()
    async with served(path) as url, http(url, options=MODERN) as session:
        await session.connect()
        again = await session.list("tools")
        assert again.entries == first.entries
        unknown = await session.request("tools/call", {"name": "x"})
        assert unknown.failure is not None and "nobody asked for that method" in unknown.failure.message
        # An older client finds its way, too.
        async with http(url) as older:
            await older.connect()
            assert (await older.list("tools")).entries == first.entries


async def test_the_address_for_messages_keeps_its_rules(drifting: Path) -> None:
    async def post(
        url: str, body: bytes = b'{"jsonrpc":"2.0","id":1,"method":"ping"}', **headers: str
    ) -> Exchange:
        return await Exchange.open(url, "POST", {**JSON, **headers}, body)

    async with served(drifting) as url:
        base = url.removesuffix("/mcp")
        stream = await Exchange.open(f"{base}/sse", "GET", {"Accept": "text/event-stream"}, b"")
        told = ""
        while "\n\n" not in told:
            told += bytes((await stream._event()).data).decode()
        event, data = told.splitlines()[:2]
        assert event == "event: endpoint" and data.startswith("data: /message?sessionId=")
        address = base + data.removeprefix("data: ")
        assert (await post(address)).status == 202
        assert (await stream.message()) == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert (await post(address, b"no JSON")).status == 400
        assert (await post(f"{base}/message")).status == 400
        assert (await post(f"{base}/message?sessionId=x")).status == 404
        assert (await Exchange.open(address, "GET", {}, b"")).status == 405
        assert (await post(f"{base}/sse")).status == 405
        for foreign in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            assert (await post(address, **foreign)).status == 403
            assert (await Exchange.open(f"{base}/sse", "GET", foreign, b"")).status == 403
            assert (await Exchange.open(url, "GET", foreign, b"")).status == 403
        stream.hang_up()


async def test_progress_comes_on_the_stream_of_its_request(tmp_path: Path) -> None:
    path = tmp_path / "l.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    call = {"name": "take_inventory", "arguments": {"seconds": 0.05}}
    heard: list[Any] = []
    async with hosted("library") as url, http(url, traffic=traffic) as session:
        await session.connect()
        first = await session.request("tools/call", call)
    traffic.close()
    async with served(path, pace="recorded") as url, http(url) as session:
        await session.connect()
        again = await session.request("tools/call", call, on_progress=heard.append)
    assert again.result == first.result and len(heard) == 10


async def test_what_is_seen_is_what_is_on_the_wire(drifting: Path) -> None:
    seen: list[tuple[str, Any]] = []

    class Eye(Unwatched):
        def heard(self, raw: bytes, exchange: int | None = None) -> None:
            seen.append(("heard", json.loads(raw).get("id")))

        def said(self, raw: bytes, exchange: int | None = None) -> None:
            seen.append(("said", json.loads(raw).get("id")))

    traffic = Traffic.open_recording(drifting)
    traffic.advance()
    read = script.read(traffic)
    async with (
        serve(read.definition, session=partial(RecordedSession, read), watched=Eye) as url,
        http(url) as session,
    ):
        await session.connect()
        await session.list("tools")
    traffic.close()
    asked = [id for way, id in seen if way == "heard" and id is not None]
    assert asked and asked == [id for way, id in seen if way == "said"]
