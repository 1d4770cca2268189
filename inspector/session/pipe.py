"""What a session needs of the way to its server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from inspector.base.errors import Failure
from inspector.protocol.jsonrpc import Id
from inspector.transports.base import Silence, Transport


class Pipe(Transport, Protocol):
    """A transport as a session uses it, with what only some of them do."""

    @property
    def legacy_only(self) -> bool:
        """True for a way that ended before 2026-07-28, so that nobody has to ask which era is spoken on it."""
        ...

    def describe(self) -> str:
        """What opening came to, for people: the process, where messages go, what stands between."""
        ...

    def may_go_another_way(self, failure: Failure) -> bool:
        """True where this failure of the handshake speaks for another transport that is not tried yet."""
        ...

    async def go_another_way(self, failure: Failure) -> str:
        """Opens that transport; the handshake is sent again then. Returns what came of it, for people. Raises
        Failed."""
        ...

    def due_headers(self) -> Mapping[str, str]:
        """The HTTP headers of the protocol that the next frame is sent with; none without HTTP."""
        ...

    def negotiated(self, version: str) -> None:
        """The handshake settled on this version."""
        ...

    async def ready(self) -> str | None:
        """After `initialized` was sent: opens the server's own stream where the transport has one. Returns what
        came of it, for people; None where there is nothing to tell."""
        ...

    def owner_of(self, exchange: int) -> Id | None:
        """The request that an HTTP exchange carries."""
        ...

    def status_of(self, exchange: int) -> int | None:
        """The HTTP status of an exchange that is open; None without HTTP."""
        ...

    def may_renew(self) -> bool:
        """Whether a connection that was lost on the way may be opened again, as one that has been of use."""
        ...

    async def renew(self) -> None:
        """Forgets the session, opening what a new one needs: a handshake follows. Raises Failed."""
        ...

    def explain_silence(self) -> Silence | None:
        """What is known about a server that does not answer: alive, silent on stdout, its last stderr line."""
        ...

    def stderr_tail(self) -> tuple[str, ...]: ...
