"""Serving from the app: what is served as a row, its clients in a pane, and what is sent to them by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app import opened, painted
from live import http
from textual.pilot import Pilot

from inspector.serving import written
from inspector.serving.http import hosted
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer
from inspector.tui.app import InspectorApp
from inspector.tui.screens.serve import ServeScreen
from inspector.tui.widgets.forms.path_input import PathInput
from inspector.workspace.serving import Served

Until = Callable[[Pilot[Any], Callable[[], object]], Any]
SHOP = """
definition: 1
server: {name: shop, version: 1.0.0}
tools: [{name: price, inputSchema: {type: object}}]
answers:
- {tool: price, text: "1.50"}
"""
OLDER = Options(protocol="2025-11-25", connect_timeout=20)


def served_of(app: InspectorApp) -> Served:
    found = app.workspace.connections["shop"]
    assert isinstance(found, Served)
    return found


async def serve(app: InspectorApp, pilot: Pilot[Any], until: Until, file: Path) -> Served:
    """By keys, but for the path."""
    await until(pilot, lambda: app.main.traffic_pane is not None)
    await pilot.press("alt+h")
    await until(pilot, lambda: isinstance(app.screen, ServeScreen))
    app.screen.query_one(PathInput).value = str(file)
    await pilot.press("enter")
    await until(pilot, lambda: "shop" in app.workspace.connections and served_of(app).state == "ready")
    return served_of(app)


async def test_a_definition_is_served_and_its_client_is_seen(tmp_path: Path, until: Until) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(SHOP)
    async with opened(size=(120, 40)) as (app, pilot):
        served = await serve(app, pilot, until, file)
        await until(pilot, lambda: served.url in painted(app) and "No client has come yet" in painted(app))
        async with http(served.url, options=OLDER) as session:
            await session.connect()
            answer = await session.request("tools/call", {"name": "price", "arguments": {}})
            assert answer.result["content"][0]["text"] == "1.50"
            await until(pilot, lambda: "#1 mcp-inspect" in painted(app) and "2 requests" in painted(app))
            assert "1 client" in painted(app) and "tools/call" in painted(app)
            await pilot.press("enter")
            await until(pilot, lambda: app.main.pane is not None and app.main.pane.has_focus_within)
            await pilot.press("f5")
            await until(pilot, lambda: "roots/list" in painted(app))
            await pilot.press(*"ping", "enter")
            await until(pilot, lambda: "Send to shop #1" in painted(app))
            await pilot.press("ctrl+s")
            await until(pilot, lambda: "✓ #" in painted(app))
            await pilot.press("escape")
            await until(pilot, lambda: "ping" in painted(app) and "Send to shop" not in painted(app))
            # What went out is sent again from its row, and from that of its answer.
            app.main.action_focus_traffic()
            await pilot.press("e")
            await until(pilot, lambda: "Send to shop #1" in painted(app))
            await pilot.press("ctrl+s")
            await until(pilot, lambda: "✓ #" in painted(app))
            await pilot.press("escape")
            await until(pilot, lambda: "Send to shop" not in painted(app))
        await until(pilot, lambda: "ended" in painted(app))
        await app.main.go_to("shop", None)
        await pilot.press("S")
        await until(pilot, lambda: served.state == "disabled" and "not served now" in painted(app))


async def test_faults_are_chosen_and_all_clients_are_told_by_keys(tmp_path: Path, until: Until) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(SHOP)
    async with opened(size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: app.main.traffic_pane is not None)
        await pilot.press("alt+h")
        await until(pilot, lambda: isinstance(app.screen, ServeScreen))
        dialog = app.screen
        assert isinstance(dialog, ServeScreen)
        dialog.query_one(PathInput).value = str(file)
        dialog._faults.value = "ignore-eof"
        await pilot.press("enter")
        await until(pilot, lambda: "happens on stdio only" in painted(app))
        dialog._faults.value = "id-type:method=tools/list"
        await pilot.press("enter")
        await until(pilot, lambda: "shop" in app.workspace.connections and served_of(app).state == "ready")
        served = served_of(app)
        await until(pilot, lambda: "goes wrong on purpose: id-type" in painted(app))
        async with http(served.url, options=OLDER) as session:
            await session.connect()
            await session.request("tools/list")
            await until(pilot, lambda: "#1 mcp-inspect" in painted(app) and "2 requests" in painted(app))
            await pilot.press("enter")
            await until(pilot, lambda: app.main.pane is not None and app.main.pane.has_focus_within)
            await pilot.press("b")
            await until(pilot, lambda: "Send to all clients" in painted(app))
            await pilot.press(*"prompts", "enter")
            await until(pilot, lambda: "Method" in painted(app))
            await pilot.press("ctrl+s")
            await until(pilot, lambda: "to 1 of 1 clients" in painted(app))
            await pilot.press("escape")
            await until(pilot, lambda: "notifications/prompts/list_changed" in painted(app))
            # The frames of one client, and all again.
            await app.main.go_to("shop", None)
            await pilot.press("f6")
            await until(pilot, lambda: 'server:"*shop #1"' in painted(app))
            await pilot.press("f6")
            await until(pilot, lambda: 'server:"*shop #1"' not in painted(app))


async def test_its_url_is_copied_and_it_is_served_again_at_the_same_place(
    tmp_path: Path, until: Until
) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(SHOP)
    async with opened(size=(120, 40)) as (app, pilot):
        served = await serve(app, pilot, until, file)
        url = served.url
        await until(pilot, lambda: url in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.has_focus_within)
        await pilot.press("y")
        await until(pilot, lambda: app.clipboard == url)
        # Who was there goes with it, and comes back to the same place.
        async with http(url, options=OLDER) as session:
            await session.connect()
            await until(pilot, lambda: "#1 mcp-inspect" in painted(app))
            await pilot.press("r")
            await until(pilot, lambda: served.clients[0].state == "ended" and served.state == "ready")
        async with http(url, options=OLDER) as session:
            await session.connect()
            await until(pilot, lambda: "#2 mcp-inspect" in painted(app))
        await pilot.press("S")
        await until(pilot, lambda: served.state == "disabled" and "not served now" in painted(app))
        await pilot.press("r")
        await until(pilot, lambda: served.served_at == url and "not served now" not in painted(app))


async def test_an_opened_recording_is_served_beside_itself(tmp_path: Path, until: Until) -> None:
    file, recorded = tmp_path / "shop.yaml", tmp_path / "shop.mcprec"
    file.write_text(SHOP)
    traffic = Traffic.in_memory()
    traffic.attach(Writer(recorded))
    async with hosted(written.read(file)) as url, http(url, options=OLDER, traffic=traffic) as session:
        await session.connect()
        await session.request("tools/call", {"name": "price", "arguments": {}})
    traffic.close()
    async with opened(traffic=Traffic.open_recording(recorded)) as (app, pilot):
        reading = app.main
        await until(pilot, lambda: reading.traffic_pane is not None and "tools/call" in painted(app))
        await pilot.press("alt+h")
        await until(pilot, lambda: isinstance(app.screen, ServeScreen))
        assert app.screen.query_one(PathInput).value == str(recorded)
        await pilot.press("enter")
        await until(pilot, lambda: app.main is not reading and "http://127.0.0.1:" in painted(app))
        served = app.main.connection
        assert isinstance(served, Served)
        async with http(served.url, options=OLDER) as session:
            await session.connect()
            answer = await session.request("tools/call", {"name": "price", "arguments": {}})
            assert answer.result["content"][0]["text"] == "1.50"
            await until(
                pilot, lambda: "#1 mcp-inspect" in painted(app) and "tools/call price" in painted(app)
            )
            await pilot.press("escape")
            await until(pilot, lambda: app.main is reading and app.screen is reading)
            assert len(reading.workspace.traffic) == len(traffic)
            await pilot.press("alt+h")
            await until(pilot, lambda: app.main is not reading and "#1 mcp-inspect" in painted(app))
    assert served.state == "disabled"


async def test_what_a_client_says_of_itself_is_shown_safely(tmp_path: Path, until: Until) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(SHOP)
    async with opened(size=(120, 40)) as (app, pilot):
        app.workspace.secrets.add("s3cret-value", "TOKEN")
        served = await serve(app, pilot, until, file)
        hostile = (
            '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
            '"capabilities":{"\\u001b[31mred":{}},"clientInfo":{"name":"\\u001b]0;x\\u0007s3cret-value","version":7}}}'
        )
        head, _, path = served.url.removeprefix("http://").partition("/")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(head.split(":")[1]))
        body = hostile.encode()
        lines = (
            f"POST /{path} HTTP/1.1",
            f"Host: {head}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"Content-Length: {len(body)}",
        )
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()
        await reader.readline()
        await until(pilot, lambda: "begun" in painted(app))
        screen = painted(app)
        assert "\x1b" not in screen and "\x07" not in screen and "s3cret-value" not in screen
        writer.close()
