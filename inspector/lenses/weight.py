"""What a tool definition weighs: bytes on the wire, and about how many tokens of a model's context it takes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from inspector.base import jsontext

_SHOWN = ("name", "description", "inputSchema")
"""What clients hand on to a model."""


class Weight(NamedTuple):
    """`size` in bytes of UTF-8 JSON without blanks, of the whole definition; `tokens` as `estimate` has them, of what a
    model is shown: name, description and inputSchema."""

    size: int
    tokens: int


def weigh(tool: Any) -> Weight:
    """The weight of an entry of `tools/list`, whatever it is. Never raises."""
    shown = {key: tool[key] for key in _SHOWN if key in tool} if isinstance(tool, dict) else tool
    return Weight(len(_compact(tool).encode("utf-8", "surrogatepass")), estimate(_compact(shown)))


def estimate(text: str) -> int:
    """A token for every four ASCII characters that are begun, and one for every other character: near enough for
    English and JSON, high for European languages, about right for Chinese. No tokenizer of any model is asked."""
    plain = len(text.encode("ascii", "ignore"))
    return (plain + 3) // 4 + len(text) - plain


def _compact(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, ValueError):
        return jsontext.dump(value, None)
