"""`log`: prints the frames of a recording, all or those that a filter finds."""

from __future__ import annotations

from pathlib import Path

from inspector.base.errors import Exit
from inspector.base.secrets import Secrets
from inspector.base.text import visible_json
from inspector.cli.arguments import Arguments
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.progress import Progress, read_all
from inspector.traffic import query, show
from inspector.traffic.store import Traffic
from inspector.traffic.views import View

_AT_ONCE = 500


def run(arguments: Arguments) -> int:
    """Text lines, or with `--json` the recorded lines as they are, but for the escapes of all that `visible_json` hides
    from a terminal. A crashed recording is printed as far as it
    goes, with a note on stderr. Raises Failed: io, unsupported, config (a filter that cannot be read)."""
    file, *words = arguments.operands
    wanted = query.compile(" ".join(words))
    diagnostics = Diagnostics(None if arguments.reveal else Secrets())
    output = Output(arguments.output, None)
    progress = Progress(aside=not output.on_terminal)
    traffic = Traffic.open_recording(Path(file))
    try:
        view = read_all(traffic, wanted, progress)
        mask = None if arguments.reveal else diagnostics.mask
        with output.stream() as write:
            for start in range(0, len(view), _AT_ONCE):
                rows = [view[place] for place in range(start, min(start + _AT_ONCE, len(view)))]
                if arguments.json:
                    lines = b"".join(line + b"\n" for line in show.json_lines(traffic, rows))
                    if not output.to_file:
                        lines = visible_json(lines.decode("utf-8", "replace")).encode()
                else:
                    lines = "".join(line + "\n" for line in show.text_lines(traffic, rows, mask)).encode()
                if not write(lines):
                    return Exit.OK
                progress.say(f"{start:,} of {len(view):,} frames written …")
        progress.end()
        if words and not len(view) and len(traffic):
            every = View(traffic)
            every.extend()
            diagnostics.say(f"note: none of the {len(every)} frames fits the filter")
        for note in show.notes(traffic):
            diagnostics.say(f"note: {note}")
    finally:
        progress.end()
        traffic.close()
    return Exit.OK
