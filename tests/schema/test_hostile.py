"""Any JSON value as a schema gives a form, arguments and a document; nothing raises and nothing hangs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bench.fuzz.forms import holds, leaves
from inspector.base import numbers
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel
from inspector.schema.validate import check_result

NAMES = st.sampled_from(
    ["a", "b", "", "a/b", "~", "type", "$ref", "properties", "required", "\u00e9", "e\u0301", "[/x]"]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.just(10**30), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.just("\ud83d"),
)  # fmt: skip
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
REFS = st.sampled_from(
    ["#", "#/", "#/properties/a", "#/$defs/a", "#/$defs/b", "#/allOf/0", "#a", "#/%7", "http://127.0.0.1:9/x",
     "file:///etc/passwd", "#/anyOf/1", "", "a", "//["],
)  # fmt: skip
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array", "strng", "any"])


def _schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(NAMES, inner, max_size=3)
    several = st.lists(inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, max_size=3) | JSON,
            "properties": named | JSON,
            "patternProperties": st.dictionaries(st.sampled_from(["^x", "(", "(a+)+$"]), inner, max_size=2),
            "additionalProperties": inner,
            "required": st.lists(NAMES, max_size=3) | JSON,
            "items": inner | several,
            "prefixItems": several,
            "anyOf": several | JSON,
            "oneOf": several,
            "allOf": several | JSON,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner | JSON,
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2), max_size=2) | JSON,
            "dependentSchemas": named | JSON,
            "dependencies": st.dictionaries(NAMES, inner | st.lists(NAMES, max_size=2), max_size=2),
            "discriminator": st.fixed_dictionaries(
                {"propertyName": NAMES}, optional={"mapping": st.dictionaries(NAMES, REFS | JSON, max_size=2)}
            )
            | JSON,
            "propertyNames": inner,
            "unevaluatedProperties": inner,
            "contains": inner,
            "enum": st.lists(JSON, max_size=4) | JSON,
            "const": JSON,
            "default": JSON,
            "$ref": REFS | JSON,
            "$dynamicRef": st.sampled_from(["#a", "#b", "#"]),
            "$recursiveRef": st.just("#"),
            "$anchor": st.sampled_from(["a", "b"]),
            "$dynamicAnchor": st.sampled_from(["a", "b"]),
            "$id": st.sampled_from(["http://example.com/x", "a", "#a", "//["]),
            "$defs": named | JSON,
            "$schema": st.sampled_from(
                ["http://json-schema.org/draft-07/schema#", "http://example.com/own", ""]
            ),
            "minimum": SCALARS,
            "exclusiveMinimum": SCALARS,
            "minItems": SCALARS,
            "pattern": st.sampled_from(["^a", "(", "^(a+)+$", r"^\p{L}+$"]),
            "format": st.sampled_from(["date", "uri", "password", "own"]) | JSON,
            "title": JSON,
            "description": JSON,
            "nullable": st.booleans() | SCALARS,
            "enumNames": JSON,
            "uniqueItems": st.booleans(),
        },
    )


SCHEMAS = st.recursive(JSON | st.booleans(), _schema, max_leaves=12)

CALM = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ENTRIES = st.one_of(
    st.text(max_size=4),
    st.booleans(),
    st.sampled_from(
        [{"clear": True}, {"empty": True}, {"null": True}, {"remove": True}, {"branch": 0}, {"branch": [1, 0]},
         {"choose_index": 1}, {"json": "[1, {}]"}, {"json": "{"}, {"choose": "a"}, {"choose": [1]}, {"odd": 1}],
    ),
)  # fmt: skip
POINTERS = st.lists(NAMES | st.sampled_from(["0", "1"]), max_size=3).map(
    lambda path: "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in path)
)


@CALM
@given(SCHEMAS)
def test_every_schema_gives_a_form(schema: Any) -> None:
    model = FormModel(schema)
    document = as_json(model)
    json.dumps(document)
    outcome = model.arguments()
    assert isinstance(outcome.arguments, dict)


@CALM
@given(SCHEMAS, st.dictionaries(POINTERS, ENTRIES, max_size=4))
def test_every_form_takes_whatever_is_entered(schema: Any, entries: dict[str, Any]) -> None:
    model = FormModel(schema)
    fill(model, entries)
    assert isinstance(model.arguments().arguments, dict)
    model.as_json()


@CALM
@given(SCHEMAS, st.dictionaries(NAMES, JSON, max_size=3))
def test_loaded_arguments_come_back_equal(schema: Any, arguments: dict[str, Any]) -> None:
    model = FormModel(schema)
    model.load(arguments)
    assert numbers.same(model.collect().arguments, arguments)


@CALM
@given(st.sampled_from([True, {}, {"title": "any"}]), JSON)
def test_a_value_is_entered_part_by_part_where_no_schema_names_the_parts(schema: Any, value: Any) -> None:
    model = FormModel({"properties": {"x": schema}})
    entries = leaves(value, "/x")
    assume(not any(token.isdigit() for at in entries for token in at.split("/")) or isinstance(value, list))
    assert fill(model, entries) == []
    assert numbers.same(model.collect().arguments, {"x": value})


@CALM
@given(SCHEMAS, st.dictionaries(NAMES, JSON, max_size=3))
def test_what_is_entered_part_by_part_is_sent_or_said_to_have_no_place(
    schema: Any, arguments: dict[str, Any]
) -> None:
    model = FormModel(schema)
    entries = leaves(arguments)
    told = {issue.path for issue in fill(model, entries)}
    outcome = model.collect()
    told |= {issue.path for issue in outcome.errors}
    lost = [at for at, entry in entries.items() if at not in told and not holds(outcome.arguments, at, entry)]
    assert not lost


@CALM
@given(SCHEMAS, JSON)
def test_results_are_checked_without_harm(schema: Any, value: Any) -> None:
    check_result(schema, value)


def doubling(levels: int) -> dict[str, Any]:
    definitions = {
        f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}, {"$ref": f"#/$defs/d{level + 1}"}]}
        for level in range(levels)
    }
    definitions[f"d{levels}"] = {"type": "integer"}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


def test_branches_that_double_are_not_checked_and_it_is_said() -> None:
    model = FormModel(doubling(40))
    as_json(model)
    fill(model, {"/x": {"json": '"no"'}})
    outcome = model.arguments()
    assert outcome.arguments == {"x": "no"}
    assert any("not checked" in issue.message for issue in outcome.warnings)


def test_a_value_that_multiplies_the_branches_is_not_checked() -> None:
    schema = {"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}, "type": "array"}
    value: Any = "wrong"
    for _ in range(60):
        value = [value]
    assert any("not checked" in issue.message for issue in check_result(schema, value))


def test_required_members_that_need_themselves_end() -> None:
    node = {"type": "object", "required": ["left", "right"],
            "properties": {"left": {"$ref": "#/$defs/n"}, "right": {"$ref": "#/$defs/n"}}}  # fmt: skip
    model = FormModel(
        {
            "type": "object",
            "required": ["n"],
            "properties": {"n": {"$ref": "#/$defs/n"}},
            "$defs": {"n": node},
        }
    )
    assert model.collect().errors


def test_a_wide_schema_that_fans_out_is_capped() -> None:
    definitions = {
        f"d{level}": {
            "type": "object",
            "properties": {f"p{n}": {"$ref": f"#/$defs/d{level + 1}"} for n in range(20)},
        }
        for level in range(12)
    }
    model = FormModel({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    assert len(json.dumps(as_json(model))) < 5_000_000


@pytest.mark.parametrize("depth", [150, 900])
def test_deep_schemas(depth: int) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    model = FormModel(schema)
    as_json(model)
    fill(model, {"/a" * 30: "x"})
    model.arguments()


def test_deep_values_in_a_schema() -> None:
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    schema = {
        "properties": {"a": {"enum": [deep, deep], "default": deep}, "b": {"const": deep}},
        "required": ["a", "b"],
    }
    model = FormModel(schema)
    as_json(model)
    model.arguments()
    model.as_json()


def test_a_huge_enum_costs_nothing() -> None:
    model = FormModel({"properties": {"a": {"enum": list(range(200_000))}}})
    assert model.fields[0].widget == "any"
    assert len(model.fields[0].choices) == 0
    assert "one of 200,000 values, such as 0, 1, 2" in model.fields[0].help
    assert ["200,000 values" in problem for problem in model.problems] == [True]
    fill(model, {"/a": "7"})
    assert model.arguments() == ({"a": 7}, [], [])
    fill(model, {"/a": "x"})
    assert [issue.path for issue in model.arguments().errors] == ["/a"]


def test_what_is_beyond_the_branches_on_show_is_filled_in_as_json() -> None:
    branch = [{"type": "object", "properties": {f"k{at}": True}, "required": [f"k{at}"]} for at in range(300)]
    model = FormModel(
        {"properties": {"a": {"anyOf": branch}, "b": {"oneOf": [{"const": at} for at in range(20_000)]}}}
    )
    assert [len(field.shape.branches) or len(field.choices) for field in model.fields] == [200, 10_000]
    told = ["the first 200 are shown, the others", "the first 10,000 are shown, any other value"]
    assert [told[at] in problem for at, problem in enumerate(model.problems)] == [True, True]
    assert fill(model, {"/a": {"json": '{"k250": 1.50}'}, "/b": {"json": "19999"}}) == []
    assert model.arguments() == ({"a": {"k250": 1.5}, "b": 19_999}, [], [])


def test_thousands_of_patterns_that_look_no_further_are_checked() -> None:
    patterns = {f"^k{at}_": {"type": "integer"} for at in range(10_000)}
    model = FormModel({"patternProperties": patterns})
    model.load({f"k{at}_a": at for at in range(300)} | {"k77_b": "x"})
    outcome = model.arguments()
    assert ([issue.path for issue in outcome.errors], outcome.warnings) == (["/k77_b"], [])


def test_one_schema_that_all_refer_to_is_read_once() -> None:
    members = [f"v{at}" for at in range(5_000)]
    fields = {f"p{at}": {"$ref": "#/$defs/e"} for at in range(9_000)}
    model = FormModel({"$defs": {"e": {"enum": members}}, "properties": fields})
    assert {id(field.choices) for field in model.fields} == {id(model.fields[0].choices)}
    assert (len(model.fields[0].choices), model.problems) == (5_000, [])


ITSELF: list[Any] = [
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "array", "items": {"anyOf": [{"$ref": "#"}]}},
    {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
    {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]},
    {"oneOf": [{"oneOf": [{"$ref": "#"}]}]},
    {"allOf": [{"$ref": "#"}, {"$ref": "#/allOf/0"}]},
    {"prefixItems": [{"$ref": "#"}], "minItems": 1},
    {"additionalProperties": {"$ref": "#"}, "minProperties": 1},
    {"properties": {"a": {"$ref": "#"}}, "required": ["a"], "default": {}},
    {
        "properties": {"a": {"$ref": "#"}},
        "required": ["a"],
        "anyOf": [{"$ref": "#"}, {"type": "object", "x": 1}],
    },
]


@pytest.mark.parametrize("itself", ITSELF)
@pytest.mark.parametrize("required", [True, False])
def test_schemas_that_contain_themselves(itself: dict[str, Any], required: bool) -> None:
    inside = json.loads(json.dumps(itself).replace("#", "#/$defs/x"))
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/x"}},
        "required": ["x"] if required else [],
        "$defs": {"x": inside},
    }
    for root in (schema, itself):
        model = FormModel(root)
        json.dumps(as_json(model))
        model.arguments()
        fill(model, {"/x/a/b/0/1": "t", "/x/0/0": {"json": "[[[]]]"}, "/x": {"branch": 1}, "/a/a/a": "t"})
        model.arguments()
        model.load({"x": {"a": {"a": [[[1]]]}}, "a": {}})
        assert model.collect().arguments == {"x": {"a": {"a": [[[1]]]}}, "a": {}}


def test_parts_that_double_are_merged_in_bounds() -> None:
    definitions: dict[str, Any] = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}, {"$ref": f"#/$defs/d{level + 1}"}]}
        for level in range(60)
    }
    definitions["d60"] = {"type": "integer"}
    model = FormModel({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    as_json(model)
    fill(model, {"/x": "5"})
    assert model.arguments().arguments == {"x": 5} or model.problems
