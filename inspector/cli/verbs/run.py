"""`run`: saved calls with their expectations."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspector.base import numbers
from inspector.base.errors import Exit, Failed, Failure, fail
from inspector.base.text import duration, visible
from inspector.calls import saved
from inspector.calls.saved import SavedCall, SavedCalls
from inspector.cli.approval import refused
from inspector.cli.arguments import Arguments
from inspector.cli.running import Run
from inspector.cli.verbs import calling
from inspector.replay.client import message_of
from inspector.workspace.connection import Connection

_REFUSED = "its tool may change something, and that was not allowed"


@dataclass(slots=True)
class Outcome:
    """`failures` are empty where all is as expected; `failure` is why no answer came."""

    call: SavedCall
    server: str
    failures: list[str]
    seconds: float | None = None
    failure: Failure | None = None


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
    by_server: dict[str, list[SavedCall]] = {}
    for call in prepared.calls:
        by_server.setdefault(_server(run, call), []).append(call)
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
            Outcome(call, name, [_REFUSED]) if call.tool in denied else await _one(connection, call)
            for call in calls
        ]
    order = {call.name: place for place, call in enumerate(prepared.calls)}
    outcomes.sort(key=lambda outcome: order[outcome.call.name])
    run.answered = {outcome.call.name: outcome.failures or "as expected" for outcome in outcomes}
    _print(run, outcomes, broken)
    if broken is not None:
        return broken.exit
    return Exit.FAILURE if any(outcome.failures for outcome in outcomes) else Exit.OK


def _server(run: Run, call: SavedCall) -> str:
    names = [connection.name for connection in run.wanted]
    if call.server in names:
        return call.server
    if not call.server or run.target.single:
        if len(names) == 1:
            return names[0]
        raise fail(
            "config",
            f"{call.name} names no server, and there are: {', '.join(names)}",
            "add server: NAME, or -s",
        )
    raise fail(
        "config", f"no server {call.server} for {call.name}", f"there are: {', '.join(names) or 'none'}"
    )


async def _one(connection: Connection, call: SavedCall) -> Outcome:
    params = (
        None
        if call.params is None
        else {name: numbers.verbatim(value) for name, value in call.params.items()}
    )
    began = time.monotonic()
    try:
        if call.tool and params is not None:
            answer = await calling.call(connection, params)
        else:
            answer = await connection.request(call.method, params)
    except Failed as failed:
        seconds = time.monotonic() - began
        return Outcome(call, connection.name, [failed.failure.message], seconds, failed.failure)
    failure = answer.failure
    if failure is not None and failure.kind != "rpc":
        return Outcome(call, connection.name, [failure.message], answer.seconds, failure)
    wrong = call.expect.failures(message_of(answer), answer.seconds)
    return Outcome(call, connection.name, wrong, answer.seconds)


def _print(run: Run, outcomes: list[Outcome], broken: Failure | None) -> None:
    passed = sum(not outcome.failures for outcome in outcomes)
    if run.arguments.format == "junit":
        from inspector.formats import junit

        cases = [
            junit.Case(
                outcome.call.name,
                outcome.server,
                outcome.seconds,
                [run.mask(line) for line in outcome.failures],
            )
            for outcome in outcomes
        ]
        run.output.text(junit.document(f"run {Path(run.arguments.operands[0]).name}", cases))
    elif run.arguments.json:
        document: dict[str, Any] = {
            "calls": [
                {
                    "name": outcome.call.name, "server": outcome.server, "ok": not outcome.failures,
                    "failures": [run.mask(line) for line in outcome.failures],
                    "duration_ms": None if outcome.seconds is None else round(outcome.seconds * 1000, 3),
                    "error": None if outcome.failure is None else run.error_json(outcome.failure),
                }
                for outcome in outcomes
            ],
            "passed": passed,
            "failed": len(outcomes) - passed,
        }  # fmt: skip
        if broken is not None:
            document["error"] = run.error_json(broken)
        run.output.document(document)
    else:
        run.output.text("\n".join([*_lines(outcomes), f"{passed} passed, {len(outcomes) - passed} failed"]))


def _lines(outcomes: list[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        took = f"  {duration(outcome.seconds)}" if outcome.seconds is not None else ""
        yield f"{'✗' if outcome.failures else '✓'} {outcome.call.name}{took}"
        yield from (f"    {visible(line)}" for line in outcome.failures)
