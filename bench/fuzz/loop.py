"""An event loop for fuzzing, whose clock jumps where nothing is left to do but wait: no pause and no time-out costs
time, and what waits for ever is seen at once. For sockets of this process; not for processes and threads."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any

from inspector.base import tasks


class Hangs(AssertionError):
    """Nothing will ever happen again, and the work is not done."""


class _Jumping(selectors.DefaultSelector):
    skipped = 0.0
    idle = 0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            self.idle = 0
            return ready
        # Between two sockets of one machine the kernel may need a moment, though there is nothing to be waited for.
        if ready := super().select(0.0005):
            return ready
        if timeout is None:
            self.idle += 1
            if self.idle > 200:
                raise Hangs("nobody will wake the loop again")
            return []
        self.skipped += timeout
        return []


def new_loop() -> asyncio.AbstractEventLoop:
    selector = _Jumping()
    loop = asyncio.SelectorEventLoop(selector)
    began = time.monotonic()
    loop.time = lambda: began + selector.skipped  # type: ignore[method-assign]
    return loop


_loop: asyncio.AbstractEventLoop | None = None


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs it to its end. Raises what it raised, or what a callback or a task of it did."""
    global _loop
    if _loop is None:
        _loop = new_loop()
    wrong: list[BaseException] = []
    before, tasks.report = tasks.report, lambda name, error: wrong.append(error)
    _loop.set_exception_handler(
        lambda _, context: wrong.append(context.get("exception") or AssertionError(str(context)))
    )
    try:
        _loop.run_until_complete(_bounded(work))
    finally:
        tasks.report = before
    if wrong:
        raise wrong[0]


async def _bounded(work: Coroutine[Any, Any, None]) -> None:
    try:
        async with asyncio.timeout(100_000):
            await work
    except TimeoutError as error:
        raise Hangs("it did not end in 100,000 s of its own time") from error
    finally:
        me = asyncio.current_task()
        left = [task for task in asyncio.all_tasks() if task is not me]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=10)
