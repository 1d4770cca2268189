"""`--plain`: words in lines, on every verb and in place of the app."""

from __future__ import annotations

import json
from pathlib import Path

from command import inspect
from terminal import Terminal


def test_a_table_becomes_a_block_for_each_row(tmp_path: Path) -> None:
    """The app itself is told in lines, and needs no terminal for it."""
    config = tmp_path / "mcp.json"
    config.write_text(
        json.dumps(
            {
                "mcpServers": {
                    "gone": {"command": str(tmp_path / "no")},
                    "off": {"command": "x", "disabled": True},
                }
            }
        )
    )
    ran = inspect(str(config), "--plain")
    assert ran.code == 3
    assert (
        ran.out
        == "server: gone\n  state: failed\n  transport: stdio\nserver: off\n  state: off\n  transport: stdio\n"
    )
    assert "  next: " in ran.err and "the verbs tell the rest" in ran.err and ran.err.isascii()
    told = inspect("config", str(config), "--plain").out
    assert f"server: off\n  state: off\n  transport: stdio\n  starts: x\n  from: {config}#" in told


def test_a_recording_is_read_out_frame_by_frame(tmp_path: Path) -> None:
    file = tmp_path / "a.mcprec"
    assert inspect("tools", "demo", "-s", "orders", "--record", str(file)).code == 0
    ran = inspect(str(file), "--plain")
    assert ran.code == 0 and ran.out == inspect("log", str(file), "--plain").out
    (asked,) = [line for line in ran.out.splitlines() if "tools/list" in line and "to the server" in line]
    assert asked.startswith("frame ") and ", orders, to the server, request, id " in asked
    assert any(
        "from the server, response, id " in line and ", took " in line for line in ran.out.splitlines()
    )


def test_a_terminal_of_ascii_gets_words_without_being_told(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"off": {"command": "x", "disabled": true}}}')
    with Terminal("config", str(file), LC_ALL="C") as terminal:
        terminal.wait()
    assert b"off     off" in terminal.seen or b"off  off" in terminal.seen
    assert terminal.seen.isascii()
