"""A long document gives its items one after the other, whatever the pieces are that it is read in."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.base import jsonstream, numbers
from inspector.base.jsonstream import TooLarge
from inspector.base.jsontext import Malformed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(), part, max_size=4),
    max_leaves=9,
)


def read(text: str | bytes, path: tuple[str, ...] = ("log", "entries"), most: int = 1 << 20) -> Any:
    about: dict[str, Any] = {}
    source = BytesIO(text.encode() if isinstance(text, str) else text)
    return list(jsonstream.items(source, path, most, about)), about


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6), VALUES, st.integers(1, 40), st.sampled_from([None, 2]), st.booleans())
def test_items_are_those_of_the_whole(
    values: list[Any], beside: Any, step: int, indent: int | None, escaped: bool
) -> None:
    text = json.dumps(
        {"a": beside, "log": {"b": 1, "entries": values, "c": beside}, "z": [beside]},
        indent=indent, ensure_ascii=escaped,
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonstream, "_STEP", step)
        found, about = read("\ufeff" + text)
        bare, _ = read(json.dumps(values), ())
    assert list(map(numbers.plain, found)) == list(map(numbers.plain, bare)) == values
    assert numbers.plain(about) == {"a": beside, "b": 1, "c": beside, "z": [beside]}


@pytest.mark.parametrize("step", [1, 5, 1 << 18])
@pytest.mark.parametrize(
    ("text", "before"),
    [
        ('{"log":{"entries":[1,2', [1]), ('{"log":{"entries":[1,"a\\u00', [1]), ('{"log":{"entries":[1,2 3]}}', [1]),
        ('{"log":{"entries":[1,NaN]}}', [1]), ('{"log":{"entries":[1,]}}', [1]), ('{"log"', []), ("", []),
        ('{"log":{"entries":[1] "x":2}}', [1]), ('{"log":{"entries":[[1],{"a"}]}}', [[1]]),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_behind_what_was(
    monkeypatch: pytest.MonkeyPatch, text: str, before: list[Any], step: int
) -> None:
    monkeypatch.setattr(jsonstream, "_STEP", step)
    found = []
    with pytest.raises(Malformed):
        for item in jsonstream.items(BytesIO(text.encode()), ("log", "entries"), 1 << 20, {}):
            found.append(item)
    assert found[: len(before)] == before


@pytest.mark.parametrize("text", ["[1]", '"x"', '{"log":[1]}', '{"log":{"entries":{"a":1}}}', "{}"])
def test_nothing_where_there_is_no_such_list(text: str) -> None:
    assert read(text)[0] == []


def test_no_more_is_held_than_was_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonstream, "_STEP", 10)
    assert read(json.dumps(["x" * 30] * 1000), (), most=100)[0] == ["x" * 30] * 1000
    with pytest.raises(TooLarge):
        read(json.dumps(["x" * 300]), (), most=100)


def test_depth_is_no_limit() -> None:
    deep = "[" * 5000 + "1" + "]" * 5000
    (item,), _ = read(f'{{"log":{{"entries":[{deep}]}}}}')
    assert numbers.dumps(item) == deep
