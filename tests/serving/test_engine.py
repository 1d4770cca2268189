"""The engine alone: frames in, frames out, with a clock of our own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.serving import content, uris
from inspector.serving.call import LEVELS, Call
from inspector.serving.definition import (
    VERSIONS,
    Argument,
    Definition,
    Prompt,
    Resource,
    Result,
    RpcError,
    Template,
    Tool,
    ToolError,
)
from inspector.serving.engine import Session


class Client:
    """Talks to a session; everything that comes in and is no answer to `ask` is kept in `heard`."""

    def __init__(self, definition: Definition) -> None:
        self.now = 0.0
        self.said: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self.session = Session(definition, clock=lambda: self.now, say=self.said.append)
        self.number = 0

    def send(self, message: Any) -> list[dict[str, Any]]:
        raw = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self._read(self.session.feed(raw))

    def _read(self, frames: Any) -> list[dict[str, Any]]:
        assert not any(b"\n" in frame.raw for frame in frames)
        return [json.loads(frame.raw) for frame in frames]

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """The answer, which has to be there at once."""
        self.number += 1
        frames = self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        answers = [frame for frame in frames if frame.get("id") == self.number and "method" not in frame]
        self.heard += [frame for frame in frames if frame not in answers]
        assert len(answers) == 1
        return answers[0]

    def tell(self, method: str, params: Any = None) -> list[dict[str, Any]]:
        return self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def greet(self, version: str = VERSIONS[0], capabilities: Any = None) -> dict[str, Any]:
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        result = self.ask("initialize", params)["result"]
        self.heard += self.tell("notifications/initialized")
        return result

    def call(self, tool: str, arguments: Any = None) -> dict[str, Any]:
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}})

    def later(self, seconds: float) -> list[dict[str, Any]]:
        self.now += seconds
        return self._read(self.session.tick())


def number(size: int) -> list[Tool]:
    return [Tool(name=f"t{each}", run="ok") for each in range(size)]


def serve(**parts: Any) -> Client:
    client = Client(Definition(name="test", version="1", **parts))
    client.greet()
    return client


@pytest.mark.parametrize("version", VERSIONS)
def test_a_known_version_is_echoed(version: str) -> None:
    assert Client(Definition(name="x", version="1")).greet(version)["protocolVersion"] == version


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", ""])
def test_an_unknown_version_is_answered_with_the_newest(version: str) -> None:
    assert Client(Definition(name="x", version="1")).greet(version)["protocolVersion"] == "2025-11-25"


def test_capabilities_follow_from_what_is_offered() -> None:
    client = Client(Definition(name="x", version="1", tools=number(1), logging=False))
    assert client.greet()["capabilities"] == {"tools": {"listChanged": True}}
    for method in ("resources/list", "prompts/list", "logging/setLevel", "completion/complete"):
        assert client.ask(method)["error"]["code"] == -32601


def test_members_of_later_versions_are_left_out() -> None:
    tool = Tool(
        name="t",
        run="x",
        title="T",
        annotations={"readOnlyHint": True},
        icons=[{"src": "data:,"}],
        output={"type": "object"},
    )
    seen = {}
    for version in VERSIONS:
        client = Client(Definition(name="x", version="1", title="X", tools=[tool]))
        info = client.greet(version)["serverInfo"]
        seen[version] = set(client.ask("tools/list")["result"]["tools"][0]) - {"name", "inputSchema"}
        assert ("title" in info) == (version >= "2025-06-18")
    assert seen == {
        "2024-11-05": set(),
        "2025-03-26": {"annotations"},
        "2025-06-18": {"annotations", "title", "outputSchema"},
        "2025-11-25": {"annotations", "title", "outputSchema", "icons"},
    }


def test_content_of_later_versions_becomes_text() -> None:
    async def all_of_it(call: Call) -> Result:
        return Result([content.audio(b"x"), content.link("a:b", "b")], structured={"a": 1})

    client = Client(Definition(name="x", version="1", tools=[Tool(name="t", run=all_of_it)]))
    client.greet("2024-11-05")
    result = client.call("t")["result"]
    assert [block["type"] for block in result["content"]] == ["text", "text"]
    assert "structuredContent" not in result


def test_nothing_is_served_before_initialize_but_ping() -> None:
    client = Client(Definition(name="x", version="1", tools=number(1)))
    assert client.ask("ping")["result"] == {}
    assert client.ask("tools/list")["error"]["code"] == -32600
    assert client.ask("server/discover")["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", -32700),
        (b"hello", -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b"7", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    ],
)
def test_what_is_no_request_gets_an_error_without_id(raw: bytes, code: int) -> None:
    answer = Client(Definition(name="x", version="1")).send(raw)
    assert [each["error"]["code"] for each in answer] == [code]
    assert "id" not in answer[0]


def test_an_empty_line_is_nothing() -> None:
    assert Client(Definition(name="x", version="1")).send(b"\r\n") == []


def test_lists_come_in_pages_and_cursors_are_checked() -> None:
    client = serve(tools=number(5), prompts=[Prompt(name="p", messages="x")], pages={"tools": 2})
    names, cursor, pages, first = [], None, 0, None
    while pages == 0 or cursor is not None:
        result = client.ask("tools/list", {"cursor": cursor} if cursor else {})["result"]
        names += [tool["name"] for tool in result["tools"]]
        cursor, pages = result.get("nextCursor"), pages + 1
        first = first or cursor
    assert (names, pages) == ([f"t{each}" for each in range(5)], 3)
    for bad in ("", "nonsense", "€", 7, {}, ["x"]):
        assert client.ask("tools/list", {"cursor": bad})["error"]["code"] == -32602
    assert client.ask("prompts/list", {"cursor": first})["error"]["code"] == -32602


def test_answers_of_tools() -> None:
    async def fails(call: Call) -> str:
        raise ToolError("no luck")

    async def refuses(call: Call) -> str:
        raise RpcError(-32010, "no way", {"why": 1})

    async def crashes(call: Call) -> str:
        return call.arguments["not there"]

    client = serve(
        tools=[
            Tool(name="scripted", run="hello"),
            Tool(name="fails", run=fails),
            Tool(name="refuses", run=refuses),
            Tool(name="crashes", run=crashes),
        ]
    )
    assert client.call("scripted")["result"] == {"content": [{"type": "text", "text": "hello"}]}
    assert client.call("fails")["result"] == {
        "content": [{"type": "text", "text": "no luck"}],
        "isError": True,
    }
    assert client.call("refuses")["error"] == {"code": -32010, "message": "no way", "data": {"why": 1}}
    assert client.call("crashes")["result"]["isError"] is True
    assert "crashes" in client.said[-1]
    assert client.call("absent")["error"]["code"] == -32602
    assert client.ask("tools/call", {"name": 7})["error"]["code"] == -32602
    assert client.ask("tools/call", {"name": "fails", "arguments": []})["error"]["code"] == -32602


@pytest.mark.parametrize(
    "arguments",
    [{}, {"n": "x"}, {"n": True}, {"n": 1.5}, {"n": None}, {"n": 1, "c": "z"}, {"n": 1, "more": 1}],
)
def test_arguments_that_do_not_fit_are_an_answer_of_the_tool(arguments: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "c": {"enum": ["a", None]}},
        "required": ["n"],
        "additionalProperties": False,
    }
    client = serve(tools=[Tool(name="t", run="ok", input=schema)])
    assert client.call("t", arguments)["result"]["isError"] is True
    assert "isError" not in client.call("t", {"n": 2.0, "c": None})["result"]


async def slow(call: Call) -> str:
    for step in range(3):
        call.progress(step, 3, "going")
        await call.sleep(1)
    return "done"


def start_slow(client: Client, **params: Any) -> list[dict[str, Any]]:
    return client.send(
        {"jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": {"name": "slow", **params}}
    )


def test_progress_comes_with_a_token_only_and_in_its_time() -> None:
    client = serve(tools=[Tool(name="slow", run=slow)])
    assert start_slow(client) == []
    assert client.later(1) + client.later(1) == []
    assert client.later(1)[0]["result"]["content"][0]["text"] == "done"

    frames = start_slow(client, _meta={"progressToken": 9})
    assert client.session.wake() == client.now + 1
    frames += client.later(1) + client.later(1) + client.later(1)
    assert [each["params"]["progress"] for each in frames[:-1]] == [0, 1, 2]
    assert frames[0]["params"] == {"progressToken": 9, "progress": 0, "total": 3, "message": "going"}
    assert frames[-1]["id"] == "s"
    assert client.session.wake() is None


def test_a_cancelled_call_is_never_answered() -> None:
    ended = []

    async def careful(call: Call) -> str:
        try:
            await call.sleep(1)
        finally:
            ended.append(True)
        return "done"

    client = serve(tools=[Tool(name="slow", run=careful)])
    start_slow(client)
    assert client.session.is_running("s")
    assert client.tell("notifications/cancelled", {"requestId": "unknown"}) == []
    assert client.tell("notifications/cancelled", {"requestId": "s", "reason": "enough"}) == []
    assert ended == [True]
    assert not client.session.is_running("s")
    assert client.session.wake() is None
    assert client.later(5) == []


def test_requests_run_side_by_side_but_no_id_twice() -> None:
    client = serve(tools=[Tool(name="slow", run=slow)])
    start_slow(client)
    assert client.ask("ping")["result"] == {}
    assert start_slow(client)[0]["error"]["code"] == -32600


def test_log_messages_respect_the_level() -> None:
    async def talk(call: Call) -> str:
        for level in LEVELS:
            call.log(level, {"n": 1}, "me")
        return ""

    client = serve(tools=[Tool(name="talk", run=talk)])
    for level, count in (("debug", 8), ("error", 4), ("emergency", 1)):
        assert client.ask("logging/setLevel", {"level": level})["result"] == {}
        client.heard.clear()
        client.call("talk")
        assert len(client.heard) == count
        assert client.heard[0]["params"] == {"level": level, "logger": "me", "data": {"n": 1}}
    assert client.ask("logging/setLevel", {"level": "loud"})["error"]["code"] == -32602


def test_resources_and_templates_are_read() -> None:
    async def city(call: Call) -> str:
        return json.dumps(dict(call.arguments))

    client = serve(
        resources=[
            Resource(uri="x:text", name="t", read="héllo", mime="text/plain"),
            Resource(uri="x:b", name="b", read=b"\0"),
        ],
        templates=[Template(uri="x:city/{country}/{name}{?lang,unit}", name="c", read=city)],
    )

    def read(uri: str) -> dict[str, Any]:
        return client.ask("resources/read", {"uri": uri})

    assert read("x:text")["result"] == {
        "contents": [{"uri": "x:text", "mimeType": "text/plain", "text": "héllo"}]
    }
    assert read("x:b")["result"] == {"contents": [{"uri": "x:b", "blob": "AA=="}]}
    found = read("x:city/se/Malm%C3%B6?lang=sv")["result"]["contents"][0]
    assert json.loads(found["text"]) == {"country": "se", "name": "Malmö", "lang": "sv"}
    assert read("x:none")["error"] == {
        "code": -32002,
        "message": "Resource not found",
        "data": {"uri": "x:none"},
    }
    assert client.ask("resources/read", {})["error"]["code"] == -32602


def test_updates_reach_subscribers_only() -> None:
    async def touch(call: Call) -> str:
        call.session.updated("x:r")
        return ""

    client = serve(tools=[Tool(name="touch", run=touch)], resources=[Resource(uri="x:r", name="r", read="")])
    client.call("touch")
    assert client.heard == []
    assert client.ask("resources/subscribe", {"uri": "x:r"})["result"] == {}
    client.call("touch")
    assert client.heard == [
        {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "x:r"}}
    ]
    client.ask("resources/unsubscribe", {"uri": "x:r"})
    client.call("touch")
    assert len(client.heard) == 1
    assert client.ask("resources/subscribe", {"uri": "x:other"})["error"]["code"] == -32002


def test_lists_change_at_run_time() -> None:
    client = serve(
        tools=number(1),
        prompts=[Prompt(name="p", messages="x")],
        resources=[Resource(uri="x:r", name="r", read="")],
    )
    new = Tool(name="new", run="hi")
    client.session.add(new)
    client.session.remove(client.session.prompts["p"])
    client.session.remove(client.session.resources["x:r"])
    methods = [each["method"] for each in client.later(0)]
    assert methods == [f"notifications/{kind}/list_changed" for kind in ("tools", "prompts", "resources")]
    assert client.call("new")["result"]["content"][0]["text"] == "hi"
    assert client.ask("prompts/list")["result"] == {"prompts": []}
    client.session.remove(new)
    client.session.remove(new)
    assert len(client.later(0)) == 1


def test_prompts_and_their_arguments() -> None:
    async def greet(call: Call) -> list[content.Block]:
        return [content.message("assistant", f"Hello {call.arguments['name']}")]

    client = serve(
        prompts=[
            Prompt(
                name="greet",
                description="d",
                messages=greet,
                arguments=[Argument("name", "who", required=True)],
            ),
            Prompt(name="plain", messages="Say hi."),
        ]
    )

    def get(prompt: str, **arguments: str) -> dict[str, Any]:
        return client.ask("prompts/get", {"name": prompt, "arguments": arguments})

    assert get("greet", name="Ada")["result"] == {
        "description": "d",
        "messages": [{"role": "assistant", "content": {"type": "text", "text": "Hello Ada"}}],
    }
    assert get("plain")["result"]["messages"][0]["role"] == "user"
    assert get("greet")["error"]["code"] == -32602
    assert get("absent")["error"]["code"] == -32602


def test_completion_of_prompts_and_templates() -> None:
    def dependent(typed: str, others: Any) -> list[str]:
        return [f"{others.get('country', 'any')}-{typed}"]

    client = serve(
        prompts=[
            Prompt(
                name="p",
                messages="",
                arguments=[Argument("n", "", complete=[f"v{n}" for n in range(130)]), Argument("o", "")],
            )
        ],
        templates=[Template(uri="x:{country}/{city}", name="t", read="", complete={"city": dependent})],
    )

    def complete(ref: Any, name: str, value: str, **context: Any) -> dict[str, Any]:
        params = {"ref": ref, "argument": {"name": name, "value": value}, "context": {"arguments": context}}
        return client.ask("completion/complete", params)

    prompt, template = (
        {"type": "ref/prompt", "name": "p"},
        {"type": "ref/resource", "uri": "x:{country}/{city}"},
    )
    many = complete(prompt, "n", "V")["result"]["completion"]
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 130, True)
    assert complete(prompt, "n", "v12")["result"]["completion"]["values"][0] == "v12"
    assert complete(prompt, "o", "x")["result"]["completion"] == {"values": [], "total": 0, "hasMore": False}
    assert complete(template, "city", "L", country="fr")["result"]["completion"]["values"] == ["fr-L"]
    for ref in (
        {"type": "ref/prompt", "name": "absent"},
        {"type": "ref/resource", "uri": "x:y"},
        {"type": "other"},
        {},
    ):
        assert complete(ref, "n", "")["error"]["code"] == -32602


async def ask_back(call: Call) -> str:
    action, answer = await call.elicit("Sure?", {"type": "object", "properties": {}})
    return f"{action} {dict(answer)}"


def start_asking(client: Client) -> list[dict[str, Any]]:
    return client.send({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": {"name": "ask"}})


def asking(capabilities: Any, version: str = VERSIONS[0]) -> Client:
    client = Client(Definition(name="test", version="1", tools=[Tool(name="ask", run=ask_back)]))
    client.greet(version, capabilities)
    return client


def test_a_handler_asks_the_client_and_goes_on_with_its_answer() -> None:
    client = asking({"elicitation": {}})
    [request] = start_asking(client)
    assert request["method"] == "elicitation/create"
    assert request["params"]["message"] == "Sure?"
    assert client.send({"jsonrpc": "2.0", "id": "stranger", "result": {}}) == []
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"action": "accept", "content": {"a": 1}}}
    assert client.send(answer)[0]["result"]["content"][0]["text"] == "accept {'a': 1}"
    assert client.send(answer) == []


def test_a_client_that_refuses_makes_the_tool_fail() -> None:
    for reply in ({"error": {"code": -1, "message": "no"}}, {"error": "odd"}, {"result": None}):
        client = asking({"elicitation": {}})
        [request] = start_asking(client)
        [answer] = client.send({"jsonrpc": "2.0", "id": request["id"], **reply})
        assert answer["result"]["isError"] is True


@pytest.mark.parametrize(
    ("capabilities", "version"),
    [({}, "2025-11-25"), ({"roots": {}}, "2025-11-25"), ({"elicitation": {}}, "2025-03-26")],
)
def test_what_the_client_has_not_declared_is_not_asked(capabilities: Any, version: str) -> None:
    [answer] = start_asking(asking(capabilities, version))
    assert answer["result"]["isError"] is True
    assert "elicitation" in answer["result"]["content"][0]["text"]


def test_cancelling_takes_back_the_question() -> None:
    client = asking({"elicitation": {}})
    [request] = start_asking(client)
    [notice] = client.tell("notifications/cancelled", {"requestId": 50})
    assert notice["method"] == "notifications/cancelled"
    assert notice["params"]["requestId"] == request["id"]


def test_handlers_that_misbehave_cost_only_their_own_call() -> None:
    async def stubborn(call: Call) -> str:
        try:
            await call.sleep(1)
        finally:
            await call.sleep(1)
        return ""

    client = serve(
        tools=[Tool(name="nan", run={"type": "text", "text": float("nan")}), Tool(name="slow", run=stubborn)]
    )
    assert client.call("nan")["error"]["code"] == -32603
    start_slow(client)
    assert client.tell("notifications/cancelled", {"requestId": "s"}) == []
    assert "GeneratorExit" in client.said[-1]
    assert client.ask("ping")["result"] == {}


def test_routines_start_with_initialized_and_end_with_the_session() -> None:
    steps = []

    async def beat(call: Call) -> None:
        try:
            while True:
                await call.sleep(1)
                steps.append(call.session.clock())
                call.log("info", "beat")
        finally:
            steps.append(-1.0)

    client = Client(Definition(name="x", version="1", routines=[beat]))
    assert client.session.wake() is None
    client.greet()
    assert [each["params"]["data"] for each in client.later(1) + client.later(1)] == ["beat", "beat"]
    client.session.close()
    assert steps == [1.0, 2.0, -1.0]


def test_a_second_initialize_begins_anew() -> None:
    async def beat(call: Call) -> None:
        while True:
            await call.sleep(1)
            call.session.updated("x:r")
            call.log("info", "beat")

    client = Client(
        Definition(name="x", version="1", routines=[beat], resources=[Resource(uri="x:r", name="r", read="")])
    )
    client.greet("2025-06-18")
    client.ask("resources/subscribe", {"uri": "x:r"})
    assert len(client.later(1)) == 2
    assert client.greet("2025-03-26")["protocolVersion"] == "2025-03-26"
    assert [each["method"] for each in client.later(1)] == ["notifications/message"]


def test_a_handler_that_awaits_something_foreign_is_told_so() -> None:
    class Foreign:
        def __await__(self) -> Any:
            yield "what?"

    async def odd(call: Call) -> str:
        await Foreign()
        return ""

    result = serve(tools=[Tool(name="odd", run=odd)]).call("odd")["result"]
    assert "may await only" in result["content"][0]["text"]


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["jsonrpc", "id", "method", "params", "result", "error", "cursor", "name", "_meta"]
                ),
                inner,
            )
        ),
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_frame_breaks_a_session(raw: bytes) -> None:
    client = serve(tools=number(3), pages={"tools": 2}, prompts=[Prompt(name="p", messages="x")])
    client.send(raw)
    for method in (
        "tools/list",
        "tools/call",
        "prompts/get",
        "completion/complete",
        "initialize",
        "logging/setLevel",
    ):
        client.send(b'{"jsonrpc":"2.0","id":"z","method":"' + method.encode() + b'","params":' + raw + b"}")
    assert client.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    ("template", "uri", "variables"),
    [
        ("a:{x}", "a:1", {"x": "1"}),
        ("a:{x}", "a:1/2", None),
        ("a:{+x}", "a:1/2", {"x": "1/2"}),
        ("a:{x}/b.{y}", "a:1/b.2", {"x": "1", "y": "2"}),
        ("a:{x}{?q}", "a:1", {"x": "1"}),
        ("a:{x}{?q}", "a:1?q=%20&r=2", {"x": "1", "q": " "}),
        ("a:b", "a:c", None),
    ],
)
def test_uris_match_templates(template: str, uri: str, variables: Any) -> None:
    assert uris.match(template, uri) == variables
