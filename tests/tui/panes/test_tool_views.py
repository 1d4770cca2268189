"""The views of a tool: form, model, raw, JSON; the frame that would be sent; what fills a form in."""

from __future__ import annotations

import json
import stat
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from app import Until, open_tool, opened, painted
from textual.widgets import OptionList

from inspector.base.secrets import Secrets
from inspector.protocol import jsonrpc
from inspector.schema.form import FormModel
from inspector.tui import guard
from inspector.tui.panes.tool import ToolView
from inspector.tui.panes.tools import ToolsPane
from inspector.tui.screens.copy_as import CopyAsScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.text.diff_lines import DiffLines
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.tools.definition_view import DefinitionView
from inspector.tui.widgets.tools.frame_preview import FramePreview, veiled
from inspector.tui.widgets.tools.model_view import ModelView
from inspector.tui.widgets.tools.rewrite_list import RewriteList


def sent(view: ToolView) -> dict[str, Any]:
    """The frame on show."""
    found: dict[str, Any] = json.loads(view.query_one(FramePreview).query_one(JsonView).text)
    return found


class TestModel:
    @pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
    async def test_it_is_the_form_that_a_model_fills_in(self, size: tuple[int, int], until: Until) -> None:
        async with opened("bakery", size=size) as (app, pilot):
            view = await open_tool(app, pilot, until, "order_cake")
            await view.enter()
            await pilot.press("f6")
            for told in (
                "mcp__bakery__order_cake",
                "Not by the raw schema",
                "PaiCLI makes 2 changes",
                "/properties/size/oneOf",
            ):
                await until(pilot, lambda told=told: told in painted(app))
            model = view.query_one(ModelView)
            assert model.form.has_focus_within
            await model.form.load(
                {"flavour": "lemon", "size": "M", "deliver_to": {"street": "a", "city": "b"}}
            )
            await pilot.pause()
            await until(pilot, lambda: "takes these arguments as well" in painted(app))
            assert view._form.outcome().arguments != model.form.outcome().arguments

    async def test_an_answer_is_shown_as_the_model_reads_it(self, until: Until) -> None:
        async with opened("bakery") as (app, pilot):
            view = await open_tool(app, pilot, until, "full_breakfast")
            await pilot.press("f5")
            await until(pilot, lambda: view.calls and not view.calls[0].running and "Answer" in painted(app))
            answer = view.query_one(AnswerView)
            await until(pilot, lambda: "model" in answer.has_tabs)
            await answer._open("model")
            await pilot.press("f7", "f7")
            await until(pilot, lambda: "[此工具返回了 image" in painted(app))
            await pilot.press("end")
            await until(pilot, lambda: "of image, audio" in painted(app))

    async def test_what_the_raw_schema_does_not_take_is_sent_when_asked_for_again(self, until: Until) -> None:
        async with opened("bakery") as (app, pilot):
            view = await open_tool(app, pilot, until, "order_cake")
            await view._open("model")
            form = view.query_one(ModelView).form
            await form.load(
                {"flavour": "lemon", "size": {"const": "M"}, "deliver_to": {"street": "a", "city": "b"}}
            )
            await pilot.pause()
            await view.call()
            await until(pilot, lambda: "what the model was asked for" in painted(app))
            assert not view.calls
            await view.call()
            await until(pilot, lambda: view.calls and not view.calls[0].running)
            assert view.calls[0].params["arguments"]["size"] == {"const": "M"}

    async def test_the_report_is_copied_and_says_where_there_is_none(self, until: Until) -> None:
        async with opened("bakery") as (app, pilot):
            view = await open_tool(app, pilot, until, "order_cake")
            await view._open("model")
            offer = view.query_one(RewriteList).copy_offer()
            assert offer is not None and "/properties/size/oneOf" in offer[1] and "(rule 2.3)" in offer[1]
            view.query_one(RewriteList).focus()
            await pilot.press("home", "enter")
            await until(pilot, lambda: view.query("#definition-served"))
            schema = view.query_one("#definition-served", JsonView)
            await until(pilot, lambda: schema.has_focus and schema.pointer == "$.properties.size.oneOf")
            view = await open_tool(app, pilot, until, "say_hello")
            await view._open("model")
            await until(pilot, lambda: "PaiCLI changes nothing" in painted(app))
            assert view.query_one(RewriteList).copy_offer() is None


