"""A file as a server: a recording, or a definition that is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from inspector.base.errors import Failed, Failure
from inspector.replay.ignoring import Ignoring
from inspector.serving import script, written
from inspector.serving.definition import Definition
from inspector.serving.matching import Match
from inspector.serving.modern import ModernSession
from inspector.serving.recorded import Pace, RecordedSession
from inspector.traffic import show
from inspector.traffic.store import Traffic

_HINT = "what is served is a recording, or a definition file, which begins with definition: 1 (docs/how-to/serve.md)"
Made = Callable[..., ModernSession]
"""Makes a conversation with a client; takes what `engine.Session` takes beside its definition."""


class Played(NamedTuple):
    """What is told of a server, what makes a conversation with it, and what gives its definition anew once the file was
    written again; a recording is read once. `reread` raises Failed where the file is wrong, once for each writing."""

    definition: Definition
    make: Made
    reread: Callable[[], Definition | None] = lambda: None


class _Written:
    """A definition file while it is played."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = self._look()
        self.definition = written.read(path)

    def make(self, **more: Any) -> ModernSession:
        return ModernSession(self.definition, **more)

    def reread(self) -> Definition | None:
        stamp = self._look()
        if stamp == self._stamp or stamp is None:
            return None
        self._stamp = stamp
        self.definition = written.read(self._path)
        return self.definition

    def _look(self) -> tuple[int, int] | None:
        try:
            about = self._path.stat()
        except OSError:
            return None  # an editor may be putting a new file in its place
        return about.st_mtime_ns, about.st_size


EXACT = Ignoring(exact=True)


@contextmanager
def played(
    path: Path,
    server: str | None = None,
    *,
    match: Match = "params",
    pace: Pace = "fast",
    rules: Ignoring = EXACT,
    noted: Callable[[str], None] = lambda note: None,
) -> Iterator[Played]:
    """`server` is one of several in a recording; `noted` gets what is odd about the file. Raises Failed: io,
    unsupported, config (nothing to play)."""
    if written.is_definition(path):
        file = _Written(path)
        for note in file.definition.notes:
            noted(note)
        if server or (match, pace, rules) != ("params", "fast", EXACT):
            noted(
                "what chooses among records (server, match, pace, what may differ) counts for recordings only"
            )
        yield Played(file.definition, file.make, file.reread)
        return
    try:
        traffic = Traffic.open_recording(path)
    except Failed as failed:
        raise Failed(_neither(path, failed.failure)) from failed
    try:
        traffic.advance()
        found = script.read(traffic, server)
        for note in show.notes(traffic):
            noted(note)
        make = partial(RecordedSession, found, match=match, pace=pace, rules=rules)
        yield Played(found.definition, make)
    finally:
        traffic.close()


def _neither(path: Path, failure: Failure) -> Failure:
    """Why a file cannot be served, where it may have been meant as a definition."""
    if not failure.message.endswith("is no recording"):
        return replace(failure, hint=_HINT)
    try:
        value = written.value_of(path)
    except Failed as failed:
        told = f"{path} is neither a recording nor a definition file: {failed.failure.message}"
        return replace(failure, message=told, hint=_HINT)
    if value is None:
        return replace(failure, message=f"{path} is empty", hint=_HINT)
    if isinstance(value, dict) and written.MARK in value:
        return replace(
            failure, message=f"{path}: {written.MARK} is not its first member", hint="put it first"
        )
    return replace(failure, message=f"{path} is neither a recording nor a definition file", hint=_HINT)
