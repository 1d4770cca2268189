"""`export`: writes the frames of a recording, all or those that a filter finds, in another format, or posts them as
spans to a collector."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from inspector.base.errors import Exit
from inspector.base.secrets import Secrets
from inspector.base.text import bytes_size, visible_json
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.judging import judge
from inspector.cli.output import Output
from inspector.cli.progress import Progress, read_all
from inspector.config.settings import load_settings
from inspector.traffic import query, show
from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.traffic.redact import Redaction, patterns_of
from inspector.traffic.store import Traffic


def run(arguments: Arguments) -> int:
    """Secrets are masked as in a recording, unless `--no-redact` is given. Raises Failed: io, unsupported,
    config (a filter that cannot be read), and of the kinds of a connection where spans are posted."""
    file, *words = arguments.operands
    wanted = query.compile(" ".join(words))
    output = Output(arguments.output, None)
    secrets = Secrets()
    diagnostics = Diagnostics(None if arguments.reveal else secrets, verbose=arguments.verbose)
    progress = Progress(aside=not output.on_terminal)
    traffic = Traffic.open_recording(Path(file))
    try:
        judge(traffic, wanted)
        view = read_all(traffic, wanted, progress)
        source = Source(traffic, view.rows, not words, _redaction(arguments))
        if arguments.otlp_endpoint is not None:
            _post(arguments, export("otlp", source), secrets, diagnostics)
        else:
            size = 0
            with output.stream() as write:
                for piece in export(arguments.to, source):
                    if not write(piece if output.to_file else _shown(piece)):
                        return Exit.OK
                    size += len(piece)
                    progress.say(f"{len(view):,} frames: {bytes_size(size)} written …")
        progress.end()
        for note in show.notes(traffic):
            diagnostics.say(f"note: {note}")
    finally:
        progress.end()
        traffic.close()
    return Exit.OK


def _redaction(arguments: Arguments) -> Redaction | None:
    return None if arguments.no_redact else Redaction(patterns=patterns_of(load_settings().redact))


def _post(
    arguments: Arguments, requests: Iterator[bytes], secrets: Secrets, diagnostics: Diagnostics
) -> None:
    import asyncio

    from inspector.cli.targets import overrides_of
    from inspector.config.adhoc import from_url
    from inspector.session.dispatcher import IDLE
    from inspector.transports.collector import traces_url
    from inspector.workspace.exporting import post

    server = from_url(arguments.otlp_endpoint, overrides_of(arguments)).resolve(os.environ)
    for value, name in server.secrets:
        secrets.add(value, name)
    count, refused = asyncio.run(post(server, requests, timeout=arguments.timeout or IDLE))
    for said in refused:
        diagnostics.say(f"note: {said}")
    diagnostics.say(f"{count} spans were sent to {traces_url(server.launch.url or '')}")


def _shown(piece: bytes) -> bytes:
    """What a terminal may be sent: all pieces are made of whole lines, and of JSON where they are not ours."""
    return visible_json(piece.decode("utf-8", "replace")).encode()
