"""Two servers side by side: aligned by name, and told what is the same."""

from __future__ import annotations

from typing import Any

from inspector.compare.paired import compared, differences, entries, failed, opening, unknown
from inspector.protocol import jsonrpc
from inspector.replay.ignoring import Ignoring
from inspector.session.answer import Answer
from inspector.session.handshake import Handshake


def tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **members}


def answer(text: str, seconds: float = 0.01) -> Answer:
    raw = text.encode()
    return Answer(raw, jsonrpc.read(raw), 2, 1, seconds)


def test_entries_stand_in_the_order_of_the_left_one_and_news_behind_what_they_follow() -> None:
    left = [tool("a"), tool("b", title="B"), tool("gone")]
    right = [tool("new first"), tool("b", title="Bee"), tool("new"), tool("a"), None]
    found = entries("tools", left, right)
    assert [(pair.name, pair.mark) for pair in found] == [
        ("new first", "right"),
        ("a", "same"),
        ("entry 4", "right"),
        ("b", "differs"),
        ("new", "right"),
        ("gone", "left"),
    ]
    assert [change.pointer for change in found[3].changes] == ["/title"] and not found[3].breaking
    assert found[5].breaking and found[2].right == "null"
    assert {pair.mark for pair in unknown(found)} == {"unknown"}


def test_handshakes_are_told_value_by_value_whatever_their_era() -> None:
    old = Handshake(
        {},
        "2025-11-25",
        {
            "serverInfo": {"name": "s"},
            "capabilities": {"tools": {"listChanged": True}, "logging": {}},
            "x": None,
        },
    )
    meta = {"io.modelcontextprotocol/serverInfo": {"name": "s"}}
    new = Handshake(
        {}, "2026-07-28", {"_meta": meta, "capabilities": {"tools": {}}, "instructions": "Ask."}, era="modern"
    )
    told = {pair.name: pair.mark for pair in opening(old, new)}
    assert told["protocolVersion"] == told["era"] == "differs" and told["serverInfo/name"] == "same"
    assert told["capabilities/tools/listChanged"] == told["capabilities/logging"] == "left"
    assert told["capabilities/tools"] == told["instructions"] == "right"
    assert opening(None, None) == [] and {pair.mark for pair in opening(old, None)} == {"left"}


def test_both_answers_are_compared_under_the_rules() -> None:
    left = answer('{"jsonrpc":"2.0","id":1,"result":{"price":1.50,"at":"2026-01-01T00:00:00Z"}}')
    right = answer('{"jsonrpc":"2.0","id":7,"result":{"price":1.75,"at":"2026-02-02T00:00:00Z"}}')
    assert [change.pointer for change in differences(left, right, {}, Ignoring())] == ["/result/price"]
    exact = differences(left, right, {}, Ignoring(exact=True))
    assert [change.pointer for change in exact] == ["/result/price", "/result/at"]
    assert differences(left, right, {}, Ignoring((("result", "price"),))) == []
    broken = answer("not json")
    assert [change.pointer for change in differences(broken, broken, {}, Ignoring())] == []


def test_a_side_that_fails_is_a_difference_of_its_own() -> None:
    good = answer('{"jsonrpc":"2.0","id":1,"result":{}}')
    bad = answer('{"jsonrpc":"2.0","id":1,"result":{"isError":true}}')
    error = answer('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}')
    assert [failed(each) for each in (good, bad, error, None)] == [False, True, True, True]
    for right in (None, error):
        found = compared("s", "call", good, right, {}, Ignoring())
        assert found.different == 1 and found.worse and (found.old.errors, found.new.errors) == (0, 1)
    assert compared("s", "call", None, good, {}, Ignoring()).different == 1
    both = compared("s", "call", None, None, {}, Ignoring())
    assert not both.different and not both.worse and both.old.p50 is None
