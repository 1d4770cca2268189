"""Bare clients that send the same frames as ours and do nothing else. `python -m bench.floor tools|call COMMAND...`"""

import asyncio
import json
import sys
import time


class Stdio:
    """`create_subprocess_exec`, `readline`, `json`: what one writes in ten minutes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._id = -1

    @classmethod
    async def open(cls, *command: str) -> "Stdio":
        pipe = asyncio.subprocess.PIPE
        client = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        await client.ask(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "floor", "version": "1"},
            },
        )
        client._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return client

    def _send(self, message: dict) -> None:
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def ask(self, method: str, params: dict) -> dict:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while True:
            message = json.loads(await self._process.stdout.readline())
            if message.get("id") == self._id:
                return message

    async def close(self) -> None:
        self._process.stdin.close()
        await self._process.wait()


ECHO = {"name": "echo", "arguments": {"message": "hi"}}


async def one_shot(verb: str, command: list[str]) -> None:
    client = await Stdio.open(*command)
    answer = await (client.ask("tools/list", {}) if verb == "tools" else client.ask("tools/call", ECHO))
    print(json.dumps(answer["result"]))
    await client.close()


async def stdio_rate(command: list[str], calls: int) -> float:
    """Calls a second, one after the other, over one open session."""
    client = await Stdio.open(*command)
    for _ in range(50):
        await client.ask("tools/call", ECHO)
    began = time.perf_counter()
    for _ in range(calls):
        await client.ask("tools/call", ECHO)
    rate = calls / (time.perf_counter() - began)
    await client.close()
    return rate


async def http_rate(url: str, calls: int) -> float:
    """The same with a bare httpx client."""
    import httpx

    headers = {"Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(headers=headers) as client:
        body = {"jsonrpc": "2.0", "method": "tools/call", "params": ECHO}
        for number in range(50):
            await client.post(url, json={**body, "id": number})
        began = time.perf_counter()
        for number in range(calls):
            (await client.post(url, json={**body, "id": number})).json()
        return calls / (time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(one_shot(sys.argv[1], sys.argv[2:]))
