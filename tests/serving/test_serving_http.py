"""A definition over Streamable HTTP, in the era of sessions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import h11
import pytest

from inspector.faults.http import HttpFaults
from inspector.faults.injector import Injector
from inspector.faults.kinds import parse
from inspector.serving.call import Call
from inspector.serving.definition import Definition, Places, Resource, Tool
from inspector.serving.http import hosted
from tests.exchange import Exchange

BOTH = "application/json, text/event-stream"


class Client:
    """A session with a server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.headers: dict[str, str] = {}
        self._open: list[Exchange] = []

    async def http(self, method: str, headers: dict[str, str], body: bytes = b"") -> Exchange:
        exchange = await Exchange.open(self.url, method, headers, body)
        self._open.append(exchange)
        return exchange

    async def post(self, message: Any, **headers: str) -> Exchange:
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        fixed = {"Content-Type": "application/json", "Accept": BOTH}
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return await self.http("POST", {**fixed, **self.headers, **changed}, body)

    async def get(self, **headers: str) -> Exchange:
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http("GET", {"Accept": "text/event-stream", **self.headers, **changed})

    async def ask(self, method: str, params: Any = None, id: Any = 1) -> Exchange:
        return await self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})

    async def call(self, tool: str, arguments: Any = None, id: Any = 1) -> Exchange:
        params = {"name": tool, "arguments": arguments or {}, "_meta": {"progressToken": id}}
        return await self.ask("tools/call", params, id)

    async def tell(self, method: str, params: Any = None) -> Exchange:
        return await self.post({"jsonrpc": "2.0", "method": method, "params": params or {}})

    async def greet(self, capabilities: Any = None, version: str = "2025-11-25") -> Any:
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        answer = await self.ask("initialize", params)
        assert answer.status == 200
        self.headers = {
            "Mcp-Session-Id": answer.headers["mcp-session-id"],
            "MCP-Protocol-Version": version,
        }
        assert (await self.tell("notifications/initialized")).status == 202
        return (await answer.message())["result"]

    def hang_up(self) -> None:
        for exchange in self._open:
            exchange.hang_up()


async def touch(call: Call) -> str:
    call.session.updated("x:r")
    return "touched"


async def talk(call: Call) -> str:
    call.log("warning", "listen")
    call.progress(1, 2)
    await call.sleep(0.01)
    return "done"


async def ask_back(call: Call) -> str:
    return (await call.elicit("Sure?", {"type": "object", "properties": {}}))[0]


async def later(call: Call) -> str:
    await call.sleep(0.01)
    return "late"


async def step(call: Call) -> str:
    for number in range(3):
        call.progress(number)
        await call.ask("ping")
    return "there"


async def wait(call: Call) -> str:
    call.progress(0)
    await call.sleep(1000)
    return "never"


TESTED = Definition(
    name="test",
    version="1",
    tools=[
        Tool(name="hello", run="hello"),
        Tool(name="talk", run=talk),
        Tool(name="touch", run=touch),
        Tool(name="ask", run=ask_back),
        Tool(name="wait", run=wait),
        Tool(name="step", run=step),
        Tool(name="later", run=later),
    ],
    resources=[Resource(uri="x:r", name="r", read="r")],
)


@asynccontextmanager
async def serving(capabilities: Any = None, version: str = "2025-11-25") -> AsyncIterator[Client]:
    async with hosted(TESTED) as url:
        client = Client(url)
        await client.greet(capabilities, version)
        try:
            yield client
        finally:
            client.hang_up()


async def test_what_is_done_at_once_is_answered_as_json() -> None:
    async with serving() as client:
        answer = await client.call("hello", id="a")
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
        assert (await answer.message())["id"] == "a"
        missing = await client.ask("no/such")
        assert (missing.status, (await missing.message())["error"]["code"]) == (200, -32601)


