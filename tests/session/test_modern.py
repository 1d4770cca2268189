"""A server of 2026-07-28: how requests are dressed, how input is given in rounds, how a request is given up."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from live import http, stdio

from inspector.base.errors import Failed
from inspector.base.numbers import loads, verbatim
from inspector.protocol.jsonrpc import Message
from inspector.session.inbox import Inbox, Question
from inspector.session.responders import AskPerson, Profile
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, StreamingResponse, serve

SERVER = str(Path(__file__).parent.parent / "servers" / "eras.py")
META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
YES = Profile(form="accept", sampling="echo")


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, Any]]]:
    """The messages that the process was sent."""
    log = tmp_path / "sent"
    monkeypatch.setenv("EVERY", str(log))
    return lambda: [json.loads(line.split(" ", 1)[1]) for line in log.read_text().splitlines()]


@asynccontextmanager
async def modern(responder: Any = None, **more: Any) -> AsyncIterator[Any]:
    options = Options(connect_timeout=20, responder=responder)
    async with stdio(sys.executable, SERVER, "modern", options=options, **more) as session:
        await session.connect()
        yield session


async def call(session: Any, tool: str, **more: Any) -> Any:
    return await session.request("tools/call", {"name": tool, "arguments": {}}, **more)


def stamped(params: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(META): value for name, value in params["_meta"].items()}


async def test_every_request_says_who_asks(sent: Any) -> None:
    async with modern() as session:
        await call(session, "echo")
        await session.list("tools")
        assert session.handshake.server_info == {"name": "modern", "version": "1"}
        assert session.handshake.declares("tools") and session.transport.facts.pid
    requests = [message for message in sent() if "id" in message]
    assert [message["method"] for message in requests] == ["server/discover", "tools/call", "tools/list"]
    for message in requests:
        meta = stamped(message["params"])
        assert meta["protocolVersion"] == MODERN and meta["clientInfo"]["name"] == "mcp-inspect"
        assert meta["clientCapabilities"] == {"roots": {}}
        assert meta["progressToken"] == message["id"]


async def test_only_what_is_answered_is_declared(sent: Any) -> None:
    async with modern(YES):
        pass
    assert stamped(sent()[0]["params"])["clientCapabilities"] == {
        "roots": {}, "elicitation": {"form": {}}, "sampling": {},
    }  # fmt: skip


async def test_what_the_caller_puts_into_meta_wins(sent: Any) -> None:
    async with modern() as session:
        mine = {META + "protocolVersion": "1999-01-01", "x/y": 1}
        await session.request("tools/call", {"name": "echo", "_meta": mine})
    meta = stamped(sent()[-1]["params"])
    assert meta["protocolVersion"] == "1999-01-01" and meta["x/y"] == 1 and "clientCapabilities" in meta


async def test_input_is_given_in_rounds_until_the_answer_is_there(sent: Any) -> None:
    async with modern(YES) as session:
        session.asking.inbox.roots = ()
        answer = await call(session, "confirm")
        assert answer.failure is None and "once more" in answer.result["content"][0]["text"]
        assert answer.rounds == 2 and (await call(session, "echo")).rounds == 0
    first, second, third, _ = [message for message in sent() if message["method"] == "tools/call"]
    assert len({first["id"], second["id"], third["id"]}) == 3
    assert "inputResponses" not in first["params"] and "requestState" not in first["params"]
    assert second["params"]["requestState"] == 'é {"n": 1}'
    assert second["params"]["inputResponses"] == {
        "sure": {"action": "accept", "content": {"confirmed": True}}, "where": {"roots": []},
    }  # fmt: skip
    assert "requestState" not in third["params"]
    assert third["params"]["inputResponses"]["once more"]["content"] == {"type": "text", "text": "hello"}
    assert first["params"]["arguments"] == third["params"]["arguments"]


async def test_a_state_without_questions_is_sent_back_at_once(sent: Any) -> None:
    async with modern() as session:
        assert (await call(session, "busy")).failure is None
        await call(session, "echo")
    *_, again, other = sent()
    assert again["params"]["requestState"] == "later" and "inputResponses" not in again["params"]
    assert "requestState" not in other["params"]


@pytest.mark.parametrize(
    ("tool", "kind", "words"),
    [
        ("circles", "protocol", "after 10 rounds"), ("empty question", "protocol", "neither"),
        ("strange", "protocol", "resultType 'telegram'"), ("confirm", "cancelled", "sure: Method not found"),
    ],
)  # fmt: skip
async def test_why_a_request_came_to_no_end(tool: str, kind: str, words: str) -> None:
    async with modern() as session:
        answer = await call(session, tool)
        assert answer.failure is not None and answer.failure.kind == kind and words in answer.failure.message
        assert answer.result is not None
        assert (await call(session, "echo")).failure is None


async def test_a_person_decides_whether_a_server_in_circles_is_followed_further(sent: Any) -> None:
    inbox = Inbox(AskPerson(), ())
    asked: list[Question] = []

    def arrived(question: Question) -> None:
        asked.append(question)
        question.settle({"action": "accept" if len(asked) == 1 else "decline"})

    inbox.arrived = arrived
    async with modern(AskPerson(), inbox=inbox) as session:
        answer = await call(session, "circles")
        assert answer.failure is not None and "after 20 rounds" in answer.failure.message
    assert [question.ours for question in asked] == [True, True] and "10 times" in asked[0].arguments[
        "message"
    ]
    assert len([message for message in sent() if message["method"] == "tools/call"]) == 21


async def test_what_the_person_refuses_ends_the_rounds(sent: Any) -> None:
    async with modern(Profile(form="accept", sampling="refuse")) as session:
        failure = (await call(session, "confirm")).failure
        assert failure is not None and "once more: User rejected" in failure.message
    assert len([message for message in sent() if message["method"] == "tools/call"]) == 2


async def test_input_for_what_may_not_ask_is_not_given(sent: Any) -> None:
    async with modern(YES) as session:
        answer = await session.request("completion/complete", {"ref": {}, "argument": {}})
        assert answer.failure is not None and "must not be answered by asking" in answer.failure.message
    assert len([message for message in sent() if message["method"] == "completion/complete"]) == 1


async def test_a_result_without_a_type_is_complete(sent: Any) -> None:
    async with modern(YES) as session:
        answer = await call(session, "old")
        assert answer.failure is None and "no resultType" in answer.notes[0]


async def test_a_person_may_take_their_time_and_may_give_up() -> None:
    inbox = Inbox(AskPerson(), ())
    asked: asyncio.Queue[Question] = asyncio.Queue()
    inbox.arrived = asked.put_nowait
    legs: list[Any] = []
    async with modern(AskPerson(), inbox=inbox) as session:
        waiting = asyncio.ensure_future(call(session, "confirm", timeout=0.2, started=legs.append))
        question = await asked.get()
        assert (
            question.method == "elicitation/create"
            and question.key == "sure"
            and question.owner == legs[0].id
        )
        question.settle({"action": "accept", "content": {"confirmed": False}})
        second = await asked.get()
        assert second.method == "sampling/createMessage" and len(legs) == 2
        session.dispatcher.cancel(legs[-1], "enough")
        with pytest.raises(Failed) as failed:
            await waiting
        assert failed.value.failure.kind == "cancelled" and not inbox.open


async def test_over_stdio_a_request_is_given_up_by_a_notification(sent: Any) -> None:
    async with modern() as session:
        legs: list[Any] = []
        seen = asyncio.Event()
        waiting = asyncio.ensure_future(
            call(session, "slow", started=legs.append, on_progress=lambda progress: seen.set())
        )
        await seen.wait()
        session.dispatcher.cancel(legs[0], "enough")
        with pytest.raises(Failed):
            await waiting
        await call(session, "echo")
    assert sent()[-2]["method"] == "notifications/cancelled"
    assert sent()[-2]["params"] == {"requestId": legs[0].id, "reason": "enough"}


async def test_a_request_of_the_server_is_told_and_not_answered(sent: Any) -> None:
    async with modern() as session:
        await call(session, "asks")
        await call(session, "echo")
        assert any("which it must not send" in warning for warning in session.warnings)
    assert not [message for message in sent() if "method" not in message]


def entry(name: str, properties: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


class Web:
    """An endpoint of 2026-07-28. `held` is set while a call of `slow` waits, `left` when its stream was closed."""

    def __init__(self) -> None:
        self.tools: list[Any] = [
            entry("plain", {"a": {"type": "string"}}),
            entry("mirrors", {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
                "on": {"type": "boolean", "x-mcp-header": "On"},
            }),
            entry("bad", {"list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}}}),
        ]  # fmt: skip
        self.requests: list[tuple[Request, dict[str, Any]]] = []
        self.held, self.left = asyncio.Event(), asyncio.Event()
        self.refuse = 0
        self.cut = 0

    async def __call__(self, request: Request) -> Response | StreamingResponse:
        message = json.loads(request.body)
        self.requests.append((request, message))
        method, id_ = message["method"], message.get("id")
        results: dict[str, Any] = {
            "server/discover": {"supportedVersions": [MODERN], "capabilities": {"tools": {}}},
            "tools/list": {"tools": self.tools, "ttlMs": 0, "cacheScope": "public"},
            "tools/call": {"content": []},
            "resources/read": {"contents": []},
        }
        if method not in results:
            return self._json(404, id_, error={"code": -32601, "message": "no such method"})
        if method == "tools/call" and self.refuse:
            self.refuse -= 1
            return self._json(400, id_, error={"code": -32020, "message": "header mismatch"})
        if method == "tools/call" and message["params"]["name"] == "slow":
            return StreamingResponse(self._slow(), headers=(("Content-Type", "text/event-stream"),))
        if method == "resources/read" and self.cut:
            self.cut -= 1
            return StreamingResponse(self._nothing(), headers=(("Content-Type", "text/event-stream"),))
        return self._json(200, id_, result={"resultType": "complete", **results[method]})

    async def _slow(self) -> AsyncIterator[bytes]:
        try:
            yield b": wait\n\n"
            self.held.set()
            await asyncio.Event().wait()
        finally:
            self.left.set()

    async def _nothing(self) -> AsyncIterator[bytes]:
        yield b"id: 7\ndata:\n\n"

    def _json(self, status: int, id_: Any, **members: Any) -> Response:
        body = json.dumps({"jsonrpc": "2.0", "id": id_, **members}).encode()
        return Response(
            status, body, (("Content-Type", "application/json"), ("Mcp-Session-Id", "not for you"))
        )

    def heads(self, method: str) -> list[dict[str, str]]:
        return [dict(head.headers) for head, message in self.requests if message["method"] == method]


@asynccontextmanager
async def web(traffic: Traffic | None = None) -> AsyncIterator[tuple[Any, Web]]:
    handler = Web()
    async with (
        serve(handler) as server,
        http(f"{server.url}/mcp", options=Options(connect_timeout=20), traffic=traffic) as session,
    ):
        await session.connect()
        yield session, handler


async def test_headers_say_what_the_body_says() -> None:
    async with web() as (session, server):
        await session.request("resources/read", {"uri": "file:///é"})
        await session.request("tools/call", {"name": "plain", "arguments": {"a": "b"}})
    for request, message in server.requests:
        assert request.method == "POST" and request.headers["mcp-protocol-version"] == MODERN
        assert request.headers["mcp-method"] == message["method"]
        assert "mcp-session-id" not in request.headers
    assert server.heads("resources/read")[0]["mcp-name"] == "=?base64?ZmlsZTovLy/DqQ==?="
    assert server.heads("tools/call")[0]["mcp-name"] == "plain"
    assert not [name for name in server.heads("tools/call")[0] if name.startswith("mcp-param")]
    assert [message["method"] for _, message in server.requests] == [
        "server/discover", "resources/read", "tools/list", "tools/call",
    ]  # fmt: skip


async def test_a_version_in_meta_goes_into_the_header_too() -> None:
    async with web() as (session, server):
        meta = {META + "protocolVersion": "2030-01-01"}
        await session.request("resources/read", {"uri": "a", "_meta": meta})
    assert server.heads("resources/read")[0]["mcp-protocol-version"] == "2030-01-01"


@pytest.mark.parametrize("typed", [False, True])
async def test_annotated_arguments_go_into_headers(typed: bool) -> None:
    given: Any = loads('{"region": " ü", "deep": {"n": 1e2}, "on": true}')
    async with web() as (session, server):
        arguments = verbatim(given) if typed else {"region": "", "deep": {"n": 7}, "on": None}
        await session.request("tools/call", {"name": "mirrors", "arguments": arguments})
    found = {
        name: value for name, value in server.heads("tools/call")[0].items() if name.startswith("mcp-param")
    }
    if typed:
        assert found == {"mcp-param-region": "=?base64?IMO8?=", "mcp-param-n": "100", "mcp-param-on": "true"}
    else:
        assert found == {"mcp-param-region": "", "mcp-param-n": "7"}


async def test_a_tool_with_wrong_annotations_is_dropped_and_says_why() -> None:
    async with web() as (session, server):
        listing = await session.list("tools")
        assert len(listing.entries) == 3
        assert [(odd.index, "dropped: x-mcp-header" in odd.reason) for odd in listing.invalid] == [(2, True)]
        with pytest.raises(Failed) as failed:
            await session.request("tools/call", {"name": "bad", "arguments": {}})
        assert "bad is dropped" in failed.value.failure.message and failed.value.failure.kind == "protocol"
        assert server.heads("tools/call") == []


async def test_after_a_header_mismatch_the_tools_are_read_anew() -> None:
    async with web() as (session, server):
        server.refuse = 1
        assert (await session.request("tools/call", {"name": "plain", "arguments": {}})).failure is None
        assert [message["method"] for _, message in server.requests][1:] == [
            "tools/list", "tools/call", "tools/list", "tools/call",
        ]  # fmt: skip
        server.refuse = 9
        answer = await session.request("tools/call", {"name": "plain", "arguments": {}})
        assert answer.failure is not None and answer.failure.code == -32020 and answer.http_status == 400


async def test_over_http_a_request_is_given_up_by_closing_its_stream() -> None:
    traffic = Traffic.in_memory()
    async with web(traffic) as (session, server):
        server.tools.append(entry("slow", {}))
        legs: list[Any] = []
        waiting = asyncio.ensure_future(
            session.request("tools/call", {"name": "slow", "arguments": {}}, started=legs.append)
        )
        await server.held.wait()
        session.dispatcher.cancel(legs[0], "enough")
        with pytest.raises(Failed):
            await waiting
        await asyncio.wait_for(server.left.wait(), 10)
        traffic.advance()
        rows = [traffic.row(number) for number in range(len(traffic))]
    assert "notifications/cancelled" not in [message["method"] for _, message in server.requests]
    assert [row.state for row in rows if row.method == "tools/call" and row.kind == "request"] == [
        "cancelled"
    ]


async def test_what_is_lost_is_asked_for_anew_and_never_resumed() -> None:
    async with web() as (session, server):
        server.cut = 1
        assert (await session.request("resources/read", {"uri": "a"})).failure is None
        assert [request.method for request, _ in server.requests] == ["POST"] * 3
        server.cut = 9
        with pytest.raises(Failed) as failed:
            await session.request("resources/read", {"uri": "a"})
        assert failed.value.failure.kind == "stream"


async def test_an_unknown_method_is_an_error_of_the_server_whatever_its_status() -> None:
    async with web() as (session, _):
        answer = await session.request("ping")
        assert answer.failure is not None and (answer.failure.kind, answer.failure.code) == ("rpc", -32601)


async def test_notifications_reach_who_listens() -> None:
    notices: list[Message] = []
    async with modern(notified=notices.append) as session:
        heard = await session.listen({"toolsListChanged": True, "resourceSubscriptions": ["x://a"]})
        assert heard.honoured == {"toolsListChanged": True, "resourceSubscriptions": ["x://a"]}
        await call(session, "touch")
        names = [str(notice.method).removeprefix("notifications/") for notice in notices]
        assert names == ["subscriptions/acknowledged", "tools/list_changed", "resources/updated"]
        await heard.close()
        await call(session, "touch")
        assert len(notices) == 3 and not session.dispatcher.pending


async def test_cache_hints_are_shown_and_nothing_is_kept(sent: Any) -> None:
    async with modern() as session:
        for _ in range(2):
            assert (await session.list("tools")).kept == "may be kept for 5.0 s, for this user only"
        assert (await session.list("prompts")).kept == "must not be kept"
        assert session.steps.steps[-2].outcome == "3; may be kept for 5.0 s, for this user only"
    assert [message["method"] for message in sent()][-3:] == ["tools/list", "tools/list", "prompts/list"]


async def test_a_server_may_end_what_it_tells() -> None:
    async with modern() as session:
        ended: asyncio.Queue[Any] = asyncio.Queue()
        await session.listen({"toolsListChanged": True}, ended.put_nowait)
        await call(session, "hang up")
        assert await asyncio.wait_for(ended.get(), 10) is None
        assert not session.listenings and not session.dispatcher.pending
        closed = await session.listen({"toolsListChanged": True}, ended.put_nowait)
        await call(session, "echo")
        assert closed.is_open
        await closed.close()
        assert not closed.is_open and ended.empty()
        await session.listen({"promptsListChanged": True}, ended.put_nowait)
        session.transport.kill_now()
        failure = await asyncio.wait_for(ended.get(), 10)
        assert failure is not None and failure.kind == "exited" and ended.empty()


async def test_log_messages_are_asked_for_with_each_request(sent: Any) -> None:
    async with modern() as session:
        session.era.log_level("debug")
        await call(session, "echo")
        session.era.log_level(None)
        await call(session, "echo")
    *_, first, second = sent()
    assert stamped(first["params"])["logLevel"] == "debug" and "logLevel" not in stamped(second["params"])
