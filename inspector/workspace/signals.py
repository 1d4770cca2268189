"""Ends a run on SIGINT, SIGTERM and SIGHUP, though the event loop may be stuck in a write that nobody reads."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from inspector.workspace.workspace import Workspace

PATIENCE = 10.0
"""Seconds for the polite end, more than all bounds of closing together; then everything is ended by force."""

_HANG_UP = getattr(signal, "SIGHUP", None)
_NUMBERS = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]


class Signals:
    """While the block runs, the first signal calls `told` on the loop; a second one, or ten seconds without an end,
    kills every process of the workspace and ends ours at once. `told` may be set anew by who runs inside.

    The handlers are the interpreter's, not the loop's: those of the loop wait for a loop that is stuck.
    """

    def __init__(self, workspace: Workspace, told: Callable[[], object] = lambda: None) -> None:
        self._workspace = workspace
        self.told = told
        self._loop = asyncio.get_running_loop()
        self._before: dict[int, Any] = {}
        self._last_resort: threading.Timer | None = None
        self.code: int | None = None
        """128 and the number of the signal that came first, as shells have it; None where none came."""

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._got) for number in _NUMBERS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._last_resort is not None:
            self._last_resort.cancel()

    def _got(self, number: int, frame: FrameType | None) -> None:
        if self.code is not None:
            # A terminal that closes may hang up on its leader and on the foreground group: no second wish.
            if number != _HANG_UP:
                self._end_by_force()
            return
        self.code = 128 + number
        self._last_resort = threading.Timer(PATIENCE, self._end_by_force)
        self._last_resort.daemon = True
        self._last_resort.start()
        self._loop.call_soon_threadsafe(lambda: self.told())

    def _end_by_force(self) -> None:
        self._workspace.kill_now()
        os._exit(self.code or 1)
