"""What it costs that rules look on: python -m bench rules

Calls over one stdio session with the rules looking on, beside the same without them; what a frame costs; how long the
loop stands still while a list of a thousand tools is looked at.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from inspector.session.session import Session
from inspector.traffic.store import Traffic
from inspector.workspace.workspace import Workspace

_TICK, _SLICE = 0.1, 0.002
_SCHEMA = {
    "type": "object",
    "properties": {f"a{at}": {"type": "string"} for at in range(10)},
    "required": ["a1"],
}
TOOLS = [
    {"name": f"tool{at}", "description": "does a thing " * 10, "inputSchema": _SCHEMA} for at in range(1000)
]


async def rate(
    opened: Callable[[Any], Session],
    measured: Callable[[Session, int], Awaitable[float]],
    calls: int,
    judged: bool,
) -> float:
    """Calls a second over a session whose traffic is described as the app does it, and `judged` or not."""
    workspace = Workspace(Traffic.in_memory())
    session = opened(workspace.traffic.session("tiny"))

    async def describe() -> None:
        while True:
            workspace.traffic.advance(_SLICE)
            await asyncio.sleep(_TICK)

    beside = [asyncio.create_task(describe())]
    if judged:
        beside.append(asyncio.create_task(workspace.findings.follow()))
    await session.connect()
    found = await measured(session, calls)
    await session.close()
    for task in beside:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return found


async def stall() -> tuple[float, float, float]:
    """Milliseconds that the loop stood still at most while one long frame was looked at, those of decoding it once,
    which nothing can break up, and how long all of it took."""
    workspace = Workspace(Traffic.in_memory())
    log = workspace.traffic.session("long", transport="stdio")
    log.sent(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    raw = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}}).encode()
    log.received([raw])
    workspace.traffic.advance()
    findings = workspace.findings
    began = time.perf_counter()
    json.loads(raw)
    decoding = time.perf_counter() - began
    following = asyncio.create_task(findings.follow())
    began = last = time.perf_counter()
    longest = 0.0
    while findings.waiting:
        await asyncio.sleep(0)
        longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
    following.cancel()
    return longest * 1000, decoding * 1000, (time.perf_counter() - began) * 1000


def frame_cost(count: int = 20_000) -> tuple[float, float]:
    """Microseconds of a frame: to describe it, and to have the rules look at it."""
    traffic = Traffic.in_memory()
    log = traffic.session("calls", transport="stdio")
    for id_ in range(count // 2):
        log.sent(
            b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{}}}' % id_
        )
        log.received([b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"hi"}]}}' % id_])
    began = time.process_time()
    traffic.advance()
    described = time.process_time()
    Workspace(traffic).findings.advance()
    return (described - began) / count * 1e6, (time.process_time() - described) / count * 1e6
