"""Starts either front end; the only module that knows both."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.workspace.signals import Signals
    from inspector.workspace.workspace import Workspace


def main(argv: Sequence[str] | None = None) -> int:
    """The console script. Returns the exit code; never raises for anything a user or a server did."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["--version"], ["-V"]):
        from inspector import __version__

        print(f"mcp-inspect {__version__}")
        return 0
    from inspector.cli.main import main as command_line

    return command_line(words, _app)


async def _app(workspace: Workspace, signals: Signals, *, title: str) -> int:
    import gc

    # Nothing that is made on the way to the first paint dies before it: looking for garbage among it costs a tenth
    # of the start. The app begins to collect when it has painted.
    gc.disable()
    from inspector.tui.app import run

    return await run(workspace, signals, title=title)


if __name__ == "__main__":
    sys.exit(main())
