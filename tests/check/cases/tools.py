"""Cases for the rules of `inspector.check.tools` and `results`."""

from __future__ import annotations

from check.conversation import CACHE, Case, asks, called, complete, fails, listed, old, tool
from check.samples import DONE, PNG, TEXT, header, modern

from inspector.check.rules import V03, V24

CASES: dict[str, Case] = {
    "T01": (listed({"name": "t"}), listed(tool())),
    "T02": (
        listed(tool({"type": "object", "properties": {"a": {"type": "text"}}})),
        listed(tool({"type": "object", "properties": {"a": {"type": "string"}}})),
    ),
    "T03": (
        listed(tool({"type": "object", "$schema": "urn:mine"})),
        listed(tool({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"})),
    ),
    "T04": (listed(tool(outputSchema={"type": "array"})), listed(tool(outputSchema={"type": "object"}))),
    "T05": (
        listed(tool({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}})),
        listed(tool({"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}})),
    ),
    "T06": (
        listed(tool({"type": "object", "properties": {"a": {"type": "string", "default": 5}}})),
        listed(
            tool(
                {"type": "object", "properties": {"a": {"type": "string", "default": "5"}}, "required": ["a"]}
            )
        ),
    ),
    "T07": (listed(tool(), tool()), listed(tool(), {**tool(), "name": "get-it.now_1"})),
    "T08": (header({"type": "number", "x-mcp-header": "A"}), header({"type": "string", "x-mcp-header": "A"})),
    "T09": (
        modern(
            complete(
                {
                    "tools": [
                        tool(
                            {
                                "type": "object",
                                "properties": {"api_key": {"type": "string", "x-mcp-header": "K"}},
                            }
                        )
                    ],
                    **CACHE,
                }
            ),
            "tools/list",
        ),
        header({"type": "string", "x-mcp-header": "A"}),
    ),
    "T10": (called({}), called(DONE)),
    "T11": (
        called(DONE, outputSchema={"type": "object"}),
        called({**DONE, "isError": True}, outputSchema={"type": "object"}),
    ),
    "T12": (
        called(
            {"content": [], "structuredContent": {"a": "x"}},
            outputSchema={"type": "object", "properties": {"a": {"type": "number"}}},
        ),
        called(
            {"content": [], "structuredContent": {"a": 1}},
            outputSchema={"type": "object", "properties": {"a": {"type": "number"}}},
        ),
    ),
    "T13": (
        called({"content": [], "structuredContent": [1]}),
        called({"content": [], "structuredContent": {}}),
    ),
    "T14": (
        called({"content": [TEXT], "structuredContent": {"a": 1}}),
        called({"content": [{"type": "text", "text": '{ "a": 1 }'}], "structuredContent": {"a": 1}}),
    ),
    "T15": (
        called({"content": [{"type": "audio", "data": "", "mimeType": "audio/wav"}]}, version=V24),
        called({"content": [{"type": "audio", "data": "", "mimeType": "audio/wav"}]}, version=V03),
    ),
    "T16": (
        called({"content": [{"type": "image", "data": "not base64!", "mimeType": "image/png"}]}),
        called({"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]}),
    ),
    "T17": (
        called({"content": [{"type": "resource", "resource": {"uri": "a:b"}}]}),
        called({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": ""}}]}),
    ),
    "T20": (called({"content": [], "isError": True}), called({"content": [TEXT], "isError": True})),
    "T22": (old(asks("prompts/list"), fails(-32601)), old(asks("prompts/list"), fails(-32601), server={})),
    "T23": (
        listed(tool(annotations={"readOnlyHint": True, "destructiveHint": True})),
        listed(tool(annotations={"readOnlyHint": True})),
    ),
    "T24": (
        listed(tool(execution={"taskSupport": "optional"}), server={"tools": {}}),
        listed(tool(execution={"taskSupport": "optional"})),
    ),
    "T25": (listed(tool(description="a\u202eb")), listed(tool(description="a\r\n\tb ü 漢"))),
}
