"""Servers that mean harm, over every pane of the real program in a real terminal: what arrives there is harmless."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path

import pytest
from terminal import ROOT, Terminal

from inspector.tui.registry import ACTIONS

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

OWN_COPY = re.compile(rb"\x1b\]52;c;[A-Za-z0-9+/=]{9,}\x07")
"""What the app itself copies; theirs is four characters."""

OWN = re.compile(rb"\x1b(?:\[[0-9;:?<>=$]*[@-~]|[_P][^\x1b]*\x1b\\|[=>78]|\([B0])")
"""The kinds of sequences that the app writes: whatever else is below blank or in 0x7F to 0x9F is not its own."""

TABS = ["1", "2", "3", "4", "5", "6", "7"]
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
    harmless(terminal.seen)


PLACES = {
    "overview": "1", "resources": "3", "uris": "3", "reading": "3", "prompts": "4", "argument": "4", "message": "4",
    "inbox": "5", "messages": "6", "process": "7", "log": "7", "traffic": "f", "traffic_filter": "f", "frames": "f",
    "detail": "f", "columns": "f", "marks": "f", "servers": "s",
}  # fmt: skip
"""The key to where the actions of a scope are; those of all others are in the tools."""
SENT = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~",
    "delete": "\x1b[3~", "backspace": "\x7f", "f5": "\x1b[15~", "f6": "\x1b[17~", "f8": "\x1b[19~", "f9": "\x1b[20~",
    "f10": "\x1b[21~", "f12": "\x1b[24~", "question_mark": "?", "slash": "/", "plus": "+", "minus": "-",
    "right_square_bracket": "]", "left_square_bracket": "[", "greater_than_sign": ">", "less_than_sign": "<",
}  # fmt: skip
ENDS = {"quit", "suspend", "stop"}


def sent(key: str) -> str | None:
    """What a terminal sends for a key; None for what this test does not type."""
    if len(key) == 1 or key in SENT:
        return SENT.get(key, key)
    return chr(ord(key[-1]) - 96) if key.startswith("ctrl+") and len(key) == 6 and key[-1].isalpha() else None


def test_no_action_lets_anything_through(config: str, tmp_path: Path) -> None:
    """Every action of the registry, each where it is at home, on the server that means harm."""
    wanted: dict[str, list[str]] = {}
    for action in ACTIONS:
        keys = [typed for key in action.keys if (typed := sent(key)) is not None]
        if keys and action.id not in ENDS and action.call not in ENDS and keys[0] not in ("q", "\x1a"):
            wanted.setdefault(PLACES.get(action.scope, "2"), []).append(keys[0])
    with Terminal(
        config, "-s", "hostile", MCP_INSPECT_HOME=str(tmp_path / "home"), PYTHONIOENCODING="utf-8"
    ) as terminal:
        terminal.until("hostile")
        terminal.press("2", "\r", "\x1b[15~")
        for place, keys in wanted.items():
            terminal.press(place, "\r")
            for key in dict.fromkeys(keys):
                terminal.press(key, *(() if key in "\x1b\t\r" or key.startswith("\x1b[") else ("\x1b",)))
            terminal.press("\x1b", "\x1b")
        terminal.signal(signal.SIGTERM)
        terminal.wait()
    harmless(terminal.seen)


def harmless(seen: bytes) -> None:
    seen = seen.replace(POINTER, b"")
    seen = OWN_COPY.sub(b"", seen)
    rest = OWN.sub(b"", seen).decode("utf-8")
    control = re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]", rest)
    assert control is None, ascii(rest[max(0, control.start() - 100) : control.end() + 50])
    for what, pattern in FORBIDDEN.items():
        found = re.search(pattern, seen)
        assert found is None, f"{what}: {seen[max(0, found.start() - 200) : found.end() + 50]!r}"
    assert b"\\u001b]52" in seen
