"""Keys that come faster than the screen follows: each one goes where the keys before it have put the focus."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from textual import events

if TYPE_CHECKING:
    from textual.app import App

_LOOK = 0.005
"""Seconds between two looks at whether a key has had its effect."""
_CALM = 2
"""So many looks in a row must find nothing left to do."""
_PATIENCE = 60
"""Looks after which the next key goes on whatever is still under way. Half of it for each key in a row that waited in
vain: where a server floods the screen there is always something under way, and keys must not pile up behind it. In
the end all go on at once."""
_AT_ONCE = frozenset({"ctrl+c", "ctrl+q", "ctrl+z"})


class Typeahead:
    """Holds keys back while the one before is at work: Textual gives all keys of one read from the terminal to the
    widget that had the focus before the first of them, and moves the focus only after all that was queued.

    A single key is never held. `enabled` is False without a terminal, where whoever sends keys waits for their effect.
    """

    def __init__(self, app: App[None]) -> None:
        self.enabled = not app.is_headless
        self._app = app
        self._held: deque[events.Key] = deque()
        self._released: events.Key | None = None
        self._looking = False
        self._calm = 0
        self._looks = 0
        self._patience = _PATIENCE

    def holds(self, key: events.Key) -> bool:
        """True where the key is kept for later; otherwise its turn is now."""
        if not self.enabled or key.key in _AT_ONCE or key is self._released:
            return False
        if self._looking:
            self._held.append(key)
            return True
        self._watch()
        return False

    def _watch(self) -> None:
        self._looking, self._calm, self._looks = True, 0, 0
        self._app.set_timer(_LOOK, self._look)

    async def _look(self) -> None:
        self._looks += 1
        self._calm = 0 if self._busy() else self._calm + 1
        if self._calm < _CALM and self._looks < self._patience:
            self._app.set_timer(_LOOK, self._look)
            return
        calm = self._calm >= _CALM
        self._patience = min(_PATIENCE, self._patience * 2) if calm else max(_CALM, self._patience // 2)
        self._looking = False
        if self._held:
            self._watch()
            await self._release()
        while self._held and self._patience == _CALM:
            await self._release()

    async def _release(self) -> None:
        self._released = self._held.popleft()
        await self._app.on_event(self._released)

    def _busy(self) -> bool:
        """Whether messages wait anywhere on the screen, or calls for its next refresh. Asked only while somebody types
        ahead."""
        if not self._held:
            return False
        app, screen = self._app, self._app.screen
        return bool(app.message_queue_size or screen._callbacks) or any(
            node.message_queue_size for node in screen.walk_children(with_self=True)
        )
