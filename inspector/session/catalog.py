"""What a server lists, read again when it says so, and never more often than is good for either side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.base import tasks
from inspector.protocol.listing import LISTS, ListKind
from inspector.session.session import Session

if TYPE_CHECKING:
    from inspector.session.listings import Listing

_KINDS: dict[str, tuple[ListKind, ...]] = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/prompts/list_changed": ("prompts",),
    "notifications/resources/list_changed": ("resources", "templates"),
}
_CALM = 2.0
_PAUSE_MAX = 5.0
_ANEW_MAX = 300.0
"""Seconds between two readings of all lists, at the most, where each reading ends the session."""


class Catalog:
    """The listings of one session. A refresh under way serves all who ask meanwhile, with one more behind it.

    A server whose lists change because they were read is damped: the pause between two refreshes of a list grows
    to five seconds while they follow each other closely.
    """

    def __init__(self, session: Session, changed: Callable[[ListKind], None]) -> None:
        self._session = session
        self._changed = changed
        self._again: set[ListKind] = set()
        self._running: dict[ListKind, asyncio.Task[None]] = {}
        self._anew: asyncio.Task[None] | None = None
        self._anew_at = float("-inf")
        self._anew_pause = 0.0
        self.listings: dict[ListKind, Listing] = {}

    async def load(self) -> None:
        """Reads the declared lists, side by side."""
        listings = await self._session.lists()
        for kind, listing in listings.items():
            self.listings[kind] = listing
            self._changed(kind)

    async def ask(self, kind: ListKind) -> Listing:
        """Reads one list now, declared or not."""
        listing = await self._session.list(kind)
        self.listings[kind] = listing
        self._changed(kind)
        return listing

    def notified(self, method: str | None) -> None:
        """A notification came; those of changed lists start a refresh, whether or not it was announced."""
        for kind in _KINDS.get(method or "", ()):
            if kind in self._running:
                self._again.add(kind)
            elif kind == "tools" or kind in self.listings:
                self._running[kind] = tasks.spawn(self._refresh(kind), f"refresh {kind}")

    def renewed(self) -> None:
        """Another session stands in the place of the one that was read, so all lists are read anew; with growing
        pauses where that is what ends the sessions of a server."""
        if self._anew is None or self._anew.done():
            self._anew = tasks.spawn(self._read_anew(), "lists of a new session")

    async def _read_anew(self) -> None:
        loop = asyncio.get_running_loop()
        calm = loop.time() - self._anew_at > self._anew_pause + _PAUSE_MAX
        self._anew_pause = 0.0 if calm else min(max(self._anew_pause * 2, _PAUSE_MAX), _ANEW_MAX)
        await asyncio.sleep(self._anew_pause)
        handshake = self._session.handshake
        kinds = [kind for kind in LISTS if kind in self.listings or (handshake and handshake.declares(kind))]
        await asyncio.gather(*map(self.ask, kinds))
        self._anew_at = loop.time()

    async def close(self) -> None:
        await tasks.cancel(self._anew, *self._running.values())

    async def _refresh(self, kind: ListKind) -> None:
        loop = asyncio.get_running_loop()
        pause = 0.05
        try:
            while True:
                self._again.discard(kind)
                started = loop.time()
                await self.ask(kind)
                await asyncio.sleep(pause)
                if kind not in self._again:
                    return
                pause = min(pause * 2, _PAUSE_MAX) if loop.time() - started < _CALM + pause else 0.05
        finally:
            self._running.pop(kind, None)
