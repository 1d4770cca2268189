"""What went wrong with a process, in sentences with a next step."""

from __future__ import annotations

import errno
from pathlib import Path

from inspector.base.errors import SHORT_OF, Failure
from inspector.base.text import decode, quoted

_ELF = b"\x7fELF"


def _head(program: str) -> bytes:
    try:
        with Path(program).open("rb") as file:
            return file.read(200)
    except OSError:
        return b""


def _no_program(head: bytes) -> tuple[str, str]:
    """What a file is that the system does not start, and the next step."""
    if not head:
        return "it is empty", "install or build it again"
    if head.startswith((_ELF, b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")):
        return "it was built for another one, or is cut off", "take a build for this system and processor"
    if head.startswith(b"MZ"):
        return "it is one for Windows", "take a build for this system"
    if head.startswith(b"\xef\xbb\xbf#!"):
        return "a byte order mark stands before its #! line", "save it as UTF-8 without a byte order mark"
    return "it has no #! line", "start it through its interpreter, as in command: python3, args: [script.py]"


def spawn_failure(program: str, error: OSError | ValueError) -> Failure:
    """Why a program that was found could not be started."""
    if isinstance(error, ValueError):
        return Failure(
            kind="spawn",
            message=f"the command cannot be started: {error}",
            hint="look for NUL characters in args or env",
        )
    head = _head(program)
    if error.errno == errno.ENOENT and head.startswith(_ELF):
        return Failure(
            kind="not_found",
            message=f"{program} exists, but the loader that it needs does not",
            hint="it was built for another system (glibc and musl differ): take a build for this one",
        )
    if error.errno == errno.ENOENT:
        line = decode(head.split(b"\n")[0].removeprefix(b"#!")).strip(" ")
        hint = "install that interpreter or correct the first line"
        if line.endswith("\r"):
            hint = "the file has line ends of Windows (CRLF), which belong to the name there: save it with LF"
        return Failure(
            kind="not_found",
            message=f"{program} exists, but the interpreter named in its first line (#!) does not: {quoted(line, 80)}",
            hint=hint,
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return Failure(
            kind="not_executable", message=f"{program} may not be executed", hint=f"chmod +x {program}"
        )
    if error.errno == errno.ENOEXEC:
        what, hint = _no_program(head)
        message = f"{program} is no program for this system: {what}"
        return Failure(kind="not_executable", message=message, hint=hint)
    return Failure(
        kind="spawn",
        message=f"{program} could not be started: {error.strerror or error}",
        hint=SHORT_OF.get(error.errno or 0, "see the cause"),
    )
