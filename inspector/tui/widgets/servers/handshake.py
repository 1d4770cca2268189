"""The two halves of a handshake as set type: member by member, nested members indented. Takes foreign values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from rich.cells import cell_len

from inspector.base.text import bytes_size, clip
from inspector.protocol.revisions import PREFIX
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fit, fold, heading

_DEPTH = 5
_LINES = 80
_TEXT = 300


def half(title: str, values: dict[str, Any], expected: Iterable[str], width: int) -> list[Part]:
    """The `expected` members in their order, told or not, then what else there is; in `width` cells."""
    expected = tuple(expected)
    order = [*expected, *(name for name in values if name not in expected)]
    found = list(islice(_members([(name, values.get(name, _Absent)) for name in order], 0), _LINES + 1))
    indent = min(max((cell_len(label) for label, _ in found), default=0), max(8, width // 2)) + 2
    parts: list[Part] = [heading(title)]
    for label, value in found[:_LINES]:
        text, tone = ("not told", "$text-warning") if value is None else (value, "$foreground")
        lines = fold(text, max(8, width - indent - 2))
        parts += [
            (f"  {fit(label, indent - 1)} ", "$quiet"),
            (f"\n{' ' * (indent + 2)}".join(lines) + "\n", tone),
        ]
    if len(found) > _LINES:
        parts.append(("  … more in the traffic\n", "$quiet"))
    return parts


class _Absent:
    """In place of a member that is not there, unlike null."""


def _members(members: Iterable[tuple[str, Any]], depth: int) -> Iterator[tuple[str, str | None]]:
    """Label and JSON text of each member; the text is None where there is no member, empty above nested ones."""
    for name, value in members:
        short = f"…/{name.removeprefix(PREFIX)}" if name.startswith(PREFIX) else name
        label = "  " * depth + clip(guard.line(short[:_TEXT], cut=len(short) > _TEXT), 40)
        nested = isinstance(value, dict | list) and value and depth < _DEPTH
        yield label, None if value is _Absent else "" if nested else _json(value)
        if nested:
            inside = value.items() if isinstance(value, dict) else ((str(n), v) for n, v in enumerate(value))
            yield from _members(inside, depth + 1)


def _json(value: Any) -> str:
    if isinstance(value, str):
        if value.startswith("data:") and "," in value[:_TEXT]:
            # Nobody reads base64.
            return f'"{guard.line(value.partition(",")[0], cut=True)},…" of {bytes_size(len(value))}'
        return f'"{guard.line(value[:_TEXT], cut=True)}…' if len(value) > _TEXT else f'"{guard.line(value)}"'
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return "[…]" if value else "[]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return clip(guard.line(str(value)), _TEXT)
