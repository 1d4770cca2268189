"""JSON text is taken apart without changing a character of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base import jsontext
from inspector.base.jsontext import Malformed, Verbatim

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(scalars, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=20)


@given(values, st.sampled_from([None, 2]))
def test_every_value_ends_where_the_text_ends(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert jsontext.end_of_value(text, 0) == len(text)


@given(st.dictionaries(st.text(), values, min_size=1), st.booleans())
def test_members_are_found_with_their_own_text(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=1)
    members = jsontext.children(text, 0)
    assert {member.key: json.loads(text[member.start : member.end]) for member in members} == value


@given(st.text())
def test_any_text_is_taken_or_refused_and_nothing_else(text: str) -> None:
    try:
        end = jsontext.end_of_value(text, jsontext.skip_space(text, 0))
        assert end <= len(text)
    except Malformed as error:
        assert 0 <= error.position <= len(text)
    jsontext.pick(text, "a", 0)
    jsontext.elements(text)
    jsontext.envelope(text)
    jsontext.leading_id(text)


def test_spelling_and_duplicates_stay() -> None:
    text = '{"id": 1.0, "result": {"n": 1234567890123456789012, "e": 1E400, "s": "\\u00e9"}, "id": 2}'
    assert jsontext.pick(text, "result") == '{"n": 1234567890123456789012, "e": 1E400, "s": "\\u00e9"}'
    assert [member.key for member in jsontext.children(text, 0)] == ["id", "result", "id"]
    assert jsontext.pick(text, "id") == "2"
    assert jsontext.pick(text, "result", "nothing") is None


def test_depth_costs_nothing() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert jsontext.end_of_value(deep, 0) == len(deep)
    assert jsontext.envelope('{"jsonrpc":"2.0","id":7,"result":' + deep + "}") == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": {},
    }


def test_what_is_asked_by_name_is_not_looked_for_in_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "_items", lambda *_: pytest.fail("a list has no names"))
    assert jsontext.pick('{"result": [1, 2]}', "result", "structuredContent") is None


def test_what_is_asked_by_place_is_not_looked_for_behind_it() -> None:
    assert jsontext.pick('[1, {"b": 2}, 3]', 1, "b") == "2"
    assert jsontext.pick('{"1": 2}', 1) is None
    assert jsontext.pick("[1]", 1) is None


def test_names_are_decoded_however_they_are_spelled() -> None:
    text = '{"plain": 1, "a\\u0062": 2, "": 3, "\\ud83d": 4, "é": 5}'
    assert [child.key for child in jsontext.children(text, 0)] == ["plain", "ab", "", "\ud83d", "é"]
    assert jsontext.pick('{"a": 1, "\\u0061": 2}', "a") == "2"


def test_an_id_is_found_where_only_the_beginning_is_known() -> None:
    assert jsontext.leading_id('{"jsonrpc":"2.0","id":12,"result":{"content":[{"te') == 12
    assert jsontext.leading_id('{"id": "a\\"b", "result"') == 'a"b'
    assert jsontext.leading_id('{"result": {') is None


@pytest.mark.parametrize("value", [{}, [], {"a": [1, {"b": None}], "c": "x\x00y"}, "text", 1.5, [[[]]]])
def test_dump_writes_what_it_was_given(value: Any) -> None:
    assert json.loads(jsontext.dump(value)) == value


def test_dump_inlines_verbatim_parts_and_refuses_nan() -> None:
    assert json.loads(jsontext.dump({"r": [Verbatim("1.50")]})) == {"r": [1.5]}
    assert "1.50" in jsontext.dump({"r": [Verbatim("1.50")]})
    with pytest.raises(ValueError, match="not JSON compliant"):
        jsontext.dump({"n": float("nan")})


def test_dump_writes_numbers_beyond_a_double_as_such() -> None:
    assert jsontext.dump([json.loads("1e400"), json.loads("-1e400")], None) == "[1e999, -1e999]"


@given(values)
def test_indented_text_is_the_same_value_spelled_the_same(value: Any) -> None:
    text = json.dumps(value)
    shown = jsontext.indented(text)
    assert shown == json.dumps(value, indent=2)
    assert jsontext.indented(json.dumps(value, indent=7, ensure_ascii=False)) == json.dumps(
        value, indent=2, ensure_ascii=False
    )


def test_indented_text_keeps_spelling_duplicates_and_depth() -> None:
    assert jsontext.indented('{"a":1.50,"a":1e400,"b":"\\u00e9","c":[ ]}') == (
        '{\n  "a": 1.50,\n  "a": 1e400,\n  "b": "\\u00e9",\n  "c": []\n}'
    )
    deep = "[" * 5000 + "]" * 5000
    assert (
        jsontext.indented(deep).replace("\n", "").replace(" ", "") == deep
        and len(jsontext.indented(deep)) < 60_000
    )
