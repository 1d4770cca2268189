"""What the app serves, without the app: clients as they come and go, and what is sent to them by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from exchange import Exchange
from live import http, until

from inspector.base.errors import Failed
from inspector.check.checking import Checking, wanted
from inspector.config.adhoc import from_url
from inspector.faults.kinds import parse
from inspector.protocol.listing import ListKind
from inspector.session.dispatcher import Progress
from inspector.session.session import Options
from inspector.traffic.lines import C2S, HTTP, S2C
from inspector.traffic.store import Traffic
from inspector.workspace.served_client import Everyone
from inspector.workspace.serving import Served, entry_of
from inspector.workspace.workspace import Workspace

LIST: ListKind = "tools"
SHOP = """
definition: 1
server: {name: shop, version: 1.0.0}
tools: [{name: price, inputSchema: {type: object}}]
resources: [{uri: "shop://hours", name: hours}]
answers:
- {tool: price, text: "1.50"}
"""
OLDER = Options(protocol="2025-11-25", connect_timeout=20)
MODERN = Options(protocol="2026-07-28", connect_timeout=20)


@asynccontextmanager
async def serving(folder: Path, text: str = SHOP, **more: Any) -> AsyncIterator[tuple[Workspace, Served]]:
    file = folder / "shop.yaml"
    file.write_text(text)
    async with Workspace(Traffic.in_memory()) as workspace:
        served = workspace.add(entry_of(file), partial(Served, path=file, **more))
        assert isinstance(served, Served)
        served.start()
        await served.settled()
        yield workspace, served


async def test_a_client_comes_is_told_of_and_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as (workspace, served):
        assert served.state == "ready" and served.url.startswith("http://127.0.0.1:")
        assert not served.clients
        async with http(served.url, options=OLDER) as session:
            await session.connect()
            await session.list(LIST)
            (client,) = served.clients
            await until(workspace, lambda: client.state == "ready")
            assert (client.name, client.era, client.version) == ("shop #1", "legacy", "2025-11-25")
            assert client.info["name"] == "mcp-inspect"
            assert (client.requests, client.last) == (2, "tools/list")
            assert served.guests == 1
        await until(workspace, lambda: client.state == "ended")
        assert served.guests == 0
        traffic = workspace.traffic
        frames = {
            (channel, raw[:60])
            for channel, raw in zip(
                traffic.columns.channel, traffic.raws(traffic.first, traffic.end), strict=True
            )
        }
        assert {channel for channel, raw in frames} == {C2S, S2C, HTTP}
        assert traffic.label(1) == "shop #1"
        assert traffic.sessions[1].facts["clientInfo"]["name"] == "mcp-inspect"


async def test_what_is_sent_by_hand_arrives_and_is_answered(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (workspace, served),
        http(served.url, options=OLDER) as session,
    ):
        await session.connect()
        (client,) = served.clients
        await until(workspace, lambda: client.state == "ready")
        answer = await client.request("ping")
        assert answer.failure is None and answer.result == {}
        raw = workspace.traffic.raw(answer.sent_row)
        assert b'"ping"' in raw and workspace.traffic.raw(answer.row) == answer.raw
        unknown = await client.request("no/such", {"a": 1})
        assert unknown.failure is not None and unknown.failure.code == -32601
        row = client.notify("notifications/message", {"level": "info", "data": "hello"})
        assert b'"hello"' in workspace.traffic.raw(row)


async def test_a_request_ends_with_its_client(tmp_path: Path) -> None:
    async with serving(tmp_path) as (workspace, served):
        async with http(served.url, options=OLDER) as session:
            await session.connect()
            (client,) = served.clients
            await until(workspace, lambda: client.state == "ready")
            # Nobody answers a method that is cancelled; the notification of that is not awaited by anyone.
            asked = asyncio.ensure_future(client.request("sampling/createMessage", {}))
            await asyncio.sleep(0)
            await served.stop()
            with pytest.raises(Failed) as ended:
                await asked
        assert ended.value.failure.kind == "session"
        with pytest.raises(Failed, match="has ended"):
            client.notify("notifications/tools/list_changed")


async def test_in_the_modern_era_only_who_has_subscribed_is_told(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, served), http(served.url, options=MODERN) as session:
        await session.connect()
        await session.list(LIST)
        (client,) = served.clients
        assert (client.era, client.state, client.version) == ("modern", "ready", "2026-07-28")
        assert client.info["name"] == "mcp-inspect"
        with pytest.raises(Failed, match="no client listens"):
            client.notify("notifications/tools/list_changed")
        with pytest.raises(Failed, match="belongs to a request"):
            client.notify("notifications/message", {"level": "info", "data": "hello"})
        with pytest.raises(Failed, match="sends no requests"):
            await client.request("ping")


async def test_what_cannot_be_served_says_why_and_is_served_again_when_it_can(tmp_path: Path) -> None:
    async with serving(tmp_path, "definition: 1\nno such member: 1\n") as (_, served):
        assert served.state == "error" and served.error is not None and served.url == ""
        served.path.write_text(SHOP)
        await served.restart()
        await served.settled()
        first = served.url
        assert served.state == "ready"
        await served.restart()
        await served.settled()
        assert served.url == first
    async with (
        serving(tmp_path) as (_, one),
        serving(tmp_path, port=int(one.url[17:].split("/")[0])) as (_, two),
    ):
        assert two.error is not None and "cannot listen" in two.error.message


async def test_a_client_that_says_nothing_and_reads_nothing_is_told_as_silent(tmp_path: Path) -> None:
    async def post(url: str, method: str, **more: str) -> Exchange:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **more,
        }
        params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}'
        id = "" if method.startswith("notifications/") else '"id":1,'
        message = f'{{"jsonrpc":"2.0",{id}"method":"{method}","params":{params}}}'
        return await Exchange.open(url, "POST", headers, message.encode())

    async with serving(tmp_path) as (_, served):
        greeted = await post(served.url, "initialize")
        (client,) = served.clients
        assert client.state == "begun" and client.ready_at is None
        session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
        await post(served.url, "notifications/initialized", **session)
        assert client.state == "ready" and client.ready_at is not None and client.began <= client.ready_at
        client.last_at -= 1000
        assert client.state == "silent" and served.guests == 0
        stream = await Exchange.open(served.url, "GET", {"Accept": "text/event-stream", **session}, b"")
        assert client.state == "ready" and served.guests == 1
        stream.hang_up()
        await post(served.url, "ping", **session)
        assert client.state == "ready"


async def test_all_clients_are_told_at_once(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (workspace, served),
        http(served.url, options=OLDER) as first,
        http(served.url, options=MODERN) as second,
    ):
        await first.connect()
        await second.connect()
        await second.list(LIST)
        await until(workspace, lambda: all(client.state == "ready" for client in served.clients))
        everyone = Everyone(served.clients)
        row = everyone.notify("notifications/tools/list_changed")
        assert b"list_changed" in workspace.traffic.raw(row)
        assert everyone.remark.startswith("to 1 of 2 clients; not 1: no client listens")
        with pytest.raises(Failed, match="goes to one client"):
            await everyone.request("ping")
    with pytest.raises(Failed, match="no client is there"):
        Everyone(served.clients).notify("notifications/tools/list_changed")


async def test_what_a_client_did_not_declare_is_said_when_it_is_asked_for_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (workspace, served), http(served.url, options=OLDER) as session:
        await session.connect()
        (client,) = served.clients
        await until(workspace, lambda: client.state == "ready")
        await client.request("sampling/createMessage", {"messages": [], "maxTokens": 1})
        assert "does not declare sampling" in client.remark
        await session.request("logging/setLevel", {"level": "error"})
        client.notify("notifications/message", {"level": "info", "data": "x"})
        assert "error and above" in client.remark


async def test_faults_that_are_asked_for_hit_what_is_served(tmp_path: Path) -> None:
    faults = parse(["status:code=418,method=tools/list", "exit:code=7,method=tools/call"])
    async with (
        serving(tmp_path, faults=faults) as (workspace, served),
        http(served.url, options=OLDER) as session,
    ):
        await session.connect()
        with pytest.raises(Failed, match="HTTP 418"):
            await session.request("tools/list")
        with pytest.raises(Failed):
            await session.request("tools/call", {"name": "price", "arguments": {}})
        await until(workspace, lambda: served.state == "error")
        assert served.error is not None and served.error.exit_code == 7
        traffic = workspace.traffic
        raws = traffic.raws(traffic.first, traffic.end)
        rows = [
            raw for of, raw in zip(traffic.columns.session, raws, strict=True) if traffic.label(of) == "shop"
        ]
        assert any(b'"status":418' in raw for raw in rows) and any(b"tools/list" in raw for raw in rows)


async def test_a_definition_that_is_edited_is_told_to_who_is_there(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (workspace, served),
        Workspace(Traffic.in_memory(), options=OLDER, listens=True) as clients,
    ):
        connection = clients.add(from_url(served.url))
        connection.start()
        await connection.settled()
        await until(workspace, lambda: served.guests == 1 and not served.clients[0].remark)
        served.path.write_text("definition: 1\nno such member: 1\n")
        await until(workspace, lambda: any("what was served goes on" in line for line in served.lines))
        served.path.write_text(SHOP.replace("name: price", "name: cost"))
        await until(
            workspace, lambda: served.clients[0].last == "tools/list" and served.clients[0].requests > 2
        )
        assert served.state == "ready" and len(served.clients) == 1


async def test_what_is_served_breaks_no_rule_of_the_protocol(tmp_path: Path) -> None:
    text = SHOP.replace('text: "1.50"', 'before: [{progress: 1, total: 2}, {wait: 0.01}], text: "1.50"')
    async with serving(tmp_path, text) as (workspace, served), http(served.url, options=OLDER) as session:
        await session.connect()
        call = {"name": "price", "arguments": {}}
        heard: list[Progress] = []
        await session.request("tools/call", call, on_progress=heard.append)
        traffic = workspace.traffic
        events = [json.loads(raw) for raw in traffic.raws(traffic.first, traffic.end) if b'"event"' in raw]
        assert [each["event"]["field"] for each in events][:3] == ["id", "retry", "id"]
        traffic.advance()
        checking = Checking(traffic, wanted())
        checking.finish()
        assert not [finding for finding in checking.findings if finding.level != "info"]


SLOW = """
definition: 1
server: {name: slow, version: 1.0.0}
tools: [{name: dig, inputSchema: {type: object}}]
answers:
- {tool: dig, before: [{wait: 3600}], text: done}
"""


async def test_progress_by_hand_belongs_to_the_call_that_runs(tmp_path: Path) -> None:
    heard: asyncio.Queue[Progress] = asyncio.Queue()
    async with serving(tmp_path, SLOW) as (workspace, served), http(served.url, options=OLDER) as session:
        await session.connect()
        (client,) = served.clients
        arguments = {"name": "dig", "arguments": {}}
        call = asyncio.ensure_future(
            session.request("tools/call", arguments, on_progress=lambda told: heard.put_nowait(replace(told)))
        )
        await until(workspace, lambda: client.last == "tools/call" and client.token is not None)
        row = client.notify("notifications/progress", {"progressToken": client.token, "progress": 1})
        async with asyncio.timeout(30):
            assert (await heard.get()).progress == 1
        assert b"notifications/progress" in workspace.traffic.raw(row)
        call.cancel()
        await until(workspace, lambda: client.last == "notifications/cancelled")
        await asyncio.wait({call})


async def test_who_has_subscribed_is_told_in_the_modern_era(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (workspace, served),
        Workspace(Traffic.in_memory(), options=MODERN, listens=True) as clients,
    ):
        connection = clients.add(from_url(served.url))
        connection.start()
        await until(workspace, lambda: any(each.last == "subscriptions/listen" for each in served.clients))
        await connection.settled()
        (client,) = served.clients
        before = client.requests
        row = client.notify("notifications/tools/list_changed")
        assert b"list_changed" in workspace.traffic.raw(row)
        await until(workspace, lambda: client.requests > before and client.last == "tools/list")
