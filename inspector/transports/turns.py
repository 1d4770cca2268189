"""Hands over what a pipe brought, a while at a time: a burst must not hold up the loop."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

_TURN, _REST = 0.005, 0.001
"""Seconds that frames are handed over without a break, and the break: in a burst, everything else runs then."""
_MOST_WAITING = 64
"""Lots that may wait before the pipe is left alone."""


class Turns:
    """The lots that wait, in order. `pipe` is the one they come from; it is not read on while too many wait."""

    def __init__(self) -> None:
        self.pipe: asyncio.ReadTransport | None = None
        self._waiting: deque[Callable[[], None]] = deque()
        self._next: asyncio.TimerHandle | None = None
        self._paused = False

    def add(self, lot: Callable[[], None]) -> None:
        """A lot, to be handed over by calling it; `go` begins with it."""
        self._waiting.append(lot)

    def go(self) -> None:
        """Hands over what waits, at once or when its turn comes."""
        if self._next is None:
            self._take_turn()

    def finish(self) -> None:
        """Hands over all that is left: the end is near, and nobody waits any more."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        while self._waiting:
            self._waiting.popleft()()
        self._read(True)

    def _take_turn(self) -> None:
        self._next = None
        until = time.monotonic() + _TURN
        waiting = self._waiting
        while waiting:
            waiting.popleft()()
            if waiting and time.monotonic() > until:
                self._next = asyncio.get_running_loop().call_later(_REST, self._take_turn)
                break
        self._read(len(waiting) <= _MOST_WAITING)

    def _read(self, on: bool) -> None:
        if self.pipe is None or on != self._paused:
            return
        self._paused = not on
        if on:
            self.pipe.resume_reading()
        else:
            self.pipe.pause_reading()
