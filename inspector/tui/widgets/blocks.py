"""Content blocks of results, resources and prompts as set text; what cannot be read here as type and size."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from inspector.base import jsontext
from inspector.base.text import bytes_size
from inspector.tui import guard
from inspector.tui.widgets.facts import Part

MOST_TEXT = 20_000
"""Characters of one block that are shown at once; the raw view has all."""


def result_parts(result: Any) -> list[Part]:
    """What a tool answered: its blocks, then what is odd about it."""
    if not isinstance(result, dict):
        return [("the result is no object; see Raw\n", "$text-warning")]
    content = result.get("content")
    parts: list[Part] = []
    if isinstance(content, list):
        for number, block in enumerate(content):
            parts += [("\n", "")] if number else []
            parts += block_parts(block, many=len(content) > 1)
        if not content and "structuredContent" not in result:
            parts.append(("The tool answered with nothing.\n", "$quiet"))
    elif "structuredContent" not in result:
        parts.append(("The result has no content; see Raw.\n", "$text-warning"))
    return parts


def block_parts(block: Any, *, many: bool = False) -> list[Part]:
    """One block; with `many` each gets a line that says what it is."""
    if not isinstance(block, dict):
        return [("a block that is no object; see Raw\n", "$text-warning")]
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        text = block["text"]
        label = [_label("text", _size(len(text.encode("utf-8", "surrogatepass"))))] if many else []
        return [*label, *text_parts(text)]
    if kind in ("image", "audio"):
        return [_label(kind, _line(block.get("mimeType")), _size(_decoded(block.get("data"))))]
    if kind == "resource_link":
        name = block.get("title") or block.get("name")
        parts = [_label("link to a resource", _line(block.get("mimeType")), _size(block.get("size")))]
        return [
            *parts,
            (f"{_line(name)}  ", "$foreground"),
            (f"{_line(block.get('uri'))}\n", "$text-primary"),
        ]
    if kind == "resource" and isinstance(block.get("resource"), dict):
        return [("", ""), *contents_parts(block["resource"])]
    return [_label(f"a block of type {_line(kind) or 'unknown'}", "see Raw")]


def contents_parts(contents: Any) -> list[Part]:
    """One entry of the contents of a resource."""
    if not isinstance(contents, dict):
        return [("contents that are no object; see Raw\n", "$text-warning")]
    uri, mime, text = contents.get("uri"), contents.get("mimeType"), contents.get("text")
    if isinstance(text, str):
        size = _size(len(text.encode("utf-8", "surrogatepass")))
        return [_label("resource", _line(uri), _line(mime), size), *text_parts(text)]
    if "blob" in contents:
        return [_label("resource, binary", _line(uri), _line(mime), _size(_decoded(contents["blob"])))]
    return [_label("resource", _line(uri), _line(mime), "neither text nor blob")]


def text_parts(text: str) -> list[Part]:
    # Masked well beyond the cut: no half of a secret may be left standing at the end.
    shown = guard.block(text[: MOST_TEXT * 4])[:MOST_TEXT]
    if not shown.strip():
        return [("(empty text)\n", "$quiet")]
    parts: list[Part] = [(shown if shown.endswith("\n") else shown + "\n", "$foreground")]
    if len(text) > MOST_TEXT:
        parts.append(
            (f"… the first {MOST_TEXT:,} of {len(text):,} characters; Raw has all\n", "$text-warning")
        )
    return parts


def structured(raw: str) -> str | None:
    """The JSON text of `structuredContent` of an answer, as sent; None where there is none."""
    return jsontext.pick(raw, "result", "structuredContent")


def message_parts(message: Any) -> list[Part]:
    """One message of a prompt: its role, then its block or blocks."""
    if not isinstance(message, dict):
        return [("a message that is no object; see Raw\n", "$text-warning")]
    content = message.get("content")
    parts: list[Part] = [(f"{_line(message.get('role')) or 'no role'}\n", "bold $text-primary")]
    for block in content if isinstance(content, list) else [content]:
        parts += block_parts(block)
    return parts


def counted(result: Any) -> str:
    """`2 blocks` for the line above a result."""
    content = result.get("content") if isinstance(result, dict) else None
    if not isinstance(content, list):
        return ""
    if len(content) == 1 and isinstance(content[0], dict):
        return _line(content[0].get("type"))
    return f"{len(content)} blocks"


def plain(parts: list[Part]) -> str:
    return Content.assemble(*parts).plain


def _label(*facts: str) -> Part:
    return (" · ".join(fact for fact in facts if fact) + "\n", "$quiet")


def _line(value: Any) -> str:
    return guard.line(value[:2000]) if isinstance(value, str) else ""


def _size(count: Any) -> str:
    return bytes_size(count) if type(count) is int and count >= 0 else ""


def _decoded(data: Any) -> int | None:
    """How many bytes base64 text stands for."""
    if not isinstance(data, str):
        return None
    return len(data) * 3 // 4 - data[-2:].count("=")
