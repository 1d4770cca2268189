"""What is declared in which version, and what a server may ask then."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.protocol.capabilities import declared_in, lacking, undeclared
from inspector.protocol.elicitation import oddity
from inspector.protocol.revisions import REVISIONS
from inspector.protocol.sampling import misuse

ALL = {
    "roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2024-11-05", {"roots": {"listChanged": True}, "sampling": {}}),
        ("2025-03-26", {"roots": {"listChanged": True}, "sampling": {}}),
        ("2025-06-18", {"roots": {"listChanged": True}, "elicitation": {}, "sampling": {}}),
        ("2025-11-25", ALL),
        ("2026-07-28", ALL | {"roots": {}}),
    ],
)
def test_each_version_has_its_own_capabilities(version: str, expected: dict[str, Any]) -> None:
    assert declared_in(version, ALL) == expected
    assert declared_in(version, {}) == {}


def test_where_elicitation_has_no_modes_links_alone_are_not_declared() -> None:
    links = {"elicitation": {"url": {}}}
    assert declared_in("2025-06-18", links) == {} and declared_in("2025-11-25", links) == links


@pytest.mark.parametrize("version", REVISIONS)
def test_what_was_not_declared_is_an_error(version: str) -> None:
    declared = declared_in(version, ALL)
    errors = [
        error[0] if (error := undeclared("elicitation/create", asked, declared)) else None
        for asked in ({}, {"mode": "form"}, {"mode": "url"}, {"mode": ["x"]})
    ]
    if version < "2025-06-18":
        assert errors == [-32601] * 4
    else:
        assert errors == [None, None, -32602 if version == "2025-06-18" else None, -32602]
    assert undeclared("sampling/createMessage", {}, declared) is None
    assert undeclared("sampling/createMessage", {}, {}) is not None
    assert undeclared("roots/list", {}, {}) is None and undeclared("x-vendor/ask", {}, {}) is None


@pytest.mark.parametrize("member", ["tools", "toolChoice"])
def test_tools_in_sampling_must_be_declared(member: str) -> None:
    for declared, code in (({"sampling": {}}, -32602), ({"sampling": {"tools": {}}}, None)):
        error = undeclared("sampling/createMessage", {"messages": [], member: []}, declared)
        assert (error[0] if error else None) == code


USE, RESULT = {"type": "tool_use", "id": "a"}, {"type": "tool_result", "toolUseId": "a"}
TEXT = {"type": "text", "text": "hi"}


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        ([TEXT], None), ([[TEXT, TEXT]], None), ([[TEXT, USE], RESULT, TEXT], None),
        ([USE, [RESULT, TEXT]], "mixed"), ([USE, TEXT], "missing: 'a'"), ([USE], "missing"),
        ([[USE, USE | {"id": "b"}], [RESULT]], "missing: 'b'"), ([RESULT], "belongs to no"),
        ([USE | {"id": []}], "missing"), ([None, 5, [5, {}], {}], None),
    ],
)  # fmt: skip
def test_tool_results_stand_alone_and_complete(contents: list[Any], words: str | None) -> None:
    told = misuse({"messages": [{"role": "user", "content": content} for content in contents]})
    assert told is None if words is None else words in str(told)
    assert misuse({"messages": 5}) is None and misuse({}) is None


CHOICES = {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"type": "string", "format": "email", "default": "x"}, None), ({"type": "integer", "minimum": 1}, None),
        ({"type": "boolean"}, None), ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, None),
        ({"type": "string", "enum": ["a"], "enumNames": ["A"]}, None), (CHOICES, None),
        ({"type": "array", "items": {"enum": ["a"]}}, None), ({"type": "array", "items": {}}, "choices"),
        ({"type": "object"}, "forms are flat"), ({"type": ["string", "null"]}, "forms are flat"), (5, "no schema"),
        ({"type": "string", "format": "password"}, "the format 'password'"), ({}, "the type null"),
    ],
)  # fmt: skip
def test_forms_are_flat(field: Any, words: str | None) -> None:
    told = oddity({"requestedSchema": {"type": "object", "properties": {"f": field}}}, detailed=True)
    assert told is None if words is None else words in str(told)


def test_what_else_a_form_may_lack() -> None:
    listed = {"requestedSchema": {"type": "object", "properties": {"f": CHOICES}}}
    assert "this version" in str(oddity(listed, detailed=False))
    for schema in (None, 5, {}, {"type": "object"}, {"type": "array", "properties": {}}):
        assert oddity({"requestedSchema": schema}, detailed=True) is not None
    assert oddity({"mode": "url", "url": "x"}, detailed=True) is None


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"requiredCapabilities": {"elicitation": {"form": {}}}}, "elicitation; --answer declares elicitation on"),
        ({"requiredCapabilities": {"roots": {}}}, "the request did not declare roots"),
        ({"requiredCapabilities": {"extensions": {"a/b": {}}, "sampling": {}}}, "the extension a/b; --answer"),
        ({"requiredCapabilities": {}}, "does not say what is missing"), ({"requiredCapabilities": [1]}, "does not say"),
        ([], "does not say"), (None, "does not say"), ({"requiredCapabilities": {"extensions": 5}}, "does not say"),
    ],
)  # fmt: skip
def test_what_a_server_misses_is_named(data: object, told: str) -> None:
    assert told in lacking(data)
