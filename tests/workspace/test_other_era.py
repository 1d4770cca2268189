"""A server of both eras, seen in the one that is not in use: what differs there, and where it is not spoken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inspector.config.adhoc import from_command
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.workspace.other_era import OtherEra, other_era
from inspector.workspace.workspace import Workspace

SERVER = str(Path(__file__).parent.parent / "servers" / "eras.py")


async def seen(mode: str, protocol: str) -> tuple[OtherEra, list[str]]:
    """What was found, and the labels of the sessions in the traffic."""
    options = Options(protocol=protocol, connect_timeout=20)
    async with Workspace(Traffic.in_memory(), options=options) as workspace:
        connection = workspace.add(from_command([sys.executable, SERVER, mode]))
        connection.name = "server"
        workspace.start()
        await workspace.settled()
        found = await other_era(connection)
        assert connection.state == "ready"
        return found, [session.label for session in workspace.traffic.sessions.values()]


@pytest.mark.parametrize(("protocol", "era", "version"), [
    ("modern", "legacy", "2025-11-25"), ("legacy", "modern", "2026-07-28"),
])  # fmt: skip
async def test_what_differs_is_said(protocol: str, era: str, version: str) -> None:
    found, sessions = await seen("dual", protocol)
    assert (found.era, found.version, found.failure) == (era, version, None)
    assert sessions == ["server", f"server ({era})"]
    here, there_ = found.sides
    assert (here.era, there_.era) == (protocol, era) and here.counts["tools"] == there_.counts["tools"] == 3
    modern = here if protocol == "modern" else there_
    assert modern.counts["resources"] == 1 and "resources" in modern.declared
    told = "\n".join(found.differences)
    there = ("absent here", "there") if era == "modern" else ("here", "absent there")
    assert all(word in told for word in ("capabilities/resources", *there))
    assert ("resources only there: x://a" if era == "modern" else "resources only here: x://a") in told


async def test_an_era_that_is_not_spoken_is_said_with_its_reason() -> None:
    found, _ = await seen("error -32601", "legacy")
    assert found.failure is not None and "does not speak 2026-07-28" in found.failure.message
    found, _ = await seen("modern", "modern")
    assert (
        found.failure is not None and found.era == "legacy" and "no initialize here" in found.failure.message
    )
