"""What went wrong with a process, in sentences with a next step."""

from __future__ import annotations

import errno

from inspector.base.errors import Failure
from inspector.base.text import duration
from inspector.transports.base import ProcessFacts

_SHORT_OF = {
    errno.EMFILE: "a process may have more files open after ulimit -n 1024; or start fewer servers at once",
    errno.ENFILE: "the system has too many files open; end other programs",
    errno.EAGAIN: "you may have more processes after raising ulimit -u; or start fewer servers at once",
    errno.ENOMEM: "the system is short of memory; end other programs",
    errno.E2BIG: "args and env together are too long for this system; shorten them",
}


def ending(facts: ProcessFacts) -> str:
    """How a process ended, and after how long."""
    after = ""
    if facts.started is not None and facts.ended is not None:
        after = f" after {duration(max(0.0, facts.ended - facts.started))}"
    if facts.signal:
        return f"killed by {facts.signal}{after}"
    if facts.exit_code is None:
        return f"ended{after}"
    return f"exited with code {facts.exit_code}{after}"


def spawn_failure(program: str, error: OSError | ValueError) -> Failure:
    """Why a program that was found could not be started."""
    if isinstance(error, ValueError):
        return Failure(
            kind="spawn",
            message=f"the command cannot be started: {error}",
            hint="look for NUL characters in args or env",
        )
    if error.errno == errno.ENOENT:
        return Failure(
            kind="not_found",
            message=f"{program} exists, but the interpreter named in its first line (#!) does not",
            hint="install that interpreter or correct the first line",
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return Failure(
            kind="not_executable", message=f"{program} may not be executed", hint=f"chmod +x {program}"
        )
    if error.errno == errno.ENOEXEC:
        return Failure(
            kind="not_executable",
            message=f"{program} is no program for this system: it has no #! line or another architecture",
            hint="start it through its interpreter, as in command: python3, args: [script.py]",
        )
    return Failure(
        kind="spawn",
        message=f"{program} could not be started: {error.strerror or error}",
        hint=_SHORT_OF.get(error.errno or 0, "see the cause"),
    )
