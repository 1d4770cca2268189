"""Resources whose changes the person wants to hear of, over all reconnections of a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from inspector.base.errors import Failed, Failure

Watch = Callable[[str, bool], Awaitable[Failure | None]]
"""Asks the server to tell of changes to a URI, or no longer; why not, where it says no. May raise Failed."""

_MOST = 10_000
"""URIs whose updates are counted."""


class Subscriptions:
    """Kept by URI. What is wanted is asked for again on every new session; `refused` says why it is not in force.

    `updates` counts the `notifications/resources/updated` of each URI, asked for or not.
    """

    def __init__(self, watch: Watch, changed: Callable[[], None]) -> None:
        self._watch = watch
        self._changed = changed
        self.wanted: set[str] = set()
        self.active: set[str] = set()
        self.refused: dict[str, Failure] = {}
        self.updates: dict[str, int] = {}

    async def subscribe(self, uri: str) -> None:
        """Raises Failed where the server refuses, or does not answer; then it is not wanted any more."""
        self.wanted.add(uri)
        await self._ask(uri)
        if (failure := self.refused.pop(uri, None)) is not None:
            self.wanted.discard(uri)
            self._changed()
            raise Failed(failure)

    async def unsubscribe(self, uri: str) -> None:
        """Not wanted from now on, whatever the server says to it. Raises Failed where it says no."""
        was_active = uri in self.active
        self.wanted.discard(uri)
        self.active.discard(uri)
        self.refused.pop(uri, None)
        self._changed()
        if was_active:
            failure = await self._watch(uri, False)
            if failure is not None:
                raise Failed(failure)

    def lost(self) -> None:
        """The session is gone, and with it all that was in force."""
        self.active.clear()

    async def renew(self) -> None:
        """Asks a new session for all that is wanted. What it refuses stays wanted, with the reason. Never raises
        Failed."""
        self.lost()
        self.refused.clear()
        for uri in sorted(self.wanted):
            await self._ask(uri)

    async def _ask(self, uri: str) -> None:
        try:
            failure = await self._watch(uri, True)
        except Failed as failed:
            failure = failed.failure
        if uri not in self.wanted:
            return
        if failure is None:
            self.active.add(uri)
            self.refused.pop(uri, None)
        else:
            self.refused[uri] = failure
        self._changed()

    def updated(self, uri: str) -> None:
        """The server says that a resource has changed."""
        if uri in self.updates or len(self.updates) < _MOST:
            self.updates[uri] = self.updates.get(uri, 0) + 1
            self._changed()

    def updates_of(self, uri: str) -> int:
        """Updates of the resource; of one that is wanted also those of what lies below it (spec: server/resources,
        subscriptions: the URI may be that of a sub-resource)."""
        count = self.updates.get(uri, 0)
        if uri in self.wanted:
            below = uri.rstrip("/") + "/"
            count += sum(
                each for other, each in self.updates.items() if other != uri and other.startswith(below)
            )
        return count
