"""What a server logs over the protocol (spec: utilities/logging), bounded and in order."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any

from inspector.base import numbers

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The mildest first."""
_KEPT = 2000
_HELD = 1 << 20
"""Characters of JSON of all messages that are kept; the traffic has every one."""
_MOST_LOGGERS = 500


@dataclass(frozen=True, slots=True)
class LogMessage:
    """`level` and `logger` as sent, empty where they are no text; `data` is any JSON. All foreign. `at` is seconds
    since the epoch, `size` the characters of `data` as JSON."""

    level: str
    logger: str
    data: Any
    at: float
    size: int = 0

    @property
    def rank(self) -> int:
        """Where its level stands among `LEVELS`; unknown ones count as the gravest, so that nothing hides them."""
        return LEVELS.index(self.level) if self.level in LEVELS else len(LEVELS)


class MessageLog:
    """`count` is the number of messages ever seen; `level` is the one that the server was asked for. `levels` and
    `loggers` count them by what they say; loggers beyond the first hundreds are not told apart."""

    def __init__(self) -> None:
        self.messages: deque[LogMessage] = deque()
        self._held = 0
        self.count = 0
        self.level: str | None = None
        self.levels: Counter[str] = Counter()
        self.loggers: Counter[str] = Counter()

    def take(self, params: Any) -> None:
        """The params of a `notifications/message`, whatever they are."""
        given = params if isinstance(params, dict) else {"data": params}
        level, logger = given.get("level"), given.get("logger")
        message = LogMessage(
            level if isinstance(level, str) else "",
            logger if isinstance(logger, str) else "",
            data := given.get("data"),
            time.time(),
            _size(data),
        )
        self.messages.append(message)
        self._held += message.size
        while len(self.messages) > 1 and (len(self.messages) > _KEPT or self._held > _HELD):
            self._held -= self.messages.popleft().size
        self.count += 1
        if message.logger in self.loggers or len(self.loggers) < _MOST_LOGGERS:
            self.loggers[message.logger] += 1
        self.levels[message.level if message.level in LEVELS else "other"] += 1


def _size(data: Any) -> int:
    try:
        return len(data if isinstance(data, str) else numbers.dumps(data))
    except (ValueError, RecursionError):
        return _HELD
