from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from inspector.tui.widgets.text import json_lines
from inspector.tui.widgets.text.json_lines import JsonLines, Line

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def _index(lines: JsonLines, pointer: str) -> int:
    return next(at for at, line in enumerate(lines.lines) if line.pointer == pointer and line.kind != "close")


def _written(lines: list[Line]) -> str:
    """The JSON that the lines stand for."""
    parts = []
    for line in lines:
        key = f"{json.dumps(line.key)}:" if isinstance(line.key, str) else ""
        rest = line.text[line.end :].lstrip()[:1]
        comma = "," if line.kind != "open" and line.parent is not None and rest == "," else ""
        parts.append(key + (line.text[line.start] if line.kind in ("open", "close") else line.value) + comma)
    return "".join(parts)


@given(VALUES)
def test_all_opened_lines_together_are_the_value(value: object) -> None:
    lines = JsonLines(json.dumps(value))
    assert lines.is_json
    assert lines.open_all()
    assert json.loads(_written(lines.lines)) == value


@given(VALUES, st.integers(0, 40))
def test_closing_takes_back_what_opening_brought(value: object, at: int) -> None:
    lines = JsonLines(json.dumps([value]))
    index = at % len(lines.lines)
    before = [(line.kind, line.start) for line in lines.lines]
    if lines.open(index):
        assert lines.close(index)
        assert [(line.kind, line.start) for line in lines.lines] == before


def test_numbers_keep_their_spelling_and_duplicates_stay() -> None:
    lines = JsonLines('{"a": 1.50, "b": 12345678901234567890123, "a": NaN, "c": -0}')
    assert [line.value for line in lines.lines[1:-1]] == ["1.50", "12345678901234567890123", "NaN", "-0"]
    assert [line.again for line in lines.lines[1:-1]] == [False, False, True, False]


def test_a_pointer_says_where_the_cursor_is() -> None:
    lines = JsonLines('{"result":{"content":[{"type":"text","odd key":null}]}}')
    found = [line.pointer for line in lines.lines]
    assert "$.result.content[0].type" in found
    assert '$.result.content[0]["odd key"]' in found


def test_a_string_opens_into_its_text_or_into_the_json_in_it() -> None:
    lines = JsonLines(json.dumps({"plain": "one\ntwo\x1b[2J", "inner": '{"a": [1]}'}), width=40)
    lines.open(_index(lines, "$.plain"))
    assert [line.value for line in lines.lines if line.kind == "text"] == ["one", "two\\u001b[2J"]
    lines.open(_index(lines, "$.inner"))
    assert "$.inner → $.a" in [line.pointer for line in lines.lines]


def test_text_is_broken_at_the_width_and_again_when_it_changes() -> None:
    lines = JsonLines(json.dumps(["x" * 100]), width=26)
    lines.open(1)
    assert max(len(line.value) for line in lines.lines if line.kind == "text") == 20
    lines.rewrap(106)
    assert [len(line.value) for line in lines.lines if line.kind == "text"] == [100]


def test_what_is_no_json_is_text() -> None:
    for text in ("noise on stdout\nmore", '{"cut": ', "{} behind", "", "[1, 2"):
        lines = JsonLines(text)
        assert not lines.is_json
        assert [line.value for line in lines.lines] == text.split("\n")


def test_a_break_deep_inside_costs_only_what_is_behind_it() -> None:
    lines = JsonLines('{"good": 1, "bad": {"x": 1, oops}, "after": 2}')
    assert lines.is_json
    kinds = [(line.kind, line.key) for line in lines.lines]
    assert ("broken", "a member without a name") in kinds
    assert ("scalar", "after") in kinds


def test_depth_costs_nothing() -> None:
    lines = JsonLines("[" * 50_000 + "]" * 50_000)
    assert lines.is_json
    assert lines.lines[0].kind == "open"


def test_long_lists_come_in_pages() -> None:
    lines = JsonLines(json.dumps(list(range(2500))))
    assert len(lines.lines) == json_lines.PAGE + 2
    assert lines.lines[-1].kind == "more"
    assert lines.open(len(lines.lines) - 1)
    assert lines.open(len(lines.lines) - 1)
    assert [line.value for line in lines.lines[1:-1]] == [str(number) for number in range(2500)]
    assert lines.lines[-1].kind == "close"


def test_opening_all_is_bounded() -> None:
    lines = JsonLines(json.dumps([[[1] * 30] * 30] * 60))
    assert not lines.open_all()
    assert len(lines.lines) < json_lines.MOST_OPENED + json_lines.PAGE + 2


def test_search_opens_the_way_to_what_it_finds() -> None:
    text = json.dumps({"list": [{"n": i, "deep": {"deeper": f"needle {i}"}} for i in range(3000)]})
    lines = JsonLines(text)
    offset = lines.find("NEEDLE 2345", 0)
    assert offset is not None
    assert lines.lines[lines.locate(offset)].pointer == "$.list[2345].deep.deeper"
    assert lines.find("nowhere", 0) is None
    backwards = lines.find("needle", offset, backwards=True)
    assert backwards is not None
    assert lines.lines[lines.locate(backwards)].value == '"needle 2344"'


def test_search_finds_its_line_in_text() -> None:
    lines = JsonLines("first \x1b[0m\nsecond needle\nthird")
    offset = lines.find("needle", 0)
    assert offset is not None and lines.locate(offset) == 1
