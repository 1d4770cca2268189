"""What a server asks, answered in the app."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from app import Until, opened, painted
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, TextArea

from inspector.session.responders import Profile
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call, book_of, cancel
from inspector.tui.panes.inbox import InboxPane
from inspector.tui.panes.tool import ToolView
from inspector.tui.screens import inboxes
from inspector.tui.screens.answering import AnsweringScreen
from inspector.tui.screens.clocks import ClocksScreen
from inspector.tui.screens.confirm import ConfirmScreen
from inspector.tui.widgets.forms.picker import Picker
from inspector.tui.widgets.inbox import link
from inspector.tui.widgets.inbox.question_view import QuestionView
from inspector.tui.widgets.inbox.required_links import RequiredLinks
from inspector.tui.widgets.inbox.roots_view import RootsView
from inspector.workspace.connection import Connection


def connection(app: InspectorApp) -> Connection:
    return app.workspace.connections["asker"]


async def ready(app: InspectorApp, pilot: Pilot[Any], until: Until) -> Connection:
    await until(pilot, lambda: connection(app).count("tools") is not None and app.main.pane is not None)
    return connection(app)


def called(app: InspectorApp, tool: str) -> Call:
    call = Call("tools/call", {"name": tool, "arguments": {}})
    book_of(connection(app)).begin(call)
    return call


def said(call: Call) -> Any:
    assert call.answer is not None
    text = call.answer.result["content"][0]["text"]
    return json.loads(text) if text[:1] in "[{" else text


def view(app: InspectorApp) -> QuestionView | None:
    pane = app.main.pane
    tab = pane.tab if pane is not None else None
    shown = tab.view if isinstance(tab, InboxPane) else None
    return shown if isinstance(shown, QuestionView) else None


async def gone_to(app: InspectorApp, pilot: Pilot[Any], until: Until, kind: str) -> QuestionView:
    """Goes to the open question by its key, as soon as it is told."""
    await until(pilot, lambda: connection(app).inbox.open)
    await pilot.press("f12")
    await until(
        pilot, lambda: (shown := view(app)) is not None and shown.kind == kind and shown.question.is_open
    )
    await until(pilot, lambda: (shown := view(app)) is not None and shown.has_focus_within)
    shown = view(app)
    assert shown is not None
    return shown


async def test_forms_sampling_and_links_are_answered_by_hand(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    visited: list[str] = []
    monkeypatch.setattr(link.webbrowser, "open", lambda url: bool(visited.append(url)) or True)
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        call = called(app, "form")
        await until(pilot, lambda: any("Who are you?" in note.message for note in app._notifications))
        await until(pilot, lambda: "Inbox ? 1" in painted(app) and "? asker" in painted(app))
        await gone_to(app, pilot, until, "form")
        await pilot.press(*" L", "tab", *"36", "f5")
        await until(pilot, lambda: not call.running)
        assert said(call) == {
            "action": "accept",
            "content": {"name": "Ada L", "age": 36, "size": "M", "gift": True, "toppings": ["cream"]},
        }
        await until(pilot, lambda: '"Ada L"' in painted(app) and "✓ answered" in painted(app))
        await pilot.press("f12")
        await until(pilot, lambda: app.main.pane is not None and app.main.pane.tab_id == "overview")

        call = called(app, "sample")
        await gone_to(app, pilot, until, "sampling")
        for tab in ("messages", "json", "request", "form"):
            await pilot.press("f6")
            await until(
                pilot, lambda tab=tab: (shown := view(app)) and shown.tab == tab and shown.has_focus_within
            )
        field = app.focused
        await pilot.press(*"It is 18")
        await until(pilot, lambda: isinstance(field, TextArea) and field.text == "It is 18")
        await pilot.press("f5")
        await until(pilot, lambda: not call.running)
        answer = said(call)
        assert answer["content"] == {"type": "text", "text": "It is 18"} and answer["stopReason"] == "endTurn"
        call = called(app, "sample")
        await gone_to(app, pilot, until, "sampling")
        await pilot.press("f8")
        await until(pilot, lambda: not call.running)
        assert said(call)["code"] == -1

        call = called(app, "url")
        await gone_to(app, pilot, until, "link")
        await until(pilot, lambda: "reads" in painted(app) and "punycode" in painted(app))
        assert not visited
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.main)
        assert call.running and not visited
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not call.running)
        assert said(call) == {"action": "accept"} and visited == [
            "http://xn--pypal-4ve.com:8080/login?next=1"
        ]
        assert [one.state for one in asker.inbox.questions] == [
            "answered",
            "answered",
            "declined",
            "answered",
        ]


async def test_a_server_that_goes_on_asking_is_told_of_once_at_a_time(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inboxes, "_TOLD_FOR", 3600.0)
    async with opened("asker") as (app, pilot):
        await ready(app, pilot, until)
        told = lambda: [note for note in app._notifications if note.title == "A question"]  # noqa: E731
        called(app, "url")
        await until(pilot, told)
        called(app, "ten")
        await until(pilot, lambda: "Inbox ? 11" in painted(app))
        called(app, "sample")
        await until(pilot, lambda: "Inbox ? 12" in painted(app))
        assert len(told()) == 1
        held = len(app.main._news)
        await pilot.press("f12")
        await until(pilot, lambda: not app.main._news)
        assert held == 11


async def test_a_key_that_comes_twice_answers_once_and_all_are_declined_by_one(until: Until) -> None:
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        call = called(app, "ten")
        await until(pilot, lambda: len(asker.inbox.open) == 10)
        await gone_to(app, pilot, until, "form")
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.focused, OptionList))
        shown = view(app)
        assert shown is not None and shown.question.is_open
        await pilot.press("f8")
        assert len(asker.inbox.open) == 9
        await pilot.press("f5")
        await until(pilot, lambda: shown.has_focus_within)
        assert len(asker.inbox.open) == 9
        await pilot.press("escape", "D")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await until(pilot, lambda: "Decline all 9 questions of asker?" in painted(app))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.main)
        await until(pilot, lambda: len(asker.inbox.open) == 9 and "Decline all 9" in painted(app))
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not call.running)
        assert {each["action"] for each in said(call)} == {"decline"}


async def test_the_word_of_a_question_goes_with_it(until: Until, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inboxes, "_TOLD_FOR", 3600.0)
    told = lambda app: [note.message for note in app._notifications if note.title == "A question"]  # noqa: E731
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        called(app, "form")
        await until(pilot, lambda: told(app))
        await pilot.press("f12")
        await until(pilot, lambda: not told(app))
        assert asker.inbox.open
        await app.main.show_tab_of("asker", "overview")
        called(app, "sample")
        await until(pilot, lambda: told(app))
        for question in asker.inbox.open:
            question.decline()
        await until(pilot, lambda: not told(app))


async def test_a_required_text_that_nobody_touched_is_missing_and_a_link_that_is_not_opened_has_no_key(
    until: Until,
) -> None:
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        call = called(app, "required text")
        await gone_to(app, pilot, until, "form")
        await pilot.press("f5")
        await until(pilot, lambda: "/word: required" in painted(app))
        assert call.running
        await pilot.press("ctrl+e", "f5")
        await until(pilot, lambda: not call.running)
        assert said(call) == {"action": "accept", "content": {"word": ""}}
        called(app, "script")
        shown = await gone_to(app, pilot, until, "link")
        await until(
            pilot,
            lambda: (
                "It is not opened" in painted(app) and not shown.can("answer") and "Open" not in painted(app)
            ),
        )
        await pilot.press("f5")
        assert asker.inbox.open and app.screen is app.main


async def test_a_question_whose_call_is_over_says_so_and_is_answered_all_the_same(until: Until) -> None:
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        call = called(app, "form")
        await gone_to(app, pilot, until, "form")
        assert "No call waits for this" not in painted(app)
        cancel(call)
        await until(pilot, lambda: not call.running and "No call waits for this" in painted(app))
        await pilot.press("f5")
        await until(pilot, lambda: asker.inbox.questions[-1].state == "answered")
        await until(pilot, lambda: (shown := view(app)) is not None and shown.tab == "reply")
        await until(pilot, lambda: (shown := view(app)) is not None and shown.has_focus_within)
        call = called(app, "after")
        await until(pilot, lambda: asker.inbox.open)
        await pilot.press("f5")
        await until(pilot, lambda: (shown := view(app)) and shown.question.is_open and shown.has_focus_within)
        assert asker.inbox.open
        await until(pilot, lambda: not call.running and "No call waits for this" in painted(app))
        await pilot.press("f8")
        await until(pilot, lambda: asker.inbox.questions[-1].state == "declined")


async def test_an_answer_that_a_file_delays_says_when_it_comes_and_nobody_is_called(until: Until) -> None:
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        asker.inbox.responder = Profile(form="accept", delay=3000.0)
        call = called(app, "form")
        await gone_to(app, pilot, until, "form")
        await until(pilot, lambda: "It is answered by itself in" in painted(app))
        assert not any(note.title == "A question" for note in app._notifications)
        await pilot.press("f8")
        await until(pilot, lambda: not call.running)
        assert said(call) == {"action": "decline"}


async def test_a_task_has_no_clock_but_that_of_the_person_who_may_set_one(until: Until) -> None:
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        await app.main.go_to("asker", "asks")
        await until(pilot, lambda: any(one.has_focus_within for one in app.main.query(ToolView)))
        await pilot.press("alt+t", "f5")
        await until(pilot, lambda: asker.inbox.open and "no limit" in painted(app))
        await pilot.press("shift+f9")
        await until(pilot, lambda: isinstance(app.screen, ClocksScreen))
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is app.main)
        (call,) = book_of(asker).running("tools/call")
        clocks = call.clocks()
        assert clocks is not None and clocks.total_limit == clocks.idle_limit == math.inf
        asker.inbox.open[0].decline()
        await until(pilot, lambda: not call.running)


async def test_many_at_once_those_taken_back_and_those_that_nobody_should_send(until: Until) -> None:
    async with opened("asker", size=(80, 24)) as (app, pilot):
        asker = await ready(app, pilot, until)
        call = called(app, "ten")
        await until(pilot, lambda: len(asker.inbox.open) == 10)
        await gone_to(app, pilot, until, "form")
        for left in range(9, -1, -1):
            await pilot.press("f9" if left % 2 else "f8")
            await until(pilot, lambda left=left: len(asker.inbox.open) == left)
            if left:
                await until(pilot, lambda: isinstance(app.focused, OptionList))
                await pilot.press("f5")
                await until(pilot, lambda: (shown := view(app)) is not None and shown.question.is_open)
                await until(pilot, lambda: (shown := view(app)) is not None and shown.has_focus_within)
        await until(pilot, lambda: not call.running)
        assert [each["action"] for each in said(call)] == ["cancel", "decline"] * 5
        for tool in ("withdraw", "odd", "ids", "broken"):
            call = called(app, tool)
            await until(pilot, lambda call=call: not call.running)
        states = [one.state for one in asker.inbox.questions][10:14]
        assert states == ["timed out", "cancelled", "refused", "refused"]
        for question in asker.inbox.open:
            await app.main.show_inbox(asker, question)
            await until(pilot, lambda question=question: (shown := view(app)) and shown.question is question)
            await pilot.press("f6")
            await pilot.press("f8")
            await until(pilot, lambda question=question: not question.is_open)
        called(app, "hostile")
        await gone_to(app, pilot, until, "form")
        assert "\x1b" not in painted(app) and "\u202e" not in painted(app)
        called(app, "die")
        await until(pilot, lambda: asker.state == "error")
        assert asker.inbox.questions[-1].state == "lost" and not asker.inbox.open
        await until(pilot, lambda: "lost" in painted(app))


async def test_roots_and_who_answers_are_chosen_and_kept(until: Until, home: Path) -> None:
    profile = home / "answers.json"
    profile.write_text('{"elicitation": {"content": {"name": "File"}}, "sampling": "echo"}')
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        await app.main.show_tab_of("asker", "inbox")
        await until(
            pilot, lambda: app.main.query(InboxPane) and app.main.query_one(InboxPane).has_focus_within
        )
        await pilot.press("e")
        await until(pilot, lambda: (found := app.main.query(RootsView)) and found.first().has_focus_within)
        await pilot.press(*"/w", "f5")
        await until(pilot, lambda: [root.uri for root in asker.inbox.roots or ()] == ["file:///w"])
        await until(pilot, lambda: asker.inbox.questions)
        assert asker.inbox.questions[0].reply == {"roots": [{"uri": "file:///w"}]}
        form = app.main.query_one(RootsView).form
        await until(pilot, lambda: form.place == "/roots/1/uri")

        await pilot.press("escape", "o")
        await until(pilot, lambda: isinstance(app.screen, AnsweringScreen))
        await pilot.press("down", "enter", *"/nowhere", "enter")
        await until(pilot, lambda: "cannot be read" in painted(app))
        app.screen.query_one(Input).value = str(profile)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.main)
        call = called(app, "form")
        await until(pilot, lambda: not call.running)
        assert said(call)["content"]["name"] == "File"
        await until(pilot, lambda: "answers.json" in painted(app))

        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, AnsweringScreen))
        app.screen.query_one(OptionList).highlighted = 3
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is app.main)
        call = called(app, "sample")
        await until(pilot, lambda: not call.running)
        assert said(call)["code"] == -1
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)
        assert [root.uri for root in asker.inbox.roots or ()] == ["file:///w"]
        assert asker.inbox.responder is not None and "nobody" in asker.inbox.responder.title


async def test_tasks_the_log_and_addresses_to_visit_first(
    until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    visited: list[str] = []
    monkeypatch.setattr(link.webbrowser, "open", lambda url: bool(visited.append(url)) or True)
    async with opened("asker") as (app, pilot):
        asker = await ready(app, pilot, until)

        async def tool(name: str) -> ToolView:
            await app.main.go_to("asker", name)
            await until(
                pilot,
                lambda: any(one.name_ == name and one.has_focus_within for one in app.main.query(ToolView)),
            )
            return next(one for one in app.main.query(ToolView) if one.name_ == name)

        long = await tool("long")
        await until(
            pilot, lambda: "only as a task" in painted(app) and "https://a.test/i.png" in painted(app)
        )
        await pilot.press("f5")
        await until(pilot, lambda: "task working" in painted(app))
        assert long.calls[0].params["task"] == {"ttl": 300000}
        await pilot.press("f8")
        await until(pilot, lambda: long.calls[0].badge == "cancelled")
        quick = await tool("quick")
        await pilot.press("alt+t", "f5")
        await until(pilot, lambda: bool(quick.calls) and quick.calls[0].badge == "ok")
        await until(pilot, lambda: "quick is done" in painted(app))
        await app.main.show_tab_of("asker", "tasks")
        await until(pilot, lambda: "no more to do" in painted(app) and "✓" in painted(app))
        await pilot.press("f5", "f7")
        await until(pilot, lambda: '"taskId"' in painted(app) or "quick is done" in painted(app))
        await pilot.press("down", "f6")
        await until(pilot, lambda: "○ cancelled" in painted(app))

        await tool("log")
        await pilot.press("f5")
        await until(pilot, lambda: asker.messages.count == 11)
        await app.main.show_tab_of("asker", "log")
        await until(pilot, lambda: "emergency" in painted(app) and "in words" in painted(app))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"error", "enter")
        await until(pilot, lambda: asker.messages.level == "error" and "Asked for: error" in painted(app))
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"warning", "enter")
        await until(pilot, lambda: "app.i" not in painted(app) and "app.w" in painted(app))
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"app.e", "enter")
        await until(pilot, lambda: "Logger: app.e" in painted(app) and "app.w" not in painted(app))
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"all", "enter")
        await until(pilot, lambda: "Logger: all" in painted(app) and "app.w" in painted(app))
        await pilot.press("slash", *"app.c", "enter")
        await until(pilot, lambda: "app.w" not in painted(app) and "app.c" in painted(app))

        required = await tool("required")
        await pilot.press("f5")
        await until(pilot, lambda: "accounts.example.com" in painted(app))
        app.main.query_one(RequiredLinks).query(Button).first().press()
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: visited == ["https://accounts.example.com/consent?state=1"])
        assert required.calls[0].badge == "link first" and "is complete" not in painted(app)
        called(app, "complete")
        await until(pilot, lambda: "✓ The server says that it is complete." in painted(app))
        app.main.query_one(RequiredLinks).query(Button).last().press()
        await until(pilot, lambda: len(required.calls) == 2 and not required.calls[0].running)
