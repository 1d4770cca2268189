"""Servers that mean harm, over every pane of the real program in a real terminal: what arrives there is harmless."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from terminal import ROOT, Terminal

NASTY = "\x1b]52;c;aGk=\x07\x1b]0;evil\x07\x1b[31mred [@click=app.leave]x[/x][/] \u202egnp\u200b \x9b31m"

FORBIDDEN = {
    "clipboard": rb"\x1b\]52",
    "title": rb"\x1b\]0;",
    "colour of theirs": rb"\x1b\[31mred",
    "C1": rb"\xc2[\x80-\x9f]",
    "bell, backspace, delete": rb"[\x07\x08\x7f]",
    "bidi": rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]",
    "zero width": rb"\xe2\x80[\x8b\x8d]",
    "hyperlink": rb"\x1b\]8;",
    "surrogate": rb"\xed[\xa0-\xbf]",
}

POINTER = b"\x1b]22;default\x07"
"""Textual itself sets the shape of the mouse pointer."""

TABS = ["1", "2", "3", "4", "5", "6"]
IN_A_PANE = ["\r", "\x1b[15~", "\x1b[17~", "\x1b[17~", "\x1b[17~", "\t", "\x1b[B", "\r", "\x1b"]
"""Enter, F5, F6 three times, tab, down, enter, escape."""
IN_TRAFFIC = [
    "f",
    "\x1b[H",
    "\r",
    "\x1b[17~",
    "\x1b[17~",
    "\x1b[17~",
    "\x1b[B",
    "\x1b[B",
    "\x1b",
    "/",
    "zzz",
    "\x1b",
]


@pytest.fixture
def config(tmp_path: Path) -> str:
    def python(*words: str) -> dict[str, object]:
        return {"command": sys.executable, "args": [*words], "env": {"HARM": NASTY}}

    dying = f"import sys; sys.stderr.write({NASTY!r}); sys.exit(3)"
    noisy = f"import sys; sys.stdout.write({NASTY!r} + chr(10)); sys.stdout.flush(); sys.stdin.read()"
    servers = {
        "hostile": python(str(ROOT / "tests" / "servers" / "hostile.py")),
        f"dying {NASTY}": python("-c", dying),
        "noisy": python("-c", noisy),
        "url": {"url": f"http://127.0.0.1:1/{NASTY}"},
        "absent": {"command": f"no-such-{NASTY}"},
    }
    path = tmp_path / "servers.json"
    path.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
def test_no_pane_lets_anything_through(size: tuple[int, int], config: str, tmp_path: Path) -> None:
    columns, rows = size
    with Terminal(
        config, columns=columns, rows=rows, MCP_INSPECT_HOME=str(tmp_path / "home"), PYTHONIOENCODING="utf-8"
    ) as terminal:
        terminal.until("hostile")
        terminal.until("3 failed")
        for tab in TABS:
            terminal.press(tab, *IN_A_PANE)
        for _ in range(4):
            terminal.press("s", "\x1b[B", "1", "]", "]", "\t")
        terminal.press(*IN_TRAFFIC)
        terminal.press("?", "\x1b", "\x10", "egnp", "\x1b", "q")
        assert terminal.wait() == 0
    seen = terminal.seen.replace(POINTER, b"")
    for what, pattern in FORBIDDEN.items():
        found = re.search(pattern, seen)
        assert found is None, f"{what}: {seen[max(0, found.start() - 200) : found.end() + 50]!r}"
    assert b"\\u001b]52" in seen
