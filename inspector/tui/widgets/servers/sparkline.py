"""Numbers as a row of small bars."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

_BARS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.-=^"
"""For terminals whose code page has no block elements."""


def sparkline(values: Sequence[float], width: int) -> str:
    """The latest values that fit, one character each, padded to `width` at the left. The tallest bar is the largest of
    what is shown; the scale begins at zero."""
    shown = list(values)[-width:] if width > 0 else []
    top = max(shown, default=0.0)
    bars = _bars()
    steps = len(bars)
    drawn = "".join(bars[min(steps - 1, int(value / top * steps)) if top > 0 else 0] for value in shown)
    return drawn.rjust(width)


@cache
def _bars() -> str:
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    try:
        _BARS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return _PLAIN
    return _BARS
