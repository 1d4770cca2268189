"""A tool that no reader of JSON takes costs only itself, not the list that it stands in."""

from __future__ import annotations

import pytest
from command import inspect, odd

from inspector.base import numbers


def test_the_list_has_every_tool_and_says_what_is_odd() -> None:
    ran = inspect("tools", "--json", *odd("unreadable"))
    document = numbers.spelled(ran.out)
    assert (ran.code, document["pages"], len(document["tools"])) == (0, 1, 4)
    assert document["tools"][2] == {"name": "nan"}
    said = {(oddity["index"], oddity["reason"]) for oddity in document["invalid"]}
    assert {(1, "nested deeper than 200 levels"), (2, "NaN is no JSON")} <= said
    shown = inspect("tools", *odd("unreadable"))
    assert shown.code == 0
    assert all(name in shown.out for name in ("first", "deep", "nan", "last"))


@pytest.mark.parametrize(
    "words",
    [("form",), ("schema", "--view", "raw"), ("schema", "--view", "sanitized"), ("schema", "--view", "diff")],
)
def test_each_tool_has_its_form_and_schema(words: tuple[str, ...]) -> None:
    ran = inspect(words[0], *words[1:], "--json", *odd("unreadable"))
    assert ran.code == 0
    assert [document["tool"] for document in numbers.spelled(ran.out)] == ["first", "deep", "nan", "last"]
    assert inspect(words[0], *words[1:], *odd("unreadable")).code == 0


def test_tools_beside_it_can_be_called() -> None:
    assert inspect("call", "first", "--json", *odd("unreadable")).code == 0
    filled = inspect("form", "deep", "--fill", '{"/a/a": {"json": "{}"}}', "--json", *odd("unreadable"))
    assert filled.json["arguments"] == {"a": {"a": {}}}
