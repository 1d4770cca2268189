"""The sanitizer of PaiCLI, letter for letter, and what its report says of each rewrite."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.base import numbers
from inspector.lenses import jackson
from inspector.lenses.paicli import Sanitized, sanitize


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rewrites(found: Sanitized) -> list[tuple[str, str, str]]:
    return [(rewrite.pointer, rewrite.rule, rewrite.severity) for rewrite in found.report]


def properties(**parts: Any) -> dict[str, Any]:
    return {"type": "object", "properties": parts}


@pytest.mark.shared
def test_every_handed_vector(shared: Path) -> None:
    vectors = json.loads((shared / "reference" / "sanitizer-vectors.json").read_text("utf-8"))["vectors"]
    assert len(vectors) > 30
    for vector in vectors:
        found = sanitize(vector.get("input"), missing=vector["missing"]).schema
        assert numbers.same(found, vector["output"]), vector["name"]
        if vector["output_text"] is not None:
            assert jackson.compact(found) == vector["output_text"], vector["name"]


@pytest.mark.shared
def test_every_real_tool_is_sanitized_for_good(shared: Path) -> None:
    for path in sorted((shared / "corpus").glob("*.tools.json")):
        for tool in json.loads(path.read_text("utf-8")):
            before = copy.deepcopy(tool["inputSchema"])
            found = sanitize(tool["inputSchema"])
            assert numbers.same(tool["inputSchema"], before)
            assert {"type", "properties"} <= found.schema.keys()
            text = jackson.compact(found.schema)
            assert '"anyOf":[' not in text and '"$ref":"' not in text
            assert bool(found.report) == (not numbers.same(before, found.schema))


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (None, '{"type":"object","properties":{}}'),
        ([1, {"$id": 1}], '{"type":"object","description":[1,{}]}'),
        ({"type": None, "properties": None}, '{"type":null,"properties":null}'),
        (
            {"description": None, "oneOf": [{"type": 1.5}, {"type": True}]},
            '{"description":"oneOf options: 1.5, true","type":"object","properties":{}}',
        ),
        (
            {"anyOf": [{"x": "a\x1b\\u00e9/\t\u00e9"}], "description": "\u00a0"},
            '{"description":"\u00a0 (anyOf options: {\\"x\\":\\"a\\\\u001B\\\\\\\\u00e9/\\\\t\u00e9\\"})",'
            '"type":"object","properties":{}}',
        ),
        (
            {"properties": {"anyOf": [{"type": "string"}], "oneOf": 1}},
            '{"properties":{"type":"object","description":"anyOf options: string"},"type":"object"}',
        ),
    ],
)  # fmt: skip
def test_own_vectors(schema: Any, text: str) -> None:
    assert jackson.compact(sanitize(schema).schema) == text


@pytest.mark.parametrize(
    ("spelled", "written"),
    [("1.50", "1.5"), ("1e3", "1000.0"), ("1e7", "1.0E7"), ("1e-3", "0.001"), ("0.00015", "1.5E-4"), ("-0.0", "-0.0"),
     ("-0", "0"), ("123456789.25", "1.2345678925E8"), ("9999999.5", "9999999.5"), ("5e-324", "4.9E-324"),
     ("2e23", "2.0E23"), ("1.7976931348623157e308", "1.7976931348623157E308"), ("0.1", "0.1"), ("100", "100"),
     ("12345678901234567890123", "12345678901234567890123"), ("1e400", '"Infinity"'), ("0.0123", "0.0123")],
)  # fmt: skip
def test_numbers_are_written_as_java_writes_them(spelled: str, written: str) -> None:
    assert jackson.compact(numbers.spelled(f"[{spelled}]")) == f"[{written}]"


class TestReport:
    def test_harmless_rewrites_are_information(self) -> None:
        found = sanitize({"$schema": "x", "properties": {"a": {"$id": "y"}}})
        assert rewrites(found) == [
            ("/$schema", "2.2.1", "info"), ("/properties/a/$id", "2.2.1", "info"), ("", "2.1.4", "info")
        ]  # fmt: skip
        assert found.worst == "info"

    def test_unions_references_and_definitions(self) -> None:
        schema = properties(
            a={"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]}, b={"$ref": "#/$defs/x"}
        )
        found = sanitize({**schema, "$defs": {"x": {}}})
        assert rewrites(found) == [
            ("/properties/a/anyOf", "2.3", "warning"),
            ("/properties/a/type", "2.2.3", "warning"),
            ("/properties/b/$ref", "2.2.1", "warning"),
            ("/$defs", "2.6", "warning"),
        ]
        assert "string before" in found.report[1].message

    def test_a_deleted_property_is_an_error_where_it_is_required(self) -> None:
        schema = properties(**{"$ref": {"type": "string"}, "anyOf": {"type": "string"}, "oneOf": {}})
        found = sanitize({**schema, "required": ["$ref"]})
        assert rewrites(found) == [
            ("/properties/$ref", "2.2.1", "error"),
            ("/properties/anyOf", "2.2.2", "warning"),
            ("/properties/oneOf", "2.2.2", "warning"),
        ]

    def test_a_parameter_called_properties_is_no_map(self) -> None:
        found = sanitize(properties(properties={"anyOf": [{"type": "object"}]}, required={"$id": "x"}))
        assert [(at, severity) for at, _, severity in rewrites(found)] == [
            ("/properties/properties/anyOf", "warning"),
            ("/properties/properties/type", "warning"),
            ("/properties/required/$id", "info"),
        ]

    @pytest.mark.parametrize("keyword", ["default", "const", "enum", "examples"])
    def test_altered_data_is_an_error(self, keyword: str) -> None:
        found = sanitize(properties(a={keyword: [{"$ref": "x"}, {"anyOf": []}]}))
        assert {severity for _, _, severity in rewrites(found)} == {"error"}
        assert all(f"{keyword} is altered" in rewrite.message for rewrite in found.report)

    def test_what_not_forbids_changes(self) -> None:
        found = sanitize(
            {"type": "object", "properties": {}, "not": {"properties": {"a": {"anyOf": [], "$ref": "#"}}}}
        )
        assert ("/not", "2.6", "error") in rewrites(found)
        assert sum(at == "/not" for at, _, _ in rewrites(found)) == 1

    def test_cut_descriptions_and_split_characters(self) -> None:
        found = sanitize(
            properties(a={"description": "d" * 1001}, b={"description": "d" * 999 + "\U0001f600"})
        )
        assert rewrites(found) == [
            ("/properties/a/description", "2.5", "warning"),
            ("/properties/b/description", "2.5", "warning"),
            ("/properties/b/description", "2.5", "error"),
        ]
        assert found.schema["properties"]["b"]["description"] == "d" * 999 + "\ud83d..."
        assert "1000 of 1001" in found.report[0].message

    def test_schemas_that_are_no_objects(self) -> None:
        assert rewrites(sanitize(True)) == [("", "2.1.3", "error")]
        assert rewrites(sanitize(None)) == rewrites(sanitize(None, missing=True)) == [("", "2.1.1", "info")]
        assert sanitize({"type": "object", "properties": {}}).report == []


NAMES = st.sampled_from(["a", "type", "description", "properties", "$defs", "$ref", "$id", "$schema", "anyOf", "oneOf",
                         "not", "items", "default", "enum", "required", "allOf", "const"])  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.just("\ud83d" * 1001),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_it_takes_everything_and_changes_nothing_of_its_own(schema: Any) -> None:
    before = copy.deepcopy(schema)
    once = sanitize(schema)
    assert jackson.compact(schema) == jackson.compact(before)
    assert isinstance(once.schema, dict)
    assert all(rewrite.message and rewrite.rule.startswith("2.") for rewrite in once.report)


@pytest.mark.parametrize("keyword", ["anyOf", "properties", "items", "$defs", "default", "not"])
def test_depth_costs_nothing(keyword: str) -> None:
    schema: Any = {"$ref": "#"}
    for _ in range(5000):
        schema = {keyword: [schema] if keyword in ("anyOf", "items") else {"a": schema}}
    found = sanitize(schema)
    assert found.report
    jackson.compact(found.schema)
