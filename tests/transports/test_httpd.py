"""The HTTP server, spoken to in plain bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from inspector.base import tasks
from inspector.transports import httpd
from inspector.transports.httpd import Limits, Request, Response, Server, StreamingResponse

BOUND = 10.0


async def echo(request: Request) -> Response:
    text = (
        f"{request.method} {request.path} {request.query} {request.headers.get('x', '')} {len(request.body)}"
    )
    return Response(200, text.encode(), [("Content-Type", "text/plain")])


class Line:
    """One connection; `say` writes bytes, `answer` reads one response with a length."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, server: Server) -> Line:
        return cls(*await asyncio.open_connection("127.0.0.1", server.port))

    def say(self, start: str, *headers: str, body: bytes = b"", host: str | None = "localhost") -> None:
        lines = [f"{start} HTTP/1.1", *([] if host is None else [f"Host: {host}"]), *headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)

    async def head(self) -> str:
        async with asyncio.timeout(BOUND):
            return (await self.reader.readuntil(b"\r\n\r\n")).decode()

    async def answer(self, body: bool = True) -> tuple[int, str, str]:
        head = await self.head()
        size = [line for line in head.lower().split("\r\n") if line.startswith("content-length:")]
        count = int(size[0].partition(":")[2]) if size and body else 0
        return int(head.split()[1]), head, (await self.reader.readexactly(count)).decode()

    async def ended(self) -> bool:
        async with asyncio.timeout(BOUND):
            return not await self.reader.read()


async def test_requests_follow_each_other_on_one_connection() -> None:
    async with httpd.serve(echo) as server:
        assert server.url == f"http://127.0.0.1:{server.port}"
        line = await Line.to(server)
        for number in range(3):
            line.say(f"POST /a/b?c={number}", "X: one", "X: two", body=b"x" * number)
            assert (await line.answer())[2] == f"POST /a/b c={number} one, two {number}"
        line.say("GET /first")
        line.say("GET /second")
        assert (await line.answer())[2].startswith("GET /first")
        assert (await line.answer())[2].startswith("GET /second")
        line.say("GET /", "Connection: close")
        assert (await line.answer())[0] == 200
        assert await line.ended()


