"""What stands round every call of a tool: somebody allows it, and it is written to the audit trail when it is over; one
that becomes a task once more at its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from inspector.base.errors import Failed, Failure, fail
from inspector.policy.approval import Approvals
from inspector.policy.audit import Audit, Called
from inspector.session.answer import Answer

if TYPE_CHECKING:
    from inspector.workspace.connection import Connection

Gate = Callable[["Connection", dict[str, Any]], Awaitable[str]]
"""Asks a person about a call with these parameters, and gives who, or what rule, allows it then. Raises Failed
(consent) where it is refused."""


@dataclass(slots=True)
class ToolCalls:
    """Without `approvals` every call is allowed by whoever the trail says; with them a call that no rule allows goes
    through the `gate`, one after the other."""

    audit: Audit
    approvals: Approvals | None = None
    gate: Gate | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(
        self,
        connection: Connection,
        params: dict[str, Any],
        approver: str,
        ask: Callable[[], Awaitable[Answer]],
    ) -> Answer:
        """The answer, as it comes; raises what waiting for it raises. Where `approver` is given, it was allowed
        before."""
        called = Called(connection.name, params.get("name"), params.get("arguments"), time.time(), approver)
        if not approver:
            called = await self._allowed(connection, params, called)
        began = time.monotonic()
        try:
            answer = await ask()
            task = connection.long_tasks.made(answer, params)
            called = replace(called, answer=answer, task=task.id if task is not None else "")
        except Failed as failed:
            called = replace(called, failure=failed.failure)
            raise
        except asyncio.CancelledError:
            called = replace(called, failure=Failure(kind="cancelled", message="the call was given up"))
            raise
        finally:
            self.audit.take(replace(called, seconds=time.monotonic() - began))
        if task is not None:
            task.ended = lambda end: self.audit.take(
                replace(called, answer=end, is_end=True, seconds=time.monotonic() - began)
            )
        return answer

    async def _allowed(self, connection: Connection, params: dict[str, Any], called: Called) -> Called:
        if self.approvals is None:
            return replace(called, approver=connection.approver or self.audit.approver)
        try:
            async with self._asking:
                approver = self.rule(connection, params) or await self._asked(connection, params)
        except Failed as failed:
            self.audit.take(replace(called, approver=self.audit.approver, reason=failed.failure.message))
            raise
        return replace(called, approver=approver, at=time.time())

    def rule(self, connection: Connection, params: dict[str, Any]) -> str | None:
        """What allows a call without a question; None where a person is to be asked."""
        if self.approvals is None:
            return self.audit.approver
        name = params.get("name")
        tool = name if isinstance(name, str) else ""
        return self.approvals.rule(connection.name, connection.entry, tool, listed(connection, name))

    async def _asked(self, connection: Connection, params: dict[str, Any]) -> str:
        if self.gate is None:
            raise fail(
                "consent", "there is nobody to allow the call", 'set "approval" in settings.json to never'
            )
        return await self.gate(connection, params)


def listed(connection: Connection, name: Any) -> dict[str, Any] | None:
    """What the server lists of a tool, where its list was read and names it. Foreign."""
    listing = connection.catalog.listings.get("tools") if connection.catalog is not None else None
    return listing.find(name) if listing is not None and isinstance(name, str) else None
