"""What stands behind the head of an HTTP answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from inspector.base.errors import fail
from inspector.base.text import bytes_size
from inspector.transports import _http
from inspector.transports.coding import decoded

EVENT_STREAM = "text/event-stream"


def content_type(response: _http.Response) -> str:
    """The media type of an answer, without parameters and in lower case."""
    return str(response.headers.get("content-type", "")).split(";")[0].strip().lower()


def body_of(response: _http.Response) -> AsyncIterator[bytes]:
    return decoded(response.aiter_raw(), response.headers.get("content-encoding", ""))


async def whole_body(
    response: _http.Response, cap: int, counts: Callable[[bytes], None] = lambda part: None
) -> bytes:
    """The body, unpacked; `counts` gets every part of it. Raises Failed (protocol) where it is longer than `cap`."""
    parts: list[bytes] = []
    size = 0
    async for part in body_of(response):
        counts(part)
        size += len(part)
        if size > cap:
            raise fail("protocol", f"the body is longer than {bytes_size(cap)}", "ask for less at once")
        parts.append(part)
    return b"".join(parts)
