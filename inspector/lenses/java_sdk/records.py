"""The records of the Java SDK that messages of a server are bound to, as `McpSchema` has them: those of 0.10.0, then
those of 2.0.1."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.lenses.java_sdk.binding import Deduced, Each, OneOf, Record, Tagged, Type

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_ROLE = OneOf(("user", "assistant"))
_CONTEXT = OneOf(("none", "thisServer", "allServers"))
_PREFERENCES = Record(
    {"hints": Each(Record({"name": "text"})), "costPriority": "decimal", "speedPriority": "decimal",
     "intelligencePriority": "decimal"}
)  # fmt: skip


def _sampling(content: Type, more: Mapping[str, Type]) -> Record:
    return Record(
        {"messages": Each(Record({"role": _ROLE, "content": content})), "modelPreferences": _PREFERENCES,
         "systemPrompt": "text", "includeContext": _CONTEXT, "temperature": "decimal", "maxTokens": "int",
         "stopSequences": Each("text"), "metadata": "object", **more}
    )  # fmt: skip


# 0.10.0

_OLD_RESOURCES = Deduced(
    {
        "text": Record({"uri": "text", "mimeType": "text", "text": "text"}),
        "blob": Record({"uri": "text", "mimeType": "text", "blob": "text"}),
    }
)
# Annotations stand on the content itself here; every later version of the protocol has them below `annotations`.
_OLD_NOTES: Mapping[str, Type] = {"audience": Each(_ROLE), "priority": "decimal"}
_OLD_CONTENT = Tagged(
    "type",
    {
        "text": Record({**_OLD_NOTES, "text": "text"}),
        "image": Record({**_OLD_NOTES, "data": "text", "mimeType": "text"}),
        "resource": Record({**_OLD_NOTES, "resource": _OLD_RESOURCES}),
    },
)
_OLD_ABOUT: Mapping[str, Type] = {
    "name": "text", "description": "text", "mimeType": "text", "annotations": Record(_OLD_NOTES),
}  # fmt: skip
_OLD_SCHEMA = Record(
    {"type": "text", "properties": "object", "required": Each("text"), "additionalProperties": "boolean",
     "$defs": "object", "definitions": "object"}
)  # fmt: skip
_CHANGES: Mapping[str, Type] = {"listChanged": "boolean"}

OLD: Mapping[str, Type] = {
    "initialize": Record(
        {
            "protocolVersion": "text",
            "capabilities": Record(
                {
                    "completions": Record({}, strict=True),
                    "experimental": "object",
                    "logging": Record({}, strict=True),
                    "prompts": Record(_CHANGES, strict=True),
                    "resources": Record({"subscribe": "boolean", **_CHANGES}, strict=True),
                    "tools": Record(_CHANGES, strict=True),
                }
            ),
            "serverInfo": Record({"name": "text", "version": "text"}),
            "instructions": "text",
        }
    ),
    "tools/list": Record(
        {"tools": Each(Record({"name": "text", "description": "text", "inputSchema": _OLD_SCHEMA})),
         "nextCursor": "text"}
    ),
    "tools/call": Record({"content": Each(_OLD_CONTENT), "isError": "boolean"}),
    "resources/list": Record({"resources": Each(Record({"uri": "text", **_OLD_ABOUT})), "nextCursor": "text"}),
    "resources/templates/list": Record(
        {"resourceTemplates": Each(Record({"uriTemplate": "text", **_OLD_ABOUT})), "nextCursor": "text"}
    ),
    "resources/read": Record({"contents": Each(_OLD_RESOURCES)}),
    "prompts/list": Record(
        {"prompts": Each(Record({"name": "text", "description": "text", "arguments": Each(
            Record({"name": "text", "description": "text", "required": "boolean"}))})),
         "nextCursor": "text"}
    ),
    "prompts/get": Record(
        {"description": "text", "messages": Each(Record({"role": _ROLE, "content": _OLD_CONTENT}))}
    ),
    "completion/complete": Record(
        {"completion": Record({"values": Each("text"), "total": "int", "hasMore": "boolean"}, strict=True)}
    ),
    "notifications/message": Record({"level": OneOf(_LEVELS), "logger": "text", "data": "text"}),
    "sampling/createMessage": _sampling(_OLD_CONTENT, {}),
}  # fmt: skip

# 2.0.1

_META: Mapping[str, Type] = {"_meta": "object"}
_ICONS: Mapping[str, Type] = {
    "icons": Each(Record({"src": "text", "mimeType": "text", "sizes": Each("text"), "theme": "text"}))
}
_NOTES: Mapping[str, Type] = {
    "annotations": Record({"audience": Each(_ROLE), "priority": "decimal", "lastModified": "text"})
}
_RESOURCES = Deduced(
    {
        "text": Record({"uri": "text", "mimeType": "text", "text": "text", **_META}),
        "blob": Record({"uri": "text", "mimeType": "text", "blob": "text", **_META}),
    }
)
_TITLED: Mapping[str, Type] = {"name": "text", "title": "text", "description": "text", **_META}
_ABOUT: Mapping[str, Type] = {**_TITLED, "mimeType": "text", **_NOTES}
_BYTES: Mapping[str, Type] = {"data": "text", "mimeType": "text", **_NOTES, **_META}
_CONTENT = Tagged(
    "type",
    {
        "text": Record({"text": "text", **_NOTES, **_META}),
        "image": Record(_BYTES),
        "audio": Record(_BYTES),
        "resource": Record({"resource": _RESOURCES, **_NOTES, **_META}),
        "resource_link": Record({"uri": "text", "size": "long", **_ABOUT}),
    },
)
_HINTS: Mapping[str, Type] = {
    "title": "text", "readOnlyHint": "boolean", "destructiveHint": "boolean", "idempotentHint": "boolean",
    "openWorldHint": "boolean", "returnDirect": "boolean",
}  # fmt: skip
_PAGED: Mapping[str, Type] = {"nextCursor": "text", **_META}
_ASKED: Mapping[str, Type] = {"message": "text", **_META}

NEW: Mapping[str, Type] = {
    "initialize": Record(
        {
            "protocolVersion": "text",
            "capabilities": Record(
                {
                    "completions": Record({}),
                    "experimental": "object",
                    "logging": Record({}),
                    "prompts": Record(_CHANGES),
                    "resources": Record({"subscribe": "boolean", **_CHANGES}),
                    "tools": Record(_CHANGES),
                }
            ),
            "serverInfo": Record(
                {"name": "text", "title": "text", "version": "text", "description": "text", "websiteUrl": "text",
                 **_ICONS}
            ),
            "instructions": "text",
            **_META,
        }
    ),
    "tools/list": Record(
        {"tools": Each(Record({**_TITLED, "inputSchema": "object", "outputSchema": "object",
                               "annotations": Record(_HINTS), **_ICONS})),
         **_PAGED}
    ),
    "tools/call": Record(
        {"content": Each(_CONTENT), "isError": "boolean", "structuredContent": "anything", **_META}
    ),
    "resources/list": Record(
        {"resources": Each(Record({"uri": "text", "size": "long", **_ABOUT, **_ICONS},
                                  filled=frozenset({"uri", "name"}))),
         **_PAGED}
    ),
    "resources/templates/list": Record(
        {"resourceTemplates": Each(Record({"uriTemplate": "text", **_ABOUT, **_ICONS},
                                          filled=frozenset({"uriTemplate", "name"}))),
         **_PAGED}
    ),
    "resources/read": Record({"contents": Each(_RESOURCES), **_META}),
    "prompts/list": Record(
        {"prompts": Each(Record({**_TITLED, **_ICONS, "arguments": Each(
            Record({"name": "text", "title": "text", "description": "text", "required": "boolean"},
                   filled=frozenset({"name"})))})),
         **_PAGED}
    ),
    "prompts/get": Record(
        {"description": "text", "messages": Each(Record({"role": _ROLE, "content": _CONTENT})), **_META}
    ),
    "completion/complete": Record(
        {"completion": Record({"values": Each("text"), "total": "int", "hasMore": "boolean"},
                              filled=frozenset({"values"})),
         **_META}
    ),
    "notifications/message": Record(
        {"level": OneOf(_LEVELS, forgiving=True), "logger": "text", "data": "text", **_META}
    ),
    "notifications/progress": Record(
        {"progressToken": "anything", "progress": "decimal", "total": "decimal", "message": "text", **_META}
    ),
    "notifications/resources/updated": Record({"uri": "text", **_META}),
    "notifications/elicitation/complete": Record({"elicitationId": "text", **_META}),
    "sampling/createMessage": _sampling(_CONTENT, _META),
    "elicitation/create": Tagged(
        "mode",
        {"form": Record({"requestedSchema": "object", **_ASKED}),
         "url": Record({"url": "text", "elicitationId": "text", **_ASKED})},
        otherwise="form",
    ),
}  # fmt: skip
