"""What the rules hold of answers that were large."""

from __future__ import annotations

import gc
import json

from inspector.check.checking import Checking, wanted
from inspector.traffic.store import Traffic

LARGE = json.dumps("b" * 100_000).encode()


def test_an_answer_is_let_go_when_its_exchange_is_over() -> None:
    traffic = Traffic.in_memory(max_rows=20)
    log = traffic.session("s", transport="http", url="http://127.0.0.1/mcp")
    checking = Checking(traffic, wanted())
    for number in range(40):
        exchange = log.http_request("POST", "http://127.0.0.1/mcp", [("Content-Type", "application/json")])
        log.sent(b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t"}}' % number, exchange)
        log.http_response(exchange, 200, [("Content-Type", "application/json")])
        answer = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}]}}' % (
            number,
            LARGE,
        )
        log.received([answer], exchange)
        log.http_end(exchange, "complete")
        traffic.advance()
        checking.advance()
    gc.collect()
    frames = [each for each in gc.get_objects() if type(each).__name__ == "Frame" and hasattr(each, "raw")]
    assert sum(len(LARGE) < len(each.raw) for each in frames) < 10
    assert not checking.broken
