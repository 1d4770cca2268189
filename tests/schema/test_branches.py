"""Which branch what is entered goes to, which constants it brings, and how unions in unions are counted."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel, Outcome

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NULL = {"type": "null"}


def thing(title: str, **members: Any) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": members, "required": list(members)}


def outcome(schema: Any, entries: dict[str, Any]) -> Outcome:
    model = FormModel({"type": "object", "properties": {"x": schema}})
    assert fill(model, entries) == []
    return model.arguments()


A, B, C = thing("A", a=TEXT), thing("B", b=WHOLE), thing("C", c=TEXT)


@pytest.mark.parametrize(
    ("entries", "value"),
    [
        ({"/x/a": "1"}, {"a": "1"}),
        ({"/x/b": "1"}, {"b": 1}),
        ({"/x": {"branch": 0}}, {"a": ""}),
        ({"/x": {"branch": 1}}, None),
        ({"/x": {"branch": [1, 0]}, "/x/a": "y"}, {"a": "y"}),
        ({"/x": {"choose": "B"}, "/x/b": "2"}, {"b": 2}),
    ],
)
def test_a_union_inside_of_a_nullable_one(entries: dict[str, Any], value: Any) -> None:
    schema = {"anyOf": [{"anyOf": [A, B]}, NULL]}
    assert outcome(schema, entries).arguments == {"x": value}
    field = as_json(FormModel({"properties": {"x": schema}}))["fields"][0]
    assert ([branch["title"] for branch in field["branches"]], field["nullable"]) == (["A", "B"], True)


def test_a_branch_that_is_not_there_is_refused_with_the_last_one_there_is() -> None:
    for several, last in (([A, NULL, B], 2), ([A, B, NULL], 2), ([A, {"anyOf": [B, C]}], 2), ([A, B], 1)):
        model = FormModel({"properties": {"x": {"anyOf": several}}})
        assert fill(model, {"/x": {"branch": last}}) == []
        (problem,) = fill(model, {"/x": {"branch": last + 1}})
        assert problem.message == f"no branch {last + 1}, the last one is {last}, counted from 0"


def test_branches_of_unions_in_unions_stand_in_a_row_and_are_checked_as_chosen() -> None:
    schema = {"oneOf": [C, {"properties": {"k": TEXT}, "required": ["k"], "oneOf": [A, B]}]}
    field = as_json(FormModel({"properties": {"x": schema}}))["fields"][0]
    assert [branch["title"] for branch in field["branches"]] == ["C", "A", "B"]
    assert {inner["label"] for inner in field["branches"][2]["fields"]} == {"k", "b"}
    assert outcome(schema, {"/x": {"branch": 1}, "/x/a": "v", "/x/k": "w"}) == (
        {"x": {"a": "v", "k": "w"}},
        [],
        [],
    )
    found = outcome(schema, {"/x": {"choose": "B"}, "/x/k": "w"})
    assert [error.path for error in found.errors] == ["/x/b"]


def test_branches_that_do_not_exclude_each_other_can_be_filled_in_together() -> None:
    assert outcome({"anyOf": [A, B]}, {"/x/a": "v", "/x/b": "2"}) == ({"x": {"a": "v", "b": 2}}, [], [])
    closed = {"anyOf": [{**branch, "additionalProperties": False} for branch in (A, B)]}
    model = FormModel({"properties": {"x": closed}})
    assert [problem.path for problem in fill(model, {"/x/a": "v", "/x/b": "2"})] == ["/x/a"]


def test_what_is_entered_deeper_down_tells_branches_apart() -> None:
    lists = {
        "anyOf": [
            {"type": "array", "items": TEXT},
            {"type": "array", "items": A},
            {"type": "array", "items": B},
        ]
    }
    assert outcome(lists, {"/x/0": "s"}).arguments == {"x": ["s"]}
    assert outcome(lists, {"/x/0/b": "1"}).arguments == {"x": [{"b": 1}]}
    numbers = {
        "anyOf": [thing("n", v=WHOLE), thing("s", v=TEXT), {"type": "array", "items": thing("n", v=TEXT)}]
    }
    assert outcome(numbers, {"/x/v": "12"}).arguments == {"x": {"v": 12}}
    assert outcome(numbers, {"/x/v": "twelve"}).arguments == {"x": {"v": "twelve"}}
    assert outcome({"type": ["array", "object"]}, {"/x/k": "v"}).arguments == {"x": {"k": "v"}}
    assert outcome({"type": ["object", "array"]}, {"/x/0": "v"}).arguments == {"x": ["v"]}


def test_only_constants_that_tell_branches_apart_are_filled_in() -> None:
    flags = {"type": "object", "properties": {"compact": {"enum": [True]}, "n": WHOLE}}
    assert outcome({"oneOf": [TEXT, flags]}, {"/x/n": "1"}).arguments == {"x": {"n": 1}}
    shared = {
        "properties": {"mode": {"const": "m"}, "a": TEXT, "b": TEXT},
        "anyOf": [{"required": ["a"]}, A, C],
    }
    assert outcome(shared, {"/x/c": "v"}).arguments == {"x": {"c": "v"}}
    cat, dog = ({"properties": {"kind": {"$ref": f"#/$defs/{name}"}, name: TEXT}} for name in ("cat", "dog"))
    model = FormModel(
        {
            "properties": {"x": {"anyOf": [cat, dog]}},
            "$defs": {name: {"const": name} for name in ("cat", "dog")},
        }
    )
    fill(model, {"/x/dog": "Rex"})
    assert model.arguments().arguments == {"x": {"kind": "dog", "dog": "Rex"}}


def test_whole_objects_to_choose_from_at_the_root() -> None:
    schema = {"enum": [{"a": 1}, {"b": [2]}], "type": "object"}
    document = as_json(FormModel(schema))
    assert (document["rawOnly"], [field["widget"] for field in document["fields"]]) == (False, ["choice"])
    model = FormModel(schema)
    assert [error.path for error in model.arguments().errors] == [""]
    assert fill(model, {"": {"choose_index": 1}}) == []
    assert model.arguments() == ({"b": [2]}, [], [])
    assert FormModel({"const": {"a": 1}}).arguments() == ({"a": 1}, [], [])
    titled = FormModel({"oneOf": [{"const": {"a": 1}, "title": "one"}, {"const": {}, "title": "none"}]})
    assert fill(titled, {"": {"choose": "none"}}) == []
    assert titled.arguments() == ({}, [], [])


@pytest.mark.parametrize(
    "schema", [None, True, False, {}, [], "object", 7, {"type": "string"}, {"enum": ["a"]}]
)
def test_arguments_are_free_where_the_schema_declares_none(schema: Any) -> None:
    model = FormModel(schema)
    document = as_json(model)
    assert (document["rawOnly"], [field["widget"] for field in document["fields"]]) == (False, ["map"])
    fill(model, {"/own/name": "v"})
    assert model.collect().arguments == {"own": {"name": "v"}}


def test_text_goes_where_only_keywords_for_text_say_so() -> None:
    for schema in (
        {"pattern": "^[0-9]+$"},
        {"maxLength": 9},
        {"format": "date"},
        {"contentEncoding": "base64"},
    ):
        assert outcome(schema, {"/x": "2024"}).arguments == {"x": "2024"}
    assert outcome({"format": "int32"}, {"/x": "2024"}).arguments == {"x": 2024}
    assert outcome({"properties": {"a": TEXT}}, {"/x": "plain"}).arguments == {"x": "plain"}


def test_a_number_spelled_otherwise_is_the_same_choice() -> None:
    assert outcome({"enum": [1, "1", 2.5]}, {"/x": "1.0"}).arguments == {"x": 1}
    assert outcome({"enum": [1, 2.5]}, {"/x": "25e-1"}).arguments == {"x": 2.5}


def test_a_member_that_only_a_condition_types_takes_what_the_condition_does_not_forbid() -> None:
    schema = {"type": "object", "dependencies": {"b": {"properties": {"n": WHOLE}}}}
    assert outcome(schema, {"/x/n": "many"}) == ({"x": {"n": "many"}}, [], [])
    found = outcome(schema, {"/x/n": "many", "/x/b": "1"})
    assert [error.path for error in found.errors] == ["/x/n"]


def test_content_that_does_not_fit_is_advice() -> None:
    schema = {"type": "string", "contentEncoding": "base64", "contentMediaType": "application/json"}
    model = FormModel({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": schema}})
    fill(model, {"/x": "{no"})
    found = model.arguments()
    assert (found.arguments, found.errors, [warning.path for warning in found.warnings]) == (
        {"x": "{no"},
        [],
        ["/x"],
    )


def test_a_branch_that_is_elsewhere_makes_no_other_one_too_many() -> None:
    schema = {"oneOf": [{"$ref": "https://elsewhere.test/a.json"}, B]}
    assert outcome(schema, {"/x/b": "1"})[:2] == ({"x": {"b": 1}}, [])


def test_as_many_titled_values_as_an_enum_may_have() -> None:
    values = {"oneOf": [{"const": at, "title": f"number {at}"} for at in range(3_000)]}
    assert outcome(values, {"/x": {"choose": "number 2999"}}) == ({"x": 2999}, [], [])
    assert outcome(values, {"/x": {"branch": 1234}}).arguments == {"x": 1234}
    several = {"type": "array", "items": {"anyOf": values["oneOf"]}}
    assert outcome(several, {"/x": {"choose": ["number 2500", "number 7"]}}).arguments == {"x": [2500, 7]}


def test_items_that_no_schema_speaks_of_are_named() -> None:
    tuple_ = {"type": "array", "prefixItems": [WHOLE], "unevaluatedItems": False}
    assert [error.path for error in outcome(tuple_, {"/x/0": "1", "/x/1": "2", "/x/2": "a"}).errors] == [
        "/x/1",
        "/x/2",
    ]
