"""A recording as a server: what was recorded comes back, byte for byte but for the ids and tokens of now."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.base.errors import Failed
from inspector.serving import script
from inspector.serving.matching import Match
from inspector.serving.recorded import Pace, RecordedSession
from inspector.traffic.store import Traffic

HELLO = [
    ("c2s", {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                                         "clientInfo": {"name": "then", "version": "1"}}}),
    ("s2c", {"id": 0, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "shop", "version": "9"}}}),
    ("c2s", {"method": "notifications/initialized"}),
]  # fmt: skip


def call(id: Any, name: str, token: Any = None, **arguments: Any) -> tuple[str, dict[str, Any]]:
    params = {"name": name, "arguments": arguments}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return "c2s", {"id": id, "method": "tools/call", "params": params}


def answer(id: Any, text: str) -> tuple[str, dict[str, Any]]:
    return "s2c", {"id": id, "result": {"content": [{"type": "text", "text": text}]}}


def progress(token: Any, done: int) -> tuple[str, dict[str, Any]]:
    return "s2c", {"method": "notifications/progress", "params": {"progressToken": token, "progress": done}}


class Client:
    """A live client of a recorded session, with a clock of its own."""

    def __init__(self, read: script.Script, match: Match, pace: Pace) -> None:
        self.now, self.said = 0.0, list[str]()
        self.session = RecordedSession(
            read, match=match, pace=pace, label="now", clock=lambda: self.now, say=self.said.append
        )

    def send(self, message: dict[str, Any]) -> list[bytes]:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return [frame.raw for frame in self.session.feed(raw) + self.session.tick()]

    def ask(self, id: Any, method: str, params: Any = None) -> list[Any]:
        message = {"id": id, "method": method, **({} if params is None else {"params": params})}
        return [json.loads(raw) for raw in self.send(message)]

    def call(self, id: Any, name: str, **arguments: Any) -> Any:
        """The text of the answer, or the message of the error."""
        (found,) = self.ask(id, "tools/call", {"name": name, "arguments": arguments})
        assert found["id"] == id
        return found["result"]["content"][0]["text"] if "result" in found else found["error"]["message"]

    def greet(self, **capabilities: Any) -> list[Any]:
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": "now"},
        }
        hello = self.ask("a", "initialize", params)
        return [*hello, *(json.loads(raw) for raw in self.send({"method": "notifications/initialized"}))]


Play = Callable[..., Client]


@pytest.fixture
def play(tmp_path: Path, request: pytest.FixtureRequest) -> Play:
    """Gives a client of a recording that is made of `(channel, message or its bytes)`, half a second apart."""

    def made(
        *frames: Any,
        match: Match = "params",
        pace: Pace = "fast",
        hello: bool = True,
        server: str | None = None,
    ) -> Client:
        lines = [{"format": "mcp-inspect/recording", "version": 1, "base": 0},
                 {"session": 1, "label": "shop"}, {"session": 2, "label": "post"}]  # fmt: skip
        written = [json.dumps(line) for line in lines]
        for number, (channel, message) in enumerate([*(HELLO if hello else ()), *frames]):
            raw = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
            session = 2 if channel.endswith("2") else 1
            flags = ',"f":["redacted"]' if "***" in raw else ""
            written.append(
                f'{{"t":{number / 2},"q":{number},"s":{session},"d":"{channel[:3]}"{flags},"m":{raw}}}'
            )
        path = tmp_path / "made.mcprec"
        path.write_text("\n".join(written) + "\n")
        traffic = Traffic.open_recording(path)
        request.addfinalizer(traffic.close)
        traffic.advance()
        return Client(script.read(traffic, server), match, pace)

    return made


def test_an_answer_has_the_live_id_and_every_other_byte_of_then(play: Play) -> None:
    spelled = '{ "result" : {"n": 1.50, "id": 7, "s":"\\u00e9 ü", "n": 2e0}, "id" :7 , "jsonrpc":"2.0"}'
    client = play(call(7, "price"), ("s2c", spelled))
    (hello,) = client.greet()
    assert hello["result"]["serverInfo"] == {"name": "shop", "version": "9"} and hello["id"] == "a"
    assert client.session.version == "2025-06-18"
    request = {"id": "live", "method": "tools/call", "params": {"name": "price", "arguments": {}}}
    (raw,) = client.send(request)
    assert raw.decode() == spelled.replace('"id" :7', '"id" :"live"')


def test_what_is_alike_comes_in_order_and_the_last_one_stays(play: Play) -> None:
    client = play(
        call(1, "next"), answer(1, "one"), call(2, "other"), answer(2, "else"), call(3, "next", a=1), answer(3, "a"),
        call(4, "next"), answer(4, "two"),
    )  # fmt: skip
    client.greet()
    assert [client.call(n, "next") for n in range(3)] == ["one", "two", "two"]
    assert client.call(9, "next", a=1) == "a"


@pytest.mark.parametrize("changed", [
    {"_meta": {"progressToken": 9, "anything": 1}}, {"cursor": "other"}, {"arguments": {"n": 1.0, "m": {"x": 1}}},
])  # fmt: skip
def test_volatile_members_do_not_count(play: Play, changed: dict[str, Any]) -> None:
    params = {"name": "t", "arguments": {"m": {"x": 1}, "n": 1}, "cursor": "c", "_meta": {"progressToken": 1}}
    client = play(("c2s", {"id": 1, "method": "tools/call", "params": params}), answer(1, "found"))
    client.greet()
    (found,) = client.ask(5, "tools/call", {**params, **changed})
    assert found["result"]["content"][0]["text"] == "found"


def test_pages_are_told_apart_by_their_cursor(play: Play) -> None:
    pages = [
        ("c2s", {"id": 1, "method": "tools/list"}),
        ("s2c", {"id": 1, "result": {"tools": [], "nextCursor": "b"}}),
        ("c2s", {"id": 2, "method": "tools/list", "params": {"cursor": "b"}}),
        ("s2c", {"id": 2, "result": {"tools": [{"name": "z"}]}}),
    ]
    client = play(*pages)
    client.greet()
    for n in range(2):
        (first,) = client.ask(f"{n}-1", "tools/list", {})
        (second,) = client.ask(f"{n}-2", "tools/list", {"cursor": first["result"]["nextCursor"]})
        assert second["result"]["tools"] == [{"name": "z"}]


def test_a_masked_value_fits_anything(play: Play) -> None:
    client = play(call(1, "login", key="***", user="ada"), answer(1, "in"))
    client.greet()
    assert client.call(2, "login", key="sk-123", user="ada") == "in"
    assert "/arguments/user" in client.call(3, "login", key="sk-123", user="bob")


def test_a_miss_names_the_nearest_record_and_what_differs(play: Play) -> None:
    client = play(
        call(1, "price", item="rye", n=1), answer(1, "1"), call(2, "price", item="oat"), answer(2, "2")
    )
    client.greet()
    (missed,) = client.ask(5, "tools/call", {"name": "price", "arguments": {"item": "bun", "n": 1}})
    error = missed["error"]
    assert (error["code"], error["data"]) == (-32602, {"nearest": 3, "differs": ["/arguments/item"]})
    assert (
        'record 3, tools/call price, which differs at /arguments/item: recorded "rye", now "bun"'
        in error["message"]
    )
    assert client.said == [f"t{error['message'][1:]}"]
    (missed,) = client.ask(6, "prompts/get", {"name": "x"})
    assert missed["error"]["code"] == -32601 and "nobody asked for that method" in missed["error"]["message"]


def test_strict_wants_every_request_once_in_the_order_of_then(play: Play) -> None:
    frames = [call(1, "a"), answer(1, "1"), call(2, "b"), answer(2, "2")]
    client = play(*frames, match="strict")
    client.greet()
    assert "nearest is record 3, tools/call a, which differs at /name" in client.call(5, "b")
    assert client.call(6, "a") == "1"
    (pong,) = client.ask("p", "ping")
    assert pong["result"] == {}
    assert client.call(7, "b") == "2"
    assert "all of it was played" in client.call(8, "b")
    client = play(*frames, match="strict")
    client.greet()
    (missed,) = client.ask(1, "tools/list")
    assert "record 3, tools/call a, whose turn it is" in missed["error"]["message"]


def test_in_sequence_the_params_do_not_matter(play: Play) -> None:
    client = play(call(1, "a"), answer(1, "1"), call(2, "b"), answer(2, "2"), match="sequence")
    client.greet()
    assert [client.call(n, "whatever", x=n) for n in range(3)] == ["1", "2", "2"]


def test_progress_and_logs_come_before_their_answer_with_the_token_of_now(play: Play) -> None:
    log = ("s2c", {"method": "notifications/message", "params": {"level": "info", "data": "half"}})
    changed = ("s2c", {"method": "notifications/tools/list_changed"})
    client = play(call(1, "slow", token=1), progress(1, 1), log, progress(1, 2), answer(1, "done"), changed)
    client.greet()
    params = {"name": "slow", "arguments": {}}
    came = client.ask("x", "tools/call", {**params, "_meta": {"progressToken": "tok"}})
    assert [each.get("method", "answer") for each in came] == [
        "notifications/progress", "notifications/message", "notifications/progress", "answer",
        "notifications/tools/list_changed",
    ]  # fmt: skip
    assert [each["params"]["progressToken"] for each in came if "progress" in each.get("method", "")] == [
        "tok"
    ] * 2
    # Who gave no token hears of no progress.
    assert [each.get("method", "answer") for each in client.ask("y", "tools/call", params)] == [
        "notifications/message", "answer", "notifications/tools/list_changed",
    ]  # fmt: skip


def test_calls_side_by_side_get_what_is_theirs(play: Play) -> None:
    client = play(
        call(1, "a", token="ta"), call(2, "b", token="tb"), progress("ta", 1), progress("tb", 1), answer(2, "B"),
        answer(1, "A"),
    )  # fmt: skip
    client.greet()
    came = client.ask(9, "tools/call", {"name": "a", "arguments": {}, "_meta": {"progressToken": 5}})
    assert [each.get("method", "answer") for each in came] == ["notifications/progress", "answer"]


def test_the_pauses_of_then_where_they_are_wanted(play: Play) -> None:
    client = play(call(1, "slow", token=1), progress(1, 1), answer(1, "done"), pace="recorded")
    params = {"name": "slow", "arguments": {}, "_meta": {"progressToken": 1}}
    hello = client.ask("a", "initialize", HELLO[0][1]["params"])
    assert hello == [] and client.session.wake() == 0.5
    client.now = 0.5
    assert len(client.session.tick()) == 1
    assert client.ask(1, "tools/call", params) == []
    client.now = 1.0
    assert [json.loads(frame.raw)["method"] for frame in client.session.tick()] == ["notifications/progress"]
    client.now = 1.5
    assert [json.loads(frame.raw)["id"] for frame in client.session.tick()] == [1]


QUESTION = [
    call(1, "ask"), ("s2c", {"id": "q", "method": "elicitation/create", "params": {"message": "Which?"}}),
    ("c2s", {"id": "q", "result": {"action": "accept", "content": {}}}), answer(1, "thanks"),
]  # fmt: skip


def test_the_server_asks_and_goes_on_when_it_has_heard(play: Play) -> None:
    client = play(*QUESTION)
    client.greet(elicitation={})
    (question,) = client.ask(4, "tools/call", {"name": "ask", "arguments": {}})
    assert question["params"] == {"message": "Which?"} and question["id"] != "q"
    (raw,) = client.send({"id": question["id"], "result": {"action": "decline"}})
    assert json.loads(raw)["result"]["content"][0]["text"] == "thanks"


def test_a_client_that_cannot_be_asked_is_not(play: Play) -> None:
    client = play(*QUESTION)
    client.greet()
    assert client.call(4, "ask") == "thanks"
    assert client.said == ["elicitation/create is left out: this client does not declare elicitation"]


def test_a_question_of_then_can_be_withdrawn(play: Play) -> None:
    withdrawn = ("s2c", {"method": "notifications/cancelled", "params": {"requestId": "q"}})
    client = play(*QUESTION[:2], withdrawn, answer(1, "never mind"))
    client.greet(elicitation={})
    question, cancel, last = client.ask(4, "tools/call", {"name": "ask", "arguments": {}})
    assert cancel["params"]["requestId"] == question["id"] and last["id"] == 4


def test_what_followed_on_initialized_does_so_again(play: Play) -> None:
    roots = [("s2c", {"id": 0, "method": "roots/list"}), ("c2s", {"id": 0, "result": {"roots": []}})]
    client = play(*roots)
    hello, question = client.greet(roots={})
    assert (hello["id"], question["method"]) == ("a", "roots/list")


def test_a_request_that_was_never_answered_waits_and_can_be_cancelled(play: Play) -> None:
    client = play(call(1, "hang"))
    client.greet()
    assert client.ask(4, "tools/call", {"name": "hang", "arguments": {}}) == []
    assert client.said == ["record 3, tools/call hang, was never answered, and is not now"]
    client.send({"method": "notifications/cancelled", "params": {"requestId": 4}})
    assert not client.session.is_running(4)


def test_what_the_client_of_then_did_not_ask_is_answered_from_what_is_known(play: Play) -> None:
    client = play(call(1, "price"), answer(1, "1"), hello=False)
    (hello,) = client.greet()
    assert (
        hello["result"]["capabilities"] == {"tools": {}} and hello["result"]["serverInfo"]["name"] == "shop"
    )
    (listed,) = client.ask(2, "tools/list")
    assert [tool["name"] for tool in listed["result"]["tools"]] == ["price"]
    assert client.call(3, "price") == "1"


def test_the_newer_era_comes_with_its_subscription_ids(play: Play) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    mark = {"io.modelcontextprotocol/subscriptionId": 5}
    listen = {"notifications": {"toolsListChanged": True}, "_meta": meta}
    discovered = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "resultType": "complete",
    }
    client = play(
        ("c2s", {"id": 1, "method": "server/discover", "params": {"_meta": meta}}),
        ("s2c", {"id": 1, "result": discovered}),
        ("c2s", {"id": 5, "method": "subscriptions/listen", "params": listen}),
        ("s2c", {"method": "notifications/subscriptions/acknowledged", "params": {"_meta": mark}}),
        call(6, "price"), ("s2c", {"method": "notifications/tools/list_changed", "params": {"_meta": mark}}),
        answer(6, "1"), hello=False,
    )  # fmt: skip
    (found,) = client.ask("d", "server/discover", {"_meta": meta})
    assert found["result"] == discovered
    acknowledged, changed = client.ask("L", "subscriptions/listen", listen)
    assert [each["params"]["_meta"] for each in (acknowledged, changed)] == [{next(iter(mark)): "L"}] * 2
    assert client.call(7, "price") == "1"


def test_rounds_of_input_are_told_apart_by_their_state(play: Play) -> None:
    def round(id: int, **more: Any) -> tuple[str, dict[str, Any]]:
        return "c2s", {"id": id, "method": "tools/call", "params": {"name": "ask", "arguments": {}, **more}}

    asked = {
        "resultType": "input_required",
        "inputRequests": {"k": {"method": "roots/list"}},
        "requestState": "S1",
    }
    client = play(round(1), ("s2c", {"id": 1, "result": asked}),
                  round(2, requestState="S1", inputResponses={"k": {"roots": []}}), answer(2, "end"))  # fmt: skip
    client.greet()
    for _ in range(2):
        (first,) = client.ask(1, *("tools/call", {"name": "ask", "arguments": {}}))
        assert first["result"] == asked
        params = {
            "name": "ask",
            "arguments": {},
            "requestState": "S1",
            "inputResponses": {"k": {"roots": [{}]}},
        }
        (last,) = client.ask(2, "tools/call", params)
        assert last["result"]["content"][0]["text"] == "end"


def test_one_server_of_several_has_to_be_named(play: Play) -> None:
    other = [("c2s2", call(1, "b")[1]), ("s2c2", answer(1, "post")[1])]
    with pytest.raises(Failed, match="of several servers: shop, post"):
        play(call(1, "a"), answer(1, "shop"), *other)
    assert play(*other, server="post").call(4, "b") == "post"
    with pytest.raises(Failed, match="no server of the recording is called x"):
        play(*other, server="x")
    with pytest.raises(Failed, match="no request of a client"):
        play(hello=False)


def test_answers_of_a_batch_are_played_one_by_one(play: Play) -> None:
    asked = [{"jsonrpc": "2.0", **call(n, name)[1]} for n, name in ((1, "a"), (2, "b"))]
    said = [{"jsonrpc": "2.0", **answer(n, text)[1]} for n, text in ((2, "B"), (1, "A"))]
    client = play(("c2s", json.dumps(asked)), ("s2c", json.dumps(said)))
    client.greet()
    assert [client.call(8, "a"), client.call(9, "b")] == ["A", "B"]


@pytest.mark.parametrize("frame", [
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
    '{"jsonrpc":"2.0","method":"notifications/progress"}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":7}',
    '{"jsonrpc":"2.0","id":{"a":[]},"method":"x"}', '{"jsonrpc":"2.0","id":null,"method":"roots/list"}', '[1, 2]', "17",
    '{"jsonrpc":"2.0","id":5,"result":{}}', '{"jsonrpc":"2.0","error":7}', '{"method":7,"id":[]}',
])  # fmt: skip
def test_whatever_a_server_sent_the_answers_still_come(play: Play, frame: str) -> None:
    for way in ("s2c", "c2s"):
        client = play(call(1, "a"), (way, frame), answer(1, "A"), (way, frame), call(2, "b"), answer(2, "B"))
        client.greet(roots={})
        for name in ("a", "b"):
            came = client.ask(name, "tools/call", {"name": name, "arguments": {}})
            texts = [each["result"]["content"][0]["text"] for each in came if each.get("id") == name]
            assert texts == [name.upper()] and client.said == [], (way, client.said)
