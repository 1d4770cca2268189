"""What comes, goes and changes in a list, and which change breaks a caller or a reader."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.compare.listings import compare

TEXT = {"type": "string"}


def tool(name: str = "t", **members: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **members}


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, bool]:
    """The pointers of all changes, and whether each breaks."""
    found = compare("s", {"tools": [old]}, {"tools": [new]})
    return {change.pointer: change.breaking for change in found.changed}


def inputs(old: Any, new: Any) -> dict[str, bool]:
    begun = "/inputSchema"
    found = changes(tool(inputSchema=old), tool(inputSchema=new))
    return {pointer.removeprefix(begun): breaking for pointer, breaking in found.items()}


def outputs(old: Any, new: Any) -> dict[str, bool]:
    found = changes(tool(outputSchema=old), tool(outputSchema=new))
    return {pointer.removeprefix("/outputSchema"): breaking for pointer, breaking in found.items()}


def test_entries_come_and_go_by_name_whatever_their_order() -> None:
    old = {"tools": [tool("a"), tool("b"), tool("b", title="twin"), 7], "prompts": [{"name": "p"}]}
    new = {"tools": [tool("c"), tool("b"), 7, tool("d")], "prompts": []}
    found = compare("s", old, new)
    assert {entry.name for entry in found.added} == {"c", "d", "entry 2"}
    assert {(entry.kind, entry.name) for entry in found.removed} == {
        ("tools", "a"), ("tools", "entry 3"), ("prompts", "p"),
    }  # fmt: skip
    assert not found.changed and found.differs and found.breaks


def test_a_kind_that_was_listed_on_one_side_only_is_a_note() -> None:
    found = compare("s", {"tools": [tool()]}, {"tools": [tool()], "prompts": [{"name": "p"}]})
    assert not found.differs and found.notes == ["s: prompts were not listed before"]
    assert compare("s", {}, {"prompts": []}).notes == []


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT, "b": TEXT}}, {"/properties/b": False}),
        ({"properties": {"a": TEXT, "b": TEXT}}, {"properties": {"a": TEXT}}, {"/properties/b": True}),
        ({"properties": {"type": TEXT}}, {"properties": {}}, {"/properties/type": True}),
        ({"required": ["a"]}, {"required": ["b", "a"]}, {"/required": True}),
        ({"required": ["a", "b"]}, {"required": ["b"]}, {"/required": False}),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}, {}),
        ({}, {"required": ["a"]}, {"/required": True}), ({"required": ["a"]}, {}, {"/required": False}),
        ({"enum": [1, 2]}, {"enum": [2, 1, 3]}, {"/enum": False}), ({"enum": [1, 2]}, {"enum": [2]}, {"/enum": True}),
        ({}, {"enum": [2]}, {"/enum": True}), ({"enum": [2]}, {}, {"/enum": False}),
        ({"type": "string"}, {"type": "number"}, {"/type": True}),
        ({"type": "integer"}, {"type": "number"}, {"/type": False}),
        ({"type": "string"}, {"type": ["string", "null"]}, {"/type": False}),
        ({"type": ["string", "null"]}, {"type": "string"}, {"/type": True}),
        ({"minimum": 1}, {"minimum": 2}, {"/minimum": True}), ({"minimum": 2}, {"minimum": 1}, {"/minimum": False}),
        ({"maxLength": 5}, {"maxLength": 9}, {"/maxLength": False}), ({}, {"maxLength": 9}, {"/maxLength": True}),
        ({"maxLength": 9}, {}, {"/maxLength": False}), ({"pattern": "a"}, {"pattern": "b"}, {"/pattern": True}),
        ({"description": "a"}, {"description": "b"}, {"/description": False}),
        ({"properties": {"a": {"title": "x"}}}, {"properties": {"a": {"title": "y"}}}, {"/properties/a/title": False}),
        ({"properties": {"description": TEXT}}, {"properties": {}}, {"/properties/description": True}),
        ({"additionalProperties": True}, {"additionalProperties": False}, {"/additionalProperties": True}),
        ({"additionalProperties": False}, {"additionalProperties": True}, {"/additionalProperties": False}),
        ({"anyOf": [TEXT]}, {"anyOf": [TEXT, {"type": "null"}]}, {"/anyOf/1": False}),
        ({"anyOf": [TEXT, {"type": "null"}]}, {"anyOf": [TEXT]}, {"/anyOf/1": True}),
        ({"allOf": [TEXT]}, {"allOf": [TEXT, {"minLength": 1}]}, {"/allOf/1": True}),
        ({"not": {"enum": [1]}}, {"not": {"enum": [1, 2]}}, {"/not/enum": True}),
        ({"items": {"type": "string"}}, {"items": {"type": "number"}}, {"/items/type": True}),
        ({"$defs": {"x": TEXT}}, {"$defs": {}}, {"/$defs/x": False}),
        ({"items": {"default": 1}}, {"items": {"default": 2}}, {"/items/default": False}),
    ],
)  # fmt: skip
def test_what_narrows_the_input_breaks(old: Any, new: Any, wanted: dict[str, bool]) -> None:
    assert inputs(old, new) == wanted


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {}}, {"/properties/a": False}),
        ({"required": ["a"]}, {"required": []}, {"/required": True}),
        ({"required": []}, {"required": ["a"]}, {"/required": False}),
        ({"enum": [1]}, {"enum": [1, 2]}, {"/enum": True}), ({"type": "number"}, {"type": "integer"}, {"/type": False}),
        ({"type": "string"}, {"type": ["string", "null"]}, {"/type": True}),
        ({"maximum": 5}, {"maximum": 9}, {"/maximum": True}),
    ],
)  # fmt: skip
def test_what_widens_the_output_breaks_its_reader(old: Any, new: Any, wanted: dict[str, bool]) -> None:
    assert outputs(old, new) == wanted


def test_the_rest_of_a_definition() -> None:
    careful = {"annotations": {"readOnlyHint": True}}
    assert changes(tool(**careful), tool(annotations={"readOnlyHint": False})) == {
        "/annotations/readOnlyHint": True
    }
    assert changes(tool(**careful), tool()) == {"/annotations": True}
    assert changes(tool(), tool(**careful)) == {"/annotations": False}
    assert changes(tool(description="a"), tool(description="b")) == {"/description": False}
    assert changes(tool(), tool(outputSchema={})) == {"/outputSchema": False}
    assert changes(tool(outputSchema={}), tool()) == {"/outputSchema": True}
    assert changes(tool(), {"name": "t"}) == {"/inputSchema": True}
    assert changes(
        tool(execution={"taskSupport": "optional"}), tool(execution={"taskSupport": "required"})
    ) == {"/execution/taskSupport": True}
    before = {"name": "p", "arguments": [{"name": "a"}]}
    after = {"name": "p", "arguments": [{"name": "a", "required": True}, {"name": "b"}]}
    found = compare("s", {"prompts": [before]}, {"prompts": [after]}).changed
    assert {change.pointer: change.breaking for change in found} == {
        "/arguments/0/required": True, "/arguments/1": False,
    }  # fmt: skip
