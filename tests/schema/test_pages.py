"""Lists and maps with more rows than are on show at a time."""

from __future__ import annotations

import random
from typing import Any

import pytest

from inspector.base import numbers
from inspector.schema.fill import fill
from inspector.schema.finding import is_shown, show
from inspector.schema.form import FormModel
from inspector.schema.group import Group
from inspector.schema.rows import Rows

ROW = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "price": {"type": "number"},
        "key": {"type": "string", "format": "password"},
    },
    "required": ["id"],
}
COUNT = 5_000


def a_list(items: Any = ROW, count: int = COUNT) -> tuple[FormModel, Rows, str]:
    model = FormModel({"type": "object", "properties": {"x": {"type": "array", "items": items}}})
    text = numbers.dumps([{"id": at} for at in range(count)]).replace("}", ',"price":1.50}')
    model.set_json(f'{{"x":{text}}}')
    return model, rows_of(model), text


def rows_of(model: FormModel) -> Rows:
    rows = model.fields[0]
    assert isinstance(rows, Rows)
    return rows


def a_map(count: int = COUNT) -> tuple[FormModel, Group]:
    model = FormModel({"properties": {"x": {"type": "object", "additionalProperties": {"type": "integer"}}}})
    model.load({"x": {f"k{at}": at for at in range(count)}})
    group = model.fields[0]
    assert isinstance(group, Group)
    return model, group


def test_a_page_is_fields_and_all_rows_are_sent_as_they_came() -> None:
    model, rows, text = a_list()
    page = rows.rows
    assert (page.first, len(page)) == (0, COUNT) and 0 < page.end <= 1_000
    assert page[page.end - 1].pointer == f"/x/{page.end - 1}"
    outcome = model.arguments()
    assert numbers.dumps(outcome.arguments["x"]) == numbers.dumps(numbers.loads(text))
    assert (outcome.errors, outcome.warnings, model.problems) == ([], [], [])


def test_pages_are_turned_to_the_end_and_back() -> None:
    model, rows, text = a_list()
    seen = [at for at, _ in rows.rows.shown()]
    while rows.rows.turn(1):
        seen += [at for at, _ in rows.rows.shown()]
    assert seen == list(range(COUNT)) and not rows.rows.turn(1)
    while rows.rows.turn(-1):
        pass
    assert rows.rows.first == 0
    assert numbers.dumps(model.collect().arguments["x"]) == numbers.dumps(numbers.loads(text))
    assert model.problems == []


def test_what_was_typed_wrong_stays_where_it_is_on_another_page() -> None:
    model, rows, _ = a_list()
    fill(model, {"/x/7/id": "seven", "/x/8/price": "2.500", f"/x/{COUNT - 1}/id": "1e3"})
    rows.rows.turn(1)
    outcome = model.arguments()
    assert [issue.path for issue in outcome.errors] == ["/x/7/id"]
    assert numbers.dumps(outcome.arguments["x"][8]["price"]) == "2.500"
    assert outcome.arguments["x"][-1]["id"] == 1000
    rows.rows.turn(-1)
    field = model.at("/x/7/id")
    assert field is not None and field.text == "seven"


def test_a_misfit_far_away_is_named_and_its_page_opened() -> None:
    model, _, _ = a_list()
    values = model.collect().arguments
    values["x"][4_321] = {"price": "much"}
    model.load(values)
    rows = rows_of(model)
    paths = [issue.path for issue in model.arguments().errors]
    assert sorted(paths) == ["/x/4321/id", "/x/4321/price"]
    assert not is_shown(model.root, paths[0]) and is_shown(model.root, "/x/0/id")
    show(model.root, paths[0])
    assert rows.rows.first <= 4_321 < rows.rows.end and is_shown(model.root, paths[0])


