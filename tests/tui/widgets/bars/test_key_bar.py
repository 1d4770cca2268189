"""The keys at the bottom are those that work here."""

from __future__ import annotations

from pathlib import Path

import pytest
from app import Until, open_tool, opened

from inspector.tui.widgets.bars.key_bar import KeyBar


async def test_keys_that_would_be_typed_are_not_offered(
    until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        bar = app.main.query_one(KeyBar)
        for key in ("f6", "f6", "f6"):
            await pilot.press(key)
        await until(pilot, lambda: view._strip.active == "json")
        shown = {key for key, _, _ in bar.offered()}
        assert {"F5", "F6"} <= shown and not {"/", "r", "?"} & shown
        await pilot.press("slash")
        assert "/" in view.query_one("#schema-form-json").text  # type: ignore[attr-defined]
        await pilot.press("shift+f6")
        await until(pilot, lambda: view._strip.active == "raw")
        await until(pilot, lambda: "/" in {key for key, _, _ in bar.offered()})
