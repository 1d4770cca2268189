"""Starts either front end; the only module that knows both."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # To load typing takes half as long as Python to start, and there are servers that wait for no more than this.
    from collections.abc import Sequence
    from typing import NoReturn

    from inspector.cli.main import ServeWeb
    from inspector.workspace.signals import Signals
    from inspector.workspace.workspace import Workspace


def main(argv: Sequence[str] | None = None) -> int:
    """The console script. Returns the exit code; never raises for anything a user or a server did."""
    # Nothing that is made while modules load dies before they are loaded: looking for garbage among it costs a tenth
    # of a call. Whoever runs on collects again: a verb from its first connection, the app from its first paint.
    gc.disable()
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["--version"], ["-V"]):
        from inspector import __version__

        try:
            print(f"mcp-inspect {__version__}", flush=True)
        except OSError:
            return 2
        return 0
    if words[:1] == ["tap"]:
        from inspector.cli.verbs import tap_shim

        if (begun := tap_shim.at_a_glance(words[1:])) is not None:
            try:
                return tap_shim.run(*begun)
            except Exception as error:
                from inspector.cli.main import refused

                return refused(words, error)
    try:
        from inspector.cli.main import main as command_line

        return command_line(words, _app, _web)
    except KeyboardInterrupt:
        # So early that nothing runs yet.
        return 130


def _web() -> ServeWeb:
    from inspector.tui.web import serve

    return serve


async def _app(workspace: Workspace, signals: Signals, *, title: str, problems: Sequence[str]) -> int:
    from inspector.tui.app import run

    return await run(workspace, signals, title=title, problems=problems)


def script() -> NoReturn:
    """The process of the console script, from its start to its end."""
    _fill_standard_streams()
    code = main()
    try:
        sys.stdout.flush()
    except OSError:
        pass
    # The interpreter's own way out takes another tenth of a call, to free what the system frees at once. All that
    # must be closed has been closed: connections by their workspace, files by their owners.
    os._exit(code)


def _fill_standard_streams() -> None:
    """A stream that was closed when we were started leads nowhere: else the next file that is opened would take its
    number, and what is printed would end up in it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        nowhere = os.open(os.devnull, os.O_RDWR)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)
        setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


if __name__ == "__main__":
    script()
