"""The tab for a remote skill of Solon AI: prompts, what came of each, and the tools that reach the model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from typing import Any

import app as tests_app
import pytest
from app import DEMO, Until, opened, painted, tool_view
from textual.pilot import Pilot

from inspector.base import private_json
from inspector.base.paths import paths
from inspector.base.secrets import Secrets
from inspector.demo import ORDERS
from inspector.lenses.solon import saved
from inspector.lenses.solon.prompt import Prompt, Said
from inspector.policy import audit
from inspector.policy.approval import Approvals
from inspector.policy.audit import PERSON, Audit
from inspector.protocol.solon import GATEWAY
from inspector.tui.app import InspectorApp
from inspector.tui.panes.solon import SolonPane
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.solon.exposure_table import ExposureTable
from inspector.workspace.tool_calls import ToolCalls

SAID = [Said("user", "我的订单 A001")]
USER = Prompt(SAID, {"tenant_id": "1"}, name="as a user")
ADMIN = Prompt(SAID, {"tenant_id": "2", "user_role": "ADMIN"}, name="as ADMIN")
ALL = Prompt(SAID, {"tenant_id": "1", "tool": "all"}, name="all tools")
GUEST = Prompt(SAID, {}, name="guest")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(tests_app.SERVERS, "orders", [*DEMO, "orders"])


def keep(prompts: Iterable[Prompt], server: str = "orders") -> None:
    with private_json.changing(paths().skill_prompts) as known:
        saved.keep(known, server, prompts)


@asynccontextmanager
async def at_the_skill(
    until: Until, *prompts: Prompt, size: tuple[int, int] = (140, 50), tool_calls: ToolCalls | None = None
) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    if prompts:
        keep(prompts)
    async with opened("orders", size=size, tool_calls=tool_calls) as (app, pilot):
        orders = app.workspace.connections["orders"]
        await until(pilot, lambda: orders.count("tools") is not None and app.main.pane is not None)
        assert app.main.pane is not None
        app.main.pane.want("solon")
        await until(pilot, lambda: isinstance(app.main.pane and app.main.pane.tab, SolonPane))
        pane = app.main.query_one(SolonPane)
        await until(pilot, lambda: pane.is_mounted and "as a client of Solon AI 3.9.3" in painted(app))
        pane.enter()
        await until(pilot, lambda: pane.has_focus_within)
        yield app, pilot


async def ask(app: InspectorApp, pilot: Pilot[Any], until: Until, key: str = "f5") -> None:
    """Asks, and says yes to what it may change."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and "onAttachMcp" in painted(app))
    await pilot.press("y")


async def test_a_prompt_is_asked_about_step_by_step_and_the_table_tells_who_gets_what(until: Until) -> None:
    async with at_the_skill(until, USER, ADMIN) as (app, pilot):
        await until(pilot, lambda: "OrderManager" in painted(app) and "not asked yet" in painted(app))
        await ask(app, pilot, until)
        await until(pilot, lambda: "✓ ACTIVE" in painted(app) and "true: the skill is active" in painted(app))
        await until(
            pilot, lambda: painted(app).count("✓ getToolsMcp") == 2 and "1 of 2 tools" in painted(app)
        )
        await pilot.press("f6")
        await until(
            pilot, lambda: "● OrderQueryTool" in painted(app) and '["OrderQueryTool"]' in painted(app)
        )
        lines = painted(app).splitlines()
        hidden = next(line for line in lines if "isSupportedMcp" in line and "hidden by its marker" in line)
        assert "yes     no      no" in hidden
        await pilot.press("M")
        await until(
            pilot, lambda: "yes     no      no" not in painted(app) and "OrderCancelTool" in painted(app)
        )
        await pilot.press("f6")
        await until(pilot, lambda: "You handle the orders of tenant 1" in painted(app))
        await pilot.press("down", "f5")
        await until(pilot, lambda: "2 of 2 tools" in painted(app))
        await until(pilot, lambda: "You handle the orders of tenant 2" in painted(app))


async def test_one_yes_allows_the_whole_chain_and_is_in_the_trail(until: Until, tmp_path: Path) -> None:
    calls = ToolCalls(Audit(Secrets(), PERSON, folder=tmp_path / "trail"), Approvals({"": "always"}))

    def approvers() -> list[Any]:
        calls.audit.flush()
        return [record["approver"] for record in audit.trail(tmp_path / "trail").newest()]

    async with at_the_skill(until, USER, tool_calls=calls) as (app, pilot):
        await ask(app, pilot, until)
        await until(pilot, lambda: approvers() == [PERSON] * 5)
        await pilot.press("f5")
        await until(pilot, lambda: approvers() == [PERSON] * 10)
        # A server that is reached otherwise by now is not what the yes was about.
        orders = app.workspace.connections["orders"]
        orders.entry = copy(orders.entry)
        await ask(app, pilot, until)


