from __future__ import annotations

import json

import pytest
from app import opened, painted
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.tui.panes.traffic import TrafficPane
from inspector.tui.screens.columns import ColumnsScreen
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.marks import MarksScreen
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.text.reading_view import ReadingView
from inspector.tui.widgets.traffic.exchange_view import ExchangeView
from inspector.tui.widgets.traffic.filter_input import Completions, FilterInput
from inspector.tui.widgets.traffic.frame_list import FrameList


@pytest.fixture
def traffic() -> Traffic:
    traffic = Traffic.in_memory()
    log = traffic.session("stdio one", transport="stdio")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    log.received([json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "echo"}]}}).encode()])
    log.received([b"no json \x1b[2J"])
    http = traffic.session("http one", transport="http")
    exchange = http.http_request(
        "POST", "http://h/mcp?api_key=abc", [("Authorization", "Bearer abcdefgh1234")]
    )
    http.sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', exchange)
    http.http_response(exchange, 200, [("content-type", "application/json")])
    http.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'], exchange)
    http.http_end(exchange, "complete")
    return traffic


def _text(pane: TrafficPane, selector: str) -> str:
    return str(pane.query_one(selector).render())  # type: ignore[attr-defined]


async def test_enter_opens_the_detail_and_escape_goes_back_step_by_step(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(100, 40)) as pilot:
        frames = pane.frames
        frames.focus()
        await pilot.press("home", "down", "enter")
        assert pane.detail_open and frames.has_focus and not frames.follow
        await until(pilot, lambda: "tools/list" in _text(pane, "#detail-title"))
        await pilot.press("up")
        await until(pilot, lambda: pane.detail.number == 0)
        await pilot.press("enter")
        assert pane.query_one(JsonView).has_focus
        await pilot.press("down")
        await until(pilot, lambda: _text(pane, "#detail-pointer").endswith("$.jsonrpc"))
        await pilot.press("escape")
        assert frames.has_focus and pane.detail_open
        await pilot.press("escape")
        assert not pane.detail_open


async def test_the_detail_lies_beside_the_list_where_there_is_room(stage, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(200, 40)) as pilot:
        pane.show(1)
        await pilot.pause()
        assert pane.detail.region.x > 0 and pane.detail.region.height > 30
        await pilot.resize_terminal(100, 40)
        await pilot.pause()
        assert pane.detail.region.x == 0


async def test_tabs_show_what_belongs_to_the_row(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 40)) as pilot:
        pane.show(4)
        pane.detail.open_tab("http")
        http = _text(pane, "#detail-http-text")
        assert "POST http://h/mcp?api_key=***" in http and "Authorization: Bearer ***" in http
        assert "200" in http and "#4, #6" in http and "complete" in http
        await pilot.press("escape")
        pane.detail.open_tab("info")
        await until(pilot, lambda: "answered by  #6" in _text(pane, "#detail-info-text"))
        pane.show(2)
        await pilot.pause()
        assert "http" not in [tab.id for tab in pane.detail.query_one("TabStrip").tabs]  # type: ignore[attr-defined]
        await until(pilot, lambda: "invalid" in _text(pane, "#detail-title"))
        await until(pilot, lambda: "problem: not JSON" in _text(pane, "#detail-info-text"))
        pane.detail.open_tab("hex")
        pane.detail.focus_content()
        hexed = pane.query_one("#detail-hex", ReadingView)
        await until(pilot, lambda: hexed.size.height and "6e 6f 20 6a" in hexed.render_line(0).text)
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert pane.detail.tab == "json"


