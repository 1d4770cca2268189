"""The demo servers as real processes, spoken to in raw JSON lines, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from inspector import demo
from inspector.serving.definition import VERSIONS

BOUND = 20.0


class Peer:
    """A server process and the client's end of its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.heard: list[dict[str, Any]] = []
        self._number = 0

    def send(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def begin(self, method: str, params: Any = None) -> int:
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        return self._number

    def tell(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    async def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        async with asyncio.timeout(BOUND):
            line = await self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server has ended"
        return json.loads(line)

    async def until(self, **members: Any) -> dict[str, Any]:
        """The next message with these members; those before it are kept in `heard`."""
        while True:
            message = await self.receive()
            if members.items() <= message.items():
                return message
            self.heard.append(message)

    async def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        return await self.until(id=self.begin(method, params))

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        return answer["result"]

    async def all(self, method: str, member: str) -> list[Any]:
        found, cursor = [], {}
        for _ in range(20):
            result = (await self.ask(method, cursor))["result"]
            found.append(result[member])
            if "nextCursor" not in result:
                return found
            cursor = {"cursor": result["nextCursor"]}
        raise AssertionError("the pages do not end")

    async def greet(self, version: str = VERSIONS[0], capabilities: Any = None) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": client}
        result = (await self.ask("initialize", params))["result"]
        self.tell("notifications/initialized")
        return result

    async def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), BOUND)


