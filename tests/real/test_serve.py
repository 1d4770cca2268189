"""A recorded session of server-everything, served to clients of others: they get the recorded answers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command import PYTHON, inspect
from live import stdio

from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer

Program = Callable[[str], str]
ROOT = Path(__file__).parent.parent.parent
CLIENTS = ROOT / "tests" / "clients"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("echo", {"message": "grüße"}),
    ("get-sum", {"a": 1, "b": 2.5}),
    ("trigger-long-running-operation", {"duration": 0.2, "steps": 2}),
    ("get-tiny-image", {}),
    ("trigger-elicitation-request", {}),
]
SERVE = [PYTHON, "-m", "inspector", "serve"]
TRANSPORTS = ["stdio", "http", "sse"]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
async def recorded(npm_server: Program, tmp_path: Path) -> tuple[str, list[Any]]:
    """A recording, and the content of the answers to CALLS in it."""
    path = tmp_path / "everything.mcprec"
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    answers = Profile(form="accept", content={"name": "Ada", "check": True})
    said = []
    options = Options(responder=answers, connect_timeout=20, protocol="legacy")
    async with stdio(npm_server("mcp-server-everything"), traffic=traffic, options=options) as session:
        await session.connect()
        await session.list("tools")
        for name, arguments in CALLS:
            answer = await session.request("tools/call", {"name": name, "arguments": arguments})
            assert answer.result is not None
            said.append(answer.result["content"])
    traffic.close()
    return str(path), said


@pytest.fixture
def target(
    recorded: tuple[str, list[Any]], environment: dict[str, str]
) -> Iterator[Callable[[str], list[str]]]:
    """Gives what a client is to be told: a command, or the URL of a server that runs while the test does."""
    servers: list[subprocess.Popen[str]] = []

    def at(transport: str) -> list[str]:
        if transport == "stdio":
            return [*SERVE, recorded[0]]
        command = [*SERVE, recorded[0], "--http", "0"]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, cwd=ROOT
        )
        servers.append(server)
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        return [url if transport == "http" else url.removesuffix("/mcp") + "/sse"]

    yield at
    for server in servers:
        server.terminate()
        server.communicate()


def ran(command: list[str]) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.node
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_our_own_client(
    recorded: tuple[str, list[Any]], target: Callable[[str], list[str]], transport: str
) -> None:
    where = target(transport)
    for (name, arguments), said in zip(CALLS, recorded[1], strict=True):
        ask = [name, "--args", json.dumps(arguments), "--json", "--protocol", "legacy"]
        words = [*ask, "--", *where] if transport == "stdio" else [where[0], *ask, "--transport", transport]
        answer = inspect("call", *words)
        assert answer.code == 0 and answer.json["result"]["content"] == said, answer.err


@pytest.mark.node
@pytest.mark.pypi
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_python_sdk(
    recorded: tuple[str, list[Any]], target: Callable[[str], list[str]], pypi_server: Program, transport: str
) -> None:
    python = str(Path(pypi_server("mcp-server-git")).parent / "python")
    said, progress = ran(
        [python, str(CLIENTS / "python_sdk.py"), transport, json.dumps(CALLS), *target(transport)]
    )
    assert said == recorded[1] and progress == 2


@pytest.mark.node
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_typescript_sdk(
    recorded: tuple[str, list[Any]], target: Callable[[str], list[str]], npm_server: Program, transport: str
) -> None:
    modules = Path(npm_server("mcp-server-everything")).parent.parent
    sdk = modules / "@modelcontextprotocol" / "sdk" / "dist" / "esm"
    script = str(CLIENTS / "typescript_sdk.mjs")
    # This SDK loses progress that comes in one piece with its answer, so none is counted.
    assert ran(["node", script, str(sdk), transport, json.dumps(CALLS), *target(transport)]) == recorded[1]


@pytest.mark.node
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_the_command_line_of_the_official_inspector(
    recorded: tuple[str, list[Any]], target: Callable[[str], list[str]], npm_server: Program, transport: str
) -> None:
    program, where = npm_server("mcp-inspector-cli"), target(transport)
    way = [] if transport == "stdio" else ["--transport", transport]
    for (name, arguments), said in zip(CALLS, recorded[1], strict=True):
        given = [
            word
            for key, value in arguments.items()
            for word in ("--tool-arg", f"{key}={value if isinstance(value, str) else json.dumps(value)}")
        ]
        call = ["--method", "tools/call", "--tool-name", name, *given]
        assert ran([program, "--cli", *where, *way, *call])["content"] == said