async def test_a_key_of_the_tab_on_show_says_which_number_goes_there(until: Until) -> None:
    async with at_the_skill(until, USER) as (app, pilot):
        await pilot.press("s", "f7")
        await until(pilot, lambda: "Remote skill of Solon AI; 4 goes there".lower() in toasts(app))
        await pilot.press("1")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_id == "overview")
        await pilot.press("s", "A")
        await until(pilot, lambda: "overview; 1 goes there" in toasts(app))


def toasts(app: InspectorApp) -> str:
    return " ".join(notice.message for notice in app._notifications).lower()


async def test_all_prompts_stand_side_by_side(until: Until) -> None:
    async with at_the_skill(until, USER, ADMIN, ALL, GUEST, Prompt(raw="null", name="null")) as (
        app,
        pilot,
    ):
        await ask(app, pilot, until, "f7")
        await until(pilot, lambda: "INACTIVE (error)" in painted(app))
        lines = [line.partition("▕")[2] for line in painted(app).splitlines()]

        def row(name: str) -> str:
            return next(line for line in lines if name in line)

        for name, told in (("as a user", "1 of 2"), ("as ADMIN", "2 of 2"), ("all tools", "2 of 2")):
            assert told in row(f"✓ {name}") and "ACTIVE" in row(f"✓ {name}")
        assert "INACTIVE" in row("○ guest") and "INACTIVE (error)" in row("✗ null")
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen) and "tenant 2" in painted(app))


async def test_another_version_reads_the_same_answers_in_its_own_way(until: Until, tmp_path: Path) -> None:
    definition = tmp_path / "orders.yaml"
    text = ORDERS.read_text(encoding="utf-8").replace("version: 3.9.0", "version: 3.9.3")
    definition.write_text(text, encoding="utf-8")
    tests_app.SERVERS["orders"] = [DEMO[0], "-m", "inspector", "serve", str(definition)]
    async with at_the_skill(until, ALL) as (app, pilot):
        await ask(app, pilot, until)
        await until(
            pilot, lambda: "ACTIVE, THEN THROWS" in painted(app) and "The client throws here" in painted(app)
        )
        await pilot.press("f6")
        await until(pilot, lambda: "UNREADABLE: no tool reaches the model" in painted(app))
        await until(
            pilot, lambda: "versions differ: 3.9.0 unreadable, 3.9.3 unreadable, 4.0 all" in painted(app)
        )
        assert "● OrderQueryTool" not in painted(app)
        await pilot.press("v")
        await until(
            pilot, lambda: "as a client of Solon AI 4.0" in painted(app) and "not asked yet" in painted(app)
        )
        await pilot.press("f5")
        await until(pilot, lambda: "ALL: 2 of 2" in painted(app) and "● OrderQueryTool" in painted(app))


async def test_what_the_filter_leaves_out_can_be_called_anyway(until: Until) -> None:
    async with at_the_skill(until, USER) as (app, pilot):
        await ask(app, pilot, until)
        await until(pilot, lambda: "1 of 2 tools" in painted(app))
        await pilot.press("f6", "enter")
        await until(pilot, lambda: isinstance(app.focused, ExposureTable))
        await pilot.press("end")
        await until(pilot, lambda: "enter calls it anyway" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: (view := tool_view(app)) is not None and view.name_ == "OrderCancelTool")


async def test_a_prompt_is_entered_and_shown_to_the_letter_and_kept(until: Until) -> None:
    async with at_the_skill(until, USER) as (app, pilot):
        await until(
            pilot,
            lambda: "to the letter" in painted(app) and '"tenant_id":"1"' in painted(app).replace("\n", ""),
        )
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, Picker) and "edge case: null" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, Picker) and "a prompt" in painted(app))
        await until(pilot, lambda: app.focused is not None and type(app.focused).__name__ != "OptionList")
        await pilot.press("end", *"!!")
        await until(pilot, lambda: "· a prompt!!" in painted(app))
        await pilot.press("escape", "f9")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"edge case: null", "enter")
        await until(pilot, lambda: "null is read as no prompt" in painted(app))
    kept = json.loads(paths().skill_prompts.read_bytes())["orders"]
    assert [each["name"] for each in kept] == ["as a user", "a prompt!!", "null"]
    assert kept[2]["raw"] == "null" and kept[0]["attrs"] == {"tenant_id": "1"}
    async with at_the_skill(until) as (app, pilot):
        await until(pilot, lambda: "· a prompt!!" in painted(app))
        await pilot.press("f10")
        await until(pilot, lambda: "as a user" not in painted(app))


