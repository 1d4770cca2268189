"""What stands between a client and its server: certificates, proxies, packed bodies."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from command import inspect, write_config
from hypothesis import given
from hypothesis import strategies as st
from live import http

from inspector.base.errors import Failed
from inspector.traffic.store import Traffic
from inspector.transports.coding import PIECE, decoded
from inspector.transports.http_body import whole_body
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

TLS = Path(__file__).parent.parent / "tls"
JSON = ("Content-Type", "application/json")
PROXIES = (
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "HTTPS_PROXY",
    "https_proxy",
)


def answer(message: dict[str, Any]) -> dict[str, Any]:
    result = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [], **result}}


async def plain(request: Request) -> Response:
    message = json.loads(request.body) if request.body else {}
    if request.method != "POST" or "id" not in message:
        return Response(202 if request.method == "POST" else 405)
    return Response(200, json.dumps(answer(message)).encode(), (JSON,))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def tls() -> AsyncIterator[str]:
    """The plain server behind TLS with a certificate that it signed itself; gives host and port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem")
    async with serve(plain) as server:

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            inner, outer = await asyncio.open_connection("127.0.0.1", server.port)
            await asyncio.gather(_copy(reader, outer), _copy(inner, writer))

        front = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
        try:
            yield f"localhost:{front.sockets[0].getsockname()[1]}"
        finally:
            front.close()


async def test_a_certificate_of_its_own_needs_its_authority_or_no_check() -> None:
    async with tls() as place:
        async with http(f"https://{place}/mcp") as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
        assert failed.value.failure.kind == "tls"
        assert "--ca" in (failed.value.failure.hint or "") and "--insecure" in (
            failed.value.failure.hint or ""
        )
        for transport in ("http", "auto"):
            for settings, told in (
                ({"ca": str(TLS / "cert.pem")}, "cert.pem"),
                ({"insecure": True}, "NOT checked"),
            ):
                async with http(f"https://{place}/mcp", transport=transport, settings=settings) as session:
                    await session.connect()
                    assert told in session.steps.steps[0].outcome


async def test_authorities_of_the_environment_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "cert.pem"))
    async with tls() as place, http(f"https://{place}/mcp") as session:
        await session.connect()


async def test_a_file_of_authorities_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("hello")
    for name in ("no.pem", "absent.pem"):
        async with http("https://localhost:1/mcp", settings={"ca": str(tmp_path / name)}) as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
        assert failed.value.failure.kind == "tls" and name in failed.value.failure.message


async def test_a_config_says_for_each_server_whom_to_trust(tmp_path: Path) -> None:
    (tmp_path / "ours.pem").write_text((TLS / "cert.pem").read_text())
    async with tls() as place:
        url = f"https://{place}/mcp"
        config = write_config(
            tmp_path,
            trusted={"url": url, "ca": "ours.pem"}, named={"url": url, "verify": "${WHERE}/ours.pem"},
            open={"url": url, "insecure": True}, unchecked={"url": url, "verify": False},
            refused={"url": url}, odd={"url": url, "ca": 5},
        )  # fmt: skip
        ran = await asyncio.to_thread(inspect, "status", config, "--json", WHERE=str(tmp_path))
        rows = {row["name"]: row for row in ran.json["servers"]}
        assert {name: row["state"] for name, row in rows.items() if name != "odd"} == {
            "trusted": "ready", "named": "ready", "open": "ready", "unchecked": "ready", "refused": "error",
        }  # fmt: skip
        assert rows["refused"]["error"]["kind"] == "tls" and rows["odd"]["error"]["kind"] == "config"
        for name in ("open", "unchecked"):
            assert any("NOT checked" in step["outcome"] for step in rows[name]["steps"])


@asynccontextmanager
async def proxy(seen: list[str]) -> AsyncIterator[str]:
    """A forward proxy that takes every name for the plain server; gives host and port."""
    async with serve(plain) as server:

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            inner, outer = await asyncio.open_connection("127.0.0.1", server.port)
            back = asyncio.create_task(_copy(inner, writer))
            try:
                while True:
                    head = await reader.readuntil(b"\r\n\r\n")
                    first, *rest = head.decode().split("\r\n")
                    verb, target, version = first.split(" ")
                    seen.append(target)
                    lines = [line for line in rest if not line.lower().startswith("host:")]
                    path = "/" + target.split("/", 3)[3]
                    outer.write("\r\n".join([f"{verb} {path} {version}", "Host: 127.0.0.1", *lines]).encode())
                    sizes = [line for line in lines if line.lower().startswith("content-length:")]
                    if sizes:
                        outer.write(await reader.readexactly(int(sizes[0].split(":")[1])))
            except asyncio.IncompleteReadError:
                pass
            finally:
                outer.close()
                await back

        front = await asyncio.start_server(relay, "127.0.0.1", 0)
        try:
            yield f"127.0.0.1:{front.sockets[0].getsockname()[1]}"
        finally:
            front.close()


async def test_the_proxy_of_the_environment_is_used_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    seen: list[str] = []
    async with proxy(seen) as place:
        monkeypatch.setenv("http_proxy", f"http://user:password1@{place}")
        async with http("http://server.test/mcp") as session:
            await session.connect()
            assert session.steps.steps[0].outcome == f"through the proxy {place}"
        assert seen[0] == "http://server.test/mcp"
        monkeypatch.setenv("no_proxy", "server.test")
        async with http("http://server.test/mcp") as session:
            with pytest.raises(Failed) as failed:
                await session.connect()
        assert "proxy" not in session.steps.steps[0].outcome and failed.value.failure.kind == "dns"


