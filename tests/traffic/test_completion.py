from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.traffic import query
from inspector.traffic.completion import complete
from inspector.traffic.store import Traffic


@pytest.fixture(scope="module")
def traffic() -> Traffic:
    traffic = Traffic.in_memory()
    log = traffic.session("stdio one")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    log.sent(b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo it"}}')
    log.sent(b'{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"poem"}}')
    traffic.session("two")
    traffic.advance()
    return traffic


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ki", ["kind:"]),
        ("kind:req", ["request"]),
        ("a -dir:o", ["out"]),
        ("(a | s", ["server:", "status:", "size>"]),
        ("kind:request,res", ["response"]),
        ("method:", ["prompts/get", "tools/call", "tools/list"]),
        ("method:get", ["prompts/get"]),
        ("tool:", ['"echo it"']),
        ("server:", ['"stdio one"', "two"]),
        ("server:tw", ["two"]),
        ("flag:id", ["id-type", "reused-id"]),
        ("took>", ["100ms", "1s", "10s"]),
        ("took>1", []),
        ("kind:request", []),
        ('"kin', []),
        ("method:/to", []),
        ("nothing", []),
    ],
)
def test_fields_and_what_occurs_are_offered(traffic: Traffic, typed: str, offered: list[str]) -> None:
    assert [option.text for option in complete(typed, traffic)[1]] == offered


def test_everything_is_offered_where_a_term_begins(traffic: Traffic) -> None:
    for typed in ("", "a ", "(", "kind:req | "):
        start, options = complete(typed, traffic)
        assert start == len(typed) and len(options) == len(query.FIELDS)


@given(
    st.sampled_from(["kind:", "status:", "method:", "tool:", "server:", "flag:", "dir:", "took>", "size>"])
)
def test_what_is_offered_is_understood(traffic: Traffic, field: str) -> None:
    start, options = complete(field, traffic)
    for option in options:
        query.compile(field[:start] + option.text)
