"""Sessions with servers of others, recorded and sent again: only what must differs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import inspect
from live import stdio

from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic, Writer

Program = Callable[[str], str]
ANSWERS = Profile(
    form="accept",
    content={"name": "Ada", "check": True},
    sampling={"role": "assistant", "content": {"type": "text", "text": "a sample"}, "model": "m"},
)


async def record(path: Path, command: list[str], *requests: tuple[str, dict[str, Any]]) -> str:
    traffic = Traffic.in_memory()
    traffic.attach(Writer(path))
    options = Options(responder=ANSWERS, connect_timeout=20)
    async with stdio(*command, traffic=traffic, options=options) as session:
        await session.connect()
        await session.lists()
        for method, params in requests:
            await session.request(method, params)
    traffic.close()
    return str(path)


def call(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": name, "arguments": arguments}


@pytest.mark.node
async def test_everything(npm_server: Program, tmp_path: Path) -> None:
    command = [npm_server("mcp-server-everything")]
    file = await record(
        tmp_path / "a.mcprec", command, call("echo", message="hi"), call("get-sum", a=1, b=2.5),
        call("trigger-elicitation-request"), call("trigger-sampling-request", prompt="p", maxTokens=5),
        call("trigger-long-running-operation", duration=0.2, steps=2), call("get-tiny-image"), call("no such tool"),
        ("prompts/get", {"name": "args-prompt", "arguments": {"city": "Oslo"}}), ("resources/list", {}),
    )  # fmt: skip
    ran = inspect("replay", file, "--json", "--yes", "--", *command)
    assert ran.code == 0, ran.out
    assert ran.json["same"] == ran.json["requests"] >= 13 and ran.json["differences"] == []


@pytest.mark.node
async def test_filesystem_and_memory(npm_server: Program, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.txt").write_text("one\n")
    files = [npm_server("mcp-server-filesystem"), str(tmp_path / "d")]
    path = str(tmp_path / "d" / "a.txt")
    file = await record(
        tmp_path / "f.mcprec", files, call("read_text_file", path=path),
        call("get_file_info", path=path), call("list_directory", path=str(tmp_path / "d")),
    )  # fmt: skip
    assert inspect("replay", file, "--", *files).code == 0
    (tmp_path / "d" / "a.txt").write_text("two\n")
    ran = inspect("replay", file, "--json", "--", *files)
    changed = {each["pointer"] for each in ran.json["differences"]}
    assert ran.code == 1 and changed == {"/result/content/0/text", "/result/structuredContent/content"}
    memory = [npm_server("mcp-server-memory")]
    entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    graph = tmp_path / "g.jsonl"
    file = await record(
        tmp_path / "m.mcprec", ["env", f"MEMORY_FILE_PATH={graph}", *memory],
        call("create_entities", entities=[entity]), call("read_graph"), call("search_nodes", query="Ada"),
    )  # fmt: skip
    graph.unlink()
    ran = inspect("replay", file, "--yes", "--json", "--env", f"MEMORY_FILE_PATH={graph}", "--", *memory)
    assert ran.code == 0, ran.out


@pytest.mark.pypi
async def test_git(pypi_server: Program, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (tmp_path / "a.txt").write_text("one\n")
    git("add", "a.txt")
    git("commit", "-q", "-m", "first")
    command = [pypi_server("mcp-server-git")]
    repository = str(tmp_path)
    file = await record(
        tmp_path.parent / f"{tmp_path.name}.mcprec", command, call("git_status", repo_path=repository),
        call("git_log", repo_path=repository), call("git_show", repo_path=repository, revision="HEAD"),
    )  # fmt: skip
    assert inspect("replay", file, "--yes", "--", *command).code == 0
    git("commit", "-q", "--allow-empty", "-m", "second")
    ran = inspect("replay", file, "--yes", "--json", "--", *command)
    assert ran.code == 1 and ran.json["different"] == 2
