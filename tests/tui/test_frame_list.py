from __future__ import annotations

import json

import pytest
from textual.events import MouseScrollUp

from inspector.traffic.query import QueryError
from inspector.traffic.store import Traffic
from inspector.tui.widgets.frame_list import FrameList


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
        assert "tool-49" in lines(frames)[-1]
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
        await pilot.press("o")
        assert frames.selected == 1
        await pilot.press("m", "pagedown", "apostrophe")
        assert frames.selected == 1 and frames.marks == {1}
        assert lines(frames)[0].startswith("●") or lines(frames)[1].startswith("●")
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
        assert "no frame passes the filter" in lines(frames)[1]
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


async def test_time_of_day_since_the_start_and_since_above(stage, lines, traffic) -> None:
    frames = FrameList(traffic)
    async with stage(frames).run_test(size=(120, 12)) as pilot:
        frames.focus()
        await pilot.press("home", "T")
        assert lines(frames)[0].split()[2] == "0.000"
        await pilot.press("T")
        assert lines(frames)[0].split()[2] == "0.000"


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
