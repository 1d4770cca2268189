"""Servers of four SDKs, each on the transports and in the eras that it offers."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from live import http, stdio

from inspector.base.errors import Failed
from inspector.session.session import Options, Session

LATEST, MODERN = "2025-11-25", "2026-07-28"
NOWHERE = {
    "GRAFANA_URL": "http://127.0.0.1:1", "GRAFANA_SERVICE_ACCOUNT_TOKEN": "x", "DO_NOT_TRACK": "1",
    "SLACK_BOT_TOKEN": "xoxb-x", "SLACK_TEAM_ID": "T0",
}  # fmt: skip
"""Everything that these servers want to be told of; none of it leads anywhere."""
KUBECONFIG = """
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
users: [{name: u, user: {token: x}}]
"""


@dataclass(frozen=True)
class Real:
    """`words` follow the program; in them, PORT, FOLDER and MEMORY are filled in. `versions` are what it comes to under
    `auto` and under `legacy`. Over HTTP where there is a `path`."""

    program: str
    words: tuple[str, ...] = ()
    versions: tuple[str, str] = (MODERN, LATEST)
    path: str = ""
    tools: int = 1


REAL = {
    "slack": Real("npm:mcp-server-slack", versions=("2024-11-05", "2024-11-05"), tools=8),
    "context7": Real("npm:context7-mcp", tools=2),
    "kubernetes": Real("npm:kubernetes-mcp-server", ("--kubeconfig", "FOLDER/kube"), tools=20),
    "git": Real("pypi:mcp-server-git", tools=12),
    "excel": Real("pypi:excel-mcp-server", ("stdio",), tools=46),
    "grafana": Real("pypi:mcp-grafana", tools=79),
    "kubernetes, http": Real(
        "npm:kubernetes-mcp-server",
        ("--kubeconfig", "FOLDER/kube", "--bind-address", "127.0.0.1", "--port", "PORT"),
        (LATEST, LATEST),
        "/mcp",
        20,
    ),
    "context7, http": Real(
        "npm:context7-mcp", ("--transport", "http", "--port", "PORT"), path="/mcp", tools=2
    ),
    "excel, http": Real(
        "pypi:excel-mcp-server", ("streamable-http", "--port", "PORT"), path="/mcp", tools=46
    ),
    "grafana, http": Real(
        "pypi:mcp-grafana", ("-t", "streamable-http", "-address", "127.0.0.1:PORT"), path="/mcp", tools=79
    ),
    "grafana, sse": Real(
        "pypi:mcp-grafana", ("-t", "sse", "-address", "127.0.0.1:PORT"), (LATEST, LATEST), "/sse", 79
    ),
    "mcp-proxy": Real(
        "npm:mcp-proxy", ("--port", "PORT", "--host", "127.0.0.1", "--", "MEMORY"), path="/mcp", tools=9
    ),
    "mcp-proxy, sse": Real(
        "npm:mcp-proxy",
        ("--port", "PORT", "--host", "127.0.0.1", "--", "MEMORY"),
        (LATEST, LATEST),
        "/sse",
        9,
    ),
}


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Gives the path of an installed program; skips where it is absent."""

    def find(named: str) -> str:
        source, _, name = named.partition(":")
        return str(request.getfixturevalue(f"{source}_server")(name))

    return find


@asynccontextmanager
async def running(real: Real, program: Callable[[str], str], folder: Path) -> AsyncIterator[str]:
    """The server on a port of its own; gives its URL when somebody listens there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [word.replace("PORT", str(port)).replace("FOLDER", str(folder)) for word in real.words]
    words = [program("npm:mcp-server-memory") if word == "MEMORY" else word for word in words]
    command = [program(real.program), *words]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment(folder), stdout=quiet, stderr=quiet) as server:
        try:
            while server.poll() is None and not await _listens(port):
                await asyncio.sleep(0.02)
            yield f"http://127.0.0.1:{port}{real.path}"
        finally:
            server.terminate()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        **NOWHERE,
        "EXCEL_FILES_PATH": str(folder),
        "MEMORY_FILE_PATH": str(folder / "graph.jsonl"),
    }


@asynccontextmanager
async def session_of(
    real: Real, protocol: str, program: Callable[[str], str], folder: Path
) -> AsyncIterator[Session]:
    options = Options(protocol=protocol, connect_timeout=60)
    (folder / "kube").write_text(KUBECONFIG)
    if real.path:
        async with (
            running(real, program, folder) as url,
            http(url, options=options, transport="auto") as session,
        ):
            yield session
        return
    words = [word.replace("FOLDER", str(folder)) for word in real.words]
    async with stdio(program(real.program), *words, options=options) as session:
        yield session


def marked(real: Real) -> Any:
    return pytest.mark.node if real.program.startswith("npm:") else pytest.mark.pypi


@pytest.mark.parametrize("protocol", ["auto", "legacy", "modern"])
@pytest.mark.parametrize(
    "real", [pytest.param(real, id=name, marks=marked(real)) for name, real in REAL.items()]
)
async def test_a_server_is_spoken_to_in_the_eras_that_it_has(
    real: Real,
    protocol: str,
    program: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    by_probe, by_handshake = real.versions
    expected = by_handshake if protocol == "legacy" else by_probe
    async with session_of(real, protocol, program, tmp_path) as session:
        if protocol == "modern" and by_probe != MODERN:
            with pytest.raises(Failed):
                await session.connect()
            return
        await session.connect()
        assert session.version == expected
        listings = await session.lists()
        assert {kind: listing.failure for kind, listing in listings.items()} == dict.fromkeys(listings)
        assert len(listings["tools"].entries) == real.tools and not listings["tools"].invalid


@pytest.mark.node
async def test_changes_are_told_through_a_proxy_that_speaks_the_newer_era(
    program: Callable[[str], str], tmp_path: Path
) -> None:
    told: asyncio.Queue[Any] = asyncio.Queue()
    async with (
        running(REAL["mcp-proxy"], program, tmp_path) as url,
        http(url, options=Options(connect_timeout=60), transport="auto", notified=told.put_nowait) as session,
    ):
        await session.connect()
        (resource,) = (await session.list("resources")).entries
        listening = await session.listen({"resourceSubscriptions": [resource["uri"]]})
        entities = [{"name": "A", "entityType": "t", "observations": ["o"]}]
        answer = await session.request(
            "tools/call", {"name": "create_entities", "arguments": {"entities": entities}}
        )
        assert answer.failure is None and answer.result.get("isError") is not True
        async with asyncio.timeout(60):
            while (message := await told.get()).method != "notifications/resources/updated":
                pass
        assert message.value["params"]["uri"] == resource["uri"]
        await listening.close()
