"""What a tool definition weighs."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.lenses.weight import estimate, weigh


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("\u4f60\u597d", 2), ("ab\u00e9", 2)]
)
def test_four_letters_are_a_token_and_so_is_any_other_character(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_bytes_are_of_the_whole_and_tokens_of_what_a_model_sees() -> None:
    tool = {"name": "a", "inputSchema": {"type": "object"}}
    small, large = weigh(tool), weigh({**tool, "outputSchema": {"type": "object"}, "_meta": {"x": "\u00e9"}})
    assert small == (len('{"name":"a","inputSchema":{"type":"object"}}'), 11)
    assert large.tokens == small.tokens and large.size > small.size + 40


@pytest.mark.parametrize("tool", [None, 5, "x", [], {}, {"name": "\ud83d"}])
def test_odd_entries_weigh_something(tool: Any) -> None:
    assert weigh(tool).size > 0


def test_a_bottomless_definition_is_weighed() -> None:
    schema: Any = {}
    for _ in range(5000):
        schema = {"items": schema}
    assert weigh({"name": "deep", "inputSchema": schema}).tokens > 10_000
