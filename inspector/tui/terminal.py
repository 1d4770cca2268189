"""The way to the terminal. Where it is gone (a window that was closed), that must not hold the end up; and a program
that started this one, such as make, goes to the background together with it."""

from __future__ import annotations

import os
import signal
from typing import IO, Any

from textual.driver import Driver


class _Forgiving:
    """A file whose writes may fail without anybody being told: the thread of the driver that writes would die of the
    first error, and the loop would wait for ever for it to take more."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except (OSError, ValueError):
            return len(text)

    def flush(self) -> None:
        try:
            self._file.flush()
        except (OSError, ValueError):
            pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """The driver for this platform, writing through a file that forgives."""

    class TerminalDriver(driver):  # type: ignore[misc,valid-type]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            if (file := getattr(self, "_file", None)) is not None:
                self._file = _Forgiving(file)

        def _sigtstp_application(self, *_: Any) -> None:
            """Stops the whole job as the terminal itself would: a parent in it would hold the shell up. As of
            Textual, whose driver stops only this process."""
            if self._auto_restart:
                self.suspend_application_mode()
                self._must_signal_resume = True
            os.killpg(os.getpgrp(), signal.SIGSTOP)

    return TerminalDriver
