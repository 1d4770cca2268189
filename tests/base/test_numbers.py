"""Numbers keep their spelling, and no JSON is too deep to be read and written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base import deepjson, jsontext, numbers

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_the_deep_reader_reads_as_the_other_does(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert numbers.same(deepjson.read(text, int, float), value)


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1", "[1,", "[1,]", "[1 2]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{a:1}", '{"a" 1}',
     "]", "[}", "{]", "1 2", "nul", "01", "1.", '"', '"\\x"', '"\n"', ",", ":", "[:]", "NaN"],
)  # fmt: skip
def test_the_deep_reader_refuses_what_is_no_json(text: str) -> None:
    with pytest.raises(jsontext.Malformed):
        deepjson.read(text, int, float)


@pytest.mark.parametrize("opening", ["[", '{"a": '])
def test_depth_costs_nothing(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    text = opening * 5000 + "1.50" + closing * 5000
    value = numbers.spelled(text)
    assert numbers.dumps(value) == text
    assert len(jsontext.dump(value)) < 100_000
    assert numbers.verbatim(value) == text


def test_what_python_would_change_or_refuse_is_kept() -> None:
    text = f"[1.50, 1e400, -0, {'9' * 6000}, {'9' * 60_000}]"
    assert numbers.dumps(numbers.spelled(text)) == text


def test_ordinary_values_stay_values() -> None:
    value = {"a": [1, 2.5, {"b": None}]}
    assert numbers.verbatim(value) is value
