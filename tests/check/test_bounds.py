"""What conversations without end cost: what is remembered of them is bounded."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable

import pytest
from check.conversation import message, old

from inspector.check import checking, talk
from inspector.check.checking import Checking, wanted
from inspector.traffic.store import Traffic

ROWS = 600
LOG = message(method="notifications/message", params={"level": "info", "data": "x" * 50})


def stream(traffic: Traffic, count: int) -> None:
    """One event stream with a message, an event and a part of a body after the other."""
    log = traffic.session("it", transport="http")
    number = log.http_request("GET", "http://127.0.0.1/mcp", [])
    log.http_response(number, 200, [("content-type", "text/event-stream")])
    for at in range(count // 3):
        log.http_event(number, "id", str(at))
        log.received([json.dumps(LOG).encode()], number)
        log.http_body(number, b"x" * 50)


def sessions(traffic: Traffic, count: int) -> None:
    """Each with a name of its own, and with a mistake in it."""
    for at in range(count // 4):
        log = traffic.session(f"s{at}")
        for row in old():
            log.sent(row.raw) if row.sent else log.received([row.raw])
        log.received([b"noise"])


def exchanges(traffic: Traffic, count: int) -> None:
    """Requests that never end."""
    log = traffic.session("it", transport="http")
    for at in range(count // 2):
        number = log.http_request("POST", "http://127.0.0.1/mcp", [])
        log.sent(json.dumps(message(id=at, method=f"m{at}")).encode(), number)


def names(traffic: Traffic, count: int) -> None:
    """Lists whose pages do not end, with other tools on each of them."""
    log = traffic.session("it")
    for row in old():
        log.sent(row.raw) if row.sent else log.received([row.raw])
    for at in range(count // 2):
        log.sent(json.dumps(message(id=at + 1, method="tools/list", params={"cursor": f"c{at}"})).encode())
        page = {"tools": [{"name": f"t{at}", "inputSchema": {"type": "object"}}], "nextCursor": f"c{at + 1}"}
        log.received([json.dumps(message(id=at + 1, result=page)).encode()])


def held(write: Callable[[Traffic, int], None], count: int) -> int:
    """Bytes that looking on has kept."""
    traffic = Traffic.in_memory()
    write(traffic, count)
    traffic.advance()
    looking = Checking(traffic, wanted())
    tracemalloc.start()
    try:
        looking.advance()
        looking.finish()
        assert looking.broken == {}
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("write", [stream, sessions, exchanges, names])
def test_memory_is_bounded(write: Callable[[Traffic, int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what is held at most, four times the rows cost hardly more; the bounds are small here, for the time it
    takes."""
    for module, bound in (
        (talk, "_KEPT"),
        (talk, "_REQUESTS"),
        (talk, "_CARRIED"),
        (checking, "_OPEN"),
        (checking, "_MOST_TALKS"),
        (checking, "_MOST_CHOICES"),
    ):
        monkeypatch.setattr(module, bound, 40)
    monkeypatch.setattr(checking, "_MOST_FINDINGS", 100)
    held(write, ROWS)  # imports what it needs
    assert held(write, 4 * ROWS) < held(write, ROWS) + 200_000
