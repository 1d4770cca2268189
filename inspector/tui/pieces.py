"""The parts of an answer that hold content: what each is, and in which ways it can be looked at."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as Base64Error
from dataclasses import dataclass
from typing import Any, Literal

from inspector.base import numbers
from inspector.base.media import Media, media
from inspector.base.saving import proposed_name
from inspector.base.text import bytes_size, is_utf8
from inspector.protocol.listing import json_type
from inspector.tui import guard

ViewName = Literal["markdown", "json", "text", "media", "hex"]
MOST_MARKDOWN = 40_000
"""Characters up to which Markdown is set; every paragraph becomes a widget of its own."""

_TYPED = frozenset({"resource", "image", "audio", "link"})
"""Kinds of which the protocol has a media type."""
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=\s]")
_TEXTUAL = ("text/", "application/json", "application/xml", "application/yaml", "application/javascript",
            "application/toml", "image/svg")  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """`kind` is our word for what it is, `name` its URI or name, `value` the part as decoded. At least one of `text`
    and `data` is set, unless it is a link or odd. `problem` says in a safe sentence what is wrong with it."""

    kind: str
    name: str
    mime: str | None
    value: Any
    text: str | None = None
    data: bytes | None = None
    problem: str = ""
    found: Media | None = None

    @property
    def bytes_(self) -> bytes:
        """The content as it is saved to a file."""
        if self.data is not None:
            return self.data
        if self.text is not None:
            return self.text.encode("utf-8", "surrogatepass")
        return _json(self.value).encode("utf-8", "surrogatepass")

    @property
    def views(self) -> list[ViewName]:
        """How it can be looked at, the best way first."""
        if self.data is not None:
            return _views_of_bytes(self.mime, self.data, self.found)
        if self.text is not None:
            return [*_views_of_text(self.mime, self.name, self.text), "hex"]
        return ["json"]

    @property
    def shown(self) -> str:
        """The text of the views that show text."""
        if self.text is not None:
            return self.text
        if self.data is not None:
            return self.data.decode("utf-8", "replace")
        return _json(self.value)

    @property
    def facts(self) -> list[str]:
        """Type and size, as safe words."""
        lacking = "no media type" if self.kind in _TYPED else ""
        mime = guard.line(self.mime)[:60] if self.mime else lacking
        size = "" if self.text is None and self.data is None else bytes_size(len(self.bytes_))
        return [fact for fact in (mime, self.found.facts if self.found is not None else "", size) if fact]

    @property
    def file_name(self) -> str:
        """A name to save it under."""
        mime = self.mime or ("text/plain" if self.text is not None else None)
        return proposed_name(self.name, mime, otherwise=self.kind)


def contents(result: Any) -> tuple[list[Piece], str]:
    """The parts of an answer to `resources/read`, and what is wrong with the whole of it."""
    listed = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(listed, list):
        what = json_type(listed) if isinstance(result, dict) and "contents" in result else "missing"
        return [], f"contents is {what}, not a list. Raw has the answer as it came."
    if not listed:
        return [], "The answer holds nothing: its list of contents is empty."
    return [content(part) for part in listed], ""


def content(part: Any, kind: str = "resource") -> Piece:
    """One entry of `contents`, or the resource inside of an embedded one."""
    if not isinstance(part, dict):
        return Piece(kind, "", None, part, problem=f"This part is {json_type(part)}, not an object.")
    name, mime = _text(part.get("uri")) or "", _text(part.get("mimeType"))
    if isinstance(text := part.get("text"), str):
        problem = "It has a blob as well; a strict client refuses that." if "blob" in part else ""
        return Piece(kind, name, mime, part, text=text, problem=problem)
    if "blob" in part:
        return _decoded(kind, name, mime, part, part["blob"], "blob")
    return Piece(kind, name, mime, part, problem="It has neither text nor blob.")


def block(value: Any) -> Piece:
    """One content block of a prompt message or a tool result."""
    if not isinstance(value, dict):
        return Piece("odd", "", None, value, problem=f"This block is {json_type(value)}, not an object.")
    kind, mime = _text(value.get("type")) or "", _text(value.get("mimeType"))
    if kind == "text" and isinstance(text := value.get("text"), str):
        return Piece("text", "", mime, value, text=text)
    if kind in ("image", "audio"):
        return _decoded(kind, "", mime, value, value.get("data"), "data")
    if kind == "resource":
        return content(value.get("resource"), "resource")
    if kind == "resource_link":
        return Piece("link", _text(value.get("uri")) or "", mime, value)
    if kind in ("tool_use", "tool_result"):
        return _of_tool(kind, value)
    what = guard.line(kind)[:60]
    problem = f"A block of the unknown type {what}." if what else "A block of no type."
    return Piece("odd", "", mime, value, problem=problem)


def _of_tool(kind: str, value: dict[str, Any]) -> Piece:
    """A model that wants to use a tool, or what came of it (spec 2025-11-25: sampling with tools)."""
    used = kind == "tool_use"
    name = value.get("name") if used else value.get("toolUseId")
    inside = value.get("input") if used else value.get("content")
    if used or not isinstance(inside, list):
        text = "" if inside is None else _json(inside)
    else:
        text = "\n".join(plain(block(each)) for each in inside)
    problem = "It is marked as an error." if value.get("isError") is True else ""
    return Piece(kind, _text(name) or "", None, value, text=text, problem=problem)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _decoded(kind: str, name: str, mime: str | None, part: Any, encoded: Any, member: str) -> Piece:
    """A part whose bytes came as base64; what is none is kept as the text it is."""
    if not isinstance(encoded, str):
        return Piece(kind, name, mime, part, problem=f"Its {member} is {json_type(encoded)}, not base64.")
    data, problem = base64_bytes(encoded)
    if data is None:
        return Piece(kind, name, mime, part, text=encoded, problem=f"Its {member} is not base64: {problem}")
    note = f"Its {member} is base64 {problem}; a strict client may refuse it." if problem else ""
    found = media(data)
    known = (found is not None and found.kind == kind) or (mime or "").startswith("image/svg")
    if kind in ("image", "audio") and not known:
        note = note or f"Its bytes are no {kind} that is known here."
    return Piece(kind, name, mime, part, data=data, problem=note, found=found)


def base64_bytes(encoded: str) -> tuple[bytes | None, str]:
    """The bytes, and what is irregular; None and what is wrong where it is no base64 at all."""
    try:
        return b64decode(encoded, validate=True), ""
    except (Base64Error, ValueError):
        pass
    bare = "".join(encoded.split())
    notes = ["with blanks in it"] if bare != encoded else []
    if ("-" in bare or "_" in bare) and not {"+", "/"} & set(bare):
        bare = bare.replace("-", "+").replace("_", "/")
        notes.append("of the URL-safe alphabet")
    if len(bare) % 4 in (2, 3) and not bare.endswith("="):
        bare += "=" * (-len(bare) % 4)
        notes.append("without its padding")
    try:
        return b64decode(bare, validate=True), ", ".join(notes)
    except (Base64Error, ValueError):
        odd = _NOT_BASE64.search(encoded)
        if odd is not None:
            return None, f"{guard.line(repr(odd.group()))} at character {odd.start() + 1}."
        return None, f"{len(encoded):,} characters cannot be a whole number of bytes."


def _views_of_text(mime: str | None, name: str, text: str) -> list[ViewName]:
    kind = (mime or "").partition(";")[0].strip().lower()
    if kind in ("text/markdown", "text/x-markdown") or (
        not kind and name.lower().endswith((".md", ".markdown"))
    ):
        return ["markdown", "text"]
    if kind.endswith("json") or (text.lstrip()[:1] in ("{", "[") and _is_json(text)):
        return ["json", "text"]
    return ["text", "markdown"] if kind in ("", "text/plain") else ["text"]


def _views_of_bytes(mime: str | None, data: bytes, found: Media | None) -> list[ViewName]:
    kind = (mime or "").lower()
    if found is not None or (
        kind.startswith(("image/", "audio/", "video/")) and not kind.startswith("image/svg")
    ):
        return ["media", "hex"]
    if kind.startswith(_TEXTUAL) or kind.partition(";")[0].endswith(("+json", "+xml")):
        return [*_views_of_text(mime, "", data.decode("utf-8", "replace")), "hex"]
    return ["hex", "text"] if is_utf8(data) else ["hex"]


def _json(value: Any) -> str:
    try:
        return numbers.dumps(value, indent=2)
    except ValueError as error:
        return json.dumps(f"cannot be shown: {error}; Raw has it as it came")


def _is_json(text: str) -> bool:
    if len(text) > 2_000_000:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One message of a prompt: its role as sent, its parts, its JSON text. `problem` is a safe sentence."""

    role: str
    pieces: list[Piece]
    value: Any
    problem: str = ""

    @property
    def text(self) -> str:
        """All of it as plain text, unsafe: what cannot be read as text by its kind and size."""
        return "\n".join(plain(piece) for piece in self.pieces)