async def test_chunks_a_head_only_and_an_expectation() -> None:
    async with httpd.serve(echo) as server:
        line = await Line.to(server)
        line.say("POST /", "Transfer-Encoding: chunked", "Expect: 100-continue")
        assert (await line.head()).startswith("HTTP/1.1 100 ")
        line.writer.write(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        assert (await line.answer())[2].endswith(" 5")
        line.say("HEAD /")
        status, head, _ = await line.answer(body=False)
        assert status == 200
        assert "content-length:" in head.lower()
        line.say("GET /again")
        assert (await line.answer())[2].startswith("GET /again")


@pytest.mark.parametrize("host", ["localhost", "localhost:80", "127.0.0.1:9", "[::1]:7", "LOCALHOST"])
async def test_hosts_of_this_machine_are_served(host: str) -> None:
    async with httpd.serve(echo) as server:
        line = await Line.to(server)
        line.say("GET /", "Origin: http://localhost:5173", host=host)
        assert (await line.answer())[0] == 200


@pytest.mark.parametrize(
    ("host", "header"),
    [
        ("evil.example", "X: y"),
        ("localhost.evil.example", "X: y"),
        ("", "X: y"),
        ("[", "X: y"),
        ("localhost", "Origin: http://evil.example"),
        ("localhost", "Origin: null"),
        ("localhost", "Origin: http://["),
    ],
)
async def test_foreign_hosts_and_origins_are_refused(host: str, header: str) -> None:
    async with httpd.serve(echo) as server:
        line = await Line.to(server)
        line.say("POST /", header, host=host, body=b"x")
        assert (await line.answer())[0] == 403
        assert await line.ended()


@pytest.mark.parametrize("raw", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET /" + b"x" * 100_000])
async def test_what_is_no_http_gets_a_4xx_and_the_end(raw: bytes) -> None:
    async with httpd.serve(echo) as server:
        line = await Line.to(server)
        line.writer.write(raw)
        assert 400 <= (await line.answer())[0] < 500


async def test_a_body_over_the_cap_is_refused() -> None:
    async with httpd.serve(echo, limits=Limits(body=10)) as server:
        line = await Line.to(server)
        line.say("POST /", body=b"x" * 10)
        assert (await line.answer())[0] == 200
        line.say("POST /", body=b"x" * 11)
        assert (await line.answer())[0] == 413
        assert await line.ended()


async def test_a_silent_client_is_let_go() -> None:
    async with httpd.serve(echo, limits=Limits(idle=0.05)) as server:
        line = await Line.to(server)
        assert await line.ended()
        half = await Line.to(server)
        half.writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab")
        assert await half.ended()


async def test_a_handler_that_fails_costs_its_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(tasks, "report", lambda name, error: seen.append(error))

    async def fail(request: Request) -> Response:
        if request.path == "/bad":
            raise ValueError("oops")
        return Response(204)

    async with httpd.serve(fail) as server:
        line = await Line.to(server)
        line.say("GET /bad")
        assert (await line.answer())[0] == 500
        line.say("GET /good")
        assert (await line.answer())[0] == 204
    assert [str(each) for each in seen] == ["oops"]


async def test_a_stream_is_written_part_by_part() -> None:
    go_on = asyncio.Event()

    async def parts() -> AsyncIterator[bytes]:
        yield b"one"
        await go_on.wait()
        yield b"two"

    async def stream(request: Request) -> StreamingResponse:
        return StreamingResponse(parts(), headers=[("Content-Type", "text/plain")])

    async with httpd.serve(stream) as server:
        line = await Line.to(server)
        line.say("GET /")
        assert "chunked" in (await line.head()).lower()
        assert await line.reader.readexactly(8) == b"3\r\none\r\n"
        go_on.set()
        assert await line.reader.readexactly(13) == b"3\r\ntwo\r\n0\r\n\r\n"


async def test_a_client_that_hangs_up_ends_the_handler_and_the_stream() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def forever() -> AsyncIterator[bytes]:
        try:
            yield b"x"
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def handler(request: Request) -> Response | StreamingResponse:
        if request.path == "/stream":
            return StreamingResponse(forever())
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return Response()

    async with httpd.serve(handler) as server:
        for path in ("/stream", "/wait"):
            ended.clear()
            line = await Line.to(server)
            line.say(f"GET {path}")
            if path == "/stream":
                await line.head()
            else:
                await asyncio.wait_for(begun.wait(), BOUND)
            line.writer.close()
            await asyncio.wait_for(ended.wait(), BOUND)


async def test_closing_lets_a_short_answer_finish_and_ends_a_long_one() -> None:
    begun, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def handler(request: Request) -> Response:
        begun.release()
        await (go_on if request.path == "/short" else asyncio.Event()).wait()
        return Response(200, b"made it")

    server = Server(handler, httpd.LOOPBACK, httpd.LOOPBACK, Limits(grace=0.2))
    await server.open("127.0.0.1", 0)
    idle, short, long = [await Line.to(server) for _ in range(3)]
    long.say("GET /long")
    short.say("GET /short")
    for _ in range(2):
        await asyncio.wait_for(begun.acquire(), BOUND)
    closing = asyncio.create_task(server.close())
    assert await idle.ended()
    go_on.set()
    assert (await short.answer())[2] == "made it"
    assert await long.ended()
    await asyncio.wait_for(closing, BOUND)
    with pytest.raises(OSError):
        await Line.to(server)


async def test_a_taken_port_is_an_os_error() -> None:
    async with httpd.serve(echo) as server:
        with pytest.raises(OSError):
            async with httpd.serve(echo, port=server.port):
                pass
