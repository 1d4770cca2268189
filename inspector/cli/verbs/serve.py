"""`serve`: plays a recording or a definition file as a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from inspector.base.errors import Failed, Failure, fail
from inspector.base.secrets import Secrets
from inspector.cli import faulty
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.targets import is_url
from inspector.faults.injector import Injector
from inspector.replay.ignoring import ignoring
from inspector.serving.played import Played, played
from inspector.tap.listing import Listed
from inspector.traffic.store import SessionLog, Traffic
from inspector.workspace.seen import Seen

_MOST_SHOWN = 20


def run(arguments: Arguments) -> int:
    """Serves until the client goes, or over HTTP until it is stopped; on stdio stdout carries the protocol and nothing
    else, over HTTP the URL. Raises Usage, Failed: io, unsupported, config (a rule that cannot be read, nothing to play,
    a port that is taken)."""
    if len(arguments.server or ()) > 1:
        raise Usage("serve plays one server: leave all but one -s out")
    if is_url(arguments.operands[0]):
        raise Usage(
            "serve plays a file: a live server is recorded with tap --listen PORT URL, or written down with freeze"
        )
    diagnostics = Diagnostics(None if arguments.reveal else Secrets())
    file, server = Path(arguments.operands[0]), arguments.server[0] if arguments.server else None
    with (
        played(
            file,
            server,
            match=arguments.match,
            pace=arguments.pace,
            rules=ignoring(arguments.ignore or (), arguments.ignore_text or (), exact=True),
            noted=lambda note: diagnostics.say(f"note: {note}"),
        ) as playing,
        _recorded(arguments) as traffic,
        _shown(arguments) as show_session,
    ):
        definition = playing.definition
        over_http = {} if arguments.http is None else {"transport": "http"}

        def begun() -> SessionLog:
            return traffic.session(definition.name, **over_http)

        def shown() -> SessionLog:
            log = begun()
            show_session(definition.name, log.number)
            return log

        def watched() -> Seen:
            return Seen(shown)

        faults = faulty.injector(arguments, over_http=arguments.http is not None)
        if arguments.http is not None:
            return _over_http(arguments, playing, watched, Seen(begun), diagnostics, faults)
        from inspector.serving import stdio

        if sys.stdin is not None and sys.stdin.isatty():
            diagnostics.say(
                f"{definition.name} waits for JSON-RPC on stdin; a client starts it by this command,"
                " --http PORT serves it to clients that connect; Ctrl-C ends it"
            )
        session = playing.make(say=diagnostics.say)
        if faults is None:
            return stdio.play(session, watch=watched(), reread=playing.reread)
        watch = faulty.Hearing(watched(), faults)
        return faulty.on_stdio(
            faults,
            lambda through: stdio.play(session, watch=watch, through=through, reread=playing.reread),
        )


def _over_http(
    arguments: Arguments,
    playing: Played,
    watched: Callable[[], Seen],
    stray: Seen,
    diagnostics: Diagnostics,
    faults: Injector | None,
) -> int:
    from inspector.serving import exchange, http

    def told(url: str) -> None:
        places = playing.definition.places
        old = url.removesuffix(places.path) + places.sse
        if arguments.json:
            output.document({"url": url, "sse": old})
        else:
            output.text(url)
            diagnostics.say(
                f"{playing.definition.name} is served at {url}, for clients of 2024-11-05 at {old}; Ctrl-C ends it"
            )

    output = Output(arguments.output, None)
    faulty_server = faulty.OverHttp(faults, partial(exchange.told, stray)) if faults is not None else None
    server = http.hosted(
        playing.definition,
        port=arguments.http,
        say=diagnostics.say,
        through=faulty_server.around if faulty_server is not None else lambda handler: handler,
        reread=playing.reread,
        session=playing.make,
        watched=watched,
        stray=stray,
    )
    try:
        code = http.serve(server, told)
        return code if faulty_server is None or faulty_server.exit_code is None else faulty_server.exit_code
    except OSError as error:
        why = error.strerror or str(error)
        raise fail(
            "io", f"cannot listen on port {arguments.http}: {why}", "choose another, or 0 for a free one"
        ) from error


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


@contextmanager
def _shown(arguments: Arguments) -> Iterator[Callable[[str, int], None]]:
    """Shows the sessions that are recorded to an app that runs, as it shows those of taps."""
    listed: list[Listed] = []

    def show_session(label: str, number: int) -> None:
        if arguments.record and len(listed) < _MOST_SHOWN:
            facts = {"command": ["mcp-inspect", "serve", arguments.operands[0]]}
            path = Path(arguments.record)
            listed.append(Listed.begin(path, 0, label, facts, pid=os.getpid(), session=number))

    try:
        yield show_session
    finally:
        for each in listed:
            each.end()
