"""What a result is made of, block by block: what each is, what it says, what can be done with it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from inspector.base import jsontext
from inspector.base.saving import proposed_name
from inspector.base.text import bytes_size, clip
from inspector.lenses.java_sdk.clients import CLIENTS, Seen, answer
from inspector.lenses.paicli_answer import model_text
from inspector.tui import guard

Does = Literal["", "save", "read", "json"]
_MOST = 5000
"""Blocks of a result that are shown as such."""
_INNER = 8 << 20
"""Characters of a text up to which it is tried as JSON."""


@dataclass(frozen=True, slots=True)
class Block:
    """`head` is safe and tells what it is, its first word the kind; empty where a text stands for itself. `text` is
    foreign and shown below it. `does` is what enter does, `odd` is a safe warning."""

    kind: str
    head: str = ""
    text: str = ""
    does: Does = ""
    odd: str = ""
    uri: str = ""
    markdown: bool = False
    name: str = ""
    data: Callable[[], bytes] | None = None
    is_picture: bool = False

    @property
    def holds_json(self) -> bool:
        """Its text is a list or an object."""
        return self.does == "json"


def result_blocks(result: Any) -> list[Block]:
    """The content of what a tool answered; one block that says so where there is none."""
    if not isinstance(result, dict):
        return [Block("problem", odd="the result is no object; Raw has it as it came")]
    content = result.get("content")
    if isinstance(content, list):
        blocks = [block_of(block, alone=len(content) == 1) for block in content[:_MOST]]
        if len(content) > _MOST:
            blocks.append(Block("problem", odd=f"{len(content) - _MOST:,} more blocks; Raw has them all"))
        if not blocks and "structuredContent" not in result:
            return [Block("empty", "The tool answered with nothing.")]
        return blocks
    if "content" in result:
        return [Block("problem", odd="content is no list; Raw has it as it came")]
    if "structuredContent" not in result:
        return [Block("problem", odd="the result has no content; Raw has it as it came")]
    return []


def model_blocks(result: Any) -> list[Block]:
    """The answer as the model of PaiCLI reads it, and what does not reach it."""
    told = model_text(result)
    if told.problem is not None:
        return [Block("problem", odd=f"PaiCLI cannot read this answer: {guard.line(told.problem)}")]
    found = [Block("text", text=told.text)] if told.text else [Block("empty", "The model reads nothing.")]
    if told.lost:
        kinds = ", ".join(guard.line(kind) for kind in told.lost)
        found.append(Block("problem", odd=f"of {clip(kinds, 200)} the model only hears the name"))
    if isinstance(result, dict) and "structuredContent" in result:
        found.append(Block("problem", odd="structured content does not reach the model"))
    return found


def java_blocks(method: str, result: Any) -> list[Block]:
    """What the clients of the Java SDK read of an answer, and what they do not."""
    found = []
    for client in CLIENTS:
        for seen in answer(client, method, result) or [Seen("info", "reads all of it")]:
            said = f"{client.name} {guard.line(clip(seen.text, 600))}"
            found.append(Block("java", said) if seen.severity == "info" else Block("java", odd=said))
    return found


def block_of(block: Any, *, alone: bool = False) -> Block:
    """One content block. With `alone` a plain text has no head: it stands for itself."""
    if not isinstance(block, dict):
        return _unknown(block)
    kind = block.get("type")
    notes = _annotations(block)
    if kind == "text" and isinstance(text := block.get("text"), str):
        head = "" if alone and not notes else _joined("text", _size(_bytes_of(text)), *notes)
        return _text(head, text, _line(block.get("mimeType")), "answer")
    if kind in ("image", "audio"):
        mime = block.get("mimeType")
        return _binary(kind, [_line(mime)], block.get("data"), mime, kind, notes)
    if kind == "resource_link":
        return _link(block, notes)
    if kind == "resource" and isinstance(resource := block.get("resource"), dict):
        return _resource(resource, [*_annotations(resource), *notes])
    return _unknown(block)


def holds_json(text: str) -> bool:
    start = text.lstrip()[:1]
    if start not in ("{", "[") or len(text) > _INNER:
        return False
    try:
        first = jsontext.skip_space(text, 0)
        return jsontext.skip_space(text, jsontext.end_of_value(text, first)) == len(text)
    except jsontext.Malformed:
        return False


def structured(raw: str) -> str | None:
    """The JSON text of `structuredContent` of an answer, as sent; None where there is none."""
    return jsontext.pick(raw, "result", "structuredContent")


def counted(result: Any) -> str:
    """`2 blocks` for the line above a result."""
    content = result.get("content") if isinstance(result, dict) else None
    if not isinstance(content, list):
        return ""
    if len(content) == 1 and isinstance(content[0], dict):
        return clip(_line(content[0].get("type")), 30)
    return f"{len(content):,} blocks"


def texts_of(result: Any) -> list[str]:
    """The texts of a result, foreign."""
    content = result.get("content") if isinstance(result, dict) else None
    return [
        block["text"]
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]


def _text(head: str, text: str, mime: str, name: str) -> Block:
    markdown = "markdown" in mime or (not mime and _looks_like_markdown(text))
    does: Does = "json" if holds_json(text) else ""
    proposed = proposed_name(name, mime or ("application/json" if does else "text/plain"))
    return Block("text", head, text, does, markdown=markdown, name=proposed, data=partial(_utf8, text))


def _looks_like_markdown(text: str) -> bool:
    """A heading, a list of steps, bold words or a fence near the start."""
    head = text[:4000]
    lines = [line.lstrip() for line in head.split("\n")]
    marks = sum(
        line.startswith(("# ", "## ", "### ", "```", "* ", "- ", "1. ", "> ", "| ")) for line in lines
    )
    return marks > 0 and (marks > 1 or "**" in head or "](" in head or lines[0].startswith("#"))


def _binary(kind: str, facts: list[str], data: Any, mime: Any, name: str, notes: list[str]) -> Block:
    """Something that is no text here: type, size, what its first bytes say."""
    from inspector.base.media import media

    mime = mime if isinstance(mime, str) else None
    decoded = _decoded(data)
    if decoded is None:
        said = "its data is no base64" if isinstance(data, str) else "it has no data"
        return Block(kind, _joined(kind, *facts, *notes), odd=f"{said}; Raw has it as it came")
    found = media(decoded)
    odd = ""
    if kind in ("image", "audio") and (found is None or found.kind != kind):
        what = (
            f"these bytes are {found.format}" if found is not None else "these bytes begin like nothing known"
        )
        odd = f"{what}, not {_line(mime) or kind}"
    head = _joined(kind, *facts, found.facts if found is not None else "", _size(len(decoded)), *notes)
    proposed = proposed_name(name, mime)
    is_picture = found is not None and found.kind == "image"
    read = partial(_bytes, data)
    return Block(kind, head, does="save", odd=odd, name=proposed, data=read, is_picture=is_picture)


def _link(block: dict[str, Any], notes: list[str]) -> Block:
    uri = block.get("uri")
    if not isinstance(uri, str):
        return Block(
            "link", _joined("link to a resource", *notes), odd="it has no URI; Raw has it as it came"
        )
    name = block.get("title") or block.get("name")
    about = block.get("description")
    head = _joined("link to a resource", _line(block.get("mimeType")), _size(block.get("size")), *notes)
    lines = [name if isinstance(name, str) else "", uri, about if isinstance(about, str) else ""]
    return Block("link", head, "\n".join(line for line in lines if line), "read", uri=uri)


def _resource(contents: dict[str, Any], notes: list[str]) -> Block:
    uri, mime, text = contents.get("uri"), contents.get("mimeType"), contents.get("text")
    facts = [_line(uri), _line(mime)]
    name = uri if isinstance(uri, str) else "resource"
    if isinstance(text, str):
        head = _joined("embedded resource", *facts, _size(_bytes_of(text)), *notes)
        return _text(head, text, _line(mime), name)
    if "blob" in contents:
        return _binary("embedded resource, binary", facts, contents["blob"], mime, name, notes)
    return Block(
        "problem",
        _joined("embedded resource", *facts, *notes),
        _json(contents),
        odd="it has neither text nor blob",
    )


def _unknown(block: Any) -> Block:
    kind = block.get("type") if isinstance(block, dict) else None
    if isinstance(kind, str):
        head = f"a block of type {_line(kind)}, not known here; as JSON:"
    else:
        head = (
            "a block without a type; as JSON:"
            if isinstance(block, dict)
            else "a block that is no object; as JSON:"
        )
    text = _json(block)
    return Block("unknown", head, text, "json" if holds_json(text) else "")


def _annotations(block: dict[str, Any]) -> list[str]:
    """For whom it is, how important, how old: as safe words."""
    given = block.get("annotations")
    if not isinstance(given, dict):
        return []
    said = []
    audience = given.get("audience")
    if isinstance(audience, list) and audience:
        said.append("for " + ", ".join(_line(each) or "?" for each in audience[:4]))
    priority = given.get("priority")
    if type(priority) in (int, float):
        said.append(f"priority {priority:g}")
    if isinstance(modified := given.get("lastModified"), str):
        said.append(f"modified {clip(_line(modified), 40)}")
    return said


def _joined(*facts: str) -> str:
    return " · ".join(fact for fact in facts if fact)


def _line(value: Any) -> str:
    return clip(guard.line(value[:2000]), 300) if isinstance(value, str) else ""


def _size(count: Any) -> str:
    return bytes_size(count) if type(count) is int and count >= 0 else ""


def _bytes_of(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bytes(data: str) -> bytes:
    return _decoded(data) or b""


def _decoded(data: Any) -> bytes | None:
    """The bytes that base64 text stands for, blanks in it forgiven; None where it is none."""
    if not isinstance(data, str):
        return None
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except ValueError:
        return None


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return "(too deep to be shown here; Raw has it as it came)"
