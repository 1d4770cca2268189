"""What is said on the screen of two servers side by side, and of it in a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual.content import Content

from inspector.base import numbers
from inspector.base.jsondiff import Change, Inside
from inspector.base.jsonptr import escape
from inspector.base.text import clip, visible_json
from inspector.compare.paired import Pair
from inspector.compare.report import document_of, junit_of, lines
from inspector.tui import guard, wording
from inspector.tui.paired_asks import TABS, Tab
from inspector.tui.paired_model import Both, PairedModel
from inspector.tui.registry import spoken
from inspector.tui.widgets.bars.tab_strip import Tab as StripTab
from inspector.tui.widgets.text.facts import Part, fit

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection
    from inspector.workspace.paired import Paired

_CHANGES = 4


def heads(paired: Paired, width: int) -> Content:
    """Both servers and how they are, in two lines of so many cells."""
    half = (width - 3) // 2
    sizes = half, width - 3 - half
    parts: list[Part] = []
    for sign, tone, side, room in zip(
        "−+", ("$text-error", "$text-success"), paired.sides, sizes, strict=True
    ):
        name = guard.line(side.name)
        kept = "  stays" if side is paired.begun and paired.keeps else ""
        parts += [(f"{sign} ", f"bold {tone}"), (fit(f"{name}{kept}", room - 2), "bold")]
        parts.append((" │ " if sign == "−" else "\n", "$quiet"))
    for sign, side, room in zip("−+", paired.sides, sizes, strict=True):
        mark = wording.MARKS[side.state]
        tone = {"ready": "$text-success", "error": "$text-error"}.get(side.state, "$text-warning")
        said = f" {_facts(side)}"
        parts += [
            (f"{mark}", tone),
            (fit(said, room - cell_len(mark)), "$quiet" if side.error is None else tone),
        ]
        parts.append((" │ " if sign == "−" else "", "$quiet"))
    return Content.assemble(*parts)


def _facts(side: Connection) -> str:
    if side.state != "ready" or side.handshake is None:
        reason = wording.reason(side)
        word = wording.failure_word(side) if side.state == "error" else wording.state(side)
        return guard.line(f"{word}: {reason}" if reason else word)
    asks = len(side.inbox.open)
    facts = [
        f"{asks} asked: {spoken('paired.questions')}" if asks else "",
        side.transport,
        side.handshake.version,
    ]
    if side.facts is not None and side.facts.pid is not None:
        facts.append(f"PID {side.facts.pid}")
    return " · ".join(guard.line(fact) for fact in [*facts, wording.clock(side.uptime or 0)] if fact)


def tabs(model: PairedModel) -> list[StripTab]:
    """Each list with how many of its entries are not the same."""
    found = []
    for tab, title in TABS.items():
        rows = model.rows[tab]
        differ = sum(pair.mark not in ("same", "unknown") for pair in rows)
        same = bool(rows) and rows[0].mark != "unknown"
        note = "" if tab == "requests" else f"≠{differ}" if differ else "=" if same else ""
        found.append(StripTab(tab, title, note, urgent=bool(differ) and tab != "requests"))
    return found


def views(model: PairedModel, tab: Tab, both: Both | None = None) -> list[StripTab]:
    if tab == "opening":
        return [StripTab("definition", "Both")]
    note = "" if both is None else "…" if both.running else f"≠{len(both.changes)}" if both.changes else "="
    if both is not None and not both.running and both.changes is None:
        note = "✗"
    answers = StripTab("answers", "Answers", note, urgent=note not in ("", "="))
    if tab == "requests":
        return [StripTab("json", "JSON"), answers]
    return [StripTab("definition", "Definition"), StripTab("form", "Form"), StripTab("json", "JSON"), answers]


def nothing(model: PairedModel) -> str:
    """What is said of a list without entries."""
    waiting = [side for side in model.paired.sides if side.state in ("starting", "queued")]
    if waiting:
        return f"{guard.line(waiting[0].name)} is starting …"
    return "Neither side has any."


def unfit(model: PairedModel) -> str:
    """What is said where the filter leaves nothing."""
    if model.tab == "requests":
        return "No known method fits: enter takes what is written as one."
    return "Nothing fits the filter."


def about(model: PairedModel, pair: Pair | None) -> Content:
    """The line under the cursor in words."""
    if pair is None:
        return Content("")
    left, right = (guard.line(side.name) for side in model.paired.sides)
    name = (clip(guard.line(pair.name, cut=True), 200), "bold")
    if model.tab == "requests":
        lacks = [
            f"{side}: {guard.line(said)}"
            for side, said in zip((left, right), (pair.left, pair.right), strict=True)
            if said
        ]
        return Content.assemble(name, (f"  {'; '.join(lacks)}", "$quiet"))
    if pair.mark == "same":
        return Content.assemble(name, ("  the same on both sides", "$text-success"))
    if pair.mark == "unknown":
        here, there = (left, right) if pair.left is not None else (right, left)
        other = model.paired.sides[1 if pair.left is not None else 0]
        # The head has no room for a long one.
        why = f": {guard.line(wording.reason(other))}" if other.error is not None else ""
        return Content.assemble(name, (f"  of {here}; what {there} has is not known{why}", "$quiet"))
    if pair.mark != "differs":
        only = left if pair.mark == "left" else right
        return Content.assemble(name, (f"  only {only} has it", "$text-warning"))
    if not pair.changes:
        return Content.assemble(name, ("  differs", "$text-warning"))
    count = len(pair.changes)
    breaking = sum(change.breaking for change in pair.changes)
    said = f"  {count} difference{'' if count == 1 else 's'}"
    places = ", ".join(
        guard.line(change.pointer, cut=True) or "the whole" for change in pair.changes[:_CHANGES]
    )
    more = " …" if count > _CHANGES else ""
    broken = f", {breaking} breaking for who used {left}" if breaking else ""
    return Content.assemble(
        name,
        (f"{said}{broken}", "$text-error" if breaking else "$text-warning"),
        (f"  {places}{more}", "$quiet"),
    )


def sides(pair: Pair | None) -> tuple[list[str], list[str]]:
    """What stands at the left and at the right, as lines."""
    if pair is None:
        return [], []
    left, right = ([] if value is None else _lines(value) for value in (pair.left, pair.right))
    return left, right


def _lines(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split("\n")
    try:
        return numbers.dumps(value, 2).split("\n")
    except ValueError:
        return [repr(value)]


def pointer(change: Change) -> str:
    """Where a change is, as rules are written: steps into a text that holds JSON are steps like others."""
    return "".join(f"/{escape(str(step))}" for step in change.path if not isinstance(step, Inside))


def report(model: PairedModel, form: str) -> tuple[str, str]:
    """The suffix and the text of what differs: `json`, `junit` or `text`."""
    found = model.report()
    notes = [*found.notes, *(note for each in found.listings for note in each.notes)]
    if form == "junit":
        return "xml", junit_of(found)
    if form == "text":
        said = [*(f"note: {note}" for note in notes), *lines(found)]
        return "txt", guard.masked(visible_json("\n".join(said))) + "\n"
    written = document_of(found, [guard.masked(note) for note in notes], numbers.plain)
    return "json", json.dumps(written, indent=1, ensure_ascii=False) + "\n"
