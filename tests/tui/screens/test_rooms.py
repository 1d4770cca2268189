"""Who gets the room of the screen, and where the focus goes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from app import Until, open_tool, opened, painted, state
from textual import events
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.traffic.store import Traffic
from inspector.traffic.writer import Writer
from inspector.tui.screens.help import HelpScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.forms.schema_form import SchemaForm
from inspector.tui.widgets.tools.back_line import BackLine
from inspector.tui.widgets.traffic.frame_list import FrameList


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_form_and_answer_share_the_room(size: tuple[int, int], until: Until) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view.enter()
        await pilot.press(*"Ada", "f5")
        answer, form = view.query_one(AnswerView), view.query_one(SchemaForm)
        await until(pilot, lambda: "Good morning, Ada!" in painted(app))
        await until(pilot, lambda: "language" in painted(app) and "default en" in painted(app))
        assert answer.region.height >= 7 and form.region.height >= 4
        assert view.has_focus_within and not answer.has_focus_within
        if size[1] == 40:
            await until(pilot, lambda: "tell your" in painted(app))


async def test_they_take_turns_where_both_would_be_too_small(until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        view = await open_tool(app, pilot, until, "order_cake")
        await view.enter()
        await view.call()
        await until(pilot, lambda: "F5 again sends" in painted(app))
        await view.call()
        answer = view.query_one(AnswerView)
        await until(pilot, lambda: answer.has_focus_within and answer.region.height > 7)
        await until(pilot, lambda: "esc  back to Form" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: view.query_one(SchemaForm).has_focus_within)
        await until(pilot, lambda: "back to Form" not in painted(app))
        await pilot.resize_terminal(120, 60)
        await until(pilot, lambda: answer.region.height > 7 and view.query_one(SchemaForm).region.height > 7)


@pytest.mark.parametrize("way", ["tab", "shift+tab", "line", "Form"])
async def test_the_form_that_gave_its_place_to_the_answer_comes_back(way: str, until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        view = await open_tool(app, pilot, until, "order_cake")
        await view.enter()
        form, answer = view.query_one(SchemaForm), view.query_one(AnswerView)
        await view.call()
        await until(pilot, lambda: "F5 again sends" in painted(app))
        await view.call()
        # The traffic comes back, too, that made way for the form.
        await until(
            pilot,
            lambda: answer.has_focus_within and not form.region and not app.screen.has_class("-filling"),
        )
        if way == "line":
            await pilot.click(BackLine)
        elif way == "Form":
            await pilot.click("#tool-tabs", offset=(2, 0))
        else:
            steps = 1 if way == "tab" else 3
            await pilot.press(*[way] * steps)
        await until(pilot, lambda: form.region and not answer.region)
        assert view.has_focus_within
        if way in ("tab", "line"):
            await until(pilot, lambda: form.has_focus_within)


async def test_a_form_says_nothing_is_wrong_before_anything_was_entered(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view.enter()
        await until(pilot, lambda: "required" in painted(app))
        view._form._check()
        await pilot.pause()
        assert "✗" not in painted(app)
        await pilot.press("A", "backspace")
        await until(pilot, lambda: "✗" in painted(app) and "shorter than 1" in painted(app))


async def test_a_call_finds_what_was_left_untouched(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view.call()
        await until(pilot, lambda: "shorter than 1" in painted(app) and "F5 again sends" in painted(app))


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_frame_is_read_with_room_and_the_room_is_given_back(
    size: tuple[int, int], until: Until
) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        await until(pilot, lambda: app.main.query(FrameList))
        before = app.main.query_one("#traffic").size.height
        for key in ("t", "slash", "escape", "f"):
            await pilot.press(key)
        await until(pilot, lambda: isinstance(app.focused, FrameList))
        await pilot.press("home", "down", "enter")
        await until(pilot, lambda: '"server/discover"' in painted(app) and "protocolVersion" in painted(app))
        await until(pilot, lambda: "Back" in painted(app) and "enter Open" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.main.query_one("#traffic").size.height == before)
        await pilot.press("enter")
        await until(pilot, lambda: "protocolVersion" in painted(app))
        await pilot.press("t")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.has_focus_within)
        assert app.main.query_one("#traffic").size.height == before
        await pilot.press("f")
        await until(pilot, lambda: "protocolVersion" in painted(app) and isinstance(app.focused, FrameList))


async def test_a_recording_has_the_screen_for_itself(tmp_path: Path, until: Until) -> None:
    live = Traffic.in_memory()
    live.attach(Writer(tmp_path / "a.mcprec", secrets=Secrets()))
    log = live.session(
        "bakery", transport="stdio", serverInfo={"name": "corner \x1b[2Jbakery", "version": "7"}
    )
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    log.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'])
    live.detach()
    whole = (tmp_path / "a.mcprec").read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.mcprec").write_bytes(b"".join(whole[:-1]))
    traffic = Traffic.open_recording(tmp_path / "cut.mcprec")
    async with opened(traffic=traffic) as (app, pilot):
        await until(pilot, lambda: "stopped in mid-flight" in painted(app) and "2 of 2" in painted(app))
        text = painted(app)
        assert "Recording" in text and "by mcp-inspect" in text and "secrets masked" in text
        assert "bakery (corner \\u001b[2Jbakery 7, stdio)" in text
        assert "No servers here" not in text and "Restart" not in text and "Record  " not in text
        assert "new" not in text and isinstance(app.focused, FrameList)
        for key in ("r", "R", "d", "s", "t", "z", "F", "1", "escape"):
            await pilot.press(key)
        assert isinstance(app.focused, FrameList) and app.main.query_one("#traffic").size.height > 30
        await pilot.press("enter")
        await until(pilot, lambda: '"method": "ping"' in painted(app))
        await pilot.press("escape", "slash", *"kind", "colon", *"response", "enter")
        await until(pilot, lambda: "1 of 2" in painted(app))
    traffic.close()


async def test_keys_typed_ahead_go_where_the_ones_before_have_led(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        app.typeahead.enabled = True
        # A busy machine is no flooded screen.
        app.typeahead._patience = 100_000
        for key in ("t", "/", *"sayh", "enter", *"Ada", "f5"):
            # Straight into the queue, as one read from a terminal does; the pilot waits after every key.
            app.post_message(events.Key(key if key != "/" else "slash", key if len(key) == 1 else None))
        await until(pilot, lambda: "Good morning, Ada!" in painted(app))


async def test_keys_do_not_pile_up_where_the_screen_never_rests(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        looks = 0

        def busy() -> bool:
            nonlocal looks
            looks += 1
            return True

        monkeypatch.setattr(app.typeahead, "_busy", busy)
        app.typeahead.enabled = True
        for key in ("down", "up") * 50:
            app.post_message(events.Key(key, None))
        app.post_message(events.Key("question_mark", "?"))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert looks < 200


async def test_a_failed_start_names_the_keys_that_help(until: Until) -> None:
    async with opened("broken") as (app, pilot):
        await until(pilot, lambda: state(app, "broken") == "error")
        await until(pilot, lambda: "r restart" in painted(app))
        await until(pilot, lambda: "3 all of stderr" in painted(app))
        await pilot.press("3")
        await until(pilot, lambda: "exit code 1" in painted(app))


async def test_only_calls_of_people_hold_up_the_end(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        connection = app.workspace.connections["bakery"]
        asked = asyncio.Event()
        waiting = asyncio.ensure_future(
            connection.request("resources/list", started=lambda pending: asked.set())
        )
        await asked.wait()
        assert app.main.calls_running() == 0
        await waiting


async def test_the_table_takes_a_share_of_the_screen_for_its_columns(until: Until) -> None:
    async with opened("bakery", "broken", size=(200, 60)) as (app, pilot):
        await until(pilot, lambda: state(app, "broken") == "error")
        assert 60 <= app.main.table.outer_size.width <= 90
        await until(pilot, lambda: "ROUND TRIPS" in painted(app))
        assert not isinstance(app.focused, Input)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_the_frame_of_the_part_with_the_focus_stands_out(size: tuple[int, int], until: Until) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        await until(pilot, lambda: app.main.pane is not None and app.main.traffic_pane is not None)
        parts = {name: app.main.query_one(f"#{name}") for name in ("servers", "connection", "traffic")}

        def lit() -> set[str]:
            return {name for name, part in parts.items() if part.has_class("-lit")}

        assert lit() == {"servers"}
        for key, part in (("f", "traffic"), ("t", "connection"), ("s", "servers")):
            await pilot.press(key)
            await until(pilot, lambda part=part: lit() == {part})


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("R", "R (Record) needs servers, and this is a recording. Open them: mcp-inspect FILE"),
        ("alt+k", "alt+k (Save the call) needs servers, and this is a recording."),
        ("alt+s", "alt+s (Send anything) needs servers, and this is a recording."),
        ("ctrl+l", "^l (Clear traffic) can do nothing in a recording."),
        ("alt+r", "A replay needs servers. Open them: mcp-inspect FILE, then alt+r, o for this recording."),
    ],
)
async def test_no_key_is_silent_on_a_recording(key: str, said: str, tmp_path: Path, until: Until) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(
        '{"t":0.5,"dir":"send","msg":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}"}\n'
    )
    traffic = Traffic.open_recording(path)
    async with opened(traffic=traffic) as (app, pilot):
        await until(pilot, lambda: "1 of 1" in painted(app))
        await pilot.press(key)
        await until(pilot, lambda: any(notice.message.startswith(said) for notice in app._notifications))
    traffic.close()


async def test_what_was_recorded_elsewhere_is_told_and_read(tmp_path: Path, until: Until) -> None:
    path = tmp_path / "bakery.jsonl"
    path.write_text(
        '{"t":0.5,"dir":"send","msg":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}"}\nbroken\n'
    )
    traffic = Traffic.open_recording(path)
    async with opened(traffic=traffic) as (app, pilot):
        await until(pilot, lambda: "2 of 2" in painted(app))
        text = painted(app)
        assert "SECRETS NOT MASKED" in text and "by another program" in text
        assert "imported from a log of frames" in text and "1 line could not be read" in text
        assert "line 2 cannot be read: broken" in text and "ping" in text
    traffic.close()
