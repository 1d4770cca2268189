"""What was found of one server, in some lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspector.base.text import clip
from inspector.tui import guard
from inspector.tui.levels import SIGNS, TONES, sign, tally
from inspector.tui.widgets.text.facts import Part

if TYPE_CHECKING:
    from inspector.check.rules import Finding

_WORST = 3
"""Rules that are named."""


def levels(found: Sequence[Finding]) -> list[Part]:
    """How many of each level, the worst first."""
    counts: Counter[str] = Counter(each.level for each in found)
    return [
        (f"{mark} {tally({level: counts[level]})}  ", f"bold {TONES[level]}")
        for level, mark in SIGNS.items()
        if counts[level]
    ]


def summary(found: Sequence[Finding], width: int, key: str) -> list[Part]:
    """How many of each level, then the first finding of each of the worst rules; `key` shows all of them."""
    parts: list[Part] = [("Findings  ", "bold $text-primary"), *levels(found), (key, "bold $text-accent")]
    parts.append((" lists them\n", "$quiet"))
    times = Counter(each.rule for each in found)
    worst: dict[str, Finding] = {}
    for level in SIGNS:
        for each in found:
            if each.level == level and len(worst) < _WORST:
                worst.setdefault(each.rule, each)
    for each in worst.values():
        mark, tone = sign(each.level)
        often = f" ×{times[each.rule]:,}" if times[each.rule] > 1 else ""
        said = clip(" ".join(guard.message(each.message).split()), max(12, width - 8 - len(often)))
        parts += [(f"  {mark} {each.rule}{often} ", tone), (f"{said}\n", "$foreground")]
    if (more := len(times) - len(worst)) > 0:
        parts.append((f"    and {more} other {'rule' if more == 1 else 'rules'}\n", "$quiet"))
    return parts
