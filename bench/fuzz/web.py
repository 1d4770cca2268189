"""HTTP, both ways, over real sockets of this process."""

from __future__ import annotations

import asyncio
import re

from bench.fuzz.given import chance_of, cut
from bench.fuzz.loop import run
from inspector.base.errors import Failed
from inspector.demo.notes import notes
from inspector.serving.http import Endpoint
from inspector.session.session import Options, Session
from inspector.traffic.store import Traffic
from inspector.transports import httpd
from inspector.transports.http_any import http_pipe

_ID = re.compile(rb'"id"\s*:\s*(\d+|"[^"]*")')
_LENGTH = re.compile(rb"(?i)content-length:\s*(\d+)")
NEXT = b"\n=====\n"
"""Between two answers of `http`. In an answer `$ID` is the id of the request, `$HEAD` the start of a sound one, and
`$INIT` the result of a handshake."""
_SAYS = (
    (b"$HEAD", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"),
    (b"$STREAM", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"),
    (b"$INIT", b'{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
               b'"serverInfo":{"name":"s","version":"1"}}}'),
)  # fmt: skip


def http(data: bytes) -> None:
    """A client connects, lists, calls and closes; the server gives one of the answers to each request in turn, and
    none any more when they are at an end."""
    run(_http(data))


async def _http(data: bytes) -> None:
    chance = chance_of(data)
    answers = data.split(NEXT)[:12]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1])) if length else b""
            raw = answers.pop(0) if answers else b""
            for word, meant in _SAYS:
                raw = raw.replace(word, meant)
            asked = _ID.search(body)
            raw = raw.replace(b"$ID", asked[1] if asked else b"null")
            for piece in cut(raw, chance, 3):
                writer.write(piece)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    traffic = Traffic.in_memory()
    log = traffic.session("s")
    kind = chance.choice(("http", "http", "sse", "auto", "auto-sse"))
    protocol = chance.choice(("legacy", "legacy", "auto", "2026-07-28"))
    session = Session(
        lambda listener: http_pipe(kind, url, {}, observer=log, listener=listener), Options(protocol=protocol)
    )
    try:
        try:
            await session.connect()
            for method, params in (("tools/list", None), ("tools/call", {"name": "t", "arguments": {}})):
                answer = await session.request(method, params)
                answer.failure  # noqa: B018
        except Failed as failed:
            assert failed.failure.message, "a failure without a word"
    finally:
        await session.close()
        server.close()
    traffic.advance()
    for number in range(traffic.first, traffic.end):
        traffic.row(number)
        traffic.exchange(number)


def served(data: bytes) -> None:
    """Our HTTP server with an MCP endpoint, as bytes of a client come to it in pieces."""
    run(_served(data))


async def _served(data: bytes) -> None:
    chance = chance_of(data)
    endpoint = Endpoint(notes())
    whole = bytearray()
    async with httpd.serve(endpoint, limits=httpd.Limits(body=10_000)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)

        async def read() -> None:
            try:
                while piece := await reader.read(65536):
                    whole.extend(piece)
            except ConnectionError:
                pass

        reading = asyncio.ensure_future(read())
        try:
            for piece in cut(data, chance):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            await asyncio.wait({reading}, timeout=5)
            if chance.random() < 0.5 and not writer.is_closing():
                writer.write_eof()
                await asyncio.wait({reading}, timeout=5)
        except ConnectionError:
            pass
        finally:
            writer.close()
            endpoint.close()
        await asyncio.wait({reading}, timeout=300)
        assert reading.done(), "the connection of a client that is gone stays open"
    assert not whole or whole.startswith(b"HTTP/1.1 "), "what came back is no HTTP"
    assert b"The server failed on this request" not in whole
