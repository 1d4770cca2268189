"""A session that a person opens by hand, in the app on the demo server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, TextArea

from inspector import demo
from inspector.tui.app import InspectorApp
from inspector.tui.screens.compose import ComposeScreen
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.text.json_view import JsonView


async def send(app: InspectorApp, pilot: Pilot[Any], until: Until, method: str, params: str = "") -> str:
    """What comes back, or what is said of a notification."""
    await pilot.press("alt+s")
    await until(pilot, lambda: isinstance(app.screen, Picker))
    app.screen.query_one(Input).value = method
    shown = app.screen.query_one(OptionList)
    await until(pilot, lambda: shown.options and str(shown.options[0].prompt).strip().startswith(method))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ComposeScreen))
    screen = app.screen
    if params:
        screen.query_one(TextArea).text = params
    await pilot.press("f5")
    await until(pilot, lambda: screen.query_one(JsonView).text or "has no answer" in painted(app))
    said = screen.query_one(JsonView).text or painted(app)
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is app.main)
    return said


async def test_a_session_is_opened_by_hand_or_used_without_its_handshake(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        bakery = app.workspace.connections["bakery"]
        await until(pilot, lambda: bakery.count("prompts") is not None and app.main.pane is not None)
        await pilot.press("s", "B")
        await until(pilot, lambda: state(app, "bakery") == "open")
        await until(pilot, lambda: "by hand: new" in painted(app) and "nothing goes out" in painted(app))
        traffic = app.workspace.traffic
        began = traffic.end
        assert bakery.handshake is None and bakery.is_open
        refused = json.loads(await send(app, pilot, until, "tools/list"))
        assert "not initialized" in refused["error"]["message"]
        agreed = json.loads(await send(app, pilot, until, "initialize"))
        assert agreed["result"]["serverInfo"]["name"] == "bakery"
        await until(pilot, lambda: "by hand: initializing" in painted(app))
        assert bakery.stage == "initializing" and bakery.catalog is not None and not bakery.catalog.listings
        assert "error" not in json.loads(await send(app, pilot, until, "ping"))
        assert "no answer" in await send(app, pilot, until, "notifications/initialized")
        await until(pilot, lambda: state(app, "bakery") == "ready" and bakery.count("tools"))
        assert [step.step for step in bakery.steps.steps][2:5] == ["initialize", "version", "initialized"]
        frames = [json.loads(raw) for raw in traffic.raws(began, traffic.end) if raw.startswith(b"{")]
        sent = [frame["method"] for frame in frames if "method" in frame]
        assert sent[:4] == ["tools/list", "initialize", "ping", "notifications/initialized"]
        await pilot.press("r")
        await until(pilot, lambda: bakery.restarts == 2 and state(app, "bakery") == "ready")
        assert not bakery.by_hand


async def test_a_session_id_is_wrong_or_missing_on_purpose_and_what_came_of_it_is_said(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo.hosted("bakery") as url:
        monkeypatch.setitem(SERVERS, "web", url)
        async with opened("web") as (app, pilot):
            web = app.workspace.connections["web"]
            await until(pilot, lambda: web.count("prompts") is not None and app.main.pane is not None)
            await pilot.press("s", "alt+s")
            await until(pilot, lambda: isinstance(app.screen, Picker))
            app.screen.query_one(Input).value = "ping"
            await until(pilot, lambda: len(app.screen.query_one(OptionList).options) == 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, ComposeScreen))
            screen = app.screen
            await until(pilot, lambda: "usual: Content-Type: application/json" in painted(app))
            headers = screen.query_one("#headers", TextArea)
            for written, said in (
                ("Mcp-Session-Id: wrong", "HTTP 404: it does not know this session, and says so as is due"),
                ("mcp-session-id:", "HTTP 400: without a session id it refuses, as is due"),
                (
                    "MCP-Protocol-Version: 1999-01-01",
                    "HTTP 400: it refuses the version of the header, as is due",
                ),
                ("no header", "line 1 of the headers is none"),
                ("X-Mine: 1", "HTTP 200: served all the same"),
            ):
                headers.text = written
                await pilot.press("f5")
                await until(pilot, lambda said=said: said in painted(app))
            assert web.session is not None and not any("forgot" in text for text in web.session.warnings)
            traffic = app.workspace.traffic
            pings = [row for row in range(traffic.first, traffic.end) if b'"ping"' in traffic.raw(row)]
            found = [exchange for row in pings if (exchange := traffic.exchange(row)) is not None]
            lower = [{name.lower(): value for name, value in each.request_headers} for each in found]
            assert len(lower) == 4 and [head.get("mcp-session-id", "")[:5] for head in lower][:2] == [
                "wrong",
                "",
            ]
            assert lower[2]["mcp-protocol-version"] == "1999-01-01" and lower[3]["x-mine"] == "1"


async def test_methods_that_the_version_does_not_have_come_last_and_say_so(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready")
        await pilot.press("s", "alt+s")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        titles = [str(each.prompt).strip() for each in app.screen.query_one(OptionList).options]
        assert "server/discover  · not in 2025-11-25" in titles and "tasks/get" in titles
        known = [place for place, title in enumerate(titles) if " · not in" not in title]
        assert known[:-1] == list(range(len(known) - 1)), (
            "what it has comes first, and something else at the end"
        )
