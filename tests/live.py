"""Sessions with real servers, for tests: each is closed when its block ends, whatever the test does."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil

from inspector.session.session import Options, Session
from inspector.traffic.store import Traffic
from inspector.transports.http_any import http_pipe
from inspector.transports.stderr import StderrTail
from inspector.transports.stdio import StdioTransport
from inspector.workspace.workspace import Workspace

ODD = str(Path(__file__).parent / "servers" / "odd.py")


def is_alive(pid: int) -> bool:
    """False for processes that are gone, and for those that only wait to be reaped by their parent."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def until(workspace: Workspace, condition: Callable[[], bool]) -> None:
    """Waits for a change of state that makes `condition` true."""
    changed = asyncio.Event()
    leave = workspace.subscribe(changed.set)
    try:
        async with asyncio.timeout(30):
            while not condition():
                await changed.wait()
                changed.clear()
    finally:
        leave()


@asynccontextmanager
async def stdio(
    *command: str,
    options: Options = Options(connect_timeout=20),
    traffic: Traffic | None = None,
    **hooks: Any,
) -> AsyncIterator[Session]:
    """An unopened session with `command` as its server."""
    log = (Traffic.in_memory() if traffic is None else traffic).session("server")
    session = Session(
        lambda listener: StdioTransport(
            command[0], list(command[1:]), environment=dict(os.environ), cwd=None, observer=log, listener=listener,
            stderr=StderrTail(),
        ),
        options,
        **hooks,
    )  # fmt: skip
    try:
        yield session
    finally:
        await session.close()


@asynccontextmanager
async def odd(*mode: str, connect: bool = True, **settings: Any) -> AsyncIterator[Session]:
    """A session with tests/servers/odd.py in one of its modes."""
    async with stdio(sys.executable, ODD, *mode, **settings) as session:
        if connect:
            await session.connect()
        yield session


@asynccontextmanager
async def http(
    url: str,
    headers: dict[str, str] | None = None,
    options: Options = Options(protocol="legacy", connect_timeout=20),
    *,
    transport: str = "http",
    traffic: Traffic | None = None,
    settings: dict[str, Any] | None = None,
    **hooks: Any,
) -> AsyncIterator[Session]:
    """An unopened session with the server at `url`, without a probe for the era unless `options` say so: what is sent
    is often counted. `transport` is one of those that a config may name, `settings` are those of the pipe."""
    log = (Traffic.in_memory() if traffic is None else traffic).session("server")
    session = Session(
        lambda listener: http_pipe(
            transport, url, headers or {}, observer=log, listener=listener, **(settings or {})
        ),
        options,
        **hooks,
    )
    try:
        yield session
    finally:
        await session.close()
