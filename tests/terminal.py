"""The program in a real terminal: a pseudo terminal of its own, as the controlling one, watched byte by byte."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parent.parent


class Terminal:
    """Runs `python -m inspector WORDS` on a pseudo terminal; `seen` is everything it wrote there.

    `under` is a script of a shell that leads the session, with APP where the program is started. `patch` is Python
    that runs in the process of the program before it, to make something in it fail. It asks about no call of a tool,
    unless there are settings.
    """

    def __init__(
        self,
        *words: str,
        columns: int = 120,
        rows: int = 40,
        under: str = "",
        patch: str = "",
        **environment: str,
    ) -> None:
        self.seen = b""
        self.code: int | None = None
        home = environment.get("MCP_INSPECT_HOME", os.environ["MCP_INSPECT_HOME"])
        settings = Path(home, "config", "settings.json")
        if not settings.exists():
            with contextlib.suppress(OSError):
                settings.parent.mkdir(parents=True, exist_ok=True)
                settings.write_text('{"approval": "never"}')
        remembered = Path(home, "state", "view.json")
        if not remembered.exists():
            # Who sees the app for the first time is shown hints.
            with contextlib.suppress(OSError):
                remembered.parent.mkdir(parents=True, exist_ok=True)
                remembered.write_text('{"hints": ["*"]}')
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.environ.update(
                {"TERM": "xterm-256color", "TEXTUAL_ANIMATIONS": "none", "PYTHONPATH": str(ROOT)}
            )
            for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR"):
                os.environ.pop(name, None)
            os.environ["LANG"] = "C.UTF-8"
            os.environ.update(environment)
            # Whoever runs the tests may have set these, and they win over the real size.
            for name in ("COLUMNS", "LINES"):
                os.environ.pop(name, None)
            # Whoever runs the tests may outlive a terminal (nohup); what is tested does not inherit that.
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            command = [sys.executable, "-m", "inspector", *words]
            if patch:
                command[1:3] = ["-c", f"{patch}\nfrom inspector.__main__ import script\nscript()"]
            if under:
                command = ["/bin/sh", "-c", under.replace("APP", shlex.join(command))]
            os.execv(command[0], command)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds: float = 0.1) -> bool:
        """Takes what came within the time; False when the terminal was closed at the other end."""
        if self._fd < 0:
            return False
        if not select.select([self._fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            return False
        self.seen += data
        return bool(data)

    def until(self, text: str, seconds: float = 30, *, after: int = 0) -> None:
        """Reads on until `text` was written, behind the first `after` bytes. Fails the test when it never comes."""
        end = time.monotonic() + seconds
        while self.seen.find(text.encode(), after) < 0:
            assert self.read() and time.monotonic() < end, f"{text!r} never came: {self.seen[-2000:]!r}"

    def type(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def press(self, *keys: str) -> None:
        """Types the keys one by one; each when the program has no more to paint for the one before, or goes on
        painting for other reasons. A lone escape takes longer: it might be the beginning of a sequence."""
        for key in keys:
            self.type(key)
            quiet, end = 0.25 if key == "\x1b" else 0.05, time.monotonic() + 1
            while time.monotonic() < end and select.select([self._fd], [], [], quiet)[0]:
                assert self.read(), f"it ended at {key!r}: {self.seen[-2000:]!r}"

    @property
    def mode(self) -> list[Any]:
        """The settings of the terminal, as of `termios`."""
        return termios.tcgetattr(self._fd)

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """The window is closed."""
        os.close(self._fd)
        self._fd = -1

    def wait(self, seconds: float = 30, *, reading: bool = True) -> int:
        """The exit code, negative for a signal. Fails the test when the program does not end."""
        end = time.monotonic() + seconds
        while self.code is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.code = os.waitstatus_to_exitcode(status)
                break
            assert time.monotonic() < end, f"it does not end: {self.seen[-2000:]!r}"
            if not reading or not self.read():
                select.select([], [], [], 0.02)
        return self.code

    def drain(self) -> None:
        """Takes what was written before the program ended."""
        while select.select([self._fd], [], [], 0)[0] and self.read():
            pass

    def children(self) -> list[int]:
        """All processes below the program."""
        return [child.pid for child in psutil.Process(self.pid).children(recursive=True)]

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._fd >= 0:
            os.close(self._fd)
