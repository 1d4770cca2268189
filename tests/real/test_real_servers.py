"""Servers that other people wrote, as people install them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command import inspect, write_config
from live import http, stdio

Program = Callable[[str], str]


@contextmanager
def everything_over_http(program: str, mode: str = "streamableHttp") -> Iterator[str]:
    """server-everything on a free port; gives its URL."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [program, mode], env={**os.environ, "PORT": str(port)}, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        for line in server.stderr:
            if re.search(rf"\b{port}\b", line):
                break
        yield f"http://127.0.0.1:{port}/{'sse' if mode == 'sse' else 'mcp'}"
    finally:
        server.terminate()
        server.communicate()


@pytest.mark.node
async def test_everything_over_stdio(npm_server: Program) -> None:
    async with stdio(npm_server("mcp-server-everything")) as session:
        await session.connect()
        listings = await session.lists()
        assert {kind: listing.failure for kind, listing in listings.items()} == dict.fromkeys(listings)
        assert len(listings["tools"].entries) > 10 and not listings["tools"].invalid
        steps: list[object] = []
        arguments = {"duration": 0.4, "steps": 4}
        answer = await session.request(
            "tools/call",
            {"name": "trigger-long-running-operation", "arguments": arguments},
            on_progress=lambda progress: steps.append(progress.progress),
        )
        assert answer.failure is None and steps == [1, 2, 3, 4]
    assert session.transport.facts.closed_by in ("closing stdin", "SIGTERM")


@pytest.mark.node
async def test_everything_over_http(npm_server: Program) -> None:
    with everything_over_http(npm_server("mcp-server-everything")) as url:
        async with http(url) as session:
            await session.connect()
            assert session.transport.session_id is not None
            answer = await session.request("tools/call", {"name": "echo", "arguments": {"message": "hi"}})
            assert "hi" in answer.result["content"][0]["text"]
            assert (await session.close()).how == "DELETE 200"


@pytest.mark.node
@pytest.mark.parametrize("transport", ["sse", "auto", "auto-sse"])
async def test_everything_over_the_older_http(npm_server: Program, transport: str) -> None:
    with everything_over_http(npm_server("mcp-server-everything"), "sse") as url:
        async with http(url, transport=transport) as session:
            await session.connect()
            assert session.transport.kind == "sse"
            arguments = {"duration": 0.2, "steps": 2}
            steps: list[object] = []
            answer = await session.request(
                "tools/call",
                {"name": "trigger-long-running-operation", "arguments": arguments},
                on_progress=lambda progress: steps.append(progress.progress),
            )
            assert answer.failure is None and steps == [1, 2]


@pytest.mark.node
@pytest.mark.parametrize("transport", ["auto", "auto-sse"])
async def test_everything_at_a_url_without_a_type(npm_server: Program, transport: str) -> None:
    with everything_over_http(npm_server("mcp-server-everything")) as url:
        async with http(url, transport=transport) as session:
            await session.connect()
            assert session.transport.kind == "http"
            assert (await session.request("ping")).failure is None


@pytest.mark.node
def test_filesystem_and_memory_side_by_side(npm_server: Program, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello from a file", encoding="utf-8")
    config = write_config(
        tmp_path,
        fs={"command": npm_server("mcp-server-filesystem"), "args": [str(tmp_path)]},
        memory={
            "command": npm_server("mcp-server-memory"),
            "env": {"MEMORY_FILE_PATH": str(tmp_path / "m.jsonl")},
        },
    )
    assert inspect("status", config).code == 0
    ran = inspect("call", config, "-s", "fs", "read_text_file", f"path={tmp_path / 'note.txt'}", "--json")
    assert ran.json["result"]["content"][0]["text"] == "hello from a file"
    entities = [{"name": "A", "entityType": "t", "observations": ["o"]}]
    ran = inspect(
        "call", config, "-s", "memory", "create_entities", f"entities:={json.dumps(entities)}", "--json"
    )
    assert ran.code == 0 and ran.json["result"]["structuredContent"] == {"entities": entities}
    refused = inspect("call", config, "-s", "fs", "read_text_file", "path=/no/such/file", "--json")
    assert refused.code == 1 and refused.json["result"]["isError"] is True


@pytest.mark.pypi
def test_git_and_time_from_pypi(pypi_server: Program, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    config = write_config(tmp_path, git={"command": pypi_server("mcp-server-git")})
    ran = inspect("call", config, "git_status", f"repo_path={tmp_path}", "--json")
    assert ran.code == 0 and "branch" in ran.json["result"]["content"][0]["text"].lower()
    zone = inspect("call", "get_current_time", "timezone=UTC", "--json", "--", pypi_server("mcp-server-time"))
    assert zone.code == 0
