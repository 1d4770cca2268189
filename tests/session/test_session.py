"""Conversations with real processes: what a person sees of servers that keep the rules and of those that do not."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from live import is_alive, odd

from inspector.base.errors import Failed
from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Message
from inspector.session.answer import Answer
from inspector.session.session import Options


async def call(session: Any, tool: str, arguments: Any = None, **clocks: Any) -> Any:
    return await session.request("tools/call", {"name": tool, "arguments": arguments or {}}, **clocks)


async def test_a_plain_server_is_ready_and_answers() -> None:
    async with odd() as session:
        assert session.version == "2025-11-25"
        assert [step.step for step in session.steps.steps] == [
            "spawn", "first byte", "first JSON", "era probe", "handshake", "version",
        ]  # fmt: skip
        answer = await call(session, "echo", {"n": 1})
        assert json.loads(answer.result["content"][0]["text"]) == {"n": 1}
        assert answer.failure is None and answer.notes == []
    assert session.transport.facts.closed_by == "closing stdin"


async def test_an_error_answer_is_no_exception() -> None:
    async with odd() as session:
        answer = await session.request("x/unknown")
        assert answer.failure is not None
        assert (answer.failure.kind, answer.failure.code) == ("rpc", -32601)


async def test_noise_on_stdout_costs_only_itself() -> None:
    async with odd("banner") as session:
        answer = await call(session, "echo")
        assert answer.result["content"][0]["text"] == "a\u2028b\u0085c"
        assert session.noise == 5


async def test_a_reply_glued_to_a_log_line_is_named_as_the_cause() -> None:
    async with odd("glued", connect=False, options=Options(connect_timeout=1.0)) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert failure.kind == "timeout"
    assert "[50] handler added" in failure.message and "stdout" in (failure.hint or "")


async def test_a_line_of_megabytes_in_pieces_keeps_every_character() -> None:
    async with odd("big") as session:
        answer = await call(session, "echo")
        assert answer.result["content"][0]["text"] == "é漢😀" * 400_000
        assert (await call(session, "echo")).failure is None


async def test_a_server_that_floods_stderr_is_read_all_the_time() -> None:
    async with odd("flood") as session:
        assert (await call(session, "echo")).failure is None
        assert session.transport.stderr.count == 200_001
        assert len(session.transport.stderr.lines) == 200


@pytest.mark.parametrize("tool", ["string", "float"])
async def test_an_id_of_another_type_is_matched_and_flagged(tool: str) -> None:
    async with odd("ids") as session:
        answer = await call(session, tool)
        assert answer.failure is None
        assert "another JSON type" in answer.notes[0]


async def test_an_error_without_id_fails_the_only_request_that_waits() -> None:
    async with odd("ids") as session:
        answer = await call(session, "null")
        assert answer.failure is not None
        assert answer.failure.kind == "protocol" and "lost the id" in answer.failure.message


@pytest.mark.parametrize(("tool", "why"), [("unknown", "unknown"), ("twice", "duplicate")])
async def test_answers_nobody_waits_for_are_kept(tool: str, why: str) -> None:
    async with odd("ids") as session:
        assert (await call(session, tool)).failure is None
        await session.request("ping")
        assert [stray.why for stray in session.dispatcher.strays] == [why]


@pytest.mark.parametrize(
    ("tool", "words"), [("both", "both result and error"), ("neither", "neither result nor")]
)
async def test_a_broken_answer_is_a_protocol_error_of_that_call(tool: str, words: str) -> None:
    async with odd("ids") as session:
        failure = (await call(session, tool)).failure
        assert failure is not None and failure.kind == "protocol" and words in failure.message
        assert (await session.request("ping")).failure is None


@pytest.mark.parametrize("tool", ["nan", "deep"])
async def test_an_answer_that_cannot_be_read_fails_its_call_at_once(tool: str) -> None:
    async with odd("ids") as session:
        # Python reads deeper from version to version.
        answer = await session.request("tools/call", {"name": tool, "arguments": {"depth": 200_000}})
        assert answer.failure is not None and answer.failure.kind == "protocol"
        assert answer.result is None and answer.raw


async def test_a_batch_is_split() -> None:
    async with odd("ids") as session:
        answer = await call(session, "batch")
        assert answer.result == {"in": "a batch"}
        assert answer.notes == ["sent inside of a batch"]


async def test_progress_reaches_the_caller_and_alien_progress_nobody() -> None:
    seen: list[Any] = []
    async with odd("ids") as session:
        await call(session, "alien progress", on_progress=lambda progress: seen.append(progress.progress))
        assert seen == []
        await call(session, "progress", on_progress=lambda progress: seen.append(progress.progress))
        assert seen == [1, 2, 3]


async def test_what_the_server_asks_is_answered_at_once_also_during_a_call() -> None:
    notices: list[Message] = []
    async with odd("asks", notified=notices.append, options=Options(roots=("file:///w",))) as session:
        answer = await call(session, "ask")
        assert json.loads(answer.result["content"][0]["text"]) == [
            {},
            {"roots": [{"uri": "file:///w"}]},
            -32601,
            -32601,
        ]
    assert [notice.method for notice in notices] == [
        "notifications/message",
        "notifications/vendor/unknown",
        "cancelled",
    ]


async def test_a_server_that_exits_at_start_is_told_with_its_reason() -> None:
    async with odd("exit", connect=False) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
    failure = failed.value.failure
    assert (failure.kind, failure.exit_code) == ("exited", 3)
    assert "T_API_KEY is not set" in failure.message
    assert failure.stderr == ("booting", "T_API_KEY is not set")


@pytest.mark.parametrize(("tool", "code", "signal"), [("exit", 4, None), ("midline", None, "SIGKILL")])
async def test_death_during_a_call_fails_all_that_wait_with_the_reason(
    tool: str, code: Any, signal: Any
) -> None:
    ended: list[Any] = []
    async with odd(ended=ended.append) as session:
        waiting = asyncio.gather(call(session, "silent"), call(session, tool), return_exceptions=True)
        for outcome in await waiting:
            assert isinstance(outcome, Failed)
            failure = outcome.failure
            assert (failure.kind, failure.exit_code, failure.signal) == ("exited", code, signal)
        assert "T_KEY is required" in failure.message or "middle of a line" in failure.message
        assert ended == [failure] and session.states.now == "LOST"
        with pytest.raises(Failed):
            await call(session, "echo")


async def test_the_idle_clock_ends_a_call_and_a_cancel_goes_out() -> None:
    sent: list[bytes] = []
    async with odd() as session:
        original = session.transport.send
        session.transport.send = lambda raw, **more: (sent.append(raw), original(raw, **more))[1]  # type: ignore
        with pytest.raises(Failed) as failed:
            await call(session, "silent", timeout=0.1)
        assert failed.value.failure.kind == "timeout" and "--timeout" in (failed.value.failure.hint or "")
        assert b"notifications/cancelled" in sent[-1]
        assert (await session.request("ping")).failure is None


async def test_the_total_clock_is_named_where_it_ended_the_call() -> None:
    async with odd() as session:
        with pytest.raises(Failed) as failed:
            await call(session, "silent", timeout=30, max_time=0.1)
        assert "--max-time" in (failed.value.failure.hint or "")


async def test_a_mute_server_is_described_and_ended_by_force() -> None:
    async with odd("mute", connect=False, options=Options(connect_timeout=0.7)) as session:
        with pytest.raises(Failed) as failed:
            await session.connect()
        pid = session.transport.facts.pid
        closed = await session.close()
    assert failed.value.failure.kind == "timeout"
    assert f"PID {pid} is alive, idle (" in failed.value.failure.message
    assert "and wrote nothing on stdout" in failed.value.failure.message
    assert closed.how == "SIGTERM" and closed.signal == "SIGTERM"


async def test_the_whole_tree_ends_though_the_wrapper_passes_nothing_on() -> None:
    async with odd("wrapper") as session:
        pids = json.loads((await call(session, "pids")).result["content"][0]["text"])
        assert len(pids) == 3
        closed = await session.close()
    # The children die of SIGTERM by themselves; the wrapper alone obeyed it before.
    assert closed.how == "SIGTERM" and closed.leftovers == ()
    assert not [pid for pid in pids if is_alive(pid)]


async def test_a_stubborn_server_is_killed() -> None:
    async with odd("stubborn") as session:
        closed = await session.close()
    assert (closed.how, closed.signal) == ("SIGKILL", "SIGKILL")


@pytest.mark.parametrize(
    ("variant", "names", "pages", "warning"),
    [
        ("empty", ["one", "two"], 2, None),
        ("stuck", ["one", "one"], 2, "repeated cursor"),
        ("broken", ["one"], 1, "page 2 failed"),
        ("number", ["one"], 1, "not a string"),
    ],
)
async def test_lists_are_read_to_their_end_and_never_for_ever(
    variant: str, names: list[str], pages: int, warning: str | None
) -> None:
    async with odd("pages", variant) as session:
        listing = await session.list("tools")
    assert [entry["name"] for entry in listing.entries] == names
    assert listing.pages == pages and len(listing.texts()) == len(names)
    assert listing.failure is None
    assert (warning in listing.warnings[0]) if warning else listing.warnings == []


async def test_a_pinned_version_is_insisted_on() -> None:
    async with odd(options=Options(protocol="2024-11-05")) as session:
        assert session.version == "2024-11-05"


async def test_roots_that_were_not_declared_are_refused_with_the_reason() -> None:
    async with odd("asks", options=Options(roots=None)) as session:
        assert session.handshake is not None and session.handshake.sent["capabilities"] == {}
        answer = await call(session, "ask")
        assert json.loads(answer.result["content"][0]["text"]) == [{}, -32601, -32601, -32601]


@pytest.mark.parametrize(
    "body", ["{}", "[]", "7", '{"code": [1], "message": {}}', '{"code": 1e400, "message": null}']
)
def test_an_error_of_any_shape_is_a_failure_with_a_next_step(body: str) -> None:
    raw = f'{{"jsonrpc":"2.0","id":1,"error":{body}}}'.encode()
    failure = Answer(raw, jsonrpc.read(raw), 1, 0, 0.1).failure
    assert failure is not None and failure.message and failure.hint
    assert failure.kind in ("rpc", "protocol") and failure.code is None
