"""Ends a run on SIGINT, SIGTERM, SIGHUP and the end of its terminal, though the event loop may be stuck in a write that
nobody reads."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from inspector.workspace.workspace import Workspace

PATIENCE = 10.0
"""Seconds for the polite end, more than all bounds of closing together; then everything is ended by force."""

LOOK = 1.0
"""Seconds between two looks at the terminal. A closed window is told to the leader of its session alone, which may be a
program that waits for us, such as make."""

_HANG_UP = getattr(signal, "SIGHUP", None)
_AT_ONCE = getattr(signal, "SIGQUIT", None)
_NUMBERS = [n for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if (n := getattr(signal, name, None))]


class Signals:
    """While the block runs, the first signal calls `told` on the loop; a second one, SIGQUIT, or ten seconds without an
    end, kills every process of the workspace and ends ours at once. `told` may be set anew by who runs inside.

    What was started to outlive its terminal (nohup) does so, unless it `needs_terminal`. The handlers are the
    interpreter's, not the loop's: those of the loop wait for a loop that is stuck.
    """

    def __init__(
        self, workspace: Workspace, told: Callable[[], object] = lambda: None, *, needs_terminal: bool = False
    ) -> None:
        outlives = _HANG_UP is not None and signal.getsignal(_HANG_UP) == signal.SIG_IGN
        self._numbers = [n for n in _NUMBERS if needs_terminal or n != _HANG_UP or not outlives]
        self._workspace = workspace
        self.told = told
        self._loop = asyncio.get_running_loop()
        self._before: dict[int, Any] = {}
        self._last_resort: threading.Timer | None = None
        self._look_again: asyncio.TimerHandle | None = None
        self.forced: Callable[[], object] = lambda: None
        """Called before an end by force, in any thread; must neither raise nor block."""
        self.code: int | None = None
        """128 and the number of the signal that came first, as shells have it; None where none came."""

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._got) for number in self._numbers}
        terminal = next((number for number in range(3) if os.isatty(number)), None)
        # Where it tells something before anything is wrong, this system cannot be asked in this way.
        if _HANG_UP in self._numbers and terminal is not None and not _is_gone(terminal):
            self._look_at(terminal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for timer in (self._last_resort, self._look_again):
            if timer is not None:
                timer.cancel()

    def _look_at(self, terminal: int) -> None:
        if not _is_gone(terminal):
            self._look_again = self._loop.call_later(LOOK, self._look_at, terminal)
        elif self.code is None:
            self._got(signal.SIGHUP, None)

    def _got(self, number: int, frame: FrameType | None) -> None:
        if self.code is not None:
            # A terminal that closes may hang up on its leader and on the foreground group: no second wish.
            if number != _HANG_UP:
                self._end_by_force()
            return
        self.code = 128 + number
        if number == _AT_ONCE:
            self._end_by_force()
        self._last_resort = threading.Timer(PATIENCE, self._end_by_force)
        self._last_resort.daemon = True
        self._last_resort.start()
        self._loop.call_soon_threadsafe(lambda: self.told())

    def _end_by_force(self) -> None:
        self._workspace.kill_now()
        self.forced()
        os._exit(self.code or 1)


def _is_gone(terminal: int) -> bool:
    """Whether nobody holds the other end of a terminal any more."""
    poll = select.poll()
    poll.register(terminal, 0)
    return bool(poll.poll(0))
