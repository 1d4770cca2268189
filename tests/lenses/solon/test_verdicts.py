"""What texts mean, by the exact rules of each client."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.lenses.solon.clients import CLIENTS, Told, told_by
from inspector.lenses.solon.verdicts import exposure, instruction_remark, is_active, listed_by

OLD, MIDDLE, NEW = (CLIENTS[name] for name in ("3.9.0", "3.9.3", "4.0"))
TOOLS = [
    {"name": "isSupportedMcp", "_meta": {"hide": 1}},
    {"name": "query"},
    {"name": "cancel", "_meta": {"user_role": "ADMIN"}},
    {"name": "secret", "_meta": {"hide": False}},
]


def result(*texts: str, error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text} for text in texts], "isError": error}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_only_the_text_true_is_active(client) -> None:
    assert is_active(told_by(client, result("true")))
    for text in ("TRUE", " true", "true\n", "1", "", "false", "null", '"true"', '{"ok":true}'):
        assert not is_active(told_by(client, result(text))), text
    assert not is_active(told_by(client, result("true", error=True)))
    for odd in ({}, None, {"content": []}, {"content": [{"type": "image", "data": ""}]}, {"content": "true"},
                {"content": [], "structuredContent": {"result": True}}):  # fmt: skip
        assert not is_active(told_by(client, odd))


def test_errors_are_marked_as_each_client_marks_them() -> None:
    for client in CLIENTS.values():
        assert told_by(client, result("no tenant", error=True)).text == "Error: no tenant"
        assert told_by(client, result("Error: x", error=True)).text == "Error: x"
    assert told_by(OLD, result("Error:x", error=True)).text == "Error:x"
    assert told_by(NEW, result("Error:x", error=True)).text == "Error: Error:x"


def test_which_content_is_taken_for_the_text() -> None:
    mixed = {"content": [{"type": "image"}, {"type": "text", "text": "true"}]}
    assert told_by(OLD, mixed).thrown and told_by(NEW, mixed).text == "true"
    assert told_by(OLD, result("", "true")).text == "" and told_by(NEW, result("", "true")).text == "true"
    assert told_by(OLD, {}).thrown and told_by(NEW, {}) == Told(None)


@pytest.mark.parametrize(("text", "old", "middle", "new"), [
    ("null", "all", "all", "all"), ("", "unreadable", "unreadable", "all"), ("[]", "none", "none", "none"),
    ('["query"]', "some", "some", "some"), ("Error: no", "unreadable", "unreadable", "unreadable"),
    ("{}", "unreadable", "unreadable", "unreadable"), ('"query"', "unreadable", "unreadable", "unreadable"),
    ("[", "unreadable", "unreadable", "unreadable"), ("[" * 5000, "unreadable", "unreadable", "unreadable"),
])  # fmt: skip
def test_each_form_is_read_as_each_client_would(text: str, old: str, middle: str, new: str) -> None:
    states = [listed_by(client, told_by(client, result(text))).state for client in (OLD, MIDDLE, NEW)]
    assert states == [old, middle, new]


def test_no_content_at_all() -> None:
    states = [listed_by(client, told_by(client, {"content": []})).state for client in (OLD, MIDDLE, NEW)]
    assert states == ["unreadable", "unreadable", "all"]


def listed(text: str) -> Any:
    return listed_by(MIDDLE, Told(text))


@pytest.mark.parametrize(("text", "exposed"), [
    ("null", ["query", "cancel"]), ("[]", []), ('["query"]', ["query"]), ('["cancel","secret"]', ["cancel"]),
    ('["isSupportedMcp"]', []), ('["nobody"]', []), ("oops", []),
])  # fmt: skip
def test_the_filter_has_three_states_and_hiding_comes_first(text: str, exposed: list[str]) -> None:
    assert exposure(TOOLS, listed(text)).exposed == exposed


def test_the_table_tells_hidden_listed_and_exposed() -> None:
    rows = {
        row.name: (row.hidden, row.listed, row.exposed)
        for row in exposure(TOOLS, listed('["query","secret"]')).rows
    }
    assert rows == {
        "isSupportedMcp": (True, False, False), "query": (False, True, True), "cancel": (False, False, False),
        "secret": (True, True, False),
    }  # fmt: skip
    assert all(row.listed is None for row in exposure(TOOLS, listed("null")).rows)
    assert exposure(TOOLS, None).exposed == [] and len(exposure(TOOLS, None).rows) == 4


def test_entries_that_match_nothing_are_told() -> None:
    found = exposure(TOOLS, listed('["query","Query","nobody","nobody","query",3,null,{"name":"query"}]'))
    assert found.exposed == ["query"]
    assert found.unknown == ("Query", "nobody") and found.twice == ("query", "nobody")
    assert found.dropped == ("3", "null", '{"name": "query"}')


def test_odd_tools_do_not_disturb_the_table() -> None:
    assert [row.name for row in exposure([None, 3, {}, {"name": 1}, *TOOLS], listed("null")).rows] == [
        "isSupportedMcp", "query", "cancel", "secret",
    ]  # fmt: skip


def test_a_literal_null_and_an_error_become_the_instruction() -> None:
    assert "3.9.0" in instruction_remark(Told("null"))
    assert "error" in instruction_remark(Told("Error: no", is_error=True))
    assert instruction_remark(Told("be kind")) == "" and instruction_remark(Told("")) == ""
