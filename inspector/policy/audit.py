"""The audit trail: which tool was called when, with what, who allowed it, and what came of it.

One JSON line a call, in a private file for each day, written once and never changed.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.base import jsontext, numbers
from inspector.base.errors import Failure
from inspector.base.paths import paths, private_folder
from inspector.base.secrets import Secrets
from inspector.base.text import decode

if TYPE_CHECKING:
    from inspector.session.answer import Answer

COMMAND_LINE, PERSON, YES, READ_ONLY = "command line", "person", "--yes", "read-only hint"
"""Who allows a call: it was typed there and is its own approval; a person who was asked; an option; the server's own
word that the tool only reads."""
DENIED = "denied"
"""The outcome of a call that was not sent."""
LONGEST = 1000
"""Characters of arguments, as JSON; longer ones are kept as text that is cut there."""
_ROWS = 10_000
_SUFFIX = ".jsonl"
_BLOCK = 1 << 16
_BINARY = getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool that is over, or that was not allowed. `at` is when it began, in seconds since the epoch;
    `approver` is who allowed it, or what rule; `reason` is why it was denied; `task` is the id of the task that it
    became, `is_end` whether `answer` is what that came to."""

    server: str
    tool: Any
    arguments: Any
    at: float
    approver: str
    seconds: float | None = None
    answer: Answer | None = None
    failure: Failure | None = None
    reason: str = ""
    task: str = ""
    is_end: bool = False

    @property
    def outcome(self) -> str:
        """`ok`, `tool_error`, `task` (it goes on as one, and has a second record at its end), `denied`, else the kind
        of the failure."""
        failure = self.failure or (self.answer.failure if self.answer is not None else None)
        if failure is not None:
            return failure.kind
        if self.answer is None:
            return DENIED
        if self.task and not self.is_end:
            return "task"
        result = self.answer.result
        return "tool_error" if isinstance(result, dict) and result.get("isError") is True else "ok"


class Audit:
    """Writes the trail. Nothing it does delays or fails a call: what cannot be written is told to `on_problem` once,
    as a sentence."""

    def __init__(
        self,
        secrets: Secrets,
        approver: str,
        *,
        folder: Path | None = None,
        on_problem: Callable[[str], None] | None = None,
    ) -> None:
        self.approver = approver
        """Who allows a call of which nothing else is said."""
        self._secrets = secrets
        self._folder = folder
        self._rows: dict[str, int] = {}
        self.on_problem = on_problem or (lambda problem: None)
        self._waiting: list[Called] = []
        self._failed = False

    def take(self, called: Called) -> None:
        """Writes it down as soon as the loop has nothing more urgent: the answer is on its way to somebody."""
        self._waiting.append(called)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self.flush)

    def prepare(self) -> None:
        """Loads what writing a line takes; to be called while something else is waited for."""
        import hashlib  # noqa: F401

        self._line(Called("", "", {}, 0.0, ""))

    @property
    def folder(self) -> Path:
        """Where the trail is."""
        return self._folder or paths().audit

    def row_of(self, record: Mapping[str, Any]) -> int | None:
        """The row of the traffic at which the request of a record was sent; None where that was in another run."""
        return self._rows.get(_key(record))

    def flush(self) -> None:
        """Writes down what waits for it; to be called at the end."""
        waiting, self._waiting = self._waiting, []
        if not waiting or self._failed:
            return
        folder = self.folder
        days: dict[str, bytes] = {}
        for called in waiting:
            day = time.strftime("%Y-%m-%d", time.gmtime(called.at))
            days[day] = days.get(day, b"") + self._line(called)
        try:
            private_folder(folder)
            for day, lines in days.items():
                _append(folder / f"{day}{_SUFFIX}", lines)
        except OSError as error:
            self._failed = True
            self.on_problem(
                f"calls are not written to the audit trail any more: {error.strerror or error} ({folder})"
            )

    def _line(self, called: Called) -> bytes:
        # Late: a command that calls nothing has no use for them.
        from inspector.traffic.lines import C2S
        from inspector.traffic.redact import Redaction

        record: dict[str, Any] = {
            "time": _moment(called.at),
            "server": called.server,
            "tool": called.tool,
            "arguments": called.arguments,
            "outcome": called.outcome,
            "approver": called.approver,
        }  # fmt: skip
        if called.reason:
            record["reason"] = called.reason
        if called.task:
            record["task"] = called.task
        if called.seconds is not None:
            record["duration_ms"] = round(called.seconds * 1000, 1)
        if called.answer is not None:
            record |= _of_result(called.answer)
        if called.answer is not None and called.answer.sent_row >= 0:
            self._rows[_key(record)] = called.answer.sent_row
            if len(self._rows) > _ROWS:
                del self._rows[next(iter(self._rows))]
        masked = Redaction(self._secrets).row(C2S, _bytes(record))
        if len(masked) > LONGEST:
            masked = _cut(masked)
        return masked + b"\n"


