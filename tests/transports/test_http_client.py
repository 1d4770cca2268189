"""What a request over HTTP is made of, and what it costs."""

from __future__ import annotations

import json
import sys
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from live import http

from inspector.transports import _http
from inspector.transports.httpd import Request, Response, serve

JSON = ("Content-Type", "application/json")


class Server:
    """Answers every request, with more headers where a test has some."""

    def __init__(self, more: Callable[[Request], Sequence[tuple[str, str]]] = lambda request: ()) -> None:
        self.more = more
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        message: dict[str, Any] = json.loads(request.body) if request.body else {}
        if request.method != "POST" or "id" not in message:
            return Response(202 if request.method == "POST" else 405)
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "s", "version": "1"},
        }
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return Response(200, json.dumps(answer).encode(), (JSON, *self.more(request)))


async def test_cookies_are_kept_for_their_server() -> None:
    handler = Server(
        lambda request: [("Set-Cookie", "node=7; Path=/"), ("Set-Cookie", "other=1; Path=/elsewhere")]
    )
    async with serve(handler) as server:
        async with http(f"{server.url}/mcp") as session:
            await session.connect()
            await session.request("ping")
        async with http(f"{server.url}/mcp", {"Cookie": "node=mine"}) as session:
            await session.connect()
            await session.request("ping")
    sent = [request.headers.get("cookie") for request in handler.requests if request.method == "POST"]
    assert sent == [None, "node=7", "node=7", "node=mine", "node=mine", "node=mine"]


async def test_a_name_and_password_in_the_url_are_sent_unless_a_header_says_more() -> None:
    handler = Server()
    async with serve(handler) as server:
        url = server.url.replace("http://", "http://me:pass%20word@") + "/mcp"
        for headers in ({}, {"authorization": "Bearer t"}):
            async with http(url, headers) as session:
                await session.connect()
    given = [
        request.headers["authorization"] for request in handler.requests if b'initialize"' in request.body
    ]
    assert b64decode(given[0].removeprefix("Basic ")) == b"me:pass word" and given[1] == "Bearer t"


@pytest.mark.parametrize(
    ("excepted", "proxy"),
    [("", "p.test:1"), ("server.test", None), (".test", None), ("server.test:99", None), ("server.test:98", "p.test:1"),
     ("ver.test", "p.test:1"), ("*", None)],
)  # fmt: skip
def test_what_no_proxy_names_is_reached_without_one(
    excepted: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "p.test:1")
    monkeypatch.setenv("no_proxy", excepted)
    assert _http.proxy_for("http://server.test:99/mcp") == proxy


async def test_a_call_looks_for_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[str] = []

    class Finder:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            sought.append(name)

    async with serve(Server()) as server, http(f"{server.url}/mcp") as session:
        await session.connect()
        monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
        assert (await session.request("ping")).failure is None
    assert sought == []
