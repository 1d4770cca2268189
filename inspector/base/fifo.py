"""Files that a person names: what takes its time is there as a whole or not at all. They may be pipes: the other end is
waited for, but not for ever."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from inspector.base.errors import fail

PATIENCE = 10.0
"""Seconds in which the other end of a pipe has to be opened."""
_LOOK = 0.02
_BINARY = getattr(os, "O_BINARY", 0)


def is_fifo(path: Path) -> bool:
    """Raises OSError where there is nothing."""
    return stat.S_ISFIFO(path.stat().st_mode)


def read_named(path: Path, limit: int) -> bytes:
    """At most `limit` bytes of a file or device, or of a pipe up to its end. Raises OSError, also where nobody writes
    to the pipe."""
    if not is_fifo(path):
        with path.open("rb") as file:
            return file.read(limit)
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | _BINARY), "rb") as file:
        first = _first(file.fileno())
        os.set_blocking(file.fileno(), True)
        return first + file.read(limit - len(first))


def read_whole(path: Path, most: int, hint: str) -> bytes:
    """All of such a file. Raises Failed: io with the hint where it cannot be read, config where it has more than
    `most` bytes."""
    try:
        data = read_named(path, most + 1)
    except OSError as error:
        raise fail("io", f"{path} cannot be read: {error.strerror or error}", hint) from error
    if len(data) > most:
        raise fail("config", f"{path} is longer than {most} bytes", "split it")
    return data


def open_named(path: Path) -> BinaryIO:
    """Opens a file, device or pipe to be written anew. Raises OSError, also where nobody reads from the pipe."""
    if not path.exists() or not is_fifo(path):
        return path.open("wb")
    end = time.monotonic() + PATIENCE
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | _BINARY)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > end:
                raise _nobody("reads from") from None
            time.sleep(_LOOK)
            continue
        os.set_blocking(descriptor, True)
        return os.fdopen(descriptor, "wb")


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """The same for what takes its time: a file has its name only when the block is through, and before it what it had
    held; where the block raises it stays so. Raises OSError."""
    if path.exists() and not path.is_file():
        with open_named(path) as opened:
            yield opened
        return
    path = path.resolve()
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            if path.exists():
                part.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _first(descriptor: int) -> bytes:
    """What is there first; nothing yet where somebody has the pipe open for writing."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if data := os.read(descriptor, 1):
                return data
        except BlockingIOError:
            return b""
        if time.monotonic() > end:
            raise _nobody("writes to")
        time.sleep(_LOOK)


def _nobody(does: str) -> TimeoutError:
    return TimeoutError(errno.ETIMEDOUT, f"it is a pipe, and for {PATIENCE:.0f} seconds nobody {does} it")
