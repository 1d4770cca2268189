"""What references name, and what several schemas come to as one."""

from __future__ import annotations

import time
from typing import Any

import pytest

from inspector.base.numbers import same
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel
from inspector.schema.resolve import Resolver

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def kinds(schema: dict[str, Any]) -> dict[str, str]:
    return {field["label"]: field["type"] for field in as_json(FormModel(schema))["fields"]}


def test_references_start_at_the_resource_that_they_stand_in() -> None:
    leaf = {"$id": "leaf.json", "$defs": {"v": WHOLE}, "properties": {"n": {"$ref": "#/$defs/v"}}}
    schema = {
        "$id": "https://forms.test/tree.json",
        "properties": {"leaf": {"$ref": "leaf.json"}, "n": {"$ref": "leaf.json#/$defs/v"}, "t": {"$ref": "#/$defs/v"}},
        "$defs": {"v": TEXT, "leaf": leaf},
    }  # fmt: skip
    assert kinds(schema) == {"leaf": "object", "n": "integer", "t": "string"}
    model = FormModel(schema)
    assert fill(model, {"/leaf/n": "7", "/t": "7"}) == []
    assert model.arguments() == ({"leaf": {"n": 7}, "t": "7"}, [], [])


def test_an_identifier_that_only_names_leaves_pointers_to_the_root() -> None:
    user = {
        "$id": "User",
        "type": "object",
        "properties": {"boss": {"$ref": "User"}, "age": {"$ref": "#/$defs/Age"}},
    }
    schema = {"properties": {"u": {"$ref": "User"}}, "$defs": {"User": user, "Age": WHOLE}}
    model = FormModel(schema)
    assert fill(model, {"/u/boss/boss/age": "3"}) == []
    assert model.collect().arguments == {"u": {"boss": {"boss": {"age": 3}}}}


def test_a_property_called_id_is_no_identifier() -> None:
    inner = {"type": "object", "properties": {"id": TEXT, "$id": TEXT, "at": {"$ref": "#/$defs/n"}}}
    assert as_json(FormModel({"properties": {"x": inner}, "$defs": {"n": WHOLE}}))["problems"] == []


def test_anchors_belong_to_their_resource_and_dynamic_ones_to_the_outermost() -> None:
    inner = {"$id": "in", "$defs": {"a": {"$anchor": "it", **WHOLE}}, "properties": {"n": {"$ref": "#it"}}}
    schema = {"$defs": {"a": {"$anchor": "it", **TEXT}}, "properties": {"in": inner, "s": {"$ref": "#it"}}}
    resolver = Resolver(schema)
    assert resolver.resolve(schema["properties"]["s"])["type"] == "string"  # type: ignore[index]
    assert resolver.resolve(inner["properties"]["n"])["type"] == "integer"  # type: ignore[index]
    tree = {"$id": "tree", "$dynamicAnchor": "node", "properties": {"kid": {"$dynamicRef": "#node"}}}
    strict = {
        "$id": "strict",
        "$dynamicAnchor": "node",
        "title": "strict",
        "$defs": {"tree": tree},
        "$ref": "tree",
    }
    found = Resolver(strict).resolve(tree["properties"]["kid"])  # type: ignore[index]
    assert isinstance(found, dict)
    assert found["title"] == "strict"


def test_what_stands_beside_a_reference_holds_on_every_link() -> None:
    defs = {"a": {"$ref": "#/$defs/b", "minimum": 3}, "b": {"$ref": "#/$defs/c", "title": "b"}, "c": WHOLE}
    assert Resolver({"$defs": defs}).resolve({"$ref": "#/$defs/a"}) == {"minimum": 3, "title": "b", **WHOLE}


@pytest.mark.parametrize("link", [{}, {"title": "on the way"}])
def test_a_chain_of_references_has_no_longest(link: dict[str, Any]) -> None:
    chain = {f"r{at}": {**link, "$ref": f"#/$defs/r{at + 1}"} for at in range(9_000)} | {"r9000": WHOLE}
    schema = {"properties": {"x": {"$ref": "#/$defs/r0"}}, "$defs": chain}
    assert list(kinds(schema).items()) == [(link.get("title", "x"), "integer")]
    assert as_json(FormModel(schema))["problems"] == []


def test_any_number_of_parts_is_merged() -> None:
    parts = [{"properties": {f"p{at}": WHOLE}, "required": [f"p{at}"]} for at in range(2_000)]
    model = FormModel({"allOf": parts})
    assert fill(model, {f"/p{at}": str(at) for at in range(2_000)}) == []
    assert model.arguments() == ({f"p{at}": at for at in range(2_000)}, [], [])


def test_parts_that_are_the_same_thing_cost_nothing() -> None:
    defs: dict[str, Any] = {f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(80)}
    schema = {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d80": WHOLE}}
    assert kinds(schema) == {"x": "integer"}


def test_what_all_parts_say_holds() -> None:
    members = [{"k": at, "list": [at]} for at in range(3_000)]
    whole = Resolver({}).resolve(
        {"allOf": [{"enum": members}, {"enum": members[5:7]}, {"minimum": 1}, {"minimum": 4}, {"title": "first"},
                   {"title": "second"}, {"type": ["number", "string"]}, {"type": "integer"}, {"pattern": "a"},
                   {"pattern": "b"}, {"items": True}, {"items": TEXT}]}
    )  # fmt: skip
    assert isinstance(whole, dict)
    assert same(whole.pop("enum"), members[5:7])
    assert whole == {
        "minimum": 4, "title": "first", "type": "integer", "pattern": "a", "items": TEXT, "allOf": [{"pattern": "b"}]
    }  # fmt: skip


def test_conditions_of_several_parts_stay_apart() -> None:
    one, two = ({"if": {"required": [name]}, "then": {"required": [name * 2]}} for name in "ab")
    whole = Resolver({}).resolve({"allOf": [one, {"then": {"required": ["lost"]}}, two]})
    assert whole == {**one, "allOf": [two]}


def test_very_many_required_members_are_checked_in_bounds() -> None:
    names = [f"n{at}" for at in range(30_000)]
    model = FormModel({"properties": dict.fromkeys(names, WHOLE), "required": names})
    began = time.process_time()
    outcome = model.arguments()
    assert outcome.errors
    assert any("required members" in warning.message for warning in outcome.warnings)
    assert time.process_time() - began < 20
