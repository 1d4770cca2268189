"""A file as a server: a recording, or a definition that is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from inspector.base.errors import Failed
from inspector.replay.ignoring import Ignoring
from inspector.serving import script, written
from inspector.serving.definition import Definition
from inspector.serving.matching import Match
from inspector.serving.modern import ModernSession
from inspector.serving.recorded import Pace, RecordedSession
from inspector.traffic import show
from inspector.traffic.store import Traffic

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
        hint = "what is served is a recording, or a definition file, which begins with definition: 1 (docs/serve.md)"
        raise Failed(replace(failed.failure, hint=hint)) from failed
    try:
        traffic.advance()
        found = script.read(traffic, server)
        for note in show.notes(traffic):
            noted(note)
        yield found.definition, partial(RecordedSession, found, match=match, pace=pace, rules=rules)
    finally:
        traffic.close()
