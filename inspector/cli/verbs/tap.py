"""`tap`: stands between a client and a server, passes on what they say, and records it."""

from __future__ import annotations

import os

from inspector.base.errors import Failed, Failure
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.verbs import tap_shim
from inspector.tap.server import Server


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
    faults = None
    if arguments.fault:
        from inspector.cli.faulty import injector
        from inspector.tap.faulty import Faults

        found = injector(arguments, over_http=False)
        faults = Faults(found) if found is not None else None
    wanted = tap_shim.Wanted()
    wanted.command = command
    wanted.redact = not arguments.no_redact
    wanted.output = None if arguments.output is None else tap_shim.file_of(arguments.output, wanted.redact)
    wanted.label = arguments.server[-1] if arguments.server else None
    wanted.verbose = arguments.verbose
    wanted.faults = arguments.fault or ()
    return tap_shim.run(wanted, _started(command), faults)


def _started(command: list[str]) -> Server:
    try:
        return Server(command)
    except (OSError, ValueError) as error:
        from inspector.base.programs import find_program
        from inspector.transports.stdio_failures import spawn_failure

        program = find_program(command[0], os.environ, os.getcwd())
        failure = program if isinstance(program, Failure) else spawn_failure(program, error)
        raise Failed(failure) from error
