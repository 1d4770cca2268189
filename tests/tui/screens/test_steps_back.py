"""Every screen and dialog: something has the focus, help tells about it, a jump finds its places, escape goes one step
back and never further."""

from __future__ import annotations

from typing import Any

from app import Until, open_tool, opened
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.tui.screens.help import HelpScreen
from inspector.tui.screens.jump import places

_ANYWHERE = (
    "question_mark", "a", "U", "alt+g", "alt+h", "alt+s", "alt+i", "alt+w", "alt+n", "alt+r", "alt+e", "alt+l",
    "alt+d", "ctrl+k", "delete",
)  # fmt: skip
_IN_THE_TRAFFIC = ("i", "M", "C", "L", "A", "D", "e", "ctrl+l")
_MOST = 4
"""Steps back from the deepest of them."""


async def _looked_at(app: InspectorApp, pilot: Pilot[Any], until: Until, key: str) -> None:
    """Opens a screen by a key, and leaves it by escape alone; what works everywhere does there."""
    at = app.screen
    assert at is app.main and app.focused is not None, key
    focused = app.focused
    await pilot.press(key)
    await until(pilot, lambda: app.screen is not at)
    opened_by_key = app.screen
    await until(pilot, lambda: app.screen is not opened_by_key or _is_ready(app))
    screen, depth = app.screen, len(app.screen_stack)
    if not isinstance(screen, HelpScreen):
        assert app.check_action("explain", ()) and app.check_action("jump", ()) and places(screen), key
    for _ in range(_MOST):
        if app.screen is at:
            break
        before = len(app.screen_stack)
        await pilot.press("escape")
        await until(pilot, lambda before=before: len(app.screen_stack) >= before - 1)
    await until(pilot, lambda: app.screen is at)
    assert depth >= 2 and app.is_running and app._exit is False
    assert app.focused is focused, key


def _is_ready(app: InspectorApp) -> bool:
    screen = app.screen
    return screen.is_mounted and (screen.focused is not None or not screen.focus_chain)


async def test_escape_leaves_every_screen_and_the_keys_that_are_everywhere_work_in_it(until: Until) -> None:
    async with opened("bakery", "shelf", size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.workspace.connections["bakery"].count("tools") is not None)
        await until(pilot, lambda: app.workspace.connections["shelf"].count("resources") is not None)
        await until(pilot, lambda: app.main.traffic_pane is not None)
        for connection in app.workspace.connections.values():
            connection.entry.source = connection.entry.source._replace(client="app")
        await pilot.press("s")
        for key in _ANYWHERE:
            await _looked_at(app, pilot, until, key)
        await pilot.press("f", "home", "m", "j", "m")
        pane = app.main.traffic_pane
        assert pane is not None
        await until(pilot, lambda: len(pane.frames.marks) == 2)
        for key in _IN_THE_TRAFFIC:
            await _looked_at(app, pilot, until, key)

        # From deep inside, escape alone leads to the servers and stays there.
        await open_tool(app, pilot, until, "say_hello")
        for _ in range(6):
            await pilot.press("escape")
        await until(pilot, lambda: app.main.table.has_focus)
        assert app.is_running and app.screen is app.main
