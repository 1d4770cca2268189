"""Columns of text for terminals."""

from __future__ import annotations

from inspector.base.text import cells, visible


def table(rows: list[list[str]]) -> str:
    """Left-aligned columns, two blanks apart, foreign text escaped; columns without any content are left out."""
    safe = [[visible(cell) for cell in row] for row in rows]
    used = [index for index in range(len(safe[0])) if any(row[index] for row in safe[1:])]
    widths = {index: max(cells(row[index]) for row in safe) for index in used}
    lines = []
    for row in safe:
        parts = [row[index] + " " * (widths[index] - cells(row[index])) for index in used]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)
