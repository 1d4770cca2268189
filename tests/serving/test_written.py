"""Definition files as servers, in both eras."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.base.errors import Failed
from inspector.serving import written
from inspector.serving.modern import ModernSession
from inspector.serving.played import played

SHOP = """
# A shop.
definition: 1
server: {name: shop, version: '2.10', title: The shop}
instructions: Ask for a price.
page: 2
tools:
- name: price
  inputSchema: {type: object, properties: {item: {type: string}, n: {type: integer}}, required: [item]}
- {name: ask, inputSchema: {type: object}}
- {name: silent, inputSchema: {type: object}}
resources:
- {uri: "shop://hours", name: hours, mimeType: text/plain}
- {uri: "shop://logo", name: logo, mimeType: image/png}
templates:
- {uriTemplate: "shop://items/{id}", name: item}
prompts:
- {name: advert, arguments: [{name: city, required: true}]}
answers:
- {tool: price, when: {item: rye}, times: 1, text: first}
- {tool: price, when: {item: rye}, text: "{item} {n} {none}", structured: {n: "{n}", all: ["{item}"]}}
- tool: price
  before: [{progress: 1, total: 2, message: "looking for {item}"}, {wait: 0.5}, {log: "no {item}", level: warning}]
  text: there is none
  isError: true
- {tool: price, when: {item: never}, error: {code: -32000, message: unreachable}}
- tool: ask
  before: [{ask: elicitation/create, params: {message: "How many?"}}]
  text: "{answer.action} {answer.content.n}"
- {resource: "shop://hours", text: 9 to 5}
- {resource: "shop://logo", blob: AAEC}
- {resource: "shop://items/{id}", result: {contents: [{uri: "shop://items/{id}", text: "item {id}"}], more: 1}}
- {prompt: advert, when: {city: Rome}, error: {code: -32000, message: "not {city}", data: {city: "{city}"}}}
- {prompt: advert, text: "Come to {city}!"}
- {method: shop/close, when: {now: true}, result: {closed: "{now}"}}
completions:
- {prompt: advert, argument: city, values: [Oslo, Rome]}
- {template: "shop://items/{id}", argument: id, values: [1, 2]}
events:
- {after: 1, do: [{add: {tools: [{name: extra, inputSchema: {type: object}}]}}, {remove: {prompts: [{name: advert}]}}]}
- {after: 2, every: 2, do: [{updated: "shop://hours"}, {notify: notifications/custom, params: {a: 1}}]}
"""
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Client:
    def __init__(self, path: Path, modern: bool, **capabilities: Any) -> None:
        self.now, self.said, self.number = 0.0, list[str](), 0
        definition = written.read(path)
        self.session = ModernSession(definition, clock=lambda: self.now, say=self.said.append)
        self.dress: dict[str, Any] = {}
        if modern:
            self.dress = {"_meta": {**META, "io.modelcontextprotocol/clientCapabilities": capabilities}}
        else:
            hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {}}
            self.hello = self.ask("initialize", hello)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: Any) -> list[dict[str, Any]]:
        frames = self.session.feed(json.dumps(message).encode()) + self.session.tick()
        return [json.loads(frame.raw) for frame in frames]

    def wait(self, seconds: float) -> list[dict[str, Any]]:
        self.now += seconds
        return [json.loads(frame.raw) for frame in self.session.tick()]

    def frames(self, method: str, **params: Any) -> list[dict[str, Any]]:
        self.number += 1
        params = {**params, "_meta": {**self.dress.get("_meta", {}), **params.get("_meta", {})}}
        return self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> Any:
        (answer,) = self.frames(method, **(params or {}))
        return answer.get("result", answer.get("error"))

    def call(self, name: str, **arguments: Any) -> Any:
        return self.ask("tools/call", {"name": name, "arguments": arguments})


Serve = Callable[..., Client]


@pytest.fixture(params=["legacy", "modern"])
def serve(tmp_path: Path, request: pytest.FixtureRequest) -> Serve:
    def made(text: str = SHOP, name: str = "shop.yaml", **capabilities: Any) -> Client:
        path = tmp_path / name
        path.write_text(text)
        return Client(path, request.param == "modern", **capabilities)

    return made


def test_it_lists_what_stands_there_page_by_page(serve: Serve) -> None:
    client = serve()
    first = client.ask("tools/list")
    second = client.ask("tools/list", {"cursor": first["nextCursor"]})
    assert [tool["name"] for tool in first["tools"] + second["tools"]] == ["price", "ask", "silent"]
    assert first["tools"][1] == {"name": "ask", "inputSchema": {"type": "object"}}
    assert [each["uri"] for each in client.ask("resources/list")["resources"]] == [
        "shop://hours",
        "shop://logo",
    ]
    assert (
        client.ask("resources/templates/list")["resourceTemplates"][0]["uriTemplate"] == "shop://items/{id}"
    )
    advert = {"name": "advert", "arguments": [{"name": "city", "required": True}]}
    assert client.ask("prompts/list")["prompts"] == [advert]


def test_the_first_answer_that_fits_is_given_filled_with_the_arguments(serve: Serve) -> None:
    client = serve()
    assert client.call("price", item="rye", n=2)["content"] == [{"type": "text", "text": "first"}]
    again = client.call("price", item="rye", n=2)
    assert again["content"] == [{"type": "text", "text": "rye 2 {none}"}]
    assert again["structuredContent"] == {"n": 2, "all": ["rye"]}
    assert client.call("price")["isError"] and client.call("silent")["isError"]
    assert "has no answer to these arguments" in client.call("silent")["content"][0]["text"]


def test_an_answer_to_the_very_arguments_comes_before_what_is_checked_of_them(serve: Serve) -> None:
    answers = """answers:
