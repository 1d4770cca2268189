"""A second connection beside one: begun for a comparison, ended with it unless it is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inspector.base.errors import Failed
from inspector.config.adhoc import from_command
from inspector.traffic.exports import export
from inspector.traffic.exports.source import Source
from inspector.traffic.store import Traffic
from inspector.workspace.connection import Connection
from inspector.workspace.listed import known_lists
from inspector.workspace.paired import Paired, once_more, played
from inspector.workspace.workspace import Workspace

SERVERS = Path(__file__).parent.parent / "servers"


async def ready(workspace: Workspace, script: str, *words: str) -> Connection:
    entry = from_command([sys.executable, str(SERVERS / script), *words])
    entry.name = "server"
    connection = workspace.add(entry)
    connection.start()
    await connection.settled()
    assert connection.state == "ready"
    return connection


async def test_the_other_era_is_a_connection_of_its_own_and_ends_with_the_pair() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        here = await ready(workspace, "eras.py", "dual")
        there = once_more(workspace, here, "legacy")
        there.start()
        await there.settled()
        assert (here.name, there.name) == ("server", "server (legacy)")
        assert here.handshake is not None and here.handshake.era == "modern"
        assert there.handshake is not None and there.handshake.era == "legacy"
        paired = Paired(workspace, here, there, there)
        paired.swap()
        assert paired.sides == (there, here) and paired.is_here(there)
        await paired.close()
        assert list(workspace.connections) == ["server"] and not paired.is_here(there)
        assert here.state == "ready" and there.closed is not None
        await paired.close()


async def test_what_is_kept_stays_and_what_was_there_before_is_never_ended() -> None:
    async with Workspace(Traffic.in_memory()) as workspace:
        here = await ready(workspace, "drifting.py")
        again = once_more(workspace, here)
        again.start()
        await again.settled()
        assert again.name == "server (2)"
        kept = Paired(workspace, here, again, again)
        kept.keeps = True
        await kept.close()
        await Paired(workspace, here, again).close()
        assert [each.state for each in workspace.connections.values()] == ["ready", "ready"]
        assert known_lists(here) == known_lists(again) and len(known_lists(here)["tools"]) == 5


async def test_a_recording_is_played_and_answers_as_it_did_then(tmp_path: Path) -> None:
    path = tmp_path / "then.mcprec"
    async with Workspace(Traffic.in_memory()) as workspace:
        here = await ready(workspace, "drifting.py", "price=1.25")
        await here.call("price", {"item": "rye"})
        workspace.traffic.advance()
        source = Source(workspace.traffic, range(len(workspace.traffic)))
        path.write_bytes(b"".join(export("jsonl", source)))
        then = await played(workspace, path, "server")
        then.start()
        await then.settled()
        assert then.name == "then" and then.state == "ready"
        answer = await then.call("price", {"item": "rye"})
        assert "1.25" in str(answer.result)
        with pytest.raises(Failed):
            await played(workspace, tmp_path / "nothing.mcprec", "server")
        assert "nothing" not in workspace.connections
