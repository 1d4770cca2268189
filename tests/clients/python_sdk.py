"""A client of the Python SDK: `python_sdk.py TRANSPORT CALLS TARGET...`, where TARGET is a URL or a command. Prints the
results of the calls as a JSON list, with how often progress was told."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

TRANSPORT, CALLS, TARGET = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]


def connection() -> Any:
    if TRANSPORT == "stdio":
        return stdio_client(StdioServerParameters(command=TARGET[0], args=TARGET[1:]))
    return (streamable_http_client if TRANSPORT == "http" else sse_client)(TARGET[0])


async def main() -> None:
    said: list[Any] = []
    progress: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with connection() as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        for name, arguments in CALLS:
            result = await session.call_tool(name, arguments, progress_callback=on_progress)
            said.append(result.model_dump(mode="json", by_alias=True, exclude_none=True)["content"])
        print(json.dumps([said, len(progress)]), flush=True)
        if TRANSPORT == "sse":
            os._exit(0)  # over SSE this SDK fails on what comes while it closes


asyncio.run(main())