- {tool: price, when: {n: many}, error: {code: -32602, message: as recorded}}
- {tool: price, when: {item: rye, n: 1}, text: one}
- {tool: price, when: {item: rye}, text: some}
- {prompt: advert, when: {town: Rome}, text: Ave!}
"""
    client = serve(SHOP.replace("answers:\n", answers, 1))
    assert client.call("price", n="many") == {"code": -32602, "message": "as recorded"}
    refused = [
        {},
        {"n": "few"},
        {"n": "many", "item": 1},
        {"item": "rye", "n": "1"},
        {"item": "rye", "n": True},
    ]
    for arguments in refused:
        told = client.call("price", **arguments)
        assert told["isError"] and "Invalid arguments" in told["content"][0]["text"]
    assert client.call("price", item="rye", n=2)["content"][0]["text"] == "some"
    said = client.ask("prompts/get", {"name": "advert", "arguments": {"town": "Rome"}})
    assert said["messages"][0]["content"]["text"] == "Ave!"
    assert client.ask("prompts/get", {"name": "advert", "arguments": {"town": "Oslo"}})["code"] == -32602


def test_what_comes_before_an_answer_comes_at_its_time(serve: Serve) -> None:
    client = serve()
    meta = {"progressToken": "t", "io.modelcontextprotocol/logLevel": "info"}
    (progress,) = client.frames("tools/call", name="price", arguments={"item": "oat"}, _meta=meta)
    assert progress["params"] == {
        "progressToken": "t",
        "progress": 1,
        "total": 2,
        "message": "looking for oat",
    }
    log, answer = client.wait(0.5)
    assert log["params"] == {"level": "warning", "data": "no oat"} and answer["result"]["isError"]


@pytest.mark.parametrize(
    ("content", "text"),
    [({"action": "accept", "content": {"n": 3}}, "accept 3"), ({"action": "decline"}, "decline ")],
    ids=["accepted", "declined"],
)
def test_it_asks_the_client_in_the_way_of_its_era(serve: Serve, content: dict[str, Any], text: str) -> None:
    client = serve(elicitation={})
    (asked,) = client.frames("tools/call", name="ask", arguments={})
    if "result" in asked:
        ((key, question),) = asked["result"]["inputRequests"].items()
        more = {"requestState": asked["result"]["requestState"], "inputResponses": {key: content}}
        result = client.ask("tools/call", {"name": "ask", "arguments": {}, **more})
    else:
        question = asked
        (answer,) = client.send({"jsonrpc": "2.0", "id": asked["id"], "result": content})
        result = answer["result"]
    assert (question["method"], question["params"]) == ("elicitation/create", {"message": "How many?"})
    assert result["content"][0]["text"] == text
    assert "content" in (refused := serve().call("ask")) or refused["code"] == -32021


def test_a_client_that_does_not_answer_in_time_makes_the_tool_fail(tmp_path: Path) -> None:
    ask = "{ask: elicitation/create, params: {message: x}, timeout: 10}"
    text = f"definition: 1\ntools: [{{name: a}}]\nanswers: [{{tool: a, before: [{ask}], text: x}}]\n"
    path = tmp_path / "d.yaml"
    path.write_text(text)
    client = Client(path, modern=False, elicitation={})
    (asked,) = client.frames("tools/call", name="a", arguments={})
    assert client.wait(9) == []
    (answer,) = client.wait(1)
    assert answer["result"]["isError"] and "within 10 s" in answer["result"]["content"][0]["text"]
    assert client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {}}) == []
    client.frames("tools/call", name="a", arguments={})
    assert client.wait(1) == []


def test_resources_prompts_completions_and_methods(serve: Serve) -> None:
    client = serve()
    assert client.ask("resources/read", {"uri": "shop://hours"})["contents"][0]["text"] == "9 to 5"
    assert client.ask("resources/read", {"uri": "shop://logo"})["contents"][0]["blob"] == "AAEC"
    item = client.ask("resources/read", {"uri": "shop://items/7"})
    assert item["contents"] == [{"uri": "shop://items/7", "text": "item 7"}] and item["more"] == 1
    said = client.ask("prompts/get", {"name": "advert", "arguments": {"city": "Oslo"}})
    assert said["messages"] == [{"role": "user", "content": {"type": "text", "text": "Come to Oslo!"}}]
    refused = client.ask("prompts/get", {"name": "advert", "arguments": {"city": "Rome"}})
    assert refused == {"code": -32000, "message": "not Rome", "data": {"city": "Rome"}}
    ask = {"ref": {"type": "ref/prompt", "name": "advert"}, "argument": {"name": "city", "value": "r"}}
    assert client.ask("completion/complete", ask)["completion"]["values"] == ["Rome"]
    ask = {
        "ref": {"type": "ref/resource", "uri": "shop://items/{id}"},
        "argument": {"name": "id", "value": ""},
    }
    assert client.ask("completion/complete", ask)["completion"]["values"] == ["1", "2"]
    assert client.ask("shop/close", {"now": True})["closed"] is True
    assert client.ask("shop/close", {"now": False})["code"] == -32602
    assert client.ask("shop/open")["code"] == -32601


def test_it_changes_while_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP)
    client = Client(path, modern=False)
    assert client.hello["serverInfo"] == {"name": "shop", "version": "2.10", "title": "The shop"}
    assert client.hello["instructions"] == "Ask for a price."
    client.ask("resources/subscribe", {"uri": "shop://hours"})
    assert [each["method"] for each in client.wait(1)] == [
        "notifications/tools/list_changed", "notifications/prompts/list_changed",
    ]  # fmt: skip
    assert client.ask("prompts/list")["prompts"] == []
    last = client.ask("tools/list", {"cursor": client.ask("tools/list")["nextCursor"]})
    assert [tool["name"] for tool in last["tools"]] == ["silent", "extra"]
    for _ in range(2):
        came = client.wait(2)
        assert [(each["method"], each["params"]) for each in came] == [
            ("notifications/resources/updated", {"uri": "shop://hours"}), ("notifications/custom", {"a": 1}),
        ]  # fmt: skip


NAMED = "tools: [{name: a}, {name: b}, {name: c}]\n"


@pytest.mark.parametrize(
    ("cursors", "pages"),
    [("loop", "ab c ab c ab"), ("endless", "ab c ab c ab"), ("bad", "ab -32602")],
)
def test_cursors_go_wrong_where_that_is_wanted(serve: Serve, cursors: str, pages: str) -> None:
    client = serve(f"definition: 1\npage: 2\ncursors: {cursors}\n{NAMED}")
    told, seen = [], []
    params: dict[str, Any] = {}
    for _ in range(5):
        answer = client.ask("tools/list", params)
        if "code" in answer:
            told.append(str(answer["code"]))
            break
        told.append("".join(tool["name"] for tool in answer["tools"]))
        params = {"cursor": answer["nextCursor"]}
        seen.append(answer["nextCursor"])
    assert " ".join(told) == pages
    assert (len(set(seen)) < len(seen)) == (cursors == "loop")


def plain(path: Path, text: str) -> Client:
    path.write_text(text)
    client = object.__new__(Client)
    client.now, client.said, client.number, client.dress = 0.0, [], 0, {}
    client.session = ModernSession(written.read(path), clock=lambda: client.now, say=client.said.append)
    return client


def test_another_version_is_agreed_on_whatever_is_asked_for(tmp_path: Path) -> None:
    client = plain(tmp_path / "d.yaml", f'definition: 1\nagrees: "1999-01-01"\n{NAMED}')
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
    assert client.ask("initialize", hello)["protocolVersion"] == "1999-01-01"
    assert len(client.ask("tools/list")["tools"]) == 3


def test_what_comes_too_early_waits_where_that_is_wanted(tmp_path: Path) -> None:
    text = (
        "definition: 1\nholds: true\n" + NAMED + "answers: [{tool: a, text: x}]\n"
        "events: [{on: notifications/roots/list_changed, do: [{ask: roots/list}, "
        "{log: '{answer.roots.0.uri}'}]}]\n"
    )
    client = plain(tmp_path / "d.yaml", text)
    client.ask(
        "initialize", {"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {}}
    )
    assert client.ask("ping") == {}
    changed = {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}
    assert client.frames("tools/list") == client.send(changed) == []
    assert client.frames("tools/call", name="a", arguments={}) == []
    assert client.session.held == 3
    cancelled = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": client.number},
    }
    assert client.send(cancelled) == [] and client.session.held == 2
    listed, asked = client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert listed["id"] == 3 and asked["method"] == "roots/list" and client.session.held == 0
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": "file:///x"}]}}
    assert [each["params"]["data"] for each in client.send(answer)] == ["file:///x"]
    # From now on nothing waits, and the event happens each time.
    assert [each["method"] for each in client.send(changed)] == ["roots/list"]


def test_no_change_is_told_that_was_not_declared(tmp_path: Path) -> None:
    add = "events: [{do: [{add: {tools: [{name: d}]}}, {remove: {tools: [{name: none}]}}]}]\n"
    client = plain(tmp_path / "d.yaml", f"definition: 1\ncapabilities: {{tools: {{}}}}\n{NAMED}{add}")
    client.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}})
    assert client.send({"jsonrpc": "2.0", "method": "notifications/initialized"}) == client.wait(0) == []
    assert len(client.ask("tools/list")["tools"]) == 4
    assert client.said == ["nothing to remove: none is not in the list of tools"]


def test_what_is_edited_while_it_is_played_becomes_so_for_who_is_there(serve: Serve, tmp_path: Path) -> None:
    client = serve("definition: 1\n" + NAMED + "answers: [{tool: a, text: old}]\n")
    assert client.call("a")["content"][0]["text"] == "old"
    path = tmp_path / "new.yaml"
    path.write_text("definition: 1\n" + NAMED + "answers: [{tool: a, text: new}]\n")
    client.session.become(written.read(path))
    assert client.wait(0) == [] and client.call("a")["content"][0]["text"] == "new"
    path.write_text("definition: 1\ntools: [{name: z}]\nresources: [{uri: 'x:r', name: r}]\n")
    if client.dress:
        client.frames("subscriptions/listen", notifications={"toolsListChanged": True})
    client.session.become(written.read(path))
    told = ["notifications/tools/list_changed"]
    if not client.dress:
        told = ["notifications/resources/list_changed", *told]
    assert [each["method"] for each in client.wait(0)] == told
    assert [tool["name"] for tool in client.ask("tools/list")["tools"]] == ["z"]


ODD = """{
 "definition": 1, "server": {"name": "odd"},
 "tools": [
  {"name": "a", "inputSchema": {"type":"object"} , "x": 1.50, "y": "\\u00e9 é", "x": 2e0},
  {"name": "a", "inputSchema": true},
  17, {"no": "name"}
 ]
}"""


def test_json_is_listed_byte_for_byte_however_odd(serve: Serve) -> None:
    client = serve(ODD, "odd.json")
    params = json.dumps({"_meta": client.dress.get("_meta", {})})
    (frame,) = client.session.feed(
        b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":%s}' % params.encode()
    )
    first, second = (line.strip().removesuffix(",") for line in ODD.splitlines()[3:5])
    assert f'"tools":[{first},{second},17,{{"no": "name"}}]' in frame.raw.decode()
    assert "has no answer" in client.call("a")["content"][0]["text"]


@pytest.mark.parametrize(("text", "told"), [
    ("definition: 2\n", "/definition is not 1"), ("definition: 1\ntool: []\n", "/tool is not known"),
    ("definition: 1\ntools: {}\n", "/tools is no list"), ("definition: 1\npage: 0\n", "/page is no number"),
    ("definition: 1\nversions: [1999-01-01]\n", "/versions is no list of versions"),
    ("definition: 1\nanswers: [{text: a}]\n", "/answers/0 has no subjects"),
    ("definition: 1\nanswers: [{tool: a, prompt: b}]\n", "/answers/0 has 2 subjects"),
    ("definition: 1\ntools: [{name: a}]\nanswers: [{tool: a, blob: b}]\n", "/answers/0/blob is not known"),
    ("definition: 1\ntools: [{name: a}]\nanswers: [{tool: a, times: 0}]\n", "/answers/0/times is no whole number"),
    ("definition: 1\ntools: [{name: a}]\nanswers: [{tool: a, before: [{go: 1}]}]\n", "/answers/0/before/0/go is not"),
    ("definition: 1\ntools: [{name: a}]\nanswers: [{tool: a, before: [{wait: -1}]}]\n", "before/0/wait is no number"),
    ("definition: 1\nevents: [{do: [{total: 1}]}]\n", "/events/0/do/0 is no step"),
    ("definition: 1\nevents: [{every: 0, do: []}]\n", "/events/0/every is below 0.01 s"),
    ("definition: 1\nevents: [{every: 1.0e-3, do: []}]\n", "/events/0/every is below 0.01 s"),
    ("definition: 1\n  x: [\n", "d.yaml:2:"), ('{"definition": 1,\n "tools": [}', "d.yaml:2:12"),
])  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "d.yaml"
    path.write_text(text)
    assert written.is_definition(path)
    with pytest.raises(Failed) as failed:
        written.read(path)
    assert told in failed.value.failure.message


@pytest.mark.parametrize(
    "text", ['{"format":"mcp-inspect/recording","version":1}\n', '{"log":{}}', "", "calls: []\n"]
)
def test_other_files_are_no_definitions(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x"
    path.write_text(text)
    assert not written.is_definition(path)


def test_an_answer_to_what_is_not_listed_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    path.write_text(
        "definition: 1\ntools: [{name: a}]\nanswers: [{tool: a, text: x}, {tool: b, text: x}, {prompt: p, text: x}]\n"
    )
    assert written.read(path).notes == [
        "an answer is for the tool b, which is not listed, so nobody gets it",
        "an answer is for the prompt p, which is not listed, so nobody gets it",
    ]


def test_an_answer_that_comes_unasked_is_taken_where_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.replace("{ask: elicitation/create,", "{ask: elicitation/create, key: many,"))
    client = Client(path, modern=True, elicitation={})
    params = {"name": "ask", "arguments": {}}
    reply = {"action": "accept", "content": {"n": 4}}
    told = client.ask("tools/call", {**params, "inputResponses": {"many": reply, "other": reply}})
    assert told["content"][0]["text"] == "accept 4"
    asked = client.ask("tools/call", {**params, "inputResponses": {"other": reply}})
    assert list(asked["inputRequests"]) == ["many"]


def test_several_questions_are_one_round_or_one_after_the_other(serve: Serve) -> None:
    both = "{ask: [{ask: roots/list, key: a}, {ask: sampling/createMessage, key: b, params: {maxTokens: 1}}]}"
    text = SHOP.replace('{ask: elicitation/create, params: {message: "How many?"}}', both)
    text = text.replace("{answer.action} {answer.content.n}", "{answer.a.n} {answer.b.n}")
    client = serve(text, roots={}, sampling={})
    (asked,) = client.frames("tools/call", name="ask", arguments={})
    if "result" in asked:
        assert list(asked["result"]["inputRequests"]) == ["a", "b"]
        again = {"name": "ask", "arguments": {}, "requestState": asked["result"]["requestState"]}
        partly = client.ask("tools/call", {**again, "inputResponses": {"a": {"n": 1}}})
        again["requestState"] = partly["requestState"]
        result = client.ask("tools/call", {**again, "inputResponses": {"a": {"n": 1}, "b": {"n": 2}}})
    else:
        assert asked["method"] == "roots/list"
        (other,) = client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"n": 1}})
        assert other["method"] == "sampling/createMessage"
        (answer,) = client.send({"jsonrpc": "2.0", "id": other["id"], "result": {"n": 2}})
        result = answer["result"]
    assert result["content"][0]["text"] == "1 2"


def definition_of(tmp_path: Path, text: str) -> written.Definition:
    path = tmp_path / "d.yaml"
    path.write_text("definition: 1\n" + text)
    return written.read(path)


@pytest.mark.parametrize("change", ["add", "remove"])
def test_an_answer_may_list_what_has_answers_itself(tmp_path: Path, change: str) -> None:
    made = definition_of(
        tmp_path,
        "tools: [{name: grow}]\nanswers: [{tool: extra, text: x},"
        f"{{tool: grow, before: [{{{change}: {{tools: [{{name: extra}}, {{name: grow}}]}}}}], text: y}}]",
    )
    assert [tool.name for tool in made.tools] == ["grow"] and not made.notes


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("{tool: nobody, text: 3}", "/answers/0/text is no text"),
        ("{tool: nobody, before: [{wait: x}]}", "/answers/0/before/0/wait is no number"),
        ("{tool: t, result: {}, error: {code: 1}, text: x}", "/answers/0 has result and error and text"),
        ("{tool: t, error: {code: 1}, isError: true}", "/answers/0 has error and isError"),
        ("{prompt: p, text: x, messages: []}", "/answers/0 has messages and text"),
        ("{prompt: p, messages: x}", "/answers/0/messages is no list"),
        ("{resource: r, text: x, blob: AAEC}", "/answers/0 has blob and text"),
        ("{resource: r, blob: A}", "/answers/0/blob is no base64"),
        ("{tool: t, isError: 1}", "/answers/0/isError is no true or false"),
    ],
)
def test_a_mistake_in_an_answer_is_refused_whatever_it_is_for(tmp_path: Path, answer: str, told: str) -> None:
    with pytest.raises(Failed) as refused:
        definition_of(tmp_path, f"answers: [{answer}]")
    assert told in refused.value.failure.message


def test_a_mistake_in_a_completion_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="/completions/0 is no completion"):
        definition_of(tmp_path, "completions: [{prompt: p}]")


def test_an_answer_to_a_resource_that_is_not_listed_is_told(tmp_path: Path) -> None:
    (note,) = definition_of(tmp_path, "answers: [{resource: 'a://b', text: x}]").notes
    assert "the resource a://b, which is not listed" in note


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", '{"server": {}, "definition": 1}', "definition is not its first member"),
        ("a.json", '{"tools": [}', ":1:12: "),
        ("a.json", '{"tools": []}', "neither a recording nor a definition file"),
        ("a.yaml", "", "is empty"),
        ("a.yaml", "# nothing\n", "is empty"),
    ],
)
def test_a_file_that_may_have_been_meant_as_a_definition_is_told_what_it_lacks(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(Failed) as refused, played(path):
        pass
    assert told in refused.value.failure.message
