"""`subscriptions/listen` (spec 2026-07-28: subscriptions): a request that stays open, on whose channel the server tells
of changes. Nothing is told in that era without it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.protocol.jsonrpc import Id, Message, match_key
from inspector.protocol.revisions import PREFIX
from inspector.session.dispatcher import Pending
from inspector.session.eras.modern import standard_headers

if TYPE_CHECKING:
    from inspector.session.session import Session

METHOD = "subscriptions/listen"
_MEMBERS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
    "notifications/tasks": "taskIds",
}
"""What asks for a notification in the filter of a subscription."""


def misplaced(message: Message, subscribed: Mapping[Id, Mapping[str, Any]]) -> str | None:
    """What is wrong with where a notification of a change came; `subscribed` are the filters of all subscriptions of
    the session, ended ones too. None where nothing is."""
    member = _MEMBERS.get(message.method or "")
    if member is None:
        return None
    told = _subscription(message)
    key = match_key(told)
    if told is None:
        return f"{message.method} came without a subscriptionId"
    if key is None or key not in subscribed:
        return f"{message.method} came for a subscription that nobody has made"
    if member not in subscribed[key]:
        return f"{message.method} came for a subscription that did not ask for it"
    if told != key:
        return f"{message.method} has its subscriptionId in another type than the request had"
    return None


def _subscription(message: Message) -> Any:
    params = message.value.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(f"{PREFIX}subscriptionId") if isinstance(meta, dict) else None


class Listening:
    """One subscription. `wanted` is the filter that was sent, `honoured` what the server agreed to tell.

    `ended` is called once, when it ends without being closed: with why, or None where the server ended it in peace.
    """

    def __init__(
        self, session: Session, wanted: Mapping[str, Any], ended: Callable[[Failure | None], None]
    ) -> None:
        self.wanted = dict(wanted)
        self.honoured: dict[str, Any] = {}
        self._session = session
        self._ended = ended
        self._pending: Pending | None = None
        self._watch: asyncio.Task[None] | None = None
        self._acknowledged: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Waits until the server has agreed. Raises Failed where it refuses, or does not answer."""
        session = self._session
        params = {"notifications": self.wanted}
        sent = (
            standard_headers(METHOD, params, session.dispatcher.meta)
            if session.transport.kind != "stdio"
            else {}
        )
        self._pending = pending = session.dispatcher.start(
            METHOD, params, idle=math.inf, total=math.inf, headers=sent
        )
        session.listenings.append(self)
        session.subscribed[pending.id] = self.wanted
        try:
            waiting: set[asyncio.Future[Any]] = {self._acknowledged, pending.future}
            async with asyncio.timeout(session.options.timeout):
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not self._acknowledged.done():
                raise Failed(
                    await self._end(pending) or Failure(kind="protocol", message=f"{METHOD} ended at once")
                )
        except TimeoutError:
            self._leave("no acknowledgement")
            raise Failed(
                Failure(
                    kind="timeout",
                    message=f"{METHOD} was not acknowledged",
                    hint="the server should say first what it agreed to tell",
                )
            ) from None
        except BaseException:
            self._leave("nobody listens any more")
            raise
        self._watch = tasks.spawn(self._until_end(pending), METHOD)

    @property
    def is_open(self) -> bool:
        """Agreed, and not ended by either side."""
        return self._acknowledged.done() and self._pending is not None and not self._pending.future.done()

    def acknowledged(self, message: Message) -> None:
        """The server says what it agreed to, for one subscription or another."""
        if self._pending is None or match_key(_subscription(message)) != self._pending.id:
            return
        params = message.value.get("params")
        agreed = params.get("notifications") if isinstance(params, dict) else None
        self.honoured = dict(agreed) if isinstance(agreed, dict) else {}
        if not self._acknowledged.done():
            self._acknowledged.set_result(None)

    def cancelled(self, message: Message) -> None:
        """The server may end a subscription by `notifications/cancelled`, with or without an answer besides."""
        params = message.value.get("params")
        key = params.get("requestId") if isinstance(params, dict) else None
        if (
            self._pending is not None
            and match_key(key) == self._pending.id
            and not self._pending.future.done()
        ):
            self._session.dispatcher.forget(self._pending)

    async def close(self) -> None:
        """Ends the subscription; the server is told in the way of its transport."""
        watch, self._watch = self._watch, None
        await tasks.cancel(watch)
        self._leave("nobody listens any more")

    def _leave(self, reason: str) -> None:
        if self in self._session.listenings:
            self._session.listenings.remove(self)
        if self._pending is not None:
            self._session.dispatcher.cancel(self._pending, reason)

    async def _end(self, pending: Pending) -> Failure | None:
        # Waited for from outside: who is cancelled here must not cancel it, and be taken for the server's end of it.
        await asyncio.wait({pending.future})
        try:
            return pending.future.result().failure
        except Failed as failed:
            return failed.failure
        except asyncio.CancelledError:
            return None

    async def _until_end(self, pending: Pending) -> None:
        failure = await self._end(pending)
        if self in self._session.listenings:
            self._session.listenings.remove(self)
        self._ended(failure)
