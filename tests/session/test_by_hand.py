"""Sessions of which a person sends the handshake."""

from __future__ import annotations

import sys

import live
import pytest

from inspector.base.errors import Failed
from inspector.base.numbers import loads, verbatim
from inspector.config.adhoc import from_command
from inspector.protocol.methods import NOTIFICATIONS, REQUESTS, is_in
from inspector.protocol.revisions import REVISIONS
from inspector.traffic.store import Traffic
from inspector.workspace.workspace import Workspace

DEMO = [sys.executable, "-m", "inspector.demo", "stdio", "bakery"]
OPENING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"roots": {}},
    "clientInfo": {"name": "x", "version": "1"},
}


async def test_nothing_goes_out_by_itself_and_what_is_answered_counts() -> None:
    async with Workspace(Traffic.in_memory(), environment={"PATH": ""}) as workspace:
        connection = workspace.add(from_command(DEMO))
        connection.start(by_hand=True)
        await connection.settled()
        assert connection.state == "open" and connection.stage == "new"
        assert not [raw for raw in workspace.traffic.raws(0, workspace.traffic.end) if raw.startswith(b"{")]
        connection.notify("notifications/initialized")
        assert connection.state == "open", "before initialize it opens nothing"
        declared = verbatim(loads('{"roots": {"rate": 1.50}}'))
        answer = await connection.request("initialize", {**OPENING, "capabilities": declared})
        assert answer.failure is None and connection.session is not None
        assert connection.session.version == "2025-06-18" and connection.stage == "initializing"
        assert connection.session.asking.declared == {"roots": {"rate": 1.5}}
        connection.notify("notifications/initialized")
        assert connection.state == "ready" and connection.stage == "initialized"
        await live.until(workspace, lambda: connection.count("tools") is not None)


async def test_a_refused_initialize_may_be_sent_again_and_an_end_is_told() -> None:
    async with Workspace(Traffic.in_memory(), environment={"PATH": ""}) as workspace:
        connection = workspace.add(from_command([sys.executable, "-c", "input(); raise SystemExit(3)"]))
        connection.start(by_hand=True)
        await connection.settled()
        with pytest.raises(Failed, match="exited with code 3"):
            await connection.request("initialize", OPENING)
        await live.until(workspace, lambda: connection.state == "error")
        assert connection.error is not None and connection.error.exit_code == 3


@pytest.mark.parametrize("version", REVISIONS)
def test_each_version_has_its_methods(version: str) -> None:
    there = {method for method in (*REQUESTS, *NOTIFICATIONS) if is_in(method, version)}
    assert {"tools/call", "resources/read", "completion/complete", "notifications/cancelled"} <= there
    modern, with_tasks = version == "2026-07-28", version == "2025-11-25"
    assert ("server/discover" in there) == modern and ("initialize" in there) != modern
    assert ("tasks/list" in there) == with_tasks and ("tasks/get" in there) == (modern or with_tasks)
