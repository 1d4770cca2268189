from __future__ import annotations

import json
import re

import pytest
from textual.events import MouseScrollUp

from inspector.traffic.query import QueryError
from inspector.traffic.store import Traffic
from inspector.tui.widgets.traffic import frame_list
from inspector.tui.widgets.traffic.frame_list import FrameList


def _call(log, number: int, answer: bool = True) -> None:
    log.sent(
        json.dumps(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": f"tool-{number}"}}
        ).encode()
    )
    if answer:
        log.received([json.dumps({"jsonrpc": "2.0", "id": number, "result": {"content": []}}).encode()])


@pytest.fixture
def traffic() -> Traffic:
    traffic = Traffic.in_memory()
    log = traffic.session("server", transport="stdio")
    for number in range(50):
        _call(log, number)
    return traffic


async def test_it_follows_until_someone_moves_up(stage, until, lines, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(80, 10)) as pilot:
        frames.focus()
        assert frames.follow and frames.selected == 99
        await until(pilot, lambda: "tool-49" in lines(frames)[-1])
        _call(traffic.session("server"), 50)
        await until(pilot, lambda: frames.shown == 102)
        assert frames.selected == 101 and frames.unseen == 0
        await pilot.press("up", "up")
        assert not frames.follow
        _call(traffic.session("server"), 51)
        await until(pilot, lambda: frames.shown == 104)
        assert frames.selected == 99 and frames.unseen == 2
        await pilot.press("end")
        assert frames.follow and frames.selected == 103 and frames.unseen == 0


async def test_the_wheel_stops_following_and_space_resumes(stage, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(80, 10)) as pilot:
        frames.post_message(MouseScrollUp(frames, 1, 1, 0, -1, 0, False, False, False))
        await pilot.pause()
        assert not frames.follow
        frames.focus()
        await pilot.press("space")
        assert frames.follow


async def test_peer_mark_page_and_mouse(stage, lines, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(80, 10)) as pilot:
        frames.focus()
        await pilot.press("home")
        assert frames.selected == 0
        shown = lines(frames)
        assert shown[0][1] == "┌" and shown[1][1] == "└"
        frames.action_peer()
        assert frames.selected == 1
        frames.action_mark()
        await pilot.press("pagedown")
        frames.action_mark()
        assert frames.marks == {1: "A", 10: "B"}
        frames.action_next_mark(1)
        assert frames.selected == 1
        assert lines(frames)[0].startswith("A") or lines(frames)[1].startswith("A")
        await pilot.press("pagedown")
        assert frames.selected == 10
        await pilot.click(frames, offset=(20, 2))
        assert frames.selected == frames.scroll_offset.y + 2


async def test_a_filter_narrows_and_a_bad_one_changes_nothing(stage, lines, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)) as pilot:
        frames.set_filter("tool:tool-7 kind:request")
        assert (frames.shown, frames.total) == (1, 100)
        assert frames.selected == 14
        with pytest.raises(QueryError):
            frames.set_filter("kind:nonsense")
        assert frames.shown == 1
        frames.set_filter("no such text")
        assert "No frame passes the filter" in lines(frames)[1]
        frames.set_filter("")
        await pilot.pause()
        assert frames.shown == 100


async def test_the_selected_row_stays_when_the_filter_changes(stage, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)):
        frames.select(41)
        frames.set_filter("kind:response")
        assert frames.selected == 41
        frames.set_filter("")
        assert frames.selected == 41


async def test_a_filter_for_states_follows_what_becomes_of_them(stage, until, traffic) -> None:
    log = traffic.session("late one")
    _call(log, 900, answer=False)
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)) as pilot:
        frames.set_filter("status:pending")
        assert frames.shown == 1
        log.received([b'{"jsonrpc":"2.0","id":900,"result":{}}'])
        await until(pilot, lambda: frames.shown == 0)


async def test_rows_that_were_dropped_leave_the_cursor_where_it_is(stage, until) -> None:
    traffic = Traffic.in_memory(max_rows=400)
    log = traffic.session("server")
    for number in range(150):
        _call(log, number)
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)) as pilot:
        await until(pilot, lambda: frames.shown == 300)
        frames.select(280)
        for number in range(150, 220):
            _call(log, number)
        await until(pilot, lambda: traffic.first > 0 and frames.view[0] >= traffic.first)
        assert frames.selected == 280


async def test_one_server_needs_no_column_and_many_do(stage, until, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)) as pilot:
        assert frames.columns.width_of("server") == 0
        traffic.session("another")
        await until(pilot, lambda: frames.columns.width_of("server") == 7)


async def test_time_of_day_since_the_start_and_since_above(stage, until, lines, traffic) -> None:
    traffic.advance()
    for row in range(100):
        traffic.columns.time[row] = 1.0 + row * row
    frames = FrameList(traffic)

    def times() -> list[str]:
        return [line.lstrip("┌└ ").split()[1] for line in lines(frames)[:4]]

    async with stage(frames).run_test(size=(120, 12)) as pilot:
        frames.focus()
        await pilot.press("home")
        await until(pilot, lambda: frames.cursor == 0 and frames.scroll_offset.y == 0)
        day = times()
        assert all(re.fullmatch(r"\d\d:\d\d:\d\d(\.\d+)?", time) for time in day) and len(set(day)) == 4
        frames.action_time()
        assert times() == ["0.000", "1.000", "4.000", "9.000"]
        frames.action_time()
        assert times() == ["0.000", "1.000", "3.000", "5.000"]
        frames.action_time()
        assert times() == day


