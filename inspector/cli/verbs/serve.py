"""`serve`: plays a recording as a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.base.errors import Failed, Failure
from inspector.base.secrets import Secrets
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.replay.ignoring import ignoring
from inspector.serving import script, stdio
from inspector.serving.recorded import RecordedSession
from inspector.traffic import show
from inspector.traffic.store import Traffic


def run(arguments: Arguments) -> int:
    """Serves until the client goes; stdout carries the protocol and nothing else. Raises Usage, Failed: io,
    unsupported, config (a rule that cannot be read, nothing to play)."""
    if len(arguments.server or ()) > 1:
        raise Usage("serve plays one server: leave all but one -s out")
    rules = ignoring(arguments.ignore or (), arguments.ignore_text or (), exact=True)
    diagnostics = Diagnostics(None if arguments.reveal else Secrets())
    played = Traffic.open_recording(Path(arguments.operands[0]))
    try:
        played.advance()
        found = script.read(played, arguments.server[0] if arguments.server else None)
        for note in show.notes(played):
            diagnostics.say(f"note: {note}")
        session = RecordedSession(
            found, match=arguments.match, pace=arguments.pace, rules=rules, say=diagnostics.say
        )
        with _recorded(arguments) as traffic:
            log = traffic.session(found.label)
            return stdio.play(session, heard=log.sent, sent=lambda raw: log.received((raw,)))
    finally:
        played.close()


@contextmanager
def _recorded(arguments: Arguments) -> Iterator[Traffic]:
    """Where what is served is recorded, if `--record` asks for it. Raises Failed (io) where recording broke."""
    from inspector.cli.running import writer

    broken: list[Failure] = []
    traffic = Traffic.in_memory()
    if arguments.record:
        traffic.attach(writer(arguments, Secrets(), broken.append))
    try:
        yield traffic
    finally:
        traffic.close()
    if broken:
        raise Failed(broken[0])
