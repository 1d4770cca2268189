"""Terminals that have few signs and few colours."""

from __future__ import annotations

import re
from pathlib import Path

from terminal import Terminal


def test_a_terminal_of_ascii_and_sixteen_colours_gets_no_others(tmp_path: Path) -> None:
    poor = {"LC_ALL": "C", "TERM": "vt100"}
    with Terminal("demo", under="unset COLORTERM; APP", MCP_INSPECT_HOME=str(tmp_path), **poor) as terminal:
        terminal.until("exit 1")
        terminal.until("4 ready")
        terminal.press("?")
        terminal.until("Every key, and what it does here")
        terminal.press("\x1b", "q")
        assert terminal.wait() == 0
    assert terminal.seen.isascii()
    assert re.search(rb"\x1b\[(\d+;)*31[;m]", terminal.seen), "red as the terminal has it"
    assert b"38;2;" not in terminal.seen and b"38;5;" not in terminal.seen
