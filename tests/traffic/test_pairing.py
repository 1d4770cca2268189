"""Which answer belongs to which request, live and from a recording alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.protocol import jsonrpc
from inspector.traffic.correlate import message_of
from inspector.traffic.rows import Row
from inspector.traffic.stats import calls
from inspector.traffic.store import Traffic, Writer


def request(id_: Any, method: str = "ping", **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode()


def notification(method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()


def result(id_: Any, **members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "result": members}).encode()


def error(id_: Any) -> bytes:
    return json.dumps(
        {"jsonrpc": "2.0", "id": id_, "error": {"code": -32601, "message": "no such method"}}
    ).encode()


def rows_of(frames: Sequence[tuple[str, bytes]], path: Path) -> list[Row]:
    """Frames as (direction, bytes), `>` from us; the rows, which are the same from a recording of them."""
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    log = traffic.session("one")
    for direction, raw in frames:
        if direction == ">":
            log.sent(raw)
        else:
            log.received([raw])
    traffic.advance()
    live = [traffic.row(number) for number in range(traffic.end)]
    traffic.close()
    recorded = Traffic.open_recording(path)
    recorded.advance()
    again = [recorded.row(number) for number in range(recorded.end)]
    facts = [(row.peer, row.state, row.method, row.target, row.id, row.flags, row.summary) for row in live]
    assert facts == [
        (row.peer, row.state, row.method, row.target, row.id, row.flags, row.summary) for row in again
    ]
    recorded.close()
    return live


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.mcprec"


def test_answers_find_their_requests_out_of_order(path: Path) -> None:
    call = request(2, "tools/call", name="echo")
    rows = rows_of([(">", request(1)), (">", call), ("<", result(2)), ("<", result(1))], path)
    assert [row.peer for row in rows] == [3, 2, 1, 0]
    assert [row.state for row in rows] == ["answered"] * 4
    assert (rows[2].method, rows[2].target) == ("tools/call", "echo")
    assert rows[2].took == rows[1].took and rows[2].took is not None
    assert rows[1].summary == "tools/call echo"


def test_the_id_spaces_of_the_two_sides_are_separate(path: Path) -> None:
    rows = rows_of([(">", request(1, "a")), ("<", request(1, "b")), (">", result(1)), ("<", error(1))], path)
    assert [row.peer for row in rows] == [3, 2, 1, 0]
    assert [row.state for row in rows] == ["error", "answered", "answered", "error"]
    assert [row.method for row in rows] == ["a", "b", "b", "a"]
    assert rows[3].summary == "-32601 no such method"


def test_sessions_do_not_answer_for_each_other() -> None:
    traffic = Traffic.in_memory()
    one, two = traffic.session("one"), traffic.session("two")
    one.sent(request(1))
    two.received([result(1)])
    traffic.advance()
    assert traffic.row(0).state == "pending"
    assert traffic.row(1).state == "unknown"


def test_a_tool_error_is_told_from_an_answer(path: Path) -> None:
    broken = result(1, isError=True, content=[{"type": "text", "text": "no such file"}])
    rows = rows_of([(">", request(1, "tools/call", name="read")), ("<", broken)], path)
    assert [row.state for row in rows] == ["tool error", "tool error"]
    assert rows[1].summary == "tool error: no such file"


def test_duplicates_late_and_unknown_answers_are_named(path: Path) -> None:
    rows = rows_of(
        [
            (">", request(1)), ("<", result(1)), ("<", result(1)),
            (">", request(2)), (">", notification("notifications/cancelled", requestId=2)), ("<", result(2)),
            ("<", result(99)), ("<", error(None)),
        ],
        path,
    )  # fmt: skip
    assert [row.state for row in rows] == [
        "answered", "answered", "duplicate", "cancelled", "", "late", "unknown", "unknown",
    ]  # fmt: skip
    assert rows[2].peer == 0 and rows[0].peer == 1
    assert rows[4].peer == 3


def test_an_id_of_the_wrong_type_is_matched_and_flagged(path: Path) -> None:
    rows = rows_of([(">", request(7)), ("<", result("7")), (">", request("x")), ("<", result("x"))], path)
    assert rows[1].peer == 0 and rows[1].state == "answered"
    assert "id type" in rows[1].flags and "id type" not in rows[3].flags


def test_an_id_that_is_used_again_is_flagged(path: Path) -> None:
    rows = rows_of([(">", request(1)), (">", request(1)), ("<", result(1))], path)
    assert "reused id" in rows[1].flags
    assert rows[2].peer == 1
    assert rows[0].state == "pending"


def test_each_http_session_has_its_own_ids() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("proxy")
    hello = request(1, "initialize")
    for name in ("a", "b"):
        exchange = log.http_request("POST", "http://x/mcp", [])
        log.sent(hello, exchange)
        log.http_response(exchange, 200, [("Mcp-Session-Id", name)])
        log.received((result(1),), exchange)
        log.http_end(exchange, "complete")
    calls_ = {}
    for name in ("a", "b"):
        calls_[name] = exchange = log.http_request("POST", "http://x/mcp", [("mcp-session-id", name)])
        log.sent(request(2, _meta={"progressToken": 2}), exchange)
    listen = log.http_request("GET", "http://x/mcp", [("mcp-session-id", "a")])
    log.received((notification("notifications/progress", progressToken=2, progress=1),), listen)
    for name in ("a", "b"):
        log.received((result(2),), calls_[name])
    again = log.http_request("POST", "http://x/mcp", [("mcp-session-id", "a")])
    log.sent(request(1), again)
    traffic.advance()
    frames = [
        row
        for row in map(traffic.row, range(len(traffic)))
        if row.kind in ("request", "response", "notification")
    ]
    first, second = [row for row in frames if row.method == "ping" and row.kind == "request"][:2]
    told = next(row for row in frames if row.kind == "notification")
    assert [row.number for row in frames if "reused id" in row.flags] == [frames[-1].number]
    assert told.peer == first.number
    assert {first.peer, second.peer} == {row.number for row in frames[-3:-1]} and first.state == "answered"


def test_what_belongs_to_no_session_is_matched_within_its_exchange() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("proxy")
    open_ = []
    for _ in range(2):
        log.sent(request(0, "server/discover"), log.http_request("POST", "http://x/mcp", []))
    for _ in range(2):
        open_.append(log.http_request("POST", "http://x/mcp", []))
        log.sent(request(1, _meta={"progressToken": 1}), open_[-1])
    for exchange in open_:
        log.received((notification("notifications/progress", progressToken=1, progress=1),), exchange)
        log.received((result(1),), exchange)
    traffic.advance()
    frames = [row for row in map(traffic.row, range(len(traffic))) if row.exchange and row.channel != "http"][
        2:
    ]
    first, second = frames[:2]
    assert [row.peer for row in frames[2:]] == [first.number, first.number, second.number, second.number]
    assert not any(row.flags for row in frames) and second.state == "answered"


def test_addresses_of_messages_tell_sessions_apart() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("proxy")
    streams = []
    for name in ("a", "b"):
        streams.append(log.http_request("GET", "http://x/sse", []))
        log.http_event(streams[-1], "event endpoint", f"/message?sessionId={name}")
    for name in ("a", "b"):
        log.sent(request(1), log.http_request("POST", f"http://x/message?sessionId={name}", []))
    for stream in streams:
        log.received((result(1),), stream)
    traffic.advance()
    frames = [row for row in map(traffic.row, range(len(traffic))) if row.kind in ("request", "response")]
    assert [row.peer for row in frames[2:]] == [row.number for row in frames[:2]]
    assert not any(row.flags for row in frames)


def test_progress_belongs_to_the_request_that_gave_the_token(path: Path) -> None:
    call = request(5, "tools/call", name="slow", _meta={"progressToken": "p-5"})
    progress = notification("notifications/progress", progressToken="p-5", progress=1, total=4)
    stray = notification("notifications/progress", progressToken="other", progress=1)
    rows = rows_of([(">", call), ("<", progress), ("<", stray), ("<", result(5)), ("<", progress)], path)
    assert rows[1].peer == 0 and rows[1].state == "" and rows[1].summary == "notifications/progress 1/4"
    assert rows[2].state == "unknown"
    assert rows[4].peer == 0 and rows[4].state == "late"


def test_rows_that_belong_together_are_linked() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    log.sent(request(1, _meta={"progressToken": 1}))
    log.received([notification("notifications/progress", progressToken=1, progress=1), request(1), result(1)])
    traffic.advance()
    assert traffic.linked(0) == [1, 3]
    assert traffic.linked(1) == [0]
    assert traffic.linked(3) == [0]
    assert traffic.linked(2) == []


def test_the_parts_of_a_batch_are_paired(path: Path) -> None:
    batch = b"[" + request(1) + b"," + request(2) + b"]"
    answers = b"[" + result(1) + b"]"
    rows = rows_of([(">", batch), ("<", answers), ("<", result(2)), ("<", result(2))], path)
    assert rows[0].kind == rows[1].kind == "batch"
    assert rows[1].peer == 0 and rows[2].peer == 0
    assert [row.state for row in rows[2:]] == ["answered", "duplicate"]


def test_long_frames_show_their_id_and_outcome_without_being_decoded(path: Path) -> None:
    text = "y" * 200_000
    head = b'{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"%s"}]}}' % text.encode()
    tail = b'{"result":{"x":"%s"},"jsonrpc":"2.0","id":12}' % text.encode()
    middle = b'{"a":"%s","id":13,"result":{},"b":"%s"}' % (text.encode(), text.encode())
    frames = [
        (">", request("a")),
        (">", request(12)),
        (">", request(13)),
        ("<", head),
        ("<", tail),
        ("<", middle),
    ]
    rows = rows_of(frames, path)
    assert [row.id for row in rows[3:]] == ["a", 12, 13]
    assert [row.peer for row in rows[3:]] == [0, 1, 2]
    assert rows[3].summary == "ok"


def test_a_row_is_readable_before_it_was_described() -> None:
    traffic = Traffic.in_memory()
    traffic.session("one").sent(request(1, "tools/call", name="echo"))
    row = traffic.row(0)
    assert (row.kind, row.method, row.id, row.state) == ("request", "tools/call", 1, "")


def test_more_names_than_can_be_listed_are_still_found() -> None:
    from inspector.traffic.query import compile
    from inspector.traffic.views import View

    traffic = Traffic.in_memory()
    log = traffic.session("one")
    log.received([notification(f"m{number}") for number in range(66_000)])
    log.received([notification("long" * 100)])
    traffic.advance()
    assert traffic.row(65_999).method == "m65999"
    for wanted, row in (("m65999", 65_999), ("long" * 100, 66_000)):
        view = View(traffic, compile(f"method:{wanted}"))
        view.extend()
        assert list(view.rows) == [row]


def test_calls_are_counted_by_tool() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    for number in range(10):
        log.sent(request(number, "tools/call", name="echo"))
        log.received([error(number) if number == 9 else result(number)])
    log.sent(request(10, "ping"))
    traffic.advance()
    echo, other = calls(traffic)
    assert (echo.method, echo.target, echo.count, echo.errors) == ("tools/call", "echo", 10, 1)
    assert echo.percentiles(50) != [None] and other.percentiles(50) == [None]
    assert other.pending == 1


_NAMES = st.sampled_from(["jsonrpc", "id", "method", "result", "error", "params", "x"])
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.text(max_size=4)
    | st.sampled_from(["2.0", "ping", 1.5]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "id", "method", "result", "error", "params", "x"]), inner, max_size=6
        )
    ),
    max_leaves=12,
)


@given(st.one_of(_VALUES.map(lambda value: json.dumps(value).encode()), st.binary(max_size=30)))
@settings(max_examples=300, deadline=None)
def test_the_peek_agrees_with_the_reader_of_messages(raw: bytes) -> None:
    for variant in (raw, b" " + raw, raw + b"\r", b"\xef\xbb\xbf" + raw, raw + b"x"):
        seen, read = message_of(variant), jsonrpc.read(variant)
        assert (seen.kind, seen.id, seen.method, seen.problem) == (
            read.kind,
            read.id,
            read.method,
            read.problem,
        )


@given(
    st.lists(
        st.tuples(st.sampled_from("><"), _VALUES.map(lambda value: json.dumps(value).encode())), max_size=12
    )
)
@settings(max_examples=150, deadline=None)
def test_no_traffic_makes_pairing_raise(frames: list[tuple[str, bytes]]) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    for direction, raw in frames:
        log.sent(raw) if direction == ">" else log.received([raw])
    traffic.advance()
    for number in range(traffic.end):
        traffic.row(number)
        traffic.linked(number)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "everything",
        "everything-nocaps",
        "filesystem",
        "memory",
        "git",
        "git-modern",
        "excel-modern",
        "context7-modern",
    ],
)
def test_recorded_sessions_are_paired(shared: Path, tmp_path: Path, name: str) -> None:
    traffic = Traffic.on_disk(tmp_path / "spool")
    log = traffic.session(name)
    lines = [json.loads(line) for line in (shared / "traffic" / f"{name}.jsonl").read_text().splitlines()]
    for line in lines:
        raw = line["msg"].encode()
        log.sent(raw) if line["dir"] == "send" else log.received([raw])
    traffic.advance()
    assert [raw.decode() for raw in traffic.raws(0, traffic.end)] == [line["msg"] for line in lines]
    rows = [traffic.row(number) for number in range(traffic.end)]
    answers = [row for row in rows if row.kind in ("response", "error") and row.id is not None]
    assert answers
    assert [row.summary for row in answers if row.peer is None] == []
    requests = [row for row in rows if row.kind == "request"]
    pending = [row.method for row in requests if row.state == "pending"]
    assert len(pending) <= 3, pending
    progress = [row for row in rows if row.method == "notifications/progress"]
    assert all(row.peer is not None for row in progress)
    traffic.close()


@pytest.mark.parametrize(
    ("status", "end", "state"),
    [
        (404, "complete", "error"),
        (0, "nobody listens", "error"),
        (200, "cut", "pending"),
        (202, "complete", "pending"),
    ],
)
def test_a_request_whose_exchange_was_refused_waits_no_longer(status: int, end: str, state: str) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    exchange = log.http_request("POST", "http://127.0.0.1/mcp", [])
    row = log.sent(request(1), exchange)
    if status:
        log.http_response(exchange, status, [])
    log.http_end(exchange, end)
    traffic.advance()
    assert traffic.row(row).state == state
    log.received([result(1)])
    traffic.advance()
    assert traffic.row(row).state == "answered"
