"""Shows results to people: text as text, pictures and sounds by type and size, everything else as JSON."""

from __future__ import annotations

import json
from typing import Any

from inspector.base import numbers
from inspector.base.text import bytes_size


def shown(method: str, result: Any) -> str:
    """The text of a result for a terminal; never base64, never empty for a result that holds something."""
    if not isinstance(result, dict):
        return _json(result)
    if method == "tools/call" and isinstance(result.get("content"), list):
        return _call_result(result)
    if method == "resources/read" and isinstance(result.get("contents"), list):
        return "\n".join(_contents(part) for part in result["contents"])
    if method == "prompts/get" and isinstance(result.get("messages"), list):
        return "\n".join(_message(message) for message in result["messages"])
    if method == "completion/complete" and isinstance(result.get("completion"), dict):
        values = result["completion"].get("values")
        if isinstance(values, list):
            return "\n".join(value if isinstance(value, str) else _json(value) for value in values)
    return _json(result)


def _call_result(result: dict[str, Any]) -> str:
    lines = [block(part) for part in result["content"]]
    structured = result.get("structuredContent")
    if structured is not None and not _mirrored(structured, result["content"]):
        lines.append(_json(structured))
    return "\n".join(lines)


def _mirrored(structured: Any, parts: list[Any]) -> bool:
    """True where a text block says the same, as the specification asks servers to do (tools, structured content)."""
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else None
        if isinstance(text, str):
            if isinstance(structured, dict) and list(structured.values()) == [text]:
                return True
            try:
                if json.loads(text) == structured:
                    return True
            except (ValueError, RecursionError):
                continue
    return False


def block(part: Any) -> str:
    """One content block as text."""
    if not isinstance(part, dict):
        return _json(part)
    kind = part.get("type")
    if kind == "text" and isinstance(part.get("text"), str):
        return str(part["text"])
    if kind in ("image", "audio") and isinstance(part.get("data"), str):
        mime = part.get("mimeType") or "of unknown type"
        return f"[{kind} {mime}, {_decoded_size(part['data'])}; save it with -o FILE]"
    if kind == "resource" and isinstance(part.get("resource"), dict):
        return _contents(part["resource"])
    if kind == "resource_link" and isinstance(part.get("uri"), str):
        return f"[resource {part.get('uri')}{', ' + str(part['mimeType']) if part.get('mimeType') else ''}]"
    return _json(part)


def _contents(part: Any) -> str:
    if not isinstance(part, dict):
        return _json(part)
    if isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part.get("blob"), str):
        kind = part.get("mimeType") or "binary"
        return f"[{part.get('uri')}: {kind}, {_decoded_size(part['blob'])}; save it with -o FILE]"
    return _json(part)


def _message(message: Any) -> str:
    if not isinstance(message, dict):
        return _json(message)
    parts = message.get("content")
    blocks = parts if isinstance(parts, list) else [parts]
    return f"{message.get('role')}: " + "\n".join(block(part) for part in blocks)


def _decoded_size(encoded: str) -> str:
    return bytes_size(max(0, len(encoded) * 3 // 4 - encoded[-2:].count("=")))


def _json(value: Any) -> str:
    return numbers.dumps(value, indent=2)
