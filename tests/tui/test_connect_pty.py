"""Connecting something new in a real terminal, by a real paste."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("pseudo terminals are POSIX's", allow_module_level=True)

from live import ODD
from terminal import Terminal

from inspector.base.paths import paths


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def test_a_pasted_command_is_connected_with_two_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Terminal(HOME=str(tmp_path)) as terminal:
        terminal.until("No servers here")
        terminal.type("a")
        terminal.until("Nothing yet")
        terminal.type(pasted(f"A_TOKEN=not-to-be-seen {sys.executable} {ODD}"))
        terminal.until("a command line: starts")
        terminal.type("\r\r")
        terminal.until("4 tools")
        terminal.type("q")
        assert terminal.wait() == 0
        seen = terminal.seen.decode("utf-8", "replace")
    assert "A_TOKEN" in seen and "not-to-be-seen" not in seen
    assert not paths().servers.exists()


def test_a_kept_server_is_there_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths().servers.parent.mkdir(parents=True)
    paths().servers.write_text(
        f'{{"mcpServers": {{"mine": {{"command": "{sys.executable}", "args": ["{ODD}"]}}}}}}'
    )
    with Terminal(HOME=str(tmp_path)) as terminal:
        terminal.until("4 tools")
        assert b"mine" in terminal.seen
        terminal.type("q")
        assert terminal.wait() == 0
