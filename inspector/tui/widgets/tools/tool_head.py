"""What a tool says of itself, above its arguments: name, title, hints, what it weighs, what is odd, its description."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from inspector.base.text import bytes_size, clip
from inspector.lenses.weight import Weight, weigh
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part

_LONGEST = 8000
_HINTS = (
    ("readOnlyHint", True, "○ only reads", "$text-success"),
    ("destructiveHint", True, "! may destroy", "bold $text-error"),
    ("idempotentHint", True, "safe to repeat", "$quiet"),
    ("openWorldHint", True, "reaches outside", "$quiet"),
)


def tool_head(entry: dict[str, Any], reasons: list[str]) -> Content:
    """`reasons` say what is odd about the entry of the list."""
    name, title, about = entry.get("name"), entry.get("title"), entry.get("description")
    parts: list[Part] = [(guard.line(str(name)), "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$quiet"))
    hints = entry.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    for member, value, word, tone in _HINTS:
        if hints.get(member) is value:
            parts.append((f"  {word}", tone))
    parts.append((f"  {weight_text(weigh(entry))}\n", "$quiet"))
    for reason in reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if isinstance(about, str) and about.strip():
        parts.append((guard.block(about.strip())[:_LONGEST], "$quiet"))
    return Content.assemble(*parts)


def weight_text(weight: Weight) -> str:
    """Bytes, and about how many tokens: `1.2 KiB ~300 tok`, as in the list."""
    return f"{bytes_size(weight.size)} ~{weight.tokens:,} tok"
