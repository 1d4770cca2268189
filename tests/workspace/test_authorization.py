"""The logins of one connection."""

from __future__ import annotations

import pytest
from servers.browser import Browser
from servers.house import House

from inspector.base.errors import Failed
from inspector.config.adhoc import from_url
from inspector.traffic.unkept import Unkept
from inspector.workspace.workspace import Workspace


async def test_a_scope_that_a_server_still_finds_missing_is_asked_for_no_more_than_three_times() -> None:
    async with (
        House(resource_at="path", wants={"write": "files:write"}) as house,
        Workspace(Unkept()) as workspace,
    ):
        connection = workspace.add(from_url(house.url))
        await connection.log_in(Browser())
        await connection.settled()
        assert connection.state == "ready", connection.error
        for _ in range(3):
            answer = await _refusal(connection.call("write", {}))
            await connection.log_in(Browser(), answer.failure)
            house.tokens = {token: (ends, "") for token, (ends, _) in house.tokens.items()}
        logins = len(house.of("token"))
        again = await _refusal(connection.call("write", {}))
        with pytest.raises(Failed) as caught:
            await connection.log_in(Browser(), again.failure)
        assert caught.value.failure.kind == "auth" and "files:write" in caught.value.failure.message
        assert len(house.of("token")) == logins, "nobody was asked"
        await connection.log_in(Browser())
        assert len(house.of("token")) > logins, "a person may log in all the same"


async def _refusal(call: object) -> Failed:
    with pytest.raises(Failed) as caught:
        await call  # type: ignore[misc]
    assert caught.value.failure.http_status == 403
    return caught.value
