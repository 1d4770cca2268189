"""Calls of tools: who allows them, and what the audit trail says of them from their sending to their end."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command
from inspector.policy import audit
from inspector.policy.audit import Audit
from inspector.session.responders import Profile
from inspector.session.session import Options
from inspector.traffic.unkept import Unkept
from inspector.workspace.calling import call
from inspector.workspace.connection import Connection
from inspector.workspace.tool_calls import ToolCalls
from inspector.workspace.workspace import Workspace

_ASKER = [sys.executable, str(Path(__file__).parents[1] / "servers" / "asker.py")]
_BAKERY = [sys.executable, "-m", "inspector.demo", "stdio", "bakery"]


@asynccontextmanager
async def _connected(folder: Path, command: list[str]) -> AsyncIterator[Connection]:
    options = Options(responder=Profile(form="accept"))
    async with Workspace(Unkept(), options=options) as workspace:
        workspace.tool_calls = ToolCalls(Audit(Secrets(), "person", folder=folder))
        connection = workspace.add(from_command(command))
        workspace.start()
        await workspace.settled()
        assert connection.state == "ready", connection.error
        yield connection


def _records(folder: Path) -> list[dict[str, Any]]:
    return list(audit.trail(folder).newest())


async def test_a_task_has_a_record_when_it_is_made_and_one_of_what_it_comes_to(tmp_path: Path) -> None:
    async with _connected(tmp_path, _ASKER) as connection:
        await call(connection, {"name": "quick", "arguments": {}, "task": {"ttl": 1000}})
    end, begin = _records(tmp_path)
    assert (begin["outcome"], end["outcome"]) == ("task", "ok")
    assert begin["task"] == end["task"] and begin["time"] == end["time"]
    assert begin["sha256"] != end["sha256"] and end["duration_ms"] >= begin["duration_ms"]


async def test_a_call_that_is_given_up_is_there_and_other_requests_are_not(tmp_path: Path) -> None:
    async with _connected(tmp_path, _BAKERY) as connection:
        await connection.request("tools/list")
        sent = asyncio.Event()
        params = {"name": "bake", "arguments": {"bread": "baguette", "seconds": 60}}
        waiting = asyncio.create_task(
            connection.request("tools/call", params, approver="this tool", on_progress=lambda _: sent.set())
        )
        await sent.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    (record,) = _records(tmp_path)
    assert (record["tool"], record["outcome"], record["approver"]) == ("bake", "cancelled", "this tool")
    assert record["duration_ms"] > 0 and "sha256" not in record
