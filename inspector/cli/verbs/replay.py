"""`replay`: sends the requests of a recording to a live server and compares the answers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.text import clip, duration
from inspector.cli.approval import refused
from inspector.cli.arguments import Arguments
from inspector.cli.questions import can_ask
from inspector.cli.running import Run
from inspector.cli.tables import sign
from inspector.replay.answers import FromRecording
from inspector.replay.client import Replay
from inspector.replay.ignoring import Ignoring, ignoring
from inspector.replay.plan import Plan, Step, plans
from inspector.replay.report import Outcome, Report, Verdict
from inspector.workspace.connection import Connection
from inspector.workspace.replaying import fill_known, roots_of, sender

_SHOWN = 5
"""Changes of one answer that are printed; `--json` and `-v` have all."""
_MARKS: dict[Verdict, str] = {"same": "=", "different": "≠", "missing": "✗", "skipped": "·"}
_BROKEN = ("exited", "stream", "session")


@dataclass(slots=True)
class Prepared:
    """What is known before anything is started: the plans by label, and the rules."""

    file: str
    plans: dict[str, Plan]
    ignoring: Ignoring


def prepare(arguments: Arguments) -> Prepared:
    """Reads the recording. Raises Failed: io, unsupported, config (a rule or filter that cannot be read, nothing to
    send)."""
    from inspector.cli.judging import judge
    from inspector.traffic import query
    from inspector.traffic.store import Traffic
    from inspector.traffic.views import View

    file = arguments.operands[0]
    rules = ignoring(arguments.ignore or (), arguments.ignore_text or (), exact=arguments.exact)
    wanted = query.compile(arguments.filter or "")
    traffic = Traffic.open_recording(Path(file))
    try:
        traffic.advance()
        rows: set[int] | None = None
        if arguments.filter:
            judge(traffic, wanted)
            view = View(traffic, wanted)
            view.extend()
            rows = set(view.rows)
        found = plans(traffic, rows)
    finally:
        traffic.close()
    if not found:
        which = f" that {arguments.filter} finds" if arguments.filter else ""
        raise fail(
            "config",
            f"{file} holds no request of a client{which}",
            f"see: mcp-inspect log {file} kind:request",
        )
    return Prepared(file, found, rules)


async def run(run: Run) -> int:
    """Prints the report of all plans; exit code 1 where anything differs, 2 where nothing was sent. Raises Failed
    (config) where servers and recording do not fit, or a yes is missing."""
    prepared: Prepared = run.prepared
    pairs = _pairs(run, prepared)
    report = Report()
    broken: Failure | None = None
    for connection, plan in pairs:
        try:
            await _connect(run, connection, plan)
            await _consent(run, connection, plan)
            report.outcomes += await _replay(run, connection, plan, prepared.ignoring)
        except Failed as failed:
            if failed.failure.kind == "config":
                raise
            broken = failed.failure
            run.diagnostics.failed(connection.name, broken)
            report.outcomes += [Outcome(step, "missing", failure=broken) for step in plan.steps]
            continue
        missed = connection.inbox.responder
        if isinstance(missed, FromRecording) and missed.missed:
            report.notes.append(
                f"{connection.name} asked what the recording has no answer to: {', '.join(sorted(set(missed.missed)))}"
            )
    if broken is None and (broken := report.nothing) is not None:
        run.diagnostics.failed(None, broken)
    _print(run, prepared, report, broken)
    lost = next(
        (each.failure for each in report.outcomes if each.failure and each.failure.kind in _BROKEN), None
    )
    if broken is not None or lost is not None:
        return (broken or lost).exit  # type: ignore[union-attr]
    return Exit.FAILURE if report.differs else Exit.OK


def _pairs(run: Run, prepared: Prepared) -> list[tuple[Connection, Plan]]:
    """Which server gets which part of the recording: by name; one of each belong together whatever they are called."""
    wanted = run.wanted
    found = [(one, prepared.plans[one.name]) for one in wanted if one.name in prepared.plans]
    if not found and len(wanted) == 1 and len(prepared.plans) == 1:
        found = [(wanted[0], next(iter(prepared.plans.values())))]
    if not found:
        there, here = ", ".join(prepared.plans), ", ".join(one.name for one in wanted) or "none"
        raise fail(
            "config",
            f"no server has a name of the recording: it holds {there}; the target has {here}",
            "choose a server with -s, and what is sent with --filter server:NAME",
        )
    left = [label for label in prepared.plans if all(plan.label != label for _, plan in found)]
    if left:
        run.diagnostics.say(f"note: left out, for want of a server of that name: {', '.join(left)}")
    return found


async def _connect(run: Run, connection: Connection, plan: Plan) -> None:
    inbox = connection.inbox
    if not run.arguments.answer:
        inbox.responder = FromRecording(plan)
    if plan.roots is not None and not run.arguments.project_dir:
        inbox.roots = roots_of(plan)
    await run.connected(connection)
    fill_known(connection, plan.steps)


async def _consent(run: Run, connection: Connection, plan: Plan) -> None:
    called = (step.tool for step in plan.steps if step.tool and not step.skip)
    denied = await refused(run, connection, called)
    for step in plan.steps:
        if step.tool in denied:
            step.skip = step.skip or "its tool may change something, and that was not allowed"


async def _replay(run: Run, connection: Connection, plan: Plan, rules: Ignoring) -> list[Outcome]:
    async def wait(step: Step) -> bool:
        run.diagnostics.say(f"{step.seq}  {step.title}   enter sends it, s leaves it out")
        return (await asyncio.to_thread(sys.stdin.readline)).strip().lower() not in ("s", "skip")

    pace = run.arguments.pace
    if pace == "step" and not can_ask():
        raise fail("config", "--pace step needs a terminal to ask on", "use --pace fast or recorded")
    return await Replay(
        plan, sender(connection), rules, pace=pace, wait=wait if pace == "step" else None
    ).run()


def _print(run: Run, prepared: Prepared, report: Report, broken: Failure | None) -> None:
    if run.arguments.format == "junit":
        run.output.text(report.as_junit(Path(prepared.file).name, run.mask))
    elif run.arguments.json:
        document = report.as_json(run.output.value, run.mask)
        if broken is not None:
            document["error"] = run.error_json(broken)
        run.output.document(document)
    else:
        run.output.text("\n".join(_lines(run, report)))
        for note in report.notes:
            run.diagnostics.say(f"note: {note}")
    run.sum_up(report.summary)


def _lines(run: Run, report: Report) -> Iterator[str]:
    all_ = run.arguments.verbose
    for outcome in report.outcomes:
        if outcome.verdict == "same" and not all_:
            continue
        took = f"  {duration(outcome.seconds)}" if outcome.seconds is not None else ""
        why = f"  {outcome.reason}" if outcome.reason else ""
        mark = sign(_MARKS[outcome.verdict], outcome.verdict)
        yield f"{mark} {outcome.step.seq:>6}  {clip(outcome.step.told, 200)}{took}{why}"
        wrong = outcome.wrong
        yield from (f"            {line}" for line in (wrong if all_ else wrong[:_SHOWN]))
        if len(wrong) > _SHOWN and not all_:
            yield f"            and {len(wrong) - _SHOWN} more; -v tells all"
    yield report.summary
