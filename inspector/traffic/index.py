"""Facts about rows, as columns: about 39 bytes a row, so that a million of them are a matter of course.

Positions count from the oldest row held; row numbers are absolute and stay (`row = base + position`). The
first five columns are filled by append. The others are conclusions from the bytes, drawn later in slices:
they are as long as the part that has been described.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat
from typing import Literal

Kind = Literal[
    "request", "notification", "response", "error", "batch", "invalid", "stderr", "sys", "http", "part"
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "request", "notification", "response", "error", "batch", "invalid", "stderr", "sys", "http", "part",
)  # fmt: skip
REQUEST, NOTIFICATION, RESPONSE, ERROR, BATCH, INVALID, STDERR, SYSTEM, EXCHANGE, PART = range(10)
KIND_OF: dict[str, int] = {name: number for number, name in enumerate(KINDS)}

State = Literal[
    "", "pending", "answered", "error", "tool error", "cancelled", "late", "duplicate", "unknown", "input required"
]  # fmt: skip
STATES: tuple[State, ...] = (
    "", "pending", "answered", "error", "tool error", "cancelled", "late", "duplicate", "unknown", "input required",
)  # fmt: skip
NONE, PENDING, ANSWERED, FAILED, TOOL_ERROR, CANCELLED, LATE, DUPLICATE, UNKNOWN, ASKS = range(10)

UNNAMED, UNLISTED = 0, 0xFFFF
_LONGEST_NAME = 200


class Names:
    """Strings that repeat, as small numbers. Too many or too long: `UNLISTED`, and the bytes must be
    asked."""

    def __init__(self) -> None:
        self._names: list[str] = [""]
        self._numbers: dict[str, int] = {"": UNNAMED}

    def number(self, name: str | None) -> int:
        if name is None:
            return UNNAMED
        number = self._numbers.get(name)
        if number is None:
            number = len(self._names)
            if number >= UNLISTED or len(name) > _LONGEST_NAME:
                return UNLISTED
            self._names.append(name)
            self._numbers[name] = number
        return number

    def name(self, number: int) -> str | None:
        """None for no name, and for one that is not listed."""
        return self._names[number] if 0 < number < UNLISTED else None

    def known(self) -> Sequence[str]:
        """All names listed so far, in the order in which they came up."""
        return self._names[1:]


class Columns:
    """The columns. `peer` holds a row number plus one (0: none); for an HTTP exchange `id` holds its
    status."""

    def __init__(self) -> None:
        self.time = array("d")
        self.session = array("H")
        self.channel = array("B")
        self.flags = array("B")
        self.exchange = array("I")
        self.size = array("I")

        self.kind = array("B")
        self.method = array("H")
        self.target = array("H")
        self.id = array("I")
        self.peer = array("I")
        self.state = array("B")
        self.names = Names()
        self.methods: set[int] = set()
        """Names that a row has or had as its method."""
        self.tools: set[int] = set()
        """Names of tools that were called."""

    def __len__(self) -> int:
        return len(self.time)

    @property
    def described(self) -> int:
        return len(self.kind)

    def append(
        self, t: float, session: int, channel: int, flags: int, exchange: int, raws: Sequence[bytes]
    ) -> None:
        count = len(raws)
        if count == 1:
            self.time.append(t)
            self.session.append(session)
            self.channel.append(channel)
            self.flags.append(flags)
            self.exchange.append(exchange)
            self.size.append(len(raws[0]))
            return
        self.time.extend(repeat(t, count))
        self.session.extend(repeat(session, count))
        self.channel.extend(repeat(channel, count))
        self.flags.extend(repeat(flags, count))
        self.exchange.extend(repeat(exchange, count))
        self.size.extend(map(len, raws))

    def describe(
        self, kind: int, method: int = 0, target: int = 0, id_: int = 0, peer: int = 0, state: int = 0
    ) -> None:
        """The conclusions about the next row that has none yet."""
        self.kind.append(kind)
        self.methods.add(method)
        self.method.append(method)
        self.target.append(target)
        self.id.append(id_)
        self.peer.append(peer)
        self.state.append(state)

    def drop(self, count: int) -> None:
        """Forgets the oldest rows."""
        for column in (self.time, self.session, self.channel, self.flags, self.exchange, self.size):
            del column[:count]
        for column in (self.kind, self.method, self.target, self.id, self.peer, self.state):
            del column[:count]
