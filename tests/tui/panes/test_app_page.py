"""Pages that belong to tools: shown at the tool and at the resource, opened in a browser only after a yes."""

from __future__ import annotations

import sys
import urllib.request
from pathlib import Path
from typing import Any

import app as apps
import pytest
from app import SHELF, Until, opened, painted, state

from inspector.tui.panes.resources import ResourcesPane
from inspector.tui.panes.tools import ToolsPane
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.answers import app_page

SECRET = "KEY-12345678"
SIZE = (200, 60)


@pytest.fixture(autouse=True)
def _cart(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setitem(apps.SERVERS, "cart", [sys.executable, str(Path(SHELF).with_name("cart.py"))])


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, bytes]]:
    """What a browser was opened with: URL, policy, page."""
    seen: list[tuple[str, str, bytes]] = []

    def visit(url: str) -> bool:
        with urllib.request.urlopen(url) as answer:
            seen.append((url, answer.headers["Content-Security-Policy"], answer.read()))
        return True

    monkeypatch.setattr(app_page.webbrowser, "open", visit)
    return seen


async def tool(app: Any, pilot: Any, until: Until, name: str) -> ToolsPane:
    await until(pilot, lambda: state(app, "cart") == "ready" and app.main.pane is not None)
    await app.main.go_to("cart", name)
    pane = app.main.pane
    await until(
        pilot, lambda: isinstance(pane.tab, ToolsPane) and (view := pane.tab.view) and view.name_ == name
    )
    found: ToolsPane = pane.tab
    return found


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("show_cart", ["page ui://shop/cart", "alt+p reads it"]),
        ("remove_item", ["only pages may call it"]),
        ("old_cart", ["page ui://shop/old", "named as before 2026"]),
        ("odd_cart", ["a host will not show this one"]),
    ],
)
async def test_a_tool_says_which_page_it_has(name: str, told: list[str], until: Until) -> None:
    async with opened("cart", size=SIZE) as (app, pilot):
        await tool(app, pilot, until, name)
        await until(pilot, lambda: all(words in painted(app) for words in told))
        assert "\x1b" not in painted(app)


async def read_page(app: Any, pilot: Any, until: Until) -> ResourcesPane:
    await tool(app, pilot, until, "show_cart")
    await pilot.press("alt+p")
    await until(pilot, lambda: isinstance(app.main.pane.tab, ResourcesPane))
    pane: ResourcesPane = app.main.pane.tab
    await until(pilot, lambda: pane.view is not None and pane.view.content.view == "text")
    return pane


async def test_a_page_says_whose_it_is_and_what_it_needs(until: Until) -> None:
    async with opened("cart", size=SIZE) as (app, pilot):
        await read_page(app, pilot, until)
        text = painted(app)
        for said in ("page of show_cart, remove_item", "https://api.shop.example", "https://*.cdn.example:8443",
                     "camera", "shop.hosts.example", "alt+o opens it"):  # fmt: skip
            assert said in text, said
        assert "\x1b" not in text and "Hex" in text and "Raw" in text


async def test_a_browser_gets_it_after_a_yes_in_a_box_and_without_secrets(
    until: Until, visited: list[Any]
) -> None:
    async with opened("cart", size=SIZE) as (app, pilot):
        app.workspace.secrets.add(SECRET)
        await read_page(app, pilot, until)
        await pilot.press("alt+o")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await until(pilot, lambda: "Its scripts will run" in painted(app))
        text = painted(app)
        assert "not given to it: camera" in text and "no origin: evil; script-src *" in text
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        assert not visited
        await pilot.press("alt+o")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: visited)
        ((url, policy, page),) = visited
        assert url.startswith("http://127.0.0.1:") and b"it runs" in page and SECRET.encode() not in page
        assert (
            policy.startswith("sandbox allow-scripts") and "connect-src https://api.shop.example;" in policy
        )
        assert "script-src *" not in policy


async def test_it_is_saved_without_secrets_too(until: Until, home: Path) -> None:
    async with opened("cart", size=SIZE) as (app, pilot):
        app.workspace.secrets.add(SECRET)
        await read_page(app, pilot, until)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        await pilot.press("enter")
        await until(pilot, lambda: (home / "cart.html").exists())
        saved = (home / "cart.html").read_text()
        assert "it runs" in saved and SECRET not in saved


async def test_what_is_no_page_is_not_opened(until: Until, visited: list[Any]) -> None:
    async with opened("cart", size=SIZE) as (app, pilot):
        pane = await read_page(app, pilot, until)
        await pane.open_uri("x://notes")
        await until(pilot, lambda: pane.view is not None and pane.view.content.piece is not None)
        assert "page of" not in painted(app)
        await pilot.press("alt+o")
        await pilot.pause()
        assert not isinstance(app.screen, ConfirmScreen) and not visited


async def test_where_there_is_no_browser_it_says_what_helps(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_page.webbrowser, "open", lambda url: False)
    async with opened("cart", size=SIZE) as (app, pilot):
        await read_page(app, pilot, until)
        await pilot.press("alt+o")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        said = "No browser was found here; w saves"
        await until(pilot, lambda: any(said in told.message for told in app._notifications))
