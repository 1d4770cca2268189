"""Live taps in the app: a pane for each, with the frames as they come and the end as it was."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app import opened, painted
from command import PYTHON
from tapped import python, running
from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.workspace.leftovers import Roll, left_running
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


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was said in passing: it may be gone before a busy machine looks at the screen."""
    said: list[str] = []
    notify = InspectorApp.notify

    def heard(app: InspectorApp, message: str, **more: Any) -> None:
        said.append(message)
        notify(app, message, **more)

    monkeypatch.setattr(InspectorApp, "notify", heard)
    return said


async def test_a_tap_comes_as_a_pane_and_ends_as_one(
    own_folders: Path, until: Until, told: list[str]
) -> None:
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
            assert "Inbox" not in painted(app) and "not read yet" not in painted(app)
            await app.main.go_to("mine", None)
            await pilot.press("2")
            await until(pilot, lambda: shown(app, "careful", "running since", "started by", "import sys;"))
            facts = app.workspace.connections["mine"].facts
            assert facts is not None and facts.command[0] == PYTHON
            assert facts.started_by.endswith(f"(PID {os.getpid()}), through the tap (PID {tap.pid})")
            await pilot.press("1")
            assert tap.stdin is not None
            tap.stdin.close()
            ended = ("the tap has ended", "exited with code 5")
            await until(pilot, lambda: shown(app, *ended))
            assert "turn it on" not in painted(app)
            await pilot.press("2")
            await until(pilot, lambda: shown(app, "exit code 5 · after"))
            await pilot.press("d")
            await until(pilot, lambda: told)
            assert told[-1] == "The tap of mine has ended; del takes it off the list."
            await pilot.press("delete")
            await until(pilot, lambda: shown(app, "Its traffic stays"))
            await pilot.press("y")
            await until(pilot, lambda: not app.workspace.connections)


KEYS = {
    "r": "Restart", "S": "Stop", "K": "Keep connected", "U": "Update server", "E": "Other era",
    "alt+s": "Send anything", "alt+w": "Watch files", "alt+v": "Baseline", "alt+a": "Log in",
}  # fmt: skip


async def test_a_key_that_is_not_for_a_tap_says_so_and_the_others_work(
    own_folders: Path, until: Until, told: list[str]
) -> None:
    async with opened(size=(140, 50)) as (app, pilot), Taps(app.workspace):
        with running(own_folders, SERVER, "-s", "mine") as tap:
            await until(pilot, lambda: "● mine" in painted(app))
            for key, title in KEYS.items():
                await pilot.press(key)
                await until(pilot, lambda: told)
                assert told.pop().endswith(
                    f"({title}) is not for a tap: mine belongs to the client that started it."
                )
            await pilot.press("d")
            await until(pilot, lambda: shown(app, "This tap is not looked at now", "not looked at"))
            await pilot.press("d")
            await until(pilot, lambda: "● mine" in painted(app))
            say(tap, ASK)
            await until(pilot, lambda: shown(app, "ok small 3"))
            await pilot.press("t")
            await until(pilot, lambda: told)
            assert "mine is a tap: what its client was told" in told.pop()
            await pilot.press("f", "up", "e")
            await until(pilot, lambda: told)
            assert "mine is a tap: only its client sends there" in told.pop()
            assert tap.poll() is None


async def test_a_tap_whose_server_was_done_is_no_failure(own_folders: Path, until: Until) -> None:
    async with opened(size=(140, 50)) as (app, pilot), Taps(app.workspace):
        with running(own_folders, python("import sys; sys.stdin.read()"), "-s", "mine") as tap:
            await until(pilot, lambda: "● mine" in painted(app))
            assert tap.stdin is not None
            tap.stdin.close()
            await until(pilot, lambda: shown(app, "○ the tap has ended: the server exited with code 0"))
            assert "✗" not in painted(app)


async def test_nothing_of_a_tap_is_ended_with_the_app_nor_told_as_left_behind(
    own_folders: Path, until: Until
) -> None:
    with running(own_folders, SERVER, "-s", "mine") as tap:
        async with opened(size=(140, 50)) as (app, pilot), Taps(app.workspace):
            roll = Roll(app.workspace, own_folders)
            await until(pilot, lambda: "PID" in painted(app))
            facts = app.workspace.connections["mine"].facts
            assert facts is not None and facts.pid is not None
            roll.note()
            assert left_running(own_folders) == {}
        assert tap.poll() is None


PINGED = python(
    "import json, sys\nfor line in sys.stdin:\n asked = json.loads(line)\n"
    " bad = asked['id'] == 3\n"
    " print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], **({'error': {'code': -1, 'message': 'no ping'}} if bad"
    " else {'result': {}})}), flush=True)"
)


async def test_keep_alive_pings_are_left_out_until_somebody_wants_them(
    own_folders: Path, until: Until, told: list[str]
) -> None:
    async with opened(size=(140, 50)) as (app, pilot), Taps(app.workspace):
        with running(own_folders, PINGED, "-s", "mine") as tap:
            await until(pilot, lambda: "● mine" in painted(app) and app.main.traffic_pane is not None)
            for number in range(1, 5):
                say(tap, b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number)
            say(tap, b'{"jsonrpc":"2.0","id":9,"method":"tools/list"}\n')
            await until(pilot, lambda: shown(app, "tools/list", "no ping", "7 pings left out (Q)"))
            frames = app.main.traffic_pane.frames  # type: ignore[union-attr]
            assert frames.hides_pings and frames.total - frames.shown == 7
            await pilot.press("f", "Q")
            await until(pilot, lambda: frames.shown == frames.total and "left out" not in painted(app))
            await pilot.press("Q")
            await until(pilot, lambda: shown(app, "7 pings left out (Q)"))
            app.main.traffic_pane.filter_by("method:ping")  # type: ignore[union-attr]
            await until(pilot, lambda: frames.shown == 8 and not frames.hides_pings)
            assert tap.stdin is not None
            tap.stdin.close()
