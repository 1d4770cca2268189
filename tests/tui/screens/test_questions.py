"""What is asked before a server starts."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from app import SERVERS, Until, opened, painted, state
from live import ODD
from textual.widgets import Input, OptionList

from inspector.base.secrets import Secrets
from inspector.config.entry import Entry, Source
from inspector.config.load import load_text
from inspector.policy import consent
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, serve
from inspector.tui.app import InspectorApp
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.screens.questions import InputsScreen, what_would_happen
from inspector.workspace.workspace import Workspace


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SERVERS, "odd", [sys.executable, ODD])


def found(raw: dict[str, Any]) -> Entry:
    (entry,) = load_text(json.dumps({"mcpServers": {"s": raw}})).entries
    entry.source = Source("/somewhere/.mcp.json", "/mcpServers/s", "claude-code", "project")
    return entry


def test_nothing_of_the_command_is_left_out() -> None:
    words = [f"--word-{number}" for number in range(80)]
    entry = found(
        {"command": "sh", "args": [*words, "-c", "evil \x1b[2J \u202e & more"], "env": {"TOKEN": "x"}}
    )
    text = what_would_happen(entry, "s", 60).plain
    joined = "".join(line.strip() for line in text.splitlines())
    assert all(word in joined for word in words)
    assert "\x1b" not in text and "\u202e" not in text and "\\u202e" in joined.lower()
    assert "TOKEN" in text and "/somewhere/.mcp.json" in text and "your rights" in text
    assert max(map(len, text.splitlines())) <= 60


def test_a_word_behind_a_secret_option_is_shown() -> None:
    assert (
        "evil.py" in what_would_happen(found({"command": "x", "args": ["--token", "evil.py"]}), "s", 60).plain
    )


def test_an_address_is_shown_with_the_names_of_its_headers() -> None:
    text = what_would_happen(found({"url": "http://h/mcp", "headers": {"X-Key": "value"}}), "s", 60).plain
    assert "http://h/mcp" in text and "X-Key" in text and "value" not in text


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_long_question_scrolls_and_its_answers_stay_in_view(
    size: tuple[int, int], until: Until
) -> None:
    async with opened("odd", size=size, disabled=("odd",)) as (app, pilot):
        connection = app.workspace.connections["odd"]
        connection.entry = found(
            {"command": sys.executable, "args": [ODD, *(f"word-{n}" for n in range(200))]}
        )
        connection.refuse(consent.refusal(connection.entry))
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await until(pilot, lambda: "Start (y)" in painted(app) and "Leave it (n)" in painted(app))
        for _ in range(30):
            await pilot.press("pagedown")
        await until(pilot, lambda: "word-199" in painted(app) and "Start (y)" in painted(app))
        await pilot.press("y")
        await until(pilot, lambda: state(app, "odd") == "ready")
        assert not consent.needs_consent(connection.entry)


async def test_a_redirect_to_another_origin_is_followed_after_a_yes(until: Until, monkeypatch: Any) -> None:
    came: list[dict[str, str]] = []

    async def there(request: Request) -> Response:
        came.append(dict(request.headers))
        message = json.loads(request.body) if request.body else {}
        if "id" not in message:
            return Response(202 if message else 405)
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "t", "version": "1"},
        }
        body = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return Response(200, json.dumps(body).encode(), [("Content-Type", "application/json")])

    async def sends_away(request: Request) -> Response:
        return Response(307, b"", [("Location", f"{other.url}/mcp")])

    async with serve(there) as other, serve(sends_away) as one:
        monkeypatch.setitem(SERVERS, "moved", f"{one.url}/mcp")
        async with opened("moved", options=Options(protocol="legacy")) as (app, pilot):
            app.workspace.connections["moved"].entry.headers["X-Key"] = "secret"
            await until(pilot, lambda: state(app, "moved") == "error")
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
            told = painted(app)
            assert "Follow (y)" in told and f"{one.url}/mcp" in told and other.url in told
            await pilot.press("n")
            await until(
                pilot, lambda: not isinstance(app.screen, ConfirmScreen) and state(app, "moved") == "error"
            )
            assert not came
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
            await pilot.press("y")
            await until(pilot, lambda: state(app, "moved") == "ready")
            await pilot.press("r")
            await until(
                pilot,
                lambda: app.workspace.connections["moved"].restarts == 3 and state(app, "moved") == "ready",
            )
    assert came and not any("secret" in headers.values() for headers in came)


INPUTS = [
    {"type": "promptString", "id": "key", "description": "The key of the shop", "password": True},
    {"type": "pickString", "id": "where", "options": ["here", "there"], "default": "there"},
    {"type": "promptString", "id": "unused"},
]


async def asked(*servers: dict[str, Any]) -> Workspace:
    entries = {f"s{number}": raw for number, raw in enumerate(servers)}
    workspace = Workspace(Traffic.in_memory(), secrets=Secrets())
    for entry in load_text(json.dumps({"inputs": INPUTS, "servers": entries})).entries:
        entry.source = Source("/a/.vscode/mcp.json", f"/servers/{entry.name}", "vscode", "named")
        workspace.add(entry)
    return workspace


def server(**env: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [ODD], "env": env}


async def test_inputs_are_asked_when_a_server_starts(until: Until) -> None:
    workspace = await asked(
        server(KEY="${input:key}", WHERE="${input:where}"), server(KEY="${input:key}"), server()
    )
    async with workspace:
        app = InspectorApp(workspace, "x")
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, InputsScreen) and app.screen.query(Input))
            await until(pilot, lambda: "The key of the shop" in painted(app))
            text = painted(app)
            assert "unused" not in text and "s0" in text
            await pilot.press(*"secret-of-the-shop", "enter")
            assert "secret-of-the-shop" not in painted(app)
            await until(pilot, lambda: isinstance(app.focused, OptionList))
            await pilot.press("up", "enter")
            await until(pilot, lambda: all(state(app, name) == "ready" for name in ("s0", "s1", "s2")))
            facts = [workspace.connections[name].facts for name in ("s0", "s1")]
            assert [one.env_added for one in facts if one is not None] == [
                {"KEY": "secret-of-the-shop", "WHERE": "here"}, {"KEY": "secret-of-the-shop"}
            ]  # fmt: skip
            await pilot.press("r")
            await until(
                pilot, lambda: workspace.connections["s0"].restarts == 1 and state(app, "s0") == "ready"
            )
            assert app.screen is app.main
    assert "secret-of-the-shop" in workspace.secrets._values


async def test_each_server_has_its_own_question_and_an_answer_that_is_not_given_is_missed(
    until: Until,
) -> None:
    workspace = await asked(server(KEY="${input:key}"), server(WHERE="${input:where}"))
    async with workspace:
        app = InspectorApp(workspace, "x")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, InputsScreen) and "s0" in painted(app))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, InputsScreen) and "there" in painted(app))
            await pilot.press("f5")
            await until(pilot, lambda: state(app, "s1") == "ready" and state(app, "s0") == "error")
            error = workspace.connections["s0"].error
            assert error is not None and "key (The key of the shop)" in error.message
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, InputsScreen))


async def test_a_wrong_answer_can_be_given_again(until: Until) -> None:
    workspace = await asked({"command": "${input:where}"})
    async with workspace:
        app = InspectorApp(workspace, "x")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, InputsScreen))
            await pilot.press("f5")
            await until(pilot, lambda: state(app, "s0") == "error")
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, InputsScreen))
            options = app.screen.query_one(OptionList)
            assert options.highlighted == 1
