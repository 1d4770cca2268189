"""What was said in the handshake, what was declared, and what works."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import app as apps
import pytest
from app import Until, open_tool, opened, painted, state
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from inspector.session.session import Options
from inspector.tui.app import InspectorApp
from inspector.tui.panes.detail import _info
from inspector.tui.panes.overview import OverviewPane
from inspector.tui.screens.help import HelpScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.tools.definition_view import DefinitionView
from inspector.workspace.connection import Connection

_SERVER = r"""
import json, sys
declared, lists = json.loads(sys.argv[1]), json.loads(sys.argv[2])
for line in sys.stdin:
    message = json.loads(line)
    if message["method"].startswith("exit/"):
        sys.exit(int(message["method"][5:]))
    if "id" not in message:
        continue
    if message["method"] == "initialize":
        version = message["params"]["protocolVersion"]
        reply = {"result": {"protocolVersion": version, **declared}}
    elif message["method"] in lists:
        reply = {"result": lists[message["method"]]}
    else:
        reply = {"error": {"code": -32601, "message": "Method not found"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
"""
_TOOLS = {"tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes `odd` a server that answers so to initialize, and has these lists."""

    def make(answer: dict[str, Any], lists: dict[str, Any]) -> None:
        command = [sys.executable, "-c", _SERVER, json.dumps(answer), json.dumps(lists)]
        monkeypatch.setitem(apps.SERVERS, "odd", command)

    return make


async def ready(app: InspectorApp, pilot: Pilot[Any], until: Until) -> OverviewPane:
    await until(pilot, lambda: state(app, "odd") == "ready")
    await pilot.press("1", "z")
    await until(pilot, lambda: isinstance(app.focused, OverviewPane) and part(app, "answered"))
    assert isinstance(app.focused, OverviewPane)
    return app.focused


def part(app: InspectorApp, id: str) -> str:
    return str(app.main.query_one(f"OverviewPane #{id}", Static).content)


def row(app: InspectorApp, name: str) -> str:
    """A row of the capabilities, in one line and with its blanks made one."""
    rows = part(app, "capabilities").replace("\n" + " " * 20, " ").splitlines()
    return next(line for line in (" ".join(row.split()) for row in rows) if line.startswith(f"{name} "))


async def test_lists_that_were_not_declared_are_asked_for_with_a_key(until: Until, serve: Any) -> None:
    serve({"capabilities": {}, "serverInfo": {"name": "shy", "version": "1"}}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        await until(pilot, lambda: "A Ask anyway" in painted(app))
        assert row(app, "tools") == "tools ○ no not asked"
        await pilot.press("A")
        await until(pilot, lambda: row(app, "tools") == "tools ○ no ▲ works all the same · 1 entry")
        await until(pilot, lambda: row(app, "prompts") == "prompts ○ no ○ refused (-32601)")
        assert "declared, not implemented" not in part(app, "capabilities")
        assert row(app, "completions") == "completions ○ no asked for all the same"
        await until(pilot, lambda: "Tools 1  Resources  Prompts  Inbox  Log" in painted(app))
        await until(pilot, lambda: "A Ask anyway" not in painted(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_what_was_declared_works_or_is_refused(until: Until, serve: Any) -> None:
    declared = {"tools": {"listChanged": True}, "resources": {}, "prompts": {}, "logging": {}, "x-own": {}}
    serve({"capabilities": declared, "serverInfo": {"name": "n", "version": "1"}}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        await until(pilot, lambda: row(app, "tools") == "tools ● yes ✓ works · 1 entry")
        refused = "prompts ● yes ✗ refused · declared, not implemented (-32601)"
        await until(pilot, lambda: row(app, "prompts") == refused)
        assert row(app, "completions") == "completions ○ no not tried"
        assert (
            row(app, "logging") == "logging ● yes not tried" and row(app, "x-own") == "x-own ● yes not tried"
        )
        assert "Odd, but usable" not in part(app, "odd")
        # Completions and subscriptions are all that is left to try.
        await until(pilot, lambda: "A Ask anyway" in painted(app))
        await pilot.press("A")
        await until(pilot, lambda: row(app, "completions") == "completions ○ no asked for all the same")
        connection = app.workspace.connections["odd"]
        assert connection.offers("completions") and connection.offers("anything")
        await pilot.press("4")
        await until(pilot, lambda: "The list could not be read" in painted(app))


async def test_extensions_are_told_by_name_with_who_declares_them(until: Until, serve: Any) -> None:
    declared = {
        "extensions": {"io.modelcontextprotocol/ui": {}, "com.example/\x1b[2Jown[b]": {}},
        "experimental": {"old-thing": {}},
    }
    serve({"capabilities": declared, "serverInfo": {"name": "n", "version": "1"}}, _TOOLS)
    declare = Options(extensions={"io.modelcontextprotocol/ui": {}, "org.example/ours": {}})
    async with opened("odd", options=declare) as (app, pilot):
        await ready(app, pilot, until)
        told = " ".join(part(app, "capabilities").partition("Extensions")[2].split())
        assert "● io.modelcontextprotocol/ui in force, both sides declare it · pages that belong" in told
        assert "old-thing not in force, only the server declares it · experimental" in told
        assert "only we declare org.example/ours" in told and "own[b]" in told and "\x1b" not in told
        assert "in force: io" in part(app, "steps")
        assert not any(line.split()[:1] == ["extensions"] for line in part(app, "capabilities").splitlines())


@pytest.mark.parametrize(("size", "beside"), [((120, 40), True), ((60, 40), False)])
async def test_both_halves_of_the_handshake_are_shown(
    size: tuple[int, int], beside: bool, until: Until, serve: Any
) -> None:
    info = {"name": "n\x1b[2J[b]", "icons": [{"src": "data:x" * 900}]}
    serve({"capabilities": {"tools": {"listChanged": True}}, "serverInfo": info, "x-more": 1.5}, _TOOLS)
    async with opened("odd", size=size) as (app, pilot):
        pane = await ready(app, pilot, until)
        sent, answered = part(app, "sent"), part(app, "answered")
        assert "clientInfo" in sent and '"mcp-inspect"' in sent and "roots" in sent
        assert "listChanged" in answered and "x-more" in answered and "1.5" in answered
        assert "\x1b" not in answered and "[b]" in answered
        left, right = pane.query_one("#sent").region, pane.query_one("#answered").region
        assert (left.y == right.y) is beside and (left.x < right.x) is beside


_DEEP: dict[str, Any] = {}
for _ in range(100):
    _DEEP = {"deeper": _DEEP}


@pytest.mark.parametrize(
    "capabilities", [None, [1], "all", {"tools": None}, _DEEP, {f"x{n}": {} for n in range(1000)}]
)
async def test_odd_answers_are_shown_as_they_are(capabilities: Any, until: Until, serve: Any) -> None:
    serve({"capabilities": capabilities}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        answered = part(app, "answered").splitlines()
        assert len(answered) < 90 and len(part(app, "capabilities").splitlines()) < 40
        told = [line.split() for line in answered if "serverInfo" in line]
        assert told == [["serverInfo", "not", "told"]] or "… more" in answered[-1]


async def test_a_server_that_is_stopped_while_it_is_asked_is_not_asked_for_ever(
    until: Until, serve: Any
) -> None:
    serve({"capabilities": {}, "serverInfo": {}}, {})
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        await pilot.press("A", "S")
        await until(pilot, lambda: state(app, "odd") == "disabled")
        await until(pilot, lambda: "asking" not in part(app, "capabilities"))
        await until(pilot, lambda: "Ask anyway" not in painted(app))


async def test_the_server_introduces_itself_with_its_protocol_and_era(until: Until, serve: Any) -> None:
    info = {"name": "shop", "title": "The [b]Shop", "version": "2.1", "websiteUrl": "https://shop.example"}
    serve({"capabilities": {"tools": {}}, "serverInfo": info}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        title, website, protocol, era = part(app, "who").splitlines()
        said = "era found out: error -32601 to server/discover: Method not found"
        assert " ".join(era.split()) == said
        assert title == "The [b]Shop  shop 2.1" and website == "https://shop.example"
        assert protocol == "protocol 2025-11-25 · legacy era, opened by initialize"


@pytest.mark.parametrize(("code", "mark"), [(0, "○"), (3, "✗")])
async def test_an_end_with_code_0_is_told_calmly(code: int, mark: str, until: Until, serve: Any) -> None:
    serve({"capabilities": {"tools": {}}, "serverInfo": {"name": "shop", "version": "1"}}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        session = app.workspace.connections["odd"].session
        assert session is not None
        session.notify(f"exit/{code}")
        await until(pilot, lambda: part(app, "failure").startswith(f"{mark} exited with code {code}"))
        assert app.main.query_one("#failure").has_class("-calm") is (code == 0)
        # The title of the pane has the same mark.
        await until(pilot, lambda: f"{mark} odd" in painted(app))


async def test_who_is_done_before_the_handshake_has_failed(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(apps.SERVERS, "odd", [sys.executable, "-c", ""])
    async with opened("odd") as (app, pilot):
        await until(pilot, lambda: "✗ exited with code 0" in painted(app))
        assert not app.main.query_one("#failure").has_class("-calm")


@pytest.mark.parametrize("info", [None, "shop", {"name": 7, "title": ["x"], "version": {"a": 1}}])
async def test_a_server_that_does_not_say_who_it_is(info: Any, until: Until, serve: Any) -> None:
    serve({"capabilities": {"tools": {}}, "serverInfo": info}, _TOOLS)
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        assert part(app, "who").splitlines()[0] == "A server without a name"


async def test_both_eras_of_a_server_are_shown(until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
    server = str(Path(__file__).parents[2] / "servers" / "eras.py")
    monkeypatch.setitem(apps.SERVERS, "odd", [sys.executable, server, "dual"])
    async with opened("odd") as (app, pilot):
        await ready(app, pilot, until)
        assert "found out: server/discover lists 2026-07-28, 2025-11-25" in part(app, "who")
        assert "may be kept for 1m 00s, by anybody" in part(app, "who")
        assert "…/protocolVersion" in part(app, "sent") and "supportedVersions" in part(app, "answered")
        assert part(app, "other-era").strip() == "E shows how it is in the legacy era"
        # From the list of servers too, where it is read about.
        await pilot.press("s", "E")
        await until(pilot, lambda: "resources only here: x://a" in part(app, "other-era"))
        first, second = (line.split() for line in part(app, "other-era").split("\n")[:2])
        assert first == ["Both", "eras", "modern,", "in", "use", "legacy"]
        assert second == ["protocol", "2026-07-28", "2025-11-25"]
        assert "≠ resources" in part(app, "other-era") and "≠ tools" not in part(app, "other-era")


async def test_the_older_http_is_called_deprecated(until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "transport", property(lambda self: "sse"))
    async with opened("bakery") as (app, pilot):
        await until(pilot, lambda: "bakery · sse (deprecated) · " in painted(app))
        await until(pilot, lambda: "HTTP+SSE of 2024-11-05, deprecated since 2025-03-26" in painted(app))


async def test_what_the_java_sdk_makes_of_it_is_told_of_lists_tools_answers_and_frames(
    until: Until, serve: Any
) -> None:
    tool = {"name": "sound", "inputSchema": {"type": ["object"], "oneOf": []}}
    sound = {"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}
    answer = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "n"}}
    serve(answer, {"tools/list": {"tools": [tool]}, "tools/call": sound})
    async with opened("odd", size=(160, 50)) as (app, pilot):
        await ready(app, pilot, until)
        await until(pilot, lambda: "cannot read tools/list" in part(app, "java-sdk"))
        told = " ".join(part(app, "java-sdk").split())
        assert "✗ cannot read tools/list at all, because of sound (inputSchema/type is a list" in told
        assert "▲ drops inputSchema/oneOf of sound" in told
        assert told.index("✗ cannot") < told.index("▲ drops") < told.index("· refuses by itself")
        assert "2.0.1 · refuses by itself to ask for resources and logging: not declared" in told
        states = " ".join(part(app, "steps").split())
        assert "session: NEW " in states and ", INITIALIZING " in states and ", READY " in states
        view = await open_tool(app, pilot, until, "sound", "odd")
        await view._open("raw")
        definition = view.query_one(DefinitionView)
        await definition._open("java")
        await until(pilot, lambda: "✗ /inputSchema/type  Java SDK 0.10.0" in painted(app))
        definition.enter()
        await pilot.press("home", "enter")
        whole = definition.query_one("#definition-entry", JsonView)
        await until(pilot, lambda: whole.has_focus and whole.pointer == "$.inputSchema.type")
        await pilot.press("f5")
        await until(pilot, lambda: view.calls and not view.calls[0].running)
        shown = view.query_one(AnswerView)
        await until(pilot, lambda: "model" in shown.has_tabs)
        await shown._open("model")
        await until(pilot, lambda: "Java SDK 0.10.0 cannot read this answer" in painted(app))
        await until(pilot, lambda: "Java SDK 2.0.1 reads all of it" in painted(app))
        detail = Content.assemble(*_info(app.workspace.traffic, app.workspace.traffic.row(view.calls[0].row)))
        assert "Java SDK 0.10.0 cannot read this answer, and the call fails" in detail.plain
