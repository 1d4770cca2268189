"""What a tap tells its recorder, packed one note after the other into a pipe."""

from __future__ import annotations

import struct
from enum import IntEnum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = struct.Struct(">BIdI")


class Kind(IntEnum):
    """`SENT`, `RECEIVED` and `STDERR` are pieces of the three streams of a process, cut anywhere; `GAP` says in JSON
    what of one of them, or of HTTP, is missing here (see `feed.Missing`). `FACTS` are a JSON object, `SYSTEM` is a
    sentence of ours. The others are the parts of an HTTP exchange: heads in JSON, bodies in pieces as they came. `DONE`
    comes last, where nothing was cut off behind it."""

    SENT = 0
    RECEIVED = 1
    STDERR = 2
    GAP = 3
    FACTS = 4
    SYSTEM = 5
    REQUEST = 6
    REQUEST_BODY = 7
    RESPONSE = 8
    RESPONSE_BODY = 9
    END = 10
    DONE = 11


class Note:
    """`t` is in seconds since the tap began; `exchange` numbers an HTTP exchange, 0 elsewhere."""

    __slots__ = ("data", "exchange", "kind", "t")

    def __init__(self, kind: Kind, exchange: int, t: float, data: bytes) -> None:
        self.kind, self.exchange, self.t, self.data = kind, exchange, t, data


def pack(note: Note) -> bytes:
    return _HEAD.pack(note.kind, note.exchange, note.t, len(note.data)) + note.data


class Unpacker:
    """Notes out of the pieces that a pipe delivers."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> Iterator[Note]:
        rest = self._rest
        rest += piece
        at = 0
        while len(rest) - at >= _HEAD.size:
            kind, exchange, t, size = _HEAD.unpack_from(rest, at)
            start = at + _HEAD.size
            if len(rest) - start < size:
                break
            at = start + size
            yield Note(Kind(kind), exchange, t, bytes(rest[start:at]))
        del rest[:at]
