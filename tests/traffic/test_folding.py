"""One row for a whole exchange."""

from __future__ import annotations

import json
from typing import Any

from inspector.traffic.folding import Exchange
from inspector.traffic.query import compile
from inspector.traffic.store import Traffic
from inspector.traffic.views import View
from inspector.tui.widgets.traffic.exchange_view import conversation

PROGRESS = {"method": "notifications/progress"}


def kept(traffic: Traffic, *messages: tuple[str, dict[str, Any]]) -> None:
    log = traffic.session("server")
    for direction, members in messages:
        raw = json.dumps({"jsonrpc": "2.0", **members}).encode()
        log.sent(raw) if direction == ">" else log.received([raw])
    traffic.advance()


def call(id_: int, name: str = "t", **params: Any) -> tuple[str, dict[str, Any]]:
    return ">", {
        "id": id_,
        "method": "tools/call",
        "params": {"name": name, "_meta": {"progressToken": id_}, **params},
    }


def progress(id_: int) -> tuple[str, dict[str, Any]]:
    return "<", {**PROGRESS, "params": {"progressToken": id_, "progress": 1}}


def done(id_: int, **result: Any) -> tuple[str, dict[str, Any]]:
    return "<", {"id": id_, "result": {"content": [], **result}}


MIXED = (
    call(1),  # 0
    call(2),  # 1
    progress(1),  # 2
    ("<", {"method": "notifications/message", "params": {}}),  # 3
    progress(1),  # 4
    done(2),  # 5
    done(1, isError=True),  # 6
    call(3),  # 7
    progress(99),  # 8
)


def listed(traffic: Traffic, source: str = "", step: int | None = None) -> list[int]:
    view = View(traffic, compile(source) if source else None, folded=True)
    if step is not None:
        view._step = step
    while view.extend(0.0 if step is not None else None):
        pass
    return list(view.rows)


def test_what_belongs_to_no_request_keeps_its_own_row() -> None:
    traffic = Traffic.in_memory()
    kept(traffic, *MIXED)
    assert listed(traffic) == [0, 1, 3, 7, 8]


def test_a_filter_finds_the_exchanges_of_the_rows_that_it_finds() -> None:
    traffic = Traffic.in_memory()
    kept(traffic, *MIXED)
    for source, rows in (
        ("dir:in", [0, 1, 3, 8]),
        ("status:failed", [0]),
        ("method:notifications/progress", [0, 8]),
        ("dir:in kind:response", [0, 1]),
        ("status:pending", [7]),
    ):
        assert listed(traffic, source) == rows, source


def test_rows_that_come_later_go_to_where_their_exchange_began() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("server")
    for id_ in range(200):
        log.sent(json.dumps({"jsonrpc": "2.0", "id": id_, "method": "ping"}).encode())
    for id_ in reversed(range(200)):
        log.received([json.dumps({"jsonrpc": "2.0", "id": id_, "result": {}}).encode()])
    traffic.advance()
    view = View(traffic, compile("kind:response"), folded=True)
    view._step = 7
    view.extend()
    assert list(view.rows) == list(range(200))


def test_an_exchange_is_told_in_numbers() -> None:
    traffic = Traffic.in_memory()
    kept(traffic, *MIXED)
    of = traffic.folding.exchange
    first = of(0)
    assert first is not None and first.took is not None and first.took >= 0
    assert (first.answer, first.progress, first.rounds, first.state) == (6, 2, 0, "tool error")
    assert of(7) == Exchange(7, None, 0, 0, 0, "pending", None)
    assert of(3) is None and of(4) is None and of(99) is None
    assert [traffic.folding.head(number) for number in range(9)] == [0, 1, 0, 3, 0, 1, 0, 7, 8]


def test_rounds_of_input_are_one_exchange() -> None:
    traffic = Traffic.in_memory()
    asks = {"resultType": "input_required", "inputRequests": {"a": {}}, "requestState": "s"}
    kept(
        traffic,
        call(1), ("<", {"id": 1, "result": asks}),
        call(2, inputResponses={"a": {}}, requestState="s"), progress(2), done(2),
        call(3),
    )  # fmt: skip
    assert listed(traffic) == [0, 5]
    found = traffic.folding.exchange(0)
    assert found is not None
    assert (found.answer, found.rounds, found.progress, found.state) == (4, 1, 1, "answered")


def test_a_stream_that_was_taken_up_again_is_counted() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("server")
    exchange = log.http_request("POST", "http://h/mcp", [])
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', exchange)
    log.http_event(exchange, "resume", "GET with Last-Event-ID 7 in 100 ms")
    log.http_end(exchange, "closed")
    again = log.http_request("GET", "http://h/mcp", [])
    log.received([b'{"jsonrpc":"2.0","id":1,"result":{}}'], again)
    traffic.advance()
    assert listed(traffic) == [1]
    found = traffic.folding.exchange(1)
    assert found is not None and (found.resumed, found.state) == (1, "answered")
    whole = conversation(traffic, 1)
    assert [traffic.row(number).summary[:12] for number in whole] == ["ping", "event resume", "ok"]


def test_a_task_is_one_exchange_with_the_call_that_made_it() -> None:
    traffic = Traffic.in_memory()
    kept(
        traffic,
        call(1),
        ("<", {"id": 1, "result": {"task": {"taskId": "x", "status": "working"}}}),
        (">", {"id": 2, "method": "tasks/get", "params": {"taskId": "x"}}),
        ("<", {"id": 2, "result": {"taskId": "x", "status": "completed"}}),
    )
    assert listed(traffic) == [0]


def test_an_answer_whose_request_is_gone_has_its_own_row() -> None:
    traffic = Traffic.in_memory(max_rows=3)
    kept(traffic, call(1), call(2), call(3), done(1), done(2))
    rows = listed(traffic)
    assert rows and rows[0] >= traffic.first
    assert all(traffic.folding.head(number) >= traffic.first for number in range(traffic.first, traffic.end))
