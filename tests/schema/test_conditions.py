"""What members mean for each other: conditions, dependencies, discriminators, said in words and filled in right."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from inspector.base import numbers
from inspector.schema.document import as_json
from inspector.schema.fill import fill
from inspector.schema.form import FormModel, Outcome

STRING = {"type": "string"}
INTEGER = {"type": "integer"}


def member(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return next(field for field in as_json(FormModel(schema))["fields"] if field["label"] == name)


def outcome(schema: Any, **entries: Any) -> Outcome:
    model = FormModel(schema)
    assert not fill(model, {f"/{name.replace('__', '/')}": entry for name, entry in entries.items()})
    return model.arguments()


ADDRESS = {
    "type": "object",
    "properties": {"country": {"enum": ["US", "NL"]}, "note": STRING},
    "if": {"properties": {"country": {"const": "US"}}, "required": ["country"]},
    "then": {
        "properties": {"zip": {"type": "string", "pattern": "^[0-9]{5}$"}, "note": False},
        "required": ["zip"],
    },
    "else": {"properties": {"postcode": STRING, "note": {"minLength": 3}}},
}


class TestConditions:
    def test_members_of_a_condition_have_fields_of_their_type(self) -> None:
        assert outcome(ADDRESS, country="US", zip="12345") == ({"country": "US", "zip": "12345"}, [], [])
        assert outcome(ADDRESS, country="NL", postcode="1234") == (
            {"country": "NL", "postcode": "1234"},
            [],
            [],
        )

    def test_what_a_condition_requires_is_named(self) -> None:
        assert [error.path for error in outcome(ADDRESS, country="US").errors] == ["/zip"]

    def test_the_effect_is_said_at_the_field_and_at_the_group(self) -> None:
        assert 'required if country is "US"' in member(ADDRESS, "zip")["help"]
        assert 'for the case: country is not "US"' in member(ADDRESS, "postcode")["help"]
        note = member(ADDRESS, "note")["help"]
        assert 'not allowed if country is "US"' in note
        assert 'if country is not "US": fits at least 3 characters' in note
        inner = member({"type": "object", "properties": {"a": ADDRESS}}, "a")["help"]
        assert (
            'if country is "US": zip is required; zip is a text (matches ^[0-9]{5}$); note is not allowed'
            in inner
        )

    def test_conditions_of_several_parts_stay_apart(self) -> None:
        parts = [
            {"if": {"properties": {"k": {"const": letter}}}, "then": {"required": [f"of_{letter}"]}}
            for letter in "abc"
        ]
        schema = {"type": "object", "properties": {"k": STRING}, "allOf": parts}
        assert [field["label"] for field in as_json(FormModel(schema))["fields"]] == [
            "k",
            "of_a",
            "of_b",
            "of_c",
        ]
        assert member(schema, "of_b")["help"] == 'required if k is "b"'
        assert [error.path for error in outcome(schema, k="c").errors] == ["/of_c"]

    def test_conditions_in_conditions(self) -> None:
        schema = {
            "properties": {"a": INTEGER},
            "if": {"properties": {"a": {"enum": [1, 2]}}},
            "then": {"required": ["b"]},
            "else": {"if": {"properties": {"a": {"minimum": 10}}}, "then": {"required": ["c"]}},
        }
        assert member(schema, "b")["help"] == "required if a is one of 1, 2"
        assert member(schema, "c")["help"] == "required if a is not one of 1, 2 and a fits \u2265 10"

    @pytest.mark.parametrize("keyword", ["dependentRequired", "dependencies"])
    def test_dependencies_of_names(self, keyword: str) -> None:
        schema = {
            "type": "object",
            "properties": {"card": STRING, "address": STRING},
            keyword: {"card": ["address"]},
        }
        assert member(schema, "address")["help"] == "required if card is given"
        assert [error.path for error in outcome(schema, card="1").errors] == ["/address"]

    @pytest.mark.parametrize("keyword", ["dependentSchemas", "dependencies"])
    def test_dependencies_of_schemas(self, keyword: str) -> None:
        then = {"properties": {"address": STRING}, "required": ["address"]}
        schema = {"type": "object", "properties": {"card": STRING}, keyword: {"card": then}}
        assert outcome(schema, card="1", address="5").arguments == {"card": "1", "address": "5"}
        assert member(schema, "address")["type"] == "string"

    def test_members_that_must_or_must_not_meet(self) -> None:
        schema = {
            "type": "object",
            "properties": {"a": STRING, "b": STRING, "c": STRING},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            "not": {"required": ["a", "c"]},
        }
        assert member(schema, "b")["help"] == "needs exactly one of: a, b"
        assert member(schema, "c")["help"] == "not together: a, c"

    def test_conditions_without_end_end(self) -> None:
        node: dict[str, Any] = {
            "if": {"$ref": "#/$defs/n"},
            "then": {"$ref": "#/$defs/n"},
            "else": {"$ref": "#/$defs/n"},
        }
        model = FormModel({"type": "object", "allOf": [{"$ref": "#/$defs/n"}], "$defs": {"n": node}})
        as_json(model)
        model.arguments()


SHAPES = {
    "type": "object",
    "properties": {
        "shape": {
            "discriminator": {
                "propertyName": "kind",
                "mapping": {"c": "#/$defs/Circle", "s": "#/$defs/Square"},
            },
            "oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}],
        }
    },
    "$defs": {
        "Circle": {
            "type": "object",
            "properties": {"kind": STRING, "r": {"type": "number"}},
            "required": ["kind", "r"],
        },
        "Square": {
            "type": "object",
            "properties": {"kind": STRING, "side": {"type": "number"}},
            "required": ["kind"],
        },
    },
}


class TestBranches:
    def test_a_discriminator_fills_and_switches(self) -> None:
        assert outcome(SHAPES, shape={"branch": 1}).arguments == {"shape": {"kind": "s"}}
        assert outcome(SHAPES, shape__kind="s", shape__side="2").arguments == {
            "shape": {"kind": "s", "side": 2}
        }
        branches = member(SHAPES, "shape")["branches"]
        assert [branch["title"] for branch in branches] == ["kind = c", "kind = s"]

    def test_all_entries_together_choose_the_branch(self) -> None:
        schema = {
            "type": "object",
            "properties": {"id": INTEGER},
            "oneOf": [
                {"properties": {"x": STRING}, "required": ["x"]},
                {"properties": {"y": {"type": "boolean"}}, "required": ["y"]},
            ],
        }
        assert outcome(schema, id="1", y=True).arguments == {"id": 1, "y": True}
        assert outcome(schema, id="1", x="a").arguments == {"id": 1, "x": "a"}

    def test_a_choice_that_only_one_branch_offers_chooses_it(self) -> None:
        schema = {
            "anyOf": [
                {"properties": {"v": STRING, "op": {"enum": ["eq"]}}},
                {"properties": {"v": INTEGER, "op": {"enum": ["gt", "lt"]}}},
            ]
        }
        assert outcome(schema, v="5", op="lt").arguments == {"v": 5, "op": "lt"}


MAP = {
    "type": "object",
    "patternProperties": {"^i_": INTEGER, "^s_": STRING, "(a+)+$": {"maxLength": 3}},
    "additionalProperties": {"type": "boolean"},
}


class TestMaps:
    def test_a_key_chooses_the_schema_that_its_pattern_has(self) -> None:
        found = outcome({"type": "object", "properties": {"m": MAP}}, m__i_1="1", m__s_1="1", m__b=True)
        assert found.arguments == {"m": {"i_1": 1, "s_1": "1", "b": True}}
        assert not found.errors

    def test_a_name_that_does_not_fit_is_named_itself(self) -> None:
        schema = {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": INTEGER}
        found = outcome(schema, A="1")
        assert [error.path for error in found.errors] == ["/A"] and "name" in found.errors[0].message
        document = as_json(FormModel({"properties": {"m": schema}}))["fields"][0]
        assert document["help"] == "names: matches ^[a-z]+$"

    def test_unevaluated_members_have_their_schema(self) -> None:
        schema = {"type": "object", "properties": {"a": STRING}, "unevaluatedProperties": STRING}
        assert outcome(schema, own="5").arguments == {"own": "5"}


def test_a_tuple_without_a_dialect_ends_where_it_says() -> None:
    schema = {"properties": {"t": {"type": "array", "items": [STRING, INTEGER], "additionalItems": False}}}
    assert outcome(schema, t__0="5", t__1="5").errors == []
    surplus = outcome(schema, t__0="5", t__1="5", t__2="x")
    assert surplus.arguments == {"t": ["5", 5, "x"]}
    assert [error.path for error in surplus.errors] == ["/t/2"]


def test_the_upper_part_of_a_bottomless_schema_is_checked() -> None:
    deep: Any = INTEGER
    for _ in range(3000):
        deep = {"properties": {"a": deep}}
    schema = {"properties": {"a": deep, "n": {"type": "integer", "minimum": 5}}}
    found = outcome(schema, n="1")
    assert [error.path for error in found.errors] == ["/n"]
    assert any("not checked" in warning.message for warning in found.warnings)


def test_nothing_is_left_of_what_was_made_on_a_way_that_leads_nowhere() -> None:
    array = {"type": "array", "items": STRING}
    properties = {"a": array, "u": {"anyOf": [STRING, array]}}
    model = FormModel({"type": "object", "properties": properties, "additionalProperties": STRING})
    problems = fill(model, {"/a/3/b": "x", "/own/b": "x", "/u/3/b": "x"})
    assert [problem.path for problem in problems] == ["/a/3/b", "/own/b", "/u/3/b"]
    assert model.arguments() == ({}, [], [])


def test_a_form_can_be_loaded_for_ever() -> None:
    model = FormModel({"type": "object", "properties": {f"p{n}": STRING for n in range(300)}})
    for _ in range(100):
        model.load({"p1": "x"})
    assert model.fields[5].widget == "text" and not model.problems


def test_what_a_schema_repeats_is_described_in_bounds() -> None:
    definition = {
        "enum": [f"value {n}" for n in range(5_000)],
        "description": "d" * 10_000,
        "default": ["x" * 10_000],
    }
    properties = {f"p{n}": {"$ref": "#/$defs/d"} for n in range(2_000)}
    document = as_json(FormModel({"type": "object", "properties": properties, "$defs": {"d": definition}}))
    assert len(document["fields"]) == 2_000 and len(document["fields"][0]["choices"]) == 5_000
    assert len(numbers.dumps(document)) < 20_000_000
    assert any("cut" in problem for problem in document["problems"])


class TestPositions:
    """Options and branches are counted as the schema lists them, null included."""

    @pytest.mark.parametrize(
        ("entry", "value"),
        [({"choose_index": 1}, None), ({"choose": "Nil"}, None), ({"branch": 1}, None), ({"branch": 2}, "b")],
    )
    def test_constants_as_branches(self, entry: Any, value: Any) -> None:
        several = [{"const": "a"}, {"const": None, "title": "Nil"}, {"const": "b"}]
        assert outcome({"properties": {"x": {"oneOf": several}}}, x=entry).arguments == {"x": value}

    @pytest.mark.parametrize(
        ("branch", "sent"),
        [(0, {}), (1, {"x": None}), ([0, 1], {"x": None}), ([1, 0], {}), ([1, 0, 1], {"x": None})],
    )
    @pytest.mark.parametrize("schema", [{"anyOf": [STRING, {"type": "null"}]}, {"type": ["string", "null"]}])
    def test_null_beside_one_branch(self, schema: Any, branch: Any, sent: Any) -> None:
        assert outcome({"properties": {"x": schema}}, x={"branch": branch}).arguments == sent

    def test_one_branch_alone(self) -> None:
        assert outcome({"properties": {"x": {"anyOf": [STRING]}}}, x={"branch": 0}).arguments == {}
        model = FormModel({"properties": {"x": {"anyOf": [STRING]}}})
        assert fill(model, {"/x": {"branch": 1}})[0].message.startswith("no branch 1")

    def test_several_of_a_list_by_position_and_by_row(self) -> None:
        schema = {"properties": {"x": {"type": "array", "items": {"enum": ["a", "b", 1]}}}}
        assert outcome(schema, x={"choose_index": [0, 2]}).arguments == {"x": ["a", 1]}
        assert outcome(schema, x__0="b", x__1={"choose": 1}).arguments == {"x": ["b", 1]}

    def test_unions_in_unions_are_chosen_by_all_entries(self) -> None:
        def objects(*names: str) -> list[dict[str, Any]]:
            return [{"type": "object", "properties": {name: STRING}, "required": [name]} for name in names]

        schema = {"allOf": [{"oneOf": objects("a", "b")}, {"oneOf": objects("c", "d")}]}
        assert outcome(schema, b="1", d="2") == ({"b": "1", "d": "2"}, [], [])


@pytest.mark.parametrize(
    "entry", [5, None, [1], {"clear": False}, {"json": 5}, {"choose_index": "0"}, {"odd": 1}]
)
def test_entries_that_mean_nothing_are_refused_at_their_field(entry: Any) -> None:
    model = FormModel({"properties": {"x": STRING}})
    assert [problem.path for problem in fill(model, {"/x": entry})] == ["/x"]


def test_explicit_empty_text_goes_to_the_branch_that_takes_text() -> None:
    schema = {"properties": {"x": {"anyOf": [{"type": "object"}, STRING]}}}
    assert outcome(schema, x={"empty": True}).arguments == {"x": ""}
    assert outcome(schema, x={"branch": 0}).arguments == {"x": {}}


@pytest.mark.parametrize(
    "odd",
    [{"$id": "#x"}, {"$id": "::"}, {"$anchor": "1 2"}, {"maximum": 10**5000}, {"const": numbers.spelled("1e999")},
     {"enum": ["\ud83d"]}, {"properties": {"\ud83d": {}}}, {"$ref": 5}, {"type": "String"}, {"pattern": "(?<!x"}],
)  # fmt: skip
def test_one_odd_keyword_costs_only_itself_when_arguments_are_checked(odd: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"n": INTEGER, "odd": odd}}
    assert [error.path for error in outcome(schema, n={"json": '"x"'}).errors] == ["/n"]


def test_a_surplus_item_of_an_old_tuple_is_named() -> None:
    rows = {"type": "array", "items": [STRING], "additionalItems": False}
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"t": rows}}
    assert [error.path for error in outcome(schema, t__0="a", t__1="b").errors] == ["/t/1"]


class TestErrorsInBranches:
    NUMBER: ClassVar[dict[str, Any]] = {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}
    TEXT: ClassVar[dict[str, Any]] = {
        "type": "object", "properties": {"y": {"type": "string", "minLength": 5}}, "required": ["y"]
    }  # fmt: skip

    @pytest.mark.parametrize(
        ("schema", "branch"),
        [
            ({"anyOf": [NUMBER, TEXT]}, 1),
            ({"anyOf": [{"type": "null"}, NUMBER, TEXT]}, 2),
            ({"anyOf": [{"anyOf": [NUMBER, TEXT]}, {"type": "null"}]}, 1),
            ({"oneOf": [{"oneOf": [NUMBER, TEXT]}, {"required": ["z"], "properties": {"z": STRING}}]}, 0),
        ],
    )
    def test_the_errors_are_those_of_the_branch_that_was_chosen(
        self, schema: dict[str, Any], branch: int
    ) -> None:
        for inner in (schema, {"type": "array", "items": schema}):
            at = "u__0" if "items" in inner else "u"
            found = outcome({"properties": {"u": inner}}, **{f"{at}__y": "abc"})
            assert [error.path for error in found.errors] == [f"/{at.replace('__', '/')}/y"]
        if "oneOf" not in schema:
            chosen = outcome({"properties": {"u": schema}}, u={"branch": branch}, u__y="abc")
            assert [error.path for error in chosen.errors] == ["/u/y"]

    def test_what_no_branch_takes_is_said_once(self) -> None:
        schema = {"anyOf": [{"anyOf": [self.NUMBER, self.TEXT]}, {"type": "null"}]}
        assert [error.path for error in outcome({"properties": {"u": schema}}, u__x="q").errors] == ["/u/x"]
        found = outcome({"properties": {"u": schema}}, u={"json": "[1]"})
        assert [(error.path, error.message) for error in found.errors] == [
            ("/u", "[1] fits none of the branches")
        ]


def test_a_pattern_that_takes_too_long_is_a_warning() -> None:
    slow = {"type": "string", "pattern": r"^(?:(a+)|b)+\1c$"}
    found = outcome({"properties": {"x": slow}}, x="a" * 60)
    assert found.errors == []
    assert [warning.path for warning in found.warnings] == ["/x"] and "too long" in found.warnings[0].message


def test_a_schema_that_takes_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.schema.builder.SECONDS", -1.0)
    model = FormModel({"type": "object", "properties": {"a": STRING}})
    assert as_json(model)["fields"][0]["widget"] == "json"
    assert "takes too long" in model.problems[0]
