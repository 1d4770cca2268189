"""The states of a session: which there are in each era, and how each ends."""

import sys
from pathlib import Path

import pytest
from live import ODD, odd, stdio

from inspector.base.errors import Failed
from inspector.session.session import Options, Session
from inspector.session.states import States


def _gone_through(session: Session) -> list[str]:
    return [each.state for each in session.states.entered]


async def test_each_era_is_new_then_initializing_then_ready_and_closed_at_the_end() -> None:
    eras = str(Path(ODD).with_name("eras.py"))
    async with (
        odd(options=Options(protocol="legacy")) as legacy,
        stdio(sys.executable, eras, "modern") as newer,
    ):
        await newer.connect()
        for session in (legacy, newer):
            assert _gone_through(session) == ["NEW", "INITIALIZING", "READY"]
            first, *others = session.states.entered
            assert first.since is None
            assert all(each.since is not None and each.since >= 0 for each in others)
            assert str(session.states).startswith("NEW ") and ", READY " in str(session.states)
    for session in (legacy, newer):
        assert session.states.now == "CLOSED"


async def test_a_session_by_hand_is_initializing_when_the_person_says_so() -> None:
    async with odd(connect=False) as session:
        await session.connect(by_hand=True)
        assert _gone_through(session) == ["NEW"]
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a", "version": "1"},
        }
        await session.request("initialize", params)
        assert session.states.now == "INITIALIZING"
        session.notify("notifications/initialized")
        assert session.states.now == "READY"


async def test_who_never_got_ready_has_failed_and_closing_changes_nothing() -> None:
    async with stdio(sys.executable, "-c", "raise SystemExit(3)") as session:
        with pytest.raises(Failed):
            await session.connect()
        assert session.states.now == "FAILED"
    assert session.states.now == "FAILED"


def test_the_first_and_the_latest_are_kept() -> None:
    states = States()
    states.enter("NEW")
    for _ in range(20):
        states.enter("INITIALIZING")
        states.enter("READY")
        states.enter("READY")
    states.enter("LOST")
    states.enter("CLOSED")
    kept = [each.state for each in states.entered]
    assert kept[:3] == ["NEW", "INITIALIZING", "READY"] and kept[-1] == "LOST" and len(kept) < 12
