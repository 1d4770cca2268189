"""Live taps in a workspace: found by themselves, shown as they go, ended when they end."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tapped import ECHO, ROOT, TAP, python, running, written

from inspector.config.adhoc import from_command
from inspector.tap.listing import live
from inspector.traffic.store import Traffic
from inspector.workspace.tapped import Taps
from inspector.workspace.workspace import Workspace

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize",'
    b'"params":{"clientInfo":{"name":"someone","version":"2"}}}\n'
)
ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"small"}}}'
SERVER = python(
    f"import sys; sys.stdin.readline(); print({ANSWER!r}, flush=True); print('careful', file=sys.stderr, flush=True);"
    "sys.stdin.read(); sys.exit(5)"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    return tmp_path


@asynccontextmanager
async def watching() -> AsyncIterator[Workspace]:
    async with Workspace(Traffic.in_memory()) as workspace, Taps(workspace):
        yield workspace


async def seen(condition: Callable[[], bool]) -> None:
    """Rows of the traffic are told to nobody: who shows them looks again and again, as here."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def rows(traffic: Traffic) -> list[tuple[int, bytes]]:
    return list(zip(traffic.columns.channel, traffic.raws(traffic.first, traffic.end), strict=True))


def say(tap: subprocess.Popen[bytes], data: bytes) -> None:
    assert tap.stdin is not None
    tap.stdin.write(data)
    tap.stdin.flush()


async def test_a_tap_is_found_followed_and_ended(home: Path) -> None:
    async with watching() as workspace:
        with running(home, SERVER, "-s", "mine") as tap:
            await seen(lambda: "mine" in workspace.connections)
            connection = workspace.connections["mine"]
            await seen(lambda: connection.state == "ready")
            assert connection.transport == "tap" and connection.uptime is not None
            say(tap, INITIALIZE)
            await seen(lambda: "careful" in connection.stderr.lines)
            await seen(lambda: connection.handshake is not None)
            assert connection.handshake is not None
            assert connection.handshake.version == "2025-06-18"
            assert connection.handshake.server_info == {"name": "small"}
            assert connection.handshake.sent["clientInfo"] == {"name": "someone", "version": "2"}
            assert tap.stdin is not None
            tap.stdin.close()
            await seen(lambda: connection.state == "disabled")
            assert connection.error is not None and connection.error.exit_code == 5
        (file,) = (home / "state" / "recordings").iterdir()
        written(file)
        recorded = Traffic.open_recording(file)
        recorded.advance()
        assert rows(workspace.traffic) == rows(recorded)
        times = workspace.traffic.columns.time
        assert [round(t + workspace.traffic.base_time, 3) for t in times] == [
            round(t + recorded.base_time, 3) for t in recorded.columns.time
        ]
        recorded.close()


async def test_what_came_before_the_app_is_shown_too_and_earlier_sessions_are_not(home: Path) -> None:
    file = home / "a.mcprec"
    with running(home, ECHO, "-o", str(file)) as tap:
        say(tap, b'{"n":1}\n')
        assert tap.stdin is not None
        tap.stdin.close()
        assert tap.wait(30) == 0
    written(file)
    with running(home, ECHO, "-o", str(file)) as tap:
        say(tap, b'{"n":2}\n')
        while not list(live()):
            pass
        async with watching() as workspace:
            await seen(lambda: (0, b'{"n":2}') in rows(workspace.traffic))
            assert (0, b'{"n":1}') not in rows(workspace.traffic)
            assert tap.stdin is not None
            tap.stdin.close()
            assert tap.wait(30) == 0


async def test_several_taps_at_once_and_one_that_is_killed(home: Path) -> None:
    async with watching() as workspace:
        with running(home, ECHO, "-s", "one") as first, running(home, ECHO, "-s", "one") as second:
            await seen(lambda: {"one", "one (2)"} <= set(workspace.connections))
            say(first, b'{"n":1}\n')
            say(second, b'{"n":2}\n')
            await seen(lambda: {b'{"n":1}', b'{"n":2}'} <= {raw for _, raw in rows(workspace.traffic)})
            first.kill()
            second.kill()
            await seen(lambda: all(one.state == "disabled" for one in workspace.connections.values()))


async def test_a_tap_is_only_looked_at(home: Path) -> None:
    async with watching() as workspace:
        with running(home, ECHO, "-s", "mine") as tap:
            await seen(lambda: "mine" in workspace.connections)
            connection = workspace.connections["mine"]
            await seen(lambda: connection.state == "ready")
            await connection.stop(disable=True)
            assert connection.state == "disabled" and connection.error is None
            say(tap, b'{"n":1}\n')
            connection.start()
            await seen(lambda: (0, b'{"n":1}') in rows(workspace.traffic))
            assert tap.poll() is None


async def test_a_tap_of_our_own_is_no_server_more(home: Path) -> None:
    ours = from_command([*TAP, "-s", "mine", "--", *SERVER])
    ours.cwd = str(ROOT)
    async with watching() as workspace:
        mine = workspace.add(ours)
        mine.start()
        await seen(lambda: any(tap.label == "mine" for _, tap in live()))
        with running(home, SERVER, "-s", "foreign") as tap:
            say(tap, INITIALIZE)
            await seen(lambda: "foreign" in workspace.connections)
            assert list(workspace.connections) == [mine.name, "foreign"]
