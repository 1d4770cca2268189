"""Limits how many processes start at once, without letting a silent one hold the others up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from inspector.base import tasks

AT_ONCE = 8
SILENCE = 3.0
"""Seconds without any output after which a start gives its place back and goes on beside the others."""


class Starts:
    """Places for processes that are starting up."""

    def __init__(self, at_once: int = AT_ONCE, silence: float = SILENCE) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._silence = silence

    @asynccontextmanager
    async def place(self, last_output: Callable[[], float]) -> AsyncIterator[None]:
        """Holds a place until the block ends or the server was silent for too long.

        `last_output` gives the loop time of the latest sign of life, 0.0 before the first.
        """
        await self._places.acquire()
        held = True

        def give_back() -> None:
            nonlocal held
            if held:
                held = False
                self._places.release()

        watch = tasks.spawn(self._watch(last_output, give_back), "start watch")
        try:
            yield
        finally:
            watch.cancel()
            give_back()

    async def _watch(self, last_output: Callable[[], float], give_back: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while (rest := self._silence - (loop.time() - max(begun, last_output()))) > 0:
            await asyncio.sleep(rest)
        give_back()
