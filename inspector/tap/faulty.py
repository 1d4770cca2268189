"""The streams of a tap with faults on purpose: taken apart into messages. What is recorded is what the client got."""

from __future__ import annotations

import os
import subprocess
import threading
from abc import ABC, abstractmethod

from inspector.faults.bodies import ServerEnds
from inspector.faults.injector import Injector
from inspector.faults.lines import Lines
from inspector.tap.feed import Feed, write_all
from inspector.tap.notes import Kind
from inspector.tap.shim import Pump
from inspector.transports.framing import LineSplitter

_CHUNK = 1 << 16
_NO_CAP = 1 << 62


class Faults:
    """`exit_code` is what the tap ends with where a fault ended the server."""

    def __init__(self, injector: Injector) -> None:
        self.injector = injector
        self.exit_code: int | None = None

    def pump(
        self, process: subprocess.Popen[bytes], source: int, target: int, kind: Kind, feed: Feed
    ) -> Pump:
        if kind == Kind.STDERR:
            return Pump(source, target, kind, feed)
        made = _Asked if kind == Kind.SENT else _Sent
        return made(self, process, source, target, kind, feed)


class _Lines(Pump, ABC):
    def __init__(
        self,
        faults: Faults,
        process: subprocess.Popen[bytes],
        source: int,
        target: int,
        kind: Kind,
        feed: Feed,
    ) -> None:
        super().__init__(source, target, kind, feed)
        self.faults = faults
        self.process = process

    def _move(self) -> None:
        splitter = LineSplitter(_NO_CAP)
        while data := os.read(self.source, _CHUNK):
            self.busy = True
            for line in splitter.feed(data):
                assert isinstance(line, bytes)
                self._line(line)
            self.moved += len(data)
            self.busy = False
        rest = splitter.rest()
        assert isinstance(rest, bytes)
        self._ended(rest)

    def _write(self, data: bytes) -> None:
        self.feed.put(self.kind, data)
        write_all(self.target, data)

    @abstractmethod
    def _line(self, line: bytes) -> None:
        """Takes a whole line of the stream, without its end."""

    def _ended(self, rest: bytes) -> None:
        if rest:
            self._write(rest)


class _Asked(_Lines):
    """What the client sends: passed on as it is."""

    def _line(self, line: bytes) -> None:
        self.faults.injector.asked(line)
        self._write(line + b"\n")

    def _ended(self, rest: bytes) -> None:
        super()._ended(rest)
        if self.faults.injector.has("ignore-eof"):
            # The server is not told; this way ends with the process.
            threading.Event().wait()


class _Sent(_Lines):
    """What the server sends: here it goes wrong."""

    def _move(self) -> None:
        self._way = Lines(self.faults.injector, self._write)
        super()._move()

    def _line(self, line: bytes) -> None:
        try:
            self._way(line)
        except ServerEnds as end:
            self.faults.exit_code = end.code
            self.feed.put(Kind.SYSTEM, b"ended here by a fault that was asked for")
            self.process.kill()
            raise

    def _ended(self, rest: bytes) -> None:
        super()._ended(rest)
        self._way.finish()
