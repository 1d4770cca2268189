"""A call that was made, as an entry of a file of saved calls: what to expect of it is proposed from its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.base import numbers
from inspector.base.jsonptr import escape
from inspector.calls.variables import escaped
from inspector.replay.ignoring import TIMELY, VOLATILE

_MOST = 12
"""Values that are expected of one answer."""
_DEEPEST = 3
_LONGEST = 120
"""Characters of a text that is expected as a whole; of a longer one it is its first line, or so much of it."""


def proposed(name: str, params: Mapping[str, Any], message: Any, *, server: str = "") -> dict[str, Any]:
    """The entry of a call to a tool. `params` are those of `tools/call`, `message` is the answer."""
    entry: dict[str, Any] = {"name": name}
    if server:
        entry["server"] = server
    entry["tool"] = params.get("name")
    if params.get("arguments"):
        entry["arguments"] = escaped(numbers.plain(params["arguments"]))
    if expect := expectation(message):
        entry["expect"] = expect
    return entry


def expectation(message: Any) -> dict[str, Any]:
    """What makes this answer different from a wrong one, as `expect` has it: how it ended, and values that look as if
    they stay. Times and ids in texts become patterns."""
    result, error = (message.get(key) if isinstance(message, dict) else None for key in ("result", "error"))
    if error is not None:
        code = numbers.plain(error.get("code")) if isinstance(error, dict) else None
        return {"error": code if type(code) is int else True}
    if not isinstance(result, dict):
        return {}
    expect: dict[str, Any] = {"error": True} if result.get("isError") is True else {}
    at = {}
    for pointer, value in _values(result):
        if isinstance(value, int | float) and TIMELY.search(pointer.rpartition("/")[2]):
            continue
        at[pointer] = _condition(value)
        if len(at) == _MOST:
            break
    return {**expect, "at": at} if at else expect


def _values(result: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Those of the structured content, where there is some; else of the texts."""
    structured = result.get("structuredContent")
    if isinstance(structured, dict):
        yield from _leaves("/structuredContent", structured, _DEEPEST)
        return
    content = result.get("content")
    for place, block in enumerate(content if isinstance(content, list) else []):
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str):
            continue
        pointer = f"/content/{place}/text"
        try:
            inside = numbers.spelled(text)
        except ValueError:
            inside = None
        if isinstance(inside, dict | list):
            yield from _leaves(pointer, inside, _DEEPEST)
        else:
            yield pointer, text


def _leaves(pointer: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict | list):
        yield pointer, value
    elif depth:
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, member in members:
            yield from _leaves(f"{pointer}/{escape(str(name))}", member, depth - 1)


def _condition(value: Any) -> Any:
    if not isinstance(value, str):
        return numbers.plain(value)
    whole = len(value) <= _LONGEST and "\n" not in value
    part = value if whole else value.split("\n", 1)[0][:_LONGEST].rstrip()
    if VOLATILE.search(part):
        kept = [re.escape(piece) for piece in VOLATILE.sub("\0", part).split("\0")]
        return {"matches": f"^{'.+?'.join(kept)}{'$' if whole else ''}"}
    return part if whole else {"contains": part} if part else {"exists": True}
