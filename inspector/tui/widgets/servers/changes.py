"""What came, went and changed in the lists of a server, the latest first."""

from __future__ import annotations

import time
from collections.abc import Sequence

from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.registry import label
from inspector.tui.widgets.text.facts import Part, fold, heading
from inspector.workspace.relisted import Relisted

_SHOWN = 4
_LONGEST = 400


def told(change: Relisted) -> str:
    """In a line, safe."""
    return f"{time.strftime('%H:%M:%S', time.localtime(change.at))} {guard.line(clip(str(change), _LONGEST))}"


def change_lines(changes: Sequence[Relisted], width: int) -> list[Part]:
    """Nothing where nothing has changed."""
    if not changes:
        return []
    parts: list[Part] = [heading("Lists that changed")]
    for change in list(changes)[::-1][:_SHOWN]:
        lines = fold(told(change), max(10, width - 6))
        parts += [("  ~ ", "$text-warning"), ("\n    ".join(lines) + "\n", "$foreground")]
    return [
        *parts,
        ("  " + label("overview.list_changes"), "bold $text-accent"),
        (" shows each of them in full\n", "$quiet"),
    ]
