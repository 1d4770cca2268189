"""Calls over time and the lengths of their answers, as text."""

from __future__ import annotations

from array import array

from inspector.traffic.stats import Calls, Tally, together
from inspector.traffic.store import Traffic
from inspector.tui.widgets.traffic import charts


def calls(at: list[float], took: list[float], failed: list[float]) -> Calls:
    found = Calls("s", "tools/call", "t", count=len(at))
    found.at, found.took, found.failed_at = array("d", at), array("d", took), array("d", failed)
    return found


def test_bars_reach_from_the_least_to_the_most() -> None:
    assert charts.bars([0, 1, 8, 16], 2) == ["   █", " ▁██"]
    assert charts.bars([1, 100_000], 1) == ["▁█"], "what is not nothing can be seen"
    assert charts.bars([0, 0], 2) == ["  ", "  "] and charts.bars([], 1) == [""]


def test_requests_stand_where_they_were_made_and_failures_below_them() -> None:
    parts = [calls([0.0, 0.1, 9.9], [], [9.9]), calls([5.0], [], [])]
    lines = charts.moments(parts, 0.0, 40, 2).plain.split("\n")
    assert len(lines) == 5 and lines[0].startswith("requests per 248 ms, at most 2")
    assert lines[2][0] == "█" and lines[2][20] != " " and lines[2][39] != " " and lines[2][10] == " "
    assert lines[3] == " " * 39 + "✗" and "✗ failed" in lines[4]


def test_lengths_are_counted_up_to_each_limit() -> None:
    found = calls([], [0.0005, 0.002, 0.002, 0.9, 3.0, 99.0], [])
    assert charts.lengths(found, 1).plain.split("\n")[2].split() == ["1", "2", "1", "1", "1"]
    many = calls([], [0.5] * 1234, [])
    assert charts.lengths(many, 1).plain.split("\n")[2].strip() == "1k"


def test_counting_goes_on_where_it_stopped() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("s")
    tally = Tally(traffic)

    def ask(number: int) -> None:
        log.sent(b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}' % number)

    def count() -> Calls:
        traffic.advance()
        tally.take(100)
        tally.look_again()
        return together(tally.calls())

    ask(1)
    ask(2)
    assert (count().count, count().pending) == (2, 2)
    before = tally.state
    log.received([b'{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}'])
    whole = count()
    assert (whole.count, whole.pending, whole.errors) == (2, 1, 1) and tally.state != before
    assert whole.slowest == 2 and len(tally.calls()[0].failed_at) == 1
    assert (count().count, count().errors) == (2, 1), "nothing is counted twice"
