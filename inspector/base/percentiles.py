"""How long most of many things took."""

from __future__ import annotations

from collections.abc import Sequence

PARTS = (50, 95, 99)


def percentile_ms(times: Sequence[float], part: int) -> float | None:
    """The nearest-rank percentile of seconds, in milliseconds; None without a single one."""
    if not times:
        return None
    rank = max(0, -(-part * len(times) // 100) - 1)
    return round(sorted(times)[rank] * 1000, 3)


def figures_of(times: Sequence[float]) -> dict[str, float | None]:
    """`p50_ms`, `p95_ms` and `p99_ms`."""
    return {f"p{part}_ms": percentile_ms(times, part) for part in PARTS}
