"""Calls of tools, written to the audit trail when they are over; one that becomes a task once more at its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, Failure
from inspector.policy.audit import Audit, Called
from inspector.session.dispatcher import Answer

if TYPE_CHECKING:
    from inspector.workspace.longtasks import LongTasks


async def audited(
    audit: Audit,
    server: str,
    params: dict[str, Any],
    approver: str,
    answer: Awaitable[Answer],
    long_tasks: LongTasks,
) -> Answer:
    """The answer, as it comes; raises what waiting for it raises."""
    called = Called(server, params.get("name"), params.get("arguments"), time.time(), approver)
    began = time.monotonic()
    try:
        came = await answer
        task = long_tasks.made(came, params)
        called = replace(called, answer=came, task=task.id if task is not None else "")
    except Failed as failed:
        called = replace(called, failure=failed.failure)
        raise
    except asyncio.CancelledError:
        called = replace(called, failure=Failure(kind="cancelled", message="the call was given up"))
        raise
    finally:
        audit.take(replace(called, seconds=time.monotonic() - began))
    if task is not None:
        task.ended = lambda end: audit.take(
            replace(called, answer=end, is_end=True, seconds=time.monotonic() - began)
        )
    return came
