"""What a verb loads decides how fast it is: a one-shot over stdio loads nothing that it does not need."""

from __future__ import annotations

import json
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
    ],
    ids=lambda words: words[0],
)
def test_a_verb_over_stdio_loads_nothing_heavy(words: list[str]) -> None:
    modules = loaded(*words)
    assert not HEAVY & modules
    assert not {name for name in modules if name.startswith("inspector.tui")}


def test_status_loads_only_what_judges_schemas() -> None:
    assert HEAVY & loaded("status", *SERVER) == {"jsonschema_rs"}


def test_a_tap_loads_nothing_heavy_and_no_loop() -> None:
    script = "import sys; from inspector.__main__ import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script, "tap", "-o", "/dev/null/nowhere", *SERVER],
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    modules = set(done.stderr.splitlines()[-1].split())
    assert "inspector.tap.shim" in modules
    assert not (HEAVY | {"asyncio", "inspector.traffic.writer", "inspector.session.session"}) & modules


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
