from __future__ import annotations

import pytest

from inspector.base.errors import Failed, Failure, fail
from inspector.workspace.subscriptions import Subscriptions


class Server:
    """Answers requests; `refuses` holds URIs it says no to, `down` makes it answer nothing."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []
        self.refuses: set[str] = set()
        self.down = False

    async def watch(self, uri: str, on: bool) -> Failure | None:
        self.asked.append((uri, on))
        if self.down:
            raise fail("stream", "gone")
        return Failure(kind="rpc", message="no") if uri in self.refuses else None


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def subscriptions(server: Server) -> Subscriptions:
    return Subscriptions(server.watch, lambda: None)


async def test_what_is_wanted_is_asked_for_again_on_a_new_session(
    server: Server, subscriptions: Subscriptions
) -> None:
    await subscriptions.subscribe("x://a")
    await subscriptions.subscribe("x://b")
    subscriptions.lost()
    assert not subscriptions.active and subscriptions.wanted == {"x://a", "x://b"}
    server.refuses = {"x://b"}
    await subscriptions.renew()
    assert subscriptions.active == {"x://a"} and subscriptions.refused["x://b"].message == "no"
    server.refuses.clear()
    await subscriptions.renew()
    assert subscriptions.active == {"x://a", "x://b"} and not subscriptions.refused


async def test_a_refusal_is_told_and_nothing_is_wanted_then(
    server: Server, subscriptions: Subscriptions
) -> None:
    server.refuses = {"x://a"}
    with pytest.raises(Failed, match="no"):
        await subscriptions.subscribe("x://a")
    server.down = True
    with pytest.raises(Failed, match="gone"):
        await subscriptions.subscribe("x://a")
    assert not subscriptions.wanted and not subscriptions.active and not subscriptions.refused


async def test_what_is_not_wanted_any_more_is_forgotten_whatever_the_server_says(
    server: Server, subscriptions: Subscriptions
) -> None:
    await subscriptions.subscribe("x://a")
    server.refuses = {"x://a"}
    with pytest.raises(Failed):
        await subscriptions.unsubscribe("x://a")
    assert not subscriptions.wanted and not subscriptions.active
    count = len(server.asked)
    await subscriptions.unsubscribe("x://a")
    assert len(server.asked) == count


async def test_updates_below_a_wanted_uri_count_for_it(subscriptions: Subscriptions) -> None:
    await subscriptions.subscribe("x://a")
    for uri in ("x://a", "x://a/b", "x://ab", "x://c/d"):
        subscriptions.updated(uri)
    assert subscriptions.updates_of("x://a") == 2
    assert subscriptions.updates_of("x://c") == 0 and subscriptions.updates_of("x://c/d") == 1
