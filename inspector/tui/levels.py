"""How bad a finding is, as a mark and a colour; and a finding in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inspector.base.text import counted
from inspector.traffic.judged import Verdict

SIGNS: Mapping[str, str] = {"error": "✗", "warning": "▲", "info": "•"}
TONES: Mapping[str, str] = {"error": "$text-error", "warning": "$text-warning", "info": "$text-secondary"}


def sign(level: str) -> tuple[str, str]:
    """The mark of a level and its colour."""
    return SIGNS.get(level, "•"), TONES.get(level, "$text-secondary")


def badge(verdicts: Sequence[Verdict]) -> str:
    """The rule that is broken worst, and how many others are."""
    if not verdicts:
        return ""
    rules = dict.fromkeys(each.rule for each in verdicts)
    more = f" +{len(rules) - 1}" if len(rules) > 1 else ""
    return f"{sign(verdicts[0].level)[0]} {verdicts[0].rule}{more}"


def tally(counts: Mapping[str, int]) -> str:
    """How many of each level, the worst first; empty where there are none."""
    told = (
        counted(count, level) if level != "info" else f"{count} info"
        for level, count in counts.items()
        if count
    )
    return ", ".join(told)