async def test_the_filter_line_filters_complains_and_is_cleared(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        pane.frames.focus()
        await pilot.press("slash", *"kind", "colon", *"foo")
        field = pane.query_one("#traffic-filter", Input)
        await until(pilot, lambda: pane.has_class("-error"))
        complaint = _text(pane, "#traffic-error")
        assert complaint.startswith(" " * 5 + "^ ") and "kind foo" in complaint
        field.value = "kind:response"
        await until(pilot, lambda: pane.frames.shown == 2)
        assert not pane.has_class("-error")
        await until(pilot, lambda: "2 of 5" in _text(pane, "#traffic-state"))
        await pilot.press("enter")
        assert pane.frames.has_focus
        await pilot.press("escape")
        await until(pilot, lambda: pane.frames.shown == 5)
        assert field.value == ""


async def test_the_filter_opens_its_list_only_when_asked_and_is_left_in_two_steps(
    stage, until, traffic
) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        field = pane.query_one("#traffic-filter", FilterInput)
        pane.frames.focus()
        await pilot.press("slash")
        await pilot.pause()
        assert field.has_focus and not field.offers
        await pilot.press("down")
        await until(pilot, lambda: field.offers)
        await pilot.press("escape", *"dir", "colon")
        await until(pilot, lambda: field.offers)
        await pilot.press("escape", "escape")
        assert field.value == "" and pane.frames.has_focus


async def test_the_state_says_what_is_new(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        pane.frames.focus()
        await until(pilot, lambda: "follow ●" in _text(pane, "#traffic-state"))
        await pilot.press("home")
        traffic.session("more").received([b"{}", b"{}", b"{}"])
        await until(pilot, lambda: "paused, 3 new" in _text(pane, "#traffic-state"))
        await pilot.click("#traffic-state")
        assert pane.frames.follow and "new" not in _text(pane, "#traffic-state")


async def test_search_in_the_detail(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        pane.show(1)
        pane.detail.focus_content()
        await pilot.press("slash", *"echo", "enter")
        view = pane.query_one(JsonView)
        await until(pilot, lambda: view.pointer == "$.result.tools[0].name")
        assert view.has_focus
        await pilot.press("escape")
        assert not pane.detail.has_class("-searching") and pane.detail_open


async def test_a_frame_is_copied_with_secrets_masked(stage) -> None:
    guard.keep(Secrets(["s3cret-value-1"]))
    traffic = Traffic.in_memory()
    traffic.session("s").received([b'{"key":"s3cret-value-1"}'])
    pane = TrafficPane(traffic)
    async with stage(pane).run_test():
        pane.show(0)
        assert pane.frames.copy_offer() == ("frame 0", '{"key":"***"}')
        assert pane.detail.copy_offer() == ("frame 0", '{"key":"***"}')


async def test_the_detail_sees_the_answer_come(stage, until) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("s")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        pane.show(0)
        pane.detail.open_tab("info")
        await until(pilot, lambda: "pending" in _text(pane, "#detail-info-text"))
        log.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'])
        await until(pilot, lambda: "answered by  #1" in _text(pane, "#detail-info-text"))


async def test_the_filter_is_completed_by_keys_and_mouse(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 30)) as pilot:
        pane.frames.focus()
        field = pane.query_one(FilterInput)
        offered = pane.query_one(Completions)
        await pilot.press("slash", "down")
        await until(pilot, lambda: field.offers)
        assert [option.text for option in offered.options][:2] == ["dir:", "kind:"]
        await pilot.press("k", "tab")
        assert field.value == "kind:" and not pane.has_class("-error")
        await until(pilot, lambda: [option.text for option in offered.options][:1] == ["request"])
        await pilot.press("down", "down", "down", "enter")
        assert field.value == "kind:response"
        await until(pilot, lambda: pane.frames.shown == 2 and not field.offers)
        await pilot.press("enter")
        assert pane.frames.has_focus
        await pilot.press("slash", "space", *"server:")
        await until(pilot, lambda: len(offered.options) == 2)
        await pilot.click(offered, offset=(3, 1))
        assert field.value == 'kind:response server:"stdio one"'
        await until(pilot, lambda: pane.frames.shown == 1)
        await pilot.press("enter", "slash", "ctrl+u", "up")
        await until(pilot, lambda: offered.options[0].text == 'kind:response server:"stdio one"')
        await pilot.press("down", "enter", "enter")
        assert field.value == "kind:response"


async def test_a_mistake_in_the_filter_is_marked_and_changes_nothing(stage, until, traffic) -> None:
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(60, 30)) as pilot:
        pane.filter_by("kind:response")
        await until(pilot, lambda: pane.frames.shown == 2)
        pane.filter_by("kind:response -(method:tools/list | method:nonsense) flg:x")
        await until(pilot, lambda: pane.has_class("-error"))
        mark, told = _text(pane, "#traffic-error").splitlines()
        assert mark.index("^") == 53 and "did you mean flag" in told
        assert pane.frames.shown == 2


def _conversation() -> Traffic:
    """A call with progress, and another one in between."""
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    meta = {"progressToken": 7}
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "bake", "_meta": meta}}
    log.sent(json.dumps(call).encode())
    log.sent(b'{"jsonrpc":"2.0","id":8,"method":"ping"}')
    for step in (1, 2):
        progress = {"progressToken": 7, "progress": step, "total": 2}
        log.received(
            [json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}).encode()]
        )
    log.received([b'{"jsonrpc":"2.0","id":8,"result":{}}'])
    text = "a loaf\nwith a crust"
    result = {"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": text}]}}
    log.received([json.dumps(result).encode()])
    traffic.advance()
    return traffic


