"""Who we say that we are to a server, chosen and written in the app."""

from __future__ import annotations

import json
from typing import Any

from app import Until, opened, painted, state
from textual.widgets import OptionList, TextArea

from inspector.protocol.identity import PRESETS
from inspector.session.session import Options
from inspector.tui.screens.identity import IdentityScreen


async def test_a_client_is_taken_or_written_and_the_server_hears_it(until: Until) -> None:
    async with opened("bakery", options=Options(roots=None)) as (app, pilot):
        bakery = app.workspace.connections["bakery"]
        await until(pilot, lambda: bakery.count("prompts") is not None and app.main.pane is not None)

        async def asked() -> IdentityScreen:
            await pilot.press("s", "alt+n")
            await until(pilot, lambda: isinstance(app.screen, IdentityScreen))
            assert isinstance(app.screen, IdentityScreen)
            return app.screen

        def sent(restarts: int) -> dict[str, Any]:
            ready = bakery.restarts == restarts and state(app, "bakery") == "ready"
            return dict(bakery.handshake.sent) if ready and bakery.handshake is not None else {}

        screen = await asked()
        options = screen.query_one(OptionList)
        options.highlighted = [str(option.prompt) for option in options.options].index("java-sync")
        await pilot.press("enter")
        text = screen.query_one(TextArea)
        await until(pilot, lambda: "Java SDK MCP Client" in text.text)
        await pilot.press("f5")
        await until(pilot, lambda: sent(1))
        assert (
            sent(1)["clientInfo"] == PRESETS["java-sync"].info and sent(1)["protocolVersion"] == "2024-11-05"
        )
        traffic = app.workspace.traffic
        opening = [
            raw for raw in traffic.raws(traffic.first, traffic.end) if b'"method":"initialize"' in raw
        ][-1]
        assert isinstance(json.loads(opening)["id"], str), "ids in its style"
        screen = await asked()
        text = screen.query_one(TextArea)
        assert '"uuid"' in text.text, "who we are now"
        text.text = "{"
        await pilot.press("f5")
        await until(pilot, lambda: "this is no JSON" in painted(app))
        declared = {"roots": {}, "sampling": {}, "experimental": {}}
        text.text = json.dumps({"name": "mine", "version": "9", "capabilities": declared})
        await until(pilot, lambda: "Nobody here answers what is declared: roots." in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: sent(2))
        assert (
            sent(2)["clientInfo"] == {"name": "mine", "version": "9"} and sent(2)["capabilities"] == declared
        )
        assert bakery.session is not None and any(
            text.startswith("mine declares roots, which nobody answers here")
            for text in bakery.session.warnings
        )
        await pilot.press("r")
        await until(pilot, lambda: sent(3))
        assert sent(3)["clientInfo"]["name"] == "mine", "it stays until somebody says otherwise"
