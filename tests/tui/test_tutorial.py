"""docs/tutorial.md, followed key by key: every step in the app does what the page says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app import SERVERS, opened, painted, state, tool_view
from documents import ROOT
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.demo import demo_config
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.tui.screens.approve import ApproveScreen
from inspector.workspace.tool_calls import ToolCalls

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text()
_DEMO = demo_config({})["mcpServers"]
Until = Callable[[Pilot[Any], Callable[[], object]], Any]


async def test_the_steps_in_the_app(
    until: Until, own_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SERVERS, "notes", [_DEMO["notes"]["command"], *_DEMO["notes"]["args"]])
    calls = ToolCalls(Audit(Secrets(), PERSON, folder=tmp_path), Approvals({"": "changing"}))
    async with opened("bakery", "notes", tool_calls=calls) as (app, pilot):
        await until(pilot, lambda: state(app, "bakery") == "ready" and state(app, "notes") == "error")

        async def step(*keys: str, shows: str | tuple[str, ...]) -> None:
            await pilot.press(*keys)
            words = (shows,) if isinstance(shows, str) else shows
            await until(pilot, lambda: all(word in painted(app) for word in words))

        def typed(text: str) -> None:
            assert isinstance(app.focused, Input)
            app.focused.value = text

        # 2. Call a tool
        await step("t", shows="say_hello")
        await step("enter", shows="required")
        await step("A", "d", "a", "f5", shows="Ada! The first loaves")
        await step("escape", "down", "enter", shows="Takes its time")
        await step("f5", shows=("Call this tool?", "baguette"))
        await step("y", shows="Cancel")
        await until(
            pilot, lambda: (view := tool_view(app)) is not None and view.calls and view.calls[0].running
        )
        await pilot.press("f8")
        await until(pilot, lambda: (view := tool_view(app)) is not None and not view.calls[0].running)

        # 3. Look at the traffic
        await step("escape", "f", shows="tools/call bake")
        await pilot.press("slash")
        typed("method:tools/call")
        await step("enter", shows="method:tools/call")
        await until(
            pilot, lambda: "initialize" not in painted(app) and "tools/call say_hello" in painted(app)
        )
        await step("home", "enter", shows='"say_hello"')
        await step("escape", "o", shows="tools/call say_hello")
        await step("w", shows="tools/call")
        await pilot.press("slash")
        typed("")
        await step("enter", shows="/ filter: text")

        # 4. Answer a server
        await step("ctrl+k", shows="opens the form")
        typed("ask_guest")
        await until(pilot, lambda: "1 of " in painted(app))
        await step("enter", shows="This tool takes no arguments")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ApproveScreen))
        await pilot.press("y")
        await until(pilot, lambda: "Inbox ? 1" in painted(app))
        await step("f12", shows=("How was your breakfast?", "stars"))
        await step("5", shows="5")
        await pilot.press("f5")
        await until(pilot, lambda: "Inbox ? 1" not in painted(app))
        await step("f12", shows="ask_guest")
        await until(
            pilot, lambda: (view := tool_view(app)) is not None and view.calls and not view.calls[0].running
        )

        # 5. Find out why a server failed
        await step("escape", "s", "down", shows=("NOTES_KEY is not set", "exit code 1"))
        await step("U", shows="nvironment")
        await step("escape", shows="exit code 1")

        # 6. Keep it
        await step("R", shows="● REC")
        await pilot.press("R")
        await until(pilot, lambda: "● REC" not in painted(app))
    (file,) = (own_folders / "state" / "recordings").iterdir()
    assert b"say_hello" in file.read_bytes()


def test_the_keys_pressed_are_those_of_the_page() -> None:
    told = ("`t`", "`enter`", "`F5`", "`esc`", "`↓`", "`y`", "`F8`", "`f`", "`/`", "`home`", "`o`", "`w`",
            "`ctrl+k`", "`F12`", "`s`", "`U`", "`R`", "`q`")  # fmt: skip
    assert [key for key in told if key not in TUTORIAL] == []
