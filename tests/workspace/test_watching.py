"""A server of 2026-07-28 in a workspace: it is asked to tell of changes, and what it was found to speak is kept."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from live import until

from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.config.adhoc import from_command
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.workspace import watching
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

SERVER = str(Path(__file__).parent.parent / "servers" / "eras.py")


@asynccontextmanager
async def opened(mode: str = "modern", **more: Any) -> AsyncIterator[tuple[Workspace, Connection]]:
    options = Options(connect_timeout=20)
    async with Workspace(Traffic.in_memory(), options=options, listens=True, **more) as workspace:
        connection = workspace.add(from_command([sys.executable, SERVER, mode]))
        workspace.start()
        await workspace.settled()
        yield workspace, connection


def asked(workspace: Workspace) -> list[str]:
    workspace.traffic.advance()
    rows = [workspace.traffic.row(number) for number in range(len(workspace.traffic))]
    return [row.method or "" for row in rows if row.channel == "c2s" and row.kind == "request"]


async def test_changes_are_told_and_read() -> None:
    async with opened() as (workspace, connection):
        assert connection.state == "ready" and connection.session is not None
        (listening,) = connection.session.listenings
        assert listening.honoured == {"toolsListChanged": True, "resourcesListChanged": True}
        lists = asked(workspace).count("tools/list")
        await connection.call("touch", {})
        await until(workspace, lambda: asked(workspace).count("tools/list") > lists)


async def test_a_change_that_is_told_in_the_wrong_place_is_read_and_flagged() -> None:
    async with opened() as (workspace, connection):
        session, lists = connection.session, asked(workspace).count("tools/list")
        assert session is not None and not session.warnings
        await connection.call("touch", {})
        await connection.call("misplace", {})
        await connection.call("misplace", {})
        assert session.warnings == [
            "notifications/tools/list_changed came without a subscriptionId",
            "notifications/tools/list_changed came for a subscription that nobody has made",
            "notifications/tools/list_changed has its subscriptionId in another type than the request had",
            "notifications/prompts/list_changed came for a subscription that did not ask for it",
        ]
        await until(workspace, lambda: asked(workspace).count("tools/list") > lists)


async def test_what_a_server_declares_and_does_not_agree_to_tell_is_told() -> None:
    async with opened("partial") as (_, connection):
        assert connection.session is not None
        assert connection.session.warnings == [
            "changes of the lists of resources are declared, but the server does not agree to tell of them"
        ]


async def test_a_resource_is_watched_and_let_alone_again() -> None:
    async with opened() as (workspace, connection):
        assert connection.session is not None
        await connection.subscriptions.subscribe("x://a")
        await connection.subscriptions.subscribe("x://b")
        # Of the resources one subscription stands, which names them all.
        wanted = [
            each.wanted for each in connection.session.listenings if "resourceSubscriptions" in each.wanted
        ]
        assert wanted == [{"resourceSubscriptions": ["x://a", "x://b"]}]
        await connection.call("touch", {})
        await until(workspace, lambda: connection.subscriptions.updates == {"x://a": 1, "x://b": 1})
        await connection.subscriptions.unsubscribe("x://a")
        await connection.subscriptions.unsubscribe("x://b")
        assert len(connection.session.listenings) == 1
        await connection.call("touch", {})
        assert connection.subscriptions.updates == {"x://a": 1, "x://b": 1}
    assert "resources/subscribe" not in asked(workspace)


@pytest.mark.parametrize("calm", [0.0, 60.0])
async def test_a_subscription_that_breaks_is_asked_for_anew_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, calm: float
) -> None:
    monkeypatch.setattr(watching, "_PAUSES", (0.0, 0.0))
    monkeypatch.setattr(watching, "_CALM", calm)
    async with opened() as (_, connection), asyncio.timeout(30):
        session = connection.session
        assert session is not None
        for _again in range(2 if calm else 4):
            (broken,) = session.listenings
            await connection.call("break", {})
            while session.listenings in ([], [broken]) or not session.listenings[0].is_open:
                await connection.call("echo", {})
        await connection.call("break", {})
        while (
            not any("broke too often" in one for one in session.warnings) if calm else not session.listenings
        ):
            await connection.call("echo", {})
        assert len(session.listenings) == (0 if calm else 1)


async def test_a_subscription_that_is_left_is_not_told_as_ended_by_the_server() -> None:
    async with opened() as (_, connection):
        await connection.subscriptions.subscribe("x://a")
        await connection.call("echo", {})
        await connection.subscriptions.unsubscribe("x://a")
        session = connection.session
    assert session is not None and not any("ended a subscription" in one for one in session.warnings)


async def test_a_resource_whose_subscription_the_server_ended_can_be_watched_again() -> None:
    async with opened() as (workspace, connection):
        await connection.subscriptions.subscribe("x://a")
        await connection.call("hang up", {})
        asked_before = asked(workspace).count("subscriptions/listen")
        await connection.subscriptions.subscribe("x://a")
        assert asked(workspace).count("subscriptions/listen") == asked_before + 1


async def test_what_the_server_does_not_agree_to_is_said() -> None:
    async with opened() as (_, connection):
        with pytest.raises(Failed, match="does not agree to tell of changes to x://secret"):
            await connection.subscriptions.subscribe("x://secret")
        assert not connection.subscriptions.wanted


async def test_what_a_server_speaks_is_found_out_once() -> None:
    async with opened("error -32601") as (workspace, connection):
        assert asked(workspace)[0] == "server/discover"
        await connection.restart()
        await workspace.settled()
        assert asked(workspace).count("server/discover") == 1
        assert connection.session is not None and connection.session.verdict is not None
        assert connection.session.verdict.how == "remembered"
    assert "to server/discover: not so" in paths().eras.read_text()
    async with opened("error -32601", lists=False) as (workspace, _):
        assert asked(workspace) == ["initialize"]


async def test_a_process_that_the_probe_ended_is_the_one_that_is_shown() -> None:
    async with opened("exits") as (workspace, connection):
        assert connection.state == "ready" and connection.facts is not None and connection.session is not None
        assert connection.facts is connection.session.transport.facts  # type: ignore[attr-defined]
        assert connection.facts.exit_code is None
        assert asked(workspace)[:2] == ["server/discover", "initialize"]


async def test_a_server_that_cannot_start_is_not_started_twice_each_time() -> None:
    async with Workspace(Traffic.in_memory(), options=Options(connect_timeout=20)) as workspace:
        connection = workspace.add(from_command([sys.executable, "-c", "import sys; sys.exit('no key')"]))
        for probes in (1, 1):
            connection.start()
            await connection.settled()
            await connection.stop()
            assert connection.error is not None and connection.error.kind == "exited"
            assert asked(workspace).count("server/discover") == probes


async def test_another_release_of_a_server_is_asked_anew() -> None:
    async with opened("error -32601"):
        pass
    memory = paths().eras
    ((key, found),) = json.loads(memory.read_text()).items()
    memory.write_text(json.dumps({key: found | {"server": "that of another release"}}))
    for expected in ("initialize", "server/discover"):
        async with opened("error -32601") as (workspace, _):
            assert asked(workspace)[0] == expected
