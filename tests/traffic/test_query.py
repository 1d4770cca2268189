"""The filter language, the lists it makes, and rows as text."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.traffic import query
from inspector.traffic.patterns import Pattern, TooCostly
from inspector.traffic.query import QueryError
from inspector.traffic.show import json_lines, text_line, text_lines
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

ECHO = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"Gr\xc3\xbcn"}}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Gr\\u00fcn hello"}]}}'


@pytest.fixture
def traffic() -> Traffic:
    traffic = Traffic.in_memory()
    one, two = traffic.session("everything"), traffic.session("notes")
    exchange = two.http_request("GET", "https://host/mcp", [])
    one.sent(ECHO)
    one.received([ANSWER])
    two.sent(b'{"jsonrpc":"2.0","id":"1","method":"tools/list"}')
    two.received([b'{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":"Hello (no)"}}'])
    one.stderr([b"hello from stderr"])
    one.system("process exited")
    one.received([b"stray HELLO"])
    one.received([b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}'])
    two.http_response(exchange, 404, [])
    two.http_end(exchange, "complete")
    one.sent(b'{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"echo"}}')
    traffic.advance()
    return traffic


EVERYTHING = [1, 2, 3, 4, 6, 7, 8, 11]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("", EVERYTHING),
        ("kind:req", [1, 3, 11]),
        ("kind:request", [1, 3, 11]),
        ("kind:response,error", [2, 4]),
        ("kind:err", [4]),
        ("kind:noise", [7]),
        ("kind:stderr", [5]),
        ("kind:http", [0]),
        ("kind:part", [9, 10]),
        ("kind:all", list(range(12))),
        ("-kind:req", [2, 4, 6, 7, 8]),
        ("dir:out", [1, 3, 11]),
        ("dir:in !kind:ntf", [2, 4, 7]),
        ("dir:err", [5]),
        ("method:tools", [1, 2, 3, 4]),
        ("method:tools/call", [1, 2]),
        ("method:*/list", [3, 4]),
        ("tool:echo", [1, 2]),
        ("-tool:echo dir:out", [3, 11]),
        ("server:notes", [3, 4]),
        ("server:every*", [1, 2, 6, 7, 8, 11]),
        ("id:1", [1, 2, 3, 4]),
        ('id:"1"', [1, 2, 3, 4]),
        ("id:2", [11]),
        ("status:pending", [11]),
        ("status:ok", [1, 2]),
        ("status:failed", [3, 4]),
        ("status:404", [0]),
        ("status:4xx", [0]),
        ("status:5xx,pending", [11]),
        ("flag:problem", [7]),
        ("size>100", [1]),
        ("size<12", [7]),
        ("size>=1k", []),
        ("ms>=0", [2, 4]),
        ("ms>1000s", []),
        ("hello", [2, 4, 7]),
        ("Hello", [4]),
        ('"hello"', [2]),
        ("grün", [1, 2]),
        ("Grün", [1, 2]),
        ('"(no)"', [4]),
        ("/h[ae]llo/", [2]),
        ("/h[ae]llo/i", [2, 4, 7]),
        ("hello kind:stderr", [5]),
        ("-hello dir:in", [8]),
        ("kind:sys | kind:noise", [6, 7]),
        ("kind:sys OR hello -kind:res", [4, 6, 7]),
        ("kind:stderr | kind:req", [1, 3, 5, 11]),
        ('"dir:in"', []),
        ("-", [4]),
        ("took>=0", [2, 4]),
        ("took:>=0ms", [2, 4]),
        ("size:>100", [1]),
        ("kind=req", [1, 3, 11]),
        ("kind==req server!=notes", [1, 11]),
        ("a=b", []),
        ("text:hello", [2, 4, 7]),
        ('text:"Hello"', [4]),
        ("text:/h[ae]llo/", [2]),
        ("(kind:req | kind:err) server:notes", [3, 4]),
        ("kind:req & (tool:echo || method:tools/list)", [1, 3]),
        ("dir:in && hello", [2, 4, 7]),
        ("dir:in AND hello", [2, 4, 7]),
        ("NOT kind:req", [2, 4, 6, 7, 8]),
        ("-(kind:req | kind:ntf)", [2, 4, 6, 7]),
        ("!(-kind:req)", [1, 3, 11]),
        ("-(kind:stderr)", EVERYTHING),
        ("method:/^tools/", [1, 2, 3, 4]),
        ("tool:/^e.*o$/", [1, 2]),
        ("server:/NOTES/i", [3, 4]),
        ("((hello))", [2, 4, 7]),
        ("not found", []),
        ("ORDER", []),
    ],
)
def test_a_query_finds(traffic: Traffic, source: str, rows: list[int]) -> None:
    view = View(traffic, query.compile(source))
    view.extend()
    assert list(view.rows) == rows


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("dir:up", 5, "no direction up"),
        ("hello kind:foo", 12, "no kind foo"),
        ("nope:1", 1, "no field nope"),
        ("kind:", 6, "without a value"),
        ("kind:req size>x", 15, "number"),
        ("size:5", 1, "compared"),
        ("took:5", 1, "compared"),
        ("(a", 1, "not closed"),
        ("a )", 3, "without its opening"),
        ("a ()", 3, "between the parentheses"),
        ("a & ", 3, "nothing on one side"),
        ("& a", 1, "nothing on one side"),
        ("a NOT ", 3, "NOT what"),
        ("(kind:)", 7, "without a value"),
        ("(" * 30, 21, "parentheses inside"),
        ("kid:req", 1, "no field kid"),
        ("method:/(/", 8, "no regular expression"),
        ("size>5q", 6, "no unit"),
        ('a "b', 3, "without its partner"),
        ('""', 1, "nothing between"),
        ("/abc", 1, "closing /"),
        ("//", 1, "nothing between"),
        ("/(/", 1, "no regular expression"),
        ("/(a+)+$/", 1, "repetition"),
        ("a | ", 3, "nothing on one side"),
        ("| a", 1, "nothing on one side"),
        ("status:weird", 8, "no status weird"),
        ("flag:x", 6, "no flag x"),
        ("/" + "a" * 300 + "/", 1, "200 characters"),
    ],
)
def test_a_wrong_query_says_what_is_wrong_and_where(source: str, column: int, message: str) -> None:
    with pytest.raises(QueryError) as wrong:
        query.compile(source)
    assert wrong.value.column == column
    assert message in wrong.value.failure.message
    assert f"column {column}" in wrong.value.failure.message


@given(st.text(alphabet='ab:"/|&-!<>= kindsizetextmsORANDT*\\(+)[]019,é', max_size=24))
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_query_or_a_query_error(source: str) -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    log.sent(ECHO)
    log.stderr([b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"])
    traffic.advance()
    try:
        compiled = query.compile(source)
    except QueryError:
        return
    View(traffic, compiled).extend()


@pytest.mark.parametrize(
    "source",
    [
        "(a+)+$",
        "(a*)*b",
        "(a|aa)+$",
        "(?:a?){50}a{50}",
        "(.*a){20}",
        "a*a*a*a*a*b",
        r"(\w+)\1",
        "a?" * 60 + "a" * 60,
    ],
)
def test_expressions_that_may_take_forever_are_refused(source: str) -> None:
    with pytest.raises(TooCostly):
        Pattern(source)


@pytest.mark.parametrize(
    "source", ["a.*b", "[ab]+c", "x.*y.*z", "a?b?c", "(foo|bar|baz) \\d+", "(?i:error).{0,20}code"]
)
def test_ordinary_expressions_are_fine_and_end_on_any_text(source: str) -> None:
    pattern = Pattern(source)
    started = time.process_time()
    pattern.found_in(b"a" * (1 << 20))
    pattern.found_in(b"ab" * (1 << 19))
    assert time.process_time() - started < 10


def test_a_match_behind_the_first_window_is_found() -> None:
    assert Pattern("needle.*hay").found_in(b"x" * 500_000 + b"needle in hay" + b"y" * 500_000)


def test_a_view_grows_in_slices_and_follows_live_traffic() -> None:
    traffic = Traffic.in_memory()
    log = traffic.session("one")
    view = View(traffic, query.compile("even"))
    for number in range(30_000):
        log.sent(b'{"jsonrpc":"2.0","method":"%s"}' % (b"odd" if number % 2 else b"even"))
    assert not view.extend() and len(view) == 0
    steps = 0
    while traffic.advance(0.002) or view.extend(0):
        steps += 1
        view.extend(0.0005)
    assert steps > 2
    assert list(view.rows) == list(range(0, 30_000, 2))
    log.sent(b'{"jsonrpc":"2.0","method":"even"}')
    traffic.advance()
    view.extend()
    assert view[len(view) - 1] == 30_000
    assert view.place_of(30_000) == len(view) - 1


def test_a_view_forgets_what_the_traffic_has_dropped() -> None:
    traffic = Traffic.in_memory(max_rows=1000)
    log = traffic.session("one")
    view = View(traffic)
    for number in range(5000):
        log.sent(b"%d" % number)
        if number % 500 == 0:
            traffic.advance()
            view.extend()
    traffic.advance()
    view.extend()
    assert list(view.rows) == list(range(traffic.first, traffic.end))


def test_a_query_for_states_can_be_asked_again(traffic: Traffic) -> None:
    view = View(traffic, query.compile("status:pending"))
    view.extend()
    assert view.query.volatile
    traffic.append(1, 1, [b'{"jsonrpc":"2.0","id":2,"result":{}}'])
    traffic.advance()
    view.restart()
    view.extend()
    assert len(view) == 0


def test_rows_as_text_show_hostile_bytes_and_hide_secrets(traffic: Traffic) -> None:
    log = traffic.session("\x1b[31mred")
    log.received([b"\x1b]52;c;AAAA\x07 sekret\n\xe2\x80\xae"])
    log.sent(b'{"jsonrpc":"2.0","id":"\x1b","method":"a\\u001b[2Jb"}')
    traffic.advance()
    lines = list(text_lines(traffic, range(traffic.end), mask=lambda text: text.replace("sekret", "***")))
    assert len(lines) == traffic.end
    for line in lines:
        assert line.isprintable() and "sekret" not in line
    assert "tools/call echo" in lines[1] and "→" in lines[1]
    assert "tools/call ok Grün hello" in lines[2] and "←" in lines[2]
    assert lines[11].endswith("prompts/get echo [pending]")
    assert text_line(traffic.row(2), 0.0).split()[0] == "2"


def test_json_lines_are_the_recorded_lines(traffic: Traffic) -> None:
    lines = [json.loads(line) for line in json_lines(traffic, [1, 5])]
    assert lines[0]["m"]["method"] == "tools/call" and lines[0]["q"] == 1
    assert lines[1]["x"] == "hello from stderr"
