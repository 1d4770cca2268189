"""A list of very many rows in the form: pages are turned with keys and the mouse, and nothing is lost between them."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot
from textual.widgets import TextArea

from inspector.base import numbers
from inspector.tui.widgets.forms.pager import Pager
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.text.json_view import JsonView
from tests.tui.widgets.forms.test_schema_form import Screen, Until, painted, play, press

ROWS = {"type": "array", "items": {"type": "integer"}}
TOOL = {
    "type": "object",
    "properties": {"x": ROWS, "m": {"type": "object", "additionalProperties": {"type": "integer"}}},
}
COUNT = 3_500


def place(app: Screen) -> str:
    row = app.form._fields.row
    assert row is not None
    return row.line.kind if not row.line.holds else row.field.pointer


async def filled(app: Screen, value: Any) -> None:
    await app.form.load(value)
    await app.form._fields.focus_first()


async def test_pages_are_turned_by_keys() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": list(range(COUNT))})
        await press(pilot, "down")
        assert place(app) == "page" and "rows [0]–[999] of 3,500" in painted(app)
        await press(pilot, "right")
        assert place(app) == "page" and "rows [1000]–[1999] of 3,500" in painted(app)
        await press(pilot, "end")
        assert place(app) == "/x/3499" and "next rows" not in painted(app) and "rows before" in painted(app)
        await press(pilot, "down")
        assert place(app) == "add" and "+ item" in painted(app)
        await press(pilot, "alt+pageup")
        assert place(app) == "/x/2000"
        await press(pilot, "up", "home")
        assert place(app) == "/x/0"
        await press(pilot, "up", *"2345")
        assert "go to 2345" in painted(app)
        await press(pilot, "enter", "7")
        assert place(app) == "/x/2345"

    app = await play(TOOL, script)
    assert app.arguments["x"][2_345] == 23_457


async def test_pages_are_turned_with_the_mouse() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"m": {f"k{at}": at for at in range(COUNT)}})
        await press(pilot, "down")
        pager = app.query_one(Pager)
        width = len("‹ entries 1–1,000 of 3,500 ›")
        await pilot.click(pager, offset=(width, 0))
        await pilot.pause()
        assert "entries 1,001–2,000 of 3,500" in painted(app)
        await pilot.click(app.query_one(Pager), offset=(1, 0))
        await pilot.pause()
        assert "entries 1–1,000 of 3,500" in painted(app)
        await press(pilot, *"k31", "enter")
        assert place(app) == "/m/k31"

    await play(TOOL, script)


async def test_sending_goes_to_what_is_wrong_on_another_page() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": [*range(3_000), "wrong", *range(499)]})
        await app.form.submit()
        await pilot.pause()
        assert app.told == [["/x/3000"]] and place(app) == "/x/3000"
        await press(pilot, "ctrl+u", "5")
        await app.form.submit()
        await pilot.pause()

    app = await play(TOOL, script)
    assert app.told[-1]["x"][2_999:3_002] == [2_999, 5, 0]


async def test_rows_are_added_removed_and_moved_where_pages_meet() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": list(range(COUNT))})
        await press(pilot, "down", "right", "down", "alt+up")
        assert place(app) == "/x/999"
        await press(pilot, "ctrl+o", "8")
        assert place(app) == "/x/1000"
        await press(pilot, "ctrl+r")
        await press(pilot, "ctrl+r", "ctrl+b")

    app = await play(TOOL, script)
    assert app.arguments["x"] == [*range(999), 1_000, 999, *range(1_001, COUNT)]


async def test_much_json_is_read_and_not_edited_line_by_line(until: Until) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": list(range(30_000))})
        await press(pilot, "f4")
        assert [str(note.message)[:23] for note in app._notifications] == ["This is much to edit he"]
        await app.form.show("json")
        await app.form.enter()
        await until(pilot, lambda: "opens it in your editor" in painted(app))
        await until(pilot, lambda: isinstance(app.focused, JsonView) and '"x": [' in painted(app))
        await app.form.load({"x": [1]})
        await app.form.enter()
        await pilot.pause()
        assert isinstance(app.focused, TextArea) and "much to edit" not in painted(app)
        await app.form.show("form")

    app = await play(TOOL, script)
    assert app.arguments == {"x": [1]}


async def test_what_is_offered_is_what_can_be_done() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": [1, 2]})
        assert "^e empty" in painted(app) and "alt+↑" not in painted(app)
        await press(pilot, "down")
        assert "^e" not in painted(app) and "alt+↓ down" in painted(app) and "alt+↑" not in painted(app)
        # No number is empty: the key is that of the line then.
        await press(pilot, "home", "ctrl+e", "3")

    app = await play(TOOL, script)
    assert app.arguments["x"] == [13, 2]


async def test_much_that_is_entered_is_checked_beside_the_keys(until: Until) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {"x": list(range(30_000))})
        await press(pilot, "down", "down", "x")
        await until(pilot, lambda: "not an integer" in painted(app))
        await press(pilot, "backspace")
        await until(pilot, lambda: "not an integer" not in painted(app))

    app = await play(TOOL, script)
    assert app.arguments["x"] == list(range(30_000))


async def test_a_form_of_more_lines_than_are_shown_says_so(until: Until) -> None:
    row = {"type": "object", "properties": {name: {"type": "integer"} for name in "abc"}}
    lists = {name: {"type": "array", "items": row} for name in "uvw"}

    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await filled(app, {name: [{"a": at} for at in range(900)] for name in "uvw"})
        await until(pilot, lambda: "5,000 lines are on show and the form goes on" in painted(app))
        await press(pilot, "left", "down", "left")
        await until(pilot, lambda: "the form goes on" not in painted(app))

    await play({"properties": lists}, script)


async def test_a_value_of_an_earlier_call_comes_as_it_was_written(until: Until) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        app.form.remember(lambda: [numbers.verbatim({"n": numbers.loads("1.50")}), {"n": 2}])
        await press(pilot, "ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await press(pilot, "enter")
        await until(pilot, lambda: not isinstance(app.screen, Picker))

    app = await play({"properties": {"n": {"type": "number"}}}, script)
    assert numbers.dumps(app.arguments) == '{"n": 1.50}'
