"""A definition over Streamable HTTP in the era of 2026-07-28: headers that say what the body says, statuses by the
book, subscriptions as streams, cancelling by hanging up; alone, and beside the older era."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from inspector.protocol.mirrored import ANNOTATION
from inspector.serving.call import Call
from inspector.serving.definition import MODERN, VERSIONS, Definition, Resource, Tool
from inspector.serving.http import hosted
from tests.exchange import Exchange

META = "io.modelcontextprotocol/"
DRESS = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
TOLD: list[str] = []


async def talk(call: Call) -> str:
    call.progress(1, 2)
    await call.sleep(0.01)
    return "done"


async def wait(call: Call) -> str:
    call.progress(0)
    try:
        await call.sleep(1000)
    finally:
        TOLD.append("stopped")
    return "never"


async def grow(call: Call) -> str:
    call.session.add(Tool(name="new", run="new"))
    call.session.updated("x://a")
    return "grown"


async def ask(call: Call) -> str:
    return (await call.elicit("Sure?", {"type": "object", "properties": {}}))[0]


async def ask_late(call: Call) -> str:
    await call.sleep(0.2)
    return await ask(call)


MIRRORING = {
    "type": "object",
    "properties": {
        "city": {"type": "string", ANNOTATION: "City"},
        "count": {"type": "integer", ANNOTATION: "Count"},
        "deep": {"type": "object", "properties": {"yes": {"type": "boolean", ANNOTATION: "Yes"}}},
    },
}


def definition(*versions: str) -> Definition:
    return Definition(
        name="test", version="1", versions=versions,
        tools=[*(Tool(name=each.__name__, run=each) for each in (talk, wait, grow, ask, ask_late)),
               Tool(name="mirrors", run="seen", input=MIRRORING)],
        resources=[Resource(uri="x://ä", name="a", read="text")],
    )  # fmt: skip


class Client:
    def __init__(self, url: str) -> None:
        self.url = url
        self.open: list[Exchange] = []

    async def http(self, verb: str, headers: dict[str, str], body: bytes = b"") -> Exchange:
        exchange = await Exchange.open(self.url, verb, headers, body)
        self.open.append(exchange)
        return exchange

    async def post(self, message: Any, **headers: str | None) -> Exchange:
        """With the headers that follow from the message, but for those that are given; None leaves one out."""
        params = message.get("params", {})
        said = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP_Protocol_Version": params.get("_meta", {}).get(f"{META}protocolVersion"),
            "Mcp_Method": message.get("method"),
            "Mcp_Name": params.get("name", params.get("uri")),
            **headers,
        }
        sent = {name.replace("_", "-"): value for name, value in said.items() if value is not None}
        return await self.http("POST", sent, json.dumps({"jsonrpc": "2.0", **message}).encode())

    async def begin(self, method: str, id: Any = 1, **more: Any) -> Exchange:
        headers = {name: more.pop(name) for name in list(more) if name.startswith("Mcp_")}
        return await self.post({"id": id, "method": method, "params": {"_meta": DRESS, **more}}, **headers)

    async def call(self, tool: str, id: Any = 1, **more: Any) -> Exchange:
        meta = {**DRESS, "progressToken": "t"} | more.pop("meta", {})
        return await self.begin("tools/call", id, name=tool, _meta=meta, **more)


@asynccontextmanager
async def serving(*versions: str) -> AsyncIterator[Client]:
    async with hosted(definition(*versions or (MODERN,))) as url:
        client = Client(url)
        try:
            yield client
        finally:
            for exchange in client.open:
                exchange.hang_up()


async def test_an_answer_is_json_where_it_is_there_and_a_stream_where_it_takes_time() -> None:
    async with serving() as client:
        listed = await client.begin("tools/list", id="a")
        assert (listed.status, listed.headers["content-type"]) == (200, "application/json")
        assert "mcp-session-id" not in listed.headers
        answer = await listed.message()
        assert answer["id"] == "a" and answer["result"]["resultType"] == "complete"
        stream = await client.call("talk", id=7)
        assert (
            stream.headers["content-type"] == "text/event-stream"
            and stream.headers["x-accel-buffering"] == "no"
        )
        progress, done = await stream.messages()
        assert progress["params"]["progressToken"] == "t" and done["id"] == 7


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"MCP_Protocol_Version": None}, "MCP-Protocol-Version is missing"),
        (
            {"MCP_Protocol_Version": "2025-11-25"},
            "MCP-Protocol-Version is '2025-11-25', the body says '2026-07-28'",
        ),
        ({"Mcp_Method": None}, "Mcp-Method is missing"),
        ({"Mcp_Method": "TOOLS/CALL"}, "Mcp-Method is 'TOOLS/CALL', the body says 'tools/call'"),
        ({"Mcp_Name": None}, "Mcp-Name is missing"),
        ({"Mcp_Name": "grow"}, "Mcp-Name is 'grow', the body says 'mirrors'"),
        ({"Mcp_Name": "=?base64?Z3Jvdw==?="}, "Mcp-Name is '=?base64?Z3Jvdw==?=', the body says 'mirrors'"),
        ({"Mcp_Name": "=?base64?!?="}, "Mcp-Name is '=?base64?!?=', the body says 'mirrors'"),
        ({"Mcp_Param_City": None}, "Mcp-Param-City is missing"),
        ({"Mcp_Param_City": "Rom"}, "Mcp-Param-City is 'Rom', the body says 'Köln'"),
        ({"Mcp_Param_Count": "43"}, "Mcp-Param-Count is '43', the body says '42'"),
        ({"Mcp_Param_Yes": "false"}, "Mcp-Param-Yes is 'false', the body says null"),
    ],
)
async def test_headers_that_do_not_say_what_the_body_says_are_refused(
    change: dict[str, Any], told: str
) -> None:
    headers = {"Mcp_Param_City": "=?base64?S8O2bG4=?=", "Mcp_Param_Count": "42.0", **change}
    params = {
        "_meta": DRESS,
        "name": "mirrors",
        "arguments": {"city": "Köln", "count": 42, "deep": {"yes": None}},
    }
    async with serving() as client:
        answer = await client.post({"id": 3, "method": "tools/call", "params": params}, **headers)
        error = await answer.message()
        assert (answer.status, error["id"], error["error"]["code"]) == (400, 3, -32020)
        assert error["error"]["message"] == f"Header mismatch: {told}"


async def test_headers_that_say_what_the_body_says_are_taken() -> None:
    async with serving() as client:
        for arguments, headers in (
            ({}, {}),
            ({"city": None}, {}),
            ({"city": "Rom", "count": 42}, {"Mcp_Param_City": "Rom", "Mcp_Param_Count": "42.0"}),
            ({"city": "Köln", "deep": {"yes": True}},
             {"Mcp_Param_City": "=?base64?S8O2bG4=?=", "Mcp_Param_Yes": "true"}),
        ):  # fmt: skip
            answer = await client.call("mirrors", arguments=arguments, **headers)
            assert answer.status == 200 and "result" in await answer.message()
        read = await client.begin("resources/read", uri="x://ä", Mcp_Name="=?base64?eDovL8Ok?=")
        assert (await read.message())["result"]["contents"][0]["text"] == "text"


@pytest.mark.parametrize(
    ("message", "headers", "status", "code"),
    [
        ({"method": "no/such"}, {}, 404, -32601),
        ({"method": "ping"}, {}, 404, -32601),
        ({"method": "tools/list", "params": {"_meta": {f"{META}protocolVersion": MODERN}}}, {}, 400, -32602),
        ({"method": "tools/list", "params": {}}, {"MCP_Protocol_Version": MODERN}, 400, -32602),
        ({"method": "tools/list", "params": {"_meta": {**DRESS, f"{META}protocolVersion": "2031-01-01"}}}, {}, 400,
         -32022),
        ({"method": "initialize", "params": {"protocolVersion": "2025-11-25"}}, {}, 400, -32022),
        ({"method": "initialize"}, {}, 404, -32601),
        ({"method": "tools/call", "params": {"_meta": DRESS, "name": "ask"}}, {}, 400, -32021),
        ({"method": "tools/call", "params": {"_meta": DRESS, "name": "none"}}, {}, 200, -32602),
        ({"method": "tools/list", "id": None}, {}, 400, -32600),
    ],
)  # fmt: skip
async def test_errors_come_with_the_status_of_the_specification(
    message: dict[str, Any], headers: dict[str, str], status: int, code: int
) -> None:
    async with serving() as client:
        answer = await client.post({"id": 9, "params": {"_meta": DRESS}, **message}, **headers)
        error = await answer.message()
        assert (answer.status, error["error"]["code"]) == (status, code)
        assert error.get("id") == message.get("id", 9)
        if code == -32022:
            assert error["error"]["data"]["supported"] == [MODERN]


async def test_what_belongs_to_the_older_era_is_not_there() -> None:
    async with serving() as client:
        for verb in ("GET", "DELETE"):
            answer = await client.http(verb, {"Accept": "text/event-stream"})
            assert (answer.status, answer.headers["allow"]) == (405, "POST")
        told = await client.post({"method": "notifications/x"})
        assert (told.status, await told.text()) == (202, "")
        assert (await client.post({"id": 1, "result": {}})).status == 400


async def test_a_subscription_is_a_stream_that_other_clients_changes_come_on() -> None:
    async with serving() as client:
        wanted = {"toolsListChanged": True, "resourceSubscriptions": ["x://a"]}
        listen = await client.begin("subscriptions/listen", id=1, notifications=wanted)
        first = await listen.message()
        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert first["params"]["notifications"] == wanted
        # The same id, of another client.
        assert (await (await client.call("grow", id=1)).message())["result"]
        for method in ("notifications/tools/list_changed", "notifications/resources/updated"):
            told = await listen.message()
            assert told["method"] == method and told["params"]["_meta"][f"{META}subscriptionId"] == 1
        client.open.clear()
    ended = await listen.message()
    assert (ended["id"], ended["result"]["resultType"]) == (1, "complete")
    assert ended["result"]["_meta"][f"{META}subscriptionId"] == 1
    assert await listen.message() is None


async def test_to_hang_up_is_to_cancel() -> None:
    TOLD.clear()
    async with serving() as client:
        call = await client.call("wait")
        await call.message()
        call.hang_up()
        while not TOLD:
            assert (await client.begin("tools/list")).status == 200


async def test_a_request_is_answered_by_what_its_own_client_declares() -> None:
    """Clients share the server; what one of them can do is nothing to the other."""
    able = {f"{META}clientCapabilities": {"elicitation": {}}}
    async with serving() as client:
        call = await client.call("ask_late", meta=able)
        assert (await client.begin("tools/list")).status == 200
        [asked] = await call.messages()
        assert asked["result"]["resultType"] == "input_required"
        key, state = next(iter(asked["result"]["inputRequests"])), asked["result"]["requestState"]
        again = await client.call(
            "ask_late", id=2, meta=able, requestState=state, inputResponses={key: {"action": "decline"}}
        )
        assert (await again.message())["result"]["content"][0]["text"] == "decline"


async def test_both_eras_are_spoken_at_one_place() -> None:
    async with serving(MODERN, *VERSIONS) as client:
        params = {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}
        }  # fmt: skip
        opened = await client.post(
            {"id": 1, "method": "initialize", "params": params}, MCP_Protocol_Version=MODERN
        )
        assert opened.status == 200 and (await opened.message())["result"]["protocolVersion"] == "2025-06-18"
        session = {"Mcp_Session_Id": opened.headers["mcp-session-id"], "MCP_Protocol_Version": "2025-06-18"}
        old = await client.post({"id": 2, "method": "tools/list"}, **session)
        assert "resultType" not in (await old.message())["result"]
        gone = await client.begin("initialize")
        assert (gone.status, (await gone.message())["error"]["code"]) == (404, -32601)
        new = await client.begin("tools/list", Mcp_Session_Id="is not looked at")
        assert (await new.message())["result"]["resultType"] == "complete"
        assert (await client.post({"id": 2, "method": "tools/list"})).status == 400
