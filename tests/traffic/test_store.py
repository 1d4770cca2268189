"""The store: rows, bounds, sessions, late recorders, exchanges."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.traffic.spool import sweep
from inspector.traffic.store import Traffic, Writer
from inspector.transports.base import Observer

Make = Callable[..., Traffic]


@pytest.fixture(params=["memory", "disk"])
def make(request: pytest.FixtureRequest, tmp_path: Path):
    made: list[Traffic] = []

    def build(**bounds: int) -> Traffic:
        if request.param == "memory":
            bounds.pop("segment_bytes", None)
            traffic = Traffic.in_memory(**bounds)
        else:
            traffic = Traffic.on_disk(tmp_path / "spool", **bounds)
        made.append(traffic)
        return traffic

    yield build
    for traffic in made:
        traffic.close()


def ping(number: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number


def test_rows_are_numbered_in_the_order_of_the_wire(make: Make) -> None:
    traffic = make()
    observer: Observer = traffic.session("one")
    assert observer.sent(ping(1)) == 0
    assert observer.received([ping(2), b"noise"]) == 1
    observer.stderr([b"a", b"b"])
    observer.system("spawned")
    assert observer.oversized(b'{"jsonrpc"', 70 << 20) == 6
    assert len(traffic) == traffic.end == 7
    rows = [traffic.row(number) for number in range(7)]
    assert [row.kind for row in rows] == [
        "request", "request", "invalid", "stderr", "stderr", "sys", "invalid",
    ]  # fmt: skip
    assert [row.channel for row in rows] == ["c2s", "s2c", "s2c", "err", "err", "sys", "s2c"]
    assert rows[6].size == 70 << 20
    assert rows[6].flags[:1] == ("truncated",)
    assert traffic.raw(6) == b'{"jsonrpc"'
    assert rows[1].time == rows[2].time
    with pytest.raises(IndexError):
        traffic.row(7)
    assert observer.received([]) == 7


def test_the_revision_rises_with_everything_that_happens(make: Make) -> None:
    traffic = make()
    seen = [traffic.revision]
    log = traffic.session("one")
    seen.append(traffic.revision)
    log.sent(ping(1))
    seen.append(traffic.revision)
    log.facts(protocolVersion="2025-11-25")
    seen.append(traffic.revision)
    traffic.advance()
    seen.append(traffic.revision)
    assert seen == sorted(set(seen))


def test_the_oldest_rows_go_first_visibly_and_numbers_stay(make: Make) -> None:
    traffic = make(max_rows=1000, segment_bytes=8000)
    log = traffic.session("one")
    for number in range(5000):
        log.sent(ping(number))
    assert 0 < len(traffic) <= 1100
    assert traffic.first == traffic.dropped > 3000
    traffic.advance()
    rows = [traffic.row(number) for number in range(traffic.first, traffic.end)]
    told = [row for row in rows if row.kind == "sys"]
    assert "dropped" in told[-1].summary
    held = [row for row in rows if row.kind == "request"]
    assert [row.id for row in held] == list(range(5000 - len(held), 5000))
    assert all(json.loads(traffic.raw(row.number))["id"] == row.id for row in held)
    with pytest.raises(IndexError):
        traffic.raw(traffic.first - 1)


def test_the_disk_is_kept_within_its_cap(tmp_path: Path) -> None:
    traffic = Traffic.on_disk(tmp_path, max_bytes=200_000, segment_bytes=20_000)
    log = traffic.session("one")
    for number in range(10_000):
        log.sent(ping(number))
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 220_000
    assert traffic.dropped
    if os.name == "posix":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    for path in folder.iterdir():
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert lines[0]["format"] == "mcp-inspect/recording"
        assert lines[1]["session"] == 1
    traffic.close()
    assert list(tmp_path.iterdir()) == []


def test_an_answer_to_a_dropped_request_harms_nobody(make: Make) -> None:
    traffic = make(max_rows=400, segment_bytes=4000)
    log = traffic.session("one")
    for number in range(2000):
        log.sent(ping(number))
    for number in range(2000):
        log.received([b'{"jsonrpc":"2.0","id":%d,"result":{}}' % number])
        traffic.advance()
    assert traffic.row(traffic.end - 1).peer is None
    assert traffic.row(traffic.end - 1).state == "answered"


@pytest.mark.parametrize("late", [0, 1, 700, 3000])
def test_a_recorder_that_comes_late_gets_everything_in_order(make: Make, tmp_path: Path, late: int) -> None:
    traffic = make()
    log = traffic.session("one", transport="stdio")
    other = traffic.session("two")
    sent = []

    def say(count: int) -> None:
        for number in range(count):
            raw = ping(len(sent))
            sent.append(raw)
            (log if number % 3 else other).received([raw])

    say(late)
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    say(1)
    traffic.advance(0)
    say(2)
    while traffic.advance(0.01):
        pass
    say(3)
    log.facts(serverInfo={"name": "x"})
    traffic.detach()
    assert traffic.writer is None
    log.sent(b"after")
    recorded = Traffic.open_recording(tmp_path / "a.mcprec")
    recorded.advance()
    assert list(recorded.raws(0, recorded.end)) == sent
    assert [recorded.row(n).server for n in range(5)] == [traffic.row(n).server for n in range(5)]
    assert recorded.sessions[1].facts == {"transport": "stdio", "serverInfo": {"name": "x"}}
    assert recorded.notes == []


def test_a_recording_is_never_cut_though_the_spool_is(make: Make, tmp_path: Path) -> None:
    traffic = make(max_rows=500, segment_bytes=4000)
    log = traffic.session("one")
    for number in range(100):
        log.sent(ping(number))
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    for number in range(100, 5000):
        log.sent(ping(number))
    assert traffic.dropped
    traffic.detach()
    recorded = Traffic.open_recording(tmp_path / "a.mcprec")
    recorded.advance()
    rows = [recorded.row(number) for number in range(recorded.end)]
    assert [row.id for row in rows if row.kind == "request"] == list(range(5000))


def test_a_recording_keeps_the_row_numbers_of_its_session(make: Make, tmp_path: Path) -> None:
    traffic = make(max_rows=200, segment_bytes=2000)
    log = traffic.session("one")
    for number in range(1000):
        log.sent(ping(number))
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    first = traffic.first
    traffic.detach()
    recorded = Traffic.open_recording(tmp_path / "a.mcprec")
    recorded.advance()
    assert recorded.first == first > 0
    assert recorded.row(first).number == first
    assert json.loads(recorded.line(first))["q"] == first


def test_the_line_of_a_row_is_the_recorded_line(make: Make, tmp_path: Path) -> None:
    traffic = make()
    log = traffic.session("one")
    log.sent(b'{"a":1}\r')
    log.received([b"\xff", b"noise"])
    log.oversized(b"[1", 99)
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    traffic.detach()
    recorded = Traffic.open_recording(tmp_path / "a.mcprec")
    assert [recorded.line(n) for n in range(4)] == [traffic.line(n) for n in range(4)]


def test_an_http_exchange_is_one_row_that_opens_into_its_parts(make: Make, tmp_path: Path) -> None:
    traffic = make()
    log = traffic.session("one")
    first = log.http_request("POST", "https://host/mcp", [("Accept", "a"), ("Accept", "b")])
    log.sent(ping(1), first)
    second = log.http_request("GET", "https://host/mcp", [])
    log.http_response(first, 200, [("Content-Type", "text/event-stream")])
    log.http_event(first, "id", "7")
    log.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'], first)
    log.http_response(second, 405, [])
    log.http_body(second, b"not \xff here")
    log.http_body(second, b"!")
    log.http_end(second, "complete")
    log.http_end(first, "complete")
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    traffic.advance()
    traffic.detach()
    recorded = Traffic.open_recording(tmp_path / "a.mcprec")
    recorded.advance()
    for book in (traffic, recorded):
        row = book.row(0)
        assert (row.kind, row.status, row.state, row.peer, row.exchange) == (
            "http",
            200,
            "answered",
            10,
            first,
        )
        assert row.took is not None
        assert book.row(2).status == 405 and book.row(2).state == "error"
        exchange = book.exchange(5)
        assert exchange is not None
        assert (exchange.method, exchange.url, exchange.status) == ("POST", "https://host/mcp", 200)
        assert exchange.request_headers == [("Accept", "a"), ("Accept", "b")]
        assert exchange.frames == [1, 5]
        assert [(field, value) for _, field, value in exchange.events] == [("id", "7")]
        assert exchange.outcome == "complete"
        other = book.exchange(2)
        assert other is not None and other.body == b"not \xff here!"
        assert book.row(5).peer == 1


def test_a_spool_that_was_left_is_read_with_all_its_segments(tmp_path: Path) -> None:
    left = Traffic.on_disk(tmp_path, segment_bytes=2000)
    log = left.session("one")
    for number in range(200):
        log.sent(ping(number))
    first = left.keep()
    left.close()
    assert first is not None and len(list(first.parent.glob("*.mcprec"))) > 3
    found = Traffic.open_recording(first)
    while found.advance(1):
        pass
    assert [found.row(number).id for number in range(len(found))] == list(range(200))
    found.close()


def test_sweep_removes_the_dead_keeps_the_living_and_offers_what_is_young(tmp_path: Path) -> None:
    living = Traffic.on_disk(tmp_path)
    living.session("one").sent(ping(1))
    (lived,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    dead = tmp_path / "20200101-000000-1-00000000"
    dead.mkdir()
    (dead / "000000.mcprec").write_bytes(b'{"format":"mcp-inspect/recording","version":1}\n')
    empty = tmp_path / "20200101-000000-2-00000000"
    empty.mkdir()
    (offered,) = sweep(tmp_path)
    assert offered.folder == dead and not empty.exists() and lived.exists()
    assert len(Traffic.open_recording(offered.segments[0])) == 0
    assert sweep(tmp_path, keep_for=0) == []
    assert not dead.exists() and lived.exists()
    living.close()
    assert list(tmp_path.iterdir()) == []
    assert sweep(tmp_path / "absent") == []


def test_memory_is_bounded_in_bytes() -> None:
    traffic = Traffic.in_memory(max_bytes=1 << 20)
    log = traffic.session("one")
    for _ in range(100):
        log.received([b"x" * (100 << 10)])
    assert sum(map(len, traffic.raws(traffic.first, traffic.end))) <= 1 << 20


def test_bounds_that_are_too_small_for_anything_harm_nobody(make: Make) -> None:
    traffic = make(max_rows=1, max_bytes=1, segment_bytes=1)
    log = traffic.session("one")
    for number in range(50):
        log.received([ping(number), b"x" * 100])
    assert 0 < len(traffic) < 30
    assert traffic.raw(traffic.end - 1)


def test_facts_that_json_cannot_hold_are_written_as_text(tmp_path: Path) -> None:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(tmp_path / "a.mcprec"))
    log = traffic.session("one", cwd=Path("/x"), odd=float("nan"))
    log.sent(b"{}")
    traffic.close()
    for line in (tmp_path / "a.mcprec").read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)


def test_sessions_that_are_over_are_forgotten_with_their_last_row() -> None:
    traffic = Traffic.in_memory(max_rows=20)
    idle = traffic.session("idle")
    idle.sent(b"hello")
    for number in range(200):
        traffic.session(f"s{number}").received([b'{"jsonrpc":"2.0","id":1,"method":"ping"}'] * 3)
    traffic.advance()
    held = {traffic.columns.session[at] for at in range(len(traffic))} - {0}
    assert set(traffic.sessions) == held | {idle.number}
    assert traffic.label(max(held)) == "s199"
    row = idle.received([b"still here"])
    assert traffic.label(traffic.columns.session[row - traffic.first]) == "idle"
    assert traffic.session("next").number == 202


def test_a_session_whose_end_was_not_seen_in_time_is_forgotten_later() -> None:
    traffic = Traffic.in_memory(max_rows=20)
    late, other = traffic.session("late"), traffic.session("other")
    late.sent(b"hello")
    for _ in range(30):
        other.sent(b"hello")
    assert traffic.label(late.number) == "late"
    number = late.number
    del late
    for _ in range(30):
        other.sent(b"hello")
    assert number not in traffic.sessions
