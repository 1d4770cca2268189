"""Planted secrets reach no output of any verb, whatever repeats them, unless they are asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command import Ran, inspect
from leaks import HTTP_PATHS, LITERAL, PLANTED, VARIABLES, leaks, leaky_config

ON_ALL = ("config", "status", "tools", "resources", "templates", "prompts", "form", "schema")
EXPORTS = ("jsonl", "text", "har", "html", "otlp")
ON_ONE = (
    ("call", "go"), ("call", "go", "a=x"), ("read", "leaky:///"), ("prompt", "p"), ("complete", "prompt:p", "a", "x"),
    ("request", "no/such/method"), ("form", "go"), ("schema", "go"),
)  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Iterator[str]:
    with leaky_config(tmp_path) as path:
        yield path


def run(*words: str) -> Ran:
    return inspect(*words, **VARIABLES)


def everything(config: str, folder: Path) -> Iterator[tuple[str, ...]]:
    for form in (("-v",), ("--json",)):
        for verb in ON_ALL:
            yield (verb, config, *form)
        for at, (verb, *operands) in enumerate(ON_ONE):
            yield (verb, config, *operands, "-s", ("stdio", "mcp", "stream", "user")[at % 4], *form)
    for server in ("dies", "absent", "noname", *HTTP_PATHS):
        yield ("request", config, "ping", "-s", server, "-v", "--json")
    for server in ("stdio", "mcp", "stream", "cut", "dies"):
        yield ("call", config, "go", "-s", server, "--record", str(folder / f"{server}.mcprec"))
    yield ("call", config, "go", "-s", "stdio", "-o", str(folder / "answer.txt"))
    yield ("call", config, "go", "-s", "mcp", "--json", "-o", str(folder / "answer.json"))


def test_no_output_holds_a_planted_secret(config: str, tmp_path: Path, own_folders: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        commands = list(everything(config, tmp_path))
        ran = dict(zip(commands, pool.map(lambda words: run(*words), commands), strict=True))
        recordings = sorted(tmp_path.glob("*.mcprec"))
        assert len(recordings) == 5
        logs = [("log", str(one), *form) for one in recordings for form in ((), ("--json",))]
        logs += [("export", str(one), "--to", to, "kind:all") for one in recordings for to in EXPORTS]
        first, second = map(str, recordings[-2:])
        logs += [("diff", first, second, *form) for form in ((), ("--json",))]
        logs += [("replay", first, config, "-s", "stdio", "--yes", *form) for form in ((), ("--json",))]
        logs += [("baseline", config, "-s", "stdio", "--accept", "--json")]
        ran.update(zip(logs, pool.map(lambda words: run(*words), logs), strict=True))
    found = {
        " ".join(words[:1] + words[2:]): leak
        for words, one in ran.items()
        if (leak := leaks(one.out + one.err))
    }
    for file in [*recordings, *tmp_path.glob("answer.*"), *filter(Path.is_file, own_folders.rglob("*"))]:
        if leak := leaks(file.read_text("utf-8", "surrogateescape")):
            found[file.name] = leak
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
    said = "".join(one.out + one.err for one in ran.values())
    assert said.count("***") >= 300, "the servers repeated nothing"


def test_reveal_shows_them_and_only_then(config: str) -> None:
    shown = run("config", config, "--reveal", "--json").out
    assert all(json.dumps(secret)[1:-1] in shown for secret in PLANTED if secret != LITERAL["basic"])
    answer = run("call", config, "go", "-s", "stdio", "--reveal").out
    assert VARIABLES["PLANTED_ARG"] in answer and VARIABLES["PLANTED_ENV"] in answer
