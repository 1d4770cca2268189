"""The way from a tap to its recorder, a process of its own: nothing that recording costs is paid by who is tapped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from inspector.tap.notes import Kind, Note, pack

LIMIT = 64 << 20
"""Bytes that wait for the recorder at most; what comes on top of them is dropped and counted."""
_ROOT = str(Path(__file__).parent.parent.parent)
_PROGRAM = """
import os, sys
if hasattr(os, "nice"):
    os.nice(10)  # the server that starts beside it goes first
sys.path.insert(0, sys.argv[1])
from inspector.tap.recorder import main
main(sys.argv[2])
"""
_DIED = "the recorder has ended before its time"
_STREAMS = frozenset({Kind.SENT, Kind.RECEIVED, Kind.STDERR})


class Feed:
    """Takes notes from any thread without ever waiting. `order` is told to the recorder at its start (see
    `recorder.Order`)."""

    def __init__(self, order: Mapping[str, Any]) -> None:
        self.dropped = 0
        """Bytes that the recorder was too slow for, or did not live to see."""
        self._queue: SimpleQueue[Note | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._held = 0
        self._missing: dict[Kind, int] = {}
        self._dead = False
        self._process: subprocess.Popen[bytes] | None = None
        self._why = ""
        self._zero = time.monotonic()
        self._order = json.dumps({**order, "base": time.time()})
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
        self._thread.start()

    def put(self, kind: Kind, data: bytes = b"", exchange: int = 0) -> None:
        """Takes a note of now."""
        note = Note(kind, exchange, time.monotonic() - self._zero, data)
        with self._lock:
            if self._dead or (self._held > LIMIT and len(data)):
                self.dropped += len(data)
                if kind in _STREAMS:
                    self._missing[kind] = self._missing.get(kind, 0) + len(data)
                return
            if self._missing and (missing := self._missing.pop(kind, 0)):
                gap = json.dumps({"kind": kind, "bytes": missing}).encode()
                self._queue.put(Note(Kind.GAP, exchange, note.t, gap))
            self._held += len(data)
            self._queue.put(note)

    def close(self, patience: float) -> dict[str, Any]:
        """Waits up to `patience` seconds for the recorder to write what is left, and returns what it reported:
        `path`, `rows`, `error`, `note`, each where there is something to tell. It goes on without us after that."""
        end = time.monotonic() + patience
        for kind, missing in self._missing.items():
            gap = json.dumps({"kind": kind, "bytes": missing}).encode()
            self._queue.put(Note(Kind.GAP, 0, time.monotonic() - self._zero, gap))
        self._queue.put(None)
        self._thread.join(patience)
        found: list[bytes] = []
        process = self._process
        if process is not None and process.stdout is not None:
            stdout = process.stdout
            reader = threading.Thread(target=lambda: found.append(stdout.read()), daemon=True)
            reader.start()
            reader.join(max(0.0, end - time.monotonic()))
        report: dict[str, Any] = {}
        for line in b"".join(found).splitlines():
            report |= json.loads(line)
        if self._why or (found and "rows" not in report):
            report.setdefault("error", self._why or _DIED)
        return report

    def _run(self) -> None:
        try:
            # A session of its own: what ends the tap by force, with all of its group, leaves the recorder the
            # moment that it needs to write the rest. -P: the folder we were started in is no place for modules.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, _ROOT, self._order],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._lose(f"the recorder could not be started: {error.strerror or error}")
            self._drain()
            return
        assert self._process.stdin is not None
        descriptor = self._process.stdin.fileno()
        try:
            self._pass_on(lambda data: write_all(descriptor, data))
        except OSError as error:
            self._lose(f"{_DIED}: {error.strerror or error}")
            self._drain()
        finally:
            self._process.stdin.close()

    def _pass_on(self, write: Callable[[bytes], None]) -> None:
        while (note := self._queue.get()) is not None:
            write(pack(note))
            with self._lock:
                self._held -= len(note.data)

    def _lose(self, why: str) -> None:
        with self._lock:
            self._dead = True
            self.dropped += self._held
            self._why = why

    def _drain(self) -> None:
        while self._queue.get() is not None:
            pass


def write_all(descriptor: int, data: bytes) -> None:
    """Raises OSError where the other end is gone."""
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])
