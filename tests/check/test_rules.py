"""Each rule with a conversation that it is about, and one next to it that is in order."""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import replace
from typing import Any

import pytest
from check import cases
from check.conversation import (
    CACHE,
    EVERYTHING,
    Post,
    answers,
    asks,
    came,
    complete,
    found,
    listed,
    message,
    meta,
    new,
    noted,
    old,
    rules_of,
    sent,
    tells,
    tool,
    wants,
    web,
)
from check.samples import LISTEN, OK_POST, PONG, modern_post, post

from inspector.check import explaining
from inspector.check.checking import Checking, wanted
from inspector.check.clients import CLIENTS
from inspector.check.rules import LOOKS, RULES, V03, V06, V07
from inspector.traffic.store import Traffic

CASES = {
    key: case
    for module in pkgutil.iter_modules(cases.__path__)
    for key, case in importlib.import_module(f"check.cases.{module.name}").CASES.items()
}


def test_every_rule_has_its_two_conversations() -> None:
    assert sorted(CASES) == sorted(RULES) == sorted(LOOKS)
    assert all(rule.about.endswith(".") and "\n" not in rule.about for rule in RULES.values())


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


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("J01", [sent(b'{"jsonrpc":"2.0",')]),
        ("J02", [sent(b'{"jsonrpc":"2.0","method":"notifications/x\xff"}')]),
        ("J03", [sent({"id": 7, "method": "ping"})]),
        ("J05", [sent([message(id=7, method="ping")])]),
        ("J09", [wants("ping"), sent(message(id=1, result={}, error={"code": 1, "message": "m"}))]),
        ("J10", [sent(message(id=77, result={}))]),
        ("J11", [asks("ping", id_=None)]),
        ("J11", [asks("ping", id_=1.5)]),
        ("J12", [wants("ping"), sent(message(result={}))]),
        ("J14", [asks("ping"), answers({}), asks("ping")]),
        ("J15", [sent(message(method="tools/list"))]),
        ("J17", [wants("ping"), sent(message(id=1, error={"code": "-1", "message": "m"}))]),
        ("J18", [asks("tools/list", [])]),
        ("J25", [sent(b'{"jsonrpc":"2.0","id":7,"method":"ping","id":8}')]),
        ("S01", [sent(b"hello")]),
    ],
)
def test_the_client_is_judged_too_and_named(rule: str, rows: list[Any]) -> None:
    findings = [each for each in found(old(*rows)) if each.rule == rule]
    assert findings and all(each.message.startswith("from the client: ") for each in findings)
    ours = old(*rows)
    ours[0].said["params"]["clientInfo"]["name"] = "mcp-inspect"
    ours[0].raw = json.dumps(ours[0].said).encode()
    assert not [each for each in found(ours) if each.message.startswith("from the client")]


def test_a_request_that_was_refused_is_sent_again_under_its_id() -> None:
    asked = message(id=7, method="tools/list")
    again = web(Post(asked, status=401), Post(asked, message(id=7, result={"tools": []})))
    assert "J14" not in rules_of(found(again))
    twice = Post(asked, message(id=7, result={"tools": []}))
    assert "J14" in rules_of(found(web(twice, twice)))


def test_what_is_posted_for_a_login_is_no_message() -> None:
    form = Post(
        b"grant_type=x", {"access_token": "x"}, sends=[("content-type", "application/x-www-form-urlencoded")]
    )
    registration = Post({"redirect_uris": []}, {"client_id": "x"})
    findings = found(web(form, registration))
    assert not [each for each in findings if each.message.startswith("from the client")]


def test_a_new_session_may_use_ids_again() -> None:
    before = new(asks("ping", {"_meta": meta()}, 1), answers(complete({}), 1))
    assert "J14" not in rules_of(found([*before, *old(asks("ping", id_=1), answers({}, 1))]))


def test_clients_that_break_are_named() -> None:
    assert set(RULES) >= set(CLIENTS)
    (finding,) = found(old(came(b"noise")))
    assert finding.clients == ("Java SDK 0.10.0", "PaiCLI")
    told = explaining.lines(RULES["S01"])
    assert any(line.strip().startswith("PaiCLI reads nothing more") for line in told)
    assert explaining.as_json(RULES["T11"])["clients"].keys() == {"TypeScript SDK 1", "Python SDK 2"}


def test_a_batch_that_is_answered_over_http_is_in_order() -> None:
    asked, given = (
        [message(id=each, method="ping") for each in "ab"],
        [message(id=each, result={}) for each in "ab"],
    )
    sends = [("mcp-session-id", "s")]
    streamed = Post(asked, *given, media="text/event-stream", sends=sends)
    assert found(web(Post(asked, given), streamed, version=V03)) == []


def test_a_command_that_ends_each_time_it_is_started_is_told_of_once() -> None:
    died = old(
        asks("tools/list", id_=1), noted("exited with code 3 after 9 ms"),
        asks("prompts/list", id_=2), noted("exited with code 3 after 11 ms"),
        asks("prompts/list", id_=3), noted("killed by SIGSEGV after 8 ms"),
    )  # fmt: skip
    again, killed = (each for each in found(died) if each.rule == "S06")
    assert "tools/list" in again.message and len(again.frames) == 4
    assert "killed by SIGSEGV" in killed.message and "tools/list" not in killed.message
