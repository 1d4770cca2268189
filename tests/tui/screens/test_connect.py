"""Connecting something new from inside the app, changing it, keeping it, removing it."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from live import ODD
from textual.pilot import Pilot
from textual.widgets import Button, Checkbox, Input, OptionList, TextArea

from inspector.base.paths import paths
from inspector.cli.arguments import parse
from inspector.cli.verbs import app as verb
from inspector.config.entry import Source
from inspector.config.pasted import understand
from inspector.config.starters import STARTERS, Starter
from inspector.tui.app import InspectorApp
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.widgets.lists.choices import Choices
from inspector.tui.widgets.servers.pair_rows import PairRows

COMMAND = f"{sys.executable} {ODD}"
SECRET = "a-very-secret-token"
SNIPPET = f"""// from my editor
{{"mcpServers": {{
  "alpha": {{"command": {json.dumps(sys.executable)}, "args": [{json.dumps(ODD)}],
             "env": {{"API_TOKEN": "{SECRET}", "LEVEL": "debug"}}}},
  "beta": {{"url": "http://127.0.0.1:1/mcp"}},
  "gamma": {{"command": 7}},
}}}}"""


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SERVERS, "odd", [sys.executable, ODD])


def file() -> dict[str, Any]:
    return json.loads(paths().servers.read_text())["mcpServers"]


def told(app: InspectorApp) -> list[tuple[str, str]]:
    """Title and text of what is said in passing, from now on."""
    said: list[tuple[str, str]] = []
    app.main.notify = lambda text, *, title="", **_: said.append((title, text))  # type: ignore[method-assign]
    return said


async def dialog(app: InspectorApp, pilot: Pilot[Any], until: Until, text: str = "") -> ConnectScreen:
    await pilot.press("a")
    await until(pilot, lambda: isinstance(app.screen, ConnectScreen) and isinstance(app.focused, TextArea))
    assert isinstance(app.screen, ConnectScreen)
    if text:
        app.screen.query_one(TextArea).text = text
        await until(pilot, lambda: "Nothing yet" not in painted(app))
    return app.screen


async def test_a_command_line_is_understood_and_started(until: Until) -> None:
    async with opened() as (app, pilot):
        await until(pilot, lambda: "No servers here" in painted(app))
        await dialog(app, pilot, until)
        await pilot.press(*f"{COMMAND} plain")
        await until(pilot, lambda: "a command line: starts" in painted(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.focused, Button))
        await pilot.press("enter")
        await until(pilot, lambda: "odd" in app.workspace.connections and state(app, "odd") == "ready")
        assert app.main.table.selected == "odd" and app.main.table.has_focus
        await until(pilot, lambda: "4 tools" in painted(app) and "Overview" in painted(app))
    assert not paths().servers.exists()


async def test_a_snippet_names_what_is_wrong_and_starts_what_is_chosen(until: Until) -> None:
    async with opened("odd") as (app, pilot):
        screen = await dialog(app, pilot, until, SNIPPET)
        text = painted(app)
        assert "3 servers" in text and "line 6, column 24" in text and SECRET not in text
        choices = screen.query_one(Choices)
        assert choices.chosen == [0, 1]
        choices.focus()
        await pilot.press("down", "space")
        assert choices.chosen == [0]
        await until(pilot, lambda: screen.query_one("#url", Input).value == "http://127.0.0.1:1/mcp")
        await pilot.press("up")
        await until(pilot, lambda: screen.query_one("#name", Input).value == "alpha")
        assert screen.query_one("#env", PairRows).pairs == [("API_TOKEN", SECRET), ("LEVEL", "debug")]
        assert SECRET not in painted(app)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: SECRET in painted(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "alpha" in app.workspace.connections and state(app, "alpha") == "ready")
        assert list(app.workspace.connections) == ["odd", "alpha"]
        server = app.workspace.connections["alpha"].server
        assert server is not None and server.env["API_TOKEN"] == SECRET


@pytest.mark.parametrize(
    "text", [f"{COMMAND} --api-key={SECRET}", f"https://me:{SECRET}@host/mcp?token={SECRET}"]
)
async def test_secrets_of_a_command_or_url_are_dots_until_they_are_revealed(text: str, until: Until) -> None:
    async with opened() as (app, pilot):
        screen = await dialog(app, pilot, until, text)
        await until(pilot, lambda: screen.query_one("#name", Input).value)
        await until(pilot, lambda: SECRET not in painted(app) and "•" * len(SECRET) in painted(app))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: SECRET in painted(app))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: SECRET not in painted(app))


async def test_fields_are_edited_and_a_name_that_is_taken_gets_a_number(until: Until) -> None:
    async with opened("odd", size=(80, 24)) as (app, pilot):
        screen = await dialog(app, pilot, until, COMMAND)
        assert screen.query_one("#name", Input).value == "odd"
        rows = screen.query_one("#env", PairRows)
        first = rows.query(Input).first()
        first.focus()
        await pilot.press(*"MY_TOKEN", "tab", *"hidden-value-1")
        await until(pilot, lambda: len(rows.query("PairRow")) == 2)
        assert rows.query(Input)[1].password and "hidden-value-1" not in painted(app)
        screen.query_one("#name", Input).value = ""
        await pilot.press("f5")
        await until(pilot, lambda: screen.query_one("#problem").display)
        assert app.screen is screen
        screen.query_one("#name", Input).value = "odd"
        await pilot.press("f5")
        await until(pilot, lambda: "odd (2)" in app.workspace.connections)
        await until(pilot, lambda: state(app, "odd (2)") == "ready")
        facts = app.workspace.connections["odd (2)"].facts
        assert facts is not None and facts.env_added == {"MY_TOKEN": "hidden-value-1"}


async def test_escape_leaves_everything_as_it_was(until: Until) -> None:
    async with opened("odd") as (app, pilot):
        await dialog(app, pilot, until, COMMAND)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.main)
        assert list(app.workspace.connections) == ["odd"]


async def test_a_kept_server_is_there_next_time_and_gone_when_it_is_removed(until: Until) -> None:
    async with opened() as (app, pilot):
        screen = await dialog(app, pilot, until, COMMAND)
        screen.query_one("#keep", Checkbox).value = True
        await pilot.press("f5")
        await until(pilot, lambda: "odd" in app.workspace.connections and state(app, "odd") == "ready")
        assert file() == {"odd": {"command": sys.executable, "args": [ODD]}}
        if os.name == "posix":
            assert stat.S_IMODE(paths().servers.stat().st_mode) == 0o600
        await until(pilot, lambda: app.screen is app.main)
        await pilot.press("delete")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not app.workspace.connections and "No servers here" in painted(app))
        assert file() == {}
        assert not app.main._panes and app.main.table.selected is None


async def test_what_cannot_be_kept_is_connected_all_the_same(until: Until) -> None:
    paths().servers.parent.mkdir(parents=True)
    paths().servers.write_text("{ broken")
    async with opened() as (app, pilot):
        said = told(app)
        screen = await dialog(app, pilot, until, COMMAND)
        screen.query_one("#keep", Checkbox).value = True
        await pilot.press("f5")
        await until(pilot, lambda: "odd" in app.workspace.connections and state(app, "odd") == "ready")
        await until(pilot, lambda: [title for title, _ in said] == ["Not kept"])
        assert f"{paths().servers}:1:3" in said[0][1] and "nothing in it was changed" in said[0][1]
    assert paths().servers.read_text() == "{ broken"


async def test_a_server_of_a_file_is_changed_for_the_session_only(until: Until, tmp_path: Path) -> None:
    async with opened("odd") as (app, pilot):
        said = told(app)
        await until(pilot, lambda: state(app, "odd") == "ready")
        connection = app.workspace.connections["odd"]
        foreign = tmp_path / "mcp.json"
        connection.entry.source = Source(str(foreign), "/mcpServers/odd", "claude-code", "named")
        assert app.main.check_action("remove_server", ()) is False
        await pilot.press("U")
        await until(pilot, lambda: isinstance(app.screen, ConnectScreen) and app.screen.query("PairRow"))
        app.screen.query_one("#env", PairRows).query(Input).first().focus()
        await pilot.press(*"LEVEL", "tab", *"debug", "f5")
        await until(pilot, lambda: connection.restarts == 1 and connection.state == "ready")
        assert connection.facts is not None and connection.facts.env_added == {"LEVEL": "debug"}
        assert not foreign.exists() and not paths().servers.exists()
        await until(pilot, lambda: any("until you quit" in text for _, text in said))


async def test_the_change_of_a_kept_server_is_kept(until: Until) -> None:
    async with opened() as (app, pilot):
        screen = await dialog(app, pilot, until, COMMAND)
        screen.query_one("#keep", Checkbox).value = True
        await pilot.press("f5")
        await until(pilot, lambda: "odd" in app.workspace.connections and state(app, "odd") == "ready")
        await pilot.press("U")
        await until(pilot, lambda: isinstance(app.screen, ConnectScreen) and app.screen.query("PairRow"))
        assert app.screen.query_one("#keep", Checkbox).value
        app.screen.query_one("#command", Input).value = f"{COMMAND} plain"
        await pilot.press("f5")
        await until(pilot, lambda: app.workspace.connections["odd"].restarts == 1)
        assert file() == {"odd": {"command": sys.executable, "args": [ODD, "plain"]}}


def test_the_app_without_a_target_has_our_own_servers_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    paths().servers.parent.mkdir(parents=True)
    paths().servers.write_text('{"mcpServers": {"mine": {"command": "x"}}}')
    for words, names in (([], ["mine"]), (["default"], ["mine"]), (["--", "x"], ["x"])):
        arguments = parse(words)
        target = verb.load_target(arguments)
        assert verb._own_servers(arguments, target) == []
        assert [entry.name for entry in target.entries] == names
        assert all(entry.source.scope != "project" for entry in target.entries)
    paths().servers.write_text("{")
    (said,) = verb._own_servers(parse([]), verb.load_target(parse([])))
    assert f"{paths().servers}:1:" in said


async def test_what_is_wrong_with_the_files_is_told(until: Until) -> None:
    from inspector.base.secrets import Secrets
    from inspector.traffic.store import Traffic
    from inspector.workspace.workspace import Workspace

    async with Workspace(Traffic.in_memory(), secrets=Secrets()) as workspace:
        app = InspectorApp(workspace, "mcp.json", ["mcp.json:1:2: a \x1b[31mbrace is missing"])
        async with app.run_test(size=(100, 30)) as pilot:
            await until(
                pilot, lambda: "brace is missing" in painted(app) and "No servers here" in painted(app)
            )
            assert "\x1b" not in painted(app)


async def test_a_server_to_begin_with_is_put_in_place_of_a_pasted_one(until: Until) -> None:
    async with opened("odd") as (app, pilot):
        await until(pilot, lambda: state(app, "odd") == "ready" and app.main.pane is not None)
        screen = await dialog(app, pilot, until)
        await until(pilot, lambda: "needs a key in MCP_KEY" in painted(app) and "needs npx" in painted(app))
        starters = screen.query_one("#starters", OptionList)
        for number, starter in enumerate(STARTERS):
            starters.focus()
            starters.highlighted = number
            await pilot.press("enter")
            name = screen.query_one("#name", Input)
            await until(pilot, lambda name=name, starter=starter: name.value == starter.name)
            assert json.loads(screen.query_one(TextArea).text)["mcpServers"][starter.name] == starter.entry
            screen.query_one(TextArea).text = ""
            await until(pilot, lambda: starters.display)
        starters.focus()
        starters.highlighted = 0
        await pilot.press("enter")
        await until(pilot, lambda: "one server of a config: starts" in painted(app) and not starters.display)
        await pilot.press("f5")
        await until(pilot, lambda: "bakery" in app.workspace.connections and state(app, "bakery") == "ready")


@pytest.mark.parametrize("starter", STARTERS, ids=[starter.name for starter in STARTERS])
def test_servers_to_begin_with_load_as_they_are(starter: Starter) -> None:
    pasted = understand(starter.text, {"MCP_KEY": "k", "PATH": ""})
    (entry,) = pasted.entries
    server = entry.resolve({"MCP_KEY": "k"})
    # npx and uvx may be absent on this machine; everything else would be a fault of the starter.
    assert server.failure is None
    errors = [trouble.message for trouble in pasted.troubles if trouble.severity == "error"]
    assert all("program not found" in message for message in errors)
    if "MCP_KEY" in starter.text:
        assert server.headers["Authorization"] == "Bearer k" and "key" in starter.needs
    if "PROJECT_DIR" in starter.text:
        assert server.args[-1] == os.getcwd() and server.env["NODE_OPTIONS"]
