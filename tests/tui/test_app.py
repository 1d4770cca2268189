"""The app on real servers, driven by keys."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from app import SERVERS, Until, open_tool, opened, painted, state, tool_view
from textual import events
from textual.widgets import Input, TextArea

from inspector.base.errors import Failure
from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.traffic.writer import Writer
from inspector.tui import themes
from inspector.tui.app import InspectorApp
from inspector.tui.panes.connection import ConnectionPane
from inspector.tui.panes.overview import OverviewPane
from inspector.tui.panes.process import ProcessPane
from inspector.tui.panes.tools import ToolsPane
from inspector.tui.registry import ACTIONS
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.help import HelpScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.lists.uri_list import UriLines
from inspector.tui.widgets.servers.status_table import StatusTable
from inspector.tui.widgets.text.json_view import JsonView
from inspector.workspace.workspace import Workspace


async def test_first_paint_shows_the_servers_before_any_has_answered() -> None:
    async with opened("bakery", "silent") as (app, pilot):
        assert [line.name for line in app.main.table._lines] == ["bakery", "silent"]
        assert app.main.table.has_focus
        await pilot.pause()


async def test_rows_become_ready_and_failed_ones_say_why(until: Until) -> None:
    async with opened("bakery", "broken", "ghost", "silent") as (app, pilot):
        await until(pilot, lambda: "BAKERY_KEY is not set" in painted(app) and "30 tools" in painted(app))
        text = painted(app)
        assert "exit 1" in text and "not found" in text and "starting" in text
        assert "1 ready" in text and "2 failed" in text
        assert app.main.table.selected == "bakery"


async def test_who_comes_to_a_server_while_its_pane_is_built_finds_it_whole(until: Until) -> None:
    async with opened("bakery", "shelf") as (app, pilot):
        for name in ("bakery", "shelf"):
            await until(pilot, lambda name=name: state(app, name) == "ready")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.is_attached)
        await asyncio.gather(*(app.main.go_to("shelf", "look") for _ in range(3)))
        await until(
            pilot, lambda: isinstance(app.main.pane, ConnectionPane) and app.main.table.selected == "shelf"
        )


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (30, 8)])
async def test_every_size_is_painted(size: tuple[int, int], until: Until) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("t")
        await until(pilot, lambda: app.main.query(ToolsPane))
        await pilot.press("z", "question_mark", "escape", "escape")
        await pilot.resize_terminal(200, 50)
        await pilot.pause()
        await until(pilot, lambda: "mcp-inspect" in painted(app))


async def test_the_selection_survives_changes(until: Until) -> None:
    async with opened("silent", "bakery") as (app, pilot):
        await pilot.press("down")
        await until(pilot, lambda: state(app, "bakery") == "ready")
        assert app.main.table.selected == "bakery"
        await pilot.press("r")
        await until(pilot, lambda: app.workspace.connections["bakery"].restarts == 1)
        await until(pilot, lambda: state(app, "bakery") == "ready")
        assert app.main.table.selected == "bakery"


async def test_the_mouse_selects_servers_and_runs_what_the_key_bar_says(until: Until) -> None:
    async with opened("silent", "bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.click(StatusTable, offset=(6, 2))
        await until(pilot, lambda: app.main.table.selected == "bakery")
        bar = app.main.query_one(KeyBar)
        (left,) = [left for left, _, key in bar._spots if key == "question_mark"]
        await pilot.click(KeyBar, offset=(left + bar.gutter.left, 0))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_the_focus_comes_along_to_the_next_server(until: Until) -> None:
    async with opened("bakery", "silent") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("t")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.has_focus_within)
        await pilot.press("n")
        await until(pilot, lambda: app.main.table.selected == "silent" and app.main.pane.has_focus_within)  # type: ignore[union-attr]


async def test_a_server_is_disabled_and_enabled(until: Until) -> None:
    async with opened("bakery", disabled=("bakery",)) as (app, pilot):
        await until(pilot, lambda: "Press d" in painted(app))
        await pilot.press("d")
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("d")
        await until(pilot, lambda: state(app, "bakery") == "disabled")


async def test_overview_shows_steps_while_a_start_hangs_and_why_one_failed(until: Until) -> None:
    async with opened("silent", "broken") as (app, pilot):
        await until(pilot, lambda: "handshake" in painted(app) and "… handshake" in painted(app))
        await until(pilot, lambda: state(app, "broken") == "error")
        await pilot.press("n")
        await until(pilot, lambda: "✗ exited with code 1" in painted(app))
        assert app.main.pane is not None and isinstance(app.main.pane.tab, OverviewPane)


async def test_a_tool_is_found_by_its_name_filled_in_and_called(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("t")
        await until(pilot, lambda: app.main.query(ToolsPane))
        await pilot.press("slash", *"sayh")
        await pilot.press("enter")
        await until(pilot, lambda: tool_view(app) is not None and tool_view(app).has_focus_within)  # type: ignore[union-attr]
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press(*"Ada", "f5")
        await until(pilot, lambda: "Good morning, Ada!" in painted(app))
        await until(pilot, lambda: "✓ ok" in painted(app))
        app.main.query_one(AnswerView).enter()
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press(*"loaves", "enter")
        await until(
            pilot,
            lambda: app.main.query_one(AnswerView).query_one(JsonView).pointer == "$.result.content[0].text",
        )
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.focused, JsonView))


async def test_what_does_not_fit_is_sent_when_asked_for_twice(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "order_cake")
        await view.call()
        await until(pilot, lambda: "F5 again sends" in painted(app))
        assert not view.running
        await view.call()
        await until(pilot, lambda: app.main.query_one(AnswerView).call is not None)
        call = view.query_one(AnswerView).call
        assert call is not None and call.badge in ("tool error", "protocol error", "ok")


async def test_a_running_call_shows_progress_and_can_be_cancelled(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "bake")
        await until(pilot, lambda: view.has_focus_within)
        await view._form.load({"bread": "baguette", "seconds": 60})
        await view.enter()
        await pilot.press("f5")
        await until(pilot, lambda: "%" in painted(app) and "Cancel" in painted(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) or app.main.focused is not None)
        await pilot.press("escape")
        await pilot.press("f8")
        await until(pilot, lambda: not view.running)
        await until(pilot, lambda: view.query_one(AnswerView).call is not None)
        call = view.query_one(AnswerView).call
        assert call is not None and call.badge == "cancelled"


async def test_quitting_asks_first_while_a_call_runs(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "bake")
        await view._form.load({"bread": "baguette", "seconds": 60})
        await view.call()
        await until(pilot, lambda: app.main.calls_running() == 1)
        app.main.table.focus()
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)


async def test_stderr_is_one_key_away(until: Until) -> None:
    async with opened("broken") as (app, pilot):
        await until(pilot, lambda: state(app, "broken") == "error")
        await pilot.press("3")
        await until(pilot, lambda: app.main.query(ProcessPane))
        await until(pilot, lambda: "exit code 1" in painted(app) and "follow" in painted(app))
        await pilot.press("slash", *"key")
        await until(pilot, lambda: "2 found" in painted(app))


async def test_the_command_palette_finds_actions_and_tools(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("tools") is not None)
        await pilot.press("ctrl+p", *"say_hello")
        await until(pilot, lambda: "Tool of bakery" in painted(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: tool_view(app) is not None and tool_view(app).name_ == "say_hello")  # type: ignore[union-attr]


async def test_the_command_palette_takes_no_name_for_markup(until: Until) -> None:
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}) as workspace:
        entry = from_command(SERVERS["bakery"])
        entry.name = "[/bold] list[int]"
        workspace.add(entry)
        app = InspectorApp(workspace, "servers.json")
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: workspace.connections[entry.name].count("tools") is not None)
            await pilot.press("ctrl+p", *"say_hello")
            await until(pilot, lambda: "Tool of [/bold] list[int]" in painted(app))
            await pilot.press("ctrl+u", *"list")
            await until(
                pilot, lambda: "[/bold] list[int]" in painted(app) and "say_hello" not in painted(app)
            )


async def test_what_no_field_can_take_is_not_pasted(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.focused, TextArea))
        area = app.focused
        assert isinstance(area, TextArea)
        app.post_message(events.Paste("npx " + "x y" * 2_000_000))
        await until(pilot, lambda: any("Nothing was pasted" in one.message for one in app._notifications))
        assert not area.text
        app.post_message(events.Paste("npx server\n" * 1000))
        await until(pilot, lambda: area.text)


async def test_help_names_every_action() -> None:
    async with opened("bakery") as (app, pilot):
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        text = app.screen._text().plain
        # A long title is told on two lines.
        assert all(word in text for action in ACTIONS for word in action.title.split())
        await pilot.press("escape")
        assert app.screen is app.main


async def test_recording_begins_and_ends(until: Until, home: Path) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("R")
        await until(pilot, lambda: "● REC" in painted(app))
        await pilot.press("R")
        await until(pilot, lambda: "● REC" not in painted(app))
    (file,) = (home / "state" / "recordings").iterdir()
    assert b'"initialize"' in file.read_bytes() and b'"end"' in file.read_bytes().splitlines()[-1]


async def test_a_recording_that_masks_nothing_is_told_in_the_title(until: Until, tmp_path: Path) -> None:
    async with opened("bakery") as (app, pilot):
        app.workspace.traffic.attach(Writer(tmp_path / "a.mcprec", redact=False))
        await until(pilot, lambda: "● REC SECRETS NOT MASKED" in painted(app))
        await pilot.press("R", "R")
        await until(pilot, lambda: "● REC" in painted(app) and "NOT MASKED" not in painted(app))


async def test_zoom_gives_the_screen_to_one_part_and_back(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.main.pane is not None)
        await pilot.press("z")
        assert app.main.table.size.width > 100
        await pilot.press("escape")
        assert app.main.table.size.width < 60


async def test_a_server_that_needs_consent_is_asked_about(until: Until) -> None:
    async with opened("bakery", disabled=("bakery",)) as (app, pilot):
        app.workspace.connections["bakery"].refuse(Failure(kind="consent", message="not approved"))
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await until(pilot, lambda: "inspector.demo" in painted(app))
        await pilot.press("n")
        await pilot.pause()
        assert state(app, "bakery") == "disabled"
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: state(app, "bakery") == "ready")


async def test_a_bug_of_ours_costs_the_pane_and_not_the_session(until: Until, home: Path) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab is not None)
        app.survives_errors = True
        pane = app.main.pane
        assert pane is not None

        def fail() -> None:
            raise RuntimeError("a bug, with the token Bearer abcdefghijklmnop")

        pane.tab.call_later(fail)
        async with asyncio.timeout(20):
            # Not by the pilot: it waits for every widget, and this one answers no more.
            while app.main.pane is pane or app.main.pane is None:
                await asyncio.sleep(0.01)
        assert app.is_running and state(app, "bakery") == "ready"
        assert isinstance(app.main.pane, ConnectionPane)
        (report,) = (home / "state" / "crashes").iterdir()
        assert "RuntimeError" in report.read_text() and "abcdefghijklmnop" not in report.read_text()


@pytest.mark.parametrize("where", ["on_mount", "on_key"])
async def test_a_bug_in_a_dialog_costs_the_dialog_and_not_the_keys(
    where: str, until: Until, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug of ours")

    async with opened("bakery") as (app, pilot):
        app.survives_errors = True
        await until(pilot, lambda: state(app, "bakery") == "ready")
        with monkeypatch.context() as patch:
            patch.setattr(HelpScreen, where, fail, raising=False)
            app.push_screen(HelpScreen(set()))
            app.screen.post_message(events.Key("x", "x"))
            async with asyncio.timeout(20):
                # Not by the pilot: it waits for every widget, and this one answers no more.
                while app.screen is not app.main or not (home / "state" / "crashes").exists():
                    await asyncio.sleep(0.01)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)


async def test_what_fails_on_the_way_out_is_not_thrown_at_anybody(until: Until) -> None:
    def fail() -> None:
        raise RuntimeError("a part that is gone already")

    async with opened("bakery") as (app, pilot):
        app.survives_errors = True
        await until(pilot, lambda: state(app, "bakery") == "ready")
        app.exit()
        app.main.call_later(fail)
    assert not app.return_code and not app._exit_renderables


async def test_the_app_ends_where_its_own_screen_answers_no_more(until: Until) -> None:
    def fail() -> None:
        raise RuntimeError("a bug of ours")

    with pytest.raises(RuntimeError, match="a bug of ours"):
        async with opened("bakery") as (app, pilot):
            app.survives_errors = True
            await until(pilot, lambda: state(app, "bakery") == "ready")
            app.main.call_later(fail)
            async with asyncio.timeout(20):
                while app._exception is None:
                    await asyncio.sleep(0.01)


async def test_themes_go_round_and_no_server_is_needed(until: Until) -> None:
    async with opened() as (app, pilot):
        await until(pilot, lambda: "No servers here" in painted(app))
        seen = {app.theme}
        for _ in themes.CYCLE:
            await pilot.press("ctrl+t")
            await pilot.pause()
            await until(pilot, lambda: "mcp-inspect" in painted(app))
            seen.add(app.theme)
        assert seen == set(themes.CYCLE)
        for key in ("r", "d", "t", "y", "R", "R", "z", "z", "slash", "1", "right_square_bracket"):
            await pilot.press(key)
        assert isinstance(app.main.table, StatusTable)


async def test_a_theme_is_kept_for_the_next_time(until: Until) -> None:
    async with opened() as (app, pilot):
        await pilot.press("ctrl+p", *"theme nord")
        await until(pilot, lambda: "Theme nord" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.theme == "nord")
    async with opened() as (app, _):
        assert app.theme == "nord"


async def test_on_a_tiny_screen_each_part_has_all_of_it(until: Until) -> None:
    async with opened("bakery", size=(44, 12)) as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready" and app.main.pane is not None)
        assert app.main.table.size.width >= 40
        await pilot.press("t")
        await until(pilot, lambda: app.main.zoomed == "connection" and "say_hello" in painted(app))
        await pilot.press("f")
        assert app.main.zoomed == "traffic"
        await pilot.press("s")
        assert app.main.zoomed == "servers"
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: app.main.zoomed is None)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_resource_is_read_with_one_key(size: tuple[int, int], until: Until) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.focused, UriLines))
        await pilot.press("enter")
        await until(pilot, lambda: "Come in!" in painted(app))
        assert app.main.pane is not None and app.main.pane.has_focus_within


async def test_a_prompt_is_got_with_its_arguments(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.focused, UriLines))
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press(*"rye", "f5")
        await until(
            pilot, lambda: "user" in painted(app) and "rye" in painted(app) and "✓ ok" in painted(app)
        )
