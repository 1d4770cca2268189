"""Calls over time, and how long answers took, as bars of text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from inspector.base.text import duration
from inspector.traffic.show import clock
from inspector.traffic.stats import Calls, by_length, over_time

LIMITS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_NAMES = ("1ms", "3", "10", "30", "100", "300", "1s", "3s", "10s", "30s", "more")
LENGTHS_WIDTH = 4 * len(_NAMES)
"""Cells that the chart of lengths needs."""
_EIGHTHS = " ▁▂▃▄▅▆▇█"

_SHORT = 30.0
"""Seconds below which a time is told with its milliseconds."""

Part = tuple[str, str]


def bars(values: Sequence[int], height: int) -> list[str]:
    """Bars from the top line to the lowest, one character each; the tallest has the whole height, and what is not
    nothing can be seen."""
    top = max(values, default=0)
    filled = [max(1, round(value / top * height * 8)) if value else 0 for value in values]
    return [
        "".join(_EIGHTHS[min(8, max(0, each - 8 * line))] for each in filled)
        for line in reversed(range(height))
    ]


def moments(parts: Sequence[Calls], base_time: float, width: int, height: int) -> Content:
    """When the requests of `parts` were made, and below the bars when those that failed: `height` lines and three."""
    start = min(part.at[0] for part in parts)
    end = max(max(part.at[-1] for part in parts), start + width * 0.001)
    made, failed = [0] * width, [0] * width
    for part in parts:
        for total, times in ((made, part.at), (failed, part.failed_at)):
            for slot, count in enumerate(over_time(times, start, end + 1e-9, width)):
                total[slot] += count
    told = f"requests per {duration((end - start) / width)}, at most {max(made):,}"
    found: list[Part] = [(f"{told:<{width}.{width}}\n", "$quiet")]
    found += [(f"{line}\n", "$text-primary") for line in bars(made, height)]
    found.append(("".join("✗" if count else " " for count in failed) + "\n", "$text-error"))
    shown = 12 if end - start < _SHORT else 8
    first, last = (clock(base_time + moment)[:shown] for moment in (start, end))
    said = " ✗ failed " if any(failed) else ""
    found.append((f"{first}{said:^{max(0, width - len(first) - len(last))}}{last}", "$quiet"))
    return Content.assemble(*found)


def lengths(calls: Calls, height: int) -> Content:
    """How long the answers took, on a scale where each bar is about three times the one before: lines as of
    `moments`."""
    counts = by_length(calls.times(), LIMITS)
    found: list[Part] = [(f"{'how many answers took up to':<{LENGTHS_WIDTH}}\n", "$quiet")]
    for line in bars(counts, height):
        found.append(("".join(f"{sign * 3} " for sign in line) + "\n", "$text-secondary"))
    found.append(("".join(f"{_short(count):<4}" for count in counts) + "\n", "$foreground"))
    found.append(("".join(f"{name:<4}" for name in _NAMES), "$quiet"))
    return Content.assemble(*found)


def _short(count: int) -> str:
    """A count in three characters at most."""
    if count < 1000:
        return str(count or "")
    return (
        f"{count // 1000}k" if count < 100_000 else f"{count // 1_000_000}M" if count >= 1_000_000 else ".1M"
    )
