"""tests/servers/works.py as an entry of a config, over stdio or HTTP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from inspector.config.adhoc import from_command, from_url
from inspector.config.server import Entry

WORKS = [sys.executable, str(Path(__file__).parent / "servers" / "works.py")]


@asynccontextmanager
async def served(transport: str, *words: str) -> AsyncIterator[Entry]:
    """`transport` is `stdio` or `http`."""
    if transport == "stdio":
        yield from_command([*WORKS, *words])
        return
    with subprocess.Popen([*WORKS, "http", *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield from_url(f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp")
        finally:
            process.kill()
