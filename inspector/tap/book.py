"""What a recorder writes into: the rows of one session of a recording, without a store beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.base.errors import fail
from inspector.base.locks import try_lock
from inspector.base.secrets import Secrets
from inspector.traffic.patterns import Pattern
from inspector.traffic.writer import Writer

_MOST = 100
_FAR = 1 << 40


class Book:
    """One session at the end of a recording; `t`, seconds since `base`, is when the next rows crossed. Has what
    `traffic.session_log.SessionLog` needs of a store. Opening raises Failed (io), nothing else does."""

    def __init__(
        self,
        path: Path,
        label: str,
        facts: Mapping[str, Any],
        *,
        base: float,
        secrets: Secrets,
        redact: bool,
        patterns: Sequence[Pattern],
    ) -> None:
        self.path, self._lock = _claimed(path)
        self.t = 0.0
        self.rows = 0
        self._label, self._facts = label, dict(facts)
        self._exchange = 0
        # An empty file is one that was just made for its lock.
        fresh = not self.path.stat().st_size
        self.writer = Writer(
            self.path, secrets=secrets, redact=redact, patterns=patterns, force=fresh, append=not fresh
        )
        self.start = self.path.stat().st_size
        """Where in the file this session begins."""
        self.writer.begin(base)
        self._about = b""
        self.facts(1)
        self.writer.say(1, self._about)

    def append(
        self,
        session: int,
        channel: int,
        raws: Sequence[bytes],
        exchange: int = 0,
        flags: int = 0,
        true_size: int = -1,
    ) -> int:
        first = self.rows
        sizes = [len(raw) for raw in raws] if true_size < 0 else [true_size]
        self.writer.write(raws, first, self.t, session, channel, exchange, flags, sizes, self._about)
        self.rows += len(raws)
        return first

    def facts(self, number: int, **changes: Any) -> None:
        self._facts |= changes
        self._about = self.writer.session(number, self.t, self._label, self._facts)

    def new_exchange(self) -> int:
        self._exchange += 1
        return self._exchange

    def close(self) -> None:
        self.writer.say(1, self._about)
        self.writer.close()
        os.close(self._lock)


def _claimed(path: Path) -> tuple[Path, int]:
    """The file, locked for us alone; where another tap writes to it, one beside it with a number in its name."""
    for number in range(1, _MOST):
        name = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise fail(
                "io",
                f"cannot write {name}: {error.strerror or error}",
                "check the path, the room on the disk, and whether you may write there",
            ) from error
        # Behind the end of any file: where a lock keeps others from reading, it keeps them from nothing there.
        os.lseek(lock, _FAR, os.SEEK_SET)
        if try_lock(lock):
            return name, lock
        os.close(lock)
    raise fail("io", f"{path} and {_MOST} files beside it are being written", "record to another file")
