"""Calls over their whole life: running, remembered, repeated, compared, copied; and what answers can be made of."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from app import Until, open_tool, opened, painted, state, tool_view
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.base.secrets import Secrets
from inspector.config.adhoc import from_command, from_url
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.transports.httpd import Request, Response, serve
from inspector.tui import calls
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call, book_of, restored
from inspector.tui.panes.tool import ToolView
from inspector.tui.screens.clocks import ClocksScreen
from inspector.tui.screens.copy_as import CopyAsScreen
from inspector.tui.screens.diff import DiffScreen
from inspector.tui.screens.find_tool import FindToolScreen
from inspector.tui.screens.save import SaveScreen
from inspector.tui.widgets.answers.answer_view import AnswerView
from inspector.tui.widgets.answers.block_view import BlockView
from inspector.tui.widgets.bars.key_bar import KeyBar
from inspector.tui.widgets.text.json_view import JsonView
from inspector.tui.widgets.tools.call_list import CallList
from inspector.workspace.workspace import Workspace

ODD = str(Path(__file__).parents[1] / "servers" / "odd.py")


@asynccontextmanager
async def odd(
    mode: str, size: tuple[int, int] = (120, 40), options: Options = Options()
) -> AsyncIterator[tuple[InspectorApp, Pilot[Any]]]:
    """The app on a server that answers as it should not; it is named `bakery`, as the helpers expect."""
    async with Workspace(Traffic.in_memory(), environment={"PATH": ""}, options=options) as workspace:
        entry = from_command([sys.executable, ODD, mode])
        entry.name = "bakery"
        workspace.add(entry)
        app = InspectorApp(workspace, "odd")
        async with app.run_test(size=size) as pilot:
            yield app, pilot


def answer_of(view: ToolView) -> AnswerView:
    return view.query_one(AnswerView)


async def called(view: ToolView, pilot: Pilot[Any], until: Until, badge: str = "ok") -> Call:
    """Calls with what is entered, and waits until its answer is on show."""
    before = answer_of(view).call
    await view.call()
    await until(pilot, lambda: answer_of(view).call is not before)
    call = answer_of(view).call
    assert call is not None and call.badge == badge
    return call


# History


async def test_calls_are_remembered_repeated_changed_and_compared(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "price_of")
        await view._form.load({"item": "croissant", "count": 2})
        first = await called(view, pilot, until)
        await view._form.load({"item": "baguette", "count": 3})
        second = await called(view, pilot, until)
        assert view.calls == [second, first]
        await view._open("history")
        history = view.query_one(CallList)
        history.enter()
        await until(pilot, lambda: '"count": 3' in painted(app) and "✓" in painted(app))
        # An older answer, opened.
        await pilot.press("down", "enter")
        await until(pilot, lambda: answer_of(view).call is first and answer_of(view).has_focus_within)
        # Repeated as it was.
        history.enter()
        await until(pilot, lambda: history.has_focus_within)
        await pilot.press("f5")
        await until(pilot, lambda: len(view.calls) == 3 and not view.calls[0].running)
        assert view.calls[0].params == first.params
        # Compared: the cursor stays on its call though another came on top.
        assert history.call is first
        await pilot.press("m", "up", "D")
        await until(pilot, lambda: isinstance(app.screen, DiffScreen))
        await until(pilot, lambda: "/structuredContent/item" in painted(app) and "baguette" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DiffScreen))
        # Taken up again in the form.
        history.enter()
        await pilot.press("e")
        await until(pilot, lambda: view._strip.active == "form")
        assert view._form.outcome().arguments == {"item": "baguette", "count": 3}


async def test_history_outlives_a_restart_of_the_server(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view._form.load({"name": "Ada"})
        call = await called(view, pilot, until)
        connection = app.workspace.connections["bakery"]
        await connection.restart()
        await until(pilot, lambda: state(app, "bakery") == "ready" and connection.restarts == 1)
        await until(pilot, lambda: connection.count("tools") is not None)
        await app.main.go_to("bakery", "say_hello")
        await until(pilot, lambda: (now := tool_view(app)) is not None and now.calls == [call])
        fresh = ToolView(connection, {"name": "say_hello"}, [], place=0, id="fresh")
        assert fresh.calls == [call]


async def test_large_answers_are_read_back_from_the_traffic(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "_HELD", 100_000)
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "sift_flour")
        await view._form.load({"kilobytes": 90})
        first = await called(view, pilot, until)
        await called(view, pilot, until)
        assert first.answer is None and first.size > 90_000 and first.badge == "ok"
        answer = restored(first, app.workspace.traffic.raw)
        assert answer is not None and len(answer.raw) == first.size
        await answer_of(view).show(first)
        await until(pilot, lambda: "fine as dust" in painted(app))


def gone(row: int) -> bytes:
    raise IndexError(row)


async def test_an_answer_that_the_traffic_has_let_go_of_says_so(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view._form.load({"name": "Ada"})
        call = await called(view, pilot, until)
        call.answer, call.row = None, 10_000_000
        assert restored(call, gone) is None
        await answer_of(view).show(call)
        await until(pilot, lambda: "not held any more" in painted(app))


# Running calls


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_clocks_progress_more_time_and_walking_away(size: tuple[int, int], until: Until) -> None:
    async with opened("bakery", size=size) as (app, pilot):
        view = await open_tool(app, pilot, until, "bake")
        await until(pilot, lambda: view.has_focus_within)
        await view._form.load({"bread": "baguette", "seconds": 60})
        await view.enter()
        await pilot.press("f5")
        await until(pilot, lambda: "Cancel  F8" in painted(app))
        await until(pilot, lambda: "idle" in painted(app) and "/600 s" in painted(app))
        call = view.calls[0]
        assert call.running and call.pending is not None
        await pilot.press("f9")
        await until(pilot, lambda: "/660 s" in painted(app))
        assert call.pending.idle == 120
        # Another tool meanwhile, called as well.
        other = await open_tool(app, pilot, until, "say_hello")
        await other._form.load({"name": "Ada"})
        await called(other, pilot, until)
        await pilot.press("escape")
        await until(pilot, lambda: "running" in painted(app))
        view = await open_tool(app, pilot, until, "bake")
        await until(pilot, lambda: "Cancel  F8" in painted(app))
        # A second one beside it needs a second F5.
        await view.call()
        await until(pilot, lambda: "runs already" in painted(app))
        assert len(view.calls) == 1
        await view.call()
        await until(pilot, lambda: "… 2 running" in painted(app))
        await pilot.press("f8")
        await until(pilot, lambda: not view.calls[0].running)
        assert view.calls[0].badge == "cancelled" and call.running
        await pilot.press("f8")
        await until(pilot, lambda: not call.running)
        await until(pilot, lambda: "○ cancelled" in painted(app))


async def test_a_call_goes_on_when_its_view_is_gone(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "bake")
        await view._form.load({"bread": "baguette", "seconds": 60})
        await view.call()
        await until(pilot, lambda: view.running)
        call = view.calls[0]
        key = "1 bake"
        await view.remove()
        assert call.running
        await app.main.pane.tab._show(key)  # type: ignore[union-attr]
        await until(pilot, lambda: (now := tool_view(app)) is not None and now is not view and now.running)
        calls.cancel(call)
        await until(pilot, lambda: not call.running)
        # Built once more, it shows the last answer.
        await until(pilot, lambda: (now := tool_view(app)) is not None and not now.running)
        view = tool_view(app)
        assert view is not None
        await view.remove()
        await app.main.pane.tab._show(key)  # type: ignore[union-attr]
        await until(pilot, lambda: (now := tool_view(app)) is not None and answer_of(now).call is call)
        await until(pilot, lambda: "○ cancelled" in painted(app))


async def test_a_time_out_and_a_lost_connection_are_told_apart(until: Until) -> None:
    async with odd("plain", options=Options(timeout=0.3)) as (app, pilot):
        view = await open_tool(app, pilot, until, "silent")
        await called(view, pilot, until, "timed out")
        await until(pilot, lambda: "◔ timed out" in painted(app) and "within 300 ms" in painted(app))
        session = app.workspace.connections["bakery"].session
        assert session is not None
        session.options = Options()
        view = await open_tool(app, pilot, until, "exit")
        await called(view, pilot, until, "connection lost")
        await until(
            pilot, lambda: "⊘ connection lost" in painted(app) and "T_KEY is required" in painted(app)
        )
        await until(pilot, lambda: app.workspace.connections["bakery"].state == "error")
        await called(view, pilot, until, "not sent")
        await until(pilot, lambda: "bakery is not connected; nothing was sent" in painted(app))


async def test_a_call_in_a_session_that_the_server_forgot_says_that_and_what_to_do() -> None:
    async def forgets(request: Request) -> Response:
        message = json.loads(request.body) if request.body else {}
        if request.method != "POST" or "id" not in message:
            return Response(202 if request.method == "POST" else 405)
        if message["method"] != "initialize":
            return Response(404, b"Session not found")
        result = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "serverInfo": {"name": "s", "version": "1"},
        }
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        return Response(200, body, (("Content-Type", "application/json"), ("Mcp-Session-Id", "s")))

    options = Options(protocol="legacy", connect_timeout=20)
    async with serve(forgets) as server, Workspace(Traffic.in_memory(), options=options) as workspace:
        connection = workspace.add(from_url(f"{server.url}/mcp"))
        workspace.start()
        await workspace.settled()
        call = calls.Call("tools/call", {"name": "t"})
        await calls.book_of(connection).begin(call)
        assert call.badge == "session lost" and call.why is not None
        assert "no longer knows the session" in call.why.message and "call again" in (call.why.hint or "")


# Answers


async def test_three_kinds_of_outcome(until: Until) -> None:
    async with opened("bakery", size=(140, 50)) as (app, pilot):
        await called(await open_tool(app, pilot, until, "check_oven"), pilot, until)
        await until(pilot, lambda: "✓ ok" in painted(app))
        await called(await open_tool(app, pilot, until, "burn_toast"), pilot, until, "tool error")
        await until(pilot, lambda: "▲ tool error" in painted(app) and "toast is black" in painted(app))
        await called(await open_tool(app, pilot, until, "break_the_till"), pilot, until, "protocol error")
        await until(pilot, lambda: "✗ protocol error" in painted(app))
        text = painted(app)
        assert "-32010" in text and "range that servers define" in text and '"drawer": "stuck"' in text


async def test_every_kind_of_block(until: Until) -> None:
    async with opened("bakery", size=(140, 90)) as (app, pilot):
        view = await open_tool(app, pilot, until, "full_breakfast")
        await called(view, pilot, until)
        await pilot.press("f7")
        await until(pilot, lambda: "for assistant · priority 0.2" in painted(app))
        text = painted(app)
        assert "for user" in text and "image · image/png · PNG · 128 × 128 pixels" in text
        assert "audio · audio/wav" in text and "embedded resource · bakery://notes/chef" in text
        assert "link to a resource" in text and "What else there is" in text and "enter reads it" in text
        assert "embedded resource, binary" in text
        # Saving the picture under the cursor.
        blocks = answer_of(view).query_one(BlockView)
        blocks.cursor = next(n for n in range(blocks.line_count()) if "image ·" in blocks.render_line(n).text)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        await pilot.press("escape")
        # The link is read where resources are read.
        blocks.cursor = next(
            n for n in range(blocks.line_count()) if "bakery://menu" in blocks.render_line(n).text
        )
        blocks.focus()
        await pilot.press("enter")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane._wanted == "resources")
        await until(pilot, lambda: "croissant" in painted(app) and "bakery://menu" in painted(app))


async def test_structured_content_beside_the_text(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "price_of")
        await view._form.load({"item": "croissant"})
        await called(view, pilot, until)
        await until(pilot, lambda: "✓ fits its outputSchema" in painted(app))
        await until(pilot, lambda: "✓ structured = text" in painted(app))
        # A text that is wholly JSON is shown as such.
        answer = answer_of(view)
        assert answer._strip.active == "json"
        await pilot.press("f7")
        await until(
            pilot, lambda: isinstance(app.focused, JsonView) and '"item": "croissant"' in painted(app)
        )
        await pilot.press("v")
        await until(pilot, lambda: answer._strip.active == "structured")
        await pilot.press("escape")
        await until(pilot, lambda: view._form.has_focus_within)


async def test_the_focus_is_where_work_goes_on(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await until(pilot, lambda: view._form.has_focus_within)
        await pilot.press(*"Ada", "f5")
        await until(pilot, lambda: answer_of(view).call is not None)
        assert view._form.has_focus_within
        await pilot.press("f7")
        await until(pilot, lambda: answer_of(view).has_focus_within and app.main.zoomed is None)
        await pilot.press("f7")
        await until(pilot, lambda: app.main.zoomed is not None)
        await pilot.press("escape")
        await until(pilot, lambda: app.main.zoomed is None and view._form.has_focus_within)
        await pilot.press("f10")
        await until(pilot, lambda: view.query_one(CallList).has_focus_within)
        await pilot.press("f10")
        await until(pilot, lambda: view._form.has_focus_within)


async def test_the_clocks_of_a_running_call_are_set(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "bake")
        await until(pilot, lambda: view.has_focus_within)
        await view._form.load({"bread": "baguette", "seconds": 60})
        await view.enter()
        await pilot.press("f5")
        await until(pilot, lambda: view.calls and view.calls[0].pending is not None)
        call = view.calls[0]
        await pilot.press("shift+f9")
        await until(pilot, lambda: isinstance(app.screen, ClocksScreen) and app.focused is not None)
        assert [field.value for field in app.screen.query(Input)] == ["60", "600"]
        for typed, told in (("x", True), ("0", True), ("90", False)):
            app.focused.value = typed  # type: ignore[union-attr]
            await pilot.press("ctrl+s")
            await until(pilot, lambda told=told: ("Write seconds" in painted(app)) is told)
        await until(pilot, lambda: not isinstance(app.screen, ClocksScreen))
        assert call.pending is not None and (call.pending.idle, call.pending.total) == (90, 600)
        # As much as has passed already: it is over at once.
        await pilot.press("shift+f9")
        await until(pilot, lambda: isinstance(app.screen, ClocksScreen) and app.focused is not None)
        await pilot.press("enter")
        app.focused.value = "0.001"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: call.badge == "timed out")


async def test_a_key_that_can_do_nothing_here_says_where_it_works(until: Until) -> None:
    async with opened("bakery", "ghost") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await until(pilot, lambda: view._form.has_focus_within)
        await pilot.press("escape", "s", "w")
        await until(pilot, lambda: "w (Save) can do nothing here" in _toasts(app))
        await pilot.press("t")
        await pilot.press("f9")
        await until(pilot, lambda: "F9 (+60 s) can do nothing here" in _toasts(app))
        await pilot.press("n", "t")
        await until(pilot, lambda: "ghost has no tools now" in _toasts(app))


def _toasts(app: InspectorApp) -> str:
    return " ".join(notice.message for notice in app._notifications)


async def test_a_misfit_is_named_and_the_focus_comes_back_to_its_field(until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        view = await open_tool(app, pilot, until, "order_cake")
        await until(pilot, lambda: view._form.has_focus_within)
        # What is typed opens the list here, so no letter is offered.
        assert not {"q", "r", "?"} & {key for key, _, _ in app.main.query_one(KeyBar).offered()}
        await pilot.press(*["tab"] * 7)
        street = app.focused
        await until(pilot, lambda: "▌  street" in painted(app))
        await pilot.press("escape", "enter")
        await until(pilot, lambda: app.focused is street and "▌  street" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: "/flavour: required (+" in painted(app))
        await until(pilot, lambda: "▌flavour" in painted(app) and "✗ required" in painted(app))


async def test_a_tool_is_found_from_a_text_field(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await until(pilot, lambda: view._form.has_focus_within)
        await pilot.press(*"Ada", "home", "ctrl+k")
        await until(pilot, lambda: isinstance(app.screen, FindToolScreen))
        assert view._form.outcome().arguments == {"name": "Ada"}


async def test_a_filtered_list_says_so(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await until(pilot, lambda: view._form.has_focus_within)
        await pilot.press("escape", "slash", *"order_cake")
        await until(pilot, lambda: "1 of 30" in painted(app))
        await pilot.press("escape")
        await until(pilot, lambda: "1 of 30" not in painted(app))


async def test_a_broken_promise_and_a_text_that_says_otherwise(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "weigh_dough")
        await called(view, pilot, until)
        await until(pilot, lambda: "▲ outputSchema: /grams:" in painted(app))
        await until(pilot, lambda: "▲ the text holds other JSON than structuredContent" in painted(app))


async def test_markdown_is_set_on_request(until: Until) -> None:
    async with opened("bakery", size=(140, 60)) as (app, pilot):
        view = await open_tool(app, pilot, until, "full_breakfast")
        await called(view, pilot, until)
        answer_of(view).enter()
        await pilot.press("b")
        await until(pilot, lambda: "Do not forget the jam." in painted(app))
        await pilot.press("b")
        await until(pilot, lambda: "Do **not** forget" in painted(app) or isinstance(app.focused, BlockView))


async def test_three_mebibytes_are_shown_and_searched(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "sift_flour")
        await view._form.load({"kilobytes": 3072})
        await called(view, pilot, until)
        await until(pilot, lambda: "0000000" in painted(app))
        answer_of(view).enter()
        await pilot.press("end")
        await until(pilot, lambda: "0000000" not in painted(app) and "fine as dust" in painted(app))


async def test_the_result_takes_all_the_room_and_gives_it_back(until: Until) -> None:
    async with opened("bakery", size=(80, 24)) as (app, pilot):
        view = await open_tool(app, pilot, until, "breads_of_the_world")
        await called(view, pilot, until)
        answer_of(view).enter()
        await until(pilot, lambda: answer_of(view).has_focus_within)
        await pilot.press("f7")
        blocks = answer_of(view).query_one(BlockView)
        await until(pilot, lambda: blocks.size.height >= 16 and blocks.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: app.main.zoomed is None and blocks.size.height < 16)


HOSTILE: list[Any] = [
    7, None, [], {}, {"type": 7}, {"type": "text"}, {"type": "text", "text": 5}, {"type": "text", "text": ""},
    {"type": "image"}, {"type": "image", "data": 7}, {"type": "image", "data": "%%%", "mimeType": 3},
    {"type": "image", "data": "AAAA", "mimeType": "image/png"}, {"type": "audio", "data": ""},
    {"type": "resource"}, {"type": "resource", "resource": 3}, {"type": "resource", "resource": {"uri": 7}},
    {"type": "resource", "resource": {"uri": "a:b", "blob": "!"}}, {"type": "resource_link"},
    {"type": "resource_link", "uri": "x:\u202ey", "name": {}, "size": "big"},
    {"type": "hologram", "depth": [[[[1]]]]}, {"type": "text", "text": "a", "annotations": 7},
    {"type": "text", "text": "a", "annotations": {"audience": [7, {}], "priority": True, "lastModified": 5}},
    {"type": "text", "text": "{\"a\": [1, 2"}, {"type": "text", "text": "\x1b]52;c;aGk=\x07 \u202egnp [/x]"},
]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (140, 60)])
async def test_blocks_that_are_wrong_cost_only_themselves(
    size: tuple[int, int], tmp_path: Path, until: Until
) -> None:
    script = tmp_path / "server.py"
    script.write_text(
        "import json, sys\n"
        f"blocks = json.loads({json.dumps(json.dumps(HOSTILE))})\n"
        "for line in sys.stdin:\n"
        "    ask = json.loads(line)\n"
        "    if 'id' not in ask: continue\n"
        "    name = ask.get('params', {}).get('name')\n"
        "    many = {'content': blocks * 400} if name == 'many' else {'content': blocks, 'structuredContent': 7}\n"
        "    results = {'initialize': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},\n"
        "      'serverInfo': {'name': 'x', 'version': '1'}},\n"
        "      'tools/list': {'tools': [{'name': n, 'inputSchema': {'type': 'object'}} for n in ('one', 'many')]},\n"
        "      'tools/call': many}\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': ask['id'], 'result': results[ask['method']]}), flush=True)\n"
    )
    async with Workspace(Traffic.in_memory(), secrets=Secrets(), environment={"PATH": ""}) as workspace:
        entry = from_command([sys.executable, str(script)])
        entry.name = "bakery"
        workspace.add(entry)
        app = InspectorApp(workspace, "")
        async with app.run_test(size=size) as pilot:
            for tool in ("one", "many"):
                view = await open_tool(app, pilot, until, tool)
                await called(view, pilot, until)
                blocks = answer_of(view).query_one(BlockView)
                blocks.focus()
                await until(pilot, lambda blocks=blocks: blocks.line_count() > len(HOSTILE))
                shown = "\n".join(
                    "".join(segment.text for segment in blocks.paint(number, 200))
                    for number in range(min(400, blocks.line_count()))
                )
                assert "no base64" in shown and "not known here" in shown and "no URI" in shown
                assert "\\u202e" in shown and "\x1b" not in shown and "\u202e" not in shown
                for key in ("end", "enter", "v", "v", "v", "home", "D", "escape"):
                    await pilot.press(key)
            assert app.is_running and "more blocks" in "".join(
                segment.text for segment in blocks.paint(blocks.line_count() - 1, 200)
            )


# Copying


async def test_a_call_is_copied_in_other_forms(until: Until) -> None:
    async with opened("bakery") as (app, pilot):
        view = await open_tool(app, pilot, until, "say_hello")
        await view._form.load({"name": "Ada"})
        await view.enter()
        await pilot.press("f3")
        await until(pilot, lambda: "what is entered now" in painted(app))
        await until(pilot, lambda: "there is no answer yet" in painted(app) and "curl" in painted(app))
        await pilot.press("m")
        await until(pilot, lambda: "mcp-inspect call say_hello name=Ada" in app.clipboard)
        await called(view, pilot, until)
        answer_of(view).enter()
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, CopyAsScreen))
        await until(pilot, lambda: "the call of" in painted(app))
        await pilot.press("t")
        await until(pilot, lambda: app.clipboard.startswith("Good morning, Ada!"))
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, CopyAsScreen))
        await pilot.press("f")
        await until(pilot, lambda: app.clipboard.startswith("{"))
        assert json.loads(app.clipboard)["params"]["_meta"]["progressToken"] is not None
        assert book_of(app.workspace.connections["bakery"]).of("tools/call", "say_hello")[0] is view.calls[0]
