"""The engine in the era of 2026-07-28: what each request must say, rounds of input, subscriptions, cache hints; and the
older era beside it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from inspector.demo.post import post
from inspector.serving.call import Call
from inspector.serving.definition import MODERN, VERSIONS, Definition, Prompt, Resource, Tool
from inspector.serving.modern import ModernSession
from inspector.serving.stdio import session_for

META = "io.modelcontextprotocol/"
ALL = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}


async def order(call: Call) -> str:
    """Asks twice."""
    said = [await call.elicit(f"{word}?", {"type": "object", "properties": {}}) for word in ("one", "two")]
    return json.dumps([dict(content) for _, content in said])


async def talk(call: Call) -> str:
    for level in ("debug", "error"):
        call.log(level, level)
    call.progress(1, 2, "half")
    return "done"


async def later(call: Call) -> str:
    await call.sleep(5)
    return "late"


async def grow(call: Call) -> str:
    call.session.add(Tool(name="new", run="new"))
    call.session.updated("x://a")
    return "grown"


async def beat(call: Call) -> None:
    while True:
        await call.sleep(1)
        call.session.updated("x://a")


DEFINITION = Definition(
    name="test", version="1", instructions="read me", versions=(MODERN, VERSIONS[0]), extensions={"x.y/z": {}},
    tools=[Tool(name=each.__name__, run=each) for each in (order, talk, later, grow)],
    resources=[Resource(uri="x://a", name="a", read="text")],
    prompts=[Prompt(name="p", messages="hello")],
    routines=[beat], keeps={"tools/list": 2.5},
)  # fmt: skip


class Client:
    """Stamps what it sends; `heard` is all that is no answer to `ask`."""

    def __init__(self, definition: Definition = DEFINITION, **meta: Any) -> None:
        self.now = 0.0
        self.session = ModernSession(definition, clock=lambda: self.now)
        self.meta = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": ALL}
        self.meta |= {f"{META}{name}": value for name, value in meta.items()}
        self.numbers = itertools.count(1)
        self.heard: list[dict[str, Any]] = []

    def raw(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        frames = self.session.feed(json.dumps({"jsonrpc": "2.0", **message}).encode())
        return [json.loads(frame.raw) for frame in frames]

    def begin(self, method: str, **params: Any) -> tuple[int, list[dict[str, Any]]]:
        id = next(self.numbers)
        return id, self.raw({"id": id, "method": method, "params": {"_meta": self.meta, **params}})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        id, frames = self.begin(method, **params)
        (answer,) = [frame for frame in frames if frame.get("id") == id]
        self.heard += [frame for frame in frames if frame is not answer]
        return answer

    def call(self, tool: str, **more: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=tool, **more)


def test_discover_says_who_it_is_and_every_result_is_complete() -> None:
    result = Client().ask("server/discover")["result"]
    assert result["supportedVersions"] == [MODERN, VERSIONS[0]] and result["instructions"] == "read me"
    assert result["capabilities"]["extensions"] == {"x.y/z": {}} and result["capabilities"]["tools"]
    assert result["_meta"][f"{META}serverInfo"]["name"] == "test"
    for method, params in (
        ("tools/list", {}),
        ("resources/read", {"uri": "x://a"}),
        ("tools/call", {"name": "talk"}),
    ):
        given = Client().ask(method, **params)["result"]
        assert given["resultType"] == "complete" and given["_meta"][f"{META}serverInfo"]["version"] == "1"


def test_results_say_how_long_they_keep() -> None:
    client = Client()
    listed, read = client.ask("tools/list")["result"], client.ask("resources/read", uri="x://a")["result"]
    assert (listed["ttlMs"], listed["cacheScope"]) == (2500, "public")
    assert (read["ttlMs"], read["cacheScope"]) == (0, "private")
    assert "ttlMs" not in client.call("talk")["result"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/list", {"_meta": {f"{META}protocolVersion": "2031-01-01"}}, -32022),
        ("tools/list", {"_meta": {f"{META}protocolVersion": MODERN}}, -32602),
        ("tools/list", {"_meta": {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": 1}}, -32602),
        ("server/discover", {}, -32602),
        ("ping", {"_meta": {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}}, -32601),
        ("logging/setLevel", {"level": "info"}, -32600),
        ("subscriptions/listen", {"notifications": 3}, -32602),
        ("resources/read", {"uri": "x://none"}, -32602),
    ],
)
def test_what_is_no_request_of_this_era_is_refused(method: str, params: dict[str, Any], code: int) -> None:
    client = Client()
    if method in ("subscriptions/listen", "resources/read"):
        params = {"_meta": client.meta, **params}
    (answer,) = client.raw({"id": 1, "method": method, "params": params})
    assert answer["error"]["code"] == code
    if code == -32022:
        assert answer["error"]["data"] == {"supported": [MODERN, VERSIONS[0]], "requested": "2031-01-01"}


def test_who_speaks_no_older_version_refuses_a_handshake() -> None:
    client = Client(Definition(name="new", version="1", versions=(MODERN,)))
    (answer,) = client.raw({"id": 1, "method": "initialize", "params": {"protocolVersion": VERSIONS[0]}})
    assert answer["error"]["code"] == -32022 and answer["error"]["data"]["requested"] == VERSIONS[0]
    (answer,) = client.raw({"id": 2, "method": "tools/list", "params": {}})
    assert answer["error"]["code"] == -32602
    (answer,) = client.raw({"id": None, "method": "tools/list", "params": {}})
    assert answer["error"]["code"] == -32600


def test_a_handshake_goes_the_older_way() -> None:
    client = Client()
    params = {"protocolVersion": MODERN, "capabilities": {"elicitation": {}}, "clientInfo": {}}
    (answer,) = client.raw({"id": 1, "method": "initialize", "params": params})
    assert answer["result"]["protocolVersion"] == VERSIONS[0] and "resultType" not in answer["result"]
    client.raw({"method": "notifications/initialized"})
    (asked,) = client.raw({"id": 2, "method": "tools/call", "params": {"name": "order"}})
    assert asked["method"] == "elicitation/create" and asked["id"] != 2
    client.raw({"id": 3, "method": "resources/subscribe", "params": {"uri": "x://a"}})
    client.now = 1.0
    (told,) = [json.loads(frame.raw) for frame in client.session.tick()]
    assert told["method"] == "notifications/resources/updated" and "_meta" not in told["params"]


# Rounds


def test_a_question_goes_out_as_the_answer_and_the_call_goes_on_with_the_reply() -> None:
    client = Client()
    state, said = None, []
    for word in ("one", "two"):
        more = {} if state is None else {"requestState": state, "inputResponses": said[-1]}
        result = client.call("order", **more)["result"]
        assert result["resultType"] == "input_required" and result["_meta"]
        ((key, question),) = result["inputRequests"].items()
        assert question["method"] == "elicitation/create" and question["params"]["message"] == f"{word}?"
        state = result["requestState"]
        said.append({key: {"action": "accept", "content": {"word": word}}})
    last = client.call("order", requestState=state, inputResponses=said[-1])["result"]
    assert json.loads(last["content"][0]["text"]) == [{"word": "one"}, {"word": "two"}]
    again = client.call("order", requestState=state, inputResponses=said[-1])
    assert again["error"]["code"] == -32602


def test_a_round_without_its_reply_is_asked_again_and_a_strange_state_refused() -> None:
    client = Client()
    first = client.call("order")["result"]
    again = client.call("order", requestState=first["requestState"], inputResponses={"other": {}})["result"]
    assert again["inputRequests"] == first["inputRequests"] and again["requestState"] != first["requestState"]
    for odd in ("never", 3, None, first["requestState"]):
        assert client.call("order", requestState=odd, inputResponses={})["error"]["code"] == -32602
    wrong = client.ask("resources/read", uri="x://a", requestState=again["requestState"])
    assert wrong["error"]["code"] == -32602


def test_what_the_client_cannot_do_is_named() -> None:
    client = Client(clientCapabilities={})
    error = client.call("order")["error"]
    assert error["code"] == -32021 and error["data"] == {"requiredCapabilities": {"elicitation": {}}}


def test_rounds_that_nobody_ends_are_bounded() -> None:
    client = Client()
    states = [client.call("order")["result"]["requestState"] for _ in range(120)]
    assert client.call("order", requestState=states[0])["error"]["code"] == -32602
    assert client.call("order", requestState=states[-1])["result"]["resultType"] == "input_required"
    client.session.close()


# What is told


def test_only_who_listens_hears_of_changes_under_the_id_of_the_subscription() -> None:
    client = Client()
    client.call("grow")
    assert not client.heard
    wanted = {
        "toolsListChanged": True,
        "promptsListChanged": False,
        "resourceSubscriptions": ["x://a", 4],
        "more": 1,
    }
    id, frames = client.begin("subscriptions/listen", notifications=wanted)
    (agreed,) = frames
    assert agreed["method"] == "notifications/subscriptions/acknowledged"
    assert agreed["params"]["notifications"] == {"toolsListChanged": True, "resourceSubscriptions": ["x://a"]}
    client.call("grow")
    assert [frame["method"].rpartition("/")[0] for frame in client.heard] == [
        "notifications/tools",
        "notifications/resources",
    ]
    assert {frame["params"]["_meta"][f"{META}subscriptionId"] for frame in client.heard} == {id}
    client.now = 1.0
    (beaten,) = [json.loads(frame.raw) for frame in client.session.tick()]
    assert beaten["params"]["uri"] == "x://a"
    client.raw({"method": "notifications/cancelled", "params": {"requestId": id}})
    client.heard.clear()
    client.call("grow")
    assert not client.heard


def test_log_messages_come_where_a_request_asks_for_them() -> None:
    quiet, loud = Client(), Client(logLevel="warning")
    quiet.call("talk"), loud.call("talk")
    assert not quiet.heard and [frame["params"]["data"] for frame in loud.heard] == ["error"]
    told = Client(progressToken="t")
    told.meta["progressToken"] = "t"
    told.call("talk")
    assert [frame["params"]["message"] for frame in told.heard] == ["half"]


def test_a_call_that_takes_time_can_be_cancelled() -> None:
    client = Client()
    id, frames = client.begin("tools/call", name="later")
    assert not frames and client.session.is_running(id)
    client.raw({"method": "notifications/cancelled", "params": {"requestId": id}})
    client.now = 10.0
    client.session.tick()
    assert not client.session.is_running(id)


def test_what_plays_a_definition_follows_from_its_versions() -> None:
    assert session_for(DEFINITION) is ModernSession and session_for(post()) is ModernSession
    assert session_for(Definition(name="old", version="1")) is not ModernSession