def packers() -> dict[str, Any]:
    def bare(data: bytes) -> bytes:
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(data) + packer.flush()

    return {
        "gzip": gzip.compress,
        "x-gzip": gzip.compress,
        "deflate": zlib.compress,
        "bare": bare,
        "identity": bytes,
    }


async def unpack(chunks: list[bytes], coding: str) -> list[bytes]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [piece async for piece in decoded(body(), coding)]


@given(st.binary(max_size=3000), st.sampled_from(sorted(packers())), st.integers(1, 50))
def test_whatever_is_packed_comes_out_however_it_is_cut(data: bytes, packer: str, step: int) -> None:
    packed = packers()[packer](data)
    coding = "deflate" if packer == "bare" else packer
    chunks = [packed[start : start + step] for start in range(0, len(packed), step)]
    assert b"".join(asyncio.run(unpack(chunks, coding))) == data


async def test_a_second_member_follows_the_first() -> None:
    both = gzip.compress(b"one") + gzip.compress(b"two") + bytes(8)
    for chunks in ([both], [both[n : n + 1] for n in range(len(both))]):
        assert b"".join(await unpack(chunks, "gzip")) == b"onetwo"


async def test_a_bomb_comes_out_in_small_pieces_and_is_stopped_by_the_cap() -> None:
    bomb = gzip.compress(bytes(40 * PIECE), 9)
    pieces = await unpack([bomb], "gzip")
    assert max(map(len, pieces)) <= PIECE and sum(map(len, pieces)) == 40 * PIECE

    class Answer:
        def __init__(self) -> None:
            self.headers = {"content-encoding": "gzip"}

        async def aiter_raw(self) -> AsyncIterator[bytes]:
            yield bomb

    with pytest.raises(Failed) as failed:
        await whole_body(Answer(), 2 * PIECE)  # type: ignore[arg-type]
    assert "longer than" in failed.value.failure.message


@pytest.mark.parametrize(
    ("body", "coding", "kind"),
    [
        (gzip.compress(b"x" * 5000)[:-9], "gzip", "stream"), (b"no gzip at all", "gzip", "protocol"),
        (b"\xff\xff\xff", "deflate", "protocol"), (b"x", "deflate", "stream"),
        (b"x", "br", "protocol"), (b"x", "gzip, gzip", "protocol"),
    ],
    # gzip writes the time into its header, and two processes that collect tests must agree on their names.
    ids=["cut", "no gzip", "no deflate", "deflate cut", "not offered", "stacked"],
)  # fmt: skip
async def test_a_body_that_is_not_packed_as_it_says_fails_its_request(
    body: bytes, coding: str, kind: str
) -> None:
    async def odd(request: Request) -> Response:
        if b"tools/call" not in request.body:
            return await plain(request)
        return Response(200, body, (JSON, ("Content-Encoding", coding)))

    async with serve(odd) as server, http(f"{server.url}/mcp") as session:
        await session.connect()
        with pytest.raises(Failed) as failed:
            await session.request("tools/call")
        assert failed.value.failure.kind == kind
        assert (await session.request("ping")).failure is None


async def test_packed_answers_and_packed_streams_are_read_as_they_come() -> None:
    traffic = Traffic.in_memory()
    asked: list[str] = []

    async def packed(request: Request) -> Response | StreamingResponse:
        asked.append(request.headers.get("accept-encoding", ""))
        message = json.loads(request.body) if request.body else {}
        if message.get("method") == "tools/call":
            packer = zlib.compressobj(wbits=31)

            async def body() -> AsyncIterator[bytes]:
                for part in ("id: 1\ndata:\n\n", f"data: {json.dumps(answer(message))}\n\n"):
                    yield packer.compress(part.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
                await asyncio.Event().wait()

            head = (("Content-Type", "text/event-stream"), ("Content-Encoding", "gzip"))
            return StreamingResponse(body(), 200, head)
        response = await plain(request)
        if not response.body:
            return response
        return Response(200, gzip.compress(response.body), (*response.headers, ("Content-Encoding", "gzip")))

    async with serve(packed) as server, http(f"{server.url}/mcp", traffic=traffic) as session:
        await session.connect()
        call = await session.request("tools/call")
        assert call.failure is None and set(asked) == {"gzip, deflate"}
        assert json.loads(traffic.raw(call.row))["id"] == json.loads(call.raw)["id"]


async def test_a_redirect_to_tls_is_checked_as_any_server_is() -> None:
    async with tls() as place:

        async def sends_away(request: Request) -> Response:
            return Response(307, b"", (("Location", f"https://{place}/mcp"),))

        async with serve(sends_away) as one:
            settings: dict[str, Any] = {"leaves": lambda origin: True}
            async with http(f"{one.url}/mcp", settings=settings) as session:
                with pytest.raises(Failed) as failed:
                    await session.connect()
            assert failed.value.failure.kind == "tls" and place in failed.value.failure.message
            async with http(f"{one.url}/mcp", settings={**settings, "ca": str(TLS / "cert.pem")}) as session:
                await session.connect()
