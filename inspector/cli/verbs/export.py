"""`export`: writes the frames of a recording, all or those that a filter finds, in another format."""

from __future__ import annotations

from pathlib import Path

from inspector.base.errors import Exit
from inspector.base.text import visible_json
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.traffic import query
from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.traffic.redact import Redaction
from inspector.traffic.store import Traffic
from inspector.traffic.views import View


def run(arguments: Arguments) -> int:
    """Secrets are masked as in a recording, unless `--no-redact` is given. Raises Usage, Failed: io, unsupported,
    config (a filter that cannot be read)."""
    file, *words = arguments.operands
    wanted = query.compile(" ".join(words))
    output = Output(arguments.output, None)
    traffic = Traffic.open_recording(Path(file))
    try:
        if output.to_file and Path(arguments.output).exists() and Path(file).samefile(arguments.output):
            raise Usage(f"-o {arguments.output} is the recording itself: name another file")
        view = View(traffic, wanted)
        traffic.advance()
        view.extend()
        source = Source(traffic, view.rows, not words, None if arguments.no_redact else Redaction())
        with output.stream() as write:
            for piece in export(arguments.to, source):
                if not write(piece if output.to_file else _shown(piece)):
                    return Exit.OK
        for note in traffic.notes:
            Diagnostics(None).say(f"note: {note}")
    finally:
        traffic.close()
    return Exit.OK


def _shown(piece: bytes) -> bytes:
    """What a terminal may be sent: all pieces are made of whole lines, and of JSON where they are not ours."""
    return visible_json(piece.decode("utf-8", "replace")).encode()
