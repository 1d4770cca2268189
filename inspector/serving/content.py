"""Content blocks of tool results and prompt messages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Literal

Block = dict[str, Any]
Role = Literal["user", "assistant"]


def text(value: str, **more: Any) -> Block:
    return {"type": "text", "text": value, **more}


def image(data: bytes, mime: str = "image/png", **more: Any) -> Block:
    return {"type": "image", "data": b64encode(data).decode(), "mimeType": mime, **more}


def audio(data: bytes, mime: str = "audio/wav", **more: Any) -> Block:
    return {"type": "audio", "data": b64encode(data).decode(), "mimeType": mime, **more}


def contents(uri: str, data: str | bytes, mime: str | None = None) -> Block:
    """What `resources/read` gives for one resource; bytes travel as a blob."""
    body: Block = {"uri": uri} if mime is None else {"uri": uri, "mimeType": mime}
    if isinstance(data, str):
        return {**body, "text": data}
    return {**body, "blob": b64encode(data).decode()}


def embedded(uri: str, data: str | bytes, mime: str | None = None, **more: Any) -> Block:
    return {"type": "resource", "resource": contents(uri, data, mime), **more}


def link(uri: str, name: str, mime: str | None = None, **more: Any) -> Block:
    block: Block = {"type": "resource_link", "uri": uri, "name": name, **more}
    return block if mime is None else {**block, "mimeType": mime}


def message(role: Role, content: str | Block) -> Block:
    """One message of a prompt."""
    return {"role": role, "content": text(content) if isinstance(content, str) else content}


def as_known(block: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    """The block as a client of that protocol version can read it; what it does not know becomes a text."""
    kind = block.get("type")
    if kind == "audio" and version < "2025-03-26":
        return text(f"(audio, {block['mimeType']})")
    if kind == "resource_link" and version < "2025-06-18":
        return text(f"{block['name']}: {block['uri']}")
    return block