def _key(record: Mapping[str, Any]) -> str:
    return f"{record.get('time')} {record.get('server')} {record.get('sha256')}"


def _bytes(record: Mapping[str, Any]) -> bytes:
    try:
        return numbers.dumps(record).encode("utf-8", "surrogatepass")
    except (ValueError, TypeError, RecursionError) as error:
        # What could not be sent either, as NaN.
        return json.dumps({**record, "arguments": f"cannot be written as JSON: {error}"}).encode()


def _cut(line: bytes) -> bytes:
    """Arguments of more than `LONGEST` characters become text. It was masked before: half a secret is not found."""
    text = decode(line)
    arguments = jsontext.pick(text, "arguments")
    if arguments is None or len(arguments) <= LONGEST:
        return line
    told = {"arguments": f"{arguments[:LONGEST]}…", "argumentsLength": len(arguments)}
    return _bytes({**numbers.loads(text), **told})


def _of_result(answer: Answer) -> dict[str, Any]:
    """The size in bytes and the digest of what the server answered: the JSON text of the result, or of the error, as
    it was on the wire."""
    import hashlib  # late: it loads OpenSSL

    text = decode(answer.raw)
    said = jsontext.pick(text, "result") or jsontext.pick(text, "error")
    raw = answer.raw if said is None else said.encode("utf-8", "surrogatepass")
    return {"size": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}


def _moment(at: float) -> str:
    """As in RFC 3339, to the millisecond."""
    milliseconds = int(at * 1000)
    return (
        f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(milliseconds // 1000))}.{milliseconds % 1000:03}Z"
    )


def _append(path: Path, lines: bytes) -> None:
    """In one write, so that lines of several programs do not mix."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, 0o600)
    try:
        os.write(descriptor, lines)
    finally:
        os.close(descriptor)


@dataclass(slots=True)
class Trail:
    """What was written down. `unread` counts lines that are no record."""

    folder: Path
    unread: int = 0

    def newest(self) -> Iterator[dict[str, Any]]:
        """The records, newest first, read as far as they are asked for. Their texts are foreign. Raises OSError."""
        for path in sorted(self.folder.glob(f"*{_SUFFIX}"), reverse=True):
            for line in _lines_from_the_end(path):
                try:
                    record = numbers.loads(decode(line))
                except (ValueError, RecursionError):
                    record = None
                if isinstance(record, dict):
                    yield record
                else:
                    self.unread += 1


def trail(folder: Path | None = None) -> Trail:
    return Trail(folder or paths().audit)


def matches(record: Mapping[str, Any], words: list[str]) -> bool:
    """Whether each of the words stands somewhere in the record, in any case; `name=value` looks into one member."""
    return all(_matches(record, word.lower()) for word in words)


def _matches(record: Mapping[str, Any], word: str) -> bool:
    name, mark, value = word.partition("=")
    if mark and name in record:
        return value in _said(record[name])
    return any(word in _said(member) for member in record.values())


def _said(member: Any) -> str:
    return (member if isinstance(member, str) else numbers.dumps(member)).lower()


def _lines_from_the_end(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        at = file.seek(0, os.SEEK_END)
        rest = b""
        while at:
            size = min(_BLOCK, at)
            at -= size
            file.seek(at)
            first, *lines = (file.read(size) + rest).split(b"\n")
            yield from (line for line in reversed(lines) if line.strip())
            rest = first
        if rest.strip():
            yield rest
