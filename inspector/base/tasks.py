"""The only place that starts asyncio tasks: named, strongly referenced, and their errors never lost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from inspector.base.errors import Failure

_alive: set[asyncio.Task[Any]] = set()
_printed: list[Failure] = []
"""What goes wrong again and again is told once."""


def _to_stderr(name: str, error: BaseException) -> None:
    from inspector.base import crash
    from inspector.base.text import visible_block

    told = crash.failure(name, error)
    if told in _printed:
        return
    _printed.append(told)
    try:
        print(visible_block(f"{told.message}\n  → {told.hint}"), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


report: Callable[[str, BaseException], None] = _to_stderr
"""Told the name of a task and the error that ended it; the app replaces it, since its terminal is taken."""


def watch_loop() -> None:
    """Has errors in callbacks of the running loop, in threads and in destructors told like those of tasks."""
    import threading

    loop = asyncio.get_running_loop()

    def in_callback(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        where = str(context.get("message", "a callback"))
        if isinstance(error := context.get("exception"), Exception) and "_start_serving" not in where:
            # That one is asyncio, which tries once more to listen where it could not accept, closed or not.
            report(where, error)

    def elsewhere(where: str, error: BaseException | None) -> None:
        if isinstance(error, Exception) and not loop.is_closed():
            loop.call_soon_threadsafe(report, where, error)

    loop.set_exception_handler(in_callback)
    threading.excepthook = lambda args: elsewhere(
        f"thread {args.thread.name if args.thread else ''}", args.exc_value
    )
    sys.unraisablehook = lambda args: elsewhere("a destructor", args.exc_value)


def spawn(work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
    """Starts `work` as a task of the running loop and keeps it alive until it ends."""
    task = asyncio.create_task(work, name=name)
    _alive.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[Any]) -> None:
    _alive.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        report(task.get_name(), error)


async def cancel(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancels tasks and waits until each has ended; their errors were reported where they arose."""
    live = [task for task in tasks if task is not None and not task.done()]
    for task in live:
        task.cancel()
    if live:
        await asyncio.wait(live)
