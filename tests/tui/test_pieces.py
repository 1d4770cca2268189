from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tui.pieces import base64_bytes, block, contents, messages, plain

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["type", "text", "blob", "data", "uri", "mimeType", "resource", "role", "content", "contents",
                         "messages"]) | st.text(max_size=4),
        inner | st.sampled_from(["text", "image", "resource", "resource_link", "aGk=", "image/png"]),
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@given(JSON)
def test_any_answer_can_be_looked_at(value: Any) -> None:
    for found, whole in (contents(value), contents({"contents": value}), contents({"contents": [value]})):
        assert found or whole
        for piece in found:
            assert piece.views and piece.file_name and piece.facts is not None
            assert (
                isinstance(piece.shown, str)
                and isinstance(piece.bytes_, bytes)
                and isinstance(plain(piece), str)
            )
    for said, whole in (messages(value), messages({"messages": [value]})):
        assert said or whole
        assert all(isinstance(message.text, str) for message in said)
    assert block(value).views


@pytest.mark.parametrize(
    ("encoded", "data", "note"),
    [
        ("aGVsbG8=", b"hello", ""),
        ("", b"", ""),
        ("aGVsbG8", b"hello", "without its padding"),
        ("aGVs\nbG8=", b"hello", "with blanks in it"),
        ("-_8=", b"\xfb\xff", "of the URL-safe alphabet"),
        ("a!b", None, "'!' at character 2."),
        ("a", None, "1 characters cannot be a whole number of bytes."),
        ("\x1b[2J", None, "'\\x1b' at character 1."),
    ],
)
def test_base64_as_it_is(encoded: str, data: bytes | None, note: str) -> None:
    assert base64_bytes(encoded) == (data, note)
