"""The sample configs are read without a complaint about the files themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.config.load import load

SAMPLES = Path(__file__).parents[2] / "sample-configs"
FILES = {"common.json": "common", "paicli/.paicli/mcp.json": "paicli", "claude-code/.mcp.json": "claude-code"}


@pytest.mark.parametrize(("name", "dialect"), [*FILES.items(), ("vscode/.vscode/mcp.json", "vscode")])
def test_sample(name: str, dialect: str, tmp_path: Path) -> None:
    loaded = load(SAMPLES / name, home=tmp_path, environment={"PATH": ""})
    assert loaded.files[0].dialect.id == dialect
    assert loaded.servers
    # npx and uvx may be absent on this machine; everything else would be a fault of the sample.
    assert {problem.where for problem in loaded.problems} <= {"command"}
