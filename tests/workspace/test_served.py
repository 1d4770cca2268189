"""What `serve` serves, in a workspace: each of its recorded sessions is found by itself, and its frames are seen."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command import PYTHON
from live import http

from inspector.traffic.store import Traffic
from inspector.workspace.tapped import Taps
from inspector.workspace.workspace import Workspace

SHOP = "definition: 1\nserver: {name: shop, version: 1.0.0}\ntools: [{name: price, inputSchema: {type: object}}]\n"


async def seen(condition: Callable[[], bool]) -> None:
    """Rows of the traffic are told to nobody: who shows them looks again and again, as here."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


async def test_each_session_over_http_is_found_with_its_own_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path / "home"))
    file, record = tmp_path / "shop.yaml", str(tmp_path / "served.mcprec")
    file.write_text(SHOP + "versions: [2025-11-25]\n")
    command = [PYTHON, "-m", "inspector", "serve", str(file), "--http", "0", "--record", record]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        url = (await asyncio.to_thread(server.stdout.readline)).strip()
        traffic = Traffic.in_memory()
        async with Workspace(traffic) as workspace, Taps(workspace), http(url) as first, http(url) as second:
            await first.connect()
            await second.connect()
            await second.list("tools")
            await seen(lambda: len(workspace.connections) == 2)
            one, other = workspace.connections.values()

            def asked(session: int) -> int:
                sessions = traffic.columns.session
                raws = traffic.raws(traffic.first, traffic.end)
                return sum(
                    b'"tools/list"' in raw for of, raw in zip(sessions, raws, strict=True) if of == session
                )

            await seen(lambda: asked(1) + asked(2) == 1)
            await seen(lambda: one.handshake is not None and other.handshake is not None)
            assert other.handshake is not None
            assert other.handshake.server_info["name"] == "shop" and other.handshake.version == "2025-11-25"
            server.terminate()
            await seen(lambda: one.state == other.state == "disabled")
    finally:
        server.kill()
        await asyncio.to_thread(server.communicate)