async def test_raw_shows_what_was_changed_and_the_whole_definition(until: Until) -> None:
    async with opened("bakery", size=(200, 60)) as (app, pilot):
        view = await open_tool(app, pilot, until, "order_cake")
        await view.enter()
        await pilot.press("f6", "f6")
        await until(pilot, lambda: "as PaiCLI's model sees it" in painted(app))
        changes = view.query_one(DiffLines)
        await until(pilot, lambda: changes.has_focus and changes.line_count() > 10)
        assert "lines are the same" not in painted(app)
        await pilot.press("n")
        first = changes.cursor
        assert first > 0
        await pilot.press("n")
        assert changes.cursor == first
        for _ in range(3):
            await pilot.press("v")
        await until(pilot, lambda: view.query_one(DefinitionView)._strip.active == "entry")
        await until(pilot, lambda: '"annotations"' in painted(app) or '"name": "order_cake"' in painted(app))


async def test_views_go_round_both_ways_and_keep_what_was_entered(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view.enter()
        await pilot.press(*"Ada")
        seen = []
        for _ in range(4):
            await pilot.press("f6")
            await pilot.pause()
            seen.append(view._strip.active)
        assert seen == ["model", "raw", "json", "form"]
        await pilot.press("shift+f6")
        await until(pilot, lambda: view._strip.active == "json" and '"name": "Ada"' in painted(app))
        await pilot.click(view._strip, offset=(2, 0))
        await until(pilot, lambda: view._strip.active == "form")
        assert view._form.outcome().arguments == {"name": "Ada"}


class TestFrame:
    @pytest.mark.parametrize("size", [(80, 24), (120, 40), (240, 60)])
    async def test_it_is_what_will_be_sent_and_follows_what_is_typed(
        self, size: tuple[int, int], until: Until
    ) -> None:
        async with opened("bakery", size=size) as (app, pilot):
            view = await open_tool(app, pilot, until, "say_hello")
            await view.enter()
            await pilot.press("f2")
            await until(pilot, lambda: "Next frame" in painted(app) and '"arguments"' in painted(app))
            await pilot.press(*"Ada")
            await until(pilot, lambda: sent(view)["params"]["arguments"] == {"name": "Ada"})
            assert view._form.has_focus_within
            frame = sent(view)
            assert frame["params"]["_meta"]["progressToken"] == frame["id"]
            await pilot.press("f5")
            await until(pilot, lambda: view.calls and not view.calls[0].running)
            row = view.calls[0].sent_row
            assert row is not None and json.loads(app.workspace.traffic.raw(row)) == frame
            await until(pilot, lambda: sent(view)["id"] == frame["id"] + 1)
            await until(pilot, lambda: "Good morning, Ada!" in painted(app))
            # Back in the form the frame stands in the place of the answer, never above it in what room is left.
            await view.enter()
            answer, preview = view.query_one(AnswerView), view.query_one(FramePreview)
            await until(pilot, lambda: answer.display is not view.has_class("-drafting"))
            assert preview.display is not answer.display or size[0] == 240
            while view._work.previewing:
                await pilot.press("f2")
            await until(pilot, lambda: "Next frame" not in painted(app))

    async def test_known_secrets_are_masked_and_nothing_else(self, until: Until) -> None:
        async with opened("bakery") as (app, pilot):
            guard.keep(Secrets(["hush-hush-1234"]))
            view = await open_tool(app, pilot, until, "say_hello")
            await view.enter()
            await view._form.load({"name": "hush-hush-1234 password=abc"})
            await pilot.pause()
            await pilot.press("f2")
            await until(pilot, lambda: "*** password=abc" in painted(app))
            assert sent(view)["params"]["arguments"]["name"] == "hush-hush-1234 password=abc"
            assert "hush-hush" not in painted(app).partition("Next frame")[2]

    async def test_the_value_of_a_password_field_shows_only_when_revealed(
        self, stage: Any, until: Until
    ) -> None:
        model = FormModel(
            {
                "type": "object",
                "properties": {"who": {"type": "string"}, "key": {"type": "string", "format": "password"}},
            }
        )
        model.load({"who": "Ada", "key": "pa ss"})
        assert [pointer for pointer, _ in model.secrets()] == ["/key"]
        arguments = model.collect().arguments
        assert veiled(arguments, model.secrets()) == {"who": "Ada", "key": "***"}
        guard.reveal(True)
        assert veiled(arguments, model.secrets()) == arguments == {"who": "Ada", "key": "pa ss"}

    async def test_what_json_cannot_say_is_told(self, until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
        async with opened("bakery") as (app, pilot):
            view = await open_tool(app, pilot, until, "say_hello")

            def refuse(*words: Any) -> bytes:
                raise ValueError("NaN is no JSON")

            monkeypatch.setattr(jsonrpc, "request", refuse)
            view.toggle_preview()
            await until(pilot, lambda: "cannot be written as JSON" in painted(app))


async def test_the_form_is_filled_from_the_call_before(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "price_of")
        await view.enter()
        await pilot.press("ctrl+l")
        await until(
            pilot, lambda: any("No call of this tool" in str(note.message) for note in app._notifications)
        )
        await view._form.load({"item": "croissant", "count": 2})
        await pilot.pause()
        await view.call()
        await until(pilot, lambda: view.calls and not view.calls[0].running)
        await view._form.clear()
        await pilot.pause()
        await view.enter()
        await pilot.press("ctrl+l")
        await until(pilot, lambda: view._form.outcome().arguments == {"item": "croissant", "count": 2})
        assert view._form.has_focus_within
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, CopyAsScreen))


