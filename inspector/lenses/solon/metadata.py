"""What a skill says of itself: one resource, read once by a client and never again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from inspector.base import numbers
from inspector.protocol.listing import json_type

KNOWN = ("name", "description", "category", "tags", "sensitive")


@dataclass(frozen=True, slots=True)
class Metadata:
    """`value` holds all members, those that nobody knows too. `problem` is why no client can make a skill of it; empty
    where one can. `odd` are things that a client takes without a word."""

    text: str = ""
    value: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    odd: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Empty where it has none."""
        name = self.value.get("name")
        return name if isinstance(name, str) else ""

    @property
    def unknown(self) -> dict[str, Any]:
        return {name: value for name, value in self.value.items() if name not in KNOWN}


def metadata_of(result: Any) -> Metadata:
    """What the result of `resources/read` says. Never raises."""
    contents = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(contents, list) or not contents:
        return Metadata(problem="the resource has no content")
    odd = [f"{len(contents)} contents, of which a client takes the first"] if len(contents) > 1 else []
    first = contents[0] if isinstance(contents[0], dict) else {}
    text = first.get("text")
    if not isinstance(text, str):
        kind = (
            "a blob, which a client takes for its text" if isinstance(first.get("blob"), str) else "no text"
        )
        return Metadata(problem=f"the content is {kind}: metadata is JSON in text", odd=tuple(odd))
    if not text.strip():
        return Metadata(text, problem="the text is empty", odd=tuple(odd))
    try:
        value = numbers.spelled(text)
    except ValueError as error:
        return Metadata(text, problem=f"the text is no JSON: {error}", odd=tuple(odd))
    if not isinstance(value, dict):
        return Metadata(text, problem=f"the text is {json_type(value)}, not an object", odd=tuple(odd))
    return Metadata(text, value, odd=(*odd, *_oddities(value)))


def _oddities(value: dict[str, Any]) -> list[str]:
    odd = [] if value.get("name") else ["it has no name"]
    wanted = {"name": str, "description": str, "category": str, "tags": list, "sensitive": bool}
    for name, kind in wanted.items():
        given = value.get(name)
        if given is not None and not isinstance(given, kind):
            odd.append(f"{name} is {json_type(given)}")
    return odd


def confusing(metadata: Metadata, server: str) -> bool:
    """Whether skill and server have names that nobody would take for the same thing: not even four letters are
    shared."""
    skill, other = ("".join(filter(str.isalnum, name[:200])).casefold() for name in (metadata.name, server))
    if not skill or not other:
        return False
    from difflib import SequenceMatcher

    shared = SequenceMatcher(None, skill, other, autojunk=False).find_longest_match().size
    return shared < min(4, len(skill), len(other))
