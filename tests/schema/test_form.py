"""Fields, their states and what is sent: own schemas, one behaviour each."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.base import numbers
from inspector.schema.document import as_json
from inspector.schema.field import State
from inspector.schema.fill import fill
from inspector.schema.form import FormModel, Outcome
from inspector.schema.group import Group
from inspector.schema.rows import Rows
from inspector.schema.scalars import ChoiceField, MultiField
from inspector.schema.union import Union
from inspector.schema.validate import Checker, check_result, check_result_apart


def form(required: list[str] | None = None, **properties: Any) -> FormModel:
    return FormModel({"type": "object", "properties": properties, "required": required or []})


def filled(model: FormModel, **entries: Any) -> Outcome:
    problems = fill(model, {f"/{name.replace('__', '/')}": entry for name, entry in entries.items()})
    assert not problems
    return model.arguments()


def sent(model: FormModel, **entries: Any) -> dict[str, Any]:
    outcome = filled(model, **entries)
    assert not outcome.errors
    return outcome.arguments


def paths(outcome: Outcome) -> list[str]:
    return [issue.path for issue in outcome.errors]


STRING = {"type": "string"}
INTEGER = {"type": "integer"}


class TestStates:
    def test_optional_fields_reach_absent_null_empty_and_value(self) -> None:
        nullable = {"anyOf": [STRING, {"type": "null"}], "default": None}
        assert sent(form(a=nullable)) == {}
        assert sent(form(a=nullable), a={"null": True}) == {"a": None}
        assert sent(form(a=nullable), a={"empty": True}) == {"a": ""}
        assert sent(form(a=nullable), a="x") == {"a": "x"}
        assert sent(form(a=nullable), a={"clear": True}) == {}

    def test_deleting_typed_text_makes_an_optional_field_absent(self) -> None:
        model = form(a=STRING)
        model.fields[0].set_text("x")
        model.fields[0].set_text("")
        assert model.arguments().arguments == {}

    def test_required_text_is_sent_empty_and_a_required_number_is_asked_for(self) -> None:
        outcome = form(["a", "b"], a=STRING, b=INTEGER).arguments()
        assert outcome.arguments == {"a": ""}
        assert paths(outcome) == ["/b"]

    def test_required_lists_objects_and_branches_are_sent_as_they_stand(self) -> None:
        model = form(
            ["l", "o", "m", "u"],
            l={"type": "array"},
            o={"type": "object", "properties": {"s": STRING}, "required": ["s"]},
            m={"type": "array", "items": {"enum": ["a"]}},
            u={"anyOf": [{"type": "array"}, STRING]},
        )
        assert model.arguments() == ({"l": [], "o": {"s": ""}, "m": [], "u": []}, [], [])

    def test_required_defaults_and_constants_are_filled_in_and_optional_ones_are_not(self) -> None:
        model = form(
            ["a", "c"],
            a={**STRING, "default": "x"},
            b={**STRING, "default": "y"},
            c={"const": 1},
            d={"const": 2},
        )
        assert sent(model) == {"a": "x", "c": 1}

    def test_elicitation_sends_defaults(self) -> None:
        schema = {"type": "object", "properties": {"a": {**STRING, "default": "x"}, "b": STRING}}
        assert FormModel(schema, send_defaults=True).arguments().arguments == {"a": "x"}

    def test_a_required_default_that_was_cleared_stays_cleared(self) -> None:
        assert sent(form(["a"], a={**STRING, "default": "x"}), a={"clear": True}) == {"a": ""}

    def test_clearing_the_last_part_makes_the_optional_group_absent(self) -> None:
        model = form(o={"type": "object", "properties": {"p": STRING}, "required": ["p"]})
        assert sent(model, o__p="x") == {"o": {"p": "x"}}
        assert sent(model, o__p={"clear": True}) == {}
        assert filled(model, o={"empty": True}).arguments == {"o": {}}

    def test_typing_in_a_part_takes_back_the_null_of_the_whole(self) -> None:
        model = form(o={"type": ["object", "null"], "properties": {"p": STRING}})
        assert sent(model, o={"null": True}) == {"o": None}
        assert sent(model, o__p="x") == {"o": {"p": "x"}}

    def test_looking_at_the_parts_changes_nothing(self) -> None:
        model = form(o={"type": ["object", "null"], "required": ["p"], "properties": {"p": {"const": 1}}})
        fill(model, {"/o": {"null": True}})
        as_json(model)
        assert model.arguments().arguments == {"o": None}


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "value"),
        [("1234567890123456789", 1234567890123456789), ("-0", 0), ("1e3", 1000), ("5.0", 5), ("1E2", 100), (" 7 ", 7),
         ("1.50e1", 15), ("0e999999999", 0), ("9" * 400, int("9" * 400))],
    )  # fmt: skip
    def test_integers_are_read_exactly(self, text: str, value: int) -> None:
        assert numbers.same(sent(form(a=INTEGER), a=text), {"a": value})

    @pytest.mark.parametrize(
        "text",
        [
            "1.5",
            "1_000",
            "９",
            "nan",
            "Infinity",
            "1e999999999",
            "0x10",
            "+1",
            "01",
            "1.",
            ".5",
            "true",
            "9" * 50_001,
        ],
    )
    def test_what_is_no_integer_is_refused(self, text: str) -> None:
        assert paths(filled(form(a=INTEGER), a=text)) == ["/a"]

    @pytest.mark.parametrize(("text", "digits"), [("9" * 5000, "9" * 5000), ("-12e5000", "-12" + "0" * 5000)])
    def test_an_integer_has_any_size(self, text: str, digits: str) -> None:
        outcome = filled(form(a=INTEGER), a=text)
        assert not outcome.errors and not outcome.warnings
        assert numbers.dumps(outcome.arguments) == f'{{"a": {digits}}}'
        assert numbers.verbatim(outcome.arguments) == f'{{"a": {digits}}}'

    @pytest.mark.parametrize(
        "text", ["1.50", "1e3", "0.1000000000000000055", "100.0", "-0", "12345678901234567890"]
    )
    def test_numbers_keep_their_spelling(self, text: str) -> None:
        assert numbers.dumps(sent(form(a={"type": "number"}), a=text)) == f'{{"a": {text}}}'

    @pytest.mark.parametrize("text", ["1e999", "-1e999", "1" * 400, "nan", "1_0"])
    def test_what_a_double_cannot_hold_is_no_number(self, text: str) -> None:
        assert paths(filled(form(a={"type": "number"}), a=text)) == ["/a"]

    def test_a_loaded_number_is_sent_as_it_was(self) -> None:
        model = form(a=INTEGER)
        model.set_json('{"a": 1.0}')
        assert numbers.dumps(model.arguments().arguments) == '{"a": 1.0}'


class TestChoices:
    MIXED = (1, "1", True, None, 0, False, {"a": 1}, 1.0)

    @pytest.mark.parametrize("index", range(8))
    def test_the_exact_value_is_sent_by_position(self, index: int) -> None:
        model = form(a={"enum": list(self.MIXED)})
        assert numbers.same(sent(model, a={"choose_index": index}), {"a": self.MIXED[index]})

    @pytest.mark.parametrize(
        "schema",
        [
            {"oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
            {"type": "string", "enum": ["#f00", "#0f0"], "enumNames": ["Red", "Green"]},
            {
                "anyOf": [
                    {"const": "#f00", "title": "Red"},
                    {"const": "#0f0", "title": "Green"},
                    {"type": "null"},
                ]
            },
        ],
    )
    def test_titles_are_shown_and_values_sent(self, schema: dict[str, Any]) -> None:
        model = form(a=schema)
        assert [choice.title for choice in model.fields[0].choices][:2] == ["Red", "Green"]
        assert sent(model, a={"choose": "Green"}) == {"a": "#0f0"}
        assert sent(model, a={"choose": "#f00"}) == {"a": "#f00"}

    def test_lists_of_enums_are_picked_in_order(self) -> None:
        model = form(a={"type": "array", "items": {"anyOf": [{"const": 1, "title": "one"}, {"const": 2}]}})
        field = model.fields[0]
        assert isinstance(field, MultiField)
        assert sent(model, a={"choose": [2, "one"]}) == {"a": [2, 1]}
        field.toggle(1)
        field.toggle(0)
        assert sent(model) == {}
        assert sent(model, a={"empty": True}) == {"a": []}

    def test_a_value_beside_the_enum_can_be_sent_and_is_an_error(self) -> None:
        model = form(a={"enum": ["x"]})
        fill(model, {"/a": {"json": '"y"'}})
        outcome = model.arguments()
        assert outcome.arguments == {"a": "y"}
        assert paths(outcome) == ["/a"]


class TestLists:
    def test_rows_are_added_moved_and_removed(self) -> None:
        model = form(a={"type": "array", "items": STRING})
        rows = model.fields[0]
        assert isinstance(rows, Rows)
        for text in ("x", "y", "z"):
            rows.add().set_text(text)
        rows.move(2, 0)
        rows.remove(1)
        assert sent(model) == {"a": ["z", "y"]}
        assert rows.rows[1].pointer == "/a/1"
        rows.remove(0)
        rows.remove(0)
        assert sent(model) == {}

    def test_rows_removed_by_the_fill_language_are_removed_last(self) -> None:
        model = form(a={"type": "array", "items": {"type": "object", "properties": {"n": STRING}}})
        fill(
            model,
            {"/a/0": {"remove": True}, "/a/0/n": "x", "/a/1/n": "y", "/a/2/n": "z", "/a/2": {"remove": True}},
        )
        assert model.arguments().arguments == {"a": [{"n": "y"}]}

    @pytest.mark.parametrize(
        "schema",
        [
            {"type": "array", "prefixItems": [STRING, INTEGER], "items": False},
            {"type": "array", "items": [STRING, INTEGER], "additionalItems": False},
        ],
    )
    def test_tuples_of_both_dialects(self, schema: dict[str, Any]) -> None:
        model = form(a=schema)
        assert sent(model, a__0="5", a__1="5") == {"a": ["5", 5]}
        rows = model.fields[0]
        assert isinstance(rows, Rows)
        assert not rows.can_add

    def test_a_bad_item_is_named(self) -> None:
        model = form(a={"type": "array", "items": {"type": "array", "items": {"type": "number"}}})
        assert paths(filled(model, a__0__1="x", a__0__0="1")) == ["/a/0/1"]


class TestGroups:
    def test_a_required_member_that_is_missing_is_named_itself(self) -> None:
        people = {
            "type": "array",
            "items": {"type": "object", "properties": {"name": INTEGER, "x": STRING}, "required": ["name"]},
        }
        assert paths(filled(form(people=people), people__0__x="1")) == ["/people/0/name"]

    def test_maps_take_keys_of_ones_own(self) -> None:
        model = form(a={"type": "object", "additionalProperties": INTEGER})
        assert sent(model, a__k="1") == {"a": {"k": 1}}
        group = model.fields[0]
        assert isinstance(group, Group)
        group.add_entry("k").set_text("2")
        assert paths(model.arguments()) == ["/a/k"]
        group.rename_entry(1, "l")
        assert sent(model) == {"a": {"k": 1, "l": 2}}
        group.remove(0)
        assert sent(model) == {"a": {"l": 2}}

    def test_surplus_members_are_kept_and_named(self) -> None:
        model = FormModel({"type": "object", "properties": {"a": STRING}, "additionalProperties": False})
        model.load({"a": "x", "b": 1})
        outcome = model.arguments()
        assert outcome.arguments == {"a": "x", "b": 1}
        assert paths(outcome) == ["/b"]

    def test_names_may_be_anything(self) -> None:
        names = ["", "a/b", "~", "\u00e9", "e\u0301", "[/bold]", "properties", "$ref", " "]
        model = form(**dict.fromkeys(names, STRING))
        for field in model.fields:
            field.set_text(f"<{field.name}>")
        assert model.arguments().arguments == {name: f"<{name}>" for name in names}
        assert model.fields[1].pointer == "/a~1b"
        assert model.at("/a~1b") is model.fields[1]

    def test_broken_json_is_kept_and_not_sent(self) -> None:
        model = form(o={"type": "object"})
        field = model.fields[0]
        assert "line 2, column 6" in (field.set_json('{\n "a":') or "")
        assert field.text == '{\n "a":'
        outcome = model.arguments()
        assert outcome.arguments == {}
        assert paths(outcome) == ["/o"]

    @pytest.mark.parametrize(
        "text", ['{"a": NaN}', '{"a": 1, "a": 2}', "[" * 300 + "]" * 300, '{"a": 1e999}']
    )
    def test_json_that_would_change_on_the_way_is_refused(self, text: str) -> None:
        model = form()
        assert model.set_json(text) is not None
        assert model.as_json() == text


CAT = {"kind": {"const": "cat"}, "name": STRING, "lives": INTEGER}
DOG = {"kind": {"const": "dog"}, "name": STRING}
PET = {
    "oneOf": [
        {"type": "object", "properties": CAT, "required": ["kind"]},
        {"type": "object", "properties": DOG, "required": ["kind", "name"]},
    ]
}


class TestUnions:
    def test_a_branch_is_chosen_by_position_and_its_constants_filled(self) -> None:
        assert sent(form(pet=PET)) == {}
        assert sent(form(pet=PET), pet={"branch": 0}) == {"pet": {"kind": "cat"}}

    def test_what_the_branches_share_is_carried_over_and_the_rest_kept(self) -> None:
        model = form(pet=PET)
        fill(model, {"/pet/name": "Tom", "/pet/lives": "9"})
        pet = model.fields[0]
        assert isinstance(pet, Union)
        pet.choose(1)
        assert sent(model) == {"pet": {"kind": "dog", "name": "Tom"}}
        pet.choose(0)
        assert sent(model) == {"pet": {"kind": "cat", "name": "Tom", "lives": 9}}

    def test_branches_are_counted_as_written(self) -> None:
        either = {"anyOf": [{"type": "null"}, *PET["oneOf"]]}
        assert sent(form(pet=either), pet={"branch": 1}) == {"pet": {"kind": "cat"}}
        assert sent(form(pet=either), pet={"branch": [1, 0]}) == {"pet": None}

    def test_a_constant_of_another_branch_chooses_it(self) -> None:
        assert sent(form(pet=PET), pet__kind={"choose": "dog"}, pet__name="Rex") == {
            "pet": {"kind": "dog", "name": "Rex"}
        }
        assert sent(form(["pet"], pet=PET), pet__kind="dog", pet__name="Rex") == {
            "pet": {"kind": "dog", "name": "Rex"}
        }

    def test_typed_text_goes_to_the_branch_that_reads_it(self) -> None:
        either = {"type": ["string", "integer", "boolean"]}
        assert sent(form(a=either), a="12") == {"a": 12}
        assert sent(form(a=either), a="true") == {"a": True}
        assert sent(form(a=either), a="twelve") == {"a": "twelve"}
        assert sent(form(a=either), a={"clear": True}) == {}

    def test_loading_finds_the_branch(self) -> None:
        model = form(pet=PET)
        model.load({"pet": {"kind": "dog", "name": "Rex"}})
        pet = model.fields[0]
        assert isinstance(pet, Union)
        assert pet.chosen == 1

    def test_branches_that_only_require_leave_the_form_alone(self) -> None:
        model = FormModel(
            {
                "type": "object",
                "properties": {"a": STRING, "b": STRING},
                "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            }
        )
        assert [field.name for field in model.fields] == ["a", "b"]
        assert model.arguments().errors

    def test_an_error_inside_of_a_branch_is_named_where_it_is(self) -> None:
        one = {"kind": {"const": "a"}, "x": {"type": "string", "pattern": "^a"}}
        other = {"kind": {"const": "b"}}
        branches = [{"type": "object", "properties": part, "required": ["kind"]} for part in (one, other)]
        schema = {"oneOf": branches}
        assert paths(filled(form(u=schema), u={"branch": 0}, u__x="b")) == ["/u/x"]


class TestReferences:
    def test_anchors_ids_roots_and_merged_parts(self) -> None:
        model = FormModel({
            "$id": "http://example.com/root",
            "type": "object",
            "properties": {
                "anchor": {"$ref": "#here"},
                "by_id": {"$ref": "http://example.com/root#/$defs/n"},
                "self": {"$ref": "#"},
                "merged": {"allOf": [{"$ref": "#/$defs/n"}, {"minimum": 3}], "description": "both"},
            },
            "$defs": {"n": {"$anchor": "here", "type": "integer", "minimum": 1}},
        })  # fmt: skip
        assert [field.widget for field in model.fields] == ["number", "number", "group", "number"]
        assert "≥ 3" in model.fields[3].help
        assert sent(model, self__self__anchor="2") == {"self": {"self": {"anchor": 2}}}
        assert paths(filled(model, merged="2")) == ["/merged"]

    @pytest.mark.parametrize(
        "reference", ["#/$defs/nowhere", "http://127.0.0.1:9/x", "file:///etc/passwd", "#/properties/x"]
    )
    def test_what_cannot_be_followed_costs_only_itself(self, reference: str) -> None:
        model = form(x={"$ref": reference}, y=INTEGER)
        as_json(model)
        assert model.fields[0].widget == "any"
        assert model.problems
        assert paths(filled(model, x="free", y="no")) == ["/y"]

    def test_recursion_is_described_once(self) -> None:
        node = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}
        document = as_json(
            FormModel({"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}})
        )
        kids = document["fields"][0]["fields"][0]
        assert kids["items"]["more"] is True
        assert not kids["raw"]


class TestOddSchemas:
    @pytest.mark.parametrize(
        "schema",
        [None, True, False, "x", 5, [], {}, {"type": "object", "properties": None}, {"type": "string"}],
    )
    def test_arguments_are_free(self, schema: Any) -> None:
        model = FormModel(schema)
        as_json(model)
        assert model.arguments().arguments == {}
        model.set_json('{"x": 1}')
        assert model.arguments().arguments == {"x": 1}

    def test_boolean_schemas(self) -> None:
        model = form(any=True, never=False)
        assert [field.widget for field in model.fields] == ["any", "none"]
        assert sent(model, any="words") == {"any": "words"}
        assert paths(filled(model, never={"json": "1"})) == ["/never"]

    def test_text_that_is_json_is_json_in_an_untyped_field(self) -> None:
        assert sent(form(a={}), a="5") == {"a": 5}
        assert sent(form(a={}), a='"5"') == {"a": "5"}
        outcome = filled(form(a={}), a='{"b": ')
        assert outcome.arguments == {"a": '{"b": '}
        assert outcome.warnings

    def test_arguments_that_are_no_object_are_refused(self) -> None:
        model = form(a=STRING)
        model.set_json("[1]")
        assert paths(model.arguments()) == [""]


class TestChecks:
    def test_formats_are_advice(self) -> None:
        outcome = filled(form(day={"type": "string", "format": "date"}), day="soon")
        assert not outcome.errors
        assert [issue.path for issue in outcome.warnings] == ["/day"]

    def test_unknown_dialects_types_and_patterns_are_said_and_the_rest_is_checked(self) -> None:
        schema = {
            "$schema": "http://example.com/own",
            "properties": {
                "a": {"type": "strng"},
                "b": {"pattern": "("},
                "c": {"type": "integer"},
                "d": None,
            },
            "required": "no",
        }
        checker = Checker(schema)
        found = checker.check({"a": 1, "b": "x", "c": "no"})
        assert [issue.path for issue in found.errors] == ["/c"]
        assert len(checker.notes) >= 3

    def test_draft_4_bounds(self) -> None:
        schema = {"properties": {"a": {"minimum": 1, "exclusiveMinimum": True}}}
        assert [issue.path for issue in Checker(schema).check({"a": 1}).errors] == ["/a"]

    def test_nullable_counts(self) -> None:
        assert sent(form(a={"type": "string", "nullable": True}), a={"null": True}) == {"a": None}

    def test_a_pattern_that_backtracks_ends(self) -> None:
        filled(form(a={"type": "string", "pattern": r"^(a+)+(?=b)\1$"}), a="a" * 40 + "!")

    def test_results_are_compared_with_their_schema(self) -> None:
        assert check_result({"properties": {"a": INTEGER}, "required": ["a"]}, {"a": "x"})[0].path == "/a"
        assert check_result({"properties": {"a": INTEGER}}, {"a": 1}) == []


async def test_results_are_compared_apart_from_the_loop() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    assert await check_result_apart(schema, {"n": 1}) == []
    assert [issue.path for issue in await check_result_apart(schema, {"n": numbers.loads("1.50")})] == ["/n"]


def test_the_json_of_a_form_is_what_is_sent() -> None:
    model = form(["a"], a=STRING, b={"type": "number"})
    fill(model, {"/b": "1.50"})
    assert model.as_json() == '{\n  "a": "",\n  "b": 1.50\n}'


def test_states_are_told() -> None:
    model = form(a=STRING, b={"enum": ["x"]})
    a, b = model.fields
    assert a.state is State.ABSENT
    a.set_empty()
    assert a.state is State.EMPTY
    assert isinstance(b, ChoiceField)
    assert b.index is None
    b.set_choice(0)
    assert b.index == 0


@pytest.mark.parametrize(
    "pointer, entry, said",
    [
        ("/a", {}, "takes one action, not none"),
        ("/a", {"null": True, "clear": True}, "takes one action, not null and clear"),
        ("/a", {"remove": False}, "remove takes true"),
        ("/a", {"typo": 1}, "unknown action typo; there are choose"),
        ("/e", {"choose": "z"}, "no choice z, there are x, 1"),
        ("/m", {"choose": ["x", "z"]}, 'no choice ["x", "z"], there are x, y'),
        ("/u", {"branch": 2}, "no branch 2, the last one is 1, counted from 0"),
        ("/u", {"branch": []}, "branch takes a position"),
        ("/l/01", "text", "the form has no such field"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused_and_enters_nothing(
    pointer: str, entry: Any, said: str
) -> None:
    model = FormModel(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "e": {"enum": ["x", 1]},
                "m": {"type": "array", "items": {"enum": ["x", "y"]}},
                "u": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "l": {"type": "array", "items": {"type": "string"}},
            },
        }
    )
    problems = fill(model, {pointer: entry})
    assert [issue.path for issue in problems] == [pointer] and said in problems[0].message
    assert model.arguments().arguments == {}
