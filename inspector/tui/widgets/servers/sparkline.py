"""Numbers as a row of small bars."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int) -> str:
    """The latest values that fit, one character each, padded to `width` at the left. The tallest bar is the largest of
    what is shown; the scale begins at zero."""
    shown = list(values)[-width:] if width > 0 else []
    top = max(shown, default=0.0)
    steps = len(_BARS)
    drawn = "".join(_BARS[min(steps - 1, int(value / top * steps)) if top > 0 else 0] for value in shown)
    return drawn.rjust(width)
