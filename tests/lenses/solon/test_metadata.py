"""The metadata of a remote skill, sound or not."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.lenses.solon.metadata import confusing, metadata_of


def read(*texts: str) -> dict[str, Any]:
    return {"contents": [{"uri": "skill://metadataMcp", "text": text} for text in texts]}


def test_all_members_are_kept_those_too_that_nobody_knows() -> None:
    text = '{"name":"OrderManager","description":"d","sensitive":false,"tags":["a"],"since":1.50}'
    metadata = metadata_of(read(text))
    assert metadata.problem == "" and metadata.odd == () and metadata.text == text
    assert metadata.name == "OrderManager" and metadata.unknown == {"since": 1.5}
    assert repr(metadata.unknown["since"].text) == "'1.50'"


@pytest.mark.parametrize(("result", "told"), [
    (read(""), "empty"), (read("  "), "empty"), (read("not json"), "no JSON"), (read("[1]"), "a list"),
    (read('"x"'), "a string"), (read("null"), "null"), ({"contents": []}, "no content"), ({}, "no content"),
    (None, "no content"), ({"contents": [{"blob": "e30="}]}, "blob"), ({"contents": ["x"]}, "no text"),
])  # fmt: skip
def test_what_no_client_can_use_says_why(result: Any, told: str) -> None:
    metadata = metadata_of(result)
    assert told in metadata.problem and metadata.value == {}


def test_of_several_contents_the_first_counts() -> None:
    metadata = metadata_of(read('{"name":"a"}', '{"name":"b"}'))
    assert metadata.name == "a" and "2 contents" in metadata.odd[0]


def test_members_of_other_types_are_told_and_kept() -> None:
    metadata = metadata_of(read('{"name":"a","sensitive":"no","tags":"x"}'))
    assert metadata.problem == "" and set(metadata.odd) == {"tags is a string", "sensitive is a string"}
    assert metadata_of(read("{}")).odd == ("it has no name",)


@pytest.mark.parametrize(("server", "is_confusing"), [
    ("order-manager", False), ("mcp-order-manager-server", False), ("weather", True), ("", False), ("orders", False),
    ("om", True),
])  # fmt: skip
def test_names_that_have_nothing_to_do_with_each_other(server: str, is_confusing: bool) -> None:
    assert confusing(metadata_of(read('{"name":"OrderManager"}')), server) == is_confusing
