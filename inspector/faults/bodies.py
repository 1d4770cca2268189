"""The body of an answer over HTTP with faults on purpose."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from inspector.base import tasks
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
        async with aclosing(_events(chunks, faults, wrong)) as events:
            async for part in events:
                yield part
    elif "json" in content_type:
        body = b"".join([chunk async for chunk in chunks])
        async for part in _written(faults.sent(body), line_end=b""):
            yield part
    else:
        async for chunk in chunks:
            yield chunk


async def _events(chunks: AsyncIterator[bytes], faults: Injector, wrong: Exchange) -> AsyncGenerator[bytes]:
    rest = b""
    held: list[Step] = []
    async with aclosing(_or_pauses(chunks, held)) as parts:
        async for chunk in parts:
            if not chunk:
                async for part in _written(_let_go(held), start=b"data: ", line_end=b"\n\n"):
                    yield part
                continue
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
                before = _let_go(held)
                steps = faults.sent(data)
                held += [step for step in steps if step.held]
                steps = [step for step in steps if not step.held]
                if steps == [Step(data)]:
                    yield block
                else:
                    others = b"".join(line + b"\n" for line in lines if not line.startswith(b"data:"))
                    async for part in _written(steps, start=others + b"data: ", line_end=b"\n\n"):
                        yield part
                async for part in _written(before, start=b"data: ", line_end=b"\n\n"):
                    yield part
    async for part in _written(_let_go(held), start=b"data: ", line_end=b"\n\n"):
        yield part
    if rest:
        yield rest


async def _or_pauses(chunks: AsyncIterator[bytes], held: list[Step]) -> AsyncGenerator[bytes]:
    """Chunks as they come, and an empty one where what is held has waited long enough."""
    coming: asyncio.Task[bytes | Exception | None] | None = None
    try:
        while True:
            if coming is None:
                coming = tasks.spawn(_next(chunks), "the next part of an answer")
            if held and not (await asyncio.wait({coming}, timeout=max(step.wait for step in held)))[0]:
                yield b""
                continue
            chunk, coming = await coming, None
            if chunk is None:
                return
            if isinstance(chunk, Exception):
                raise chunk
            if chunk:
                yield chunk
    finally:
        await tasks.cancel(coming)


async def _next(chunks: AsyncIterator[bytes]) -> bytes | Exception | None:
    try:
        return await anext(chunks, None)
    except Exception as error:
        return error


def _let_go(held: list[Step]) -> list[Step]:
    """What was held, to be written at once."""
    steps = [step._replace(wait=0.0, held=False) for step in held]
    held.clear()
    return steps


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
