"""What breaks a rule, at its frame: in the list, in the detail, in the JSON."""

from __future__ import annotations

import json

import pytest
from app import painted
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.check.checking import Checking, wanted
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.panes.traffic import TrafficPane
from inspector.tui.widgets.text.json_view import JsonView

EVIL = "\x1b]52;c;aGk=\x07[@click=app.quit]x[/x] \u202egnp"


def answered(*tools: object) -> Traffic:
    """A list of tools between two pings."""
    traffic = Traffic.in_memory()
    log = traffic.session("it", transport="stdio")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    log.received([json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}).encode()])
    for id_ in (2, 3):
        log.sent(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % id_)
        log.received([b'{"jsonrpc":"2.0","id":%d,"result":{}}' % id_])
    traffic.advance()
    Checking(traffic, wanted()).advance()
    return traffic


@pytest.fixture
def traffic() -> Traffic:
    return answered({"name": "good", "inputSchema": {"type": "object"}}, {"name": "without"})


async def test_a_row_that_breaks_a_rule_is_marked(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "✗ T01" in painted(pilot.app))
        marked = [line for line in painted(pilot.app).splitlines() if "✗" in line]
        assert len(marked) == 1 and "2 tools" in marked[0]
        traffic.judged.muted = frozenset({"T01"})
        traffic.revision += 1
        await until(pilot, lambda: "✗" not in painted(pilot.app))


async def test_a_folded_exchange_is_marked_for_its_answer(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 20)) as pilot:
        await until(pilot, lambda: "✗ T01" in painted(pilot.app))
        pane.frames.focus()
        await pilot.press("v")
        await until(
            pilot, lambda: any("✗ T01" in line and "req" in line for line in painted(pilot.app).splitlines())
        )


async def test_the_detail_says_what_is_wrong_and_where(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 50)) as pilot:
        pane.show(1)
        view = pane.query_one(JsonView)
        await until(pilot, lambda: "no inputSchema" in str(pane.query_one("#detail-wrong").render()))
        await until(pilot, lambda: "Findings 1" in painted(pilot.app))
        # The key is missing, so the tool without it is marked.
        assert view.go_to_flag() and view.pointer == "$.result.tools[1]"
        assert any(
            "✗ T01 without: no inputSchema" in view.render_line(y).text for y in range(view.size.height)
        )
        assert view.line_style(view.cursor) is not None
        pane.show(0)
        await until(
            pilot, lambda: not pane.detail.has_class("-wrong") and "Findings" not in painted(pilot.app)
        )
        assert not view.go_to_flag()


async def test_the_findings_of_a_frame_are_explained(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(110, 50)) as pilot:
        pane.show(1)
        pane.detail.open_tab("findings")
        await until(
            pilot,
            lambda: all(
                text in painted(pilot.app)
                for text in (
                    "✗ T01  error",
                    "/result/tools/1/inputSchema",
                    "#0, #1",
                    "modelcontextprotocol.io",
                )
            ),
        )
        pane.show(0)
        await until(pilot, lambda: pane.detail.tab == "json")


async def test_a_key_goes_from_finding_to_finding(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 50)) as pilot:
        pane.frames.focus()
        await pilot.press("end", "exclamation_mark")
        await until(pilot, lambda: pane.frames.selected == 1 and not pane.frames.follow)
        await pilot.press("enter", "enter", "exclamation_mark")
        await until(pilot, lambda: pane.query_one(JsonView).pointer == "$.result.tools[1]")


async def test_a_filter_lists_what_breaks_a_rule(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: pane.frames.total == 6)
        pane.query_one("#traffic-filter", Input).value = "finding:error"
        await until(pilot, lambda: list(pane.frames.view) == [1])


async def test_nothing_that_a_server_names_gets_out_of_a_finding(stage, until) -> None:
    traffic = answered({"name": EVIL, "inputSchema": {"type": 7}}, {"name": EVIL})
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 60)) as pilot:
        pane.show(1)
        await until(pilot, lambda: "Findings" in painted(pilot.app))
        for tab in ("json", "findings"):
            pane.detail.open_tab(tab)
            await until(pilot, lambda: "✗" in painted(pilot.app))
            assert not {"\x1b", "\x07", "\u202e"} & set(painted(pilot.app))


async def test_secrets_in_a_finding_are_masked(stage, until) -> None:
    secrets = Secrets()
    secrets.add("s3cret-value-1", "KEY")
    guard.keep(secrets)
    traffic = answered({"name": "s3cret-value-1 !", "inputSchema": {"type": "object"}})
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 60)) as pilot:
        pane.show(1)
        await until(pilot, lambda: "Findings" in painted(pilot.app))
        pane.detail.open_tab("findings")
        await until(pilot, lambda: "T07" in painted(pilot.app))
        assert "s3cret" not in painted(pilot.app)
