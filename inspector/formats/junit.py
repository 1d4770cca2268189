"""JUnit XML, as CI systems read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.base.patterns import pattern
from inspector.base.text import visible

_FORBIDDEN = pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `failed` is why it failed, with a line for each thing that is wrong; `skipped` why it was not run; both
    are empty where it passed, and `said` is then what is to be known of it. Texts may be foreign."""

    name: str
    group: str
    seconds: float | None = None
    failed: Sequence[str] = ()
    skipped: str = ""
    said: Sequence[str] = ()


def document(suite: str, cases: Sequence[Case]) -> str:
    """One XML document, UTF-8, without anything that XML or a terminal takes for a command."""
    failures, skipped = sum(bool(case.failed) for case in cases), sum(bool(case.skipped) for case in cases)
    seconds = sum(case.seconds or 0.0 for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" time="{seconds:.3f}"'
    # Only the inner one of both may say what was skipped (the schema of Jenkins).
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {counts}>"]
    lines.append(f'  <testsuite name={_attribute(suite)} {counts} skipped="{skipped}">')
    for case in cases:
        lines += _case(case)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"])


def _case(case: Case) -> list[str]:
    time = f' time="{case.seconds:.3f}"' if case.seconds is not None else ""
    head = f"    <testcase name={_attribute(case.name)} classname={_attribute(case.group)}{time}"
    if case.failed:
        return [
            f"{head}>",
            f"      <failure message={_attribute(case.failed[0])}>{_text(case.failed)}</failure>",
            "    </testcase>",
        ]
    if case.skipped:
        return [f"{head}>", f"      <skipped message={_attribute(case.skipped)}/>", "    </testcase>"]
    if case.said:
        return [f"{head}>", f"      <system-out>{_text(case.said)}</system-out>", "    </testcase>"]
    return [f"{head}/>"]


def _text(lines: Sequence[str]) -> str:
    from xml.sax.saxutils import escape  # late: it loads an HTTP client

    return escape(_safe("\n".join(map(visible, lines))))


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(_safe(visible(text)))


def _safe(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
