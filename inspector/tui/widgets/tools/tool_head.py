"""What a tool says of itself, above its arguments: name, title, hints, what it weighs, what is odd, its description."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from inspector.base.text import bytes_size, clip
from inspector.lenses.weight import Weight, weigh
from inspector.protocol.apps import page_of
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.tui.widgets.answers.app_page import tool_page_parts
from inspector.tui.widgets.text.facts import Part

_LONGEST = 8000
_MOST_ICONS = 5
_HINTS = (
    ("readOnlyHint", True, "○ only reads", "$text-success"),
    ("destructiveHint", True, "! may destroy", "bold $text-error"),
    ("idempotentHint", True, "safe to repeat", "$quiet"),
    ("openWorldHint", True, "reaches outside", "$quiet"),
)


def tool_head(entry: dict[str, Any], reasons: list[str]) -> Content:
    """`reasons` say what is odd about the entry of the list."""
    name, about = entry.get("name"), entry.get("description")
    hints = entry.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    title = entry.get("title") or hints.get("title")
    parts: list[Part] = [(guard.line(str(name)), "bold $foreground")]
    if isinstance(title, str) and title != name:
        parts.append((f"  {clip(guard.line(title), 200)}", "$quiet"))
    for member, value, word, tone in _HINTS:
        if hints.get(member) is value:
            parts.append((f"  {word}", tone))
    execution = entry.get("execution")
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    if support in ("optional", "required"):
        how = "only as a task" if support == "required" else f"as a task too: {spoken('as_task')}"
        parts.append((f"  {how}", "$text-accent"))
    parts.append((f"  {weight_text(weigh(entry))}\n", "$quiet"))
    for reason in reasons:
        parts += [("▲ ", "$text-warning"), (f"{guard.message(reason)}\n", "$text-warning")]
    if (page := page_of(entry)) is not None:
        parts += tool_page_parts(page)
    if isinstance(about, str) and about.strip():
        parts.append((f"{guard.block(about.strip())[:_LONGEST]}\n", "$quiet"))
    parts += extras(entry)
    return Content.assemble(*parts).rstrip()


def extras(entry: dict[str, Any]) -> list[Part]:
    """Icons and `_meta` of whatever is listed, on one line each."""
    parts: list[Part] = []
    if isinstance(icons := entry.get("icons"), list) and icons:
        said = []
        for icon in icons[:_MOST_ICONS]:
            given = icon if isinstance(icon, dict) else {}
            source, sizes = given.get("src"), given.get("sizes")
            words = [
                _named(source) if isinstance(source, str) else "(no src)",
                given.get("mimeType"),
                given.get("theme"),
            ]
            words += sizes if isinstance(sizes, list) else [sizes]
            said.append(clip(" ".join(guard.line(word) for word in words if isinstance(word, str)), 120))
        parts.append((f"icons: {', '.join(said)}\n", "$quiet"))
    if isinstance(meta := entry.get("_meta"), dict) and meta:
        keys = clip(", ".join(guard.line(str(key)) for key in meta), 120)
        parts.append((f"_meta: {keys}\n", "$quiet"))
    return parts


def _named(source: str) -> str:
    """An icon that lies in its own address is told by its size: nobody reads base64."""
    return f"data of {bytes_size(len(source))}" if source.startswith("data:") else source


def weight_text(weight: Weight) -> str:
    """Bytes, and about how many tokens: `1.2 KiB ~300 tok`, as in the list."""
    return f"{bytes_size(weight.size)} ~{weight.tokens:,} tok"
