"""Lines and events come out the same, however the bytes were cut on their way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from httpx_sse._decoders import SSEDecoder
from hypothesis import given
from hypothesis import strategies as st

from inspector.transports.framing import LineSplitter, Oversized
from inspector.transports.sse import Event, EventStream, Remark
from inspector.transports.stderr import StderrTail


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    borders = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(borders)]


pieces = st.lists(st.integers(min_value=0), max_size=8)


@given(st.lists(st.binary(max_size=50).map(lambda part: part.replace(b"\n", b"")), min_size=1), pieces)
def test_lines_end_at_lf_and_nowhere_else(lines: list[bytes], places: list[int]) -> None:
    splitter = LineSplitter()
    found: list[bytes | Oversized] = []
    for chunk in cut(b"\n".join(lines), places):
        found += splitter.feed(chunk)
    assert [*found, splitter.rest()] == lines


@given(st.integers(min_value=101, max_value=5000), pieces)
def test_a_line_over_the_cap_costs_only_itself(size: int, places: list[int]) -> None:
    splitter = LineSplitter(cap=100)
    found: list[bytes | Oversized] = []
    for chunk in cut(b"before\n" + b"x" * size + b"\nafter\n", places):
        found += splitter.feed(chunk)
    assert [found[0], found[2]] == [b"before", b"after"]
    assert isinstance(found[1], Oversized)
    assert found[1].size == size and 100 <= len(found[1].head) <= 4096


def test_a_line_with_missing_bytes_keeps_its_beginning_and_its_size() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"be") == []
    splitter.skip(10)
    assert splitter.feed(b"gin\nnext\n") == [Oversized(b"be", 15), b"next"]
    splitter.skip(0)
    assert splitter.feed(b"whole\n") == [b"whole"]
    splitter.skip(7)
    assert splitter.rest() == Oversized(b"", 7)


def test_an_unended_line_over_the_cap_has_its_size() -> None:
    splitter = LineSplitter(cap=100)
    assert splitter.feed(b"x" * 150) == []
    assert splitter.rest() == Oversized(b"x" * 150, 150)
    assert splitter.rest() == b""


blocks = st.text(alphabet=st.sampled_from("\r\n: dataeventidretry\u2028\u0085é0123"), max_size=80)


@given(blocks, pieces)
def test_events_are_those_of_another_reader_of_the_standard(text: str, places: list[int]) -> None:
    data = text.encode()
    stream = EventStream()
    found = [part for chunk in cut(data, places) for part in stream.feed(chunk) if isinstance(part, Event)]
    decoder = SSEDecoder()
    expected = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    for line in lines:
        if (event := decoder.decode(line)) is not None:
            expected.append(event)
    # The other reader also speaks where only `id` or `retry` came, as ours does with data None.
    assert [(event.event, (event.data or b"").decode()) for event in found] == [
        (event.event or "message", event.data) for event in expected
    ]


@given(pieces)
def test_every_liberty_of_the_format(places: list[int]) -> None:
    text = (
        ": comment\n\nid: 0\nretry: 500\ndata:\n\nevent: ping\ndata: 2025\n\nfoo: bar\r\nevent: message\r\nid: 1\r\n"
        "data:{\r\n\r\n:\r\rdata: a\u2028\rdata: b\r\n\n"
    )
    stream = EventStream()
    found = [part for chunk in cut(text.encode(), places) for part in stream.feed(chunk)]
    assert found == [
        Remark("comment", "comment"),
        Event("message", b"", "0", 500),
        Event("ping", b"2025"),
        Remark("foo", "bar"),
        Event("message", b"{", "1"),
        Remark("comment", ""),
        Event("message", "a\u2028\nb".encode()),
    ]


def test_an_event_over_the_cap_is_dropped_with_a_remark() -> None:
    stream = EventStream(cap=10)
    found = stream.feed(b"data: 12345678901\n\ndata: ok\n\n")
    assert isinstance(found[0], Remark) and found[0].field == "oversized"
    assert found[1] == Event("message", b"ok")


def test_a_line_that_never_ends_is_counted_and_not_kept() -> None:
    stream = EventStream(cap=100)
    assert stream.feed(b"data: ") == []
    (told,) = stream.feed(b"x" * 100)
    assert isinstance(told, Remark) and told.field == "oversized"
    for _ in range(1000):
        assert stream.feed(b"x" * 100) == []
    assert len(stream.rest()) <= 100
    assert stream.feed(b"\n\ndata: ok\n\n") == [Event("message", b"ok")]


def test_empty_data_lines_count_too() -> None:
    stream = EventStream(cap=100)
    (found,) = stream.feed(b"data:\n" * 1000 + b"\n")
    assert isinstance(found, Remark) and found.field == "oversized"


@given(st.lists(st.binary(max_size=30).map(lambda part: part.replace(b"\n", b"")), min_size=1), pieces)
def test_stderr_lines_survive_any_cut(lines: list[bytes], places: list[int]) -> None:
    tail = StderrTail()
    found: list[bytes] = []
    for chunk in cut(b"\n".join(lines), places):
        found += tail.feed(chunk)
    found += tail.finish()
    assert found == (lines if lines[-1] else lines[:-1])


def test_a_stderr_line_without_end_is_cut_and_the_rest_goes_on() -> None:
    tail = StderrTail()
    for _ in range(100):
        tail.feed(b"x" * 10_000)
    tail.feed(b"\nnext\n")
    assert len(tail.lines) == 2
    assert len(tail.lines[0]) < 20_000 and tail.lines[1] == "next"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["Traceback", '  File "x.py", line 1', "KeyError: 'T_KEY'"], "KeyError: 'T_KEY'"),
        (
            ["Error: NOTES_KEY is not set", "    at main (x.js:1)", "", "Node.js v20"],
            "Error: NOTES_KEY is not set",
        ),
        (["hello", "bye"], "bye"),
        ([], None),
    ],
)
def test_the_telling_line_is_found(lines: list[str], reason: str | None) -> None:
    tail = StderrTail()
    tail.feed("".join(line + "\n" for line in lines).encode())
    assert tail.reason() == reason
