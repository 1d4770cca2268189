"""Sequential calls with the client of the Python SDK, run where the test servers are installed, which has the SDK.
`python sdk_client.py stdio|http CALLS COMMAND...|URL` prints calls a second."""

import asyncio
import sys
import time

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


async def rate(streams: tuple, calls: int) -> float:
    async with ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        for _ in range(50):
            await session.call_tool("echo", {"message": "hi"})
        began = time.perf_counter()
        for _ in range(calls):
            await session.call_tool("echo", {"message": "hi"})
        return calls / (time.perf_counter() - began)


async def main(transport: str, calls: int, *server: str) -> None:
    if transport == "stdio":
        opened = stdio_client(StdioServerParameters(command=server[0], args=list(server[1:])))
    else:
        opened = streamable_http_client(server[0])
    async with opened as streams:
        print(await rate(streams, calls))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
