"""A command between a client and the server that it starts: three streams passed on, signals and the end of the
server too, so that the client cannot tell the difference."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from inspector.base.errors import Failed, Failure
from inspector.tap.feed import Feed, write_all
from inspector.tap.notes import Kind

if TYPE_CHECKING:
    from inspector.tap.faulty import Faults

_CHUNK = 1 << 16
_QUIET = 0.2
"""Seconds without a byte, after the server has ended, until a stream that somebody else holds open is given up."""
_TOGETHER = 0.02
"""Seconds in which what a group is sent reaches all of it."""
_FILES = 1024
_PASSED = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


class Pump(threading.Thread):
    """Moves one stream. Its end, on either side, is passed on to the other."""

    def __init__(self, source: int, target: int, kind: Kind, feed: Feed) -> None:
        super().__init__(name=kind.name, daemon=True)
        self.source, self.target = source, target
        self.moved = 0
        self.busy = False
        self.kind = kind
        self.feed = feed

    def run(self) -> None:
        try:
            self._move()
        except OSError:
            pass  # the reader is gone, or the writer was killed: each side is told by what is closed below
        finally:
            self.busy = False
            _close(self.source)
            _close(self.target)

    def _move(self) -> None:
        kind, put, source, target = self.kind, self.feed.put, self.source, self.target
        while data := os.read(source, _CHUNK):
            self.busy = True
            # To take a note is to append a reference: no byte waits for it. Taken before the write, notes are in
            # the order of cause and effect, whoever of the threads runs next.
            put(kind, data)
            write_all(target, data)
            self.moved += len(data)
            self.busy = False

    def finish(self) -> None:
        """Waits until all is moved that the server wrote. A child of it may hold the stream open for ever: silence
        counts as the end; a client that does not read is waited for."""
        before = -1
        while self.is_alive() and (self.busy or before != self.moved):
            before = self.moved
            self.join(_QUIET)


class Server:
    """The server that was started, and our ends of its three pipes."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """In our own process group, so that who ends the group ends it too. Raises Failed."""
        program = command[0] if os.name == "posix" else _found(command[0], environment)
        theirs_in, self.stdin = os.pipe()
        self.stdout, theirs_out = os.pipe()
        self.stderr, theirs_err = os.pipe()
        try:
            self.process = subprocess.Popen(
                [program, *command[1:]], stdin=theirs_in, stdout=theirs_out, stderr=theirs_err
            )
        except (OSError, ValueError) as error:
            from inspector.transports.stdio_failures import spawn_failure

            raise Failed(spawn_failure(_found(command[0], environment), error)) from error
        self.sentinel = Sentinel() if os.name == "posix" else None
        for descriptor in (theirs_in, theirs_out, theirs_err):
            os.close(descriptor)


class Sentinel:
    """A process of our group that only waits for our end, or to be ended by what the whole group is sent: then the
    server has it already. Begun before there are threads."""

    def __init__(self) -> None:
        waits, self._lives = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            for name in _PASSED:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            os.dup2(waits, 0)
            os.closerange(1, _FILES)
            os.read(0, 1)
            os._exit(0)
        os.close(waits)

    def has(self, number: int) -> bool:
        """Whether it was ended by this signal just now."""
        end = time.monotonic() + _TOGETHER
        while self._pid:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._pid = 0
                return os.WIFSIGNALED(status) and os.WTERMSIG(status) == number
            if time.monotonic() > end:
                break
            time.sleep(0.001)
        return False


def _found(command: str, environment: Mapping[str, str]) -> str:
    """Looked for here where the system does not look as shells do, and to tell why a start failed. Raises Failed."""
    from inspector.base.programs import find_program

    program = find_program(command, environment, os.getcwd())
    if isinstance(program, Failure):
        raise Failed(program)
    return program


def tap(server: Server, feed: Feed, faults: Faults | None = None) -> int:
    """Passes everything on until the server has ended, but for what the `faults` change. Returns its exit code; below
    zero the signal that ended it."""
    _pass_signals(server, deaf=faults is not None and faults.injector.has("ignore-term"))
    if os.name != "posix":
        _take_bytes()
    ways = (
        (0, server.stdin, Kind.SENT),
        (server.stdout, 1, Kind.RECEIVED),
        (server.stderr, 2, Kind.STDERR),
    )
    pumps = [Pump(*way, feed) if faults is None else faults.pump(server.process, *way, feed) for way in ways]
    for pump in pumps:
        pump.start()
    code = server.process.wait()
    for pump in pumps[1:]:
        pump.finish()
    return code


def end_like(code: int) -> int:
    """Ends this process by the signal that ended the server; returns the exit code where there was none."""
    if code >= 0:
        return code
    number = -code
    if os.name == "posix":
        import resource

        # The server has left its memory behind already, if it was to.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return 128 + number


def _pass_signals(server: Server, *, deaf: bool) -> None:
    process, sentinel = server.process, server.sentinel

    def passed(number: int, frame: FrameType | None) -> None:
        if deaf or process.returncode is not None or (sentinel is not None and sentinel.has(number)):
            return
        process.send_signal(number)

    for name in _PASSED if os.name == "posix" else ():
        number = getattr(signal, name)
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, passed)
    if os.name != "posix":
        # A console tells all its processes by itself.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _close(descriptor: int) -> None:
    if descriptor == 2:
        return  # at the end there may be something to say
    try:
        if descriptor > 2:
            os.close(descriptor)
        else:
            # Its number stays taken, or the next file that is opened would be our stdout.
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
    except OSError:
        pass


def _take_bytes() -> None:
    """Windows translates line ends of standard streams unless it is told not to."""
    import msvcrt

    for descriptor in (0, 1, 2):
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined]
