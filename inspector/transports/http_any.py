"""A URL of which it is not said what it speaks: one HTTP transport is tried, then the other (spec: basic/transports,
backwards compatibility)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.base.errors import Failed, Failure
from inspector.protocol.jsonrpc import Id
from inspector.transports.base import NO_HEADERS, Closed, Silence
from inspector.transports.http import HttpTransport
from inspector.transports.http_pipe import HttpPipe
from inspector.transports.http_sse import SseTransport

_ENDPOINT_PATIENCE = 5.0
"""Seconds that the endpoint event is waited for where Streamable HTTP is the other possibility."""
_NOT_ABOUT_THE_TRANSPORT = frozenset({401, 403, 407, 408, 421, 429})


class AutoTransport:
    """Streamable HTTP until the first POST is refused with a 4xx, then HTTP+SSE; with `sse_first` a GET comes first,
    and what offers no endpoint is spoken to by POST. `kind` is that of the one in use, `auto` until it is settled."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        sse_first: bool = False,
        message_url: str | None = None,
        **settings: Any,
    ) -> None:
        """`message_url` is for HTTP+SSE, `settings` are those of `HttpPipe`."""
        self._streamable = HttpTransport(url, headers, **settings)
        self._older = SseTransport(url, headers, message_url=message_url, **settings)
        self._sse_first = sse_first
        self._settled = False
        self._told = "" if sse_first else "Streamable HTTP is tried first"
        self.chosen: HttpPipe = self._older if sse_first else self._streamable

    @property
    def kind(self) -> str:
        return self.chosen.kind if self._settled else "auto"

    @property
    def legacy_only(self) -> bool:
        return self.chosen.legacy_only

    @property
    def session_id(self) -> str | None:
        return self.chosen.session_id if isinstance(self.chosen, HttpTransport) else None

    async def open(self) -> None:
        """Raises Failed."""
        if not self._sse_first:
            await self.chosen.open()
            return
        try:
            async with asyncio.timeout(_ENDPOINT_PATIENCE):
                await self._older.open()
            self._told = "HTTP+SSE"
            return
        except TimeoutError:
            why = "no endpoint event"
        except Failed as failed:
            if failed.failure.http_status is None or failed.failure.http_status in _NOT_ABOUT_THE_TRANSPORT:
                raise
            why = f"HTTP {failed.failure.http_status} to GET"
        await self._older.close()
        self._told = f"Streamable HTTP, since HTTP+SSE is not there ({why})"
        self.chosen = self._streamable
        await self.chosen.open()

    def describe(self) -> str:
        told = self.chosen.describe()
        return f"{self._told}; {told}" if told != "ok" else self._told

    def may_go_another_way(self, failure: Failure) -> bool:
        """True where the first POST met a 4xx that speaks of the path or the method, not of this client."""
        status = failure.http_status
        return (
            self.chosen is self._streamable
            and not self._sse_first
            and failure.kind in ("http", "rpc", "protocol")
            and status is not None
            and 400 <= status < 500
            and status not in _NOT_ABOUT_THE_TRANSPORT
        )

    async def go_another_way(self, failure: Failure) -> str:
        """Opens HTTP+SSE in the place of the transport that met `failure`; returns what came of it. Raises Failed,
        with both reasons."""
        try:
            await self._older.open()
        except Failed as failed:
            await self._older.close()
            second = failed.failure
            if second.kind in ("redirect", "stream"):
                # An event stream is there, so this is what the server speaks, and what is wrong with it.
                raise
            raise Failed(
                replace(failure, message=f"{failure.message}; nor is it HTTP+SSE: {second.message}")
            ) from None
        await self._streamable.close()
        self.chosen = self._older
        return f"HTTP+SSE; {self._older.describe()}"

    def negotiated(self, version: str) -> None:
        self._settled = True
        self.chosen.negotiated(version)

    def send(
        self,
        raw: bytes,
        *,
        id: Id | None = None,
        method: str | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> int:
        return self.chosen.send(raw, id=id, method=method, headers=headers)

    def due_headers(self) -> Mapping[str, str]:
        return self.chosen.due_headers()

    def abandon(self, id: Id) -> None:
        self.chosen.abandon(id)

    async def ready(self) -> str | None:
        return await self.chosen.ready()

    def owner_of(self, exchange: int) -> Id | None:
        return self.chosen.owner_of(exchange)

    def status_of(self, exchange: int) -> int | None:
        return self.chosen.status_of(exchange)

    def may_renew(self) -> bool:
        return self.chosen.may_renew()

    async def renew(self) -> None:
        await self.chosen.renew()

    def explain_silence(self) -> Silence | None:
        waits_for = self._older if self._older.opening else self.chosen
        return waits_for.explain_silence()

    def stderr_tail(self) -> tuple[str, ...]:
        return ()

    async def close(self) -> Closed:
        if self.chosen is not self._older:
            await self._older.close()
        return await self.chosen.close()


def http_pipe(
    transport: str, url: str, headers: Mapping[str, str], *, message_url: str | None = None, **settings: Any
) -> HttpPipe | AutoTransport:
    """The pipe for `http`, `sse`, `auto` or `auto-sse`; `message_url` is for HTTP+SSE, `settings` are those of
    `HttpPipe`."""
    if transport == "http":
        return HttpTransport(url, headers, **settings)
    settings["message_url"] = message_url
    if transport == "sse":
        return SseTransport(url, headers, **settings)
    return AutoTransport(url, headers, sse_first=transport == "auto-sse", **settings)