async def test_the_exchange_shows_the_whole_conversation_and_goes_to_its_frames(stage, until, lines) -> None:
    pane = TrafficPane(_conversation())
    async with stage(pane).run_test(size=(120, 40)) as pilot:
        pane.show(5)
        pane.detail.open_tab("exchange")
        pane.detail.focus_content()
        view = pane.query_one(ExchangeView)
        await until(pilot, lambda: view.line_count() == 6 and view.size.height)
        shown = lines(view)
        assert (
            "tools/call bake" in shown[0] and "1/2" in shown[1] and "2/2" in shown[2] and "a loaf" in shown[3]
        )
        assert shown[3].startswith("▌") and "4 frames in" in shown[5]
        await pilot.press("up", "enter")
        await until(pilot, lambda: pane.detail.number == 3 and pane.frames.selected == 3)
        pane.detail.open_tab("text")
        pane.show(5)
        text = pane.query_one("#detail-text", ReadingView)
        await until(
            pilot, lambda: lines(text)[:3] == ["── $.result.content[0].text", "a loaf", "with a crust"]
        )


async def test_frames_are_gone_through_while_one_is_read(stage, until) -> None:
    pane = TrafficPane(_conversation())
    async with stage(pane).run_test(size=(120, 40)) as pilot:
        pane.show(0)
        pane.detail.focus_content()
        await pilot.press("full_stop")
        await until(pilot, lambda: pane.detail.number == 1)
        assert pane.query_one(JsonView).has_focus
        await pilot.press("o")
        await until(pilot, lambda: pane.detail.number == 4)
        await pilot.press("comma")
        await until(pilot, lambda: pane.detail.number == 3)
        await pilot.press("left_curly_bracket")
        await until(pilot, lambda: pane.detail.number == 2)
        await pilot.press("w")
        await until(pilot, lambda: pane.detail.number in (4, 5))
        await pilot.click("#detail-previous")
        await until(pilot, lambda: pane.detail.number in (3, 4))


async def test_two_marked_rows_are_compared_and_marks_have_names(stage, until) -> None:
    pane = TrafficPane(_conversation())
    app = stage(pane)
    async with app.run_test(size=(120, 40)) as pilot:
        pane.frames.focus()
        await pilot.press("home", "down", "down", "m", "down", "M")
        await until(pilot, lambda: isinstance(app.screen, MarksScreen))
        await pilot.press("r", "ctrl+u", *"begin", "enter", "enter")
        await until(pilot, lambda: not isinstance(app.screen, MarksScreen))
        assert pane.frames.marks == {2: "begin"} and pane.frames.selected == 2
        await pilot.press("down", "D")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DiffScreen))


async def test_columns_are_chosen_in_a_dialog_and_remembered(stage, until) -> None:
    app = stage(TrafficPane(_conversation()))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = app.query_one(TrafficPane)
        pane.frames.focus()
        await pilot.press("T", "C")
        await until(pilot, lambda: isinstance(app.screen, ColumnsScreen))
        await pilot.press("space", "down", "J", "J", "escape")
        await until(pilot, lambda: not isinstance(app.screen, ColumnsScreen))
        names = [name for name, _ in pane.frames.columns.widths]
        assert names == ["gutter", "dir", "time", "kind", "told", "id", "size", "took"]
    again = TrafficPane(_conversation())
    async with stage(again).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert [name for name, _ in again.frames.columns.widths] == names
        assert again.frames.time_mode == "start"


async def test_traffic_is_cleared_after_a_question(stage, until) -> None:
    traffic = _conversation()
    app = stage(TrafficPane(traffic))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = app.query_one(TrafficPane)
        pane.frames.focus()
        await pilot.press("home", "ctrl+l")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        assert len(traffic) == 6
        await pilot.press("ctrl+l")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: pane.frames.shown == 1)
        assert b"6 rows were cleared by hand" in traffic.raw(traffic.first)
        traffic.session("two").sent(b'{"jsonrpc":"2.0","id":7,"method":"ping"}')
        await until(pilot, lambda: pane.frames.shown == 2 and pane.frames.selected == traffic.end - 1)


async def test_titles_and_the_state_are_clicked(stage, until) -> None:
    app = stage(TrafficPane(_conversation()))
    async with app.run_test(size=(120, 40)) as pilot:
        pane = app.query_one(TrafficPane)
        pane.frames.focus()
        await pilot.press("home", "space")
        assert pane.frames.follow
        await pilot.press("space")
        await until(pilot, lambda: not pane.frames.follow and "paused" in _text(pane, "#traffic-state"))
        columns = pane.frames.columns
        left = 0
        for name, width in columns.widths:
            if name == "took":
                await pilot.click("FrameTitles", offset=(left + width - 1, 0))
            left += width + columns.gap
        await until(pilot, lambda: pane.frames.selected in (4, 5))


