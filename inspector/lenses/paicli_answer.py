"""What PaiCLI makes of the answer to a call: the text that its model reads, letter for letter. And the names that it
knows tools by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base import numbers
from inspector.base.patterns import pattern
from inspector.lenses import jackson

_FAILED = "MCP 工具返回错误: "
_FAILED_WITHOUT_WORDS = "MCP 工具返回错误，但没有错误正文"
_LONGEST_NAME = 64
"""Most characters of a tool's name for the models of several makers; some of them take one less."""
_USABLE = pattern(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Told:
    """`text` is foreign. `problem` says why the call fails in PaiCLI though the server answered; it is None where it
    does not. `lost` are kinds of content of which the model only hears the name."""

    text: str = ""
    problem: str | None = None
    lost: tuple[str, ...] = ()


def model_text(result: Any) -> Told:
    """The result of `tools/call` as the model gets it: texts with a blank line between them, of everything else the
    name of its kind. Structured content, annotations and `_meta` are not looked at."""
    if not isinstance(result, dict):
        return Told(problem="the result is no object")
    content = result.get("content")
    try:
        failed = jackson.coerced(result.get("isError"), "boolean")
    except jackson.Refused:
        return Told(problem=f"isError is no boolean: {numbers.brief(result['isError'], 40)}")
    if content is not None and not isinstance(content, list):
        return Told(problem="content is no list")
    texts: list[str] = []
    lost: list[str] = []
    for place, block in enumerate(content or ()):
        if not isinstance(block, dict):
            return Told(problem=f"block {place} of the content is no object")
        kind, text = _string(block.get("type")), _string(block.get("text"))
        if isinstance(kind, _NoText) or isinstance(text, _NoText):
            return Told(problem=f"block {place} of the content has a type or a text that is none")
        if kind is None or jackson.is_blank(kind) or kind == "text":
            texts.append(text or "")
        else:
            lost.append(kind)
            texts.append(f"[此工具返回了 {kind}，请向用户描述结果]")
    told = "\n\n".join(text for text in texts if not jackson.is_blank(text))
    if failed:
        told = _FAILED + (told if content else _FAILED_WITHOUT_WORDS)
    return Told(told, lost=tuple(dict.fromkeys(lost)))


class _NoText:
    """What Jackson turns into no text."""


def _string(value: Any) -> str | _NoText | None:
    """Jackson takes numbers and booleans for text as well."""
    if value is None or isinstance(value, str):
        return value
    return _NoText() if isinstance(value, dict | list) else numbers.dumps(value)


def global_name(server: str, tool: str) -> str:
    """The name that the model calls a tool by; several other clients make the same one."""
    return f"mcp__{server}__{tool}"


def name_troubles(server: str, tool: str) -> list[str]:
    """What is wrong with the global name of one tool, as sentences without their names."""
    name = global_name(server, tool)
    troubles = []
    if "__" in server or "__" in tool or server.endswith("_") or tool.startswith("_"):
        troubles.append("the global name can be read in two ways: __ parts the server from the tool")
    if not _USABLE.fullmatch(name):
        troubles.append(
            "the global name holds characters that models refuse: only letters, digits, _ and - are safe"
        )
    if len(name) > _LONGEST_NAME:
        troubles.append(
            f"the global name has {len(name)} characters; several clients allow {_LONGEST_NAME}, some 63"
        )
    return troubles


def collisions(tools: Iterable[tuple[str, str]]) -> dict[str, Sequence[tuple[str, str]]]:
    """Of (server, tool) pairs those that share a global name, under that name."""
    pairs = list(tools)
    counts = Counter(global_name(*pair) for pair in pairs)
    return {
        name: [pair for pair in pairs if global_name(*pair) == name]
        for name, count in counts.items()
        if count > 1
    }
