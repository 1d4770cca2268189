"""Writes recordings, behind redaction."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.base.errors import Failure, fail
from inspector.base.fifo import is_fifo
from inspector.base.secrets import Secrets
from inspector.traffic.files import pread
from inspector.traffic.header import header, line_of, session_line
from inspector.traffic.index import Columns
from inspector.traffic.lines import REDACTED, SYS, encode
from inspector.traffic.patterns import Pattern
from inspector.traffic.recording import Recording
from inspector.traffic.redact import Redaction
from inspector.traffic.remarks import note_line

_BINARY = getattr(os, "O_BINARY", 0)


class Writer:
    """Writes a recording beside a session. Opening raises Failed (kind io); afterwards nothing does: the
    first error ends the recording at its last whole line, is kept in `failure` and told to `on_error`.

    With `append` an existing recording gets further sessions; its old lines stay as they are.
    """

    def __init__(
        self,
        path: Path,
        *,
        secrets: Secrets | None = None,
        redact: bool = True,
        patterns: Sequence[Pattern] = (),
        force: bool = False,
        append: bool = False,
        on_error: Callable[[Failure], None] | None = None,
    ) -> None:
        self.path = path
        self.rows = 0
        self.failure: Failure | None = None
        self._redaction = Redaction(secrets, patterns) if redact else None
        self._on_error = on_error
        import hashlib  # late: it loads OpenSSL, which a command that records nothing has no use for

        self._digest = hashlib.sha256()
        self._size = 0
        self._said: dict[int, bytes] = {}
        self._row_shift = self._session_shift = 0
        self._old_base: float | None = None
        self._descriptor = self._open(force, append)

    def tell(self, told: Callable[[Failure], None]) -> None:
        """`told` is told of the error too; at once, where it has come already."""
        before = self._on_error

        def both(failure: Failure) -> None:
            if before is not None:
                before(failure)
            told(failure)

        self._on_error = both
        if self.failure is not None:
            told(self.failure)

    @property
    def redacts(self) -> bool:
        return self._redaction is not None

    def _open(self, force: bool, append: bool) -> int:
        if append and self.path.exists() and self.path.stat().st_size:
            self._continue()
            flags = os.O_RDWR | os.O_APPEND | _BINARY
        else:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY | (os.O_TRUNC if force else os.O_EXCL)
        try:
            if self.path.exists() and is_fifo(self.path):
                raise fail("io", f"{self.path} is a pipe", "a recording is written to a file")
            descriptor = os.open(self.path, flags, 0o600)
        except FileExistsError as error:
            raise fail(
                "io", f"{self.path} exists", "choose another name, or overwrite it with --force"
            ) from error
        except OSError as error:
            raise fail(
                "io",
                f"cannot write {self.path}: {error.strerror or error}",
                "check the path, the room on the disk, and whether you may write there",
            ) from error
        if os.name == "posix" and self.path.is_file():
            os.fchmod(descriptor, 0o600)
        return descriptor

    def _continue(self) -> None:
        columns = Columns()
        recording = Recording(columns, [self.path])
        recording.read_some(float("inf"))
        try:
            self._row_shift = recording.first_row + len(columns)
            self._session_shift = max(recording.sessions, default=0)
            self._old_base = recording.base
            segment = recording.segments[0]
            last = b""
            for at in range(0, segment.size, 1 << 20):
                last = pread(segment.descriptor, 1 << 20, at)
                self._digest.update(last)
            self._size = segment.size
            self._cut = not last.endswith(b"\n")
        finally:
            recording.close()

    def begin(self, base: float) -> None:
        """Writes the header; `base` as in `header`. Called by the traffic that is recorded."""
        if self._old_base is not None:
            self._time_shift = base - self._old_base
            if self._cut:
                self._write(b"\n")
            return
        self._time_shift = 0.0
        if self._redaction is not None:
            facts: dict[str, Any] = {"applied": True, "rules": self._redaction.rules}
        else:
            facts = {
                "applied": False,
                "warning": "recorded with --no-redact: this file holds secrets as they were sent",
            }
        self._write(header(base, facts))

    def session(self, number: int, t: float, label: str, facts: Mapping[str, Any]) -> bytes:
        """The line of a session as it is written here."""
        shown = dict(facts) if self._redaction is None else self._redaction.facts(facts)
        return session_line(number + self._session_shift, t + self._time_shift, label, shown)

    def write(
        self,
        raws: Sequence[bytes],
        row: int,
        t: float,
        session: int,
        channel: int,
        exchange: int,
        flags: int,
        sizes: Sequence[int],
        about: bytes,
    ) -> None:
        """Rows of one batch, in one write. `about` is the line of their session, written where it is new."""
        if self.failure is not None:
            return
        parts = [] if self._said.get(session) is about else [about]
        redaction = self._redaction
        number = row + self._row_shift
        t += self._time_shift
        session_number = session + self._session_shift
        for raw, size in zip(raws, sizes, strict=True):
            flag = flags
            true_size = size if size != len(raw) else -1
            if redaction is not None and (masked := redaction.row(channel, raw)) is not raw:
                raw, flag = masked, flag | REDACTED
            parts.append(encode(raw, t, number, session_number, channel, exchange, flag, true_size)[0])
            number += 1
        self._write(b"".join(parts))
        self._said[session] = about
        self.rows += len(raws)

    def say(self, number: int, about: bytes) -> None:
        """Writes the line of a session where it is new."""
        if self._said.get(number) is not about:
            self._write(about)
            self._said[number] = about

    def remark(self, number: int, text: str) -> None:
        """Writes a note on a row, which may have been written or not."""
        if self._redaction is not None:
            text = self._redaction.row(SYS, text.encode("utf-8", "replace")).decode("utf-8", "replace")
        self._write(note_line(number + self._row_shift, text))

    def _write(self, data: bytes) -> None:
        if self.failure is not None:
            return
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            self._stop(error)
            return
        self._size += len(data)
        self._digest.update(data)

    def _stop(self, error: OSError) -> None:
        try:
            os.ftruncate(self._descriptor, self._size)
            if not self._size and self.path.is_file():
                self.path.unlink()
        except OSError:
            pass  # a reader leaves the cut line out
        reason = error.strerror or str(error)
        self.failure = Failure(
            kind="io",
            message=f"recording stopped after {self.rows} rows: cannot write {self.path}: {reason}",
            hint="the session goes on unrecorded; free some space and record again under another name",
        )
        if self._on_error is not None:
            self._on_error(self.failure)

    def close(self) -> None:
        """Writes the end line; never raises."""
        if self._descriptor < 0:
            return
        facts = {"rows": self.rows, "sha256": self._digest.hexdigest()}
        self._write(line_of({"end": facts}))
        try:
            os.close(self._descriptor)
        except OSError as error:
            self._stop(error)
        self._descriptor = -1
