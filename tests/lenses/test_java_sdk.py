"""The Java SDK: each answer is bound as the classes of its two versions bind it, and each sentence has its cause."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inspector.lenses.java_sdk import clients
from inspector.lenses.java_sdk.binding import bind
from inspector.lenses.java_sdk.clients import CLIENTS, V0_10, V2, JavaSdk, Seen
from inspector.protocol.jsonrpc import read
from inspector.session.handshake import Handshake

# What the classes of either version, compiled with Jackson 2.17, made of each value.
_CASES = [json.loads(line) for line in Path(__file__).with_name("java_sdk.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_what_its_classes_refuse_is_refused_and_nothing_else(client: JavaSdk) -> None:
    wrong = [
        (case["method"], case["value"])
        for case in _CASES
        if case["method"] in client.records
        and (not bind(case["value"], client.records[case["method"]]).refused) != case[client.version]
    ]
    assert wrong == []
    assert {case[client.version] for case in _CASES} == {True, False}


def _handshake(answered: str = "2024-11-05", asked: str = "2024-11-05", **result: Any) -> Handshake:
    whole = {"protocolVersion": answered, "capabilities": {}, "serverInfo": {"name": "a"}, **result}
    return Handshake({"protocolVersion": asked}, answered, whole)


def _texts(seen: list[Seen], severity: str) -> str:
    return "; ".join(each.text for each in seen if each.severity == severity)


def test_another_version_or_transport_is_no_connection() -> None:
    assert clients.connecting(V0_10, _handshake(), "stdio") == []
    refused = clients.connecting(V0_10, _handshake("2025-06-18"), "stdio")
    assert "takes nothing else, and the server answers 2025-06-18" in _texts(refused, "error")
    assert "no Streamable HTTP" in _texts(clients.connecting(V0_10, _handshake(), "http"), "error")
    # Asked for something newer, the server was not heard on what that client asks for.
    unknown = clients.connecting(V0_10, _handshake("2025-06-18", "2025-11-25"), "stdio")
    assert [each.severity for each in unknown] == ["warning"]
    assert clients.connecting(V2, _handshake("2025-06-18", "2025-11-25"), "http") == []
    assert [each.severity for each in clients.connecting(V2, _handshake("2025-06-18"), "sse")] == ["error"]


def test_a_server_of_the_modern_era_is_known_by_the_versions_that_it_names() -> None:
    def discovered(*versions: str) -> Handshake:
        return Handshake({"_meta": {}}, versions[0], {"supportedVersions": list(versions)}, "modern")

    assert clients.connecting(V2, discovered("2026-07-28", "2025-11-25"), "http") == []
    told = _texts(clients.connecting(V2, discovered("2026-07-28"), "http"), "error")
    assert "begins with initialize in 2025-11-25, and the server knows 2026-07-28" in told


def test_a_capability_with_a_member_of_its_own_ends_the_handshake_of_the_old_one() -> None:
    handshake = _handshake(capabilities={"tools": {"listChanged": True, "mine": 1}})
    assert "capabilities/tools/mine" in _texts(clients.connecting(V0_10, handshake, "stdio"), "error")
    assert clients.connecting(V2, handshake, "stdio") == []


def test_what_was_not_declared_is_asked_for_or_not() -> None:
    handshake = _handshake(capabilities={"resources": {"subscribe": True}})
    old, new = (clients.gates(client, handshake) for client in CLIENTS)
    assert "refuses by itself to ask for tools: " in _texts(old, "info")
    assert "asks for prompts, completions and logging all the same" in _texts(old, "info")
    assert "refuses by itself to ask for tools and logging: " in _texts(new, "info")
    assert "no handler for notifications/resources/updated" in _texts(old, "warning")
    assert _texts(new, "warning") == ""
    without = Handshake({}, "2024-11-05", {"protocolVersion": "2024-11-05"})
    assert "fails at every call" in _texts(clients.gates(V0_10, without), "error")


def _tool(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", **schema}}


def test_one_tool_takes_the_whole_list_with_it_and_lost_members_are_named() -> None:
    tools = [_tool("listed", type=["object", "null"]), _tool("open", additionalProperties={}),
             _tool("either", oneOf=[], title="T"), _tool("plain", properties={"a": {"oneOf": []}})]  # fmt: skip
    old = clients.listing(V0_10, "tools", tools, 3)
    assert "cannot read tools/list at all, because of listed (inputSchema/type is a list" in _texts(
        old, "error"
    )
    assert "open (inputSchema/additionalProperties is an object" in _texts(old, "error")
    assert "drops inputSchema/oneOf of either" in _texts(old, "warning")
    assert "title" not in _texts(old, "warning")
    assert "plain" not in _texts(old, "warning")
    assert "the first of 3 pages" in _texts(old, "warning")
    assert clients.listing(V2, "tools", tools, 3) == []
    unnamed = clients.listing(V2, "resources", [{"uri": "a:b"}], 1)
    assert "a:b (name is missing" in _texts(unnamed, "error")


def test_an_answer_with_one_new_kind_of_content_is_lost_as_a_whole() -> None:
    for kind in ("audio", "resource_link"):
        result = {
            "content": [{"type": "text", "text": "a"}, {"type": kind, "data": "", "uri": "a:b", "name": "b"}]
        }
        assert f'content/1/type is "{kind}"' in _texts(clients.answer(V0_10, "tools/call", result), "error")
        assert _texts(clients.answer(V2, "tools/call", result), "error") == ""
    below = {"content": [{"type": "text", "text": "a", "annotations": {"priority": 1}}]}
    beside = {"content": [{"type": "text", "text": "a", "priority": 1}]}
    assert "content/0/annotations" in _texts(clients.answer(V0_10, "tools/call", below), "warning")
    assert clients.answer(V0_10, "tools/call", beside) == []
    assert "content/0/priority" in _texts(clients.answer(V2, "tools/call", beside), "warning")
    assert clients.answer(V0_10, "anything/else", {}) == []


def test_notifications_and_requests_of_the_server() -> None:
    data: Mapping[str, Any] = {"level": "info", "data": {"a": 1}}
    for client in CLIENTS:
        assert "data is an object" in _texts(
            clients.notification(client, "notifications/message", data), "error"
        )
        assert clients.notification(client, "notifications/tools/list_changed", None) == []
        assert "-32601" in _texts(clients.request(client, "tasks/get", {}), "warning")
        assert "Roots not supported" in _texts(clients.request(client, "roots/list", {}), "info")
    assert "no handler" in _texts(clients.notification(V0_10, "notifications/progress", {}), "info")
    assert clients.notification(V2, "notifications/resources/updated", {"uri": "a:b"}) == []
    assert "Method not found: ping" in _texts(clients.request(V0_10, "ping", {}), "warning")
    assert clients.request(V2, "ping", {}) == []
    several = {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}], "maxTokens": 1}
    assert "-32603" in _texts(clients.request(V2, "sampling/createMessage", several), "error")


def test_a_frame_is_judged_by_what_it_is_and_by_its_size() -> None:
    pinged = read(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    assert "-32601" in _texts(clients.made_of(V0_10, pinged, "ping", 50), "warning")
    assert clients.made_of(V2, pinged, "ping", clients.LARGEST) == []
    assert "16 MiB" in _texts(clients.made_of(V2, pinged, "ping", clients.LARGEST + 1), "error")
    answered = read(b'{"jsonrpc": "2.0", "id": 1, "result": {"content": "text"}}')
    assert "content is a string" in _texts(clients.made_of(V2, answered, "tools/call", 60), "error")
    assert clients.made_of(V2, answered, None, 60) == clients.made_of(V2, read(b"noise"), "ping", 5) == []
