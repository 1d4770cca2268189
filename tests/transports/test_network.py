"""Connections as the HTTP library uses them, against servers that are written byte by byte."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from live import http

from inspector.base.errors import Failed, Failure
from inspector.session.session import Options

TLS = Path(__file__).parent.parent / "tls"
Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(serving: Serving, **settings: Any) -> AsyncIterator[int]:
    """A server on loopback; gives its port. Its connections are closed when `serving` returns."""

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serving(reader, writer)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, **settings)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def one_request(reader: asyncio.StreamReader) -> tuple[str, dict[str, Any]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    sizes = [line.split(":")[1] for line in head.lower().split("\r\n") if line.startswith("content-length:")]
    body = await reader.readexactly(int(sizes[0])) if sizes else b""
    return head, json.loads(body) if body else {}


def answer(message: dict[str, Any], **result: Any) -> bytes:
    """A whole answer over HTTP; a 405 to what is no request."""
    if "id" not in message:
        return (
            b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
            if message
            else (b"HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
        )
    opening = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "serverInfo": {"name": "s", "version": "1"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": opening | result}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def secured(secure: bool) -> ssl.SSLContext | None:
    if not secure:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem")
    return context


@pytest.mark.parametrize("secure", [False, True])
async def test_what_is_longer_than_all_buffers_passes_both_ways(secure: bool) -> None:
    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            _, message = await one_request(reader)
            writer.write(answer(message, echo=message.get("params", {}).get("text")))
            await writer.drain()

    text = "0123456789abcdef" * 300_000
    async with (
        listening(serving, ssl=secured(secure)) as port,
        http(f"http{'s' * secure}://127.0.0.1:{port}/mcp", settings={"insecure": True}) as session,
    ):
        await session.connect()
        assert (await session.request("ping", {"text": text})).result["echo"] == text


@pytest.mark.parametrize("secure", [False, True])
async def test_a_connection_that_the_server_has_left_is_not_used_again(secure: bool) -> None:
    left = asyncio.Event()

    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, message = await one_request(reader)
        writer.write(answer(message))
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        left.set()

    async with (
        listening(serving, ssl=secured(secure)) as port,
        http(f"http{'s' * secure}://127.0.0.1:{port}/mcp", settings={"insecure": True}) as session,
    ):
        await session.connect()
        for _ in range(20):
            await left.wait()
            left.clear()
            assert (await session.request("ping")).failure is None


@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"]
)
@pytest.mark.parametrize("reset", [False, True])
async def test_a_connection_that_breaks_fails_its_request_alone(begun: bytes, reset: bool) -> None:
    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            _, message = await one_request(reader)
            if message.get("method") == "tools/call":
                writer.write(begun)
                await writer.drain()
                if reset:
                    writer.transport.abort()
                return
            writer.write(answer(message))

    async with listening(serving) as port, http(f"http://127.0.0.1:{port}/mcp") as session:
        await session.connect()
        with pytest.raises(Failed) as failed:
            await session.request("tools/call", {"name": "t"})
        assert failed.value.failure.kind == "stream"
        assert (await session.request("ping")).failure is None


async def test_all_addresses_of_a_name_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(answer((await one_request(reader))[1]))

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{last}", port)) for last in (2, 1)]

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    async with listening(serving) as port, http(f"http://two.test:{port}/mcp") as session:
        await session.connect()
    async with http(f"http://two.test:{port}/mcp") as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    assert failed.value.failure.kind == "refused" and "nobody listens" in failed.value.failure.message


async def test_tls_goes_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(answer((await one_request(reader))[1]))

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async with listening(serving, ssl=secured(True)) as secure:

        async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append((await one_request(reader))[0].split("\r\n")[0])
            inner, outer = await asyncio.open_connection("127.0.0.1", secure)
            writer.write(b"HTTP/1.1 200 Go\r\n\r\n")
            await asyncio.gather(copy(reader, outer), copy(inner, writer))

        for name in ("HTTPS_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        async with listening(tunnel) as port:
            monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
            async with http("https://server.test/mcp", settings={"insecure": True}) as session:
                await session.connect()
                assert (await session.request("ping")).failure is None
            async with http("https://server.test/mcp") as session:
                with pytest.raises(Failed) as failed:
                    await session.connect()
    assert set(asked) == {"CONNECT server.test:443 HTTP/1.1"} and failed.value.failure.kind == "tls"


async def failure_of(serving: Serving, scheme: str = "http", *, connect_timeout: float = 30) -> Failure:
    """How connecting to a server of bytes fails."""
    async with listening(serving) as port:
        options = Options(connect_timeout=connect_timeout)
        async with http(f"{scheme}://127.0.0.1:{port}/mcp", options=options) as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
    return failed.value.failure


async def ends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(100)


async def waits(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(65536):
        pass


@pytest.mark.parametrize(("serving", "seconds"), [(waits, 0.5), (ends, 30)])
async def test_what_does_not_speak_tls_is_told_as_that(serving: Serving, seconds: float) -> None:
    failure = await failure_of(serving, "https", connect_timeout=seconds)
    assert failure.kind == "tls" and "handshake" in failure.message and "http://" in (failure.hint or "")


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


@pytest.mark.parametrize("begun", [b"data: ", b": ", b"id: 7\ndata: "])
async def test_an_event_without_end_fails_its_request_at_the_cap(begun: bytes) -> None:
    posts = 0

    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal posts
        posts += 1
        await one_request(reader)
        writer.write(STREAM + begun)
        for _ in range(66):
            writer.write(b"x" * 1024 * 1024)
            await writer.drain()
        await waits(reader, writer)

    failure = await failure_of(serving)
    assert failure.kind == "protocol" and "over the limit of 64.0 MiB" in failure.message
    assert posts <= 2, "it was asked for again"


@pytest.mark.parametrize(
    ("head", "began"),
    [
        (STREAM, b"data: {"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n", b'{"json'),
    ],
)
async def test_how_much_of_an_answer_came_is_told(head: bytes, began: bytes) -> None:
    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await one_request(reader)
        writer.write(head + began)
        await waits(reader, writer)

    failure = await failure_of(serving, connect_timeout=1)
    assert failure.kind == "timeout"
    assert f"{len(began)} B of the body came so far, and no whole answer in it" in failure.message


async def test_a_head_without_end_fails_its_request() -> None:
    async def serving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await one_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n")
        try:
            for number in range(1000):
                writer.write(b"X-Fill-%d: %s\r\n" % (number, b"x" * 1000))
                await writer.drain()
        except OSError:
            pass

    failure = await failure_of(serving)
    assert failure.kind == "protocol" and "headers" in failure.message