async def test_what_takes_time_is_answered_as_an_event_stream() -> None:
    async with serving() as client:
        answer = await client.call("talk", id=7)
        assert answer.headers["content-type"] == "text/event-stream"
        methods = [each.get("method") or each["id"] for each in await answer.messages()]
        assert methods == ["notifications/message", "notifications/progress", 7]


async def test_sessions_are_demanded_and_known() -> None:
    async with serving() as client:
        good = client.headers
        for headers, status, code in (
            ({}, 400, -32000),
            ({"Mcp-Session-Id": "unknown"}, 404, -32001),
            ({**good, "MCP-Protocol-Version": "2025-03-26"}, 400, -32000),
            ({**good, "MCP-Protocol-Version": "2026-07-28"}, 400, -32000),
        ):
            client.headers = headers
            for answer in (
                await client.ask("ping"),
                await client.tell("notifications/x"),
                await client.get(),
            ):
                assert answer.status == status
                assert (await answer.message())["error"]["code"] == code
        client.headers = {"Mcp-Session-Id": good["Mcp-Session-Id"]}
        assert (await client.ask("ping")).status == 200


async def test_delete_ends_the_session_and_its_streams() -> None:
    async with serving() as client:
        stream = await client.get()
        call = await client.call("wait")
        assert (await client.http("DELETE", client.headers)).status == 204
        assert await stream.messages() == []
        assert [each["method"] for each in await call.messages()] == ["notifications/progress"]
        assert (await client.ask("ping")).status == 404
        assert (await client.http("DELETE", client.headers)).status == 404


async def test_two_clients_have_their_own_sessions() -> None:
    async with serving() as one:
        other = Client(one.url)
        await other.greet()
        assert other.headers != one.headers
        await other.http("DELETE", other.headers)
        assert (await one.ask("ping")).status == 200


Step = Callable[[Client], Coroutine[Any, Any, Exchange]]


@pytest.mark.parametrize(
    ("step", "status"),
    [
        (lambda c: c.http("PUT", {}), 405),
        (lambda c: c.http("OPTIONS", {}), 405),
        (lambda c: c.http("GET", c.headers), 406),
        (lambda c: c.http("GET", {**c.headers, "Accept": "application/json"}), 406),
        (lambda c: c.post({}, Accept="application/json"), 406),
        (lambda c: c.post({}, Accept="text/event-stream"), 406),
        (lambda c: c.post({}, Content_Type="text/plain"), 415),
        (lambda c: c.post(b"{"), 400),
        (lambda c: c.post(b"[]"), 400),
        (lambda c: c.post(b"{}"), 400),
        (lambda c: c.post({"jsonrpc": "2.0", "id": None, "method": "ping"}), 400),
        (lambda c: c.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Origin="http://evil.example"), 403),
        (lambda c: c.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Host="evil.example"), 403),
        (lambda c: c.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Accept="*/*"), 200),
        (
            lambda c: c.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Origin="http://localhost:6274"),
            200,
        ),
        (lambda c: c.post({"jsonrpc": "2.0", "id": "unasked", "result": {}}), 202),
    ],
)
async def test_status_codes_by_the_book(step: Step, status: int) -> None:
    async with serving() as client:
        answer = await step(client)
        assert answer.status == status
        if status == 202:
            assert await answer.text() == ""
        if status == 405:
            assert answer.headers["allow"] == "POST, GET, DELETE"


async def test_the_places_can_be_others() -> None:
    places = Places("/here", "/events", "/mcp/message", "http://127.0.0.1:1")
    async with hosted(replace(TESTED, places=places)) as url:
        client = Client(url)
        assert url.endswith("/here") and (await client.greet())["serverInfo"]["name"] == "test"
        stream = await Exchange.open(
            url.removesuffix("/here") + "/events", "GET", {"Accept": "text/event-stream"}, b""
        )
        told = bytes((await stream._event()).data).decode()
        assert "data: http://127.0.0.1:1/mcp/message?sessionId=" in told
        address = url.removesuffix("/here") + told.split("127.0.0.1:1")[1].split()[0]
        sent = await Exchange.open(
            address, "POST", {"Content-Type": "application/json"}, json.dumps(ping(1)).encode()
        )
        assert sent.status == 202 and (await stream.message())["id"] == 1
        stream.hang_up()


