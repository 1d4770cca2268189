"""The app in a real terminal (a pty), seen from outside: keys go in, what it paints comes out, the system tells what it
costs. For Linux."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME, END, PAGE_UP, PAGE_DOWN, UP, DOWN, ENTER, ESCAPE, CTRL_U = (
    b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x1b[A", b"\x1b[B", b"\r", b"\x1b", b"\x15",
)  # fmt: skip
_QUIET = 0.03
_LISTED = re.compile(rb"([\d,]+) of ([\d,]+)")


class Terminal:
    """Runs `mcp-inspect WORDS` in a home of its own."""

    def __init__(self, *words: str, home: Path, rows: int = 40, columns: int = 120) -> None:
        self.began = time.perf_counter()
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(
                {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none",
                 "MCP_INSPECT_HOME": str(home), "PYTHONPATH": str(ROOT)}
            )  # fmt: skip
            os.execv(sys.executable, [sys.executable, "-m", "inspector", *words])
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.painted = b""
        """All that was painted since the last keys."""
        self._listed = 0, 0

    @property
    def age(self) -> float:
        """Milliseconds since it was started."""
        return (time.perf_counter() - self.began) * 1000

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            return False
        self.painted += os.read(self._terminal, 1 << 16)
        return True

    def press(self, keys: bytes) -> None:
        while self._read(0):
            pass
        self._note()
        self.painted = b""
        os.write(self._terminal, keys)

    def wait(self, pattern: bytes, seconds: float = 60) -> float:
        """Milliseconds until the pattern was painted."""
        began = time.perf_counter()
        expression = re.compile(pattern)
        while not expression.search(self.painted):
            self._read(1)
            if time.perf_counter() - began > seconds:
                raise TimeoutError(f"{pattern!r} was not painted: {self.painted[-500:]!r}")
        return (time.perf_counter() - began) * 1000

    def settle(self, quiet: float = _QUIET) -> float:
        """Milliseconds until the last thing was painted before so many seconds in which nothing was."""
        began = last = time.perf_counter()
        while self._read(quiet if self.painted else 5):
            last = time.perf_counter()
        return (last - began) * 1000

    def rest(self, seconds: float) -> None:
        """Reads along for a while."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self._read(left)

    def listed(self) -> tuple[int, int]:
        """How many frames the list last said that it shows, and of how many."""
        self._note()
        return self._listed

    def newest(self, pattern: bytes) -> int:
        """The highest number that was painted since the last keys, as the group of the pattern."""
        return max(map(int, re.findall(pattern, self.painted)), default=0)

    def _note(self) -> None:
        if found := _LISTED.findall(self.painted):
            shown, total = (int(number.replace(b",", b"")) for number in found[-1])
            self._listed = shown, total

    def cpu(self) -> float:
        """Milliseconds of processor time so far."""
        return sum(int(file.read_text().split()[0]) for file in self._facts.glob("task/*/schedstat")) / 1e6

    def memory(self, name: str = "VmRSS") -> float:
        """MiB that are resident now, or (VmHWM) were at most."""
        return int((self._facts / "status").read_text().split(f"{name}:")[1].split()[0]) / 1024

    @property
    def _facts(self) -> Path:
        return Path(f"/proc/{self.pid}")

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._terminal)
