"""`--watch`: a verb again and again, whenever files change, and what is different from the time before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base import numbers
from inspector.base.jsondiff import Change
from inspector.base.source_files import SourceFiles
from inspector.base.text import visible
from inspector.cli.output import Part
from inspector.cli.running import Run
from inspector.cli.tables import sign
from inspector.compare.listings import Lists, compare
from inspector.compare.report import Report, change_line, changes_json, document_of, lines
from inspector.replay.ignoring import Ignoring
from inspector.workspace.connection import Connection
from inspector.workspace.listed import lists_of

_SHOWN = 50
"""Changes of an answer that are printed for people."""
_NAMED, _WIDTH = 3, 80
"""Files that are named, and how much of the end of each."""
_PATIENCE, _PAUSE = 20, 0.25
"""Times that a server which refuses connections is tried, and the seconds between them."""


@dataclass(slots=True)
class _Round:
    """What a verb came to, and what the servers listed then."""

    answer: Any = None
    lists: dict[str, Lists] = field(default_factory=dict)


async def run(run: Run, verb: Callable[[Run], Awaitable[int]]) -> int:
    """Has no end of its own: Ctrl-C is one. Raises Failed (config) as the verb does, and where too many files match."""
    files = SourceFiles(run.arguments.watch, run.diagnostics.say)
    output = run.output
    changed: list[str] = []
    before: _Round | None = None
    number = 1
    while True:
        if run.arguments.json:
            run.output = output.part()
        await verb(run)
        now = _Round(_masked(run, run.answered), await _lists(run))
        _tell(run, number, changed, before, now, output.line)
        # A server that could not be started lists nothing; the next time is compared with the last that did.
        before = _Round(now.answer, {**(before.lists if before is not None else {}), **now.lists})
        if number == 1:
            run.diagnostics.say(
                f"\nwatching {files.count} {'file' if files.count == 1 else 'files'}; ctrl+c ends it"
            )
        changed = await files.changed()
        number += 1
        run.diagnostics.say(f"\n{_named(changed)} changed: run {number}")
        await asyncio.gather(*(_again(each) for each in run.wanted if _was_started(each)))


def _was_started(connection: Connection) -> bool:
    """A server that may not be started is not started by the change of a file either."""
    if connection.error is not None:
        return connection.error.kind != "consent"
    return connection.session is not None


async def _again(connection: Connection) -> None:
    """A server that others start, and that they start anew for the same change, may not listen yet."""
    for _ in range(_PATIENCE):
        await connection.restart()
        await connection.settled()
        if connection.error is None or connection.error.kind != "refused":
            break
        await asyncio.sleep(_PAUSE)


async def _lists(run: Run) -> dict[str, Lists]:
    ready = [connection for connection in run.wanted if connection.state == "ready"]
    found = await asyncio.gather(*map(lists_of, ready))
    return {
        connection.name: _masked(run, lists)
        for connection, lists in zip(ready, found, strict=True)
        if isinstance(lists, dict)
    }


def _masked(run: Run, value: Any) -> Any:
    return numbers.spelled(run.output.value(value))


def _tell(
    run: Run,
    number: int,
    files: Sequence[str],
    before: _Round | None,
    now: _Round,
    line: Callable[[Any], None],
) -> None:
    # What is another one each time would be told each time.
    changes = Ignoring().differences(before.answer, now.answer) if before is not None else []
    report = Report("")
    for name, lists in now.lists.items():
        if before is not None and name in before.lists:
            report.listings.append(compare(name, before.lists[name], lists))
    if isinstance(run.output, Part):
        listed = document_of(report, (), run.output.value)
        line({
            "run": number, "files": list(files), "answer": run.output.held,
            "changes": None if before is None else changes_json(changes, run.output.value),
            "lists": {name: listed[name] for name in ("added", "removed", "changed")},
        })  # fmt: skip
    elif before is not None:
        if run.answered is not None:
            calls = run.arguments.verb == "run"
            told = _outcomes(before.answer, now.answer) if calls else _answer(changes)
            run.output.text("\n".join(told))
        if report.listings:
            run.output.text("\n".join(_listed(report)))


def _answer(changes: Sequence[Change]) -> Iterator[str]:
    yield "the answer is different:" if changes else "the answer is the same"
    yield from (f"    {change_line(change)}" for change in changes[:_SHOWN])
    if len(changes) > _SHOWN:
        yield f"    and {len(changes) - _SHOWN} more"


def _outcomes(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """The same for saved calls: what came of each by its name, a text or a list of what is not as expected."""
    changed = [name for name in now if before.get(name) != now[name]]
    yield "what came of the calls is different:" if changed else "what came of the calls is the same"
    arrow = sign("→", "became")
    for name in changed[:_SHOWN]:
        was, is_now = (each if isinstance(each, str) else "failed" for each in (before.get(name), now[name]))
        yield f"    {visible(name)}: {f'{was} {arrow} {is_now}' if was != is_now else 'fails in another way'}"
    if len(changed) > _SHOWN:
        yield f"    and {len(changed) - _SHOWN} more"


def _listed(report: Report) -> Iterator[str]:
    yield "what is listed is different:" if report.differs else "what is listed is the same"
    if report.differs:
        yield from (f"    {line}" for line in lines(report))


def _named(files: Sequence[str]) -> str:
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return ", ".join(name if len(name) <= _WIDTH else f"…{name[-_WIDTH:]}" for name in files[:_NAMED]) + more
