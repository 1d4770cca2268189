"""Differences of JSON values: nothing invented, nothing missed, and quick."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base import jsondiff, numbers
from inspector.base.jsondiff import Change, Stopped, align, apply, diff

SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["", "a", "b", "[1]"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from("abcd/~"), inner, max_size=4),
    max_leaves=25,
)
TEXTS = VALUES | VALUES.map(json.dumps)


def said(old: Any, new: Any) -> list[tuple[str, str, Any, Any]]:
    return [(change.pointer, change.op, change.old, change.new) for change in diff(old, new)]


@given(VALUES)
def test_equal_values_have_no_difference(value: Any) -> None:
    assert diff(value, json.loads(json.dumps(value))) == []


@given(VALUES, VALUES)
def test_the_changes_make_the_new_of_the_old(old: Any, new: Any) -> None:
    changes = diff(old, new)
    made = apply(old, changes)
    assert diff(made, new) == [] or all(change.op == "spelling" for change in diff(made, new))
    assert bool(changes) == (not numbers.same(old, new))


@given(st.lists(TEXTS, max_size=5), st.lists(TEXTS, max_size=5))
def test_texts_that_hold_json_are_followed(old: list[Any], new: list[Any]) -> None:
    left = diff(apply(old, diff(old, new)), new)
    assert all(change.op == "spelling" for change in left)


@given(st.lists(st.integers(0, 4), max_size=30), st.lists(st.integers(0, 4), max_size=30))
def test_an_alignment_is_common_ascending_and_the_longest(old: list[int], new: list[int]) -> None:
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, left in enumerate(old):
        for j, right in enumerate(new):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    at = to = total = 0
    for first, second, count in align(old, new):
        assert first >= at and second >= to and count > 0
        assert old[first : first + count] == new[second : second + count]
        at, to, total = first + count, second + count, total + count
    assert total == table[-1][-1]


@given(st.lists(st.integers(0, 40), max_size=60), st.lists(st.integers(0, 40), max_size=60))
def test_the_coarse_alignment_is_common_and_ascending(old: list[int], new: list[int]) -> None:
    blocks = list(jsondiff._by_anchors(old, new, 0, len(old), 0, len(new), lambda: False))
    at = to = 0
    for first, second, count in blocks:
        assert first >= at and second >= to and old[first : first + count] == new[second : second + count]
        at, to = first + count, second + count


def test_what_is_said() -> None:
    assert said({"a": 1, "b": 2}, {"a": 1.0, "c": [3]}) == [
        ("/a", "replace", 1, 1.0),
        ("/b", "remove", 2, None),
        ("/c", "add", None, [3]),
    ]
    assert said([1, 2, 3], [0, 1, 2, 3]) == [("/0", "add", None, 0)]
    assert said([1, 2, 3], [1, 3]) == [("/1", "remove", 2, None)]
    assert said(True, 1) == [("", "replace", True, 1)]
    assert said({"a/b~": 1}, {"a/b~": 2}) == [("/a~1b~0", "replace", 1, 2)]


def test_things_with_a_name_are_compared_with_themselves() -> None:
    old = [{"name": "a", "v": 1}, {"name": "b", "v": 1}, {"name": "c", "v": 1}]
    new = [{"name": "b", "v": 2}, {"name": "c", "v": 2}]
    assert said(old, new) == [
        ("/0", "remove", old[0], None),
        ("/0/v", "replace", 1, 2),
        ("/1/v", "replace", 1, 2),
    ]


def test_json_in_a_text() -> None:
    assert said({"text": '{"a": [1, 2]}'}, {"text": '{"a":[1,3]}'}) == [("/text → /a/1", "replace", 2, 3)]
    assert said('{"a":1}', '{"a": 1}') == [("", "spelling", '{"a":1}', '{"a": 1}')]
    assert said('{"a":1', '{"a": 1}') == [("", "replace", '{"a":1', '{"a": 1}')]


def test_long_lists_are_quick_whatever_happened_to_them() -> None:
    old = [{"n": number} for number in range(100_000)]
    new = [item for item in old if item["n"] % 5000]
    assert [change.op for change in diff(old, new)] == ["remove"] * 20
    assert len(diff(list(range(100_000)), list(range(100_000, 0, -1)))) >= 99_998
    assert len(diff([number % 7 for number in range(20_000)], [number % 5 for number in range(20_000)])) > 0
    assert all(isinstance(change, Change) for change in diff([1] * 50_000, [2] * 50_000))


def test_it_stops_when_nobody_waits() -> None:
    with pytest.raises(Stopped):
        diff([1, 2], [2, 1], lambda: True)


def test_depth_costs_nothing() -> None:
    def deep(end: Any) -> Any:
        value = end
        for _ in range(900):
            value = [value]
        return value

    assert diff(deep(1), deep(1)) == []
    assert len(diff(deep(1), deep(2))) == 1
