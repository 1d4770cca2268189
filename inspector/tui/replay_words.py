"""What is said of a replay: what is sent where, how far it is, how a request came out. All safe content but `plain`."""

from __future__ import annotations

from textual.content import Content

from inspector.base import numbers
from inspector.base.text import clip
from inspector.replay.plan import Step
from inspector.replay.report import VERDICTS, Outcome, Report, Verdict
from inspector.tui import guard
from inspector.tui.registry import spoken
from inspector.tui.replay_model import ReplayModel
from inspector.tui.widgets.replay.step_list import MARKS
from inspector.tui.widgets.text.facts import Part
from inspector.workspace.replaying import Replaying

_TONES: dict[Verdict, str] = {
    "same": "$text-success", "different": "$text-warning", "missing": "$text-error", "skipped": "$quiet",
}  # fmt: skip
_BRIEF = 300


def head(model: ReplayModel, room: int) -> Content:
    """From where to where, how, and what came of it so far, in lines of `room` cells."""
    where, plan, run = guard.line(model.target) or "no server", model.plan, model.run
    parts: list[Part] = [
        (clip(_title(model), max(12, room - len(where) - 4)), "bold"), (" → ", "$text-accent"), (where, "bold"),
        (f"\n{len(model.chosen):,} of {len(plan.steps) if plan is not None else 0:,} chosen", ""),
    ]  # fmt: skip
    count = sum(bool(line.strip()) for line in model.rules.splitlines())
    rules = f"{count} rules" if count != 1 else "1 rule"
    parts.append((f" · {model.pace} · {rules}{', exact' if model.exact else ''}", "$quiet"))
    if run is not None:
        for verdict in VERDICTS:
            if number := run.counts[verdict]:
                parts.append((f"   {MARKS[verdict]} {number:,} {verdict}", _TONES[verdict]))
        parts += [("\n", ""), *(_progress(run, room) if run.running else _end(run, room))]
    return Content.assemble(*parts)


def _title(model: ReplayModel) -> str:
    frames, then = model.frames, guard.line(model.label)
    title = frames.title if frames is not None else ""
    if frames is not None and frames.file is not None and then:
        return f"{title}, its server {then}"
    return f"{title}, server {then}" if len(model.plans) > 1 else title


def _progress(run: Replaying, room: int) -> list[Part]:
    done, width = len(run.outcomes), max(10, min(40, room - 44))
    full = width * done // max(1, run.total)
    keys = f"   {spoken('replay.toggle')} sends the next, {spoken('replay.leave_out')} leaves it out"
    return [
        ("━" * full, "$text-success"), ("─" * (width - full), "$quiet"),
        (f"  {done:,} of {run.total:,}", "bold"), (keys if run.waits else "", "$text-warning"),
    ]  # fmt: skip


def _end(run: Replaying, room: int) -> list[Part]:
    differs = bool(run.counts["different"] or run.counts["missing"])
    said = "it answers differently" if differs else "it answers as it did then"
    notes = "; ".join(guard.line(note) for note in run.notes)
    return [
        (said, "bold $text-warning" if differs else "bold $text-success"),
        (f"   {clip(notes, room)}" if notes else "", "$text-warning"),
    ]


def about(step: Step, outcome: Outcome | None) -> Content:
    """One request: what is sent, or how it came out; its changes are shown elsewhere."""
    parts: list[Part] = [(f"#{step.seq} {guard.line(step.title, cut=True)}", "bold")]
    if outcome is not None:
        parts.append((f"   {MARKS[outcome.verdict]} {outcome.verdict}", _TONES[outcome.verdict]))
        if outcome.failure is not None:
            parts.append((f"\n{guard.message(outcome.failure.message)}", "$text-error"))
        elif outcome.reason:
            parts.append((f"\n{guard.line(outcome.reason)}", "$quiet"))
        return Content.assemble(*parts)
    given = step.params.get("arguments", step.params) if isinstance(step.params, dict) else step.params
    told = "without parameters" if given is None else guard.line(numbers.brief(given, _BRIEF), cut=True)
    parts.append((f"\n{told}", "$quiet"))
    if step.skip:
        parts.append((f"\nnot sent: {guard.line(step.skip)}", "$text-warning"))
    return Content.assemble(*parts)


def plain(report: Report) -> str:
    """The whole report as text; foreign."""
    lines = []
    for outcome in report.outcomes:
        why = f"  {outcome.reason}" if outcome.reason else ""
        lines.append(f"{MARKS[outcome.verdict]} {outcome.step.seq:>6}  {outcome.step.title}{why}")
        lines += [f"            {line}" for line in outcome.wrong]
    return "\n".join([*lines, ", ".join(f"{report.count(verdict)} {verdict}" for verdict in VERDICTS)])
