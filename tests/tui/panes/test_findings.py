"""The findings of a server and of all traffic: listed, filtered, explained, muted, gone to, probed."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from pathlib import Path

import app as real
from app import opened, painted
from textual.widgets import Input

from inspector.config.settings import load_settings
from inspector.traffic.store import Traffic
from inspector.traffic.writer import Writer
from inspector.tui.app import InspectorApp
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.findings import FindingsScreen
from inspector.tui.widgets.findings.finding_list import FindingList
from inspector.tui.widgets.findings.findings_view import FindingsView
from inspector.tui.widgets.text.json_view import JsonView

HOSTILE = str(Path(real.SHELF).with_name("hostile.py"))
EVIL = "\x1b]52;c;aGk=\x07[@click=app.quit]x[/x] \u202egnp"
TOOLS = [
    {"name": "good", "inputSchema": {"type": "object"}},
    {"name": "without"},
    {"name": "a b", "inputSchema": {}},
]


def talk(traffic: Traffic, label: str, *tools: object) -> None:
    log = traffic.session(label, transport="stdio")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    log.received([json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools or TOOLS}}).encode()])


def recorded(path: Path, *tools: object) -> Traffic:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    talk(traffic, "it", *tools)
    traffic.close()
    return Traffic.open_recording(path)


@asynccontextmanager
async def listed(until, traffic: Traffic, size: tuple[int, int] = (120, 40)):
    """The findings of all traffic on the screen, as soon as all was looked at."""
    async with opened(traffic=traffic, size=size) as (app, pilot):
        await until(pilot, lambda: app.workspace.judged is not None and app.main.traffic_pane is not None)
        await until(pilot, lambda: traffic.complete and not app.workspace.findings.waiting)
        await pilot.press("alt+i")
        await until(pilot, lambda: isinstance(app.screen, FindingsScreen) and app.screen.query(FindingList))
        yield app, pilot, app.screen.query_one(FindingList)


def rules(view: FindingList) -> list[str]:
    return [each.rule for each in view.shown]


def two() -> Traffic:
    traffic = Traffic.in_memory()
    talk(traffic, "one")
    talk(traffic, "two", {"name": "only"})
    return traffic


async def test_the_worst_comes_first_and_is_explained(until) -> None:
    async with listed(until, two()) as (app, pilot, view):
        await until(pilot, lambda: len(view.shown) > 2)
        levels = [each.level for each in view.shown]
        assert levels == sorted(levels, key=("error", "warning", "info").index)
        await until(
            pilot,
            lambda: all(
                text in painted(app)
                for text in ("✗ 3 errors", "worst first", "versions:", "#0, #1", "server")
            ),
        )


async def test_the_list_at_80_by_24(until, tmp_path) -> None:
    """A picture of it, letter by letter."""
    traffic = recorded(
        tmp_path / "r.mcprec", {"name": "without"}, {"name": "a b", "inputSchema": {"type": "object"}}
    )
    try:
        async with listed(until, traffic, (80, 24)) as (app, pilot, view):
            await until(pilot, lambda: len(view.shown) == 2 and "frames" in painted(app))
            lines = [line.rstrip() for line in painted(app).splitlines()]
            assert lines[:4] == [
                " Findings  ✗ 1 error  • 1 info  worst first",
                f"{' ✗ T01  without: no inputSchema':<77}#1",
                " • T07  'a b' is a name with other characters than A-Z a-z 0-9 _ - .".ljust(77) + "#1",
                "",
            ]
            below = next(at for at, line in enumerate(lines) if line.startswith(" ✗ T01  error"))
            assert lines[below - 1] == "─" * 80
            assert lines[below + 1 : below + 5] == [
                "   without: no inputSchema",
                "   server  it",
                "   at      /result/tools/0/inputSchema",
                "   frames  #0, #1",
            ]
    finally:
        traffic.close()


async def test_words_filter_and_escape_goes_back_step_by_step(until) -> None:
    async with listed(until, two()) as (app, pilot, view):
        await until(pilot, lambda: len(view.shown) > 2)
        count = len(view.shown)
        await pilot.press("slash", *"error two")
        await until(pilot, lambda: rules(view) == ["T01"] and view.current.server == "two")
        await pilot.press("enter", "slash", *" -two")
        await until(pilot, lambda: not view.shown and "nothing fits the filter" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(view.shown) == count and view.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)


async def test_orders_and_one_line_for_each_rule(until) -> None:
    async with listed(until, two()) as (app, pilot, view):
        await until(pilot, lambda: len(view.shown) > 2)
        for said in ("by rule", "newest first", "oldest first", "by server", "worst first"):
            await pilot.press("o")
            await until(pilot, lambda said=said: said in painted(app).splitlines()[0])
        count = len(view.shown)
        await pilot.press("v")
        await until(pilot, lambda: len(view.shown) == len({*rules(view)}) < count)
        await pilot.press("home", "enter")
        await until(pilot, lambda: not view.by_rule and len({*rules(view)}) == 1)
        assert app.screen.query_one(FindingsView).query_one(Input).value == rules(view)[0].lower()


async def test_a_rule_is_muted_for_good_and_told_again(until) -> None:
    async with listed(until, two()) as (app, pilot, view):
        await until(pilot, lambda: rules(view)[:1] == ["T01"])
        await pilot.press("m")
        await until(pilot, lambda: view.shown and "T01" not in rules(view) and "3 muted" in painted(app))
        assert load_settings().mute == ("T01",)
        await pilot.press("M")
        await until(pilot, lambda: rules(view) == ["T01"] * 3 and "muted: T01" in painted(app))
        await pilot.press("m")
        await until(pilot, lambda: "no finding is muted" in painted(app))
        assert load_settings().mute == ()
        await pilot.press("escape")
        await until(pilot, lambda: rules(view)[:1] == ["T01"])


async def test_all_muted_says_so(until) -> None:
    traffic = Traffic.in_memory()
    talk(traffic, "one", {"name": "without"})
    async with listed(until, traffic) as (app, pilot, view):
        await until(pilot, lambda: bool(view.shown))
        while view.shown:
            count = len(view.shown)
            await pilot.press("m")
            await until(pilot, lambda count=count: len(view.shown) < count)
        await until(pilot, lambda: "nothing but what is muted: M shows" in painted(app))


async def test_what_comes_into_an_empty_list_is_explained(until) -> None:
    traffic = Traffic.in_memory()
    async with listed(until, traffic) as (app, pilot, view):
        await until(pilot, lambda: "nothing breaks a rule" in painted(app))
        talk(traffic, "one")
        await until(pilot, lambda: bool(view.shown) and "versions:" in painted(app))


async def test_nothing_found_says_so(until) -> None:
    async with listed(until, Traffic.in_memory()) as (app, pilot, view):
        await until(pilot, lambda: "nothing breaks a rule, as far as was seen" in painted(app))
        await pilot.press("enter", "m", "T", "y", "o", "v")
        assert isinstance(app.screen, FindingsScreen) and not view.shown


async def test_enter_opens_the_frame_at_the_place(until, tmp_path) -> None:
    traffic = recorded(tmp_path / "r.mcprec")
    try:
        async with listed(until, traffic) as (app, pilot, view):
            await until(pilot, lambda: rules(view)[:1] == ["T01"])
            await pilot.press("enter")
            await until(pilot, lambda: app.screen is app.main and app.main.traffic_pane.detail.number == 1)
            await until(pilot, lambda: app.main.query_one(JsonView).pointer == "$.result.tools[1]")
            await until(pilot, lambda: app.main.traffic_pane.frames.has_focus)
            # And esc leads back to the list, to what was gone to; esc once more to where the person was before.
            for at in (0, 1):
                await pilot.press("escape")
                await until(
                    pilot, lambda: isinstance(app.screen, FindingsScreen) and app.screen.query(FindingList)
                )
                again = app.screen.query_one(FindingList)
                await until(pilot, lambda again=again, at=at: again.has_focus and again.cursor == at)
                await pilot.press("down", "enter")
                await until(pilot, lambda: app.screen is app.main and app.main.traffic_pane.frames.has_focus)
    finally:
        traffic.close()


async def test_the_head_of_a_recording_counts_them(until, tmp_path) -> None:
    traffic = recorded(tmp_path / "r.mcprec")
    try:
        async with opened(traffic=traffic, size=(120, 40)) as (app, pilot):
            await until(pilot, lambda: "✗ 2 errors" in painted(app) and "alt+i lists them" in painted(app))
    finally:
        traffic.close()


async def test_what_a_server_says_stays_text(until, tmp_path) -> None:
    traffic = recorded(tmp_path / "r.mcprec", {"name": EVIL, "inputSchema": {"type": 7}}, {"name": EVIL})
    try:
        for size in ((80, 24), (200, 60)):
            async with listed(until, traffic, size) as (app, pilot, view):
                await until(pilot, lambda: len(view.shown) > 2)
                for _ in view.shown:
                    await pilot.press("down")
                    assert not {"\x1b", "\x07", "\u202e"} & set(painted(app))
    finally:
        traffic.close()


async def test_ten_thousand_findings_are_one_list(until) -> None:
    traffic = Traffic.in_memory()
    for number in range(60):
        talk(traffic, f"server {number}", *({"name": f"tool {number}"} for number in range(100)))
    async with listed(until, traffic) as (app, pilot, view):
        await until(pilot, lambda: len(view.shown) > 10_000)
        await pilot.press("end")
        await until(pilot, lambda: view.cursor == len(view.shown) - 1)
        await pilot.press("slash", *"t01", "enter", "v")
        await until(pilot, lambda: rules(view) == ["T01"] and "6,000" in painted(app))


@asynccontextmanager
async def hostile(until):
    """The app on a server that breaks rules, its findings there."""
    real.SERVERS["hostile"] = [real.sys.executable, HOSTILE]
    async with opened("hostile", size=(160, 50)) as (app, pilot):
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_number("findings"))
        yield app, pilot


async def show_tab(app: InspectorApp, pilot, until) -> FindingsView:
    app.main.pane.want("findings")
    await until(pilot, lambda: isinstance(app.main.pane.tab, FindingsView) and app.main.pane.tab.is_mounted)
    view = app.main.pane.tab
    await until(pilot, lambda: view.query_one(FindingList).shown)
    view.enter()
    await until(pilot, lambda: view.query_one(FindingList).has_focus)
    return view


async def test_overview_counts_them_and_leads_there(until) -> None:
    async with hostile(until) as (app, pilot):
        await until(pilot, lambda: "errors" in painted(app) and "lists them" in painted(app))
        number = app.main.pane.tab_number("findings")
        if number > 9:
            await pilot.press("alt+i")
            await until(pilot, lambda: isinstance(app.screen, FindingsScreen))
        else:
            await pilot.press(str(number))
            await until(pilot, lambda: isinstance(app.main.pane.tab, FindingsView))


async def test_a_finding_leads_to_its_tool(until) -> None:
    async with hostile(until) as (app, pilot):
        view = await show_tab(app, pilot, until)
        await pilot.press("slash", *"t25", "enter", "T")
        await until(pilot, lambda: app.main.pane.tab_id == "tools")
        assert view is not app.main.pane.tab


async def test_probes_are_shown_first_and_sent_after_a_yes(until) -> None:
    async with hostile(until) as (app, pilot):
        await show_tab(app, pilot, until)
        before = app.workspace.traffic.end
        await pilot.press("P")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await until(
            pilot, lambda: "tools/call" in painted(app) and "mcp-inspect-no-such-tool" in painted(app)
        )
        assert app.workspace.traffic.end == before
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.main)
        assert app.workspace.traffic.end == before
        await pilot.press("P")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(
            pilot,
            lambda: any(
                app.workspace.traffic.row(row).target == "mcp-inspect-no-such-tool"
                for row in range(before, app.workspace.traffic.described)
            ),
        )
