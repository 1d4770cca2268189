"""What rules find while traffic comes in: who is told of it, and when."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from command import ODD, PYTHON

from inspector.base import tasks
from inspector.base.errors import Failed
from inspector.base.paths import paths
from inspector.config.adhoc import from_command
from inspector.config.settings import load_settings
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection
from inspector.workspace.findings import by_level
from inspector.workspace.serving import Served, entry_of
from inspector.workspace.starts import Starts
from inspector.workspace.workspace import Workspace

HOSTILE = str(Path(ODD).with_name("hostile.py"))
BAD_TOOL = {"jsonrpc": "2.0", "id": 5, "result": {"tools": [{"name": "t"}]}}


def workspace() -> Workspace:
    return Workspace(Traffic.in_memory(), environment={})


def say(workspace: Workspace, label: str, *answers: object) -> None:
    """A conversation in which a tool has no schema."""
    log = workspace.traffic.session(label)
    log.sent(b'{"jsonrpc":"2.0","id":5,"method":"tools/list"}')
    log.received([json.dumps(each).encode() for each in answers or (BAD_TOOL,)])
    workspace.traffic.advance()


def test_a_finding_stands_at_its_rows_and_with_its_server() -> None:
    this = workspace()
    say(this, "one")
    assert this.findings.advance()
    [missing] = [each for each in this.findings.told if each.rule == "T01"]
    assert (missing.server, missing.pointer, missing.frames) == ("one", "/result/tools/0/inputSchema", [0, 1])
    assert missing in this.traffic.judged.at(1)
    assert not this.findings.advance() and this.findings.waiting == 0


def test_a_rule_is_muted_and_told_again_and_the_settings_remember() -> None:
    this = workspace()
    say(this, "one")
    this.findings.advance()
    revision, count = this.findings.revision, len(this.findings.told)
    this.findings.mute("T01", True)
    assert "T01" not in {each.rule for each in this.findings.told}
    assert [each.rule for each in this.findings.muted_of()] == ["T01"] and load_settings().mute == ("T01",)
    assert this.findings.revision > revision and "T01" not in {v.rule for v in this.traffic.judged.at(1)}
    assert "T01" in workspace().findings.muted
    this.findings.mute("T01", False)
    assert len(this.findings.told) == count and load_settings().mute == ()


def test_settings_that_cannot_be_written_mute_nothing() -> None:
    paths().settings.parent.mkdir(parents=True, exist_ok=True)
    paths().settings.write_text("{", encoding="utf-8")
    this = workspace()
    with pytest.raises(Failed):
        this.findings.mute("T01", True)
    assert this.findings.muted == frozenset()


def test_levels_are_counted_the_worst_first() -> None:
    this = workspace()
    say(this, "one")
    this.findings.advance()
    counted = by_level(this.findings.told)
    assert list(counted) == ["error", "warning", "info"] and counted["error"] >= 1


async def test_live_traffic_is_judged_as_it_comes() -> None:
    async with workspace() as this:
        connection = this.add(from_command([PYTHON, HOSTILE]))
        told = asyncio.Event()
        following = tasks.spawn(this.findings.follow(told.set), "findings")
        try:
            this.start()
            await connection.settled()
            this.traffic.advance()
            await told.wait()
            assert "T25" in {each.rule for each in this.findings.of(connection)}
        finally:
            await tasks.cancel(following)


async def test_a_long_frame_is_looked_at_beside_the_loop() -> None:
    this = workspace()
    say(
        this,
        "one",
        {"jsonrpc": "2.0", "id": 5, "result": {"tools": [{"name": f"t{n}"} for n in range(1000)]}},
    )
    say(this, "two")
    told = asyncio.Event()
    following = tasks.spawn(this.findings.follow(told.set), "findings")
    try:
        await this.findings.caught_up()
        await told.wait()
        found = {(each.server, each.rule) for each in this.findings.told}
        assert {("one", "T01"), ("two", "T01")} <= found and this.traffic.judged.at(1)
    finally:
        await tasks.cancel(following)


async def test_nothing_is_looked_at_while_the_person_is_busy() -> None:
    this = workspace()
    say(this, "one")
    asked, busy = asyncio.Event(), True

    def is_busy() -> bool:
        asked.set()
        return busy

    following = tasks.spawn(this.findings.follow(busy=is_busy), "findings")
    try:
        await asked.wait()
        assert this.findings.told == [] and this.findings.waiting == 2
        busy = False
        await this.findings.caught_up()
        assert this.findings.told
    finally:
        await tasks.cancel(following)


async def test_findings_of_what_is_served_are_those_of_its_clients() -> None:
    this = workspace()
    for label in ("shop #1", "shop #2", "shop"):
        say(this, label)
    this.findings.advance()
    served = Served(entry_of(Path("shop.yaml")), path=Path("shop.yaml"), **parts(this))
    assert {each.server for each in this.findings.of(served)} == {"shop #1", "shop #2"}
    plain = Connection(from_command(["shop"]), **parts(this))
    assert {each.server for each in this.findings.of(plain)} == {"shop"}


def parts(this: Workspace) -> dict[str, Any]:
    return {
        "book": this.traffic, "secrets": this.secrets, "starts": Starts(), "options": this.options,
        "environment": {}, "changed": lambda: None,
    }  # fmt: skip


async def test_what_never_came_is_told_when_the_conversation_is_over() -> None:
    """A request that nobody answered, in a log that goes on for long enough."""
    async with workspace() as this:
        connection = this.add(from_command([PYTHON, ODD]))
        this.start()
        await connection.settled()
        log = connection.log
        assert log is not None
        log.sent(b'{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"x"}}')
        log.sent(b'{"jsonrpc":"2.0","id":78,"method":"ping"}')
        this.traffic.columns.time[-1] += 100
        this.traffic.advance()
        this.findings.advance()
        assert "J27" not in {each.rule for each in this.findings.told}
        await connection.stop()
        this.traffic.advance()
        this.findings.advance()
        assert "J27" in {each.rule for each in this.findings.told}
