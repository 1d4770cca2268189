"""Parts of conversations that several cases are made of."""

from __future__ import annotations

import base64
from typing import Any

from check.conversation import (
    ABLE,
    CACHE,
    PREFIX,
    VERSION_HEADER,
    Post,
    Row,
    answers,
    asks,
    complete,
    message,
    meta,
    new,
    old,
    tells,
    tool,
    web,
)

from inspector.check.rules import V07, V11

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(16)).decode()
TEXT = {"type": "text", "text": "x"}
DONE = {"content": [TEXT]}
FORM = {"type": "object", "properties": {"a": {"type": "string"}}}
ASK_FORM = {"message": "m", "requestedSchema": FORM}
LINK = {"mode": "url", "message": "m", "url": "https://example.com/x", "elicitationId": "e"}
SAMPLE = {"maxTokens": 9, "messages": [{"role": "user", "content": TEXT}]}
USE = {"role": "assistant", "content": {"type": "tool_use", "id": "u", "name": "n", "input": {}}}
GIVEN = {"role": "user", "content": {"type": "tool_result", "toolUseId": "u", "content": []}}
LISTEN = asks("subscriptions/listen", {"_meta": meta(), "notifications": {"toolsListChanged": True}}, 3)
OF_3 = {"_meta": {f"{PREFIX}subscriptionId": 3}}
ACK = tells("subscriptions/acknowledged", {**OF_3, "notifications": {"toolsListChanged": True}})
PING = message(id=7, method="ping")
PONG = message(id=7, result={})
NOTE = message(method="notifications/roots/list_changed")
MODERN_PING = asks("tools/list", {"_meta": meta()})


def call(*rows: Row, token: Any = "p", **more: Any) -> list[Row]:
    return old(asks("tools/call", {"name": "t", "_meta": {"progressToken": token}}), *rows, **more)


def progress(value: Any, token: Any = "p", **more: Any) -> Row:
    return tells("progress", {"progressToken": token, "progress": value, **more})


def result(method: str, value: Any, version: str = V11, params: Any = None) -> list[Row]:
    return old(asks(method, params), answers(value), version=version)


def modern(value: Any, method: str = "tools/call", capabilities: Any = ABLE) -> list[Row]:
    return new(asks(method, {"_meta": meta(capabilities=capabilities), "name": "t"}), answers(value))


def asking(*requests: Any, **more: Any) -> dict[str, Any]:
    inputs = {"inputRequests": {str(index): each for index, each in enumerate(requests)}} if requests else {}
    return complete({"resultType": "input_required", **inputs, **more})


def post(*back: Any, said: Any = PING, version: str = V11, **how: Any) -> list[Post]:
    return web(Post(said, *back, **{"sends": VERSION_HEADER, **how}), version=version)


def completion(count: int, **more: Any) -> list[Row]:
    return result("completion/complete", {"completion": {"values": ["v"] * count, **more}})


def header(schema: Any) -> list[Row]:
    listing = complete({"tools": [tool({"type": "object", "properties": {"a": schema}})], **CACHE})
    return modern(listing, "tools/list")


def pages(first: Any, second: Any) -> list[Row]:
    return new(
        asks("tools/list", {"_meta": meta()}),
        answers(complete({"tools": [], "nextCursor": "c", **first})),
        asks("tools/list", {"_meta": meta(), "cursor": "c"}, 8),
        answers(complete({"tools": [], **second}), 8),
    )


MODERN_POST = Post(
    message(id=7, method="tools/list", params={"_meta": meta()}),
    message(id=7, result=complete({"tools": [], **CACHE})),
    sends=[("mcp-protocol-version", V07), ("mcp-method", "tools/list")],
)


def modern_post(*back: Any, **how: Any) -> list[Post]:
    said = message(id=7, method="tools/list", params={"_meta": meta()})
    return [
        MODERN_POST,
        Post(said, *back, **{"sends": [("mcp-protocol-version", V07), ("mcp-method", "tools/list")], **how}),
    ]


OK_POST = message(id=7, result=complete({"tools": [], **CACHE}))
