"""Resources that are read again when they change: what is kept of them, how often, and for how long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from inspector.base.errors import fail
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer
from inspector.workspace import rereading as module
from inspector.workspace.rereading import Rereading


def answer(text: str, number: int = 0) -> Answer:
    body = {"jsonrpc": "2.0", "id": number, "result": {"contents": [{"uri": "x://a", "text": text}]}}
    raw = json.dumps(body).encode()
    return Answer(raw, jsonrpc.read(raw), number, number, 0.01)


class Server:
    """Holds texts by URI; `asked` is released with each reading."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.reads: list[str] = []
        self.down = False
        self.held = asyncio.Event()
        self.held.set()
        self.begun = asyncio.Event()

    async def request(self, method: str, params: dict[str, Any]) -> Answer:
        assert method == "resources/read"
        self.reads.append(params["uri"])
        self.begun.set()
        await self.held.wait()
        if self.down:
            raise fail("stream", "gone")
        return answer(self.texts[params["uri"]], len(self.reads))


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def rereading(server: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rereading]:
    monkeypatch.setattr(module, "_PAUSE", 0.0)
    made = Rereading(server.request, lambda: None)
    yield made
    await made.close()


async def settled(rereading: Rereading) -> None:
    async with asyncio.timeout(20):
        while rereading._running:
            await asyncio.wait(list(rereading._running.values()))


def told(rereading: Rereading, uri: str) -> list[str]:
    return [reading.answer.result["contents"][0]["text"] for reading in rereading.readings(uri)]


async def test_a_change_is_read_and_the_answer_before_it_kept(server: Server, rereading: Rereading) -> None:
    rereading.want("x://a", True)
    rereading.took("x://a", answer("one"))
    server.texts["x://a"] = "two"
    rereading.updated("x://b")
    rereading.updated("x://a")
    await settled(rereading)
    assert server.reads == ["x://a"] and told(rereading, "x://a") == ["one", "two"]
    assert [reading.by_itself for reading in rereading.readings("x://a")] == [False, True]
    server.texts["x://a"] = "three"
    rereading.updated("x://a/below")
    await settled(rereading)
    assert told(rereading, "x://a") == ["two", "three"] and rereading.count == 2
    rereading.want("x://a", False)
    rereading.updated("x://a")
    assert not rereading._running and told(rereading, "x://a") == ["two", "three"]


async def test_what_did_not_change_leaves_the_last_change_known(server: Server, rereading: Rereading) -> None:
    rereading.want("x://a", True)
    for text in ("one", "two"):
        rereading.took("x://a", answer(text))
    server.texts["x://a"] = "two"
    rereading.updated("x://a")
    await settled(rereading)
    assert told(rereading, "x://a") == ["one", "two"] and rereading.readings("x://a")[1].same


async def test_many_changes_while_it_is_read_are_one_more_reading(
    server: Server, rereading: Rereading
) -> None:
    rereading.want("x://a", True)
    server.texts["x://a"] = "one"
    server.held.clear()
    rereading.updated("x://a")
    await server.begun.wait()
    for _ in range(50):
        rereading.updated("x://a")
    server.held.set()
    await settled(rereading)
    assert server.reads == ["x://a", "x://a"]


async def test_a_reading_that_fails_says_so_and_keeps_what_there_was(
    server: Server, rereading: Rereading
) -> None:
    rereading.want("x://a", True)
    rereading.took("x://a", answer("one"))
    server.down = True
    rereading.updated("x://a")
    await settled(rereading)
    assert rereading.failures["x://a"].message == "gone" and told(rereading, "x://a") == ["one"]
    server.down, server.texts["x://a"] = False, "two"
    rereading.updated("x://a")
    await settled(rereading)
    assert not rereading.failures and told(rereading, "x://a") == ["one", "two"]


async def test_what_is_kept_is_bounded_and_the_newest_stays(
    rereading: Rereading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_HELD", 5000)
    for number in range(20):
        for version in ("a", "b"):
            rereading.took(f"x://{number}", answer(version * 400))
    held = sum(len(each.answer.raw) for number in range(20) for each in rereading.readings(f"x://{number}"))
    assert held <= 5000 and len(rereading.readings("x://19")) == 2 and not rereading.readings("x://0")
    for version in ("a", "b"):
        rereading.took("x://large", answer(version * 4000))
    assert told(rereading, "x://large") == ["b" * 4000] and not rereading.readings("x://19")
    for number in range(module._MOST + 5):
        rereading.took(f"y://{number}", answer("-"))
    assert (
        sum(bool(rereading.readings(f"y://{number}")) for number in range(module._MOST + 5)) <= module._MOST
    )


async def test_an_answer_however_deep_is_compared_and_an_error_not_kept(rereading: Rereading) -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"result":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_000 + b"}"
    for _ in range(2):
        rereading.took("x://deep", Answer(deep, jsonrpc.read(deep), 1, 1, 0.1))
    error = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no"}}'
    rereading.took("x://error", Answer(error, jsonrpc.read(error), 1, 1, 0.1))
    assert not rereading.readings("x://error") and len(rereading.readings("x://deep")) <= 1