def messages(result: Any, *, lists: bool = False) -> tuple[list[Message], str]:
    """The messages of an answer to `prompts/get`, and what is wrong with the whole of it. Where `lists` is set, as in
    sampling, a message may hold a list of blocks."""
    listed = result.get("messages") if isinstance(result, dict) else None
    if not isinstance(listed, list):
        what = json_type(listed) if isinstance(result, dict) and "messages" in result else "missing"
        return [], f"messages is {what}, not a list. Raw has the answer as it came."
    if not listed:
        return [], "The answer holds nothing: its list of messages is empty."
    return [_message(each, lists) for each in listed], ""


def _message(value: Any, lists: bool) -> Message:
    if not isinstance(value, dict):
        return Message("", [], value, f"This message is {json_type(value)}, not an object.")
    role, inside = value.get("role"), value.get("content")
    problem = "" if role in ("user", "assistant") else "Its role is neither user nor assistant."
    if "content" not in value:
        return Message(_text(role) or "", [], value, f"{problem} It has no content.".strip())
    if isinstance(inside, list):
        if not lists:
            problem = f"{problem} Its content is a list; the specification has one block a message.".strip()
        return Message(_text(role) or "", [block(each) for each in inside], value, problem)
    return Message(_text(role) or "", [block(inside)], value, problem)


def plain(piece: Piece) -> str:
    """A part as text for the clipboard."""
    if piece.text is not None:
        return piece.text
    if piece.data is not None:
        facts = ", ".join(
            fact for fact in (piece.name, piece.mime or "", bytes_size(len(piece.data))) if fact
        )
        return f"[{piece.kind} {facts}]"
    return f"[link to {piece.name}]" if piece.kind == "link" else piece.shown
