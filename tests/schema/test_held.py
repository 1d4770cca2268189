"""What is entered inside of values that have no fields of their own."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.base import numbers
from inspector.schema.fill import fill
from inspector.schema.form import FormModel, Outcome


def outcome(schema: Any, entries: dict[str, Any]) -> Outcome:
    model = FormModel({"type": "object", "properties": {"x": schema}})
    assert fill(model, entries) == []
    return model.arguments()


@pytest.mark.parametrize("schema", [True, {}, {"description": "anything"}, {"not": {"type": "null"}}])
def test_members_and_items_of_an_untyped_value(schema: Any) -> None:
    entries = {"/x/list/1": "b", "/x/list/0": "a", "/x/n": "5", "/x/off": False, "/x/none": {"null": True},
               "/x/deep/er/0/": {"json": "{}"}, "/x/~1": {"empty": True}}  # fmt: skip
    value = {"list": ["a", "b"], "n": 5, "off": False, "none": None, "deep": {"er": [{"": {}}]}, "/": ""}
    assert outcome(schema, entries) == ({"x": value}, [], [])


def test_numbers_that_skip_some_are_names() -> None:
    assert outcome({}, {"/x/0": "a", "/x/2": "c"}).arguments == {"x": {"0": "a", "2": "c"}}


def test_rows_of_a_bare_list_and_entries_of_a_bare_object_have_insides() -> None:
    assert outcome({"type": "array"}, {"/x/0/a": "1", "/x/1/0": "b"}).arguments == {"x": [{"a": 1}, ["b"]]}
    assert outcome({"type": "object"}, {"/x/k/a": "1"}).arguments == {"x": {"k": {"a": 1}}}


def test_a_constant_object_can_be_entered_member_by_member() -> None:
    assert outcome({"const": {"a": 1, "b": [2]}}, {"/x/a": "1", "/x/b/0": "2"}) == (
        {"x": {"a": 1, "b": [2]}},
        [],
        [],
    )


def test_rows_inside_can_be_removed() -> None:
    entries = {"/x": {"json": '["a", "b", {"c": 1}]'}, "/x/0": {"remove": True}, "/x/2/c": {"remove": True}}
    assert outcome({}, entries).arguments == {"x": ["b", {}]}
    model = FormModel({"properties": {"x": {}}})
    assert [problem.path for problem in fill(model, {"/x/4": {"remove": True}})] == ["/x/4"]


def test_a_row_made_to_be_removed_leaves_nothing() -> None:
    rows, keys = (
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "additionalProperties": True},
    )
    assert outcome(rows, {"/x/0": "a", "/x/1": {"remove": True}}) == ({"x": ["a"]}, [], [])
    assert outcome(rows, {"/x/0": {"remove": True}}) == ({}, [], [])
    assert outcome(rows, {"/x/0": {"remove": True}, "/x/1": "b"}) == ({"x": ["b"]}, [], [])
    assert outcome(keys, {"/x/a": "1", "/x/b": {"remove": True}}) == ({"x": {"a": 1}}, [], [])
    model = FormModel({"properties": {"s": {"type": "string"}}})
    assert [problem.path for problem in fill(model, {"/s": {"remove": True}, "/s/0": {"remove": True}})] == [
        "/s",
        "/s/0",
    ]


def test_a_list_too_long_for_rows_is_changed_in_place() -> None:
    rows = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "string"}, "m": True}}}
    text = "[" + ",".join(['{"n": "1", "m": 1.50}'] * 3_000) + "]"
    got = outcome(rows, {"/x": {"json": text}, "/x/7/n": "7", "/x/0": {"remove": True}}).arguments["x"]
    assert len(got) == 2_999
    assert (got[6]["n"], numbers.dumps(got[6]["m"]), got[5]["n"]) == ("7", "1.50", "1")


def test_every_row_that_is_typed_has_a_place() -> None:
    rows = {"type": "array", "items": {"type": "integer"}}
    assert outcome(rows, {f"/x/{at}": str(at) for at in range(1_200)}).arguments == {"x": list(range(1_200))}


def test_what_was_loaded_without_a_required_value_is_sent_without_it() -> None:
    schema = {"properties": {"s": {"type": "string"}, "c": {"const": 1}, "o": {"type": "object"}}}
    model = FormModel({**schema, "required": ["s", "c", "o"]})
    assert model.arguments().arguments == {"s": "", "c": 1, "o": {}}
    model.set_json("{}")
    found = model.arguments()
    assert (found.arguments, {error.path for error in found.errors}) == ({}, {"/s", "/c", "/o"})
    fill(model, {"/s": {"clear": True}, "/o/k": "v"})
    assert model.arguments().arguments == {"s": "", "o": {"k": "v"}}
