"""Resources that are read again by themselves when their server says that they changed, and what they were before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.base import jsontext, tasks
from inspector.base.errors import Failed, Failure
from inspector.base.text import decode
from inspector.session.answer import Answer

_PAUSE = 1.0
"""Seconds from one reading of a resource to the next, however often it changes: some servers tell of a change whenever
something is read."""
_HELD = 32 << 20
"""Bytes of answers that are kept, of one connection."""
_MOST = 100
"""Resources of which answers are kept."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer to `resources/read`; `at` is seconds since the epoch. `by_itself` where no person asked for it,
    `same` where the one before said the same."""

    answer: Answer
    at: float = field(default_factory=time.time)
    by_itself: bool = False
    same: bool = False

    @property
    def text(self) -> str:
        """The result as it was written."""
        raw = decode(self.answer.raw)
        return jsontext.pick(raw, "result") or raw


class Rereading:
    """Kept by URI, over all sessions. `wanted` are read again on a change; `failures` says why the last time came to
    nothing."""

    def __init__(
        self, request: Callable[[str, dict[str, Any]], Awaitable[Answer]], changed: Callable[[], None]
    ) -> None:
        self._request = request
        self._changed = changed
        self.wanted: set[str] = set()
        self.failures: dict[str, Failure] = {}
        self.count = 0
        """Readings by itself so far, whatever came of them."""
        self._kept: dict[str, tuple[Reading, ...]] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def want(self, uri: str, on: bool) -> None:
        """Reads it again on every change from now on, or no longer."""
        (self.wanted.add if on else self.wanted.discard)(uri)
        self.failures.pop(uri, None)
        self._changed()

    def readings(self, uri: str) -> tuple[Reading, ...]:
        """The last two that are kept, the older one first; fewer where there are no more, or none."""
        return self._kept.get(uri, ())

    def took(self, uri: str, answer: Answer, *, by_itself: bool = False) -> None:
        """It was read, whoever asked. One whose result is written as that of the one before takes its
        place, so that the last change stays known."""
        if answer.failure is not None:
            return
        kept = self._kept.pop(uri, ())
        reading = Reading(answer, by_itself=by_itself)
        if same := bool(kept) and kept[-1].text == reading.text:
            reading = replace(reading, same=True)
        self._kept[uri] = (*kept[:-1], reading) if same else (*kept[-1:], reading)
        self._bound(uri)

    def _bound(self, newest: str) -> None:
        size = sum(len(reading.answer.raw) for kept in self._kept.values() for reading in kept)
        for uri in list(self._kept):
            if uri == newest or (size <= _HELD and len(self._kept) <= _MOST):
                break
            size -= sum(len(reading.answer.raw) for reading in self._kept.pop(uri))
        if size > _HELD:
            self._kept[newest] = self._kept[newest][-1:]

    def updated(self, uri: str) -> None:
        """The server says that a resource has changed, or one below those that are wanted."""
        for wanted in self.wanted:
            if uri == wanted or uri.startswith(wanted.rstrip("/") + "/"):
                self._begin(wanted)

    def catch_up(self) -> None:
        """Nobody tells what changed while there was no session: all that is wanted is read again."""
        for uri in self.wanted:
            self._begin(uri)

    def _begin(self, uri: str) -> None:
        if uri in self._running:
            self._again.add(uri)
        else:
            self._running[uri] = tasks.spawn(self._read(uri), "read again")

    async def _read(self, uri: str) -> None:
        try:
            while True:
                self._again.discard(uri)
                await self._read_once(uri)
                await asyncio.sleep(_PAUSE)
                if uri not in self._again or uri not in self.wanted:
                    return
        finally:
            self._running.pop(uri, None)

    async def _read_once(self, uri: str) -> None:
        try:
            answer = await self._request("resources/read", {"uri": uri})
            failure = answer.failure
        except Failed as failed:
            failure = failed.failure
        if failure is None:
            self.failures.pop(uri, None)
            self.took(uri, answer, by_itself=True)
        else:
            self.failures[uri] = failure
        self.count += 1
        self._changed()

    async def close(self) -> None:
        """Ends what is under way; what is wanted and kept stays for the next session."""
        await tasks.cancel(*self._running.values())
        self._running.clear()
        self._again.clear()
