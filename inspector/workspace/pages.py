"""Pages of servers, shown to the person's own browser from this machine: each at an address that nobody can guess."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack

from inspector.transports.httpd import Request, Response, Server, serve

_KEPT = 8
_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), clipboard-write=()"),
)


class Pages:
    """Listens on loopback from the first page on until it is closed. The newest pages are kept, in memory only."""

    def __init__(self) -> None:
        self._pages: dict[str, Response] = {}
        self._server: Server | None = None
        self._stack = AsyncExitStack()

    async def show(self, page: bytes, policy: str) -> str:
        """The address of a page that is served under a Content-Security-Policy. Raises OSError."""
        if self._server is None:
            self._server = await self._stack.enter_async_context(serve(self._answer, origins=frozenset()))
        path = f"/{secrets.token_urlsafe(24)}"
        self._pages[path] = Response(200, page, (*_HEADERS, ("Content-Security-Policy", policy)))
        for oldest in list(self._pages)[:-_KEPT]:
            del self._pages[oldest]
        return f"{self._server.url}{path}"

    async def _answer(self, request: Request) -> Response:
        page = self._pages.get(request.path) if request.method in ("GET", "HEAD") else None
        return page or Response.text(404, "There is no such page, or not any more")

    async def close(self) -> None:
        self._pages.clear()
        await self._stack.aclose()
