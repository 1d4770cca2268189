"""Columns and signs for terminals, or words in their place for who has them read out (`--plain`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO, ClassVar

from inspector.base.charset import has_signs
from inspector.base.text import cells, visible


class Told:
    """How this run tells its answers; set once, by the command line."""

    plainly: ClassVar[bool] = False


def sign(mark: str, word: str, stream: IO[str] | None = None) -> str:
    """A mark of ours, or the word for it where it was asked for words or the terminal may lack the mark."""
    return word if Told.plainly or not has_signs(stream or sys.stdout) else mark


def table(rows: Sequence[Sequence[str]]) -> str:
    """Left-aligned columns, two blanks apart under their titles, foreign text escaped; columns without any content are
    left out. Plainly: a block for each row, a fact a line, each with its title."""
    safe = [[visible(cell) for cell in row] for row in rows]
    used = [index for index in range(len(safe[0])) if any(row[index] for row in safe[1:])]
    if Told.plainly:
        return "\n".join(_block(safe[0], row) for row in safe[1:])
    widths = {index: max(cells(row[index]) for row in safe) for index in used}
    lines = []
    for row in safe:
        parts = [row[index] + " " * (widths[index] - cells(row[index])) for index in used]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _block(titles: Sequence[str], row: Sequence[str]) -> str:
    """What a row is about, and below it the rest. A first column without a title has signs, which tell its state."""
    told = [(title.lower(), cell) for title, cell in zip(titles, row, strict=True) if cell]
    if titles[0] == "" and row[0]:
        told[:2] = [told[1], ("state", row[0])]
    return "\n  ".join(f"{title}: {cell}" if title else cell for title, cell in told)
