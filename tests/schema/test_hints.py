"""What a schema says of a value, in words."""

from __future__ import annotations

from typing import Any

import pytest

from inspector.schema.form import FormModel
from inspector.schema.hints import limits


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"format": "date"}, "date, as 2026-01-31"),
        ({"format": "date", "examples": ["1999-12-31"]}, "date · e.g. 1999-12-31"),
        ({"format": "of-our-own"}, "of-our-own"),
        ({"not": {"const": "no"}}, 'not "no"'),
        ({"not": {"enum": [1, "1", ""]}}, 'not 1, "1", ""'),
        ({"not": {"type": "string"}}, "no string"),
        ({"not": {"type": "string", "minLength": 2}}, ""),
        (
            {"patternProperties": {"^x-": {"type": "string"}, "^n-": {"type": "number"}, "^t": True}},
            "names matching ^x-: string · names matching ^n-: number · names matching ^t: anything",
        ),
        ({"patternProperties": {}}, ""),
    ],
)
def test_limits(schema: dict[str, Any], said: str) -> None:
    assert limits(schema) == said


@pytest.mark.parametrize(
    ("schema", "value", "reason"),
    [
        ({"type": "integer", "maximum": 10**200}, int("1" * 202), "is greater than the maximum of"),
        ({"type": "integer", "maximum": 5}, int("1" * 202), "is greater than the maximum of 5"),
        ({"type": "string", "maxLength": 5}, 'long words " ' * 60, "is longer than 5 characters"),
        ({"enum": [{"a": 1}]}, {"b": "x y " * 90}, 'is not one of {"a":1}'),
        ({"type": "array", "maxItems": 2}, ["a b", "] c"] * 90, "has more than 2 items"),
    ],
)
def test_a_long_value_leaves_room_for_the_reason(schema: dict[str, Any], value: Any, reason: str) -> None:
    model = FormModel({"type": "object", "properties": {"a": schema}})
    model.load({"a": value})
    (error,) = model.arguments().errors
    assert error.path == "/a" and reason in error.message and len(error.message) < 220
