"""`tap`: stands between a client and a server, passes on what they say, and records it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, fail
from inspector.cli.arguments import Arguments, Usage

if TYPE_CHECKING:
    from inspector.tap.faulty import Faults

PATIENCE = 1.0
"""Seconds that our end may wait for the recorder's, once everything has been passed on."""
_HEADER = b'{"format":"mcp-inspect/recording"'


def run(arguments: Arguments) -> int:
    """Returns the exit code of the server, or ends by the signal that ended it. Raises Usage, Failed: io for a file
    that is no recording, else what keeps the server from starting."""
    if arguments.install or arguments.uninstall:
        from inspector.cli.verbs import tap_install

        return tap_install.run(arguments)
    if arguments.listen is not None:
        from inspector.cli.verbs import tap_listen

        return tap_listen.run(arguments)
    if arguments.command is None:
        raise Usage(
            "tap needs a server's command behind --, as in: mcp-inspect tap -o FILE -- npx -y some-server"
        )
    if arguments.operands:
        raise Usage(
            f"{arguments.operands[0]!r} stands where no TARGET can be: the command behind -- is the server"
        )
    return _shim(arguments, arguments.command)


def _shim(arguments: Arguments, command: list[str]) -> int:
    from inspector.tap.feed import Feed
    from inspector.tap.notes import Kind
    from inspector.tap.shim import Server, end_like, tap

    faults = _faults(arguments)
    order = order_of(arguments, {"transport": "stdio", "command": command, "cwd": os.getcwd()})
    server = Server(command, os.environ)
    feed = Feed(order)
    feed.put(Kind.SYSTEM, f"started {command[0]}, PID {server.process.pid}".encode())
    for word in arguments.fault or ():
        feed.put(Kind.SYSTEM, f"fault asked for: {word}".encode())
    code = tap(server, feed, faults)
    feed.put(Kind.SYSTEM, _ended(code).encode())
    feed.put(Kind.FACTS, _json({"exitCode": code} if code >= 0 else {"signal": -code}))
    tell(arguments, feed.close(PATIENCE), feed.dropped)
    if faults is not None and faults.exit_code is not None:
        return faults.exit_code
    return end_like(code)


def _faults(arguments: Arguments) -> Faults | None:
    if not arguments.fault:
        return None
    from inspector.cli.faulty import injector
    from inspector.tap.faulty import Faults

    found = injector(arguments, over_http=False)
    return Faults(found) if found is not None else None


def order_of(arguments: Arguments, facts: Mapping[str, Any]) -> dict[str, Any]:
    """See `tap.recorder.Order`."""
    if arguments.no_redact:
        say("--no-redact: the recording will hold secrets as they are sent")
    return {
        "path": None if arguments.output is None else str(_file(arguments)),
        "label": arguments.server[-1] if arguments.server else None,
        "facts": facts,
        "redact": not arguments.no_redact,
    }


def _file(arguments: Arguments) -> Path:
    """The file to record to. One that is no recording of ours is not touched. Raises Failed (io), also where it plainly
    cannot be written."""
    path = Path(arguments.output).absolute()
    try:
        with path.open("rb+") as file:
            head = file.readline(4096)
    except FileNotFoundError:
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
            raise _unwritable(path, f"{path.parent} is no folder that you may write to") from None
        return path
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    if head and not head.startswith(_HEADER):
        raise fail("io", f"{path} is no recording, so it is left alone", "choose another name for -o")
    if head and arguments.no_redact and b'"applied":true' in head:
        raise fail(
            "io",
            f"{path} says that its secrets are masked, and --no-redact would write them into it",
            "choose another name for -o",
        )
    return path


def _unwritable(path: Path, why: str) -> Failed:
    return fail("io", f"cannot write {path}: {why}", "choose another name for -o")


def _ended(code: int) -> str:
    if code >= 0:
        return f"exited with code {code}"
    from inspector.transports.process import signal_name

    return f"killed by {signal_name(-code)}"


def _json(facts: Mapping[str, Any]) -> bytes:
    import json

    return json.dumps(facts).encode()


def tell(arguments: Arguments, report: Mapping[str, Any], dropped: int) -> None:
    """Says on stderr what is missing from the recording; else stderr is the server's, unless more was asked for."""
    from inspector.base.text import bytes_size

    if error := report.get("error"):
        say(error)
    if report.get("late"):
        say("the recorder is still busy with what was passed on; the recording is whole when it is done")
    if dropped:
        say(f"{bytes_size(dropped)} were passed on and not recorded: the recorder could not keep up")
    if arguments.verbose and "rows" in report:
        say(f"{report['rows']} rows recorded to {report['path']}")


def say(text: str) -> None:
    from inspector.cli.diagnostics import Diagnostics

    Diagnostics(None).say(f"mcp-inspect tap: {text}")
