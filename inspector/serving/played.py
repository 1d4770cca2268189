"""A file as a server: a recording, or a definition that is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from inspector.base.errors import Failed, Failure
from inspector.replay.ignoring import Ignoring
from inspector.serving import script, written
from inspector.serving.definition import Definition
from inspector.serving.matching import Match
from inspector.serving.modern import ModernSession
from inspector.serving.recorded import Pace, RecordedSession
from inspector.traffic import show
from inspector.traffic.store import Traffic

_HINT = "what is served is a recording, or a definition file, which begins with definition: 1 (docs/serve.md)"
Made = Callable[..., ModernSession]
"""Makes a conversation with a client; takes what `engine.Session` takes beside its definition."""

_EXACT = Ignoring(exact=True)


@contextmanager
def played(
    path: Path,
    server: str | None = None,
    *,
    match: Match = "params",
    pace: Pace = "fast",
    rules: Ignoring = _EXACT,
    noted: Callable[[str], None] = lambda note: None,
) -> Iterator[tuple[Definition, Made]]:
    """What is told of the server, and what makes a conversation with it. `server` is one of several in a recording;
    `noted` gets what is odd about the file. Raises Failed: io, unsupported, config (nothing to play)."""
    if written.is_definition(path):
        definition = written.read(path)
        for note in definition.notes:
            noted(note)
        yield definition, partial(ModernSession, definition)
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
        yield found.definition, partial(RecordedSession, found, match=match, pace=pace, rules=rules)
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