async def test_another_path_is_not_found() -> None:
    async with serving() as client:
        client.url = client.url.replace("/mcp", "/other")
        assert (await client.ask("ping")).status == 404


async def test_an_initialize_that_fails_begins_no_session() -> None:
    async with hosted(TESTED) as url:
        answer = await Client(url).ask("initialize", {"protocolVersion": 7})
        assert (await answer.message())["error"]["code"] == -32602


async def test_the_get_stream_brings_what_belongs_to_no_request_early_news_too() -> None:
    async with serving() as client:
        await client.ask("resources/subscribe", {"uri": "x:r"})
        assert (await (await client.call("touch")).message())["result"]
        stream = await client.get()
        assert (await stream.message())["params"] == {"uri": "x:r"}
        newest = await client.get()
        await client.call("touch")
        assert (await newest.message())["params"] == {"uri": "x:r"}
        newest.hang_up()
        stream.hang_up()


async def test_a_question_goes_out_on_the_stream_of_its_call() -> None:
    async with serving({"elicitation": {}}) as client:
        call = await client.call("ask", id=5)
        question = await call.message()
        assert question["method"] == "elicitation/create"
        reply = await client.post({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})
        assert reply.status == 202
        [answer] = await call.messages()
        assert (answer["id"], answer["result"]["content"][0]["text"]) == (5, "decline")


async def test_a_cancelled_call_ends_its_stream_without_an_answer() -> None:
    async with serving() as client:
        call = await client.call("wait", id=3)
        assert (await client.ask("ping", id=3)).status == 400
        assert (await client.tell("notifications/cancelled", {"requestId": 3})).status == 202
        assert [each["method"] for each in await call.messages()] == ["notifications/progress"]


async def test_hanging_up_is_not_cancelling() -> None:
    async with serving() as client:
        call = await client.call("wait", id=3)
        await call.message()
        call.hang_up()
        assert (await client.ask("ping", id=4)).status == 200
        assert (await client.ask("ping", id=3)).status == 400


def event_id(exchange: Exchange) -> str:
    """Of the last event that was read."""
    return next(line[4:] for line in exchange.events[-1].split("\n") if line.startswith("id: "))


async def test_a_stream_that_broke_is_taken_up_where_it_was() -> None:
    async with serving() as client:
        call = await client.call("step", id=3)
        first, ping = await call.message(), await call.message()
        assert "retry: " in call.events[0] and "data: \n" not in call.events[1]
        seen = event_id(call)
        call.hang_up()
        # What comes while nobody reads waits; what was read is not told again.
        await client.post({"jsonrpc": "2.0", "id": ping["id"], "result": {}})
        again = await client.get(Last_Event_ID=seen)
        second, ping = await again.message(), await again.message()
        assert [each["params"]["progress"] for each in (first, second)] == [0, 1]
        again.hang_up()
        # From the beginning on, all of it.
        rest = await client.get(Last_Event_ID=f"{seen.partition('-')[0]}-1")
        assert [(await rest.message())["method"] for _ in range(4)] == ["notifications/progress", "ping"] * 2
        await client.post({"jsonrpc": "2.0", "id": ping["id"], "result": {}})
        assert (await rest.message())["params"]["progress"] == 2
        ping = await rest.message()
        await client.post({"jsonrpc": "2.0", "id": ping["id"], "result": {}})
        [answer] = await rest.messages()
        assert answer["id"] == 3 and answer["result"]["content"][0]["text"] == "there"


