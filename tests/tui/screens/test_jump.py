from __future__ import annotations

from typing import Any

import pytest
from app import Until, open_tool, opened
from textual.pilot import Pilot
from textual.widgets import Button, Input, Static

from inspector.tui.app import InspectorApp
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.help import HelpScreen
from inspector.tui.screens.jump import JumpScreen, _codes, places
from inspector.tui.widgets.bars.tab_strip import TabStrip


@pytest.mark.parametrize(("count", "length"), [(1, 1), (26, 1), (27, 2), (300, 2)])
def test_every_place_has_a_code_of_its_own(count: int, length: int) -> None:
    codes = [code for code, _ in zip(_codes(count), range(count), strict=False)]
    assert len(set(codes)) == count and {len(code) for code in codes} == {length}


def _letter(app: InspectorApp, widget: Any) -> str:
    """The letter that stands where a widget begins."""
    under = app.screen_stack[-2]
    at = under.find_widget(widget).visible_region.offset
    mark = next(each for each in app.screen.query(Static) if each.region.offset == at)
    return str(mark.content)


async def test_a_letter_goes_to_any_place_of_the_screen(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await pilot.press("alt+m")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        frames = app.main.traffic_pane
        assert frames is not None
        await pilot.press(_letter(app, frames.frames))
        await until(pilot, lambda: frames.frames.has_focus)

        # A field, and from there, where ; would be typed, with alt+m to a button that is not pressed by it.
        await pilot.press("semicolon")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        field = view.query(Input).first()
        await pilot.press(_letter(app, field))
        await until(pilot, lambda: field.has_focus)
        await pilot.press("semicolon")
        assert field.value == ";" and app.screen is app.main
        await pilot.press("alt+m")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        button = next(each for each in view.query(Button) if each.region and each.focusable)
        await pilot.press(_letter(app, button))
        await until(pilot, lambda: button.has_focus)
        assert view.calls == []

        # A tab; escape closes the letters.
        await pilot.press("semicolon")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        assert app.main.pane is not None
        await pilot.press(_letter(app, app.main.pane.query(TabStrip).first()))
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_id == "overview")
        await pilot.press("semicolon")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)

        await _in_a_dialog(app, pilot, until)


async def _in_a_dialog(app: InspectorApp, pilot: Pilot[Any], until: Until) -> None:
    """Dialogs have the keys that are everywhere: a jump, and help on the focused part."""
    await pilot.press("a")
    await until(pilot, lambda: isinstance(app.screen, ConnectScreen) and app.focused is not None)
    dialog = app.screen
    await pilot.press("alt+m")
    await until(pilot, lambda: isinstance(app.screen, JumpScreen))
    assert 1 < len(app.screen.query(Static)) == len(places(dialog))
    button = dialog.query(Button).last()
    await pilot.press(_letter(app, button))
    await until(pilot, lambda: app.screen is dialog and button.has_focus)
    await pilot.press("f1")
    await until(pilot, lambda: isinstance(app.screen, HelpScreen))
    await pilot.press("f1")
    await until(pilot, lambda: app.screen is dialog)
    await pilot.press("question_mark")
    await until(pilot, lambda: isinstance(app.screen, HelpScreen))
