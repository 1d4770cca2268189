"""Servers, configs, recordings and words that mean harm, through every verb: what is printed is harmless, and what is
printed as JSON is JSON."""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command import Ran, inspect, write_config

NASTY = "\x1b]52;c;aGk=\x07[@click=app.leave]x[/x][/] \u202egnp\u200b \x9b31m\x7f\x08"
HOSTILE = str(Path(__file__).parent.parent / "servers" / "hostile.py")
HARM = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
ON_ALL = ("config", "status", "tools", "resources", "templates", "prompts")
ON_ONE = (
    ("form",), ("schema",), ("schema", "--view", "sanitized"), ("schema", "--view", "diff"),
    ("schema", "--view", "java"),
    ("call", NASTY),
    ("call", "go", NASTY), ("call", "go", "--args", f"{{{NASTY}"), ("call", "go", "--args", f"@/no/{NASTY}"),
    ("read", NASTY), ("prompt", "p", f"{NASTY}=1"), ("complete", "prompt:p", "a", "x"),
    ("complete", f"resource:{NASTY}", "a", "x"), ("request", NASTY), ("request", "tasks/list"),
    ("request", "x", f"{{{NASTY}"), ("baseline", "--accept"),
)  # fmt: skip
ALONE = ((NASTY,), ("status", f"/no/{NASTY}"), ("status", f"--{NASTY}"), ("log", f"/no/{NASTY}"))
FORMATS = ("har", "html", "text")
RECORDED = (
    ("log",),
    ("log", NASTY),
    ("log", f"({NASTY}"),
    *(("export", "--to", to, "kind:all") for to in FORMATS),
)


@pytest.fixture
def config(tmp_path: Path) -> str:
    python = sys.executable
    dying = f"import sys; sys.stderr.write({NASTY!r}); sys.exit(3)"
    servers = {
        "hostile": {"command": python, "args": [HOSTILE]},
        f"dying {NASTY}": {"command": python, "args": ["-c", dying]},
        "absent": {"command": f"no-such-{NASTY}"},
        "url": {"url": f"http://127.0.0.1:1/{NASTY}"},
        "cwd": {"command": python, "cwd": f"/no/{NASTY}"},
        "variable": {"command": f"${{{NASTY}}}", "env": {NASTY: NASTY}},
        "transport": {"url": "http://127.0.0.1:1/", "type": NASTY},
    }
    return write_config(tmp_path, **servers)


def test_nothing_of_it_reaches_the_terminal(config: str, tmp_path: Path) -> None:
    recording = str(tmp_path / "hostile.mcprec")
    inspect("call", config, "go", "-s", "hostile", "--record", recording)
    commands = [
        *((verb, config) for verb in ON_ALL),
        *((verb, config, *rest, "-s", "hostile") for verb, *rest in ON_ONE),
        *ALONE,
        *((verb, recording, *rest) for verb, *rest in RECORDED),
        ("replay", recording, config, "-s", "hostile", "--yes"),
        ("diff", recording, recording),
    ]
    every = [(*words, *form) for words in commands for form in ((), ("--json",))]
    with ThreadPoolExecutor(4) as pool:
        for words, ran in zip(every, pool.map(lambda words: inspect(*words), every), strict=True):
            judge(words, ran)


def judge(words: tuple[str, ...], ran: Ran) -> None:
    for text in (ran.out, ran.err):
        harm = HARM.search(text)
        assert harm is None, (words, text[max(0, harm.start() - 100) : harm.end() + 20])
        assert "Traceback" not in text, (words, text)
    if words[-1] == "--json" and words[0] != "export":
        lines = ran.out.splitlines() if words[0] == "log" and ran.code == 0 else [ran.out]
        assert all(json.loads(line) is not None for line in lines), words


BEYOND = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked or "method" not in asked: continue
    result = {"tools": [{"name": "go", "inputSchema": {"type": "object", "maxProperties": "@", "default": "@"}}],
              "capabilities": {"tools": {"x": "@"}}, "serverInfo": {"name": "n", "version": "1", "x": "@"},
              "protocolVersion": "2025-11-25", "content": [], "structuredContent": {"n": ["@"]}, "_meta": {"x": "@"}}
    said = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
    if asked["method"] == "server/discover":
        said = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": "@", "message": "no", "data": "@"}}
    if asked["method"] == "tools/call":
        for other in ({"id": "@", "method": "ping"}, {"id": "@", "result": {}}, {"id": "@", "method": "roots/list"}):
            print(json.dumps({"jsonrpc": "2.0", **other}).replace('"@"', "1e999"), flush=True)
    print(json.dumps(said).replace('"@"', "1e999"), flush=True)
"""


@pytest.mark.parametrize(
    "verb",
    [["status"], ["tools"], ["call", "go", "--yes"], ["request", "a/b"], ["check", "--active"],
     ["baseline", "--accept"], ["freeze"]],
)  # fmt: skip
def test_numbers_that_no_double_holds_break_nothing(verb: list[str], tmp_path: Path) -> None:
    """1e999 is JSON: as an id, in a result, in a request of the server that has to be answered."""
    given = ["--json"] if verb[0] != "freeze" else ["-o", str(tmp_path / "frozen.json")]
    ran = inspect(*verb, *given, "--", sys.executable, "-c", BEYOND, MCP_INSPECT_HOME=str(tmp_path))
    assert ran.code < 2 and "itself" not in ran.err, ran.err
    assert not list(tmp_path.rglob("*Error*.txt"))
