"""A lock between processes: a file that one of them holds at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 3.0
_LOOK = 0.01


def try_lock(descriptor: int) -> bool:
    """Takes the lock of an open file if it is free; it is given back when the file is closed or the process ends."""
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds the lock file `path` while the block runs. It stays where it is, empty. Blocks, for `patience` seconds at
    most; raises OSError where it cannot be had."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end = time.monotonic() + patience
        while not try_lock(descriptor):
            if time.monotonic() >= end:
                raise TimeoutError("another process holds its lock")
            time.sleep(_LOOK)
        yield
    finally:
        os.close(descriptor)
