"""Connections that are kept up: on a clock that the test moves, and with a real server that dies."""

from __future__ import annotations

import asyncio
import sys

import pytest
from live import ODD, until

from inspector.base.errors import Failed, Failure
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection
from inspector.workspace.keeping import LONGEST, STOOD, TRIES, Keeping
from inspector.workspace.workspace import Workspace

DEAD = Failure(kind="exited", message="exited with code 4")


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked: list[float] = []
        self._sleepers: list[tuple[float, asyncio.Event]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        done = asyncio.Event()
        self._sleepers.append((self.now + seconds, done))
        await done.wait()

    async def pass_(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.now += seconds
        for due, done in self._sleepers:
            if due <= self.now:
                done.set()
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def starts() -> list[float]:
    return []


@pytest.fixture
def keeping(clock: Clock, starts: list[float]) -> Keeping:
    return Keeping(lambda: starts.append(clock.now), lambda: None, clock=clock, sleep=clock.sleep)


async def test_off_by_default(keeping: Keeping, starts: list[float], clock: Clock) -> None:
    keeping.ended(DEAD, 500)
    await clock.pass_(100)
    assert starts == [] and keeping.again is None


async def test_pauses_grow_and_the_fifth_try_is_the_last(
    keeping: Keeping, starts: list[float], clock: Clock
) -> None:
    keeping.switch(True)
    for number in range(1, TRIES + 1):
        keeping.ended(DEAD, 0)
        assert keeping.again is not None and (keeping.again.number, keeping.again.most) == (number, TRIES)
        await clock.pass_(keeping.seconds_left)
        assert len(starts) == number and keeping.again is None
    keeping.ended(DEAD, 0)
    assert keeping.gave_up and keeping.again is None
    assert clock.asked == [1, 2, 4, 8, 16] and max(clock.asked) <= LONGEST


async def test_the_countdown_runs(keeping: Keeping, clock: Clock) -> None:
    keeping.switch(True)
    keeping.ended(DEAD, 0)
    await clock.pass_(0.75)
    assert keeping.seconds_left == 0.25


async def test_a_connection_that_stood_begins_the_row_anew(keeping: Keeping, clock: Clock) -> None:
    keeping.switch(True)
    for stood in (0, 0, STOOD, STOOD - 1):
        keeping.ended(DEAD, stood)
        await clock.pass_(keeping.seconds_left)
    assert clock.asked == [1, 2, 1, 2]


@pytest.mark.parametrize("kind", ["config", "consent", "unsupported", "cancelled"])
async def test_what_another_start_cannot_change_is_not_tried(keeping: Keeping, kind: str) -> None:
    keeping.switch(True)
    keeping.ended(Failure(kind=kind, message="m"), 0)  # type: ignore[arg-type]
    assert keeping.again is None and not keeping.gave_up


async def test_a_person_ends_what_was_planned(keeping: Keeping, starts: list[float], clock: Clock) -> None:
    keeping.switch(True)
    keeping.ended(DEAD, 0)
    keeping.rest()
    await clock.pass_(60)
    assert starts == [] and keeping.on
    keeping.ended(DEAD, 0)
    keeping.switch(False)
    await clock.pass_(60)
    assert starts == [] and not keeping.on


def kept(workspace: Workspace, clock: Clock, *mode: str) -> Connection:
    connection = workspace.add(from_command([sys.executable, ODD, *mode]))
    connection.keeping.clock, connection.keeping.sleep = clock, clock.sleep
    return connection


async def test_a_server_that_dies_is_started_again(clock: Clock) -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = kept(workspace, clock)
        workspace.start()
        await connection.settled()
        connection.keep(True)
        assert connection.keeping.again is None
        first = connection.facts.pid if connection.facts else None
        with pytest.raises(Failed):
            await connection.call("exit", {})
        await until(workspace, lambda: connection.keeping.again is not None)
        assert connection.state == "error" and connection.error is not None
        await clock.pass_(1)
        await until(workspace, lambda: connection.state == "ready")
        assert connection.restarts == 1 and connection.facts is not None and connection.facts.pid != first
        await connection.stop()
        assert connection.keeping.again is None and connection.keeping.on


async def test_one_that_is_down_gets_its_first_try_and_a_stop_ends_them(clock: Clock) -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = kept(workspace, clock, "exit")
        workspace.start()
        await connection.settled()
        await until(workspace, lambda: connection.closed is not None)
        await asyncio.sleep(0)
        connection.keep(True)
        await until(workspace, lambda: connection.keeping.again is not None)
        await clock.pass_(1)
        await until(workspace, lambda: (again := connection.keeping.again) is not None and again.number == 2)
        await connection.stop(disable=True)
        await clock.pass_(60)
        assert connection.state == "disabled" and connection.keeping.again is None
        assert connection.restarts == 1


async def test_round_trips_are_those_of_answers() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        connection = workspace.add(from_command([sys.executable, ODD]))
        assert list(connection.round_trips) == []
        workspace.start()
        await connection.settled()
        before = len(connection.round_trips)
        await connection.request("ping")
        assert len(connection.round_trips) == before + 1 and connection.round_trips[-1] >= 0
