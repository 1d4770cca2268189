"""Starts a connection again that ended without being asked to, after a pause that grows, and not for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from inspector.base import tasks
from inspector.base.errors import Failure

TRIES = 5
"""Starts in a row, none of which stood for long."""
LONGEST = 30.0
"""Seconds of the longest pause; the first one is a second, and each is twice the one before."""
STOOD = 60.0
"""Seconds after which a connection counts as one that stands: the next end begins the row anew."""

_HOPELESS = frozenset({"config", "consent", "unsupported", "cancelled"})
"""Kinds of failure that another start cannot change."""


@dataclass(frozen=True, slots=True)
class Again:
    """The start that comes next: `due` by the clock of its `Keeping`, the `number`th of `most` in a row."""

    due: float
    number: int
    most: int


class Keeping:
    """Whether one connection is kept up, and what is under way for it. Off until `switch`.

    The owner tells when the connection `ended` unasked and calls `rest` whenever a person starts or stops it.
    `start` is called when a pause is over, `changed` when a view would show something else.
    """

    def __init__(
        self,
        start: Callable[[], None],
        changed: Callable[[], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.on = False
        self.again: Again | None = None
        self.gave_up = False
        """The last try in a row has failed, and nothing was asked for since."""
        self.clock = clock
        self.sleep = sleep
        self._start = start
        self._changed = changed
        self._tried = 0
        self._pause: asyncio.Task[None] | None = None

    @property
    def seconds_left(self) -> float:
        """Until the next start; 0 where none is planned."""
        return max(0.0, self.again.due - self.clock()) if self.again is not None else 0.0

    def switch(self, on: bool) -> None:
        """From now on the connection is kept up, or not."""
        self.on = on
        self.rest()

    def rest(self) -> None:
        """Somebody takes it into their own hands: what was planned is off, and the row begins anew."""
        self._tried, self.gave_up = 0, False
        pause, self._pause, self.again = self._pause, None, None
        if pause is not None:
            pause.cancel()
        self._changed()

    def ended(self, failure: Failure, stood: float) -> None:
        """The connection is down, and nobody asked for it. `stood` are the seconds that it was ready."""
        if stood >= STOOD:
            self._tried = 0
        if not self.on or self._pause is not None or failure.kind in _HOPELESS:
            return
        if self._tried >= TRIES:
            self.gave_up = True
        else:
            pause = min(LONGEST, 2.0**self._tried)
            self._tried += 1
            self.again = Again(self.clock() + pause, self._tried, TRIES)
            self._pause = tasks.spawn(self._wait(pause), "pause before a new start")
        self._changed()

    async def _wait(self, seconds: float) -> None:
        await self.sleep(seconds)
        self._pause = self.again = None
        self._start()