@asynccontextmanager
async def started(*arguments: str, **env: str) -> AsyncIterator[Peer]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "inspector.demo", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=64 * 1024 * 1024,
        env={**os.environ, **env},
    )
    try:
        yield Peer(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def bakery(**capabilities: Any) -> AsyncIterator[Peer]:
    async with started("stdio", "bakery") as peer:
        await peer.greet(capabilities=capabilities)
        yield peer


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_version_is_spoken_and_eof_ends_the_process(version: str) -> None:
    async with started("stdio", "bakery") as peer:
        result = await peer.greet(version)
        assert result["protocolVersion"] == version
        assert result["serverInfo"]["name"] == "bakery"
        assert (await peer.call("say_hello", name="Ada"))["content"][0]["type"] == "text"
        assert await peer.end() == 0


async def test_eof_ends_the_process_while_a_call_runs() -> None:
    async with bakery() as peer:
        peer.begin("tools/call", {"name": "bake", "arguments": {"bread": "baguette", "seconds": 300}})
        assert (await peer.ask("ping"))["result"] == {}
        assert await peer.end() == 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signals_end_the_process_quietly(number: signal.Signals) -> None:
    async with bakery() as peer:
        peer.process.send_signal(number)
        assert await asyncio.wait_for(peer.process.wait(), BOUND) in (-signal.SIGTERM, 130)
        assert peer.process.stderr is not None
        assert b"Traceback" not in await peer.process.stderr.read()


async def test_a_stderr_that_nobody_reads_does_not_stop_the_server() -> None:
    async with bakery() as peer:
        peer.process._transport.get_pipe_transport(2).close()  # type: ignore[attr-defined]
        assert (await peer.call("bake", bread="baguette", seconds=0)).get("isError") is None


async def test_stdout_that_is_closed_ends_the_process_quietly() -> None:
    async with bakery() as peer:
        transport = peer.process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        transport.close()
        # The descriptor is closed in the next turn of the loop; an answer before that would still find its reader.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        peer.begin("ping")
        assert await asyncio.wait_for(peer.process.wait(), BOUND) == 0
        assert peer.process.stderr is not None
        assert b"Traceback" not in await peer.process.stderr.read()


async def test_every_list_has_two_pages_at_least() -> None:
    async with bakery() as peer:
        for method, member in (
            ("tools/list", "tools"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
            ("prompts/list", "prompts"),
        ):
            pages = await peer.all(method, member)
            names = [entry["name"] for page in pages for entry in page]
            assert len(pages) >= 2
            assert len(set(names)) == len(names)
            assert all(entry["name"].isascii() for page in pages for entry in page)


async def test_baking_tells_its_progress() -> None:
    async with bakery() as peer:
        params = {
            "name": "bake",
            "arguments": {"bread": "baguette", "seconds": 0.02},
            "_meta": {"progressToken": "t"},
        }
        answer = await peer.ask("tools/call", params)
        assert "baguette" in answer["result"]["content"][0]["text"]
        progress = [
            each["params"]["progress"] for each in peer.heard if each["method"] == "notifications/progress"
        ]
        assert progress == list(range(11))


async def test_baking_can_be_cancelled() -> None:
    async with bakery() as peer:
        params = {
            "name": "bake",
            "arguments": {"bread": "baguette", "seconds": 300},
            "_meta": {"progressToken": 1},
        }
        number = peer.begin("tools/call", params)
        await peer.until(method="notifications/progress")
        assert "baking baguette" in (await peer.call("check_oven"))["content"][0]["text"]
        peer.tell("notifications/cancelled", {"requestId": number})
        assert "free" in (await peer.call("check_oven"))["content"][0]["text"]
        assert number not in [each.get("id") for each in peer.heard]


async def test_the_cellar_opens_and_closes() -> None:
    async with bakery() as peer:
        for tool, there in (("open_cellar", True), ("close_cellar", False)):
            number = peer.begin("tools/call", {"name": tool})
            await peer.until(method="notifications/tools/list_changed")
            await peer.until(id=number)
            names = [each["name"] for page in await peer.all("tools/list", "tools") for each in page]
            assert ("fetch_from_cellar" in names) is there


async def test_the_counter_and_the_oven_tell_their_subscribers() -> None:
    async with bakery() as peer:
        await peer.ask("resources/subscribe", {"uri": "bakery://counter"})
        await peer.call("sell", item="croissant")
        assert [each["params"]["uri"] for each in peer.heard] == ["bakery://counter"]
        read = await peer.ask("resources/read", {"uri": "bakery://counter"})
        assert json.loads(read["result"]["contents"][0]["text"])["croissant"] == 11
        await peer.ask("resources/subscribe", {"uri": "bakery://oven"})
        update = await peer.until(method="notifications/resources/updated")
        assert update["params"] == {"uri": "bakery://oven"}


async def test_the_guest_the_chef_the_folders_and_the_wave_are_asked_of_the_client() -> None:
    async with bakery(elicitation={}, sampling={}, roots={}) as peer:
        for tool, method, result, told in (
            ("ask_guest", "elicitation/create", {"action": "accept", "content": {"stars": 5}}, "accept"),
            (
                "ask_the_chef",
                "sampling/createMessage",
                {"content": {"type": "text", "text": "Butter."}},
                "Butter.",
            ),
            ("look_around", "roots/list", {"roots": [{"uri": "file:///srv"}]}, "file:///srv"),
            ("wave", "ping", {}, "waved"),
        ):
            number = peer.begin("tools/call", {"name": tool, "arguments": {}})
            request = await peer.until(method=method)
            peer.send({"jsonrpc": "2.0", "id": request["id"], "result": result})
            answer = await peer.until(id=number)
            assert told in answer["result"]["content"][0]["text"]


async def test_failures_come_in_both_kinds() -> None:
    async with bakery() as peer:
        assert (await peer.call("burn_toast"))["isError"] is True
        assert (await peer.ask("tools/call", {"name": "break_the_till"}))["error"]["code"] == -32010
        assert (await peer.call("ask_guest"))["isError"] is True
        assert (await peer.call("say_hello"))["isError"] is True


async def test_all_kinds_of_content_and_a_big_answer() -> None:
    async with bakery() as peer:
        blocks = (await peer.call("full_breakfast"))["content"]
        assert {block["type"] for block in blocks} == {"text", "image", "audio", "resource_link", "resource"}
        picture = next(block for block in blocks if block["type"] == "image")
        assert b64decode(picture["data"]).startswith(b"\x89PNG\r\n\x1a\n")
        big = await peer.call("sift_flour", kilobytes=3072)
        assert len(big["content"][0]["text"]) == 3072 * 1024
        await peer.ask("logging/setLevel", {"level": "debug"})
        peer.heard.clear()
        await peer.call("tell_news")
        assert len({each["params"]["level"] for each in peer.heard}) == 8


async def test_stderr_is_used_and_stdout_carries_frames_only() -> None:
    async with bakery() as peer:
        assert peer.process.stderr is not None
        assert (await asyncio.wait_for(peer.process.stderr.readline(), BOUND)).startswith(b"bakery: ")


async def test_the_notebook_fails_without_its_key_and_works_with_it() -> None:
    async with started("stdio", "notes", NOTES_KEY="") as peer:
        _, errors = await asyncio.wait_for(peer.process.communicate(), BOUND)
        assert peer.process.returncode == 1
        assert b"NOTES_KEY is not set" in errors.splitlines()[-1]
    async with started("stdio", "notes", NOTES_KEY="open-sesame") as peer:
        await peer.greet()
        await peer.call("add_note", text="buy flour")
        assert "buy flour" in (await peer.call("list_notes"))["content"][0]["text"]


async def test_the_library_prints_its_url_first_and_ends_on_sigterm() -> None:
    async with started("http", "library", "--port", "0") as peer:
        assert peer.process.stdout is not None
        url = (await asyncio.wait_for(peer.process.stdout.readline(), BOUND)).decode().strip()
        parts = urlsplit(url)
        assert (parts.scheme, parts.hostname, parts.path) == ("http", "127.0.0.1", "/mcp")
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(f"GET / HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        assert b" 404 " in await asyncio.wait_for(reader.readline(), BOUND)
        peer.process.terminate()
        assert await asyncio.wait_for(peer.process.wait(), BOUND) in (0, 1, -signal.SIGTERM)
        writer.close()


@pytest.mark.parametrize(
    "arguments", [(), ("stdio",), ("stdio", "absent"), ("http", "library", "--port", "x")]
)
async def test_a_wrong_command_line_is_told_the_right_one(arguments: tuple[str, ...]) -> None:
    async with started(*arguments) as peer:
        _, errors = await asyncio.wait_for(peer.process.communicate(), BOUND)
        assert (peer.process.returncode, errors.startswith(b"usage: ")) == (2, True)


async def test_the_config_shows_every_state() -> None:
    async with demo.open_house() as urls:
        servers = demo.demo_config(urls)["mcpServers"]
        assert list(servers) == ["bakery", "library", "post", "orders", "notes", "attic"]
        assert servers["library"] == {"type": "http", "url": urls["library"]}
        assert servers["post"] == {"type": "http", "url": urls["post"]}
        assert servers["attic"]["disabled"] is True
        assert servers["bakery"]["command"] == sys.executable


def test_the_stdio_server_starts_without_the_heavy_parts() -> None:
    heavy = {"asyncio", "h11", "argparse", "httpx", "pydantic", "textual"}
    code = (
        "import sys; from inspector.demo import __main__, definition; import inspector.serving.stdio;"
        f"definition('bakery'); definition('post'); print(sorted({heavy} & set(sys.modules)))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"[]"
    )


async def test_the_post_office_asks_in_rounds_and_tells_of_its_queue() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    async with started("stdio", "post") as peer:
        listed = (await peer.ask("tools/list", {"_meta": meta}))["result"]
        assert listed["ttlMs"] > 0 and "send_parcel" in [tool["name"] for tool in listed["tools"]]
        listen = {"_meta": meta, "notifications": {"resourceSubscriptions": ["post://queue"]}}
        peer.begin("subscriptions/listen", listen)
        params = {"_meta": meta, "name": "send_parcel", "arguments": {"to": "Ada"}}
        result = (await peer.ask("tools/call", params))["result"]
        for content in ({"service": "express"}, {"agreed": True}):
            replies = {key: {"action": "accept", "content": content} for key in result["inputRequests"]}
            again = {**params, "inputResponses": replies, "requestState": result["requestState"]}
            result = (await peer.ask("tools/call", again))["result"]
        assert result["structuredContent"]["service"] == "express" and result["resultType"] == "complete"
        await peer.until(method="notifications/resources/updated")
