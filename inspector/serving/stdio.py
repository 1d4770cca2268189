"""Plays a definition on stdin and stdout of this process. Loads no event loop, so that it starts at once."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time

from inspector.serving.definition import Definition, is_modern
from inspector.serving.engine import Frame, Session


def serve(definition: Definition) -> int:
    """Serves until stdin ends; gives the exit code of the process.

    stdout carries frames only: whatever else is printed in this process goes to stderr.
    """
    stdout = os.dup(1)
    os.dup2(2, 1)
    session = session_for(definition)(definition, say=_say)
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines,), name="stdin", daemon=True).start()
    try:
        while True:
            try:
                line = lines.get(timeout=_pause(session))
            except queue.Empty:
                frames = session.tick()
            else:
                if line is None:
                    return 0
                frames = session.feed(line) + session.tick()
            _write(stdout, frames)
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        session.close()


def session_for(definition: Definition) -> type[Session]:
    """What plays a definition, by the versions that it speaks."""
    if not any(is_modern(version) for version in definition.versions):
        return Session
    from inspector.serving.modern import ModernSession

    return ModernSession


def _read(lines: queue.SimpleQueue[bytes | None]) -> None:
    try:
        with open(0, "rb", closefd=False) as stdin:
            for line in stdin:
                lines.put(line)
    except OSError:
        pass  # a stdin that cannot be read has ended
    finally:
        lines.put(None)


_NAP = 2.0
"""Seconds. A signal that arrives just before the wait begins is seen only when the wait ends."""


def _pause(session: Session) -> float:
    wake = session.wake()
    return _NAP if wake is None else min(_NAP, max(0.0, wake - time.monotonic()))


def _write(stdout: int, frames: list[Frame]) -> None:
    rest = memoryview(b"".join(frame.raw + b"\n" for frame in frames))
    while rest:
        rest = rest[os.write(stdout, rest) :]


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody reads stderr, which is no reason to stop
