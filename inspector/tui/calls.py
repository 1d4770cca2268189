"""Calls of tools as the app remembers them: what was sent, how it went, what came back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from inspector.base.errors import Failed, Failure

if TYPE_CHECKING:
    from inspector.session.dispatcher import Answer, Pending, Progress
    from inspector.workspace.connection import Connection

Badge = Literal["running", "ok", "tool error", "protocol error", "failed", "cancelled"]

MARKS: dict[Badge, tuple[str, str]] = {
    "running": ("…", "$text-warning"),
    "ok": ("●", "$text-success"),
    "tool error": ("▲", "$text-warning"),
    "protocol error": ("✗", "$text-error"),
    "failed": ("✗", "$text-error"),
    "cancelled": ("○", "$quiet"),
}


@dataclass(eq=False)
class Call:
    """One request under way or over. `ask` is what was asked for, with `params` as sent; `began` is on the
    monotonic clock, `at` is seconds since the epoch. `promised` is the schema of structured content, None where there
    is none."""

    ask: str
    params: dict[str, Any]
    promised: Any = None
    at: float = field(default_factory=time.time)
    began: float = field(default_factory=time.monotonic)
    answer: Answer | None = None
    failure: Failure | None = None
    pending: Pending | None = None
    progress: Progress | None = None
    seconds: float | None = None

    @property
    def running(self) -> bool:
        return self.seconds is None

    @property
    def elapsed(self) -> float:
        return self.seconds if self.seconds is not None else time.monotonic() - self.began

    @property
    def badge(self) -> Badge:
        if self.running:
            return "running"
        if self.failure is not None:
            return "cancelled" if self.failure.kind == "cancelled" else "failed"
        assert self.answer is not None
        if self.answer.failure is not None:
            return "protocol error"
        result = self.answer.result
        return "tool error" if isinstance(result, dict) and result.get("isError") is True else "ok"

    @property
    def why(self) -> Failure | None:
        """Why there is no result, be it ours or the server's word."""
        return self.failure or (self.answer.failure if self.answer is not None else None)

    def left(self) -> float | None:
        """Seconds until the clocks give up, while it runs."""
        if self.pending is None or not self.running:
            return None
        return self.pending.deadline() - asyncio.get_running_loop().time()


async def perform(connection: Connection, call: Call, moved: Callable[[], None]) -> None:
    """Sends the request of `call` and fills in how it went; `moved` is called at start, progress and end.

    Never raises Failed. When the waiting task is cancelled the call counts as cancelled and the server is told.
    """

    def started(pending: Pending) -> None:
        call.pending = pending
        moved()

    def progressed(progress: Progress) -> None:
        call.progress = progress
        moved()

    try:
        call.answer = await connection.request(call.ask, call.params, on_progress=progressed, started=started)
        call.seconds = call.answer.seconds
    except Failed as failed:
        call.failure = failed.failure
    except ValueError as error:
        # NaN and infinities: the JSON editor lets them through, the wire cannot carry them.
        call.failure = Failure(kind="io", message=f"this cannot be written as JSON: {error}")
    except asyncio.CancelledError:
        call.failure = Failure(kind="cancelled", message="the call was cancelled")
        raise
    finally:
        if call.seconds is None:
            call.seconds = time.monotonic() - call.began
        moved()


def cancel(connection: Connection, call: Call) -> None:
    """Gives a running call up; the server is told."""
    if call.running and call.pending is not None and connection.session is not None:
        connection.session.dispatcher.cancel(call.pending, "the user cancelled")
