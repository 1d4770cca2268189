"""The demo server of 2026-07-28 in the app: rounds, subscriptions, cache hints, log messages, its page."""

from __future__ import annotations

from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from textual.pilot import Pilot

from inspector import demo
from inspector.session.responders import AskPerson
from inspector.session.session import Options
from inspector.tui.app import InspectorApp
from inspector.tui.panes.inbox import InboxPane
from inspector.tui.panes.resources import ResourcesPane
from inspector.tui.panes.tools import ToolsPane

SIZE = (200, 60)


async def ready(app: InspectorApp, pilot: Pilot[Any], until: Until, tool: str) -> Any:
    """The view of a tool."""
    await until(pilot, lambda: state(app, "post") == "ready" and app.main.pane is not None)
    await app.main.go_to("post", tool)
    pane = app.main.pane
    await until(
        pilot, lambda: isinstance(pane.tab, ToolsPane) and (view := pane.tab.view) and view.name_ == tool
    )
    await until(pilot, lambda: pane.tab.view.has_focus_within)
    return pane.tab.view


async def test_a_call_asks_in_two_rounds_and_ends_with_the_second(until: Until) -> None:
    async with opened("post", size=SIZE, options=Options(responder=AskPerson())) as (app, pilot):
        view = await ready(app, pilot, until, "send_parcel")
        await view._form.load({"to": "Ada"})
        await pilot.press("f5")
        await until(pilot, lambda: "Inbox ? 1" in painted(app))
        await pilot.press("f12")
        await until(
            pilot, lambda: isinstance(app.main.pane.tab, InboxPane) and "How shall it travel" in painted(app)
        )
        await pilot.press("f5")
        await until(pilot, lambda: "That makes 6.29" in painted(app))
        # The second question is entered before it is answered: nobody has read it yet.
        await pilot.press("f5")
        await until(pilot, lambda: "I pay that" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: view.calls[0].badge == "ok")
        await until(
            pilot, lambda: "with input: question" in painted(app) and "asks for question" in painted(app)
        )
        assert view.calls[0].answer.result["structuredContent"]["price"] == 6.29


async def test_a_change_of_the_tools_is_heard_of(until: Until) -> None:
    async with opened("post", size=SIZE) as (app, pilot):
        view = await ready(app, pilot, until, "open_window")
        await pilot.press("f5")
        await until(pilot, lambda: view.calls and view.calls[0].badge == "ok")
        await until(pilot, lambda: app.workspace.connections["post"].count("tools") == 7)
        await until(pilot, lambda: "buy_stamps" in painted(app))


async def test_what_is_read_says_how_long_it_keeps_and_is_read_again(until: Until) -> None:
    async with opened("post", size=SIZE) as (app, pilot):
        await ready(app, pilot, until, "weigh")
        await until(pilot, lambda: "page ui://post/counter" in painted(app))
        app.main.pane.open_resource("post://queue")
        await until(pilot, lambda: isinstance(app.main.pane.tab, ResourcesPane))
        await until(pilot, lambda: "may be kept for 10.0 s, for this user only" in painted(app))
        await pilot.press("alt+u")
        rereading = app.workspace.connections["post"].rereading
        await until(pilot, lambda: len(rereading.readings("post://queue")) == 2)
        await until(pilot, lambda: "D shows what" in painted(app))


async def test_log_messages_come_when_a_level_is_asked_for(until: Until) -> None:
    async with opened("post", size=SIZE) as (app, pilot):
        view = await ready(app, pilot, until, "sort_mail")
        connection = app.workspace.connections["post"]
        app.main.tab_wanted("log")
        await app.main.go_to("post", None)
        await until(pilot, lambda: "Asked for: none" in painted(app))
        await connection.told.set_level("info")
        await until(pilot, lambda: "Asked for: info" in painted(app))
        view = await ready(app, pilot, until, "sort_mail")
        await view._form.load({"letters": 2})
        await pilot.press("f5")
        await until(pilot, lambda: view.calls and view.calls[0].badge == "ok")
        await until(
            pilot,
            lambda: [message.data for message in connection.messages.messages] == ["2 letters are sorted"],
        )


async def test_over_http_the_frame_to_come_is_shown_with_what_goes_into_headers(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo.hosted("post") as url:
        monkeypatch.setitem(SERVERS, "post", url)
        async with opened("post", size=SIZE) as (app, pilot):
            view = await ready(app, pilot, until, "send_parcel")
            assert app.workspace.connections["post"].transport == "http"
            await view._form.load({"to": "Köln"})
            await pilot.press("f2")
            await until(pilot, lambda: "Mcp-Param-Destination: =?base64?S8O2bG4=?=" in painted(app))
            await until(pilot, lambda: "Mcp-Name: send_parcel" in painted(app))
            await view._form.load({"to": "Rome"})
            await until(pilot, lambda: "Mcp-Param-Destination: Rome" in painted(app))