async def test_a_field_is_filled_from_earlier_calls(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        for name in ("Ada", "Grace"):
            await view._form.load({"name": name})
            await pilot.pause()
            await view.call()
            await until(pilot, lambda: view.calls and not view.running)
        await view._form.clear()
        await pilot.pause()
        await view.enter()
        await pilot.press("ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Picker) and "2 of 2" in painted(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: view._form.outcome().arguments == {"name": "Ada"})


def script(tmp_path: Path, body: str) -> str:
    file = tmp_path / "my editor.py"
    file.write_text(f"import os, pathlib, sys\nfile = pathlib.Path(sys.argv[-1])\n{body}\n")
    return f"{sys.executable} '{file}' --flag 'two words'"


class TestEditor:
    async def edited(
        self, until: Until, arguments: dict[str, Any], *keys: str
    ) -> tuple[ToolView, str, list[str]]:
        async with opened("bakery") as (app, pilot):
            app.suspend = nullcontext  # type: ignore[method-assign]
            view = await open_tool(app, pilot, until, "say_hello")
            await view._form.load(arguments)
            await pilot.pause()
            await view.enter()
            await pilot.press(*keys, "ctrl+g")
            await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
            await pilot.pause()
            # Keys go on where the text is, whatever came back.
            assert view._work.form_in_hand.has_focus_within
            said = [str(note.message) for note in app._notifications]
            return view, painted(app), said

    async def test_what_comes_back_is_in_the_form(
        self, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told = tmp_path / "told.json"
        body = (
            f"pathlib.Path({str(told)!r}).write_text(repr((sys.argv[1:], file.stat().st_mode,"
            " file.parent.stat().st_mode, file.read_text())))\n"
            "file.write_text(file.read_text().replace('Ada', 'Grace') + chr(10))"
        )
        monkeypatch.setenv("VISUAL", script(tmp_path, body))
        monkeypatch.setenv("EDITOR", "not-this-one")
        view, _, said = await self.edited(until, {"name": "Ada"})
        assert not said and view._form.model.arguments().arguments == {"name": "Grace"}
        words, mode, folder, text = eval(told.read_text())
        assert words[:2] == ["--flag", "two words"] and words[2].endswith("arguments.json")
        assert stat.S_IMODE(mode) == 0o600 and stat.S_IMODE(folder) == 0o700
        assert text == '{\n  "name": "Ada"\n}'
        assert not Path(words[2]).parent.exists()

    async def test_what_does_not_parse_is_kept(
        self, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", script(tmp_path, "file.write_text('{\"name\": oops')"))
        view, text, _ = await self.edited(until, {"name": "Ada"})
        assert view._strip.active == "json" and '{"name": oops' in text
        assert view._form.model.as_json() == '{"name": oops'

    async def test_one_field_as_json(
        self, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(
            "VISUAL", script(tmp_path, "file.write_text(file.read_text() + 'b' + chr(10) + 'c')")
        )
        view, _, said = await self.edited(until, {"name": "a"}, "f4")
        assert not said and view._form.model.arguments().arguments == {"name": "ab\nc"}

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [
            ("sys.exit(3)", "ended with exit code 3"),
            ("", "came back at once"),
            ("os.remove(file)", "could not be used"),
        ],
    )
    async def test_an_editor_that_fails_is_a_sentence(
        self, body: str, sentence: str, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VISUAL", script(tmp_path, body))
        view, _, said = await self.edited(until, {"name": "Ada"})
        assert sentence in said[0]
        assert view._form.model.arguments().arguments == {"name": "Ada"}

    @pytest.mark.parametrize(
        ("given", "sentence"),
        [("", "No editor is set"), ("/no/such/editor -x", "was not found"), ("vi 'x", "cannot be read")],
    )
    async def test_a_missing_editor_is_a_sentence(
        self, given: str, sentence: str, until: Until, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", given)
        _, _, said = await self.edited(until, {"name": "Ada"})
        assert sentence in said[0]

    async def test_a_terminal_that_cannot_be_handed_over_is_a_sentence(
        self, until: Until, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("VISUAL", sys.executable)
        async with opened("bakery") as (app, pilot):
            view = await open_tool(app, pilot, until, "say_hello")
            await view.edit_outside()
            told = "cannot be handed over"
            await until(pilot, lambda: any(told in str(note.message) for note in app._notifications))


class TestList:
    async def test_sizes_stand_where_there_is_room_and_order_the_list(self, until: Until) -> None:
        async with opened("bakery", size=(200, 60)) as (app, pilot):
            view = await open_tool(app, pilot, until, "order_cake")
            await until(pilot, lambda: "1.8 KiB ~391 tok" in painted(app))
            await pilot.press("escape", "z")
            pane = view.query_ancestor(ToolsPane)
            await until(pilot, lambda: "1.8 KiB" in painted(app) and "1.8 KiB   ~391 tok" in painted(app))
            await until(pilot, lambda: "30 tools · " in painted(app) and "~2,424 tok" in painted(app))
            names = [item.text for item in pane._list._shown]
            await pilot.press("o")
            await until(pilot, lambda: "largest first" in painted(app))
            assert pane._list._shown[0].text == "order_cake" and pane._list.key == "1 order_cake"
            await pilot.press("o")
            assert [item.text for item in pane._list._shown] == sorted(names)
            await pilot.press("o")
            assert [item.text for item in pane._list._shown] == names

    async def test_a_narrow_list_keeps_its_names(self, until: Until) -> None:
        async with opened("bakery", size=(80, 24)) as (app, pilot):
            view = await open_tool(app, pilot, until, "order_cake")
            await pilot.press("escape")
            pane = view.query_ancestor(ToolsPane)
            await until(pilot, lambda: pane._list.has_focus_within and "full_breakfast" in painted(app))
            assert pane._list.query_one(OptionList).option_count == 30
