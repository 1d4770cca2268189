"""What a connection writes into: the observer of its transport."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from inspector.traffic import exchanges
from inspector.traffic.lines import C2S, ERR, HTTP, S2C, SYS, TRUNCATED


class Rows(Protocol):
    """Where the rows of sessions are kept: `store.Traffic`, or the recording of a tap."""

    def append(
        self,
        session: int,
        channel: int,
        raws: Sequence[bytes],
        exchange: int = 0,
        flags: int = 0,
        true_size: int = -1,
    ) -> int: ...

    def facts(self, number: int, **changes: Any) -> None: ...

    def new_exchange(self) -> int: ...


class SessionLog:
    """The observer of one connection: keeps every byte before anyone reads it. Satisfies
    `transports.base.Observer`."""

    __slots__ = ("__weakref__", "append", "number", "traffic")

    def __init__(self, traffic: Rows, number: int) -> None:
        self.traffic = traffic
        self.number = number
        self.append: Callable[..., int] = traffic.append

    def facts(self, **changes: Any) -> None:
        """What became known about the session: protocolVersion, serverInfo, exit code ..."""
        self.traffic.facts(self.number, **changes)

    def sent(self, raw: bytes, exchange: int | None = None) -> int:
        return self.append(self.number, C2S, (raw,), exchange or 0)

    def received(self, raws: Sequence[bytes], exchange: int | None = None) -> int:
        return self.append(self.number, S2C, raws, exchange or 0)

    def oversized(self, head: bytes, size: int) -> int:
        return self.append(self.number, S2C, (head,), 0, TRUNCATED, size)

    def stderr(self, lines: Sequence[bytes]) -> None:
        self.append(self.number, ERR, lines)

    def system(self, text: str, exchange: int | None = None) -> None:
        self.append(self.number, SYS, (text.encode("utf-8", "replace"),), exchange or 0)

    def http_request(self, method: str, url: str, headers: Sequence[tuple[str, str]]) -> int:
        exchange = self.traffic.new_exchange()
        self.append(self.number, HTTP, (exchanges.request_part(method, url, headers),), exchange)
        return exchange

    def http_response(self, exchange: int, status: int, headers: Sequence[tuple[str, str]]) -> None:
        self.append(self.number, HTTP, (exchanges.response_part(status, headers),), exchange)

    def http_body(self, exchange: int, body: bytes) -> None:
        self.append(self.number, HTTP, (exchanges.body_part(body),), exchange)

    def http_event(self, exchange: int, field: str, value: str) -> None:
        self.append(self.number, HTTP, (exchanges.event_part(field, value),), exchange)

    def http_end(self, exchange: int, outcome: str) -> None:
        self.append(self.number, HTTP, (exchanges.end_part(outcome),), exchange)
