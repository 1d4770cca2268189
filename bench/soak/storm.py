"""Servers that make trouble when they are asked to: python -m bench.soak.storm stdio, or http PORT ... (0: any port)

Over HTTP each port is a server of its own, for Streamable HTTP and HTTP+SSE; their URLs are printed as a list.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from inspector.serving import stdio
from inspector.serving.call import Call
from inspector.serving.definition import Definition, Prompt, Resource, Tool
from inspector.serving.http import hosted

_COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}}


def _count(call: Call) -> int:
    return int(call.arguments.get("count", 1))


async def _echo(call: Call) -> str:
    return str(call.arguments.get("count"))


async def _flood(call: Call) -> str:
    for number in range(_count(call)):
        call.log("info", f"flood {number}".ljust(80, "."))
        call.progress(number)
    return "flooded"


async def _changes(call: Call) -> str:
    for _ in range(_count(call)):
        for kind in ("tools", "resources", "prompts"):
            call.session.notify(f"notifications/{kind}/list_changed")
    return "changed"


async def _noise(call: Call) -> str:
    for number in range(_count(call)):
        print(f"noise {number} \x1b[31mred\x1b[0m", file=sys.stderr)
    sys.stderr.flush()
    return "noisy"


async def _big(call: Call) -> str:
    return "big " * (_count(call) * 256)


async def _slow(call: Call) -> str:
    await call.sleep(3600)
    return "slow"


async def _asks(call: Call) -> str:
    try:
        return str(len(await call.roots()))
    except Exception as error:
        return str(error)


def definition() -> Definition:
    runs = {"echo": _echo, "flood": _flood, "changes": _changes, "noise": _noise, "big": _big, "slow": _slow,
            "asks": _asks}  # fmt: skip
    return Definition(
        name="storm",
        version="1",
        tools=[
            Tool(name=name, run=run, input=_COUNT, annotations={"readOnlyHint": True})
            for name, run in runs.items()
        ],
        resources=[Resource(name=f"r{number}", uri=f"storm://{number}", read="text") for number in range(5)],
        prompts=[Prompt(name="p", messages="hello")],
    )


async def _http(ports: list[int]) -> None:
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(hosted(definition, port=port)) for port in ports]
        print(json.dumps(urls), flush=True)
        # Whoever started it holds its stdin: it does not stay behind.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


def main() -> None:
    if sys.argv[1] == "stdio":
        sys.exit(stdio.serve(definition()))
    asyncio.run(_http([int(port) for port in sys.argv[2:]]))


if __name__ == "__main__":
    main()
