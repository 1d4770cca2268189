"""Traffic that nobody keeps: what a one-shot command without `--record` has, since loading and writing a store would
cost it more than its call. Rows are still numbered, so that answers can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Unkept:
    """Stands where a `Traffic` would stand."""

    def session(self, label: str, **facts: Any) -> UnkeptLog:
        return UnkeptLog()

    def withhold(self, cleaned: Callable[[bytes], bytes]) -> None: ...

    def close(self) -> None:
        """Nothing is held."""


class UnkeptLog:
    """An observer (`transports.base.Observer`) that counts."""

    def __init__(self) -> None:
        self._rows = 0
        self._exchanges = 0

    def facts(self, **changes: Any) -> None: ...

    def sent(self, raw: bytes, exchange: int | None = None) -> int:
        self._rows += 1
        return self._rows - 1

    def received(self, raws: Sequence[bytes], exchange: int | None = None) -> int:
        first = self._rows
        self._rows += len(raws)
        return first

    def oversized(self, head: bytes, size: int) -> int:
        return self.received((head,))

    def stderr(self, lines: Sequence[bytes]) -> None: ...

    def system(self, text: str, exchange: int | None = None) -> None: ...

    def http_request(self, method: str, url: str, headers: Sequence[tuple[str, str]]) -> int:
        self._exchanges += 1
        return self._exchanges

    def http_response(self, exchange: int, status: int, headers: Sequence[tuple[str, str]]) -> None: ...

    def http_body(self, exchange: int, body: bytes) -> None: ...

    def http_event(self, exchange: int, field: str, value: str) -> None: ...

    def http_end(self, exchange: int, outcome: str) -> None: ...
