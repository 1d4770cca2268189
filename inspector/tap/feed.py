"""The way from a tap to its recorder, a process of its own: nothing that recording costs is paid by who is tapped."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from queue import SimpleQueue

from inspector.tap.notes import Kind, Note, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LIMIT = 64 << 20
"""Bytes that wait for the recorder at most; what comes on top of them is dropped and counted."""
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PROGRAM = """
import os, select, sys
if hasattr(os, "nice"):
    os.nice(10)  # the server that starts beside it goes first
if len(sys.argv) > 3:
    select.select([int(sys.argv[3])], (), (), 1.0)  # and until it has said something, at most for so long
sys.path.insert(0, sys.argv[1])
from inspector.tap.recorder import main
main(sys.argv[2])
"""
_DIED = "the recorder has ended before its time"
_STARTING = (Kind.SENT, Kind.STDERR, Kind.SYSTEM)
"""What may come before a server is up."""
_MOST = 20.0
"""Seconds to hand over what is left at the end: to a file, or to the recorder where there can be none."""
_BLOCKED = 0.05


class Missing:
    """What was dropped of one stream, in a row: `size` bytes, and among them `lines` line ends; `first` bytes up to the
    first of them, `last` bytes behind the last, so that the lines at both edges can be told how long they were."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.size = self.lines = self.first = self.last = 0

    def add(self, data: bytes) -> None:
        ends = data.count(b"\n")
        if not self.lines:
            self.first += data.index(b"\n") if ends else len(data)
        self.last = len(data) - 1 - data.rindex(b"\n") if ends else self.last + len(data)
        self.size += len(data)
        self.lines += ends

    def note(self, t: float, exchange: int = 0) -> Note:
        return Note(Kind.GAP, exchange, t, _json(vars(self)))


class Feed:
    """Takes notes from any thread without ever waiting. `order` is told to the recorder at its start (see
    `recorder.Order`)."""

    def __init__(self, order: Mapping[str, Any]) -> None:
        self.dropped = 0
        """Bytes that the recorder was too slow for, or did not live to see."""
        self._queue: SimpleQueue[Note | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._held = 0
        self._missing: dict[Kind, Missing] = {}
        self._dead = False
        self._late = False
        self._process: subprocess.Popen[bytes] | None = None
        self._why = ""
        self._zero = time.monotonic()
        self._rest: int | None = None
        self._waits: int | None = None
        self._goes: int | None = None
        if os.name == "posix":
            self._waits, self._goes = os.pipe()
        self._order = {**order, "base": time.time()}
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
        self._thread.start()

    def put(self, kind: Kind, data: bytes = b"", exchange: int = 0) -> None:
        """Takes a note of now."""
        note = Note(kind, exchange, time.monotonic() - self._zero, data)
        with self._lock:
            # Once behind, it drops in one piece until half is free, and not a little here and there.
            if self._dead or (len(data) and self._held > (LIMIT // 2 if self._missing else LIMIT)):
                self.dropped += len(data)
                self._missing.setdefault(kind, Missing(kind)).add(data)
                return
            if self._missing and (missing := self._missing.pop(kind, None)):
                self._queue.put(missing.note(note.t, exchange))
            self._held += len(data)
            self._queue.put(note)
            if self._goes is not None and kind not in _STARTING:
                self._go()

    def close(self, patience: float) -> dict[str, Any]:
        """Waits up to `patience` seconds for the recorder to write what is left, and returns what it reported:
        `path`, `rows`, `error`, each where there is something to tell. After that it is left what it has not taken yet
        in a file, and goes on without us: `late` is true then."""
        with self._lock:
            self._go()
        end = time.monotonic() + patience
        now = end - patience - self._zero
        for missing in self._missing.values():
            self._queue.put(missing.note(now))
        self._queue.put(Note(Kind.DONE, 0, now, b""))
        self._queue.put(None)
        self._thread.join(patience)
        late = self._late = self._thread.is_alive()
        self._thread.join(_MOST)
        if self._thread.is_alive():
            self._lose("the recorder stands still, and the end of the recording is missing")
        found: list[bytes] = []
        process = self._process
        if process is not None and process.stdout is not None:
            stdout = process.stdout
            reader = threading.Thread(target=lambda: found.append(stdout.read()), daemon=True)
            reader.start()
            reader.join(max(0.0, end - time.monotonic()))
        import json

        report: dict[str, Any] = {"late": True} if late and not self._dead else {}
        for line in b"".join(found).splitlines():
            report |= json.loads(line)
        if self._why or (found and "rows" not in report):
            report.setdefault("error", self._why or _DIED)
        return report

    def _go(self) -> None:
        """The recorder may take its time on the processor now. Its pipe is open from the start, so that nothing is lost
        with a tap that is killed before."""
        if self._goes is not None:
            os.close(self._goes)
            self._goes = None

    def _run(self) -> None:
        self._rest = _unnamed_file()
        order = _json({**self._order, "rest": self._rest}).decode()
        waits = () if self._waits is None else (self._waits,)
        try:
            # A session of its own: what ends the tap by force, with all of its group, leaves the recorder the
            # moment that it needs to write the rest. -P: the folder we were started in is no place for modules.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, _ROOT, order, *map(str, waits)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
                pass_fds=waits if self._rest is None else (*waits, self._rest),
            )
        except OSError as error:
            self._lose(f"the recorder could not be started: {error.strerror or error}")
            self._drain()
            return
        assert self._process.stdin is not None
        pipe = self._process.stdin.fileno()
        if self._rest is not None:
            os.set_blocking(pipe, False)
        try:
            while (note := self._queue.get()) is not None:
                self._write(pipe, memoryview(pack(note)))
                with self._lock:
                    self._held -= len(note.data)
        except OSError as error:
            why = "what the recorder was late for could not be kept" if self._late else _DIED
            self._lose(f"{why}: {error.strerror or error}")
            self._drain()
        finally:
            self._process.stdin.close()

    def _write(self, pipe: int, data: memoryview) -> None:
        """Whatever of it the pipe has not taken goes to the file once it is late: read one after the other, both are
        the whole."""
        while data:
            target = pipe if self._rest is None or not self._late else self._rest
            try:
                data = data[os.write(target, data) :]
            except BlockingIOError:
                select.select((), (pipe,), (), _BLOCKED)

    def _lose(self, why: str) -> None:
        with self._lock:
            self._dead = True
            self.dropped += self._held
            self._why = why

    def _drain(self) -> None:
        while self._queue.get() is not None:
            pass


def _unnamed_file() -> int | None:
    """A private file without a name, which ends with who holds it; None where the system has no such thing."""
    if os.name != "posix":
        return None
    from inspector.base.paths import paths, private_folder

    try:
        path = private_folder(paths().taps) / f"{os.getpid()}-{os.urandom(4).hex()}"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        path.unlink()
    except OSError:
        return None
    return descriptor


def _json(value: object) -> bytes:
    # Loaded beside what is passed on, which waits for nothing.
    import json

    return json.dumps(value).encode()


def write_all(descriptor: int, data: bytes) -> None:
    """Raises OSError where the other end is gone."""
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])
