"""Splits a byte stream into lines without limits on the way and without scanning a byte twice."""

from __future__ import annotations

from dataclasses import dataclass

FRAME_CAP = 64 * 1024 * 1024
"""Bytes of one line; a longer one is cut off, reported, and the stream goes on at the next line."""

_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Oversized:
    """A line over the cap: its first bytes and how long it was."""

    head: bytes
    size: int


class LineSplitter:
    """Lines end at LF and nowhere else (MCP stdio binding); a CR before it stays in the line.

    Text separators such as U+2028 are legal inside JSON strings and never split.
    """

    def __init__(self, cap: int = FRAME_CAP) -> None:
        self._cap = cap
        self._parts: list[bytes] = []
        self._size = 0
        self._head: bytes | None = None

    def feed(self, chunk: bytes) -> list[bytes | Oversized]:
        """The lines that `chunk` completes, in order."""
        pieces = chunk.split(b"\n")
        if len(pieces) == 1:
            self._keep(chunk)
            return []
        lines: list[bytes | Oversized] = [self._complete(pieces[0])]
        for piece in pieces[1:-1]:
            lines.append(piece if len(piece) <= self._cap else Oversized(piece[:_HEAD], len(piece)))
        if pieces[-1]:
            self._keep(pieces[-1])
        return lines

    def rest(self) -> bytes | Oversized:
        """What came after the last line end; forgotten by asking."""
        rest = b"".join(self._parts) if self._head is None else Oversized(self._head, self._size)
        self._parts, self._size, self._head = [], 0, None
        return rest

    def skip(self, size: int) -> None:
        """So many bytes of a line are missing here, its end not among them: it counts as one over the cap."""
        if size:
            self._head = self.peek()
            self._parts = []
            self._size += size

    def peek(self) -> bytes:
        """The first bytes of what came after the last line end, up to 4096."""
        return b"".join(self._parts[:1])[:_HEAD] if self._head is None else self._head

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._head is not None:
            return
        self._parts.append(piece)
        if self._size > self._cap:
            self._head = b"".join(self._parts)[:_HEAD]
            self._parts = []

    def _complete(self, piece: bytes) -> bytes | Oversized:
        if not self._size:
            return piece if len(piece) <= self._cap else Oversized(piece[:_HEAD], len(piece))
        self._keep(piece)
        return self.rest()
