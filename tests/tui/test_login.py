"""Logging in from the app, with a server that wants it and a browser that agrees."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from app import SERVERS, Until, opened, painted, state, tool_view
from servers.house import House

from inspector.tui.calls import Call, book_of
from inspector.tui.widgets.lists.uri_list import UriLines


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Goes where it is sent, in a thread as the real one; gives where it was."""
    visited: list[str] = []

    def visit(url: str) -> bool:
        visited.append(url)
        urlopen(url).read()
        return True

    monkeypatch.setattr(webbrowser, "open", visit)
    return visited


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[House], str]:
    """Puts a server among those that the app can open, and gives its name."""

    def named(house: House) -> str:
        monkeypatch.setitem(SERVERS, "house", house.url)
        return "house"

    return named


async def test_a_refusal_leads_to_the_login_and_overview_tells_it(
    until: Until, browser: list[str], serve: Callable[[House], str]
) -> None:
    async with House() as house, opened(serve(house), size=(120, 110)) as (app, pilot):
        await until(pilot, lambda: state(app, "house") == "error")
        await until(pilot, lambda: "alt+a log in" in painted(app))
        await pilot.press("alt+a")
        await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: state(app, "house") == "ready")
        await until(
            pilot, lambda: f"logged in at {house.issuer}" in painted(app) and "RFC 8414" in painted(app)
        )
        lines = painted(app).splitlines()
        assert any(f"✓ GET {house.root}/meta  HTTP 200" in line for line in lines), (
            "what came stands beside it"
        )
        assert len(browser) == 1
        assert not any(token in painted(app) for token in (*house.tokens, *house.fresh))


async def test_a_step_of_the_login_leads_to_its_exchange(
    until: Until, browser: list[str], serve: Callable[[House], str]
) -> None:
    async with House() as house, opened(serve(house), size=(120, 110)) as (app, pilot):
        await until(pilot, lambda: state(app, "house") == "error" and "alt+a log in" in painted(app))
        assert "enter Step of the login" not in painted(app)
        await _first_login(until, app, pilot)
        await until(pilot, lambda: "enter shows what was sent" in painted(app))
        app.main.pane.tab.enter()
        await until(pilot, lambda: app.focused is app.main.pane.tab)
        await pilot.press("enter")
        await until(pilot, lambda: "Steps of the login" in painted(app))
        await pilot.press(*"authorization_code")
        await until(pilot, lambda: "1 of " in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.main.traffic_pane.detail.tab == "http")
        await until(pilot, lambda: f"POST {house.auth}/token" in painted(app) and "code=***" in painted(app))
        assert not any(token in painted(app) for token in (*house.tokens, *house.fresh))


async def test_a_login_that_fails_stands_before_all_else_with_its_reason(
    until: Until, serve: Callable[[House], str]
) -> None:
    async with (
        House(server={"issuer": "https://other.example"}) as house,
        opened(serve(house), size=(120, 60)) as (app, pilot),
    ):
        await until(pilot, lambda: _in_order(app, "alt+a log in", "not logged in"))
        await pilot.press("alt+a")
        await until(pilot, lambda: _in_order(app, "✗ the authorization server", "alt+a log in"))


def _in_order(app: Any, first: str, second: str) -> bool:
    shown = painted(app)
    return first in shown and second in shown and shown.index(first) < shown.index(second)


async def test_a_missing_scope_leads_to_the_login_and_the_call_is_offered_again(
    until: Until, browser: list[str], serve: Callable[[House], str]
) -> None:
    async with House(wants={"write": "files:write"}) as house, opened(serve(house)) as (app, pilot):
        connection = app.workspace.connections["house"]
        await _first_login(until, app, pilot)
        call = Call("tools/call", {"name": "write", "arguments": {"text": "again"}})
        await book_of(connection).begin(call)
        assert call.why is not None and call.why.http_status == 403
        session = connection.session
        await _login_and_call_again(until, app, pilot, call)
        assert house.of("mcp")[-1].fields["params"]["arguments"] == {"text": "again"}
        assert connection.session is session, "the session goes on with the new token"


async def test_a_401_in_the_middle_of_a_session_leads_to_the_login_and_the_call_is_offered_again(
    until: Until, browser: list[str], serve: Callable[[House], str]
) -> None:
    async with House() as house, opened(serve(house), size=(120, 60)) as (app, pilot):
        connection = app.workspace.connections["house"]
        await _first_login(until, app, pilot)
        house.revoke()
        house.fresh.clear()
        call = Call("tools/call", {"name": "look", "arguments": {"text": "again"}})
        await book_of(connection).begin(call)
        assert call.why is not None and (call.why.kind, call.why.http_status) == ("auth", 401)
        assert "mcp-inspect auth" in (call.why.hint or "")
        await _login_and_call_again(until, app, pilot, call)
        assert house.of("mcp")[-1].fields["params"]["arguments"] == {"text": "again"}


