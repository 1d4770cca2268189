"""Live taps in the app: a pane for each, with the frames as they come and the end as it was."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app import opened, painted
from tapped import python, running
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.workspace.tapped import Taps

Until = Callable[[Pilot[Any], Callable[[], object]], Any]
ASK = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{"sampling":{}},"clientInfo":{"name":"some client","version":"7"}}}\n'
)
ANSWER = (
    '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},'
    '"serverInfo":{"name":"small","version":"3"},"instructions":"Ask politely"}}'
)
SERVER = python(
    f"import sys; sys.stdin.readline(); print({ANSWER!r}, flush=True); print('careful', file=sys.stderr, flush=True);"
    "sys.stdin.read(); sys.exit(5)"
)


def say(tap: subprocess.Popen[bytes], data: bytes) -> None:
    assert tap.stdin is not None
    tap.stdin.write(data)
    tap.stdin.flush()


def shown(app: InspectorApp, *texts: str) -> bool:
    screen = painted(app)
    return all(text in screen for text in texts)


async def test_a_tap_comes_as_a_pane_and_ends_as_one(own_folders: Path, until: Until) -> None:
    async with opened(size=(140, 50)) as (app, pilot), Taps(app.workspace):
        with running(own_folders, SERVER, "-s", "mine") as tap:
            await until(pilot, lambda: "● mine" in painted(app))
            say(tap, ASK)
            wanted = (
                "some client",
                "Ask politely",
                "The client sent",
                "ok small 3",
                "tap · 2025-06-18",
            )
            await until(pilot, lambda: shown(app, *wanted))
            assert "E shows how it is" not in painted(app) and "We sent" not in painted(app)
            await app.main.go_to("mine", None)
            await pilot.press("3")
            await until(pilot, lambda: "careful" in painted(app))
            await pilot.press("1")
            assert tap.stdin is not None
            tap.stdin.close()
            ended = ("the tap has ended", "exited with code 5")
            await until(pilot, lambda: shown(app, *ended))
            assert "turn it on" not in painted(app)
