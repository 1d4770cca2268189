"""A command between a client and the server that it starts: three streams passed on, and their ends too, so that the
client cannot tell the difference."""

from __future__ import annotations

import os
import threading

from inspector.tap.feed import Feed, write_all
from inspector.tap.notes import Kind
from inspector.tap.server import Server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspector.tap.faulty import Faults

_CHUNK = 1 << 16
_QUIET = 0.2
"""Seconds without a byte, after the server has ended, until a stream that somebody else holds open is given up."""


class Pump(threading.Thread):
    """Moves one stream. Its end, on either side, is passed on to the other."""

    def __init__(self, source: int, target: int, kind: Kind, feed: Feed) -> None:
        super().__init__(name=kind.name, daemon=True)
        self.source, self.target = source, target
        self.moved = 0
        self.busy = False
        self.kind = kind
        self.feed = feed

    def run(self) -> None:
        try:
            self._move()
        except OSError:
            pass  # the reader is gone, or the writer was killed: each side is told by what is closed below
        finally:
            self.busy = False
            _close(self.source)
            _close(self.target)

    def _move(self) -> None:
        kind, put, source, target = self.kind, self.feed.put, self.source, self.target
        while data := os.read(source, _CHUNK):
            self.busy = True
            # To take a note is to append a reference: no byte waits for it. Taken before the write, notes are in
            # the order of cause and effect, whoever of the threads runs next.
            put(kind, data)
            write_all(target, data)
            self.moved += len(data)
            self.busy = False

    def finish(self) -> None:
        """Waits until all is moved that the server wrote. A child of it may hold the stream open for ever: silence
        counts as the end; a client that does not read is waited for."""
        before = -1
        while self.is_alive() and (self.busy or before != self.moved):
            before = self.moved
            self.join(_QUIET)


def tap(server: Server, feed: Feed, faults: Faults | None = None) -> int:
    """Passes everything on until the server has ended, but for what the `faults` change. Returns its exit code; below
    zero the signal that ended it."""
    server.deaf = faults is not None and faults.injector.has("ignore-term")
    if os.name != "posix":
        _take_bytes()
    ways = (
        (0, server.stdin, Kind.SENT),
        (server.stdout, 1, Kind.RECEIVED),
        (server.stderr, 2, Kind.STDERR),
    )
    pumps = [Pump(*way, feed) if faults is None else faults.pump(server.process, *way, feed) for way in ways]
    for pump in pumps:
        pump.start()
    code = server.wait()
    for pump in pumps[1:]:
        pump.finish()
    return code


def _close(descriptor: int) -> None:
    if descriptor == 2:
        return  # at the end there may be something to say
    try:
        if descriptor > 2:
            os.close(descriptor)
        else:
            # Its number stays taken, or the next file that is opened would be our stdout.
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
    except OSError:
        pass


def _take_bytes() -> None:
    """Windows translates line ends of standard streams unless it is told not to."""
    import msvcrt

    for descriptor in (0, 1, 2):
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined]
