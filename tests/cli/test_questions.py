"""Questions on a terminal: asked once, answered by typing, and never by silence."""

from __future__ import annotations

import json
import os
from pathlib import Path

from command import PYTHON, odd_entry
from terminal import ROOT, Terminal

REPORT = "import json, os, sys; json.dump({'region': sys.argv[1], 'key': os.environ['T_KEY']}, open(sys.argv[2], 'w'))"


def test_inputs_are_asked_for_and_a_secret_one_is_not_echoed(tmp_path: Path) -> None:
    seen = tmp_path / "seen.json"
    entry = {
        "command": PYTHON,
        "args": ["-c", REPORT, "${input:region}", str(seen)],
        "env": {"T_KEY": "${input:key}"},
    }
    config = tmp_path / "mcp.json"
    inputs = [
        {"id": "key", "type": "promptString", "description": "API key", "password": True},
        {"id": "region", "type": "pickString", "options": ["eu", "us"], "default": "eu"},
    ]
    config.write_text(json.dumps({"inputs": inputs, "servers": {"asks": entry}}))
    with Terminal("status", str(config)) as terminal:
        terminal.until("region (eu, us) [eu]:")
        terminal.type("us\n")
        terminal.until("API key:")
        terminal.type("typed-secret\n")
        assert terminal.wait() == 3
        assert b"typed-secret" not in terminal.seen
    assert json.loads(seen.read_text()) == {"region": "us", "key": "typed-secret"}


def test_a_file_that_was_found_is_shown_and_started_only_after_a_yes(tmp_path: Path) -> None:
    folder = tmp_path / ".paicli"
    folder.mkdir()
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"found": odd_entry()}}))
    places = {
        "HOME": str(tmp_path / "home"),
        "MCP_INSPECT_HOME": str(tmp_path / "own"),
        "PYTHONPATH": str(ROOT),
    }
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for answer, code in (("n", 2), ("y", 0)):
            with Terminal("status", **places) as terminal:
                terminal.until("Start it? [y/N]")
                assert b"odd.py" in terminal.seen
                terminal.type(f"{answer}\n")
                assert terminal.wait() == code
        with Terminal("status", **places) as terminal:
            assert terminal.wait() == 0
            assert b"Start it?" not in terminal.seen
    finally:
        os.chdir(before)
