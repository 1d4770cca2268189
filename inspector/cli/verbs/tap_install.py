"""`tap --install` and `--uninstall`: change one entry of a client's config, after it was shown and agreed to."""

from __future__ import annotations

import sys
from pathlib import Path

from inspector.base.errors import Exit, fail
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.diagnostics import Diagnostics
from inspector.cli.output import Output
from inspector.cli.questions import can_ask
from inspector.tap.install import install, uninstall


def run(arguments: Arguments) -> int:
    """With `--json` a document with the file, the server and the backup. Raises Usage, Failed: config, io."""
    if arguments.install and arguments.uninstall:
        raise Usage("--install and --uninstall at once: which is meant?")
    if arguments.command is not None or arguments.operands:
        raise Usage(
            "--install and --uninstall take CONFIG SERVER and nothing else: the command stands in the config"
        )
    file, server = arguments.install or arguments.uninstall
    project = Path(arguments.project_dir) if arguments.project_dir else None
    change = (
        install(Path(file), server, arguments.output, project)
        if arguments.install
        else uninstall(Path(file), server, project)
    )
    diagnostics = Diagnostics(None)
    for line in change.diff():
        diagnostics.say(line)
    if not arguments.yes:
        if not can_ask():
            raise fail("config", f"{change.path} would be changed like this", "allow it with --yes")
        diagnostics.say(f"Write this to {change.path}? [y/N]")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            diagnostics.say("nothing was changed")
            return Exit.FAILURE
    backup = change.write()
    if change.as_in is not None:
        diagnostics.say(f"the file is again what {change.as_in.name} keeps of it, byte for byte")
    diagnostics.say(f"the old file is kept as {backup}; restart {server} in its client")
    if arguments.json:
        Output(None, None).document({"path": str(change.path), "server": server, "backup": str(backup)})
    return Exit.OK
