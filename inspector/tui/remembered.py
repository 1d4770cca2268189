"""What the app remembers of how a person looks at things: columns, filters, the theme. Losing it costs nothing."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from inspector.base.paths import paths, write_private

_MOST_FILTERS = 30


@dataclass(slots=True)
class Remembered:
    """`columns` are names of columns of the traffic from left to right, empty for those that came with the app;
    `time` is how it tells the time; `filters` are recent ones, the newest first; `theme` is empty for ours;
    `calls` is the file that calls were saved to or opened from last; `hints` are those that are not shown again."""

    columns: list[str] = field(default_factory=list)
    time: str = "clock"
    filters: list[str] = field(default_factory=list)
    theme: str = ""
    calls: str = ""
    hints: list[str] = field(default_factory=list)

    def used(self, source: str) -> None:
        """A filter was used."""
        if source := source.strip():
            self.filters = [source, *(other for other in self.filters if other != source)][:_MOST_FILTERS]

    def keep(self, *members: str) -> None:
        """Writes these members down, where that can be done; others stay as another app may have left them."""
        kept = recall()
        for member in members:
            setattr(kept, member, getattr(self, member))
        with contextlib.suppress(OSError):
            write_private(paths().view, json.dumps(asdict(kept), indent=1))


def recall() -> Remembered:
    """What was kept; what cannot be read is as if it had not been."""
    try:
        value = json.loads(paths().view.read_bytes())
    except (OSError, ValueError, RecursionError):
        return Remembered()
    value = value if isinstance(value, dict) else {}
    return Remembered(
        _texts(value.get("columns")),
        _text(value.get("time"), "clock"),
        _texts(value.get("filters")),
        _text(value.get("theme"), ""),
        _text(value.get("calls"), ""),
        _texts(value.get("hints")),
    )


def _text(value: Any, usual: str) -> str:
    return value if isinstance(value, str) else usual


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)][:100] if isinstance(value, list) else []
