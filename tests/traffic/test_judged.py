"""What was found wrong with rows: where it stands, what a filter finds of it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from inspector.traffic.judged import Judged
from inspector.traffic.query import compile
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

PING = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'


@dataclass
class Verdict:
    rule: str
    level: str


MILD, BAD, ODD = Verdict("T14", "info"), Verdict("J02", "error"), Verdict("T09", "warning")


def traffic_of(rows: int = 5) -> Traffic:
    traffic = Traffic.in_memory(max_rows=rows)
    log = traffic.session("it")
    for number in range(rows):
        log.sent(PING % number)
    traffic.advance()
    for row, verdict in ((1, MILD), (1, BAD), (1, MILD), (3, ODD)):
        traffic.judged.add(row, verdict)
    return traffic


def test_a_row_tells_the_worst_first_and_each_verdict_once() -> None:
    judged = traffic_of().judged
    assert judged.at(1) == (BAD, MILD)
    assert judged.at(0) == judged.at(4) == judged.at(99) == ()


def test_what_is_muted_is_told_of_nowhere() -> None:
    traffic = traffic_of()
    before = traffic.judged.key(1)
    traffic.judged.muted = frozenset({"J02"})
    assert traffic.judged.at(1) == (MILD,) and traffic.judged.key(1) != before
    assert traffic.judged.rules() == {"T14": "info", "T09": "warning"}
    view = View(traffic, compile("finding:error"))
    view.extend()
    assert list(view) == []


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("finding:*", [1, 3]),
        ("finding:t09", [3]),
        ("finding:J*,T09", [1, 3]),
        ("finding:warning", [3]),
        ("-finding:*", [0, 2, 4]),
        ("finding:T14 finding:J02", [1]),
        ("finding:Q99", []),
    ],
)
def test_a_filter_finds_rows_by_rule_and_level(source: str, rows: list[int]) -> None:
    query = compile(source)
    view = View(traffic_of(), query)
    view.extend()
    assert list(view) == rows and query.volatile and query.judges


def test_nothing_is_found_where_nobody_looked() -> None:
    view = View(Traffic.in_memory(), compile("finding:*"))
    view.extend()
    assert list(view) == [] and not Judged()


def test_rows_that_go_take_what_was_found_with_them() -> None:
    traffic = traffic_of()
    traffic.session("other").sent(PING % 9)
    while traffic.first < 2:
        traffic.session("other").sent(PING % 9)
    assert traffic.judged.at(1) == () and traffic.judged.at(3) == (ODD,)
    traffic.judged.add(0, BAD)
    assert traffic.judged.at(0) == ()
