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


class _Group:
    """One subscription for all things of a kind, by their identifier, which is replaced as these change. `member` names
    the kind in the filter, `loss` says what is lost without the subscription."""

    def __init__(self, watching: Watching, member: str, loss: str) -> None:
        self._watching = watching
        self._member = member
        self._loss = loss
        self._wanted: set[str] = set()
        self._order = asyncio.Lock()
        self.listening: Listening | None = None

    async def watch(self, id_: str, on: bool) -> Failure | None:
        """Watches one of them, or does no longer; why not, where the server does not agree."""
        async with self._order:
            before = set(self._wanted)
            (self._wanted.add if on else self._wanted.discard)(id_)
            if self._wanted == before and self.listening is not None and self.listening.is_open:
                return None
            failure = await self._replace()
            honoured = self.listening.honoured.get(self._member) if self.listening is not None else None
            if failure is None and on and (not isinstance(honoured, list) or id_ not in honoured):
                failure = Failure(
                    kind="unsupported",
                    message=f"the server does not agree to tell of changes to {id_}",
                    hint="see its acknowledgement in the traffic",
                )
            if failure is not None:
                self._wanted.discard(id_)
            return failure

    async def _replace(self) -> Failure | None:
        """The new subscription stands before the old one ends, so that nothing is missed between them."""
        old, new = self.listening, None
        if self._wanted:
            filter_: dict[str, Any] = {self._member: sorted(self._wanted)}
            try:
                new = await self._watching.listen(filter_, self._renew)
            except Failed as failed:
                return failed.failure
        self.listening = new
        if old is not None:
            await old.close()
        return None

    async def _renew(self) -> None:
        async with self._order:
            self.listening = None
            if failure := await self._replace():
                self._watching.told(f"{self._loss}: {failure.message}")


class Watching:
    """The subscriptions of one session: one for its lists, one for all watched resources, one for all tasks that are
    waited for. `told` is called with what a person should know."""

    def __init__(self, session: Session, told: Callable[[str], None]) -> None:
        self._session = session
        self.told = told
        self._lists: Listening | None = None
        self._resources = _Group(self, "resourceSubscriptions", "changes of resources are not told any more")
        self._tasks = _Group(self, "taskIds", "tasks are polled only")
        self._tells_tasks = True
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
            self._lists = await self.listen(wanted, self.lists)
        except Failed as failed:
            self.told(f"changes of lists are not told: {failed.failure.message}")
            return
        refused = [
            name
            for name, member in _LISTS.items()
            if member in wanted and not self._lists.honoured.get(member)
        ]
        if refused:
            names = " and ".join(refused)
            self.told(
                f"changes of the lists of {names} are declared, but the server does not agree to tell of them"
            )

    async def watch(self, uri: str, on: bool) -> Failure | None:
        """Watches a resource, or does no longer; why not, where the server does not agree."""
        return await self._resources.watch(uri, on)

    async def watch_task(self, id_: str, on: bool) -> None:
        """The same for a task, which is polled besides: a server that does not tell of tasks is not asked again."""
        if self._tells_tasks or not on:
            failure = await self._tasks.watch(id_, on)
            self._tells_tasks = self._tells_tasks and failure is None

    async def listen(self, filter_: dict[str, Any], renew: Callable[[], Any]) -> Listening:
        """`renew` is called where it breaks. Raises Failed."""
        return await self._session.listen(filter_, lambda failure: self._ended(renew, failure))

    async def close(self) -> None:
        await tasks.cancel(*self._again)
        for listening in (self._lists, self._resources.listening, self._tasks.listening):
            if listening is not None:
                await listening.close()

    def _ended(self, renew: Callable[[], Any], failure: Failure | None) -> None:
        if failure is None:
            self.told("the server ended a subscription; press r to connect anew")
            return
        if self._session.failure is not None:
            return
        now = asyncio.get_running_loop().time()
        if now - self._broke_at > _CALM:
            self._broken = 0
        self._broke_at = now
        if self._broken >= len(_PAUSES):
            self.told(f"a subscription broke too often and is not asked for again: {failure.message}")
            return
        task = tasks.spawn(self._later(renew, _PAUSES[self._broken]), "listen again")
        self._broken += 1
        self._again.add(task)
        task.add_done_callback(self._again.discard)

    async def _later(self, renew: Callable[[], Any], pause: float) -> None:
        await asyncio.sleep(pause)
        await renew()
