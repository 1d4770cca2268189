"""`status`: connects to every server side by side and says how each of them is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from inspector.base.errors import Exit
from inspector.base.text import counted, duration
from inspector.check.rules import Finding
from inspector.cli.running import Run
from inspector.cli.tables import Told, sign, table
from inspector.lenses.java_sdk.clients import CLIENTS, listing, server
from inspector.lenses.paicli_resources import seen as paicli
from inspector.workspace.connection import Connection
from inspector.workspace.findings import by_level
from inspector.workspace.status import KINDS, oddities, status, unread

_MARKS = {"ready": "●", "starting": "…", "queued": "◌", "error": "✗", "disabled": "○"}
_UNTIL_READY = (
    "spawn", "connect", "era probe", "discover", "discover again", "respawn", "other transport", "handshake",
)  # fmt: skip
"""Steps that follow each other; the others lie within them."""
_WORDS = {"error": "failed", "disabled": "off"}


async def run(run: Run) -> int:
    """Waits until every start has come to its end, prints, and only then closes the connections."""
    run.workspace.start()
    try:
        await run.workspace.settled()
    except asyncio.CancelledError:
        _answer(run)
        raise
    _answer(run)
    consent = any(c.error is not None and c.error.kind == "consent" for c in run.connections)
    down = any(c.state not in ("ready", "disabled") for c in run.connections)
    return Exit.CONNECT if down else Exit.USAGE if consent else Exit.OK


def _answer(run: Run) -> None:
    run.workspace.traffic.advance()
    findings = run.workspace.findings
    findings.conclude()
    found = {connection.name: findings.of(connection) for connection in run.connections}
    if run.arguments.json:
        rows = [
            status(connection, run.diagnostics.mask, run.output.value, len(found[connection.name]))
            for connection in run.connections
        ]
        run.output.document({"servers": rows})
    else:
        _print(run, found)


def _print(run: Run, found: Mapping[str, Sequence[Finding]]) -> None:
    rows = [
        [
            "",
            "SERVER",
            "TRANSPORT",
            "VERSION",
            "TOOLS",
            "RESOURCES",
            "TEMPLATES",
            "PROMPTS",
            "FINDINGS",
            "PID",
            "READY IN",
        ]
    ]
    for connection in run.connections:
        session = connection.session
        counts = [connection.count(kind) for kind in KINDS]
        rows.append([
            sign(_MARKS[connection.state], _WORDS.get(connection.state, connection.state)),
            connection.name,
            connection.transport,
            (session.version if session is not None else None) or "",
            *("" if count is None else str(count) for count in counts),
            _findings(found[connection.name]),
            str(connection.facts.pid) if connection.facts is not None and connection.facts.pid else "",
            _ready_in(connection),
        ])  # fmt: skip
    run.output.text(table(rows))
    for connection in run.connections:
        if connection.error is not None:
            run.diagnostics.failed(connection.name, connection.error)
        if run.arguments.verbose:
            _print_steps(run, connection)
            _print_other_clients(run, connection)
        _print_oddities(run, connection)
    if any(found.values()):
        run.diagnostics.say("check tells what the findings are")


def _findings(found: Sequence[Finding]) -> str:
    """How many of the worst level, and how many others."""
    for level, count in by_level(found).items():
        if count:
            told = f"{count} info" if level == "info" else counted(count, level)
            return told + (f" +{len(found) - count}" if len(found) > count else "")
    return ""


def _print_oddities(run: Run, connection: Connection) -> None:
    """All of them only where more is asked for: what the connection itself is warned of is told in any case, and so is
    a list that did not come."""
    odd = oddities(connection)
    told = odd if run.arguments.verbose or connection.session is None else connection.session.warnings
    if told is not odd:
        told = [*told, *unread(connection)]
    for oddity in told:
        run.diagnostics.say(f"{connection.name}: {oddity}")
    if more := len(odd) - len(told):
        run.diagnostics.say(f"{connection.name}: {more} more odd thing{'s' if more > 1 else ''}; -v tells")


def _ready_in(connection: Connection) -> str:
    if connection.state != "ready":
        return "" if Told.plainly else connection.state
    return duration(sum(step.ms or 0 for step in connection.steps.steps if step.step in _UNTIL_READY) / 1000)


def _print_other_clients(run: Run, connection: Connection) -> None:
    """What PaiCLI and clients of the Java SDK would make of the server."""
    if connection.handshake is None or connection.catalog is None:
        return
    tools, resources = (connection.catalog.listings.get(kind) for kind in ("tools", "resources"))
    entries, pages = tools.entries if tools else (), resources.pages if resources else 1
    for said in paicli(connection.name, connection.handshake.capabilities, entries, pages):
        run.diagnostics.say(f"  PaiCLI {said}")
    read = [listed for listed in connection.catalog.listings.values() if listed.failure is None]
    for client in CLIENTS:
        lists = [listing(client, listed.kind, listed.entries, listed.pages) for listed in read]
        for seen in server(client, connection.handshake, connection.transport, lists):
            run.diagnostics.say(f"  {client.name} {seen.text}")


def _print_steps(run: Run, connection: Connection) -> None:
    run.diagnostics.say(f"{connection.name}:")
    for step in connection.steps.steps:
        took = duration(step.ms / 1000) if step.ms is not None else "running"
        mark = sign("… ", "on") if step.ms is None else "ok" if step.ok else sign("✗ ", "failed")
        run.diagnostics.say(f"  {mark} {step.step:<26} {took:>8}  {step.outcome}")
    if connection.session is not None and connection.session.states.entered:
        run.diagnostics.say(f"  session: {connection.session.states}")
    if connection.closed is not None:
        how = connection.closed.how
        run.diagnostics.say(f"  {how}" if how.startswith(("never", "closed")) else f"  ended by {how}")
