"""Small languages: URI templates and the filter."""

from __future__ import annotations

import functools

from bench.fuzz.given import chance_of
from inspector.protocol import uritemplate
from inspector.protocol.uritemplate import BadTemplate
from inspector.traffic import query as language
from inspector.traffic.completion import complete
from inspector.traffic.query import QueryError
from inspector.traffic.store import Traffic

_VALUES = ("", "a b/ü", "%41", "\ud83d", ["x", "", "y z"], {"k": "v", "é": ""}, [], {}, None)


def uri(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    chance = chance_of(data)
    try:
        template = uritemplate.parse(text)
    except BadTemplate as error:
        assert 0 <= error.column <= len(text) and error.message
        return
    made = template.expand({name: chance.choice(_VALUES) for name in template.variables()})
    assert made.isascii() and not any(char in made for char in ' "<>\\^`{|}') and made.isprintable(), made


@functools.cache
def _traffic() -> Traffic:
    traffic = Traffic.in_memory()
    one, two = traffic.session("everything"), traffic.session("notes")
    exchange = two.http_request("POST", "https://host/mcp", [("Accept", "x")])
    one.sent(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"m":"Gr\xc3\xbcn"}}}'
    )
    one.received([b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', b"no JSON \xff", b""])
    two.sent(b'{"jsonrpc":"2.0","id":"1","method":"tools/list"}', exchange)
    two.received([b'{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":"Hello"}}'], exchange)
    one.received([b'[{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}]'])
    one.stderr([b"hello"])
    two.http_response(exchange, 404, [])
    two.http_end(exchange, "complete")
    one.system("process exited")
    traffic.advance()
    return traffic


def query(data: bytes) -> None:
    source = data.decode("utf-8", "surrogateescape")
    traffic = _traffic()
    at, options = complete(source, traffic)
    assert 0 <= at <= len(source)
    for option in options:
        assert option
    try:
        found = language.compile(source)
    except QueryError as error:
        assert 0 <= error.column <= len(source) + 1 and str(error)
        return
    rows = list(found.select(traffic, traffic.first, traffic.end))
    assert rows == sorted(set(rows)) and all(traffic.first <= row < traffic.end for row in rows)
