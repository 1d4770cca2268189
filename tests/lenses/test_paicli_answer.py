"""The text of an answer and the name of a tool, as PaiCLI's model gets them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.lenses.paicli_answer import collisions, global_name, model_text, name_troubles


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}, "one\n\ntwo"),
        ({"content": [{"type": "text", "text": " \n"}, {"text": "kept "}]}, "kept "),
        (
            {
                "content": [
                    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                    {"type": "text", "text": "x"},
                ]
            },
            "[此工具返回了 image，请向用户描述结果]\n\nx",
        ),
        (
            {"content": [{"type": "resource_link", "uri": "a:b"}]},
            "[此工具返回了 resource_link，请向用户描述结果]",
        ),
        ({"content": [], "structuredContent": {"n": 1}}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "no"}], "isError": True}, "MCP 工具返回错误: no"),
        ({"content": [], "isError": True}, "MCP 工具返回错误: MCP 工具返回错误，但没有错误正文"),
        ({"content": [{"type": "text", "text": ""}], "isError": "true"}, "MCP 工具返回错误: "),
        ({"content": [{"type": "text", "text": 1.5}, {"type": "", "text": True}]}, "1.5\n\ntrue"),
        ({"content": [{"type": "text", "text": "\u00a0"}]}, "\u00a0"),
    ],
)
def test_what_the_model_reads(result: Any, text: str) -> None:
    told = model_text(result)
    assert (told.text, told.problem) == (text, None)


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        ([], "no object"),
        ({"content": "x"}, "no list"),
        ({"content": [None]}, "block 0"),
        ({"content": [{"type": "text", "text": {}}]}, "block 0"),
        ({"content": [], "isError": "yes"}, "no boolean"),
    ],
)
def test_what_fails_in_paicli_though_the_server_answered(result: Any, problem: str) -> None:
    told = model_text(result)
    assert told.text == "" and told.problem is not None and problem in told.problem


def test_kinds_that_the_model_does_not_see_are_named_once() -> None:
    blocks = [{"type": kind} for kind in ("image", "audio", "image", "text")]
    assert model_text({"content": blocks}).lost == ("image", "audio")


def test_global_names_and_what_is_wrong_with_them() -> None:
    assert global_name("shop", "price") == "mcp__shop__price" and name_troubles("shop", "price") == []
    assert "two ways" in name_troubles("a__b", "c")[0]
    assert "two ways" in name_troubles("a_", "c")[0]
    assert "characters that models refuse" in name_troubles("my shop", "c")[0]
    assert "69 characters" in name_troubles("s" * 30, "t" * 32)[0]
    both = [("a", "b__c"), ("a__b", "c"), ("x", "y")]
    assert collisions(both) == {"mcp__a__b__c": both[:2]}


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda each: (
        st.lists(each, max_size=3)
        | st.dictionaries(st.sampled_from(["content", "isError", "type", "text"]), each)
    ),
)


@given(_VALUES)
def test_whatever_a_server_answers_is_read_or_refused(result: Any) -> None:
    told = model_text(result)
    assert (told.problem is None) or told.text == ""
