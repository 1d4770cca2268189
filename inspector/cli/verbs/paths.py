"""`paths`: where our own files are."""

from __future__ import annotations

from inspector.base.errors import Exit
from inspector.base.paths import paths
from inspector.cli.arguments import Arguments
from inspector.cli.output import Output
from inspector.cli.tables import table


def run(arguments: Arguments) -> int:
    known = paths().as_json()
    output = Output(arguments.output, None)
    if arguments.json:
        output.document(known)
    else:
        output.text(table([["NAME", "PATH"], *([name, path] for name, path in known.items())]))
    return Exit.OK
