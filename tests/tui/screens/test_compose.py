"""Sending by hand: a frame of the traffic once more, and anything else."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from live import ODD
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, TextArea

from inspector.protocol.methods import NOTIFICATIONS, REQUESTS
from inspector.tui.app import InspectorApp
from inspector.tui.screens.compose import ComposeScreen
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.traffic.sendable import sendable
from inspector.workspace.by_hand import offered, undeclared


def dialog(app: InspectorApp) -> ComposeScreen:
    assert isinstance(app.screen, ComposeScreen)
    return app.screen


def answer(app: InspectorApp) -> str:
    return dialog(app).query_one(JsonView).text


async def chosen(app: InspectorApp, pilot: Pilot[Any], until: Until, typed: str) -> ComposeScreen:
    """The dialog with what the list offers first for these words."""
    await pilot.press("s", "alt+s")
    await until(pilot, lambda: isinstance(app.screen, Picker))
    app.screen.query_one(Input).value = typed
    shown = app.screen.query_one(OptionList)
    await until(pilot, lambda: shown.options and all(typed in str(each.prompt) for each in shown.options))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ComposeScreen))
    return dialog(app)


async def test_every_method_has_a_template_with_names_of_the_server(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        bakery = app.workspace.connections["bakery"]
        await until(pilot, lambda: bakery.count("resources") is not None)
        screen = await chosen(app, pilot, until, "resources/read")
        assert bakery.catalog is not None
        uri = bakery.catalog.listings["resources"].entries[0]["uri"]
        assert screen.query_one(Input).value == "resources/read"
        assert json.loads(screen.query_one(TextArea).text) == {"uri": uri}
        await pilot.press("f5")
        await until(pilot, lambda: '"contents"' in answer(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        screen = await chosen(app, pilot, until, "initialize")
        assert json.loads(screen.query_one(TextArea).text)["clientInfo"]["name"] == "mcp-inspect"
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        assert set(offered(bakery)) == {*REQUESTS, *NOTIFICATIONS}


async def test_what_is_not_declared_is_said_to_be_that_and_sent_all_the_same(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SERVERS, "odd", [sys.executable, ODD])
    async with opened("odd") as (app, pilot):
        odd = app.workspace.connections["odd"]
        await until(pilot, lambda: state(app, "odd") == "ready")
        assert "prompts/list" in undeclared(odd) and "tools/list" not in undeclared(odd)
        await pilot.press("s", "alt+s")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        app.screen.query_one(Input).value = "prompts/list"
        await until(pilot, lambda: "prompts/list  · prompts is not declared" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ComposeScreen))
        await pilot.press("f5")
        await until(pilot, lambda: "-32601" in answer(app))


async def test_a_request_is_sent_again_with_changes(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: app.main.traffic_pane is not None)
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        pane = app.main.traffic_pane
        assert pane is not None
        await pilot.press("f")
        pane.filter_by("method:tools/list kind:res")
        await until(pilot, lambda: pane.frames.shown > 0)
        pane.frames.focus()
        await pilot.press("home", "e")
        await until(pilot, lambda: isinstance(app.screen, ComposeScreen))
        screen = dialog(app)
        assert (
            screen.query_one(Input).value == "tools/list"
            and "progressToken" not in screen.query_one(TextArea).text
        )
        screen.query_one(Input).value = "tools/call"
        screen.query_one(TextArea).text = '{"name": "price_of", "arguments": {"item": "rye"}}'
        before = len(app.workspace.traffic)
        await pilot.press("f5")
        await until(pilot, lambda: '"result"' in answer(app))
        sent = app.workspace.traffic.raws(before, app.workspace.traffic.end)
        calls = [raw for raw in sent if b'"tools/call"' in raw]
        assert len(calls) == 1 and json.loads(calls[0])["params"]["name"] == "price_of"
        await pilot.press("f5")
        await until(pilot, lambda: "#" in painted(app) and len(app.workspace.traffic) >= before + 4)
        pane.filter_by("")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        await until(pilot, lambda: pane.frames.selected is not None)
        row = app.workspace.traffic.row(pane.frames.selected or 0)
        assert (row.method, row.channel, row.kind) == ("tools/call", "c2s", "request")


async def test_what_is_wrong_is_said_before_anything_is_sent(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await chosen(app, pilot, until, "something else")
        count = len(app.workspace.traffic)
        await pilot.press("f5")
        await until(pilot, lambda: "Write the method first." in painted(app))
        screen = dialog(app)
        screen.query_one(Input).value = "no/such"
        for text, said in (("{", "no JSON: line 1, column 2"), ("[1]", "must be an object")):
            screen.query_one(TextArea).text = text
            await pilot.press("f5")
            await until(pilot, lambda said=said: said in painted(app))
        assert not any(
            b"no/such" in raw for raw in app.workspace.traffic.raws(count, app.workspace.traffic.end)
        )
        screen.query_one(TextArea).text = '{"number": 1.50}'
        await pilot.press("f5")
        await until(pilot, lambda: '"error"' in answer(app) and "✗ #" in painted(app))
        assert any(
            b'"number":1.50' in raw for raw in app.workspace.traffic.raws(count, app.workspace.traffic.end)
        )


async def test_a_notification_has_no_id_and_no_answer(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await chosen(app, pilot, until, "notifications/roots")
        await pilot.press("f5")
        await until(pilot, lambda: "a notification has no answer" in painted(app))
        traffic = app.workspace.traffic
        raws = [
            json.loads(raw)
            for raw in traffic.raws(traffic.first, traffic.end)
            if b"roots/list_changed" in raw
        ]
        assert raws and "id" not in raws[-1]
        app.main.action_stop()
        await until(pilot, lambda: state(app, "bakery") == "disabled")
        await pilot.press("f5")
        await until(pilot, lambda: "nothing was sent" in painted(app))


def test_what_can_be_sent_again() -> None:
    meta = b'"_meta":{"progressToken":1,"io.modelcontextprotocol/c":{},"own":2}'
    raw = b'{"id":1,"method":"a","params":{"x":1.50,%s}}' % meta
    method, params = sendable(raw)
    assert method == "a" and json.loads(params) == {"x": 1.5, "_meta": {"own": 2}} and "1.50" in params
    assert sendable(b'{"method":"ping","params":{"_meta":{"progressToken":1}}}') == ("ping", "")
    for odd in (b"", b"[]", b"{}", b'{"method":1}', b"\xff", b"NaN"):
        assert sendable(odd) == ("", "")