@pytest.mark.parametrize(
    "result",
    [
        {"rows": [{"n": number, "name": f"row {number}"} for number in range(80_000)]},
        {"content": [{"type": "text", "text": "a line of text\n" * 600_000}]},
    ],
    ids=["3 MiB of rows", "8 MiB of text"],
)
async def test_a_frame_of_megabytes_is_shown_folded(stage, until, lines, result: dict[str, object]) -> None:
    raw = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
    traffic = Traffic.in_memory(max_bytes=1 << 28)
    traffic.session("one").received([raw])
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 40)) as pilot:
        pane.show(0)
        view = pane.query_one(JsonView)
        assert view.line_count() < 2000
        pane.detail.focus_content()
        await until(pilot, lambda: '"jsonrpc"' in "".join(lines(view)))
        for tab in ("text", "raw", "hex", "exchange", "info", "json"):
            pane.detail.open_tab(tab)
            await pilot.pause()
        await pilot.press("slash", *"row 7", "enter") if "rows" in result else None
        await until(pilot, lambda: "$" in _text(pane, "#detail-pointer"))


async def test_one_key_folds_exchanges_to_a_row_each_and_back(stage, until) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one", transport="stdio")
    meta = {"_meta": {"progressToken": 1}}
    log.sent(
        json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow", **meta}}
        ).encode()
    )
    for step in (1, 2):
        told = {"progressToken": 1, "progress": step}
        log.received(
            [json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}).encode()]
        )
    log.sent(b'{"jsonrpc":"2.0","id":2,"method":"ping"}')
    pane = TrafficPane(traffic)
    async with stage(pane).run_test(size=(120, 40)) as pilot:
        frames = pane.frames
        frames.focus()
        await until(pilot, lambda: frames.shown == 4)
        await pilot.press("home", "v")
        await until(pilot, lambda: frames.shown == 2 and "2 folded of 4" in _text(pane, "#traffic-state"))
        assert "tools/call slow  2 progress" in _line(frames, 0) and _line(frames, 0).rstrip().endswith("…")
        log.received([b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"well"}]}}'])
        await until(pilot, lambda: "2 progress  ← ok well" in _line(frames, 0))
        assert frames.shown == 2
        await pilot.press("enter")
        await until(pilot, lambda: pane.detail.tab == "exchange" and pane.detail.number == 0)
        assert pane.query_one(ExchangeView).line_count() == 6
        await pilot.press("enter", "down", "enter")
        await until(pilot, lambda: pane.detail.number == 1)
        assert frames.selected == 0
        await pilot.press("escape", "escape", "v")
        await until(pilot, lambda: frames.shown == 5)


def _line(frames: FrameList, index: int) -> str:
    return "".join(segment.text for segment in frames.paint(index, frames.line_width))


async def test_a_note_is_put_on_a_row_found_and_taken_off(until, traffic) -> None:
    async with opened(traffic=traffic) as (app, pilot):
        await until(pilot, lambda: app.main.traffic_pane is not None)
        pane = app.main.traffic_pane
        await until(pilot, lambda: pane.frames.shown == 5)
        pane.frames.focus()
        await pilot.press("home", "down", "A")
        await until(pilot, lambda: "Note on frame 1" in painted(app))
        await pilot.press(*"odd one", "enter")
        await until(pilot, lambda: "ok 1 tool  tools/list" in painted(app) and "✎ odd one" in painted(app))
        assert traffic.remarks == {1: "odd one"}
        await pilot.press("enter")
        await until(pilot, lambda: "✎ odd one" in str(pane.query_one("#detail-note").render()))
        await pilot.press("A", "end", *"!", "enter")
        await until(pilot, lambda: "✎ odd one!" in str(pane.query_one("#detail-note").render()))
        await pilot.press("escape", "slash", *"note:odd", "enter")
        await until(pilot, lambda: pane.frames.shown == 1)
        await pilot.press("A", "ctrl+u", "enter")
        await until(pilot, lambda: pane.frames.shown == 0 and traffic.remarks == {})


def test_a_pane_that_has_no_list_yet_searches_for_nothing() -> None:
    """The rules of the protocol ask, and may do so before it was mounted."""
    assert not TrafficPane(Traffic.in_memory()).is_searching
