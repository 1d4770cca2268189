"""The app in a browser: what a page gets, who gets nothing, and that a visit leaves nothing behind."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from command import inspect
from conftest import ROOT, absent

try:
    import aiohttp
except ImportError:
    aiohttp = None  # type: ignore[assignment]

_CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
)  # fmt: skip


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    if aiohttp is None:
        absent("textual-serve is not installed: pip install -e '.[dev]'")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "inspector", "serve-web", "demo", "--json",
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    address = json.loads(await process.stdout.readuntil(b"}"))["url"]
    served = Served(process, address)
    try:
        yield served
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await served.left_alone()


class Served:
    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.address = address
        self.url = address.partition("?")[0]
        self._seen: list[psutil.Process] = []

    def below(self) -> list[psutil.Process]:
        """The processes of all visits, with their servers."""
        self._seen += psutil.Process(self.process.pid).children(recursive=True)
        return self._seen

    async def left_alone(self) -> None:
        """Waits until all that was started for visits has ended."""
        for process in self._seen:
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)


@asynccontextmanager
async def visit(served: Served) -> AsyncIterator[tuple[Any, Any]]:
    """A client that opened the page, as a session of HTTP and the websocket of the terminal."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
        async with client.get(served.address) as page:
            assert page.status == 200 and str(page.url) == served.url
        async with client.ws_connect(f"{served.url}ws?width=120&height=40") as terminal:
            await painted(terminal, b"Overview")
            yield client, terminal


async def painted(terminal: Any, text: bytes) -> None:
    seen = b""
    while text not in seen:
        message = await terminal.receive()
        assert message.type == aiohttp.WSMsgType.BINARY, message
        seen += message.data


async def test_a_page_that_is_closed_while_its_app_starts_is_no_bug(served: Served, home: Path) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
        async with client.get(served.address):
            pass
        for begun in (b"1049h", b"1049h", b"1003h", b"2004h"):
            async with client.ws_connect(f"{served.url}ws?width=120&height=40") as terminal:
                await painted(terminal, begun)
                served.below()
    await served.left_alone()
    assert not (home / "state" / "crashes").exists()


async def test_each_visit_has_its_app_which_ends_with_it(served: Served) -> None:
    async with visit(served) as (_, terminal):
        first = len(served.below())
        async with visit(served) as (_, other):
            assert len(served.below()) > first
            await other.send_json(["stdin", "q"])
            while (await other.receive()).type not in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
                pass
        await terminal.send_json(["resize", {"width": 80, "height": 24}])
        await terminal.send_json(["stdin", "?"])
        await painted(terminal, b"Keys")
    await served.left_alone()
    assert served.process.returncode is None


async def test_only_who_has_the_token_and_asks_from_its_own_page_gets_anything(served: Served) -> None:
    async with visit(served) as (client, _):
        authority = served.url.split("/")[2]
        foreign = {"Origin": "http://127.0.0.1:9"}
        async with client.get(served.url, headers=foreign) as answer:
            assert answer.status == 403 and "no business here" in await answer.text()
        async with client.get(served.url, headers={"Host": "rebound.example:80"}) as answer:
            assert answer.status == 403
        async with client.get(served.url, headers={"Origin": f"http://{authority}"}) as answer:
            assert answer.status == 200
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy and f"ws://{authority}" in policy
        for headers in (foreign, {"Host": "rebound.example:80"}):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await client.ws_connect(f"{served.url}ws", headers=headers)
    async with aiohttp.ClientSession() as stranger:
        for path in ("", "?token=guessed", "static/js/textual.js", "ws", "download/x"):
            async with stranger.get(served.url + path) as answer:
                assert answer.status == 403 and "its token" in await answer.text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
async def test_whoever_ends_the_server_ends_the_apps_of_its_visits(served: Served, number: int) -> None:
    async with visit(served):
        assert served.below()
        served.process.send_signal(number)
        code = await served.process.wait()
    assert code == (128 + number if number == signal.SIGTERM else -number)
    await served.left_alone()


async def test_a_real_browser_shows_the_app_and_fetches_nothing_from_elsewhere(
    served: Served, tmp_path: Path
) -> None:
    if _CHROMIUM is None:
        pytest.skip("no Chromium is installed: the page is only tried by a client of websockets")
    async with browser(tmp_path) as browse:
        await browse("Network.enable")
        await browse("Page.enable")
        await browse("Page.navigate", url=served.address)
        await browse.until("document.body && document.body.classList.contains('-first-byte')")
        assert await browse.value("location.href") == served.url
        assert await browse.value("document.querySelectorAll('.xterm canvas').length") > 0
        for kind in ("mousePressed", "mouseReleased"):
            await browse("Input.dispatchMouseEvent", type=kind, x=400, y=90, button="left", clickCount=1)
        while not await browse.value("document.body.classList.contains('-closed')"):
            # It may not read keys yet.
            await browse("Input.dispatchKeyEvent", type="keyDown", key="q", text="q")
            await browse("Input.dispatchKeyEvent", type="keyUp", key="q")
            await asyncio.sleep(0.1)
        answered = browse.urls("Network.responseReceived")
        assert answered and all(url.startswith((served.url, "data:")) for url in answered)


class Browse:
    """A tab, by the DevTools protocol: called with a method and its parameters it gives the result."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._events: list[Any] = []

    async def __call__(self, method: str, **params: Any) -> Any:
        number = next(self._ids)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            message = await self._socket.receive_json()
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            self._events.append(message)

    async def value(self, expression: str) -> Any:
        return (await self("Runtime.evaluate", expression=expression))["result"].get("value")

    async def until(self, expression: str) -> None:
        while not await self.value(expression):
            await asyncio.sleep(0.02)

    def urls(self, method: str) -> list[str]:
        return [event["params"]["response"]["url"] for event in self._events if event.get("method") == method]


@asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[Browse]:
    assert _CHROMIUM is not None
    process = await asyncio.create_subprocess_exec(
        _CHROMIUM, *_QUIET, f"--user-data-dir={folder / 'profile'}", "about:blank",
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = await process.stderr.readuntil(b"/devtools/browser/")
        (port,) = re.findall(rb"ws://127\.0\.0\.1:(\d+)/", said)
        drain = asyncio.create_task(process.stderr.read())
        async with aiohttp.ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{port.decode()}/json") as tabs:
                (tab,) = [each for each in await tabs.json() if each["type"] == "page"]
            async with client.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                yield Browse(socket)
    finally:
        process.kill()
        await process.wait()
        await drain


def test_without_the_extra_it_says_what_to_install() -> None:
    ran = inspect("serve-web", "demo", "--json", patch="import sys\nsys.modules['textual_serve'] = None")
    assert ran.code == 2 and ran.json["error"]["kind"] == "unsupported"
    assert "mcp-inspect[web]" in ran.err


def test_what_is_wrong_with_the_target_or_the_port_is_said_before_anything_is_served() -> None:
    assert "there is no file or folder" in inspect("serve-web", "nowhere.json").err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = inspect("serve-web", "demo", "--http", str(taken.getsockname()[1]))
    assert ran.code == 2 and "cannot listen on port" in ran.err
