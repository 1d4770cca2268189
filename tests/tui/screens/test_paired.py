"""Two live servers side by side, as the app shows and asks them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from app import SERVERS, Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.policy import audit
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.tui.app import InspectorApp
from inspector.tui.screens.approve import ApproveScreen
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.paired import PairedScreen
from inspector.tui.screens.pairing import PairingScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.servers.paste_area import PasteArea
from inspector.workspace.tool_calls import ToolCalls

HOSTILE = Path(__file__).parents[2] / "servers" / "hostile.py"


async def _ready(app: InspectorApp, pilot: Pilot[Any], until: Until, *names: str) -> None:
    await until(pilot, lambda: app.main.traffic_pane is not None and app.main.pane is not None)
    for name in names:
        await until(pilot, lambda name=name: app.workspace.connections[name].count("tools") is not None)


def _says(app: InspectorApp, *texts: str) -> bool:
    return isinstance(app.screen, PairedScreen) and all(text in painted(app) for text in texts)


async def _both(app: InspectorApp, pilot: Pilot[Any], until: Until, *names: str) -> None:
    """Marks two servers, the first two of the table, and opens them side by side."""
    await _ready(app, pilot, until, *names)
    app.main.table.focus()
    await pilot.press("m", "down", "m")
    await until(pilot, lambda: painted(app).count("◆") == 2)
    await pilot.press("vertical_line")
    await until(pilot, lambda: _says(app, f"− {names[0]}", f"+ {names[1]}", "Tools ≠2"))


async def _beside(app: InspectorApp, pilot: Pilot[Any], until: Until, choice: str) -> None:
    """Opens the selected server side by side with what is chosen from the list."""
    app.main.table.focus()
    await pilot.press("vertical_line")
    await until(pilot, lambda: isinstance(app.screen, PairingScreen))
    listed = app.screen.query_one(OptionList)
    listed.highlighted = next(at for at, each in enumerate(listed.options) if choice in str(each.prompt))
    await pilot.press("enter")


async def _point(app: InspectorApp, pilot: Pilot[Any], until: Until, name: str) -> None:
    """The cursor of the list goes to a name."""
    screen = app.screen
    assert isinstance(screen, PairedScreen)
    names = [pair.name for pair in screen.model.rows[screen.model.tab]]
    screen._list.focus()
    screen._list.cursor = names.index(name)
    await until(pilot, lambda: _says(app, f" {name}  "))


async def test_one_call_goes_to_both_and_both_answers_are_compared(until: Until, tmp_path: Path) -> None:
    async with opened("cheap", "dear", size=(120, 40)) as (app, pilot):
        await _both(app, pilot, until, "cheap", "dear")
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: _says(app, "price", "the same on both sides", '"inputSchema"'))
        # One tool is marked as reading only at the left alone.
        await until(pilot, lambda: _says(app, "Tools ≠2"))
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "≠ 1 difference", "1.50", "1.75"))
        await pilot.press("d")
        await until(pilot, lambda: _says(app, "= the same, but for what may differ (i)", "Answers ="))
        await _point(app, pilot, until, "clock")
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "clock", "= the same, but for what may differ (i)", "took_ms"))
        # The right one dies of this call: that is told, and costs only itself.
        await pilot.press("escape")
        await _point(app, pilot, until, "gone")
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "≠ one has no answer", "✓ ok", "exit", "here still"))
        await until(pilot, lambda: app.workspace.connections["dear"].state == "error")
        assert app.workspace.connections["cheap"].state == "ready"
        await pilot.press("escape", "r")
        await until(pilot, lambda: app.workspace.connections["dear"].state == "ready")
        await until(pilot, lambda: _says(app, "Tools ≠2"))
        report = tmp_path / "report.json"
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        app.screen.query_one(Input).value = str(report)
        await pilot.press("enter")
        await until(pilot, lambda: report.exists() and isinstance(app.screen, PairedScreen))
        written = json.loads(report.read_text())
        assert {call["name"]: call["different"] for call in written["calls"]} == {
            "tools/call price": 0,
            "tools/call clock": 0,
            "tools/call gone": 1,
        }
        assert {change["name"] for change in written["changed"]} == {"ask", "key"}
        # What is the same is hidden, sides change, and both servers stay when it is closed.
        await pilot.press("equals_sign")
        await until(pilot, lambda: _says(app, "ask") and "price" not in painted(app))
        await pilot.press("x")
        await until(pilot, lambda: _says(app, "− dear", "+ cheap"))
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen) and "readOnlyHint" in painted(app))
        await pilot.press("escape", "q")
        await until(pilot, lambda: app.screen is app.main)
        assert [each.state for each in app.workspace.connections.values()] == ["ready", "ready"]


async def test_a_server_in_two_eras_and_the_second_connection_ends_with_it(until: Until) -> None:
    async with opened("dual", size=(80, 24)) as (app, pilot):
        await _ready(app, pilot, until, "dual")
        await _beside(app, pilot, until, "the other era: legacy")
        await until(pilot, lambda: _says(app, "+ dual (legacy)", "2026-07-28", "2025-11-25", "≠"))
        begun = app.workspace.connections["dual (legacy)"]
        await until(pilot, lambda: begun.count("tools") is not None)
        # Where there is little room the lists and what is below them take turns.
        await pilot.press("right_square_bracket", "enter")
        await until(
            pilot,
            lambda: (
                _says(app, "Form", "Answers") and app.screen.query_one("#paired-list").display is not None
            ),
        )
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "│"))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.main and list(app.workspace.connections) == ["dual"])
        assert begun.closed is not None and app.workspace.connections["dual"].state == "ready"
        # In a version of its own, and kept this time.
        await _beside(app, pilot, until, "version 2025-06-18")
        await until(pilot, lambda: _says(app, "+ dual (2025-06-18)", "2025-06-18"))
        await pilot.press("K")
        await until(pilot, lambda: _says(app, "stays"))
        await pilot.press("q")
        await until(pilot, lambda: app.screen is app.main)
        assert app.workspace.connections["dual (2025-06-18)"].state == "ready"


async def test_lists_that_change_while_one_looks_and_a_form_of_either_side(until: Until) -> None:
    async with opened("shifting", size=(170, 50)) as (app, pilot):
        await _ready(app, pilot, until, "shifting")
        await _beside(app, pilot, until, "once more")
        await until(pilot, lambda: _says(app, "+ shifting (2)", "Tools =", "Prompts ="))
        await pilot.press("right_square_bracket")
        await app.workspace.connections["shifting (2)"].request("x/shift")
        await until(pilot, lambda: _says(app, "Tools ≠3", "in_front", "Prompts ≠2"))
        await _point(app, pilot, until, "order")
        await until(pilot, lambda: _says(app, "breaking for who used shifting"))
        await pilot.press("enter")
        await until(
            pilot, lambda: _says(app, "The form of shifting;", "the other side differs at /properties/gone")
        )
        await pilot.press("a", "b")
        await pilot.press("f9")
        await until(pilot, lambda: _says(app, "The form of shifting (2);", "fresh *", "ab"))
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "✓ ok", '"keep": "ab"'))
        both = next(iter(app.screen.model.asked.values()))  # type: ignore[attr-defined]
        assert both.left.params == both.right.params and both.left.params["arguments"]["keep"] == "ab"


async def test_each_side_is_allowed_by_itself_and_written_down(until: Until, tmp_path: Path) -> None:
    calls = ToolCalls(Audit(Secrets(), PERSON, folder=tmp_path), Approvals({"": "always"}))
    async with opened("cheap", "dear", size=(120, 40), tool_calls=calls) as (app, pilot):
        await _both(app, pilot, until, "cheap", "dear")
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: _says(app, "price"))
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ApproveScreen) and "price of cheap" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ApproveScreen) and "price of dear" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: _says(app, "⊘ not sent", "✓ ok", "the call was rejected"))
        calls.audit.flush()
        found = [(each["server"], each["outcome"]) for each in audit.trail(tmp_path).newest()]
        assert sorted(found)[0][0] == "cheap" and sorted(found)[1][0] == "dear" and len(found) == 2


async def test_resources_prompts_and_any_request_go_to_both(until: Until, tmp_path: Path) -> None:
    async with opened("bakery", size=(120, 40)) as (app, pilot):
        await _ready(app, pilot, until, "bakery")
        await until(pilot, lambda: app.workspace.connections["bakery"].count("prompts") is not None)
        # Beside what is pasted: the same command here.
        await _beside(app, pilot, until, "something new")
        await until(pilot, lambda: isinstance(app.screen, ConnectScreen))
        app.screen.query_one(PasteArea).text = " ".join(SERVERS["bakery"])
        await until(pilot, lambda: "starts " in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "− bakery", "Prompts ="))
        await pilot.press("right_square_bracket", "right_square_bracket", "enter")
        await until(pilot, lambda: _says(app, "Resources", "JSON", "URI"))
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "✓ ok", "= the same", '"contents"'))
        await pilot.press("escape", "right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: _says(app, "Prompts", "Definition"))
        # A prompt that needs nothing is got at once; one with arguments has a form.
        await pilot.press("enter")
        await until(pilot, lambda: _says(app, "Form", "goes to both"))
        await pilot.press("escape", "right_square_bracket")
        await until(pilot, lambda: _says(app, "ping", "prompts/get"))
        await _point(app, pilot, until, "ping")
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "✓ ok", "= the same"))
        await pilot.press("escape")
        await _point(app, pilot, until, "notifications/roots/list_changed")
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "(it has no answer)"))
        # A method that nobody knows is written into the filter.
        await pilot.press("escape", "slash", *"x/y")
        await until(pilot, lambda: _says(app, "enter takes what is written as one"))
        await pilot.press("enter")
        await until(pilot, lambda: _says(app, "= x/y"))
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "✗ protocol error", "= the same", "-32601"))


async def test_a_definition_file_a_question_and_hostile_words(until: Until, tmp_path: Path) -> None:
    definition = tmp_path / "shop.yaml"
    definition.write_text(
        "definition: 1\nserver: {name: shop, version: 1.0.0}\n"
        "tools:\n- name: price\n  description: Was it always so?\n  inputSchema: {type: object}\n"
    )
    async with opened("cheap", size=(80, 24)) as (app, pilot):
        await _ready(app, pilot, until, "cheap")
        app.main.table.focus()
        await pilot.press("vertical_line")
        await until(pilot, lambda: isinstance(app.screen, PairingScreen))
        app.screen.query_one("#path", Input).value = str(tmp_path / "nothing")
        await pilot.press("f5")
        await until(pilot, lambda: "there is no" in painted(app))
        app.screen.query_one("#path", Input).value = str(definition)
        await pilot.press("f5")
        await until(pilot, lambda: _says(app, "+ shop", "Tools ≠5"))
        await pilot.press("o")
        await until(
            pilot, lambda: isinstance(app.screen, PairingScreen) and "shop" not in app.workspace.connections
        )
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        entry = from_command([sys.executable, str(HOSTILE)])
        entry.name = "hostile \x1b[31m"
        hostile = app.workspace.add(entry)
        hostile.start()
        await until(pilot, lambda: hostile.count("tools") is not None)
        await _beside(app, pilot, until, "hostile")
        await until(pilot, lambda: _says(app, "+ hostile"))
        for _ in range(5):
            await pilot.press("right_square_bracket", "enter")
            await pilot.pause()
            await pilot.press("f6")
            await pilot.pause()
            shown = painted(app)
            assert "\x1b" not in shown and "\u202e" not in shown and "\x9b" not in shown
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, PairedScreen) and app.screen._list.has_focus)
        # It is left to what a server asks, and is there again by its key.
        await pilot.press("f12")
        await until(pilot, lambda: app.screen is app.main)
        await pilot.press("vertical_line")
        await until(pilot, lambda: _says(app, "− cheap", "+ hostile", "ping  "))
