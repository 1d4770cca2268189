"""What a connection does when its server forgot the session: the lists may be others now."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from live import until

from inspector.base.errors import Failed
from inspector.config.adhoc import from_url
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, serve
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace

MEMBERS = {
    "tools/list": {"tools": [{"name": "of the session", "inputSchema": {"type": "object"}}]},
    "prompts/list": {"prompts": [{"name": "of the session"}]},
    "resources/list": {"resources": [{"uri": "x://a", "name": "of the session"}]},
    "resources/read": {"contents": [{"uri": "x://a", "text": "of the session"}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "x://{a}", "name": "of the session"}]},
}


class Server:
    """Every session knows other entries, and lasts as many requests as `lasts` says; the first one also declares
    prompts."""

    def __init__(self, *lasts: int) -> None:
        self.lasts = list(lasts)
        self.left: dict[str, int] = {}

    async def __call__(self, request: Request) -> Response:
        message: dict[str, Any] = json.loads(request.body) if request.body else {}
        if request.method != "POST" or "id" not in message:
            return Response(202 if request.method == "POST" else 405)
        session = request.headers.get("mcp-session-id", "")
        if message["method"] == "initialize":
            session = f"s{len(self.left) + 1}"
            self.left[session] = self.lasts[len(self.left)] if len(self.left) < len(self.lasts) else 99
            capabilities: dict[str, Any] = {"tools": {}, "resources": {}}
            if session == "s1":
                capabilities["prompts"] = {}
            result: dict[str, Any] = {
                "protocolVersion": "2025-11-25", "capabilities": capabilities,
                "serverInfo": {"name": "s", "version": session},
            }  # fmt: skip
        elif self.left[session] == 0:
            return Response(404, b"Session not found")
        else:
            self.left[session] -= 1
            result = json.loads(
                json.dumps(MEMBERS.get(message["method"], {})).replace("of the session", session)
            )
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        return Response(200, body, (("Content-Type", "application/json"), ("Mcp-Session-Id", session)))


def names(connection: Connection) -> set[str]:
    assert connection.catalog is not None
    return {entry["name"] for listing in connection.catalog.listings.values() for entry in listing.entries}


# In the second case reading the lists ends the second session too; nothing is read on and on for that.
@pytest.mark.parametrize(("lasts", "sessions"), [((4,), {"s2"}), ((4, 2), {"s2", "s3"})])
async def test_lists_are_read_anew_in_a_new_session(lasts: tuple[int, ...], sessions: set[str]) -> None:
    handler = Server(*lasts)
    options = Options(protocol="legacy", connect_timeout=20)
    async with serve(handler) as server, Workspace(Traffic.in_memory(), options=options) as workspace:
        connection = workspace.add(from_url(f"{server.url}/mcp"))
        workspace.start()
        await workspace.settled()
        assert names(connection) == {"s1"} and connection.log is not None
        with pytest.raises(Failed):
            await connection.call("t", {})
        await until(workspace, lambda: names(connection) == sessions)
        assert (await connection.call("t", {})).failure is None
        facts = workspace.traffic.sessions[connection.log.number].facts
        assert facts["serverInfo"]["version"] == max(sessions) == f"s{len(handler.left)}"


async def test_what_is_read_again_by_itself_is_read_in_a_new_session_too() -> None:
    """A change meanwhile was told to nobody."""
    options = Options(protocol="legacy", connect_timeout=20)
    async with serve(Server(6)) as server, Workspace(Traffic.in_memory(), options=options) as workspace:
        connection = workspace.add(from_url(f"{server.url}/mcp"))
        workspace.start()
        await workspace.settled()
        rereading = connection.rereading
        await connection.subscriptions.subscribe("x://a")
        rereading.want("x://a", True)
        rereading.took("x://a", await connection.request("resources/read", {"uri": "x://a"}))
        texts = lambda: [each.answer.result["contents"][0]["text"] for each in rereading.readings("x://a")]  # noqa: E731
        with pytest.raises(Failed):
            await connection.call("t", {})
        await until(workspace, lambda: texts() == ["s1", "s2"])
        await connection.restart()
        await until(workspace, lambda: texts() == ["s2", "s3"])


async def test_a_clock_that_is_set_back_keeps_no_dead_session(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(protocol="legacy", connect_timeout=20)
    async with (
        serve(Server(4)) as server,
        Workspace(Traffic.in_memory(), options=options, lists=False) as workspace,
    ):
        connection = workspace.add(from_url(f"{server.url}/mcp"))
        workspace.start()
        await workspace.settled()
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() - 3600)
        for _ in range(6):
            answer = await connection.request("resources/read", {"uri": "x://a"})
        assert "s2" in answer.raw.decode()
        assert connection.uptime is not None and connection.uptime >= 0
