"""A finding in full: what is wrong where, what the rule flags, and where the specification says so."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.base.text import clip
from inspector.check.checking import MOST_FRAMES
from inspector.check.explaining import lines
from inspector.check.rules import RULES, Finding
from inspector.tui import guard
from inspector.tui.levels import sign
from inspector.tui.widgets.text.facts import Part, facts, fold

_LONGEST = 2000
_FRAMES = 12


def explained(finding: Finding, width: int, *, server: bool = False) -> list[Part]:
    """`server`: whose it is goes without saying where that is False."""
    mark, tone = sign(finding.level)
    message = fold(clip(guard.message(finding.message), _LONGEST), max(20, width - 2))
    parts: list[Part] = [
        (f"{mark} {finding.rule}", f"bold {tone}"), (f"  {finding.level}\n", tone),
        ("  " + "\n  ".join(message) + "\n", "bold $foreground"),
    ]  # fmt: skip
    parts += facts(
        (
            ("server", guard.line(finding.server) if server else ""),
            ("at", clip(guard.line(finding.pointer), _LONGEST)),
            ("frames", frames_told(finding)),
            ("breaks", ", ".join(map(guard.line, finding.clients))),
        ),
        indent=8,
        width=width,
    )
    rule = RULES.get(finding.rule)
    if rule is not None:
        parts.append(("\n", ""))
        for line in lines(rule)[1:]:
            parts.append(("  " + "\n  ".join(fold(line.strip(), max(20, width - 2))) + "\n", "$quiet"))
    return parts


def frames_told(finding: Finding) -> str:
    """The numbers of its rows, the first of them."""
    rows = finding.frames
    more = len(rows) - _FRAMES
    beyond = "+" if len(rows) >= MOST_FRAMES else ""
    return ", ".join(f"#{row}" for row in rows[:_FRAMES]) + (
        f" and {more:,}{beyond} more" if more > 0 else ""
    )


def in_short(findings: Sequence[Finding], width: int) -> list[Part]:
    """A line each."""
    parts: list[Part] = []
    for each in findings:
        mark, tone = sign(each.level)
        head = f"{mark} {each.rule} "
        said = clip(" ".join(guard.message(each.message).split()), max(8, width - len(head)))
        parts += [(head, f"bold {tone}"), (f"{said}\n", "$foreground")]
    return parts
