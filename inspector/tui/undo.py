"""What can be taken back, the last first: one way for all of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from inspect import isawaitable

from textual.message import Message

_MOST = 50


Back = Callable[[], Awaitable[None] | None]


class Undoable(Message):
    """Something was done, `what` says so in safe text, and `back` takes it back; the app keeps it."""

    def __init__(self, what: str, back: Back) -> None:
        super().__init__()
        self.what = what
        self.back = back


class Undo:
    """Kept until the app ends; what is older than the last fifty cannot be taken back any more."""

    def __init__(self) -> None:
        self._steps: deque[Undoable] = deque(maxlen=_MOST)

    def did(self, step: Undoable) -> None:
        self._steps.append(step)

    async def back(self) -> str:
        """Takes back what was done last, and returns what that was; empty where there is nothing."""
        if not self._steps:
            return ""
        step = self._steps.pop()
        if isawaitable(waiting := step.back()):
            await waiting
        return step.what
