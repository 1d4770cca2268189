"""Files whose change starts a server again, repeats its last call, and tells what is different after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from inspector.base import jsontext, numbers, tasks
from inspector.base.errors import Failed
from inspector.base.source_files import SourceFiles
from inspector.base.text import decode
from inspector.compare.listings import Lists, compare
from inspector.replay.ignoring import Ignoring
from inspector.tui.calls import Call, book_of, restored

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """Between two runs of a server. `told` is one sentence, `old` and `new` are JSON: the answer and the lists; all
    foreign. `same` where they do not differ. `call` is the last call, made again; None where there was none."""

    told: str
    old: str
    new: str
    same: bool
    call: Call | None


class FileWatch:
    """Of one connection, from `begin` to `end`. `told` gets every difference, `said` other sentences."""

    def __init__(
        self,
        connection: Connection,
        patterns: Sequence[str],
        raw_of: Callable[[int], bytes],
        told: Callable[[Difference], None],
        said: Callable[[str], None],
    ) -> None:
        self.patterns = patterns
        self.latest: Difference | None = None
        self._connection = connection
        self._raw_of = raw_of
        self._told = told
        self._said = said
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._task = tasks.spawn(self._watch(), f"files of {self._connection.name}")

    def end(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        notes: list[str] = []
        try:
            files = await asyncio.to_thread(SourceFiles, self.patterns, notes.append)
            self._said(
                notes.pop() if notes else f"watching {files.count} {'file' if files.count == 1 else 'files'}"
            )
            while True:
                changed = await files.changed()
                for note in notes:
                    self._said(note)
                notes.clear()
                if self._connection.state == "disabled":
                    # By a person, or for want of consent; a file changes nothing about that.
                    self._said(
                        f"{_named(changed)} changed. Nothing is started: {self._connection.name} is disabled"
                    )
                    continue
                self.latest = await self._again(changed)
                self._told(self.latest)
        except Failed as failed:
            self._said(f"{failed.failure.message}; {failed.failure.hint}")

    async def _again(self, changed: Sequence[str]) -> Difference:
        connection = self._connection
        book = book_of(connection)
        last = book.latest("tools/call")
        before = _state(connection, last, self._raw_of)
        await connection.restart()
        await connection.settled()
        call: Call | None = None
        if last is not None and connection.state == "ready":
            call = last.anew()
            await asyncio.wait({book.begin(call)})
        now = _state(connection, call, self._raw_of)
        if call is None:
            before.pop("answer", None)
        found = _found(connection, call, before, now)
        told = f"{_named(changed)} changed. {'; '.join(found) or 'Nothing is different.'}"
        return Difference(told, jsontext.dump(before), jsontext.dump(now), not found, call)


def _named(files: Sequence[str]) -> str:
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return ", ".join(PurePath(name).name for name in files[:_NAMED]) + more


def _state(connection: Connection, call: Call | None, raw_of: Callable[[int], bytes]) -> dict[str, Any]:
    """What a server answers and lists now."""
    state: dict[str, Any] = {}
    if call is not None:
        answer = restored(call, raw_of)
        text = jsontext.pick(decode(answer.raw), "result") if answer is not None else None
        why = call.why
        state["answer"] = numbers.spelled(text) if text is not None else {"error": why and why.message}
    listings = connection.catalog.listings if connection.catalog is not None else {}
    state |= {kind: each.entries for kind, each in listings.items() if each.failure is None}
    return state


def _found(
    connection: Connection, call: Call | None, before: dict[str, Any], now: dict[str, Any]
) -> list[str]:
    """What is different, each in a few words."""
    if connection.error is not None:
        return [connection.error.message]
    found = []
    changes = Ignoring().between_answers(before.get("answer"), now.get("answer"), call.params) if call else ()
    if call is not None and changes:
        count = "1 change" if len(changes) == 1 else f"{len(changes)} changes"
        found.append(f"{call.subject}: {count} in the answer")
    lists: list[Lists] = [
        {kind: state[kind] for kind in state if kind != "answer"}  # type: ignore[misc]
        for state in (before, now)
    ]
    listed = compare(connection.name, lists[0], lists[1])
    for sign, names in (
        ("+", [entry.name for entry in listed.added]),
        ("-", [entry.name for entry in listed.removed]),
        ("~", list(dict.fromkeys(change.name for change in listed.changed))),
    ):
        found += [f"{sign} {name}" for name in names[:_NAMED]]
        if len(names) > _NAMED:
            found.append(f"{sign} {len(names) - _NAMED} more")
    return found
