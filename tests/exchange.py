"""An HTTP request with h11 on a plain connection, whose answer is read as it comes."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

import h11

BOUND = 10.0


class Exchange:
    """One request on a connection of its own, and its answer as it comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.CLIENT)
        self._text = ""
        self.events: list[str] = []
        """Those of a stream that were read."""
        self.status = 0
        self.headers: dict[str, str] = {}

    @classmethod
    async def open(cls, url: str, method: str, headers: dict[str, str], body: bytes) -> Exchange:
        parts = urlsplit(url)
        self = cls(*await asyncio.open_connection(parts.hostname, parts.port))
        lines = {"Host": parts.netloc, "Content-Length": str(len(body)), **headers}
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        head = h11.Request(method=method, target=target, headers=list(lines.items()))
        self._writer.write(
            self._http.send(head) + self._http.send(h11.Data(data=body)) + self._http.send(h11.EndOfMessage())
        )
        response = await self._event()
        self.status = response.status_code
        self.headers = {name.decode(): value.decode() for name, value in response.headers}
        return self

    async def _event(self) -> Any:
        async with asyncio.timeout(BOUND):
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(65536))
        return event

    async def text(self) -> str:
        while isinstance(part := await self._event(), h11.Data):
            self._text += bytes(part.data).decode()
        return self._text

    async def message(self) -> Any:
        """The next message: the whole body, or an event of a stream with data; None at its end."""
        if self.headers.get("content-type") == "application/json":
            return json.loads(await self.text())
        while True:
            event, mark, rest = self._text.partition("\n\n")
            if mark:
                self._text = rest
                self.events.append(event)
                data = "\n".join(line[6:] for line in event.split("\n") if line.startswith("data: "))
                if not data:
                    continue
                return json.loads(data)
            part = await self._event()
            if not isinstance(part, h11.Data):
                return None
            self._text += bytes(part.data).decode()

    async def messages(self) -> list[Any]:
        found = []
        while (message := await self.message()) is not None:
            found.append(message)
        return found

    def hang_up(self) -> None:
        self._writer.close()
