"""A person with a browser, as a login wants one."""

from __future__ import annotations

import asyncio
from typing import Any

from inspector.transports import _http


class Browser:
    """A person who agrees to all of it, with a browser that follows where it is sent."""

    def __init__(self, *, agrees: bool = True, brings: bool = True) -> None:
        self.questions: list[str] = []
        self.visited: list[str] = []
        self._agrees = agrees
        self._brings = brings
        self.back: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def present(self) -> None: ...

    async def agrees(self, question: str) -> bool:
        self.questions.append(question)
        return self._agrees

    async def visit(self, url: str) -> None:
        self.visited.append(url)
        target = (await get(url)).headers["location"]
        if self._brings:
            await get(target)
        else:
            self.back.set_result(target)

    async def pasted(self) -> str:
        return await self.back


async def get(url: str) -> Any:
    client = _http.Client(url)
    try:
        response = await client.send(client.request("GET", url, {}))
        await response.aread()
        await response.aclose()
        return response
    finally:
        await client.aclose()
