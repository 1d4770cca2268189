from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.schema.dialects import is_plain, schema_error

DRAFTS = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]
ODD: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["string", "object", "x", ""])
    | st.lists(st.sampled_from(["a", "b", 1, None]), max_size=3)
)  # fmt: skip
NAMES = st.sampled_from(
    ["title", "type", "properties", "items", "additionalProperties", "required", "enum", "minimum", "minLength",
     "maxItems", "default", "format", "oneOf", "pattern"]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.dictionaries(NAMES, ODD, max_size=4),
    lambda inner: st.dictionaries(
        NAMES, ODD | inner | st.dictionaries(st.sampled_from("ab"), inner), max_size=4
    ),
    max_leaves=8,
)


@given(SCHEMAS, st.sampled_from(DRAFTS))
def test_what_passes_as_plain_keeps_every_dialect(schema: dict[str, Any], draft: str) -> None:
    if is_plain(schema):
        jsonschema_rs.meta.validate({**schema, "$schema": draft})


def test_a_usual_tool_is_plain() -> None:
    name = {"type": "string", "description": "who", "minLength": 1, "default": ""}
    tags = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}
    schema = {"type": "object", "properties": {"name": name, "tags": tags}, "required": ["name"],
              "additionalProperties": False, "$schema": DRAFTS[2]}  # fmt: skip
    assert is_plain(schema) and schema_error(schema) is None


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "objekt"}, "/type"),
        ({"properties": {"a": {"required": True}}}, "/properties/a/required"),
        ({"required": ["a", "a"]}, "/required"),
        ({"minLength": -1}, "/minLength"),
    ],
)
def test_what_breaks_the_dialect_is_told_with_its_place(schema: dict[str, Any], place: str) -> None:
    found = schema_error(schema)
    assert found is not None and found.path == place
