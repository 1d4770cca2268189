"""The server behind a tap: started before anything else is loaded, for its client waits; and what it is sent."""

from __future__ import annotations

import os
import signal
import subprocess
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

_TOGETHER = 0.02
"""Seconds in which what a group is sent reaches all of it."""
_FILES = 1024
_PASSED = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


class Server:
    """The server that was started, and our ends of its three pipes. From now on signals for us are passed on to it,
    unless `deaf` is set."""

    process: subprocess.Popen[bytes]

    def __init__(self, command: Sequence[str]) -> None:
        """In our own process group, so that who ends the group ends it too, with what a client hands down beside the
        three streams. Raises OSError, ValueError."""
        self.command = command
        self.deaf = False
        self.sentinel: Sentinel | None = None
        self._early: list[int] | None = []
        if os.name == "posix":
            for name in _PASSED:
                number = getattr(signal, name)
                if signal.getsignal(number) != signal.SIG_IGN:
                    signal.signal(number, self._passed)
        else:
            # A console tells all its processes by itself.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        theirs_in, self.stdin = os.pipe()
        self.stdout, theirs_out = os.pipe()
        self.stderr, theirs_err = os.pipe()
        try:
            line, in_shell = _line(command)
            self.process = subprocess.Popen(
                line,
                shell=in_shell,
                stdin=theirs_in,
                stdout=theirs_out,
                stderr=theirs_err,
                close_fds=os.name != "posix",
            )
        except BaseException:
            for descriptor in (self.stdin, self.stdout, self.stderr):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (theirs_in, theirs_out, theirs_err):
                os.close(descriptor)
        if os.name == "posix":
            try:
                self.sentinel = Sentinel()
            except OSError:
                pass  # no room for one more process: what a group is sent may reach the server twice
        early, self._early = self._early, None
        for number in early:
            self._passed(number, None)

    def wait(self) -> int:
        """Until it has ended; to be called by the main thread, once. Returns its exit code, below zero the signal that
        ended it."""
        if os.name != "posix":
            return self.process.wait()
        # A signal that comes just before a wait begins, or to another thread, does not end the wait: what has come is
        # written down by the interpreter, and read here.
        told, tells = os.pipe()
        os.set_blocking(tells, False)
        signal.set_wakeup_fd(tells, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        while (code := self.process.poll()) is None:
            os.read(told, _FILES)
        return code

    def _passed(self, number: int, frame: FrameType | None) -> None:
        if self._early is not None:
            self._early.append(number)
            return
        process, sentinel = self.process, self.sentinel
        if self.deaf or process.returncode is not None or (sentinel is not None and sentinel.has(number)):
            return
        process.send_signal(number)


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


def _line(command: Sequence[str]) -> tuple[str | list[str], bool]:
    """The program is looked for here where the system does not look as shells do; whether a shell has to read the
    line."""
    if os.name == "posix":
        return list(command), False
    from inspector.base.errors import Failure
    from inspector.base.programs import batch_line, find_program, is_batch

    found = find_program(command[0], os.environ, os.getcwd())
    program = command[0] if isinstance(found, Failure) else found
    if is_batch(program):
        return batch_line(program, command[1:]), True
    return [program, *command[1:]], False


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
