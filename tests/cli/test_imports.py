"""What a verb loads decides how fast it is: a one-shot over stdio loads nothing that it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import ODD, PYTHON

ROOT = Path(__file__).parent.parent.parent
HEAVY = {
    "textual",
    "rich",
    "httpx",
    "httpcore",
    "anyio",
    "pydantic",
    "psutil",
    "platformdirs",
    "jsonschema_rs",
    "yaml",
}
SCRIPT = """
import json, sys
from inspector.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def loaded(*words: str) -> set[str]:
    """The modules in memory after a command has run in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


SERVER = ["--", PYTHON, ODD]


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["config", "sample-configs/common.json"],
        ["tools", *SERVER],
        ["resources", *SERVER],
        ["templates", *SERVER],
        ["prompts", *SERVER],
        ["call", "echo", "a=1", *SERVER],
        ["read", "x://y", *SERVER],
        ["prompt", "p", *SERVER],
        ["complete", "prompt:p", "a", "b", *SERVER],
        ["request", "ping", *SERVER],
        ["form", "echo", *SERVER],
        ["schema", "echo", "--view", "diff", *SERVER],
        ["log", "no-such-recording"],
        ["export", "no-such-recording", "--to", "html"],
        ["paths"],
        ["completion", "bash"],
    ],
    ids=lambda words: words[0],
)
def test_a_verb_over_stdio_loads_nothing_heavy(words: list[str]) -> None:
    modules = loaded(*words)
    assert not HEAVY & modules
    assert not {name for name in modules if name.startswith("inspector.tui")}


def test_status_loads_nothing_heavy_for_usual_schemas() -> None:
    assert not HEAVY & loaded("status", *SERVER)


TAP = """
import subprocess, sys
from inspector.__main__ import main

start = subprocess.Popen.__init__

def told(process, *words, **options):
    print(*sys.modules, file=sys.stderr)
    start(process, *words, **options)

subprocess.Popen.__init__ = told
main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""


def test_a_tap_loads_next_to_nothing_before_its_server_runs_and_nothing_heavy_at_all(tmp_path: Path) -> None:
    server = [PYTHON, "-c", "import sys; sys.stderr.close()"]
    done = subprocess.run(
        [sys.executable, "-c", TAP, "tap", "-s", "a", f"--output={tmp_path / 'a.mcprec'}", "--", *server],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MCP_INSPECT_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    before, *_, after = (set(line.split()) for line in done.stderr.splitlines())
    ours = {name for name in before if name.startswith("inspector.")}
    shim = {"inspector.cli", "inspector.cli.verbs", "inspector.cli.verbs.tap_shim"}
    assert ours == {"inspector.__main__", "inspector.tap", "inspector.tap.server", *shim}
    assert not {"argparse", "dataclasses", "json", "pathlib", "typing"} & before
    assert "inspector.tap.shim" in after
    assert not (HEAVY | {"asyncio", "inspector.traffic.writer", "inspector.session.session"}) & after


def test_the_version_loads_no_asyncio() -> None:
    assert "asyncio" not in loaded("--version")


def test_a_call_without_a_recording_loads_no_store() -> None:
    assert "inspector.traffic.store" not in loaded("call", "echo", *SERVER)


def test_http_is_loaded_for_a_url_only_and_never_the_screen() -> None:
    modules = loaded("tools", "http://127.0.0.1:1/mcp")
    assert "httpx" in modules
    assert not {"textual", "rich", "click"} & modules


@pytest.mark.parametrize(
    "module", ["inspector.workspace.workspace", "inspector.traffic.store", "inspector.serving.engine"]
)
def test_the_core_is_importable_without_the_screen(module: str) -> None:
    screen = "{'textual', 'rich'} & {name.split('.')[0] for name in sys.modules}"
    script = f"import sys, {module}; print(sorted({screen}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"