async def test_foreign_class_names_are_asked_about_every_time(until: Until) -> None:
    risky = Prompt(raw='{"@type":"java.lang.Runtime"}', name="risky")
    async with at_the_skill(until, risky) as (app, pilot):
        for _ in range(2):
            await pilot.press("f5")
            await until(
                pilot, lambda: isinstance(app.screen, ConfirmScreen) and "java.lang.Runtime" in painted(app)
            )
            await pilot.press("n")
            await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        assert "not asked yet" in painted(app)


async def test_one_question_by_itself_and_the_metadata_again(until: Until) -> None:
    async with at_the_skill(until, GUEST) as (app, pilot):
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, Picker) and "has side effects" in painted(app))
        await pilot.press(*"isSupp", "enter")
        await until(pilot, lambda: "not the text true: inactive" in painted(app))
        await pilot.press("m")
        await until(pilot, lambda: "skill://metadataMcp" in painted(app) and "never again" in painted(app))
        assert "category" in painted(app) and "sensitive" in painted(app)


async def test_a_part_of_a_skill_has_the_tab_and_says_what_is_missing(until: Until, tmp_path: Path) -> None:
    tool = {"name": "isSupportedMcp", "inputSchema": {"type": "object"}}
    definition = tmp_path / "part.json"
    definition.write_text(json.dumps({"definition": 1, "tools": [tool]}), encoding="utf-8")
    tests_app.SERVERS["orders"] = [DEMO[0], "-m", "inspector", "serve", str(definition)]
    async with opened("orders", size=(140, 50)) as (app, pilot):
        await until(pilot, lambda: "Solon skill incomplete" in painted(app))
        assert app.main.pane is not None
        app.main.pane.want("solon")
        await until(pilot, lambda: "not asked yet" in painted(app))
        app.main.pane.enter()
        await pilot.press("m")
        await until(pilot, lambda: "an incomplete skill, without the resource" in painted(app))
        assert "no client can make a skill of it" in painted(app)


async def test_names_that_no_tool_has_stand_below_the_tools_and_a_gateway_is_told(
    until: Until, tmp_path: Path
) -> None:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in GATEWAY]
    skill = {"supported": [{}], "tools": [{"give": ["call_tool", "nobody", 3, "call_tool"]}]}
    definition = tmp_path / "gateway.json"
    definition.write_text(json.dumps({"definition": 1, "skill": skill, "tools": tools}), encoding="utf-8")
    tests_app.SERVERS["orders"] = [DEMO[0], "-m", "inspector", "serve", str(definition)]
    async with at_the_skill(until, USER) as (app, pilot):
        await ask(app, pilot, until)
        await until(pilot, lambda: "1 of 3 tools" in painted(app))
        await pilot.press("f6")
        await until(pilot, lambda: "a gateway, behind which" in painted(app) and "nobody" in painted(app))
        lines = painted(app).splitlines()
        assert any("● call_tool" in line and "listed more" in line for line in lines)
        assert any(" nobody " in line and "no tool of the" in line for line in lines)
        assert any(" 3 " in line and "no name" in line for line in lines)


async def test_a_skill_that_does_not_answer_is_given_up(until: Until, tmp_path: Path) -> None:
    tool = {"name": "isSupportedMcp", "inputSchema": {"type": "object"}}
    slow = {"tool": "isSupportedMcp", "before": [{"wait": 600}], "text": "true"}
    definition = tmp_path / "slow.json"
    definition.write_text(
        json.dumps({"definition": 1, "versions": ["2025-06-18"], "tools": [tool], "answers": [slow]}),
        encoding="utf-8",
    )
    tests_app.SERVERS["orders"] = [DEMO[0], "-m", "inspector", "serve", str(definition)]
    async with at_the_skill(until, USER) as (app, pilot):
        await ask(app, pilot, until)
        await until(pilot, lambda: "tools/call isSupportedMcp" in painted(app) and "F8 Stop" in painted(app))
        await pilot.press("f8")
        await until(
            pilot, lambda: "not asked yet" in painted(app) and "notifications/cancelled" in painted(app)
        )


async def test_the_list_of_tools_dims_what_is_hidden_with_the_reason(until: Until) -> None:
    async with opened("orders", size=(160, 50)) as (app, pilot):
        await until(
            pilot,
            lambda: app.workspace.connections["orders"].count("tools") == 6 and app.main.pane is not None,
        )
        assert app.main.pane is not None
        app.main.pane.want("tools")
        await until(
            pilot,
            lambda: "◌ isSupportedMcp  hidden by" in painted(app) and "○ OrderQueryTool" in painted(app),
        )
    async with opened("bakery", size=(160, 50)) as (app, pilot):
        await until(pilot, lambda: "Tools" in painted(app) and "Prompts" in painted(app))
        assert "Solon skill" not in painted(app)
