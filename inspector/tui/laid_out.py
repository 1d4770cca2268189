"""JSON laid out for reading: a text of several lines as its lines, a text that holds JSON as that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inspector.base import numbers

_STEP = "  "
_DEEPEST = 60


def laid_out(value: Any) -> list[str]:
    """Lines that differ where the values do; no JSON any more. Never raises."""
    return list(_lines(value, "", "", "", 0))


def _lines(value: Any, indent: str, lead: str, tail: str, depth: int) -> Iterator[str]:
    if isinstance(value, dict | list) and value and depth < _DEEPEST:
        begin, end = "{}" if isinstance(value, dict) else "[]"
        yield f"{indent}{lead}{begin}"
        members: list[tuple[str, Any]] = (
            [(f"{json.dumps(str(name), ensure_ascii=False)}: ", member) for name, member in value.items()]
            if isinstance(value, dict)
            else [("", item) for item in value]
        )
        for at, (name, member) in enumerate(members, 1):
            yield from _lines(member, indent + _STEP, name, "," if at < len(members) else "", depth + 1)
        yield f"{indent}{end}{tail}"
        return
    if isinstance(value, str):
        if inner := numbers.held_in(value):
            yield from _lines(inner, indent, f"{lead}JSON ", tail, depth + 1)
            return
        if "\n" in value:
            yield f"{indent}{lead}|"
            yield from (f"{indent}{_STEP}│ {line}" for line in value.split("\n"))
            return
    try:
        yield f"{indent}{lead}{numbers.dumps(value)}{tail}"
    except (ValueError, RecursionError):
        yield f"{indent}{lead}…{tail}"
