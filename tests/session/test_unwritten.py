"""Messages to a process that does not read what is written to it."""

from __future__ import annotations

import asyncio
import sys

import pytest

from inspector.base.errors import Failed
from inspector.config.adhoc import from_command
from inspector.traffic.store import Traffic
from inspector.workspace.workspace import Workspace

DEAF = "import sys, time; sys.stdin.buffer.raw.read(1); time.sleep(600)"
READS = "import sys; [None for line in sys.stdin]"
LONG = {"pad": "x" * 300_000}


async def test_what_a_process_does_not_read_is_counted_and_explains_its_silence() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        deaf = workspace.add(from_command([sys.executable, "-c", DEAF]))
        assert deaf.unwritten == (0, 0)
        deaf.start(by_hand=True)
        await deaf.settled()
        deaf.notify("notifications/a", LONG)
        deaf.notify("notifications/b", LONG)
        count, size = deaf.unwritten
        assert count == 2 and 400_000 < size < 601_000, "a pipe itself holds some of it"
        with pytest.raises(Failed) as failed:
            await deaf.request("ping", timeout=0.05)
        assert "does not read: 3 messages, " in failed.value.failure.message
        deaf.kill_now()


async def test_what_was_read_waits_no_longer() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        reader = workspace.add(from_command([sys.executable, "-c", READS]))
        reader.start(by_hand=True)
        await reader.settled()
        reader.notify("notifications/a", LONG)
        assert reader.unwritten[0] == 1
        while reader.unwritten[0]:
            await asyncio.sleep(0)
        assert reader.unwritten == (0, 0)
