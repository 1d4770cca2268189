"""Lets pages of this machine talk to a server that is played over HTTP: the rules of CORS (Fetch standard, 3.2).

Which origins come as far as this is decided before, against DNS rebinding: those of this machine (`httpd.LOOPBACK`).
"""

from __future__ import annotations

from dataclasses import replace

from inspector.base.patterns import pattern
from inspector.transports.httpd import Handler, Request, Response, StreamingResponse

_NAMES = pattern(r"[\w!#$%&'*+.^`|~, -]{1,4000}")
_READABLE = "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate"
"""Headers of an answer that a page may read; without the first it cannot go on with its session."""


def for_browsers(handler: Handler) -> Handler:
    """The same, where a page asks first what it may send, and may then read the answer."""

    async def answer(request: Request) -> Response | StreamingResponse:
        origin = request.headers.get("origin")
        if origin is None:
            return await handler(request)
        if request.method == "OPTIONS" and "access-control-request-method" in request.headers:
            return _allowed(origin, request)
        given = await handler(request)
        shown = [("Access-Control-Expose-Headers", _READABLE), *_from(origin)]
        return replace(given, headers=[*given.headers, *shown])

    return answer


def _allowed(origin: str, request: Request) -> Response:
    """The answer to a preflight: MCP gives clients headers of their own (`x-mcp-header`), so all names are good."""
    names = request.headers.get("access-control-request-headers", "")
    headers = [("Access-Control-Allow-Methods", "POST, GET, DELETE"), ("Access-Control-Max-Age", "600")]
    if _NAMES.fullmatch(names):
        headers.append(("Access-Control-Allow-Headers", names))
    if request.headers.get("access-control-request-private-network") == "true":
        headers.append(("Access-Control-Allow-Private-Network", "true"))
    return Response(204, headers=[*headers, *_from(origin)])


def _from(origin: str) -> list[tuple[str, str]]:
    return [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