@pytest.mark.parametrize(
    ("ask", "params", "kind", "dialog"),
    [
        ("tools/call", {"name": "look", "arguments": {}}, "tools", "Call again?"),
        ("prompts/get", {"name": "greet"}, "prompts", "Get again?"),
        ("resources/read", {"uri": "house://book"}, "resources", "Read again?"),
    ],
)
async def test_what_was_refused_is_asked_for_again_where_it_was_asked_for(
    until: Until,
    browser: list[str],
    serve: Callable[[House], str],
    ask: str,
    params: dict[str, Any],
    kind: str,
    dialog: str,
) -> None:
    async with House() as house, opened(serve(house), size=(120, 60)) as (app, pilot):
        connection = app.workspace.connections["house"]
        await _first_login(until, app, pilot)
        await until(pilot, lambda: connection.count(kind) is not None and app.main.pane is not None)
        await _asks(until, app, pilot, kind)
        await pilot.press("f5")
        await until(pilot, lambda: "you are in" in painted(app))
        house.revoke()
        house.fresh.clear()
        await pilot.press("f5")
        book = book_of(connection)
        await until(pilot, lambda: book.refused is not None)
        await until(pilot, lambda: "HTTP 401" in painted(app))
        await pilot.press("alt+a")
        await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: dialog in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: "you are in" in painted(app))
        last = house.of("mcp")[-1].fields
        assert (last["method"], last["params"] | params) == (ask, last["params"])


async def _asks(until: Until, app: Any, pilot: Any, kind: str) -> None:
    """Opens the first of a kind, as a person does."""
    if kind == "tools":
        await app.main.go_to("house", "look")
        await until(pilot, lambda: tool_view(app) is not None)
        return
    app.main.tab_wanted(kind)
    await app.main.go_to("house", None)
    await until(
        pilot, lambda: getattr(app.main.pane.tab, "is_listed", False) and app.main.pane.tab.list.is_mounted
    )
    app.main.pane.tab.enter()
    await until(pilot, lambda: isinstance(app.focused, UriLines))
    await pilot.press("enter")
    await until(pilot, lambda: app.main.pane.tab.view is not None)


async def test_the_address_can_be_pasted_and_the_login_can_be_left(
    until: Until, monkeypatch: pytest.MonkeyPatch, serve: Callable[[House], str]
) -> None:
    asked: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(
        webbrowser, "open", lambda url: bool(loop.call_soon_threadsafe(asked.put_nowait, url)) or True
    )
    async with House() as house, opened(serve(house)) as (app, pilot):
        await until(pilot, lambda: state(app, "house") == "error")
        for left in (True, False):
            await pilot.press("alt+a")
            await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
            await pilot.press("y")
            url = await asked.get()
            await until(pilot, lambda: "Logging in to house" in painted(app))
            if left:
                await pilot.press("escape")
                await until(pilot, lambda: _told(app, "Not logged in"))
                assert not any("pasted URL" in note.message for note in app._notifications), (
                    "no error of ours"
                )
        back = await _where_it_ends(url)
        app.screen.query_one("Input").value = back  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: state(app, "house") == "ready")


async def _first_login(until: Until, app: Any, pilot: Any) -> None:
    await until(pilot, lambda: state(app, "house") == "error")
    await pilot.press("alt+a")
    await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
    await pilot.press("y")
    await until(pilot, lambda: state(app, "house") == "ready" and _told(app, "Logged in"))


async def _login_and_call_again(until: Until, app: Any, pilot: Any, call: Call) -> None:
    book = book_of(app.workspace.connections["house"])
    await pilot.press("alt+a")
    await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
    await pilot.press("y")
    await until(pilot, lambda: "Call again?" in painted(app))
    await pilot.press("y")
    await until(pilot, lambda: (last := book.latest("tools/call")) is not call and not last.running)
    last = book.latest("tools/call")
    assert last is not None and last.badge == "ok"


def _told(app: Any, title: str) -> bool:
    return any(title in note.title for note in app._notifications) and len(app.screen_stack) == 1


async def _where_it_ends(url: str) -> str:
    from inspector.transports import _http

    client = _http.Client(url)
    response: Any = await client.send(client.request("GET", url, {}))
    await response.aread()
    await client.aclose()
    return str(response.headers["location"])


async def test_no_to_the_browser_copies_the_address(
    until: Until, browser: list[str], serve: Callable[[House], str]
) -> None:
    async with House() as house, opened(serve(house)) as (app, pilot):
        await until(pilot, lambda: state(app, "house") == "error")
        await pilot.press("alt+a")
        await until(pilot, lambda: "Go to 127.0.0.1?" in painted(app))
        await pilot.press("n")
        await until(pilot, lambda: "Logging in to house" in painted(app))
        assert not browser
        assert app.clipboard.startswith(f"{house.issuer}/authorize?")
        await pilot.press("escape")
        await until(pilot, lambda: _told(app, "Not logged in"))
