"""What a result is made of, block by block."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.text import visible
from inspector.tui.widgets.answers import blocks

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = st.sampled_from(
    ["type", "text", "data", "mimeType", "uri", "resource", "annotations", "blob", "name", "size"]
)
TYPES = st.sampled_from(["text", "image", "audio", "resource", "resource_link"])


@pytest.mark.parametrize(
    ("block", "head", "text", "does"),
    [
        ({"type": "text", "text": "hello"}, "text · 5 B", "hello", ""),
        ({"type": "text", "text": ""}, "text · 0 B", "", ""),
        ({"type": "text", "text": "[1]"}, "text · 3 B", "[1]", "json"),
        (
            {"type": "image", "mimeType": "image/png", "data": "aGVsbG8="},
            "image · image/png · 5 B",
            "",
            "save",
        ),
        ({"type": "resource_link", "name": "n", "uri": "u://x"}, "link to a resource", "n\nu://x", "read"),
        (
            {"type": "resource", "resource": {"uri": "u://x", "blob": "aGVsbG8="}},
            "embedded resource, binary · u://x · 5 B",
            "",
            "save",
        ),
        ({"type": "hologram"}, "a block of type hologram, not known here; as JSON:", "", "json"),
        ({"type": 7}, "a block without a type; as JSON:", "", "json"),
        ("no object", "a block that is no object; as JSON:", "", ""),
    ],
)
def test_blocks_are_said_by_their_type(block: Any, head: str, text: str, does: str) -> None:
    made = blocks.block_of(block)
    assert made.head == head and made.does == does
    assert text in made.text


@pytest.mark.parametrize(
    ("block", "odd"),
    [
        ({"type": "image", "mimeType": "image/png", "data": "*"}, "no base64"),
        ({"type": "image", "mimeType": "image/png"}, "no data"),
        ({"type": "image", "mimeType": "image/png", "data": "aGVsbG8="}, "begin like nothing known"),
        ({"type": "resource_link", "name": "n"}, "no URI"),
        ({"type": "resource", "resource": {"uri": "u://x"}}, "neither text nor blob"),
    ],
)
def test_what_is_wrong_with_a_block_is_said(block: Any, odd: str) -> None:
    assert odd in blocks.block_of(block).odd


@pytest.mark.parametrize("result", [None, 7, {}, {"content": 7}, {"content": []}, {"content": [None]}])
def test_odd_results_are_said_and_never_raise(result: Any) -> None:
    made = blocks.result_blocks(result)
    assert made and all(block.head or block.odd for block in made)
    assert isinstance(blocks.counted(result), str)


@given(st.lists(JSON | st.dictionaries(MEMBERS, TYPES | JSON, max_size=6), max_size=4))
def test_any_content_makes_blocks_whose_heads_are_safe(content: list[Any]) -> None:
    for block in blocks.result_blocks({"content": content}):
        for said in (block.head, block.odd):
            assert said == visible(said) and "\n" not in said
        if block.data is not None:
            assert isinstance(block.data(), bytes)


def test_a_plain_text_alone_stands_for_itself() -> None:
    (block,) = blocks.result_blocks({"content": [{"type": "text", "text": json.dumps({"a": 1})}]})
    assert block.head == "" and block.holds_json and block.name.endswith(".json")
