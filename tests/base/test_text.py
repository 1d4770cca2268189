"""Foreign text becomes visible, whole, and harmless."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.base.text import (
    bytes_size,
    cells,
    clip,
    decode,
    duration,
    quoted,
    visible,
    visible_block,
    visible_json,
)

anything = st.text(alphabet=st.characters(codec=None)) | st.text()


@given(anything)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    for char in visible(text):
        assert (
            unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
            and char not in "\u202e\u2066\u200b\ufeff"
        )
    assert set("\n\t") >= {char for char in visible_block(text) if ord(char) < 32}


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Lo"]))
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_what_was_hidden_is_shown_as_its_code() -> None:
    assert visible("a\x1b[2J\u202eb\x9bc\ud83d\ufeff") == "a\\u001b[2J\\u202eb\\u009bc\\ud83d\\ufeff"
    assert visible("\U000e0041") == "\\udb40\\udc41"
    assert visible_block("a\r\nb\tc\rd") == "a\nb\tc\\u000dd"


@given(st.recursive(anything | st.integers(), lambda part: st.lists(part) | st.dictionaries(anything, part)))
def test_json_keeps_its_value_when_made_visible(value: object) -> None:
    text = visible_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert not set(text) & set("\x1b\x7f\x9b\u202e\u200b\ufeff\ud800")


@given(st.binary())
def test_decoding_never_raises(raw: bytes) -> None:
    assert isinstance(decode(raw), str)


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("😀", 2)])
def test_width_in_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_figures_for_people() -> None:
    assert [bytes_size(n) for n in (0, 1023, 1024, 3 * 1024**2)] == ["0 B", "1023 B", "1.0 KiB", "3.0 MiB"]
    assert [duration(s) for s in (0.0004, 0.012, 3.21, 245, 7800)] == [
        "0.4 ms",
        "12 ms",
        "3.2 s",
        "4m 05s",
        "2h 10m",
    ]
    # Where rounding comes to the next unit, it is that unit.
    assert [duration(s) for s in (0.00096, 0.9996, 59.96, 119.96)] == ["1 ms", "1.0 s", "1m 00s", "2m 00s"]
    assert bytes_size(1024**2 - 1) == "1.0 MiB"
    assert clip("abcdef", 4) == "abc…" and clip("abc", 4) == "abc"


def test_a_carriage_return_between_tokens_writes_over_nothing() -> None:
    assert visible_json('{"a":\r\n 1,\r"b": "\\r"}') == '{"a": \n 1, "b": "\\r"}'


def test_a_foreign_value_in_quotes_shows_what_cannot_be_seen() -> None:
    assert quoted("a\x1b[31m\u202e'b", 40) == '"a\\u001b[31m\\u202e\'b"'
    assert (quoted("a" * 9, 4), quoted(None, 9), quoted([True, "\x9b"], 20)) == (
        "'aaa…'",
        "null",
        '[true, "\\u009b"]',
    )
