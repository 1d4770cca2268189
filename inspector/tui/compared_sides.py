"""What can be compared in the app: servers, their baselines, what was said so far, recordings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.base import jsontext, numbers
from inspector.base.errors import Failed, Failure, fail
from inspector.compare import baseline, recorded
from inspector.compare.sides import Side, of_recording
from inspector.replay.plan import Reading
from inspector.traffic.store import Traffic
from inspector.tui import guard
from inspector.workspace import accepted
from inspector.workspace.connection import Connection
from inspector.workspace.listed import lists_of
from inspector.workspace.relisted import Relisted
from inspector.workspace.workspace import Workspace

_SLICE, _SECONDS = 500, 0.006
"""Rows that are read, and seconds for which rows are described, before others have their turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One side. `title` is safe; `read` raises Failed. `connection` is the server that it is the state of now."""

    title: str
    read: Callable[[], Awaitable[Side]]
    connection: Connection | None = None


def choices(workspace: Workspace, recordings: Sequence[Path]) -> list[Choice]:
    """All that is at hand: baselines first, then servers, the traffic of the screen, recordings."""
    found = [
        of_baseline(workspace, connection)
        for connection in workspace.connections.values()
        if baseline_file(workspace, connection).is_file()
    ]
    found += [of_server(workspace, each) for each in workspace.connections.values() if not each.is_tapped]
    title = "this recording" if workspace.traffic.read_only else "this session"
    found.append(Choice(title, lambda: _of_traffic(title, workspace.traffic)))
    return [*found, *map(of_file, recordings)]


def baseline_file(workspace: Workspace, connection: Connection) -> Path:
    return accepted.file_of(connection.entry, workspace.environment)


def of_server(workspace: Workspace, connection: Connection) -> Choice:
    """What it lists now."""

    async def read() -> Side:
        outcome = await lists_of(connection)
        if isinstance(outcome, Failure):
            raise Failed(outcome)
        # What is compared may be kept, and outlives the run that knows these secrets.
        masked = workspace.secrets.mask_json(jsontext.dump(outcome, None))
        return Side(connection.name, {connection.name: numbers.spelled(masked)})

    return Choice(f"{guard.line(connection.name)} now", read, connection)


def of_change(workspace: Workspace, connection: Connection, change: Relisted) -> tuple[Choice, Choice]:
    """A list before it changed, and after."""

    def side(title: str, entries: Sequence[Any]) -> Choice:
        async def read() -> Side:
            masked = workspace.secrets.mask_json(jsontext.dump({change.kind: entries}, None))
            return Side(title, {connection.name: numbers.spelled(masked)})

        return Choice(f"{change.kind} of {guard.line(connection.name)} {title}", read)

    at = time.strftime("%H:%M:%S", time.localtime(change.at))
    return side(f"before {at}", change.before), side(f"at {at}", change.after)


def of_baseline(workspace: Workspace, connection: Connection) -> Choice:
    """What was accepted of it."""

    async def read() -> Side:
        lists = baseline.of(baseline_file(workspace, connection), connection.name)
        if lists is None:
            raise fail("config", f"nothing was accepted of {connection.name} yet")
        return Side(f"baseline of {connection.name}", {connection.name: lists})

    return Choice(f"baseline of {guard.line(connection.name)}", read)


def of_file(path: Path) -> Choice:
    """A recording, or a baseline that stands in a file of its own."""

    async def read() -> Side:
        if path.suffix.lower() == ".json":
            try:
                lists = await asyncio.to_thread(baseline.read, path)
            except Failed as failed:
                if failed.failure.kind != "config":
                    raise
            else:
                if lists is not None:
                    return Side(path.name, dict(lists))
        side = await asyncio.to_thread(of_recording, path)
        side.title = path.name
        return side

    return Choice(guard.line(path.name), read)


async def _of_traffic(title: str, traffic: Traffic) -> Side:
    """The traffic of the screen, which goes on meanwhile: in slices."""
    while traffic.advance(_SECONDS):
        await asyncio.sleep(0)
    reading, lists = Reading(traffic), recorded.Found()
    begin, end, more = traffic.first, traffic.end, True
    while more:
        more = reading.take(_SLICE)
        rows = range(max(begin, traffic.first), min(begin + _SLICE, end))
        recorded.listings(traffic, rows, lists)
        begin += _SLICE
        await asyncio.sleep(0)
    return Side(title, dict(lists), reading.plans(), recorded=True)
