"""JSON with comments: the same values as strict JSON, true positions, and never an exception but Broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.config.jsonc import MAX_BYTES, Broken, Document, decode, parse

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(), v, max_size=4), max_leaves=20
)
MESSY = st.text(alphabet="{}[]:,\"/*\\ \n\r\tab01-.eNtrufls'\u2028\ufeff", max_size=60)


def broken(source: bytes | str) -> Broken:
    with pytest.raises(Broken) as caught:
        parse(source)
    return caught.value


@given(VALUES)
def test_strict_json_reads_as_json_loads_does(value: Any) -> None:
    text = json.dumps(value)
    document = parse(text)
    assert document.value == json.loads(text)
    assert document.relaxed is None


@given(VALUES)
def test_indented_json_with_comments_everywhere_has_the_same_value(value: Any) -> None:
    text = "\n".join(f'{line} // note: "{{' for line in json.dumps(value, indent=1).split("\n"))
    assert parse("/* head */" + text).value == value


@given(st.one_of(MESSY, st.text(max_size=60)))
@settings(max_examples=400)
def test_any_text_is_a_document_or_broken(text: str) -> None:
    try:
        document = parse(text)
    except Broken as error:
        assert error.line >= 1 and error.column >= 1 and error.message
        with pytest.raises(ValueError):
            json.loads(text, parse_constant=lambda name: int("x"))
    else:
        assert isinstance(document, Document)


@given(
    st.binary(max_size=80), st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"])
)
def test_any_bytes_are_a_document_or_broken(raw: bytes, bom: bytes) -> None:
    try:
        parse(bom + raw)
    except Broken as error:
        assert error.line >= 1


@given(MESSY)
def test_blanking_never_moves_anything(text: str) -> None:
    try:
        document = parse("[" + text + "]")
    except Broken:
        return
    for index in range(len(document.value)):
        line, column = document.position([index])
        assert document.excerpt(line) or column


def test_comments_and_trailing_commas_leave_strings_alone() -> None:
    document = parse('{"u": "http://x/y//z", /* "off": 1, */ "c": ["/* no */", "a,]",], // end\n}')
    assert document.value == {"u": "http://x/y//z", "c": ["/* no */", "a,]"]}
    assert document.position_at(document.relaxed or 0) == (1, 24)


@pytest.mark.parametrize("text", ["[,]", "{,}", "[1,,]", '{"a":,}', "[1,/* x */,]", ",", "[1],"])
def test_a_comma_without_a_value_before_it_is_an_error(text: str) -> None:
    broken(text)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ('{\n  "a": "x"\n  "b": 1\n}', 3, 3, "comma"),
        ('{\n  "a" 1}', 2, 7, "colon"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ('{"a": 1', 1, 8, "ends too early"),
        ('{"a": "x\ny"}', 1, 9, "line break"),
        ('{"a": NaN, "b": "NaN"}', 1, 7, "NaN"),
        ('{"p": "C:\\tools\\x"}', 1, 16, "backslash"),
        ("{} {}", 1, 4, "follows"),
        ("// only\n/* never ends", 2, 1, "comment"),
        ('{"a": ' + "1" * 5000 + "}", 1, 7, "digits"),
        (" \r\n ", 1, 1, "empty"),
    ],
)
def test_errors_name_place_and_reason(text: str, line: int, column: int, says: str) -> None:
    error = broken(text)
    assert (error.line, error.column) == (line, column)
    assert says in error.message


def test_the_offending_line_is_shown_without_secrets() -> None:
    for member in (
        '"API_KEY": "sk-very-secret"',
        "'API_KEY': 'sk-very-secret'",
        '"API_KEY" "sk-very-secret"',
    ):
        error = broken("{" + member + ' "url": "https://h/?token=abcdef"}')
        assert "url" in error.excerpt
        assert "sk-very-secret" not in error.excerpt and "abcdef" not in error.excerpt


@pytest.mark.parametrize("cut", range(0, 130, 7))
def test_of_a_long_line_the_place_is_shown_and_no_half_of_a_secret(cut: int) -> None:
    secret = '"API_KEY": "sk-very-secret, sk-very-secret, sk-very-secret"'
    error = broken("{" + f'"a": "{"x" * 300}", {secret}, "b": "{"y" * cut}" "url": 1' + "}")
    assert '"url"' in error.excerpt and "very" not in error.excerpt and len(error.excerpt) <= 161


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_byte_order_marks_and_crlf(encoding: str) -> None:
    document = parse('{\r\n  "é": ["ü",\r\n 2]}\r\n'.encode(encoding))
    assert document.value == {"é": ["ü", 2]}
    assert document.position(["é", 1]) == (3, 2)


def test_utf16_without_mark_and_latin1_are_named() -> None:
    assert "UTF-16" in broken('{"a": 1}'.encode("utf-16-le")).message
    error = broken('{\n"a": "é"}'.encode("latin-1"))
    assert "0xe9" in error.message and (error.line, error.column) == (2, 7)


def test_positions_of_values_and_of_what_is_missing() -> None:
    document = parse('{\n "a": {"b": [10,\n  /* x */ 20]},\n}')
    assert document.position(["a", "b", 1]) == (3, 11)
    assert document.position(["a", "nothing", 3]) == (2, 7)
    assert document.position([]) == (1, 1)


def test_duplicate_names_are_reported_and_the_last_one_counts() -> None:
    document = parse('{"s": {"x": 1,\n "x": 2, "y": [{"k": 1, "k": 1}]}}')
    assert document.value["s"]["x"] == 2
    assert document.duplicates == [("s", "x"), ("s", "y", 0, "k")]
    assert document.position(("s", "x")) == (2, 7)


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "[" * 200_000 + "]" * 200_000, '{"a":' * 100_000 + "1" + "}" * 100_000]
)
def test_deep_nesting_is_a_clear_error(text: str) -> None:
    assert "deep" in broken(text).message


@pytest.mark.parametrize("unit", ["/*", '"', '\\"', ",", "/", "[,", '"\\'])
def test_hostile_repetition_costs_little(unit: str) -> None:
    broken("[" + unit * (1_000_000 // len(unit)) + "!")


def test_a_huge_file_is_refused_by_size() -> None:
    with pytest.raises(Broken, match="5000000"):
        decode(b" " * (MAX_BYTES + 1))


def test_fractions_keep_their_spelling() -> None:
    number = parse("[1.10]").value[0]
    assert number == 1.1 and number.spelling == "1.10"
