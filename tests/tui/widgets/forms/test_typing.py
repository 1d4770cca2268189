"""Typing where no text is: on the way to a new row, on the head of a list, on a choice; and getting about by keys."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from inspector.tui.widgets.forms.controls import Fold, Segments
from inspector.tui.widgets.forms.fields import Fields
from inspector.tui.widgets.forms.row import FieldRow
from tests.tui.widgets.forms.test_schema_form import INTEGER, STRING, Screen, Script, Until, play, schema

LIST = {"type": "array", "items": STRING}
PEOPLE = {"type": "array", "items": schema(name=STRING, age=INTEGER)}
MAP = {"type": "object", "patternProperties": {"^x-": STRING, "^n": INTEGER, "^o-": schema(a=STRING)}}


def keys(*pressed: str) -> Script:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        for key in pressed:
            await pilot.press(key)
            await pilot.pause()

    return script


@pytest.mark.parametrize(
    ("tool", "pressed", "sent"),
    [
        # On "+ item" and on the head of a list a letter begins a row.
        (schema(a=LIST), ("x", "y"), {"a": ["xy"]}),
        (schema(["a"], a=LIST), ("down", "x", "y"), {"a": ["xy"]}),
        (schema(a=PEOPLE), ("d", "q"), {"a": [{"name": "dq"}]}),
        # In a map, the key of an entry; its value is of the kind that the key asks for.
        (schema(a=MAP), ("n", "1", "tab", "5"), {"a": {"n1": 5}}),
        (schema(a=MAP), ("x", "-", "tab", "5"), {"a": {"x-": "5"}}),
        (schema(a=MAP), ("o", "-", "b", "down", "v"), {"a": {"o-b": {"a": "v"}}}),
        ({"type": "object"}, ("k", "tab", "v"), {"k": "v"}),
        # On a choice of branches, a value of the branch that reads it; options go first.
        (schema(a={"type": ["integer", "string"]}), ("1", "2"), {"a": 12}),
        (schema(a={"type": ["integer", "string"]}), ("w", "2"), {"a": "w2"}),
        (schema(a={"type": ["integer", "string"]}), ("s", "down", "2"), {"a": "2"}),
        # On a group, the value of its first field.
        (schema(a=schema(b=STRING)), ("r", "v"), {"a": {"b": "rv"}}),
        (schema(["a"], a=schema(b=schema(c=INTEGER))), ("4", "2"), {"a": {"b": {"c": 42}}}),
        (schema(a=schema(b={"type": "boolean"})), ("q", "t"), {"a": {"b": True}}),
        # Switches and enums have nothing to type.
        (schema(a={"enum": ["one", "two"]}), ("q", "t"), {"a": "two"}),
    ],
)
async def test_letters_are_never_keys_of_the_app(
    tool: Any, pressed: tuple[str, ...], sent: dict[str, Any]
) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        if tool == {"type": "object"}:
            app.query_one(FieldRow).control.focus()
            await pilot.pause()
        await keys(*pressed)(app, pilot)

    assert (await play(tool, script)).arguments == sent


async def test_rows_that_are_added_say_of_what() -> None:
    inner = {"type": "array", "items": LIST}

    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await keys("ctrl+o", "ctrl+o")(app, pilot)
        texts = [str(row.control.render()) for row in app.query(FieldRow) if row.line.kind == "add"]
        assert texts == ["+ item of [0]", "+ item of grid", "+ entry of map"]

    await play(schema(["map"], grid=inner, map={"type": "object"}), script)


async def test_screens_of_fields_and_the_ends() -> None:
    def at(app: Screen) -> str | None:
        return app.query_one(Fields).place

    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await keys("pagedown")(app, pilot)
        first = at(app)
        assert first is not None and 10 < int(first.removeprefix("/f")) < 40
        await keys("ctrl+end")(app, pilot)
        assert at(app) == "/f499"
        await keys("z", "ctrl+home")(app, pilot)
        assert at(app) == "/f0" and app.arguments == {"f499": "z"}
        await keys("pagedown", "pageup")(app, pilot)
        assert at(app) == "/f0"
        await keys("pageup")(app, pilot)
        assert at(app) == "/f0"

    await play(schema(**{f"f{number}": STRING for number in range(500)}), script)


async def test_a_click_beside_a_control_goes_to_it_and_typing_brings_it_back_into_view() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        fields = app.query_one(Fields)
        row = list(app.query(FieldRow))[3]
        await pilot.click(row, offset=(2, 1))
        await pilot.pause()
        assert fields.place == "/f3"
        fields.scroll_to(y=60, animate=False)
        await pilot.pause()
        await keys("v")(app, pilot)
        await pilot.pause()
        assert fields.window_region.contains_region(row.virtual_region)

    about = {"type": "string", "description": "what it is"}
    app = await play(schema(**{f"f{number}": about for number in range(60)}), script)
    assert app.arguments == {"f3": "v"}


async def test_a_folded_row_tells_its_values() -> None:
    secret = {"type": "string", "format": "password"}
    people = {"type": "array", "items": schema(name=STRING, key=secret, age=INTEGER, tags=LIST)}

    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await app.form.load({"a": [{"name": "Ann", "key": "hunter22", "age": 30, "tags": ["x"]}]})
        await pilot.pause()
        heads = list(app.query(Fold))
        heads[1].focus()
        await keys("left")(app, pilot)
        assert str(heads[1].render()).rstrip() == "▸ name Ann · key ••• · age 30"
        await keys("right")(app, pilot)
        assert str(heads[1].render()).rstrip() == "▾ 4 set"

    await play(schema(["a"], a=people), script)


async def test_options_without_room_are_shown_one_by_one() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        choice = app.query_one(Segments)
        assert str(choice.render()).split() == ["●", "not", "sent", "‹1/4›"]
        await keys("right", "right")(app, pilot)
        assert str(choice.render()).split() == ["●", "two", "‹3/4›"]
        await pilot.click(choice)
        await pilot.pause()
        assert str(choice.render()).split() == ["●", "three", "‹4/4›"]

    app = await play(schema(a={"enum": ["one", "two", "three"]}), script, (40, 20))
    assert app.arguments == {"a": "three"}


async def test_the_type_has_its_room_when_the_form_grows() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        (row,) = app.query(FieldRow)
        assert row.control.styles.margin.right == 1
        await pilot.resize_terminal(120, 30)
        await pilot.pause()
        await pilot.pause()
        assert row.control.region.right <= row.region.right - len(" one of | null")

    await play(schema(a={"oneOf": [STRING, INTEGER, {"type": "null"}]}), script, (50, 20))


async def test_a_row_of_a_tuple_that_is_moved_keeps_the_focus() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await keys("ctrl+o", "x", "ctrl+o", "7", "alt+up", "9")(app, pilot)
        assert app.query_one(Fields).place == "/t/0"

    app = await play(schema(t={"type": "array", "prefixItems": [INTEGER, STRING]}), script)
    assert app.arguments == {"t": [79, "x"]}


async def test_what_matches_no_branch_in_the_list_is_taken_as_a_value() -> None:
    many = [{"type": "object", "title": f"way {number}"} for number in range(8)]

    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await keys(*"42", "enter", "7")(app, pilot)
        assert app.query_one(Fields).place == "/a"

    app = await play(schema(a={"oneOf": [*many, INTEGER]}), script)
    assert app.arguments == {"a": 427}


async def test_json_that_is_no_object_is_told_at_once_and_nothing_else_is(until: Until) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await app.form.show("json")
        await app.form.enter()
        problem = app.form.query_one(".problem")
        for text, said in (("[1]", "arguments have to be an object"), ("{", "not JSON: ")):
            app.form._editor.text = text
            await until(pilot, lambda said=said: problem.display and said in str(problem.render()))
            assert "required" not in str(problem.render())
        app.form._editor.text = '{"b": 1}'
        await until(pilot, lambda: not problem.display)

    await play(schema(["a"], a=STRING), script)
