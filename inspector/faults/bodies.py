"""The body of an answer over HTTP with faults on purpose."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

from inspector.faults.injector import Exchange, Injector, Step

_BLANK = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE = re.compile(rb"\r\n|\n|\r")


class ServerEnds(ConnectionError):
    """The server is to end here, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__("ended here by a fault that was asked for")
        self.code = code


async def spoiled(
    chunks: AsyncIterator[bytes], faults: Injector, wrong: Exchange, content_type: str
) -> AsyncIterator[bytes]:
    """Raises ConnectionError where the answer is to break off, ServerEnds where the server is to end."""
    if "event-stream" in content_type:
        async for part in _events(chunks, faults, wrong):
            yield part
    elif "json" in content_type:
        body = b"".join([chunk async for chunk in chunks])
        async for part in _written(faults.sent(body), line_end=b""):
            yield part
    else:
        async for chunk in chunks:
            yield chunk


async def _events(chunks: AsyncIterator[bytes], faults: Injector, wrong: Exchange) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in chunks:
        rest += chunk
        while (blank := _BLANK.search(rest)) is not None:
            block, rest = rest[: blank.end()], rest[blank.end() :]
            lines = _LINE.split(block.rstrip(b"\r\n"))
            data = b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))
            if b"event: endpoint" in lines:
                yield block
                if wrong.second_endpoint is not None:
                    yield f"event: endpoint\ndata: {wrong.second_endpoint}\n\n".encode()
                continue
            if not _is_message(data):
                yield block
                continue
            if wrong.breaks:
                yield block[: len(block) // 2]
                raise ConnectionError("broken by a fault that was asked for")
            steps = faults.sent(data)
            if steps == [Step(data)]:
                yield block
                continue
            others = b"".join(line + b"\n" for line in lines if not line.startswith(b"data:"))
            async for part in _written(steps, start=others + b"data: ", line_end=b"\n\n"):
                yield part
    async for part in _written(faults.rest(), start=b"data: ", line_end=b"\n\n"):
        yield part
    if rest:
        yield rest


async def _written(steps: list[Step], *, line_end: bytes, start: bytes = b"") -> AsyncIterator[bytes]:
    begun = False
    for step in steps:
        if step.wait:
            await asyncio.sleep(step.wait)
        if step.exit is not None:
            raise ServerEnds(step.exit)
        yield (b"" if begun else start) + step.data + (line_end if step.ends else b"")
        begun = not step.ends


def _is_message(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict | list)
    except (ValueError, RecursionError):
        return False
