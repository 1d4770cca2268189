"""What was entered in a form, entered in that of another schema."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.base.numbers import dumps
from inspector.schema.fill import fill
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.rows import Rows
from inspector.schema.takeover import take_over

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def taken(old: dict[str, Any], new: dict[str, Any], *fills: tuple[str, str, Any]) -> FormModel:
    """The new form after what `fills` did to the old one: pointer, method, argument."""
    before, after = FormModel(old), FormModel(new)
    for at, how, what in fills:
        field = before.at(at)
        assert field is not None
        getattr(field, how)(*(() if what is None else (what,)))
    take_over(before.root, after.root)
    return after


@pytest.mark.parametrize(
    ("how", "what", "kept"),
    [("set_text", "12", 12), ("set_text", "x", "x"), ("set_null", None, None), ("set_empty", None, "")],
)
def test_text_is_read_anew_and_states_stay(how: str, what: str | None, kept: Any) -> None:
    assert taken(of(a=TEXT), of(a=WHOLE), ("/a", how, what)).collect().arguments == {"a": kept}


def test_what_nobody_touched_is_as_the_new_schema_has_it() -> None:
    old = {**of(a={**TEXT, "default": "old"}, b=TEXT), "required": ["a"]}
    new = {**of(a={**TEXT, "default": "new"}, b=TEXT), "required": ["a"]}
    assert taken(old, new, ("/b", "set_text", "b")).collect().arguments == {"a": "new", "b": "b"}


def test_broken_json_and_members_of_no_name_are_kept() -> None:
    after = taken(of(a=TEXT, b=TEXT), of(a=TEXT), ("/a", "set_json", "{half"), ("/b", "set_text", "b"))
    assert after.at("/a").text == "{half" and after.collect().arguments == {"b": "b"}  # type: ignore[union-attr]


def test_lists_maps_and_nested_objects_come_over_part_by_part() -> None:
    inner = of(tags={"type": "array", "items": TEXT}, map={"type": "object", "additionalProperties": TEXT})
    before, after = FormModel(of(in_=inner)), FormModel(of(in_=inner, more=TEXT))
    before.load({"in_": {"tags": ["a", "b"], "map": {"k": "v"}, "other": 1}})
    take_over(before.root, after.root)
    assert after.collect().arguments == {"in_": {"tags": ["a", "b"], "map": {"k": "v"}, "other": 1}}


def test_a_branch_is_found_again_by_its_title() -> None:
    one = {"title": "one", **of(kind={"const": "one"}, a=TEXT), "required": ["kind"]}
    two = {"title": "two", **of(kind={"const": "two"}, b=TEXT), "required": ["kind"]}
    before, after = FormModel({"oneOf": [one, two]}), FormModel({"oneOf": [two, one]})
    before.root.set_choice(1)
    before.at("/b").set_text("b")  # type: ignore[union-attr]
    take_over(before.root, after.root)
    assert after.collect().arguments == {"kind": "two", "b": "b"}


def test_rows_on_other_pages_are_taken_over_too() -> None:
    several = {
        "x": {"type": "array", "items": {"type": "integer"}},
        "m": {"additionalProperties": {"type": "integer"}},
    }
    old, new = FormModel({"properties": several}), FormModel({"properties": several})
    old.load({"x": list(range(3_000)), "m": {f"k{at}": at for at in range(3_000)}})
    fill(old, {"/x/2900": "bad", "/x/2901": "1e3"})
    take_over(old.root, new.root)
    assert new.arguments() == old.arguments()
    assert [issue.path for issue in new.arguments().errors] == ["/x/2900"]


class TestTuples:
    """Rows of a tuple are of the kind of their place, also when they come to another one."""

    TUPLE = of(t={"type": "array", "prefixItems": [{"type": "number"}, TEXT], "items": {"type": "boolean"}})

    def rows(self, *values: Any) -> tuple[FormModel, Rows]:
        model = FormModel(self.TUPLE)
        model.load({"t": list(values)})
        rows = model.at("/t")
        assert isinstance(rows, Rows)
        return model, rows

    def kinds(self, rows: Rows) -> list[str]:
        return [row.type for row in rows.rows.every()]

    def test_what_follows_a_row_that_is_taken_away_or_brought_back(self) -> None:
        model, rows = self.rows(1, "2", True, False)
        gone = rows.rows[0]
        rows.remove(0)
        assert self.kinds(rows) == ["number", "string", "boolean"]
        assert model.collect().arguments == {"t": [2, True, False]}
        rows.put_back(0, gone)
        assert self.kinds(rows) == ["number", "string", "boolean", "boolean"]
        assert model.collect().arguments == {"t": [1, "2", True, False]}

    @pytest.mark.parametrize(
        ("index", "to", "values"),
        [(0, 1, ["b", 1, True]), (1, 0, ["b", 1, True]), (0, 2, ["b", True, 1]), (2, 0, [True, 1, "b"])],
    )
    def test_rows_that_change_places(self, index: int, to: int, values: list[Any]) -> None:
        model, rows = self.rows(1, "b", True)
        rows.move(index, to)
        assert self.kinds(rows) == ["number", "string", "boolean"]
        assert model.collect().arguments == {"t": values}

    def test_a_row_put_in_between(self) -> None:
        model, rows = self.rows(1, "b", True)
        rows.add(1).set_text("new")
        assert self.kinds(rows) == ["number", "string", "boolean", "boolean"]
        assert model.collect().arguments == {"t": [1, "new", "b", True]}

    def test_text_is_read_as_its_new_place_reads_it(self) -> None:
        model, rows = self.rows()
        rows.add().set_text("x")
        rows.add().set_text("1.50")
        assert [issue.path for issue in model.collect().errors] == ["/t/0"]
        rows.move(1, 0)
        outcome = model.collect()
        assert not outcome.errors and dumps(outcome.arguments) == '{"t": [1.50, "x"]}'


class TestEntries:
    """The kind of an entry follows its key."""

    MAP = of(
        m={
            "type": "object",
            "patternProperties": {"^x-": TEXT, "^n-": {"type": "number"}, "^o-": {"type": "object"}},
            "additionalProperties": False,
        }
    )

    def test_typed_before_and_behind_the_key(self) -> None:
        model = FormModel(self.MAP)
        group = model.at("/m")
        assert isinstance(group, Group)
        group.add_entry("").set_text("5")
        assert group.rename_entry(0, "x-1").type == "string"
        assert model.arguments() == ({"m": {"x-1": "5"}}, [], [])
        assert group.rename_entry(0, "n-1").type == "number"
        assert model.arguments() == ({"m": {"n-1": 5}}, [], [])
        assert group.rename_entry(0, "o-1").type == "object"
        assert [issue.path for issue in model.arguments().errors] == ["/m/o-1"]
