"""Arguments in the person's own editor, in a real terminal: it has the terminal for itself, and gives it back."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("pseudo terminals are POSIX's", allow_module_level=True)

from terminal import Terminal

EDITOR = """import pathlib, sys
print("the editor is here", flush=True)
input()
pathlib.Path(sys.argv[-1]).write_text('{"name": "Grace"}')
"""


def test_the_editor_has_the_terminal_and_what_it_saved_is_called(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(EDITOR)
    server = ("--", sys.executable, "-m", "inspector.demo", "stdio", "bakery")
    with Terminal(*server, HOME=str(tmp_path), VISUAL=f"{sys.executable} {script}") as terminal:
        terminal.until("30 tools")
        terminal.type("t")
        terminal.until("say_hello")
        terminal.type("\r")
        terminal.until("if left empty")
        terminal.type("\x07")
        terminal.until("the editor is here")
        before = len(terminal.seen)
        terminal.read(0.5)
        # The app paints nothing over it; the server goes on being read.
        assert b"\x1b[" not in terminal.seen[before:]
        terminal.type("\r")
        terminal.until("Grace")
        terminal.type("\x1b[15~")
        terminal.until("Good morning, Grace!")
        terminal.type("\x11")
        assert terminal.wait() == 0
