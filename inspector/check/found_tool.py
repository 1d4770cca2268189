"""Which tool a finding is about."""

from __future__ import annotations

import json

from inspector.base.jsonptr import index_of, tokens
from inspector.check.talk import items, members


def tool_at(raw: bytes, pointer: str) -> str | None:
    """The name of the tool that a pointer into a frame stands in, of a list or a call; None where it is none."""
    try:
        value = members(json.loads(raw))
    except (ValueError, RecursionError):
        return None
    path = tokens(pointer)
    name = members(value.get("params")).get("name") if value.get("method") == "tools/call" else None
    if path[:2] == ["result", "tools"] and len(path) > 2 and (place := index_of(path[2])) is not None:
        tools = items(members(value.get("result")).get("tools"))
        name = members(tools[place]).get("name") if place < len(tools) else None
    return name if isinstance(name, str) else None
