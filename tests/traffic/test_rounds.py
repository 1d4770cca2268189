"""The probe and rounds of input as the traffic shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector.traffic.store import Traffic
from inspector.tui.widgets.traffic.exchange_view import conversation


def kept(*messages: tuple[str, dict[str, Any]]) -> Traffic:
    traffic = Traffic.in_memory()
    log = traffic.session("server")
    for direction, members in messages:
        raw = json.dumps({"jsonrpc": "2.0", **members}).encode()
        log.sent(raw) if direction == ">" else log.received([raw])
    traffic.advance()
    return traffic


def call(id_: int, name: str = "t", **params: Any) -> tuple[str, dict[str, Any]]:
    return ">", {"id": id_, "method": "tools/call", "params": {"name": name, **params}}


def asks(id_: int, **members: Any) -> tuple[str, dict[str, Any]]:
    return "<", {"id": id_, "result": {"resultType": "input_required", **members}}


def done(id_: int) -> tuple[str, dict[str, Any]]:
    return "<", {"id": id_, "result": {"resultType": "complete", "content": []}}


def test_server_discover_before_anything_else_is_the_probe() -> None:
    discover = {"method": "server/discover", "params": {}}
    traffic = kept(
        (">", {"id": 0, **discover}),
        ("<", {"id": 0, "error": {"code": -32022, "message": "m"}}),
        (">", {"id": 1, **discover}),
        ("<", {"id": 1, "result": {"supportedVersions": ["2026-07-28", "2025-11-25"]}}),
        (">", {"id": 2, "method": "tools/list"}),
        (">", {"id": 3, **discover}),
    )
    assert ["probe" in traffic.row(number).flags for number in range(6)] == [True] * 4 + [False] * 2
    assert traffic.row(3).summary == "ok 2026-07-28, 2025-11-25"


def test_all_rounds_of_a_call_are_one_conversation() -> None:
    traffic = kept(
        call(1),
        asks(1, inputRequests={"a": {}, "b": {}}, requestState="s"),
        call(2, "other"),
        call(3, inputResponses={"b": {}, "a": {}}, requestState="s"),
        asks(3, requestState="later"),
        done(2),
        call(4, requestState="later"),
        done(4),
        call(5),
        done(5),
    )
    for number in (0, 1, 3, 4, 6, 7):
        assert conversation(traffic, number) == [0, 1, 3, 4, 6, 7]
    assert conversation(traffic, 2) == [2, 5] and conversation(traffic, 9) == [8, 9]
    assert [traffic.row(number).state for number in (0, 1, 3, 7)] == [
        "input required", "input required", "input required", "answered",
    ]  # fmt: skip
    assert traffic.row(1).summary == "asks for a, b" and traffic.row(4).summary == "asks for the same again"
    assert traffic.row(3).summary == "tools/call t with input: b, a"
    assert traffic.row(6).summary == "tools/call t once more"


@pytest.mark.parametrize("extension", [False, True])
def test_all_frames_of_a_task_are_one_conversation(extension: bool) -> None:
    task = {"taskId": "a", "status": "working"}
    made = {"resultType": "task", **task} if extension else {"task": task}
    told_by = "notifications/tasks" if extension else "notifications/tasks/status"
    related = {"_meta": {"io.modelcontextprotocol/related-task": {"taskId": "a"}}}
    traffic = kept(
        call(1),
        ("<", {"id": 1, "result": made}),
        (">", {"id": 2, "method": "tasks/get", "params": {"taskId": "a"}}),
        ("<", {"id": 2, "result": task}),
        (">", {"id": 3, "method": "tasks/get", "params": {"taskId": "another"}}),
        ("<", {"id": 3, "error": {"code": -32602, "message": "no such task"}}),
        ("<", {"method": told_by, "params": task}),
        ("<", {"id": "q", "method": "elicitation/create", "params": {"message": "?", **related}}),
        (">", {"id": "q", "result": {"action": "decline"}}),
        (">", {"id": 4, "method": "tasks/result", "params": {"taskId": "a"}}),
        ("<", {"id": 4, "result": {"content": []}}),
        call(5),
    )
    for number in (0, 1, 2, 3, 6, 7, 8, 9, 10):
        assert conversation(traffic, number) == [0, 1, 2, 3, 6, 7, 8, 9, 10]
    assert conversation(traffic, 4) == [4, 5] and conversation(traffic, 11) == [11]
    told = [traffic.row(number).summary for number in (1, 3, 6, 8)]
    assert told == ["ok task working", "ok working", f"{told_by} working", "ok decline"]
    assert traffic.row(6).target == "t" and traffic.row(9).target == "t" and not traffic.row(4).target


def test_a_task_that_a_client_makes_of_a_question_is_one_conversation_as_well() -> None:
    traffic = kept(
        ("<", {"id": 1, "method": "elicitation/create", "params": {"message": "?", "task": {}}}),
        (">", {"id": 1, "result": {"task": {"taskId": "a"}}}),
        ("<", {"id": 2, "method": "tasks/result", "params": {"taskId": "a"}}),
        (">", {"id": 2, "result": {"action": "decline"}}),
    )
    assert conversation(traffic, 3) == [0, 1, 2, 3]


def test_what_only_looks_like_a_round_is_none() -> None:
    traffic = kept(
        call(1),
        asks(1, inputRequests={"a": {}}, requestState="s"),
        call(2, inputResponses={"a": {}}, requestState="another"),
        call(3, "other", inputResponses={"a": {}}, requestState="s"),
        call(4, inputResponses=[1], requestState={"odd": []}),
        asks(4, inputRequests=7),
    )
    assert conversation(traffic, 0) == [0, 1] and conversation(traffic, 2) == [2]
    assert conversation(traffic, 4) == [4, 5]
