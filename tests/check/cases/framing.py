"""Cases for the rules of `inspector.check.framing`."""

from __future__ import annotations

from check.conversation import (
    Case,
    answers,
    asks,
    came,
    complete,
    fails,
    listed,
    message,
    meta,
    new,
    old,
    sent,
    tells,
    tool,
    wants,
)
from check.samples import ACK, DONE, LISTEN, MODERN_PING, NOTE, PONG, post

CASES: dict[str, Case] = {
    "J01": (old(came(b'{"jsonrpc":"2.0",')), old(wants("ping"))),
    "J02": (
        old(
            came(
                b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\xff"}}'
            )
        ),
        old(tells("message", {"level": "info", "data": "é"})),
    ),
    "J03": (old(asks("ping"), came({"id": 7, "result": {}})), old(asks("ping"), answers({}))),
    "J04": (post(b"7"), post(PONG)),
    "J09": (
        old(asks("ping"), came(message(id=7, result={}, error={"code": 1, "message": "m"}))),
        old(asks("ping"), answers({})),
    ),
    "J10": (old(asks("ping"), answers({}, "7")), old(asks("ping"), answers({}))),
    "J11": (old(wants("ping", id_=1.5)), old(wants("ping", id_="a"))),
    "J12": (old(asks("ping"), came(message(result={}))), old(asks("ping"), answers({}))),
    "J13": (old(asks("ping"), fails(-32600, None)), old(sent(b"{"), fails(-32700, None))),
    "J14": (
        old(wants("ping"), sent(message(id=1, result={})), wants("ping")),
        old(wants("ping"), sent(message(id=1, result={})), wants("ping", id_=2)),
    ),
    "J15": (
        old(wants("notifications/message", {"level": "info", "data": 1})),
        old(tells("message", {"level": "info", "data": 1})),
    ),
    "J16": (post(message(id=1, result={}), said=NOTE), post(PONG)),
    "J17": (old(asks("x"), fails("-1")), old(asks("x"), fails(-32601))),
    "J18": (old(asks("ping"), answers([])), old(asks("ping"), answers({}))),
    "J19": (new(MODERN_PING, fails(-32050)), new(MODERN_PING, fails(-32020))),
    "J20": (
        new(MODERN_PING, fails(-32001)),
        [
            asks("server/discover", {"_meta": meta()}, 1),
            fails(-32000, 1),
            *old(asks("ping"), fails(-32001)),
        ],
    ),
    "J21": (new(MODERN_PING, fails(-32002)), old(asks("resources/read"), fails(-32002))),
    "J22": (listed({"name": 7, "inputSchema": {"type": "object"}}), listed(tool())),
    "J23": (old(tells("x/y")), old(tells("tools/list_changed"))),
    "J24": (new(asks("ping", {"_meta": meta()}), answers(complete({}))), old(asks("ping"), answers({}))),
    "J25": (
        old(asks("ping"), came(b'{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}')),
        old(asks("ping"), came(b'{"jsonrpc":"2.0","id":7,"result":{"a":1,"b":{"a":2}}}')),
    ),
    "J26": (
        old(
            asks("tools/call", {"name": "t"}),
            sent(message(method="notifications/cancelled", params={"requestId": 7}), 1),
            came(message(id=7, result=DONE), 9),
        ),
        old(
            asks("tools/call", {"name": "t"}),
            sent(message(method="notifications/cancelled", params={"requestId": 7}), 1),
            came(message(id=7, result=DONE), 1.1),
        ),
    ),
    "J27": (
        old(
            sent(message(id=7, method="ping"), 1),
            came(message(method="notifications/message", params={"level": "info", "data": 1}), 99),
        ),
        old(sent(message(id=7, method="ping"), 1), came(message(id=7, result={}), 99)),
    ),
    "S01": (old(came(b"listening on stdio")), old(wants("ping"))),
    "S02": (old(came(b"")), old(wants("ping"))),
    "S03": (
        old(
            came(b"{"),
            came(b'"jsonrpc":"2.0","method":"notifications/message",'),
            came(b'"params":{"level":"info","data":1}}'),
        ),
        old(came(b"{"), wants("ping")),
    ),
    "S04": (new(wants("ping")), old(wants("ping"))),
    "S05": (
        new(MODERN_PING, tells("cancelled", {"requestId": 7})),
        new(LISTEN, ACK, tells("cancelled", {"requestId": 3})),
    ),
}
