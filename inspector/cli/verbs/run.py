"""`run`: saved calls with their expectations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inspector.base.errors import Exit, Failed, Failure
from inspector.base.percentiles import figures_of
from inspector.base.text import duration, visible
from inspector.calls import saved
from inspector.calls.saved import SavedCall, SavedCalls
from inspector.cli.approval import refused
from inspector.cli.arguments import Arguments
from inspector.cli.running import Run
from inspector.cli.tables import sign
from inspector.workspace.connection import Connection
from inspector.workspace.saved_calls import REFUSED, Outcome, as_junit, document, made, repeated, server_of


def located(arguments: Arguments) -> tuple[Arguments, SavedCalls]:
    """The calls, and the command line with the target that their file names where none was given. Raises Failed."""
    file, *target = arguments.operands
    calls = saved.read(Path(file))
    if not target and arguments.command is None and calls.target:
        arguments = replace(arguments, operands=[file, calls.target])
    return arguments, calls


async def run(run: Run) -> int:
    """Calls one after the other; exit code 1 where one is not as expected. Raises Failed (config) for a server that is
    not there."""
    prepared: SavedCalls = run.prepared
    names = [connection.name for connection in run.wanted]
    by_server: dict[str, list[SavedCall]] = {}
    for call in prepared.calls:
        by_server.setdefault(server_of(call, names, whatever=run.target.single), []).append(call)
    outcomes: list[Outcome] = []
    broken: Failure | None = None
    for name, calls in by_server.items():
        connection = run.workspace.connections[name]
        try:
            await run.connected(connection)
            denied = await refused(run, connection, (call.tool for call in calls if call.tool))
        except Failed as failed:
            if failed.failure.kind == "config":
                raise
            broken = failed.failure
            run.diagnostics.failed(name, broken)
            outcomes += [Outcome(call, name, [broken.message], failure=broken) for call in calls]
            continue
        outcomes += [
            Outcome(call, name, [REFUSED]) if call.tool in denied else await _made(run, connection, call)
            for call in calls
        ]
    order = {call.name: place for place, call in enumerate(prepared.calls)}
    outcomes.sort(key=lambda outcome: order[outcome.call.name])
    run.answered = {outcome.call.name: outcome.failures or "as expected" for outcome in outcomes}
    _print(run, outcomes, broken)
    if broken is not None:
        return broken.exit
    return Exit.FAILURE if any(outcome.failures for outcome in outcomes) else Exit.OK


async def _made(run: Run, connection: Connection, call: SavedCall) -> Outcome:
    if run.arguments.repeat is None:
        return await made(connection, call)
    return await repeated(connection, call, run.arguments.repeat, run.arguments.concurrency)


def _print(run: Run, outcomes: list[Outcome], broken: Failure | None) -> None:
    passed = sum(not outcome.failures for outcome in outcomes)
    summary = f"{passed} passed, {len(outcomes) - passed} failed"
    if run.arguments.format == "junit":
        run.output.text(as_junit(outcomes, Path(run.arguments.operands[0]).name, run.mask))
    elif run.arguments.json:
        written = document(outcomes, run.mask, run.error_json)
        if broken is not None:
            written["error"] = run.error_json(broken)
        run.output.document(written)
    else:
        run.output.text("\n".join([*_lines(outcomes), summary]))
    run.sum_up(summary)


def _lines(outcomes: list[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        took = f"  {duration(outcome.seconds)}" if outcome.seconds is not None else ""
        mark = sign("✗", "failed") if outcome.failures else sign("✓", "passed")
        yield f"{mark} {outcome.call.name}{_several(outcome) if outcome.times else took}"
        yield from (f"    {visible(line)}" for line in outcome.failures)


def _several(outcome: Outcome) -> str:
    wrong = f", {outcome.failed} not as expected" if outcome.failed else ""
    times = ", ".join(
        f"{name.removesuffix('_ms')} {duration(value / 1000)}"
        for name, value in figures_of(outcome.times).items()
        if value is not None
    )
    return f"  {len(outcome.times)} runs{wrong}, {times}"
