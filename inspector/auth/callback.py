"""Where the browser comes back to: a listener on loopback for one answer (RFC 8252, 7.3), or the URL as a person pastes
it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from inspector.base import tasks
from inspector.base.errors import Failed, fail
from inspector.base.text import duration
from inspector.transports.httpd import Limits, Request, Response, serve

PATH = "/callback"
_DONE = "Thank you. mcp-inspect has what it needs; this page can be closed."


class Callback:
    """`uri` is what the browser is to be sent to."""

    def __init__(self) -> None:
        self.uri = ""
        self._query: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def answer(self, request: Request) -> Response:
        if request.path != PATH or request.method != "GET":
            return Response.text(404, "Nothing is here")
        if self._query.done():
            return Response.text(409, "An answer has come already")
        self._query.set_result(request.query)
        return Response.text(200, _DONE, (("Cache-Control", "no-store"),))

    async def query(self, pasted: Callable[[], Awaitable[str]], patience: float) -> str:
        """The query of the URL that came back, by whichever way it came first. Raises Failed (timeout)."""
        if self._query.done():
            return self._query.result()
        by_hand = tasks.spawn(_queries(pasted), "pasted URL")
        try:
            done, _ = await asyncio.wait(
                {self._query, by_hand}, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                raise fail(
                    "timeout",
                    f"nobody came back within {duration(patience)}",
                    "log in again, which registers anew; a browser that says invalid_client met a server that has "
                    "forgotten us",
                )
            came: str | Failed = done.pop().result()
            if isinstance(came, Failed):
                raise came
            return came
        finally:
            await tasks.cancel(by_hand)


async def _queries(pasted: Callable[[], Awaitable[str]]) -> str | Failed:
    """What a person pastes, until it has a query in it; or why there is nobody any more, which is no error of ours."""
    while True:
        try:
            text = (await pasted()).strip()
        except Failed as failed:
            return failed
        try:
            query = urlsplit(text).query or (text if "=" in text and "://" not in text else "")
        except ValueError:
            query = ""
        if query:
            return query


@asynccontextmanager
async def listening(port: int) -> AsyncIterator[Callback]:
    """Raises OSError where the port is not to be had; 0 is any."""
    callback = Callback()
    async with serve(callback.answer, port=port, limits=Limits(body=1024)) as server:
        callback.uri = f"{server.url}{PATH}"
        yield callback
