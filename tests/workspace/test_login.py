"""The login of a connection, and that nothing of it stays anywhere but in the file of tokens."""

from __future__ import annotations

import asyncio
from pathlib import Path

from servers.browser import Browser
from servers.house import House

from inspector.config.adhoc import from_url
from inspector.traffic.store import Traffic
from inspector.traffic.writer import Writer
from inspector.workspace.workspace import Workspace


async def test_no_traffic_holds_a_token_whoever_asks_for_secrets(tmp_path: Path) -> None:
    """Neither the spool nor a recording with `--no-redact`, even where the server gives the token away."""
    proven = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    async with House(gives_secret=True, server=proven) as house:
        traffic = Traffic.on_disk(tmp_path / "spool")
        async with Workspace(traffic) as workspace:
            traffic.attach(Writer(tmp_path / "login.mcprec", secrets=workspace.secrets, redact=False))
            connection = workspace.add(from_url(house.url))
            workspace.start()
            await workspace.settled()
            await connection.log_in(Browser())
            await workspace.settled()
            house.revoke()
            session = connection.session
            assert session is not None and session.handshake is not None, connection.error
            answer = await session.request("tools/call", {"name": "tell", "arguments": {}})
            told = answer.result["content"][0]["text"]
            assert told.removeprefix("it was ") in house.tokens, "the answer itself is as it came"
            held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
            assert b"it was ***" in held and b"Bearer ***" in held
            assert [row for row in range(traffic.end) if b"it was ***" in traffic.raw(row)]
        held += (tmp_path / "login.mcprec").read_bytes()
        given = [f"{kind}-token-number-{n}" for kind in ("access", "refresh") for n in (1, 2)]
        secret = next(iter(house.known.values()))
        assert len(house.of("token")) == 2 and secret
        for hidden in (*given, "code-with-number-1", secret):
            assert hidden.encode() not in held
        assert b'"f":["redacted"]' in held


async def test_two_connections_to_one_server_renew_once() -> None:
    async with House() as house, Workspace(Traffic.in_memory()) as workspace:
        first, second = from_url(house.url), from_url(house.url)
        second.name = "second"
        both = [workspace.add(first), workspace.add(second)]
        workspace.start()
        await workspace.settled()
        await both[0].log_in(Browser())
        await both[1].restart()
        await workspace.settled()
        house.revoke()
        sessions = [connection.session for connection in both if connection.session is not None]
        assert len(sessions) == 2
        asked = ("tools/call", {"name": "look", "arguments": {}})
        answers = await asyncio.gather(*(session.request(*asked) for session in (*sessions, *sessions)))
        assert [answer.failure for answer in answers] == [None] * 4
        grants = [asked.fields["grant_type"] for asked in house.of("token")]
        assert grants == ["authorization_code", "refresh_token"]
