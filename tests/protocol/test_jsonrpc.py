"""Frames are read without an exception, whatever they are, and ours are written as the specification asks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.jsontext import Verbatim
from inspector.protocol import jsonrpc


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read(raw: bytes) -> None:
    message = jsonrpc.read(raw)
    assert message.kind in ("request", "notification", "response", "error", "batch", "invalid")
    assert message.kind != "invalid" or message.problem


@given(st.integers() | st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.text(min_size=1))
def test_what_is_written_is_read_back(id_: Any, method: str) -> None:
    message = jsonrpc.read(jsonrpc.request(id_, method, {"a": [1, "é\u2028"]}))
    assert (message.kind, message.id, message.method, message.problem) == ("request", id_, method, None)
    assert jsonrpc.read(jsonrpc.notification(method)).kind == "notification"
    assert jsonrpc.read(jsonrpc.result(id_, {})).kind == "response"
    assert jsonrpc.read(jsonrpc.error(id_, -1, method)).value["error"] == {"code": -1, "message": method}


def test_a_frame_is_one_line_and_never_nan() -> None:
    assert b"\n" not in jsonrpc.request(0, "m", {"text": "a\nb\r"})
    assert jsonrpc.read(jsonrpc.request(0, "m", {"s": "\ud83d"})).value["params"] == {"s": "\ud83d"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        jsonrpc.request(0, "m", {"n": float("nan")})


@pytest.mark.parametrize("text", ["1e999", "-1e999", "[1e999]", '{"a":{"b":-1e999}}', '"Infinity 1e999"'])
def test_a_number_beyond_a_double_is_written_as_json(text: str) -> None:
    """What a peer sent can be said back to it: as an id, in an error, in a batch."""
    value = jsonrpc.read(f'{{"id":{text},"result":1}}'.encode()).id
    answer = jsonrpc.error(value, -32600, "no", [value])
    assert jsonrpc.read(answer).problem is None
    assert json.loads(answer)["id"] == value == json.loads(jsonrpc.result(1, value))["result"]


@pytest.mark.parametrize(
    ("text", "kind", "problem"),
    [
        ('{"jsonrpc":"2.0","id":0,"result":{}}', "response", None),
        ('\ufeff{"jsonrpc":"2.0","id":0,"result":{}}\r', "response", None),
        ('{"id":0,"result":{}}', "response", 'no "jsonrpc": "2.0"'),
        ('{"jsonrpc":"2.0","id":0,"result":{},"error":{}}', "error", jsonrpc.BOTH),
        ('{"jsonrpc":"2.0","id":0}', "error", jsonrpc.NEITHER),
        ('{"jsonrpc":"2.0","id":null,"error":{"code":1}}', "error", jsonrpc.NO_ID),
        ('{"jsonrpc":"2.0","id":1,"error":"no"}', "error", jsonrpc.NO_OBJECT),
        (
            '{"jsonrpc":"2.0","id":null,"method":"m"}',
            "request",
            "a request whose id is neither a string nor an integer",
        ),
        ('{"jsonrpc":"2.0","method":"m"}', "notification", None),
        ('[{"jsonrpc":"2.0","method":"m"}]', "batch", None),
        ("[]", "batch", "an array that is no batch"),
        ("42", "invalid", "JSON, but no JSON-RPC message"),
        ("{}", "invalid", "an object that is no JSON-RPC message"),
        ("hello", "invalid", "not JSON"),
        ("  ", "invalid", "an empty line"),
    ],
)
def test_kinds_and_problems(text: str, kind: str, problem: str | None) -> None:
    message = jsonrpc.read(text.encode())
    assert (message.kind, message.problem) == (kind, problem)


@pytest.mark.parametrize("result", ['{"n":NaN}', "[" * 200_000 + "]" * 200_000, "9" * 5000])
def test_an_unreadable_answer_still_tells_whose_it_is(result: str) -> None:
    message = jsonrpc.read(f'{{"jsonrpc":"2.0","id":7,"result":{result}}}'.encode())
    assert (message.kind, message.id, message.readable) == ("response", 7, False)


def test_bytes_that_are_not_utf8_cost_a_mark_not_the_frame() -> None:
    message = jsonrpc.read(b'{"jsonrpc":"2.0","id":7,"result":{"t":"\xff"}}')
    assert (message.kind, message.value["result"], message.problem) == (
        "response",
        {"t": "\ufffd"},
        "not UTF-8",
    )


@pytest.mark.parametrize(
    ("id_", "key"),
    [(7, 7), ("7", 7), (7.0, 7), ("07", 7), ("a", "a"), (7.5, None), (None, None), (True, None), ([], None)],
)
def test_ids_are_matched_leniently(id_: Any, key: Any) -> None:
    assert jsonrpc.match_key(id_) == key


def test_utf16_is_not_guessed() -> None:
    assert jsonrpc.read(json.dumps({"jsonrpc": "2.0"}).encode("utf-16-le")).kind == "invalid"


def test_verbatim_members_of_params_are_written_as_they_are() -> None:
    params = {"name": "é", "arguments": Verbatim('{"n": 1.50}'), "_meta": {"progressToken": 0}}
    raw = jsonrpc.request(7, "tools/call", params)
    assert b'"arguments":{"n": 1.50}' in raw
    message = jsonrpc.read(raw)
    assert (message.kind, message.id, message.method, message.problem) == ("request", 7, "tools/call", None)
    assert message.value["params"] == {"name": "é", "arguments": {"n": 1.5}, "_meta": {"progressToken": 0}}


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","id":7,"result":{"t":"\x1b[0m"}}',
        '{"jsonrpc": "2.0", "id": 7, "result": {"a": 1,}}',
        '{"id":7,"error":{"code":-1,"message":"cut of',
    ],
)
def test_a_broken_answer_still_tells_whom_it_answers(text: str) -> None:
    message = jsonrpc.read(text.encode())
    assert (message.kind, message.id, message.readable) == ("response", 7, False)
    assert (message.problem or "").startswith("not JSON: ")


@pytest.mark.parametrize(
    "text",
    [
        '{"id":7,"method":"x",',
        '{"level":"info","id":7,"result":',
        '{"jsonrpc":"2.0","result":{"id":7',
        "{id:7}",
        "{",
    ],
)
def test_other_broken_text_answers_nobody(text: str) -> None:
    assert jsonrpc.read(text.encode()).kind == "invalid"
