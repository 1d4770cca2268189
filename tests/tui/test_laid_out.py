"""JSON laid out for reading."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.base import numbers
from inspector.tui.laid_out import laid_out


def test_texts_are_lines_and_json_in_a_text_is_json() -> None:
    value = {
        "a": "one\ntwo",
        "b": '{"price": 1.50, "of": []}',
        "c": [1, None, {}],
        "d": "[1] is no list",
        "e": "",
    }
    assert laid_out(numbers.spelled(numbers.dumps(value))) == [
        "{",
        '  "a": |',
        "    │ one",
        "    │ two",
        '  "b": JSON {',
        '    "price": 1.50,',
        '    "of": []',
        "  },",
        '  "c": [',
        "    1,",
        "    null,",
        "    {}",
        "  ],",
        '  "d": "[1] is no list",',
        '  "e": ""',
        "}",
    ]


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, float("nan"), "\ud800", "{" * 500])
def test_everything_has_lines(value: Any) -> None:
    assert laid_out(value)


def test_what_is_very_deep_ends() -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    assert len(laid_out(deep)) < 200
    inner = "1"
    for _ in range(8):
        inner = numbers.dumps({"in": inner})
    assert laid_out(inner)[-1] == "}"
