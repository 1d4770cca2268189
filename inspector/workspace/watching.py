"""What a server of 2026-07-28 is asked to tell: changes of its lists, and of resources that the person watches."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.session.eras.listening import Listening
from inspector.session.session import Session

_LISTS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}
_PAUSES = (0.5, 2.0, 8.0)
"""Seconds before a subscription that broke is asked for again, and how often in a row."""
_CALM = 60.0
"""Seconds without a break after which the next one is the first of a row."""


class Watching:
    """The subscriptions of one session: one for its lists, one for all watched resources, which is replaced as these
    change. `told` is called with what a person should know."""

    def __init__(self, session: Session, told: Callable[[str], None]) -> None:
        self._session = session
        self._told = told
        self._lists: Listening | None = None
        self._resources: Listening | None = None
        self._uris: set[str] = set()
        self._order = asyncio.Lock()
        self._again: set[asyncio.Task[None]] = set()
        self._broken, self._broke_at = 0, -math.inf

    async def lists(self) -> None:
        """Asks to be told of changes in the lists whose server says that it tells. Never raises Failed."""
        handshake = self._session.handshake
        declared = handshake.capabilities if handshake is not None else {}
        wanted = {
            member: True
            for name, member in _LISTS.items()
            if isinstance(offer := declared.get(name), dict) and offer.get("listChanged") is True
        }
        if not wanted:
            return
        try:
            self._lists = await self._session.listen(wanted, lambda failure: self._ended(self.lists, failure))
        except Failed as failed:
            self._told(f"changes of lists are not told: {failed.failure.message}")

    async def watch(self, uri: str, on: bool) -> Failure | None:
        """Watches a resource, or does no longer; why not, where the server does not agree."""
        async with self._order:
            before = set(self._uris)
            (self._uris.add if on else self._uris.discard)(uri)
            if self._uris == before and self._resources is not None and self._resources.is_open:
                return None
            failure = await self._replace()
            honoured = (
                self._resources.honoured.get("resourceSubscriptions") if self._resources is not None else None
            )
            if failure is None and on and (not isinstance(honoured, list) or uri not in honoured):
                failure = Failure(
                    kind="unsupported",
                    message=f"the server does not agree to tell of changes to {uri}",
                    hint="see its acknowledgement in the traffic",
                )
            if failure is not None:
                self._uris.discard(uri)
            return failure

    async def close(self) -> None:
        await tasks.cancel(*self._again)
        for listening in (self._lists, self._resources):
            if listening is not None:
                await listening.close()

    async def _replace(self) -> Failure | None:
        """The new subscription stands before the old one ends, so that nothing is missed between them."""
        old, new = self._resources, None
        if self._uris:
            filter_: dict[str, Any] = {"resourceSubscriptions": sorted(self._uris)}
            try:
                new = await self._session.listen(filter_, lambda failure: self._ended(self._renew, failure))
            except Failed as failed:
                return failed.failure
        self._resources = new
        if old is not None:
            await old.close()
        return None

    async def _renew(self) -> None:
        async with self._order:
            self._resources = None
            if failure := await self._replace():
                self._told(f"changes of resources are not told any more: {failure.message}")

    def _ended(self, renew: Callable[[], Any], failure: Failure | None) -> None:
        if failure is None:
            self._told("the server ended a subscription; press r to connect anew")
            return
        if self._session.failure is not None:
            return
        now = asyncio.get_running_loop().time()
        if now - self._broke_at > _CALM:
            self._broken = 0
        self._broke_at = now
        if self._broken >= len(_PAUSES):
            self._told(f"a subscription broke too often and is not asked for again: {failure.message}")
            return
        task = tasks.spawn(self._later(renew, _PAUSES[self._broken]), "listen again")
        self._broken += 1
        self._again.add(task)
        task.add_done_callback(self._again.discard)

    async def _later(self, renew: Callable[[], Any], pause: float) -> None:
        await asyncio.sleep(pause)
        await renew()
