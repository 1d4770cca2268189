"""The chain of an activation, against the bundled skill and servers that go wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import live
import pytest

from inspector.base.errors import Failed, Failure
from inspector.demo import ORDERS
from inspector.lenses.solon.activation import Activation, activate
from inspector.lenses.solon.clients import CLIENTS
from inspector.lenses.solon.offer import offered
from inspector.lenses.solon.prompt import EDGES, Prompt, Said
from inspector.protocol import jsonrpc
from inspector.session.answer import Answer

USER = {"tenant_id": "1"}
ADMIN = {"tenant_id": "1", "user_role": "ADMIN"}
ALL = {"tenant_id": "1", "user_role": "user", "tool": "all"}
CHAIN = ["isSupportedMcp", "onAttachMcp", "getInstructionMcp", "getToolsMcp", "getToolsMcp"]


def skill(folder: Path, version: str, **changes: Any) -> list[str]:
    """The command of the bundled skill with the ways of a version; `changes` are members of its definition."""
    text = ORDERS.read_text(encoding="utf-8").replace("version: 3.9.0", f"version: {json.dumps(version)}")
    for name, value in changes.items():
        text = text.replace("skill:\n", f"skill:\n  {name}: {json.dumps(value)}\n")
    path = folder / f"orders-{version}.yaml"
    path.write_text(text, encoding="utf-8")
    return [sys.executable, "-m", "inspector", "serve", str(path)]


async def activated(session: Any, client: str, prompt: str) -> tuple[Activation, list[Any]]:
    tools = (await session.list("tools")).entries

    async def ask(tool: str, arguments: dict[str, Any]) -> Answer:
        return await session.request("tools/call", {"name": tool, "arguments": arguments})

    return await activate(ask, CLIENTS[client], prompt), tools


def asked(attrs: dict[str, Any], said: str = "我的订单 A001", profile: Any = "3.9") -> str:
    return Prompt([Said("user", said)], attrs).text(profile)


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_user_gets_one_tool_an_admin_two_and_all_gets_all(tmp_path: Path, client: str) -> None:
    version = "4.0" if client == "4.0" else "3.9.0"
    async with live.stdio(*skill(tmp_path, version)) as session:
        await session.connect()
        for attrs, state, names in (
            (USER, "some", ["OrderQueryTool"]),
            (ADMIN, "some", ["OrderQueryTool", "OrderCancelTool"]),
            (ALL, "all", ["OrderQueryTool", "OrderCancelTool"]),
        ):
            run, tools = await activated(session, client, asked(attrs, profile=CLIENTS[client].profile))
            assert run.verdict == "ACTIVE" and run.listed is not None and run.listed.state == state
            assert run.exposure(tools).exposed == names
            assert [step.tool for step in run.steps] == CHAIN and not run.is_wrong
            assert all(step.seconds > 0 and step.row >= 0 for step in run.steps)
        instructed, _ = await activated(session, client, asked({**USER, "tenant_name": "茶屋"}))
        assert instructed.instruction is not None and "茶屋" in instructed.instruction
        offer = offered(tools, (await session.list("resources")).entries)
        assert offer is not None and offer.complete and offer.uris == (CLIENTS[client].uri,)


@pytest.mark.parametrize("version", ["3.9.0", "3.9.3", "4.0"])
async def test_each_null_form_is_read_as_each_client_would(tmp_path: Path, version: str) -> None:
    states: dict[str, Any] = {}
    async with live.stdio(*skill(tmp_path, version)) as session:
        await session.connect()
        for client in CLIENTS:
            run, tools = await activated(session, client, asked(ALL))
            states[client] = run.listed.state if run.listed is not None else None
            assert run.exposure(tools).exposed == ([] if states[client] == "unreadable" else
                                                   ["OrderQueryTool", "OrderCancelTool"])  # fmt: skip
            assert bool(run.thrown) == (states[client] == "unreadable")
    old = "all" if version == "3.9.0" else "unreadable"
    assert states == {"3.9.0": old, "3.9.3": old, "4.0": "all"}


async def test_a_null_instruction_is_the_word_or_nothing(tmp_path: Path) -> None:
    for version, text in (("3.9.0", "null"), ("3.9.3", ""), ("4.0", "")):
        command = skill(tmp_path, version, instruction=[])
        path = Path(command[-1])
        kept = path.read_text(encoding="utf-8")
        head, _, rest = kept.partition("  instruction:\n")
        path.write_text(head + rest[rest.index("  tools:\n") :], encoding="utf-8")
        async with live.stdio(*command) as session:
            await session.connect()
            run, _ = await activated(session, "4.0", asked(USER))
            assert run.instruction == text and run.verdict == "ACTIVE"
            # With no words to write about them, the newest client asks for the tools once.
            assert [step.tool for step in run.steps] == (CHAIN if text else CHAIN[:-1])
            assert ("the word null" in run.steps[2].outcome) == bool(text)


async def test_without_the_attribute_or_the_word_it_is_inactive_and_nothing_else_is_asked(
    tmp_path: Path,
) -> None:
    async with live.stdio(*skill(tmp_path, "3.9.0")) as session:
        await session.connect()
        for text in (asked({}), asked(USER, "hello"), EDGES["no messages"], EDGES["an empty list"]):
            run, tools = await activated(session, "3.9.3", text)
            assert run.verdict == "INACTIVE" and run.supported is False and not run.is_wrong
            assert [step.tool for step in run.steps] == CHAIN[:1] and run.steps[0].stops
            assert run.exposure(tools).exposed == [] and run.instruction is None and run.listed is None
        for edge in ("null", "a message without its class", "no JSON"):
            run, _ = await activated(session, "3.9.3", EDGES[edge])
            assert run.verdict == "INACTIVE (error)" and run.is_wrong, edge
        assert (await activated(session, "3.9.3", asked(ADMIN).replace('"@type"', '"@tipe"')))[
            0
        ].supported is False


async def test_without_the_marker_management_reaches_the_model(tmp_path: Path) -> None:
    async with live.stdio(*skill(tmp_path, "3.9.0", marker=False)) as session:
        await session.connect()
        run, tools = await activated(session, "3.9.0", asked(ALL))
        assert run.exposure(tools).exposed[:2] == ["isSupportedMcp", "onAttachMcp"]
        assert (await activated(session, "3.9.0", asked(USER)))[0].exposure(tools).exposed == [
            "OrderQueryTool"
        ]


async def test_the_marker_is_listed_with_the_resource_on_the_stateless_channel_only(tmp_path: Path) -> None:
    for stateless in (False, True):
        async with live.stdio(*skill(tmp_path, "3.9.3", stateless=stateless)) as session:
            await session.connect()
            (entry,) = (await session.list("resources")).entries
            assert ("_meta" in entry) == stateless
            answer = await session.request("resources/read", {"uri": entry["uri"]})
            assert answer.result["_meta"] == {"hide": 1}


async def test_what_the_filter_leaves_out_can_be_called_all_the_same(tmp_path: Path) -> None:
    async with live.stdio(*skill(tmp_path, "3.9.0")) as session:
        await session.connect()
        run, tools = await activated(session, "3.9.3", asked(USER))
        assert "OrderCancelTool" not in run.exposure(tools).exposed
        call = {"name": "OrderCancelTool", "arguments": {"orderId": "A001"}}
        answer = await session.request("tools/call", call)
        assert answer.result["content"][0]["text"] == "A001 is cancelled."


async def test_the_four_tools_look_as_the_framework_lists_them(tmp_path: Path) -> None:
    async with live.stdio(*skill(tmp_path, "3.9.0")) as session:
        await session.connect()
        entry = (await session.list("tools")).find("isSupportedMcp")
        assert entry == {
            "name": "isSupportedMcp", "title": "", "description": "禁止 llm 使用",
            "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}},
            "annotations": {"returnDirect": False}, "_meta": {"hide": 1},
        }  # fmt: skip


# A skill that goes wrong at a step, answered here without a server.


def answering(**answers: Any) -> Any:
    """Asks nobody: a text, a whole result, or a failure by the name of the tool."""

    async def ask(tool: str, arguments: dict[str, Any]) -> Answer:
        told = answers.get(tool, {"isSupportedMcp": "true", "getToolsMcp": "null"}.get(tool, "ok"))
        if isinstance(told, Failure):
            raise Failed(told)
        if isinstance(told, int):
            body: dict[str, Any] = {"error": {"code": told, "message": "refused"}}
        else:
            content = {"content": [{"type": "text", "text": told}]} if isinstance(told, str) else told
            body = {"result": content}
        raw = json.dumps({"jsonrpc": "2.0", "id": 1, **body}).encode()
        return Answer(raw, jsonrpc.read(raw), 1, 0, 0.001)

    return ask


WRONG = {"content": [{"type": "text", "text": "boom"}], "isError": True}


async def test_an_error_of_the_first_question_skips_the_skill() -> None:
    for answer in (WRONG, -32603, Failure(kind="timeout", message="no answer")):
        run = await activate(answering(isSupportedMcp=answer), CLIENTS["4.0"], "{}")
        assert run.verdict == "INACTIVE (error)" and not run.thrown and len(run.steps) == 1


async def test_an_error_result_of_attaching_is_ignored_and_a_refusal_throws() -> None:
    for client in CLIENTS.values():
        ignored = await activate(answering(onAttachMcp=WRONG), client, "{}")
        assert ignored.verdict == "ACTIVE" and ignored.is_wrong and "ignored" in ignored.steps[1].outcome
        nothing = await activate(answering(onAttachMcp={"content": []}), client, "{}")
        assert nothing.verdict == "ACTIVE"
        thrown = await activate(answering(onAttachMcp=-32603), client, "{}")
        assert (
            thrown.verdict == "ACTIVE, THEN THROWS" and thrown.thrown == "refused" and len(thrown.steps) == 2
        )
        assert thrown.listed is None and thrown.exposure([{"name": "x"}]).exposed == []


async def test_an_error_result_becomes_the_instruction_and_cannot_be_read_as_names() -> None:
    run = await activate(answering(getInstructionMcp=WRONG), CLIENTS["3.9.0"], "{}")
    assert run.instruction == "Error: boom" and "becomes the instruction" in run.steps[2].outcome
    run = await activate(answering(getToolsMcp=WRONG), CLIENTS["4.0"], "{}")
    assert run.listed is not None and run.listed.state == "unreadable" and run.thrown
    assert run.exposure([{"name": "x"}]).exposed == [] and len(run.steps) == 4


async def test_a_result_without_text_makes_the_oldest_client_throw() -> None:
    none: dict[str, Any] = {"content": []}
    old = await activate(answering(getInstructionMcp=none), CLIENTS["3.9.0"], "{}")
    assert old.thrown and len(old.steps) == 3 and old.instruction is None
    new = await activate(answering(getInstructionMcp=none), CLIENTS["4.0"], "{}")
    assert new.verdict == "ACTIVE" and new.instruction is None and len(new.steps) == 4
