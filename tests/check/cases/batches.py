"""Cases for the rules of `inspector.check.batches`."""

from __future__ import annotations

from check.conversation import Case, Row, answers, asks, came, fails, message, old, sent
from check.samples import PONG

from inspector.check.rules import V03, V11

LOG = came([message(method="notifications/message", params={"level": "info", "data": 1})])
TWO = sent([message(id="a", method="ping"), message(id="b", method="ping")])


def batched(*rows: Row) -> list[Row]:
    return old(TWO, *rows, version=V03)


CASES: dict[str, Case] = {
    "J05": (old(LOG, version=V11), old(LOG, version=V03)),
    "J06": (old(came(b"[]"), version=V03), old(asks("ping"), came([PONG]), version=V03)),
    "J07": (
        [sent([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}])],
        [sent({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})],
    ),
    "J08": (
        batched(fails(-32600, None)),
        batched(came([message(id="a", result={})]), answers({}, "b")),
    ),
}
