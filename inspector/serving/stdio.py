"""Plays a server on stdin and stdout of this process. Loads no event loop, so that it starts at once."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.base.errors import Failed, fail
from inspector.serving.definition import Definition, is_modern
from inspector.serving.engine import Session
from inspector.serving.wire import one_line

if TYPE_CHECKING:
    from inspector.serving.exchange import Watch

Send = Callable[[bytes], None]
"""Writes bytes to the client."""


def serve(definition: Definition) -> int:
    """Serves a definition until stdin ends and what is soon done is answered; gives the exit code of the process."""
    return play(session_for(definition)(definition, say=_say))


def play(
    session: Session,
    *,
    watch: Watch | None = None,
    reread: Callable[[], Definition | None] = lambda: None,
    through: Callable[[Send], Send] = lambda send: send,
) -> int:
    """The same for any session. `watch` sees each frame, without its line end, before it is worked on and before it
    goes out; `reread` is asked now and then for another definition. All that goes out passes through what `through`
    makes of the way to the client, one frame with its line end at a time.

    stdout carries frames only: whatever else is printed in this process goes to stderr. Raises Failed (io) where stdout
    cannot be written, though somebody is there.
    """
    stdout = os.dup(1)
    os.dup2(2, 1)
    send = through(lambda data: _write(stdout, data))
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines,), name="stdin", daemon=True).start()
    last: float | None = None
    try:
        while last is None or session.answers_by(last):
            try:
                line = lines.get(timeout=_pause(session))
            except queue.Empty:
                _become(session, reread)
                frames = session.tick()
            else:
                if line is None:
                    last = time.monotonic() + _AFTER_ALL
                    continue
                if watch is not None:
                    watch.heard(line.rstrip(b"\r\n"))
                frames = session.feed(line) + session.tick()
            for frame in frames:
                raw = one_line(frame.raw)
                if watch is not None:
                    watch.said(raw)
                send(raw + b"\n")
        return 0
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


_AFTER_ALL = 3.0
"""Seconds that work goes on after stdin ended: a client that closes it may still read, and one that left waits for no
longer than that for the end of the process."""
_NAP = 2.0
"""Seconds. A signal that arrives just before the wait begins is seen only when the wait ends."""


def _become(session: Session, reread: Callable[[], Definition | None]) -> None:
    try:
        if (definition := reread()) is not None:
            session.become(definition)
    except Failed as failed:
        session.say(f"what was played goes on: {failed.failure.message}")


def _pause(session: Session) -> float:
    wake = session.wake()
    return _NAP if wake is None else min(_NAP, max(0.0, wake - time.monotonic()))


def _write(stdout: int, data: bytes) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(stdout, rest) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise fail("io", f"stdout cannot be written: {error.strerror}", "is the disk full?") from error


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody reads stderr, which is no reason to stop
