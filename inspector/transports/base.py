"""What every transport promises, and what it expects of the two that listen to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from inspector.base.errors import Failure, Kind
from inspector.protocol.jsonrpc import Id

NO_HEADERS: Mapping[str, str] = {}


class Written(dict[str, str]):
    """HTTP headers of one request as a person wrote them: each goes out in place of all others of its name, and an
    empty one leaves that name out."""


class Observer(Protocol):
    """Sees all bytes before anyone reads them. Nothing here may raise or block.

    `exchange` is the number of the HTTP exchange a frame belongs to, None on stdio.
    """

    def sent(self, raw: bytes, exchange: int | None = None) -> int:
        """A frame is about to be written; returns its row number."""
        ...

    def received(self, raws: Sequence[bytes], exchange: int | None = None) -> int:
        """Frames that came in one piece, oldest first; returns the row number of the first."""
        ...

    def oversized(self, head: bytes, size: int) -> int:
        """A frame over the cap: its first bytes and its true size."""
        ...

    def stderr(self, lines: Sequence[bytes]) -> None:
        """Lines the process wrote on stderr, without their line ends."""
        ...

    def system(self, text: str, exchange: int | None = None) -> None:
        """Something that we did or noticed: spawned, exited, session renewed; maybe about an HTTP exchange."""
        ...

    def http_request(self, method: str, url: str, headers: Sequence[tuple[str, str]]) -> int:
        """An HTTP request is about to be sent; returns the number of its exchange."""
        ...

    def http_response(self, exchange: int, status: int, headers: Sequence[tuple[str, str]]) -> None:
        """The head of the answer has come."""
        ...

    def http_body(self, exchange: int, body: bytes) -> None:
        """A body, or part of one, that is no frame: an error page, text after an accepted notification."""
        ...

    def http_event(self, exchange: int, field: str, value: str) -> None:
        """A part of an event stream that is no frame: `id`, `retry`, `comment`, another event name."""
        ...

    def http_end(self, exchange: int, outcome: str) -> None:
        """The exchange is over: `complete`, `closed`, or why it broke."""
        ...


class Credentials(Protocol):
    """What is sent as Authorization to the origin of a server, where its entry names nothing of the kind."""

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """Of one request, Authorization among them where there is one."""
        ...

    def takes(self, nonce: str) -> bool:
        """The server answered 401 with a nonce (RFC 9449, 9); True where that changes what is sent."""
        ...

    async def open(self) -> None:
        """Gets it ready, before the first request."""
        ...

    async def renewed(self, refused: str | None) -> bool:
        """The server answered 401 to what was sent; True where there is something else to send now."""
        ...


@dataclass(slots=True)
class Listener:
    """Whom a transport tells what came in; called on the event loop, in wire order.

    `frame(raw, row, exchange)` for every frame; `undelivered(id, failure)` when the request with that id cannot
    be answered any more (its exchange failed); `lost(failure)` once, when the whole connection is gone.
    `waiting(id)` tells whether the answer to that request has still to come. `unsent(row, failure)` when a frame that
    is no request did not reach the server.
    """

    frame: Callable[[bytes, int, int | None], None]
    undelivered: Callable[[Id, Failure], None]
    lost: Callable[[Failure], None]
    waiting: Callable[[Id], bool] = lambda id: True
    unsent: Callable[[int, Failure], None] = lambda row, failure: None


class Silence(NamedTuple):
    """What is known of a server that does not answer: a clause for people, and the next step where one is known; the
    kind of the failure where it is no mere time-out."""

    cause: str
    hint: str | None = None
    kind: Kind = "timeout"


@dataclass(frozen=True, slots=True)
class Closed:
    """How a connection ended: `how` for people ("stdin closed", "SIGTERM", "SIGKILL", "DELETE 200")."""

    how: str
    exit_code: int | None = None
    signal: str | None = None
    leftovers: tuple[int, ...] = ()


class Transport(Protocol):
    """One connection to one server. Opened once, closed once; `close` works in every state and never raises."""

    @property
    def kind(self) -> str:
        """`stdio`, `http` or `sse`; `auto` while it is not settled which."""
        ...

    async def open(self) -> None:
        """Spawns or prepares. Raises Failed with the reason."""
        ...

    def send(
        self,
        raw: bytes,
        *,
        id: Id | None = None,
        method: str | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> int:
        """Queues one frame and returns its row. `id` is given for requests, so that a failed exchange can be
        reported for it. `headers` go with it where there are any. Raises Failed where the connection is gone."""
        ...

    def abandon(self, id: Id) -> None:
        """The caller no longer waits for this request."""
        ...

    async def close(self) -> Closed: ...


@dataclass(slots=True)
class ProcessFacts:
    """A process of ours as the status table and the Process pane show it. Times are seconds since the epoch."""

    command: tuple[str, ...]
    program: str = ""
    cwd: str = ""
    env_added: dict[str, str] = field(default_factory=dict)
    pid: int | None = None
    started: float | None = None
    ended: float | None = None
    exit_code: int | None = None
    signal: str | None = None
    closed_by: str | None = None
    started_by: str = ""