async def test_a_copied_frame_is_what_was_on_the_wire(stage) -> None:
    traffic = Traffic.in_memory()
    traffic.session("s").received([b'{"x": 1.50}', b"noise \xff"])
    frames = FrameList(traffic)
    async with stage(frames).run_test():
        frames.select(0)
        assert frames.copy_offer() == ("frame 0", '{"x": 1.50}')


async def test_odd_rows_neither_crash_nor_leak(stage, lines) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("we\x1b[2Jird [/bold]")
    traffic.session("second")
    log.received(
        [b"\x1b]52;c;aGk=\x07", b"", b"[]", b"{", b'{"id":NaN}', b'"\\ud83d"', b"[" * 9000, b"\xff\xfe"]
    )
    log.received(
        [
            b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"result":{}}',
            b'{"jsonrpc":"2.0","method":"a\\u001bb"}',
        ]
    )
    log.oversized(b'{"jsonrpc":"2.0"', 1 << 27)
    log.system("exited \x9b31m")
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(150, 20)):
        shown = "\n".join(lines(frames))
        assert not set(shown) & set("\x1b\x9b\x07\xff")
        assert "truncated" in shown and "128.0 MiB" in shown


async def test_to_what_is_slow_alike_and_wrong(stage, until) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    for number, name in enumerate(("a", "b", "a", "b")):
        log.sent(
            json.dumps(
                {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name}}
            ).encode()
        )
    for number, error in ((2, False), (0, True), (3, False)):
        result = {"content": [], "isError": error}
        log.received([json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()])
    log.received([b"noise"])
    traffic.advance()
    for row, moment in enumerate((0.0, 0.1, 0.2, 0.3, 0.5, 9.0, 0.7, 0.8)):
        traffic.columns.time[row] = moment
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)):
        frames.action_slowest()
        assert frames.selected == 5
        frames.action_slowest()
        assert frames.selected == 6
        frames.select(0)
        frames.action_alike(1)
        assert frames.selected == 2
        frames.action_alike(-1)
        assert frames.selected == 0
        frames.action_failure(1)
        assert frames.selected == 5
        frames.action_failure(1)
        assert frames.selected == 7
        frames.action_failure(1)
        assert frames.selected == 7
        frames.action_failure(-1)
        assert frames.selected == 5


async def test_columns_are_shown_hidden_and_moved(stage, until, lines, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(120, 12)) as pilot:
        frames.choose_columns(("took", "kind", "number", "mark", "session"))
        await pilot.pause()
        assert [name for name, _ in frames.columns.widths] == [
            "gutter", "took", "kind", "number", "mark", "session", "told",
        ]  # fmt: skip
        frames.action_mark()
        await pilot.pause()
        await until(pilot, lambda: " A " in lines(frames)[-1])
        assert frames.columns.at(0) == "gutter" and frames.columns.at(5) == "took"


async def test_a_click_selects_and_a_click_on_the_selected_row_opens(stage, traffic) -> None:
    opened: list[int] = []

    class Listening(FrameList):
        def on_frame_list_opened(self, event: FrameList.Opened) -> None:
            opened.append(event.number)

    frames = Listening(traffic)
    async with stage(frames).run_test(size=(80, 10)) as pilot:
        frames.focus()
        await pilot.press("home")
        await pilot.click(frames, offset=(20, 3))
        assert frames.selected == 3 and not opened
        await pilot.click(frames, offset=(20, 5))
        await pilot.click(frames, offset=(20, 3))
        await pilot.click(frames, offset=(30, 3))
        assert opened == [3]
        await pilot.click(frames, times=2, offset=(30, 6))
        assert opened == [3, 6]


async def test_a_folded_list_goes_to_exchanges_that_were_slow_or_failed(stage) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    for number in range(4):
        _call(log, number, answer=False)
    for number, error in ((2, False), (0, True), (3, False)):
        result = {"content": [], "isError": error}
        log.received([json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()])
    log.received([b"noise"])
    log.received([b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'])
    traffic.advance()
    for row, moment in enumerate((0.0, 0.1, 0.2, 0.3, 0.5, 9.0, 0.7, 0.8, 0.9)):
        traffic.columns.time[row] = moment
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(100, 12)):
        frames.fold(True)
        frames.action_slowest()
        assert frames.selected == 0
        frames.action_slowest()
        assert frames.selected == 1
        frames.action_failure(-1)
        assert frames.selected == 0
        frames.action_failure(1)
        frames.action_failure(1)
        assert frames.selected == 7


async def test_a_filter_that_still_searches_says_so(stage, until, lines, traffic, monkeypatch) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(80, 10)) as pilot:
        await until(pilot, lambda: frames.shown == 100)
        with monkeypatch.context() as still:
            still.setattr(frame_list, "_SLICE", 0)
            frames.set_filter("/tool.*999/")
            await until(pilot, lambda: "searching … 0 %" in lines(frames)[1])
        await until(pilot, lambda: "No frame passes the filter" in lines(frames)[1])
        assert frames.searched is None