async def test_the_last_event_comes_again_where_it_broke() -> None:
    faults = HttpFaults(Injector(parse(["broken-sse:method=tools/call"])))
    async with hosted(TESTED, through=lambda handler: faults.around(handler, lambda code: None)) as url:
        client = Client(url)
        await client.greet({"elicitation": {}})
        call = await client.call("later", id=3)
        while not call._text.endswith("\n\n"):
            call._text += bytes((await call._event()).data).decode()
        seen = call._text.partition("id: ")[2].split()[0]
        with pytest.raises(h11.RemoteProtocolError):
            await call.text()
        [answer] = await (await client.get(Last_Event_ID=seen)).messages()
        assert answer["id"] == 3 and answer["result"]["content"][0]["text"] == "late"
        client.hang_up()


async def test_a_listening_stream_is_taken_up_and_goes_on_listening() -> None:
    async with serving() as client:
        await client.ask("resources/subscribe", {"uri": "x:r"})
        stream = await client.get()
        await client.call("touch")
        await stream.message()
        seen = event_id(stream)
        stream.hang_up()
        again = await client.get(Last_Event_ID=seen)
        await client.call("touch")
        assert (await again.message())["params"] == {"uri": "x:r"}
        assert (await client.get(Last_Event_ID="nobody-knows")).status == 200


async def test_an_older_session_is_not_primed() -> None:
    async with serving(version="2025-06-18") as client:
        call = await client.call("talk")
        await call.messages()
        assert "retry" not in "".join(call.events) and event_id(call)


def ping(id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": "ping"}


async def test_a_batch_is_answered_as_one_where_it_is_spoken() -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/x"}
    slow = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "talk"}}
    async with serving(version="2025-03-26") as client:
        both = await client.post([ping(7), told, ping(8)])
        assert [each["id"] for each in await both.message()] == [7, 8]
        assert (await client.post([told])).status == 202
        mixed = await client.post([ping(7), slow])
        ids = [each.get("id") for each in await mixed.messages()]
        assert mixed.headers["content-type"] == "text/event-stream" and ids == [7, None, 9]
        greeting = {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {}}
        for wrong in ([], [1], [ping(7), greeting], [ping(None)]):
            assert (await client.post(wrong)).status == 400
        (strange,) = await (await client.post([{"jsonrpc": "2.0"}])).message()
        assert strange["error"]["code"] == -32600
    async with serving() as client:
        assert (await client.post([ping(7)])).status == 400


async def test_closing_the_server_ends_open_streams() -> None:
    async with hosted(TESTED) as url:
        client = Client(url)
        await client.greet()
        stream, call = await client.get(), await client.call("wait")
    assert await stream.messages() == []
    assert len(await call.messages()) == 1


PAGE = "http://localhost:6274"


async def test_a_page_of_this_machine_may_ask_first_and_read_the_answers() -> None:
    """As the web client of MCP Inspector does (Fetch standard, 3.2)."""
    asks = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,mcp-session-id",
    }
    async with serving() as client:
        first = await client.http("OPTIONS", {"Origin": PAGE, **asks})
        assert (first.status, first.headers["access-control-allow-origin"]) == (204, PAGE)
        assert first.headers["access-control-allow-headers"] == asks["Access-Control-Request-Headers"]
        assert "DELETE" in first.headers["access-control-allow-methods"]
        for answer in (
            await client.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, Origin=PAGE),
            await client.get(Origin=PAGE),
            await client.post(b"{", Origin=PAGE),
        ):
            assert (
                answer.headers["access-control-allow-origin"] == PAGE and answer.headers["vary"] == "Origin"
            )
            assert "Mcp-Session-Id" in answer.headers["access-control-expose-headers"]
        for strange in ("https://evil.example", "null", "http://localhost.evil.example"):
            refused = await client.http("OPTIONS", {"Origin": strange, **asks})
            assert refused.status == 403 and "access-control-allow-origin" not in refused.headers
        plain = await client.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert not [name for name in plain.headers if name.startswith("access-control")]
