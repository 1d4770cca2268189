"""The form widget, driven with keys: what a person does, and what would be sent."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from inspector.schema.form import FormModel
from inspector.tui import themes
from inspector.tui.widgets.forms.fields import Fields
from inspector.tui.widgets.forms.keys_line import KeysLine
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.schema_form import SchemaForm

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
SIZE = (100, 40)
Until = Callable[[Pilot[Any], Callable[[], object]], Any]


class Screen(App[None]):
    def __init__(self, schema: Any) -> None:
        super().__init__()
        self.model = FormModel(schema)
        self.told: list[Any] = []
        self.unread: list[str] = []

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**variables, **themes.derived(variables)}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"quiet": "ansi_default", "line": "ansi_default", "focus": "ansi_default"}

    def compose(self) -> ComposeResult:
        yield SchemaForm(self.model)

    def on_schema_form_submitted(self, event: SchemaForm.Submitted) -> None:
        self.told.append(event.arguments)

    def on_schema_form_refused(self, event: SchemaForm.Refused) -> None:
        self.told.append([issue.path for issue in event.errors])
        self.unread = event.unread

    @property
    def form(self) -> SchemaForm:
        return self.query_one(SchemaForm)

    @property
    def arguments(self) -> dict[str, Any]:
        return self.model.arguments().arguments


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required or []}


Script = Callable[[Screen, Pilot[None]], Awaitable[None]]


async def play(tool: Any, script: Script, size: tuple[int, int] = SIZE) -> Screen:
    app = Screen(tool)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await app.form.enter()
        await pilot.pause()
        await script(app, pilot)
    return app


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


def row_of(app: Screen, pointer: str) -> FieldRow:
    return next(row for row in app.query(FieldRow) if row.line.kind != "add" and row.field.pointer == pointer)


def painted(app: Screen) -> str:
    return "\n".join(
        "".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()
    )


async def test_typing_goes_from_field_to_field_by_tab_and_enter() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "a", "b", "tab", "5", "enter", "1", ".", "5", "0")
        assert app.model.as_json() == '{\n  "text": "ab",\n  "count": 5,\n  "ratio": 1.50\n}'

    await play(schema(text=STRING, count=INTEGER, ratio={"type": "number"}), script)


async def test_keys_that_come_faster_than_they_are_shown_stay_in_their_order() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        words = "the quick brown fox jumps over the lazy dog"
        for where in ("text", "labels"):
            assert app.focused is not None
            for key in words:
                app.focused.post_message(events.Key("space" if key == " " else key, key))
            await press(pilot, "s")
            assert isinstance(app.focused, Input) and app.focused.value == f"{words}s"
            if where == "text":
                await press(pilot, "tab", "ctrl+o")
        assert app.arguments == {"text": f"{words}s", "labels": {f"{words}s": ""}}

    await play(schema(text=STRING, labels={"type": "object", "additionalProperties": STRING}), script)


async def test_deleting_what_was_typed_sends_nothing() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "a", "backspace")
        assert app.arguments == {}

    await play(schema(text=STRING), script)


async def test_null_empty_and_unset_are_a_key_away_and_seen() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        assert "not sent" in painted(app)
        await press(pilot, "ctrl+n")
        assert app.arguments == {"text": None}
        assert "null" in app.query_one(Input).placeholder
        await press(pilot, "ctrl+e")
        assert app.arguments == {"text": ""}
        assert app.query_one(Input).placeholder == '""'
        await press(pilot, "ctrl+u")
        assert app.arguments == {}
        await press(pilot, "x")
        assert app.arguments == {"text": "x"}
        await press(pilot, "ctrl+n")
        assert app.query_one(Input).value == ""
        assert app.arguments == {"text": None}

    await play(schema(text={"type": ["string", "null"]}), script)


async def test_whole_objects_can_be_chosen_as_the_arguments() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "right", "right")
        assert app.arguments == {"b": [2]}

    await play({"enum": [{"a": 1}, {"b": [2]}]}, script)


async def test_an_optional_boolean_has_three_positions() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "space")
        assert app.arguments == {"flag": True}
        await press(pilot, "right")
        assert app.arguments == {"flag": False}
        await press(pilot, "right")
        assert app.arguments == {}

    await play(schema(flag={"type": "boolean"}), script)


async def test_null_is_one_of_the_positions_where_it_fits() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "left")
        assert app.arguments == {"flag": None}
        await press(pilot, "left")
        assert app.arguments == {"flag": False}

    await play(schema(flag={"anyOf": [{"type": "boolean"}, {"type": "null"}]}), script)


async def test_short_enums_are_picked_in_place_and_keep_their_type() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "right")
        assert app.arguments == {"e": 1}
        await press(pilot, "right")
        assert app.arguments == {"e": "1"}

    await play(schema(e={"enum": [1, "1", True]}), script)


async def test_long_enums_are_searched() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "n")
        assert isinstance(app.screen, Picker)
        await press(pilot, *"umber 37")
        await press(pilot, "enter")
        assert app.arguments == {"e": 37}
        await press(pilot, "enter", "escape")
        assert app.arguments == {"e": 37}

    members = [{"const": number, "title": f"Number {number}"} for number in range(400)]
    await play(schema(e={"oneOf": members}), script)


async def test_several_of_an_enum() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "tab", "down", "down", "space", "enter")
        assert app.arguments == {"sizes": ["S", "L"]}

    await play(schema(sizes={"type": "array", "items": {"enum": ["S", "M", "L"]}}), script)


async def test_rows_of_a_list_are_added_moved_and_removed() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+o")
        await press(pilot, "a", "ctrl+o")
        await press(pilot, "b", "ctrl+o")
        await press(pilot, "c")
        assert app.arguments == {"tags": ["a", "b", "c"]}
        await press(pilot, "alt+up")
        assert app.arguments == {"tags": ["a", "c", "b"]}
        await press(pilot, "ctrl+r")
        assert app.arguments == {"tags": ["a", "b"]}
        await press(pilot, "ctrl+r")
        await press(pilot, "ctrl+r")
        assert app.arguments == {}

    await play(schema(tags={"type": "array", "items": STRING}), script)


async def test_groups_unfold_and_lists_of_objects_grow() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+o")
        await press(pilot, *"Ada")
        assert app.arguments == {"people": [{"name": "Ada"}]}
        await press(pilot, "shift+tab", "shift+tab", "left")
        assert not any(row.field.pointer == "/people/0" for row in app.query(FieldRow))
        assert app.arguments == {"people": [{"name": "Ada"}]}

    person = {"type": "object", "properties": {"name": STRING}, "required": ["name"]}
    await play(schema(people={"type": "array", "items": person}), script)


async def test_rows_come_go_and_move_from_anywhere_in_them() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+o")
        await press(pilot, *"Ada", "tab", "1", "ctrl+o")
        await press(pilot, *"Bob", "tab", "2")
        assert app.arguments == {"people": [{"name": "Ada", "age": 1}, {"name": "Bob", "age": 2}]}
        await press(pilot, "alt+up")
        assert app.arguments == {"people": [{"name": "Bob", "age": 2}, {"name": "Ada", "age": 1}]}
        assert row_of(app, "/people/0/age").has_focus_within
        await press(pilot, "ctrl+r")
        assert app.arguments == {"people": [{"name": "Ada", "age": 1}]}

    person = {"type": "object", "properties": {"name": STRING, "age": INTEGER}, "required": ["name"]}
    await play(schema(people={"type": "array", "items": person}), script)


async def test_arrows_go_from_field_to_field_and_letters_choose() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "a", "down", "t", "down")
        assert app.arguments == {"text": "a", "flag": True}
        await press(pilot, *"3", "tab")
        await press(pilot, "7", "up", "up", "f")
        assert app.arguments == {"text": "a", "flag": False, "many": "item 3", "count": 7}
        # Text of several lines is left at its first and its last line.
        await press(pilot, "up", "f4")
        await press(pilot, "enter", "x", "up")
        assert row_of(app, "/text").has_focus_within
        await press(pilot, "down", "down", "n")
        assert app.arguments == {"text": "a\nx", "many": "item 3", "count": 7}

    many = {"enum": [f"item {number}" for number in range(9)]}
    await play(schema(text=STRING, flag={"type": "boolean"}, many=many, count=INTEGER), script)


async def test_what_is_wrong_is_unfolded_named_in_full_and_gone_to() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await app.form.load({"deep": {"inner": {"size": 0.5}}, "last": 1})
        await pilot.pause()
        await press(pilot, "home", "left")
        assert not any(row.field.pointer == "/deep/inner/size" for row in app.query(FieldRow))
        await app.form.submit()
        await pilot.pause()
        row = row_of(app, "/deep/inner/size")
        assert row.has_focus_within and row.error
        shown = " ".join(painted(app).split())
        assert "…" not in shown.partition("✗")[2][:60]
        assert app.told[-1][0] == "/deep/inner/size"

    inner = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
    deep = {"type": "object", "properties": {"inner": inner}}
    await play(schema(["deep"], deep=deep, last=STRING), script, (60, 24))


async def test_maps_take_keys() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+o")
        await press(pilot, *"env", "tab", *"prod")
        assert app.arguments == {"labels": {"env": "prod"}}

    await play(schema(labels={"type": "object", "additionalProperties": STRING}), script)


async def test_branches_are_switched_and_keep_what_was_typed() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "right")
        # The constant has nothing to choose, so that the focus goes past it.
        await press(pilot, "tab", "5")
        assert app.arguments == {"kind": "sms", "phone": "5"}
        await press(pilot, "shift+tab", "left")
        assert app.arguments == {"kind": "email", "address": ""}
        await press(pilot, "right")
        assert app.arguments == {"kind": "sms", "phone": "5"}

    one = {
        "type": "object",
        "properties": {"kind": {"const": "email"}, "address": STRING},
        "required": ["kind", "address"],
    }
    two = {
        "type": "object",
        "properties": {"kind": {"const": "sms"}, "phone": STRING},
        "required": ["kind", "phone"],
    }
    await play({"type": "object", "oneOf": [one, two]}, script)


async def test_a_recursive_schema_opens_level_by_level() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        before = len(app.query(FieldRow))
        await press(pilot, "tab", "enter")
        assert len(app.query(FieldRow)) == before + 2
        await press(pilot, "tab", "x")
        assert app.arguments == {"child": {"name": "x"}}

    await play({"type": "object", "properties": {"name": STRING, "child": {"$ref": "#"}}}, script)


async def test_a_pasted_text_of_several_lines_gets_room() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        app.query_one(Input).post_message(events.Paste("a\nb\n"))
        await pilot.pause()
        await pilot.pause()
        assert app.arguments == {"text": "a\nb\n"}
        assert row_of(app, "/text").query_one(TextArea).text == "a\nb\n"

    await play(schema(text=STRING), script)


async def test_any_field_can_be_edited_as_json_and_broken_json_is_kept() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "f4")
        area = row_of(app, "/o").query_one(TextArea)
        area.text = '{"a": 1'
        await pilot.pause()
        assert [issue.path for issue in app.model.arguments().errors] == ["/o"]
        await app.form.submit()
        await pilot.pause()
        assert app.unread == ["/o"]
        area.text = '{"a": 1}'
        await pilot.pause()
        assert app.arguments == {"o": {"a": 1}}
        await press(pilot, "f4")
        assert row_of(app, "/o/a").query(Input)

    await play(schema(o={"type": "object", "properties": {"a": INTEGER}}), script)


async def test_what_the_form_filled_in_gives_way_to_json_that_is_typed() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "f4")
        area = row_of(app, "/a").query_one(TextArea)
        assert area.text == "[]" and area.selected_text == "[]"
        await press(pilot, *"[5]")
        assert area.text == "[5]" and app.arguments == {"a": [5]}
        await press(pilot, "ctrl+n", "7")
        assert area.text == "7"

    await play(schema(["a"], a={"type": "array", "items": INTEGER}), script)


class TestJsonView:
    async def test_it_follows_the_fields_and_they_follow_it(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, *"ab")
            await app.form.show("json")
            editor = app.form.query_one("#schema-form-json", TextArea)
            assert editor.text == '{\n  "text": "ab"\n}'
            editor.text = '{"text": "c", "own": 1}'
            await pilot.pause()
            await app.form.show("form")
            await pilot.pause()
            assert row_of(app, "/text").query_one(Input).value == "c"
            assert app.arguments == {"text": "c", "own": 1}

        await play(schema(text=STRING), script)

    async def test_what_does_not_parse_is_told_with_its_place_and_never_lost(self, until: Until) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await app.form.show("json")
            editor = app.form.query_one("#schema-form-json", TextArea)
            editor.text = '{\n  "text": oops'
            await until(pilot, lambda: "line 2, column 11" in painted(app))
            await app.form.show("form")
            await app.form.show("json")
            assert editor.text == '{\n  "text": oops'

        await play(schema(text=STRING), script)


class TestSending:
    async def test_errors_stand_at_their_field_and_get_the_focus(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            assert "✗" not in painted(app)
            await app.form.submit()
            await pilot.pause()
            await pilot.pause()
            assert app.told == [["/count"]]
            assert "✗ required" in painted(app)
            assert row_of(app, "/count").has_focus_within
            await press(pilot, "7")
            await app.form.submit()
            await pilot.pause()
            assert app.told[-1] == {"count": 7}

        await play(schema(["count"], text=STRING, count=INTEGER), script)

    async def test_formats_are_advice_at_the_field(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, *"soon")
            await app.form.submit()
            await pilot.pause()
            assert app.told == [{"day": "soon"}]
            assert row_of(app, "/day").warning

        await play(schema(day={"type": "string", "format": "date"}), script)

    async def test_what_does_not_fit_can_be_sent_anyway(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, "x")
            await app.form.submit(anyway=True)
            await pilot.pause()
            assert app.told == [{"count": "x"}]

        await play(schema(count=INTEGER), script)

    async def test_arguments_of_an_earlier_call_are_taken_up(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await app.form.load({"tags": ["a", "b"]})
            await pilot.pause()
            assert row_of(app, "/tags/1").query_one(Input).value == "b"

        await play(schema(tags={"type": "array", "items": STRING}), script)


class TestEarlierCalls:
    async def test_the_focus_stays_in_its_place_when_arguments_are_taken_up(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, "tab")
            assert row_of(app, "/count").has_focus_within
            await app.form.load({"text": "a", "count": 3})
            await pilot.pause()
            assert row_of(app, "/count").has_focus_within
            await press(pilot, "end", "4")
            assert app.arguments == {"text": "a", "count": 34}

        await play(schema(text=STRING, count=INTEGER), script)

    async def test_values_of_earlier_calls_are_offered_field_by_field(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, "ctrl+@")
            assert not isinstance(app.screen, Picker)
            app.form.remember(
                lambda: [{"text": "b"}, {"text": ""}, {"count": 7}, {"text": "b"}, {"text": "c"}]
            )
            await press(pilot, "ctrl+@")
            assert isinstance(app.screen, Picker)
            assert "3 of 3" in painted(app)
            await press(pilot, "down", "down", "enter")
            await pilot.pause()
            assert app.arguments == {"text": "c"}
            assert row_of(app, "/text").has_focus_within

        await play(schema(text=STRING, count=INTEGER), script)

    async def test_what_can_be_done_is_a_click_away(self) -> None:
        async def script(app: Screen, pilot: Pilot[None]) -> None:
            await press(pilot, "x")
            line = app.query_one(KeysLine)
            await pilot.click(line, offset=(line.render().plain.index("empty") + 1, 0))
            await pilot.pause()
            assert app.arguments == {"text": ""}

        await play(schema(text=STRING), script)


HOSTILE = "[/bold] list[int] [@click=app.quit]q[/] \x1b]52;c;x\x07\u202e"


async def test_foreign_text_is_shown_and_never_obeyed() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        assert "[/bold] list[int]" in painted(app)
        await press(pilot, "tab", "enter")
        assert isinstance(app.screen, Picker)
        await press(pilot, "escape")
        await app.form.submit()
        await app.form.show("json")
        await pilot.pause()
        for text in (painted(app),):
            assert "\x1b" not in text
            assert "\u202e" not in text

    field = {
        "type": "string",
        "title": HOSTILE,
        "description": HOSTILE,
        "default": HOSTILE,
        "pattern": HOSTILE,
    }
    choice = {"enum": [HOSTILE, "x" * 60], "description": HOSTILE}
    union = {"oneOf": [{"title": HOSTILE, **schema(a=STRING)}, {"title": "b", **schema(b=STRING)}]}
    await play(
        schema([HOSTILE], **{HOSTILE: choice, "b": choice, "c": field, "[/]": union, "": STRING}), script
    )


async def test_names_may_be_anything() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        for number in range(len(names)):
            await press(pilot, str(number), "tab")
        assert app.arguments == {name: str(number) for number, name in enumerate(names)}

    names = ["", "a/b", "~", " ", "\u00e9", "e\u0301", "id", "class", "[red]", "0"]
    await play(schema(**dict.fromkeys(names, STRING)), script)


@pytest.mark.parametrize("tool", [None, True, False, {}, {"type": "object"}, "x"])
async def test_a_tool_that_declares_nothing_takes_free_arguments(tool: Any) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        await press(pilot, "x", "tab", "1")
        assert app.arguments == {"x": 1}

    await play(tool, script)


@pytest.mark.parametrize("size", [(60, 16), (160, 50), (40, 8)])
async def test_every_size_shows_the_fields(size: tuple[int, int]) -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        assert "first" in painted(app)

    await play(schema(first=STRING, second=INTEGER), script, size)


async def test_many_fields_mount_as_they_come_into_view_and_far_ones_at_once() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        fields = app.query_one(Fields)
        await press(pilot, "a")
        for _ in range(40):
            fields.scroll_end(animate=False, immediate=True)
            await pilot.pause(0.02)
            if fields._end == 600:
                break
        # What lies between is not mounted, and the focus came along.
        assert row_of(app, "/field599") and len(app.query(FieldRow)) < 120
        assert fields.row is not None and fields.row.field.pointer != "/field0"
        await fields.focus_field(app.model.at("/field599"))
        await press(pilot, "x", *["up"] * 12, "y")
        assert row_of(app, "/field587").has_focus_within
        assert (
            fields.scroll_offset.y <= row_of(app, "/field587").virtual_region.y < fields.virtual_size.height
        )
        await fields.focus_first()
        await press(pilot, "b", "down", "c")
        assert app.arguments == {"field0": "ab", "field1": "c", "field587": "y", "field599": "x"}
        assert app.form.height_wanted > 600

    await play(schema(**{f"field{number}": STRING for number in range(600)}), script)


async def test_the_first_screen_of_three_hundred_fields_costs_little() -> None:
    app = Screen(
        schema(**{f"field{number}": {**STRING, "description": "what it is"} for number in range(300)})
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await app.form.remove()
        began = time.process_time()
        await app.mount(SchemaForm(FormModel(app.model.schema)))
        await pilot.pause()
        assert time.process_time() - began < 2


async def test_what_a_condition_means_stands_below_the_description() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        text = painted(app)
        assert "of the card" in text and 'required if pay is "card"' in text
        assert 'if pay is "card": matches ^[0-9]+$' in text

    tool = schema(
        ["pay"], pay={"enum": ["card", "cash"]}, number={"type": "string", "description": "of the card"}
    )
    card = {"required": ["number"], "properties": {"number": {"pattern": "^[0-9]+$"}}}
    await play({**tool, "if": {"properties": {"pay": {"const": "card"}}}, "then": card}, script, (140, 30))


async def test_what_is_masked_is_shown_on_request_and_a_removed_row_comes_back() -> None:
    async def script(app: Screen, pilot: Pilot[None]) -> None:
        await press(pilot, "h", "u", "s", "h")
        assert "hush" not in painted(app) and "^s show" in painted(app)
        assert app.form.veiled == [("/key", "hush")]
        await press(pilot, "ctrl+s")
        assert "hush" in painted(app) and "^s hide" in painted(app) and app.form.veiled == []
        await press(pilot, "ctrl+s")
        assert "hush" not in painted(app) and app.form.veiled == [("/key", "hush")]
        await app.form.load({"tags": ["a", "b", "c"], "more": {"k": 1}})
        await pilot.pause()
        for pointer, without in (("/tags/1", {"tags": ["a", "c"]}), ("/more/k", {"tags": ["a", "c"]})):
            row_of(app, pointer).control.focus()
            await press(pilot, "ctrl+r")
            assert app.arguments == without | ({"more": {"k": 1}} if pointer == "/tags/1" else {})
            app.form._check()
            await pilot.pause()
            assert "^b brings it back" in painted(app)
        await press(pilot, "ctrl+b")
        assert app.arguments == {"tags": ["a", "c"], "more": {"k": 1}}
        await press(pilot, "ctrl+b")
        assert app.arguments == {"tags": ["a", "b", "c"], "more": {"k": 1}}

    key = {"type": "string", "format": "password"}
    tags = {"type": "array", "items": STRING}
    await play(schema(key=key, tags=tags, more={"type": "object"}), script)
