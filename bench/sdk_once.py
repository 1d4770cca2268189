"""What a person writes with the Python SDK to list or call once. `python sdk_once.py tools|call COMMAND...`"""

import asyncio
import sys

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(verb: str, *server: str) -> None:
    async with (
        stdio_client(StdioServerParameters(command=server[0], args=list(server[1:]))) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        if verb == "tools":
            print(await session.list_tools())
        else:
            print(await session.call_tool("echo", {"message": "hi"}))


asyncio.run(main(*sys.argv[1:]))
