"""What the messages of a sampling request must keep to (spec 2025-11-25: client/sampling, tool result messages)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.base.text import quoted

METHOD = "sampling/createMessage"


def misuse(arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with its tool results, for which a client answers with invalid params; None for every other."""
    wanted: set[Any] = set()
    messages = arguments.get("messages")
    for message in messages if isinstance(messages, list) else []:
        parts = _parts(message)
        kinds = [part.get("type") for part in parts]
        if "tool_result" in kinds and any(kind != "tool_result" for kind in kinds):
            return "tool results are mixed with other content"
        given = {_id(part, "toolUseId") for part in parts if part.get("type") == "tool_result"}
        if wanted - given:
            return f"a tool result is missing: {_named(wanted - given)}"
        if given - wanted:
            return f"a tool result belongs to no tool use of the message before: {_named(given - wanted)}"
        wanted = {_id(part, "id") for part in parts if part.get("type") == "tool_use"}
    return f"a tool result is missing: {_named(wanted)}" if wanted else None


def _parts(message: Any) -> list[Mapping[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    parts = content if isinstance(content, list) else [content]
    return [part for part in parts if isinstance(part, dict)]


def _id(part: Mapping[str, Any], member: str) -> str:
    value = part.get(member)
    return value if isinstance(value, str) else f"{quoted(value, 40)}"


def _named(ids: set[Any]) -> str:
    return ", ".join(f"{quoted(each, 40)}" for each in sorted(ids)[:5])
