"""A server of both eras as set type: the two side by side, and what differs between them. Takes foreign values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector.protocol.listing import LISTS
from inspector.tui import guard
from inspector.tui.widgets.text.facts import Part, fit, fold

if TYPE_CHECKING:
    from inspector.workspace.other_era import OtherEra, Side

_LABEL = 16
_OPENED = {"legacy": "initialize, a session", "modern": "none, server/discover"}


def both_eras(other: OtherEra, width: int) -> list[Part]:
    """The era in use at the left, the other one at the right, what is not the same marked; then the differences."""
    here, there = other.sides
    column = max(8, (width - _LABEL - 2) // 2)
    parts: list[Part] = [
        (fit("Both eras", _LABEL), "bold $text-primary"),
        (fit(f"{here.era}, in use", column), "bold $foreground"),
        (f"{there.era}\n", "bold $foreground"),
    ]
    for label, left, right, same in _rows(here, there):
        cells = fold(left, column - 2), fold(right, column - 2)
        for line in range(max(map(len, cells))):
            sign = "  " if line or same else "≠ "
            texts = [cell[line] if line < len(cell) else "" for cell in cells]
            parts += [
                (sign, "bold $text-warning"),
                (fit("" if line else label, _LABEL - 2), "$quiet"),
                (fit(texts[0], column), "$foreground"),
                (f"{texts[1]}\n", "$quiet" if same else "$foreground"),
            ]
    told = "What is not the same there" if other.differences else "All else is the same there."
    parts.append((f"  {told}\n", "$quiet"))
    for text in other.differences:
        parts.append(("  · ", "$quiet"))
        parts.append(("\n    ".join(fold(guard.line(text), max(10, width - 4))) + "\n", "$foreground"))
    return parts


def _rows(here: Side, there: Side) -> Iterator[tuple[str, str, str, bool]]:
    """Label, both sides, and whether they are the same where they could be."""
    yield "protocol", guard.line(here.version), guard.line(there.version), True
    yield "handshake", _OPENED[here.era], _OPENED[there.era], True
    for kind in LISTS:
        left, right = here.counts.get(kind), there.counts.get(kind)
        yield kind, _count(left), _count(right), left == right
    left_names, right_names = (
        sorted(guard.line(name[:60]) for name in side.declared) for side in (here, there)
    )
    same = left_names == right_names
    yield "declared", ", ".join(left_names) or "nothing", ", ".join(right_names) or "nothing", same


def _count(count: int | None) -> str:
    return "none" if count is None else str(count)
