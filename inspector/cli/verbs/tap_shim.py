"""`tap -- COMMAND`: the server runs before anything else is loaded, and what then is loaded it does not wait for."""

from __future__ import annotations

import os
import stat

from inspector.tap.server import Server, end_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from inspector.tap.faulty import Faults

PATIENCE = 1.0
"""Seconds that our end may wait for the recorder's, once everything has been passed on."""
_HEADER = b'{"format":"mcp-inspect/recording"'


class Wanted:
    """What a tap is to do. `faults` are the words of `--fault`, of which some may be for HTTP."""

    def __init__(self) -> None:
        self.command: list[str] = []
        self.output: str | None = None
        self.label: str | None = None
        self.redact = True
        self.verbose = False
        self.faults: Sequence[str] = ()


def at_a_glance(words: list[str]) -> tuple[Wanted, Server] | None:
    """A tap whose words, those behind the verb, need no parser, and its server, which is started already. None where
    anything is unusual or does not work at once: the long way does it then, or says why not."""
    wanted = _read(words)
    if wanted is None:
        return None
    try:
        if wanted.output is not None:
            wanted.output = file_of(wanted.output, wanted.redact)
            if any(_is_same(word, wanted.output) for word in wanted.command):
                return None
        return wanted, Server(wanted.command)
    except Exception:
        return None


def _read(words: list[str]) -> Wanted | None:
    if "--" not in words[:-1]:
        return None
    mark = words.index("--")
    wanted = Wanted()
    wanted.command = words[mark + 1 :]
    ours = iter(words[:mark])
    for word in ours:
        if word in ("-v", "--verbose"):
            wanted.verbose = True
            continue
        if word == "--no-redact":
            wanted.redact = False
            continue
        name, is_one, value = word.partition("=") if word.startswith("--") else (word, "", "")
        value = value if is_one else next(ours, "")
        if not value or value.startswith("-"):
            return None
        if name in ("-o", "--output"):
            wanted.output = value
        elif name in ("-s", "--server"):
            wanted.label = value
        else:
            return None
    return wanted


def _is_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def run(wanted: Wanted, server: Server, faults: Faults | None = None) -> int:
    """Returns the exit code of the server, or ends by the signal that ended it."""
    from inspector.tap.feed import Feed
    from inspector.tap.notes import Kind
    from inspector.tap.shim import tap

    if not wanted.redact:
        say(UNREDACTED)
    facts = {"transport": "stdio", "command": wanted.command, "cwd": os.getcwd(), "pid": server.process.pid}
    feed = Feed(
        {
            "path": wanted.output,
            "label": wanted.label,
            "facts": facts,
            "redact": wanted.redact,
            "client": os.getppid(),
        }
    )
    feed.put(Kind.SYSTEM, f"started {wanted.command[0]}, PID {server.process.pid}".encode())
    for word in wanted.faults:
        feed.put(Kind.SYSTEM, f"fault asked for: {word}".encode())
    code = tap(server, feed, faults)
    feed.put(Kind.SYSTEM, _ended(code).encode())
    feed.put(Kind.FACTS, _json({"exitCode": code} if code >= 0 else {"signal": -code}))
    tell(feed.close(PATIENCE), feed.dropped, wanted.verbose)
    if faults is not None and faults.exit_code is not None:
        return faults.exit_code
    return end_like(code)


UNREDACTED = "--no-redact: the recording will hold secrets as they are sent"


def file_of(output: str, redact: bool) -> str:
    """The file to record to. One that is no recording of ours is not touched. Raises Failed (io), also where it plainly
    cannot be written."""
    path = os.path.abspath(output)
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode)):
            raise _unwritable(path, "it is no regular file")
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        head = os.read(descriptor, 4096).partition(b"\n")[0]
        os.close(descriptor)
    except FileNotFoundError:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
            raise _unwritable(path, f"{folder} is no folder that you may write to") from None
        return path
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    if head and not head.startswith(_HEADER):
        raise _refused(f"{path} is no recording, so it is left alone")
    if head and not redact and b'"applied":true' in head:
        raise _refused(f"{path} says that its secrets are masked, and --no-redact would write them into it")
    return path


def _unwritable(path: str, why: str) -> Exception:
    return _refused(f"cannot write {path}: {why}")


def _refused(why: str) -> Exception:
    from inspector.base.errors import fail

    return fail("io", why, "choose another name for -o")


def _ended(code: int) -> str:
    if code >= 0:
        return f"exited with code {code}"
    from inspector.transports.process import signal_name

    return f"killed by {signal_name(-code)}"


def _json(facts: Mapping[str, Any]) -> bytes:
    import json

    return json.dumps(facts).encode()


def tell(report: Mapping[str, Any], dropped: int, verbose: bool) -> None:
    """Says on stderr what is missing from the recording; else stderr is the server's, unless more was asked for."""
    if error := report.get("error"):
        say(error)
    if report.get("late"):
        say("the recorder is still busy with what was passed on; the recording is whole when it is done")
    if dropped:
        from inspector.base.text import bytes_size

        say(f"{bytes_size(dropped)} were passed on and not recorded: the recorder could not keep up")
    if verbose and "rows" in report:
        say(f"{report['rows']} rows recorded to {report['path']}")


def say(text: str) -> None:
    from inspector.cli.diagnostics import Diagnostics

    Diagnostics(None).say(f"mcp-inspect tap: {text}")
