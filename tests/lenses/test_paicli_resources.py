"""A resource as PaiCLI's model gets it, and the tools that PaiCLI adds for resources."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.lenses.paicli_resources import LONGEST, mention_text, seen

BLOB = "[binary resource blob omitted, base64 length="


@pytest.mark.parametrize(
    ("contents", "mime", "text"),
    [
        ([{"uri": "a:b", "mimeType": "text/x", "text": " one \n"}, {"text": "two"}], "text/x", "one \n\ntwo"),
        ([{"blob": "aGk="}, {"mimeType": "a/b", "text": "x"}], "a/b", f"{BLOB}4]\nx"),
        ([{"mimeType": " ", "text": 1.5}, None, "odd"], "text/plain", f"1.5\n{BLOB}0]"),
        ([{"text": {"no": "text"}}], "text/plain", ""),
        ([], "text/plain", ""),
        ({"no": "list"}, "text/plain", ""),
    ],
)  # fmt: skip
def test_what_a_mention_becomes(contents: Any, mime: str, text: str) -> None:
    told = mention_text('m"e', "x://a?b&c", {"contents": contents})
    head = f'<resource server="m&quot;e" uri="x://a?b&amp;c" mimeType="{mime}">'
    assert told == f"{head}\n{text}\n</resource>"


def test_it_is_cut_as_java_counts() -> None:
    whole = mention_text("s", "u", {"contents": [{"text": "x" * LONGEST}]})
    assert "truncated" not in whole and whole.count("x") == LONGEST + 1, "text/plain has one too"
    cut = mention_text("s", "u", {"contents": [{"text": "\U0001f950" * (LONGEST // 2 + 1)}]})
    assert cut.endswith("\n[resource truncated by PaiCLI at 200000 chars]\n</resource>")
    assert cut.count("\U0001f950") == LONGEST // 2


_SCALARS = st.none() | st.booleans() | st.floats() | st.text()
_NAMES = st.sampled_from(["contents", "text", "blob", "mimeType", "uri"])


@given(st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(_NAMES, inner)))
def test_any_result_has_a_text(result: Any) -> None:
    assert mention_text("s", "u", result).startswith("<resource server=")


def test_two_tools_are_added_where_resources_are_declared() -> None:
    assert seen("s", {"tools": {}}, []) == []
    (added,) = seen("s", {"resources": {}}, [{"name": "a"}, None, {"name": 7}])
    assert added.endswith(": mcp__s__list_resources and mcp__s__read_resource")
    assert seen("s", {"resources": {}}, [], 3)[1] == "reads the first of 3 pages of resources"
    (refused,) = seen("s", {"resources": None}, [{"name": "read_resource"}], 3)
    assert refused.startswith("does not start it: read_resource is the name of a tool")