def test_rows_come_go_and_move_across_pages() -> None:
    model, _, _ = a_list(items={"type": "integer"})
    model.load({"x": list(range(COUNT))})
    rows = rows_of(model)
    expected = list(range(COUNT))
    chance = random.Random(4)
    for _ in range(400):
        at, to = chance.randrange(len(expected)), chance.randrange(len(expected) - 1)
        match chance.choice(("add", "remove", "move", "back", "turn")):
            case "add":
                rows.add(at).set_text("-5")
                expected.insert(at, -5)
                assert rows.rows.first <= at < rows.rows.end
            case "remove":
                rows.remove(at)
                del expected[at]
            case "move":
                rows.move(at, to)
                expected.insert(to, expected.pop(at))
                assert rows.rows.first <= to < rows.rows.end
            case "back":
                row = rows.rows[at]
                rows.remove(at)
                rows.put_back(at, row)
            case "turn":
                rows.rows.turn(chance.choice((1, -1)))
        assert rows.rows.end - rows.rows.first <= 1_000
    assert model.collect().arguments == {"x": expected}
    for at, row in rows.rows.shown():
        assert row.pointer == f"/x/{at}"


def test_a_row_is_added_behind_the_last_one_and_the_last_ones_are_removed() -> None:
    model, rows, _ = a_list(count=1_001)
    rows.add()
    assert rows.rows.end == 1_002
    for _ in range(1_002):
        rows.remove(len(rows.rows) - 1)
    assert model.collect().arguments == {} and rows.rows.end == 0


def test_entries_of_a_map_keep_their_order_over_pages() -> None:
    model, group = a_map()
    assert group.rows.end == 1_000 and group.seek("k4321") == 4_321 and group.seek("k499") == 499
    assert fill(model, {"/x/k4321": "-1", "/x/new": "5", "/x/k17": {"remove": True}}) == []
    at = group.find("k2500")
    assert at is not None
    group.rename_entry(at, "renamed")
    expected = {f"k{at}": at for at in range(COUNT) if at != 17} | {"k4321": -1, "new": 5}
    sent = model.arguments()
    assert sent.errors == [] and list(sent.arguments["x"]) == [
        "renamed" if key == "k2500" else key for key in expected
    ]
    group.rename_entry(at, "k0")
    assert [(issue.path, issue.message) for issue in model.arguments().errors] == [
        ("/x/k0", "the same name twice")
    ]


def test_many_far_rows_are_filled_in_without_an_end() -> None:
    model, _, _ = a_list()
    entries = {f"/x/{at}/id": str(-at) for at in range(0, COUNT, 2)}
    assert fill(model, {**entries, f"/x/{COUNT}/id": "9", "/x/1": {"remove": True}}) == []
    sent = model.arguments()
    expected = [-at if at % 2 == 0 else at for at in range(COUNT) if at != 1] + [9]
    assert [row["id"] for row in sent.arguments["x"]] == expected
    assert (sent.errors, model.problems) == ([], [])
    assert [issue.path for issue in fill(model, {"/x/99999/id": "1"})] == ["/x/99999/id"]


def test_wide_rows_make_short_pages_and_no_json() -> None:
    wide = {"type": "object", "properties": {f"p{at}": {"type": "integer"} for at in range(300)}}
    model, rows, _ = a_list(wide, 2_000)
    for _ in range(40):
        assert all(row.widget == "group" for _, row in rows.rows.shown())
        rows.rows.turn(1)
    assert 0 < rows.rows.end - rows.rows.first < 20 and model.problems == []


def test_what_is_secret_is_known_on_all_pages() -> None:
    model, _, _ = a_list()
    values = model.collect().arguments
    values["x"][4_000]["key"] = "hush"
    model.load(values)
    assert model.secrets() == [("/x/4000/key", "hush")]


def test_a_default_of_many_rows_is_prefilled_and_does_not_count_as_entered() -> None:
    rows = {"type": "array", "items": {"type": "integer"}, "default": list(range(3_000))}
    model = FormModel({"properties": {"x": rows}, "required": ["x"]})
    field = model.fields[0]
    assert isinstance(field, Rows) and not field.touched
    field.rows.turn(1)
    assert not field.touched and model.collect().arguments == {"x": list(range(3_000))}
    field.rows[2_999].set_text("1")
    assert field.touched


@pytest.mark.parametrize("value", [{"x": [{"id": 1}] * 30_000}, {"x": [{"id": "1"}] * 30_000}])
async def test_much_is_checked_in_a_thread_with_the_same_result(value: Any) -> None:
    model, _, _ = a_list()
    model.load(value)
    assert await model.arguments_apart() == model.arguments()
