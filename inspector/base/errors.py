"""One error taxonomy for the whole program: what went wrong, why, and what to do next."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, get_args

Kind = Literal[
    "config", "consent", "not_found", "not_executable", "bad_cwd", "spawn", "exited", "timeout", "dns", "refused",
    "tls", "proxy", "http", "auth", "redirect", "not_mcp", "version", "protocol", "rpc", "stream", "session",
    "unsupported", "cancelled", "io", "internal",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)


class Exit(IntEnum):
    """The exit codes of the command line."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    CONNECT = 3
    PROTOCOL = 4
    TIMEOUT = 5
    BUG = 70
    INTERRUPTED = 130


_EXIT_OF_KIND: dict[str, Exit] = {
    "config": Exit.USAGE,
    "consent": Exit.USAGE,
    "unsupported": Exit.USAGE,
    "io": Exit.USAGE,
    "timeout": Exit.TIMEOUT,
    "protocol": Exit.PROTOCOL,
    "rpc": Exit.PROTOCOL,
    "cancelled": Exit.INTERRUPTED,
    "internal": Exit.BUG,
}


SHORT_OF = {
    errno.EMFILE: "a process may have more files open after ulimit -n 1024; or start fewer servers at once",
    errno.ENFILE: "the system has too many files open; end other programs",
    errno.EAGAIN: "you may have more processes after raising ulimit -u; or start fewer servers at once",
    errno.ENOMEM: "the system is short of memory; end other programs",
    errno.E2BIG: "args and env together are too long for this system; shorten them",
}
"""What to do where the system has no more of something, by errno."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure as it is shown, printed as JSON and kept: cause in `message`, next step in `hint`.

    `code` and `data` are those of a JSON-RPC error; `exit_code` and `signal` those of a process that ended;
    `stderr` holds its last lines, oldest first. The texts may quote a server: they are foreign and unescaped.
    """

    kind: Kind
    message: str
    hint: str | None = None
    code: int | None = None
    data: Any = None
    exit_code: int | None = None
    signal: str | None = None
    http_status: int | None = None
    stderr: tuple[str, ...] = ()

    @property
    def exit(self) -> Exit:
        """The exit code of a command that ends with this failure."""
        return _EXIT_OF_KIND.get(self.kind, Exit.CONNECT)

    def as_json(self) -> dict[str, Any]:
        """The one error shape of every `--json` document; absent members are null."""
        return {
            "kind": self.kind,
            "message": self.message,
            "hint": self.hint,
            "code": self.code,
            "data": self.data,
            "exitCode": self.exit_code,
            "signal": self.signal,
            "httpStatus": self.http_status,
            "stderr": list(self.stderr),
        }


class Failed(Exception):
    """Carries a `Failure` to whoever waits for the outcome."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def fail(kind: Kind, message: str, hint: str | None = None, **facts: Any) -> Failed:
    """Shorthand: `raise fail("timeout", "no answer for 60 s", "give it longer with --timeout")`."""
    return Failed(Failure(kind=kind, message=message, hint=hint, **facts))
