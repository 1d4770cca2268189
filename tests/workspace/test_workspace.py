"""Many servers side by side: each with its own fate, and none left behind."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import pytest
from live import ODD, is_alive, until

from inspector.base import tasks
from inspector.base.errors import Failed
from inspector.config.adhoc import from_command, from_url
from inspector.config.entry import Entry
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection
from inspector.workspace.starts import Starts
from inspector.workspace.workspace import Workspace


def odd(*mode: str, name: str = "") -> Entry:
    entry = from_command([sys.executable, ODD, *mode])
    entry.name = name or (mode[0] if mode else "plain")
    return entry


async def test_one_failure_never_touches_another() -> None:
    async with Workspace(Traffic.in_memory(), options=Options(connect_timeout=3)) as workspace:
        for entry in (odd(), odd("exit"), odd("mute"), from_url("http://127.0.0.1:1/mcp")):
            workspace.add(entry)
        workspace.start()
        await workspace.settled()
        states = {name: connection.state for name, connection in workspace.connections.items()}
        assert states == {"plain": "ready", "exit": "error", "mute": "error", "127.0.0.1": "error"}
        plain = workspace.connections["plain"]
        assert plain.count("tools") == 4 and plain.uptime is not None
        assert (await plain.call("echo", {})).failure is None


async def test_stopping_does_not_wait_for_lists_that_never_come() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = workspace.add(odd("unlisted"))
        workspace.start()
        await until(workspace, lambda: connection.state == "ready")
        async with asyncio.timeout(20):
            await connection.stop(disable=True)
        assert connection.state == "disabled"


async def test_a_fault_of_ours_is_told_and_costs_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(tasks, "report", lambda name, error: told.append(f"{name}: {error!r}"))
    async with Workspace(Traffic.in_memory()) as workspace:
        broken, good = workspace.add(odd(name="broken")), workspace.add(odd())
        monkeypatch.setattr(broken.stderr, "begin_run", lambda text: 1 / 0)
        workspace.start()
        await workspace.settled()
        assert (broken.state, good.state) == ("error", "ready")
        assert broken.error is not None and "ZeroDivisionError" in broken.error.message
        await broken.stop()
    assert told == ["connection broken: ZeroDivisionError('division by zero')"]


async def test_a_server_that_closes_its_stdin_is_not_waited_for() -> None:
    async with Workspace(Traffic.in_memory(), lists=False) as workspace:
        connection = workspace.add(odd("deaf"))
        workspace.start()
        async with asyncio.timeout(20):
            await until(workspace, lambda: connection.error is not None)
        assert connection.error is not None
        assert connection.error.message == "the server closed its stdin but still runs"


async def test_names_that_are_taken_get_a_number() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        assert [workspace.add(odd(name="x")).name for _ in range(3)] == ["x", "x (2)", "x (3)"]


async def test_a_server_that_dies_is_told_and_can_be_restarted() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = workspace.add(odd())
        workspace.start()
        await connection.settled()
        first = connection.facts.pid
        with pytest.raises(Failed):
            await connection.call("exit", {})
        await until(workspace, lambda: connection.state == "error")
        assert connection.error is not None and "T_KEY is required" in connection.error.message
        with pytest.raises(Failed) as failed:
            await connection.call("echo", {})
        told, why = failed.value.failure, connection.error
        assert why is not None and told.message == f"plain is not connected; nothing was sent. {why.message}"
        assert (told.kind, told.hint, told.exit_code, told.stderr) == (why.kind, why.hint, 4, why.stderr)
        await connection.restart()
        await connection.settled()
        assert connection.state == "ready" and connection.restarts == 1 and connection.facts.pid != first
        assert [line[:2] for line in connection.stderr.lines] == ["T_", "──"]
        assert (await connection.call("echo", {})).failure is None


async def test_stop_disable_and_start_again() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = workspace.add(odd())
        workspace.start()
        await connection.settled()
        pid = connection.facts.pid
        await connection.stop(disable=True)
        assert connection.state == "disabled" and not is_alive(pid)
        assert connection.closed is not None and connection.closed.how == "closing stdin"
        connection.start()
        await connection.settled()
        assert connection.state == "ready"


async def test_a_start_can_be_cancelled() -> None:
    async with Workspace(Traffic.in_memory(), options=Options(connect_timeout=60)) as workspace:
        connection = workspace.add(odd("mute"))
        workspace.start()
        await until(workspace, lambda: connection.facts is not None and connection.facts.pid is not None)
        pid = connection.facts.pid
        await connection.stop()
        assert connection.error is not None and connection.error.kind == "cancelled" and not is_alive(pid)


async def test_leaving_ends_every_process_also_in_the_middle_of_things() -> None:
    pids: list[int] = []
    with contextlib.suppress(RuntimeError):
        async with Workspace(Traffic.in_memory()) as workspace:
            for mode in ("", "wrapper", "stubborn", "mute"):
                workspace.add(odd(*filter(None, [mode]), name=mode))
            workspace.start()
            everyone = list(workspace.connections.values())
            await until(workspace, lambda: all(one.facts is not None and one.facts.pid for one in everyone))
            pids = [one.facts.pid for one in everyone]
            raise RuntimeError("a bug of ours")
    assert len(pids) == 4 and not [pid for pid in pids if is_alive(pid)]


async def test_lists_that_change_because_they_are_read_are_damped() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = workspace.add(odd("storm"))
        workspace.start()
        await connection.settled()
        traffic = workspace.traffic

        def lists() -> int:
            traffic.advance()
            return sum(
                traffic.row(row).method == "tools/list" and traffic.row(row).kind == "request"
                for row in range(len(traffic))
            )

        await until(workspace, lambda: lists() >= 3)
        # 50 notices came for each of them; every one of these asks for a refresh of its own in a naive client.
        assert lists() < 10


async def test_silent_starts_give_their_place_back() -> None:
    starts = Starts(at_once=1, silence=0.05)
    entered: list[int] = []
    release = asyncio.Event()

    async def start(number: int) -> None:
        async with starts.place(lambda: 0.0):
            entered.append(number)
            if number == 1:
                await release.wait()

    first = asyncio.ensure_future(start(1))
    while not entered:
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await start(2)
    assert entered == [1, 2] and not first.done()
    release.set()
    await first


async def test_no_more_processes_start_at_once_than_allowed() -> None:
    starts = Starts(at_once=2, silence=60)
    running: list[int] = []
    most = 0
    turn = asyncio.Event()

    async def start(number: int) -> None:
        nonlocal most
        async with starts.place(lambda: 0.0):
            running.append(number)
            most = max(most, len(running))
            await turn.wait()
            running.remove(number)

    tasks = [asyncio.ensure_future(start(number)) for number in range(6)]
    while len(running) < 2:
        await asyncio.sleep(0)
    turn.set()
    await asyncio.gather(*tasks)
    assert most == 2


async def test_how_many_start_at_once_is_set_for_the_workspace() -> None:
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    async with Workspace(Traffic.in_memory(), at_once=1) as workspace:
        first, second = workspace.add(from_command(silent)), workspace.add(from_command(silent))
        workspace.start()
        await until(workspace, lambda: "starting" in (first.state, second.state))
        assert {first.state, second.state} == {"starting", "queued"}


async def test_a_refused_server_keeps_its_reason() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection: Connection = workspace.add(odd())
        from inspector.policy.consent import refusal

        connection.refuse(refusal(connection.entry))
        workspace.start()
        await workspace.settled()
        assert (
            connection.state == "disabled"
            and connection.error is not None
            and connection.error.kind == "consent"
        )
