"""Each rule with a conversation that it is about, and one next to it that is in order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from check.cases import (
    asking,
    framing,
    http,
    lifecycle,
    lists,
    metadata,
    notices,
    refusals,
    sessions,
    streams,
    tasks,
    tools,
)
from check.conversation import (
    CACHE,
    EVERYTHING,
    answers,
    asks,
    came,
    complete,
    found,
    listed,
    meta,
    new,
    old,
    rules_of,
    tells,
    tool,
    wants,
    web,
)
from check.samples import LISTEN, OK_POST, PONG, modern_post, post

from inspector.check.checking import Checking, wanted
from inspector.check.rules import RULES, V06, V07
from inspector.traffic.store import Traffic

CASES = {
    key: case
    for module in (
        framing,
        lifecycle,
        http,
        sessions,
        streams,
        tools,
        lists,
        refusals,
        sessions,
        asking,
        notices,
        tasks,
        metadata,
    )
    for key, case in module.CASES.items()
}


def test_every_rule_has_its_two_conversations() -> None:
    assert sorted(CASES) == sorted(RULES)


@pytest.mark.parametrize("rule", CASES)
def test_it_fires(rule: str) -> None:
    findings = [each for each in found(CASES[rule][0]) if each.rule == rule]
    assert findings
    assert all(each.message and each.server == "it" for each in findings)
    assert all(each.frames for each in findings)


@pytest.mark.parametrize("rule", CASES)
def test_it_does_not(rule: str) -> None:
    assert rule not in rules_of(found(CASES[rule][1]))


def test_conversations_in_order_have_no_finding() -> None:
    assert (
        found(old()) == found(new()) == found(web()) == found(post(PONG)) == found(modern_post(OK_POST)) == []
    )


def test_what_is_found_again_is_one_finding_with_more_frames() -> None:
    findings = found(old(came(b"noise"), came(b"noise"), came(b"other noise")))
    assert [(each.rule, len(each.frames)) for each in findings] == [("S01", 2), ("S01", 1)]


def test_a_flood_of_kinds_is_bounded() -> None:
    findings = found(old(*(came(f"noise {number}".encode()) for number in range(1000))))
    assert len(findings) == 201 and findings[-1].message == "and more of the same kind"
    assert len(findings[-1].frames) == 800


def test_a_finding_points_to_the_value() -> None:
    (finding,) = found(listed(tool(), {**tool(), "name": "u", "outputSchema": {"type": "array"}}))
    assert (finding.rule, finding.pointer, finding.frames) == ("T04", "/result/tools/1/outputSchema", [3, 4])


@pytest.mark.parametrize("value", [None, 7, "x", [], [7], {"": 7}], ids=repr)
@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "resources/list", "resources/read",
                                    "prompts/get", "prompts/list", "completion/complete",
                                    "server/discover", "resources/templates/list"])  # fmt: skip
def test_no_shape_is_too_odd(method: str, value: Any) -> None:
    """A rule that raised would fail the test; what is found does not matter."""
    members = ("tools", "resources", "resourceTemplates", "prompts", "content", "contents", "messages", "completion",
               "capabilities", "supportedVersions", "serverInfo", "structuredContent", "inputRequests",
               "_meta", "nextCursor")  # fmt: skip
    for params in (None, value, {"_meta": value}, {"_meta": meta()}):
        rows = [
            asks(method, params),
            answers(value),
            asks(method, params, 8),
            answers(dict.fromkeys(members, value), 8),
        ]
        found(old(*rows))
        found(new(*rows))
    for name in ("elicitation/create", "sampling/createMessage", "roots/list"):
        found(
            old(
                wants(name, value),
                wants(name, dict.fromkeys(("messages", "requestedSchema", "url", "mode"), value), 2),
            )
        )
    for name in (
        "progress",
        "message",
        "cancelled",
        "resources/updated",
        "elicitation/complete",
        "tools/list_changed",
        "tasks",
    ):
        found(old(tells(name, value), version=V06))
        found(new(LISTEN, tells(name, value)))


def test_on_stdio_a_handshake_decides_how_answers_are_judged() -> None:
    """A probe that is answered late crosses with `initialize`, and what was asked meanwhile is answered in its way."""
    discover, discovered = (
        asks("server/discover", {"_meta": meta()}),
        answers(complete({"supportedVersions": [V07], "capabilities": EVERYTHING, **CACHE})),
    )
    initialize, initialized, _ = old()
    listing = asks("tools/list", {"_meta": meta()}, 8), answers({"tools": []}, 8)
    rows = [discover, initialize, discovered, listing[0], initialized, listing[1]]
    assert found(rows) == []


def test_a_rule_that_fails_costs_only_itself() -> None:
    def fail(frame: object, talk: object) -> list[str]:
        raise KeyError("x")

    broken = [replace(look, check=fail) for look in RULES["J03"].looks]
    rules = [*wanted(["J03"]), replace(RULES["J03"], looks=broken)]
    traffic = Traffic.in_memory()
    traffic.session("it").received([b"7", b"[]", b'{"id":1}'])
    traffic.advance()
    checking = Checking(traffic, rules)
    checking.finish()
    assert checking.broken == {"J03": "KeyError: 'x'"}
    assert {"S01", "J09"} <= rules_of(checking.findings)


HOSTILE: list[Any] = [
    old(wants("sampling/createMessage", {"messages": [{"content": {"type": {}}}]})),
    old(wants("elicitation/create", {"mode": "url"}), client={"elicitation": 7}),
    post(PONG, status=307, headers=[("location", "http://[")]),
    post(PONG, sends=[("origin", "http://["), ("mcp-protocol-version", "2025-11-25")]),
    modern_post({"jsonrpc": "2.0", "id": 7, "error": {"code": [], "message": 1}}),
]


@pytest.mark.parametrize("rows", HOSTILE)
def test_what_once_broke_a_rule(rows: Any) -> None:
    found(rows)


@pytest.mark.parametrize(("uri", "fires"), [("a:b", False), ("a:c", True)])
def test_only_a_resource_that_there_is_may_be_empty(uri: str, fires: bool) -> None:
    resource = {"uri": "a:b", "name": "n"}
    rows = new(
        asks("resources/list", {"_meta": meta()}),
        answers(complete({"resources": [resource], **CACHE})),
        asks("resources/read", {"_meta": meta(), "uri": uri}, 8),
        answers(complete({"contents": [], **CACHE}), 8),
    )
    assert ("R03" in rules_of(found(rows))) is fires
