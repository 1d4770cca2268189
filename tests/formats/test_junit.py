"""JUnit documents: well-formed whatever the texts are, with counts that are true."""

from __future__ import annotations

import xml.etree.ElementTree as XML

from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.junit import Case, document

TEXT = some.text(max_size=40)
CASES = some.lists(
    some.builds(
        Case,
        TEXT,
        TEXT,
        some.none() | some.floats(0, 100),
        some.lists(TEXT, max_size=3) | some.just([]),
        TEXT,
        some.lists(TEXT, max_size=3),
    ),
    max_size=5,
)


@given(TEXT, CASES)
def test_any_text_gives_a_document_that_can_be_read(suite: str, cases: list[Case]) -> None:
    text = document(suite, cases)
    assert not any((ord(char) < 0x20 and char != "\n") or 0x7F <= ord(char) < 0xA0 for char in text)
    root = XML.fromstring(text.encode())
    assert root.get("tests") == str(len(cases))
    assert root.get("failures") == str(len(list(root.iter("failure"))))
    assert len(list(root.iter("testcase"))) == len(cases)


def test_a_case_is_told_with_its_reasons() -> None:
    root = XML.fromstring(
        document("s", [Case("a", "g", 1.5, ["wrong <b>", "and\x1b"]), Case("b", "g", None, (), "why")])
    )
    failure, skipped = root.find(".//failure"), root.find(".//skipped")
    assert failure is not None and (failure.get("message"), failure.text) == (
        "wrong <b>",
        "wrong <b>\nand\\u001b",
    )
    assert skipped is not None and skipped.get("message") == "why"


ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "disabled", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "skipped"},
    "testcase": {"name", "classname", "time"},
    "failure": {"message"}, "skipped": {"message"}, "system-out": set(),
}  # fmt: skip
"""Those that the schema of Jenkins has for what is written."""


@given(TEXT, CASES)
def test_no_attribute_is_of_our_own(suite: str, cases: list[Case]) -> None:
    for element in XML.fromstring(document(suite, cases).encode()).iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
