"""The way to the terminal and back. Where it is gone (a window that was closed), that must not hold the end up; however
the app ends, the terminal is given back as it was; and a program that started this one, such as make, goes to the
background together with it."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from typing import IO, Any

from textual.driver import Driver

_MOMENT = 0.5
"""Seconds that a terminal which may be read by nobody is waited for."""
_BACK = (
    b"\x18"  # ends a sequence that was cut off
    b"\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l"
    b"\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l\x1b[0m"
)
"""Undoes what Textual asks of a terminal: paste, wrap, resize, mouse, keys, other screen, cursor, focus, colours."""


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


def terminal_driver(driver: type[Driver]) -> type[Driver]:
    """The driver for this platform, that forgives and gives back."""
    if driver.__name__ == "WebDriver":
        return _browser_driver(driver)

    class TerminalDriver(driver):  # type: ignore[misc,valid-type]
        _taken = False

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            if (file := getattr(self, "_file", None)) is not None:
                self._file = _Forgiving(file)

        def start_application_mode(self) -> None:
            self._taken = True
            super().start_application_mode()

        def stop_application_mode(self) -> None:
            super().stop_application_mode()
            self._taken = False

        def write(self, data: str) -> None:
            writer = getattr(self, "_writer_thread", None)
            # Once it has ended, as on a terminal that was gone when we came back, nobody would ever take it.
            if writer is None or writer.is_alive():
                super().write(data)

        def give_back(self) -> None:
            """Brings the terminal into order where the usual way did not; in any thread, and without waiting long."""
            writer = getattr(self, "_writer_thread", None)
            if writer is not None and writer.is_alive():
                try:
                    writer._queue.put_nowait(None)
                except queue.Full:
                    pass
                writer.join(_MOMENT)
            if self._taken and os.name == "posix":
                self._taken = False
                # Nobody may be reading: the write is not waited for longer than a moment.
                thread = threading.Thread(target=_restore, args=(self.fileno, self.attrs_before), daemon=True)
                thread.start()
                thread.join(_MOMENT)

        def _run_input_thread(self) -> None:
            try:
                self.run_input_thread()
            except OSError:
                # The terminal is gone.
                os.kill(os.getpid(), signal.SIGHUP)
            except Exception as error:
                self._app.call_later(self._app.give_up, "the reader of keys", error)

        def _sigtstp_application(self, *_: Any) -> None:
            self._on_loop(self._stop)

        def _sigcont_application(self, *_: Any) -> None:
            self._on_loop(self._go_on)

        def _on_loop(self, work: Callable[[], None]) -> None:
            # Textual works in the handler itself, which may have come between two steps of a write, and then waits for
            # ever for a lock that is its own.
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(work)

        def _stop(self) -> None:
            """Stops the whole job as the terminal itself would: a parent in it would hold the shell up. As of
            Textual, whose driver stops only this process."""
            if not can_come_back():
                return
            if self._auto_restart and self._taken:
                self.suspend_application_mode()
                self._must_signal_resume = True
            os.killpg(os.getpgrp(), signal.SIGSTOP)

        def _go_on(self) -> None:
            """Starts anew also after a stop that nobody could see coming (SIGSTOP). Textual would take its own settings
            of the terminal for those that were there before, and read keys twice."""
            if not self._auto_restart or not self._app.is_running:
                return
            if self._taken:
                self.suspend_application_mode()
                self._must_signal_resume = True
            self.resume_application_mode()

    return TerminalDriver


def _browser_driver(driver: type[Driver]) -> type[Driver]:
    """The driver for a browser, behind which stands `serve-web`: where that is gone there is nobody to paint for."""

    class BrowserDriver(driver):  # type: ignore[misc,valid-type]
        _write: Callable[[bytes], Any]

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            write = self._write

            def forgiving(data: bytes) -> None:
                try:
                    while data:
                        data = data[write(data) :]
                except OSError:
                    pass

            self._write = forgiving

        def run_input_thread(self) -> None:
            super().run_input_thread()
            self._app.call_later(self._app.exit)

    return BrowserDriver


def _restore(terminal: int, attributes: list[Any] | None) -> None:
    import termios

    try:
        if attributes is not None:
            termios.tcsetattr(terminal, termios.TCSANOW, attributes)
        os.write(2, _BACK)
    except (OSError, termios.error):
        pass


def can_come_back() -> bool:
    """Whether a shell watches over our job, that can continue it when it was stopped. Else (`xterm -e`) a stop would
    be for good, and the system stops nobody for ctrl+z (POSIX: an orphaned process group)."""
    if os.name != "posix":
        return False
    import psutil

    try:
        for parent in psutil.Process().parents():
            if os.getpgid(parent.pid) != os.getpgrp():
                return os.getsid(parent.pid) == os.getsid(0)
    except (OSError, psutil.Error):
        pass
    return False
