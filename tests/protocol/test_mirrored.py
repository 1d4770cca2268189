"""What goes into HTTP headers: every value comes back whole, and every wrong annotation is told."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.mirrored import encoded, mirrored, standard


def decoded(value: str) -> str:
    if value.startswith("=?base64?") and value.endswith("?="):
        return b64decode(value[9:-2]).decode("utf-8", "surrogatepass")
    return value


@given(st.text())
def test_a_value_comes_back_and_is_safe_on_the_way(text: str) -> None:
    value = encoded(text)
    assert decoded(value) == text
    assert all(" " <= char <= "~" for char in value) and value == value.strip(" ")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"), ("", ""), ("a b", "a b"), (" a", "=?base64?IGE=?="), ("a\t", "=?base64?YQk=?="),
        ("é", "=?base64?w6k=?="), ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="), ("=?base64?x", "=?base64?x"),
        ("a\r\nb", "=?base64?YQ0KYg==?="),
    ],
)  # fmt: skip
def test_how_values_are_written(text: str, value: str) -> None:
    assert encoded(text) == value


def tool(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


REGION = {"type": "string", "x-mcp-header": "Region"}


def test_arguments_are_found_by_their_path() -> None:
    plan = mirrored(
        tool(
            a=REGION,
            b=tool(c={"type": "integer", "x-mcp-header": "C"}),
            d={"type": "boolean", "x-mcp-header": "d"},
        )
    )
    assert plan.problem is None
    assert plan.of({"a": "x", "b": {"c": 7}, "d": False}) == {
        "Mcp-Param-Region": "x", "Mcp-Param-C": "7", "Mcp-Param-d": "false",
    }  # fmt: skip
    assert plan.of({"a": "", "b": None, "d": None}) == {"Mcp-Param-Region": ""}
    assert plan.of({"b": [1], "a": {"x": 1}}) == plan.of([]) == plan.of(None) == {}
    assert plan.of({"b": {"c": 10**9000}}) == {}


@pytest.mark.parametrize(
    "schema",
    [
        tool(a={"type": "string", "x-mcp-header": ""}), tool(a={"type": "string", "x-mcp-header": "a b"}),
        tool(a={"type": "string", "x-mcp-header": "é"}), tool(a={"type": "string", "x-mcp-header": "a:b"}),
        tool(a={"type": "string", "x-mcp-header": 7}), tool(a={"type": "number", "x-mcp-header": "A"}),
        tool(a={"type": ["string", "null"], "x-mcp-header": "A"}), tool(a={"x-mcp-header": "A"}),
        tool(a={"type": "object", "x-mcp-header": "A"}), tool(a=REGION, b={"type": "string", "x-mcp-header": "rEGION"}),
        tool(a={"type": "array", "items": REGION}), tool(a={"anyOf": [REGION]}), tool(a={"oneOf": [REGION]}),
        tool(a={"allOf": [tool(b=REGION)]}), tool(a={"not": REGION}), tool(a={"if": REGION}), tool(a={"then": REGION}),
        {**tool(a={"$ref": "#/$defs/r"}), "$defs": {"r": REGION}}, {"type": "string", "x-mcp-header": "Root"},
        {"additionalProperties": REGION}, {"patternProperties": {"a": REGION}}, {"prefixItems": [REGION]},
    ],
)  # fmt: skip
def test_every_other_place_or_type_is_refused(schema: Any) -> None:
    plan = mirrored(schema)
    assert plan.problem is not None and "x-mcp-header" in plan.problem and plan.headers == {}


@pytest.mark.parametrize(
    "schema",
    [
        None, [], True, {}, tool(), {"properties": None}, tool(**{"x-mcp-header": {"type": "string"}}),
        tool(a={"type": "object", "default": {"x-mcp-header": "A"}, "enum": [{"x-mcp-header": ""}], "const": REGION}),
    ],
)  # fmt: skip
def test_what_only_looks_like_an_annotation_is_none(schema: Any) -> None:
    assert mirrored(schema).problem is None and mirrored(schema).headers == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["properties", "items", "x-mcp-header", "type", "a"]), inner, max_size=3
        )
    ),
)


@given(JSON, JSON)
def test_no_schema_and_no_arguments_make_it_raise(schema: Any, arguments: Any) -> None:
    headers = mirrored(schema).of(arguments)
    assert all(isinstance(value, str) for value in headers.values())


def test_what_a_method_is_about_is_named() -> None:
    assert standard("tools/call", {"name": "x"}) == {"Mcp-Method": "tools/call", "Mcp-Name": "x"}
    assert standard("resources/read", {"uri": "é"})["Mcp-Name"] == "=?base64?w6k=?="
    assert standard("tasks/get", {"taskId": "7"})["Mcp-Name"] == "7"
    assert standard("tools/call", {"name": 7}) == standard("tools/call", {}) == {"Mcp-Method": "tools/call"}
    assert standard("tools/list", {"name": "x"}) == {"Mcp-Method": "tools/list"}
