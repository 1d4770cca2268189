"""The only place that starts asyncio tasks: named, strongly referenced, and their errors never lost."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

_alive: set[asyncio.Task[Any]] = set()


def _to_stderr(name: str, error: BaseException) -> None:
    text = "".join(traceback.format_exception(error))
    print(f"internal error in task {name}:\n{text}", file=sys.stderr)


report: Callable[[str, BaseException], None] = _to_stderr
"""Told the name of a task and the error that ended it; the app replaces it, since its terminal is taken."""


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
