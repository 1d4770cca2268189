"""A server of 2026-07-28 that asks in rounds, answered in the app: over stdio and HTTP, given up, without an end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from app import Until, painted
from textual.pilot import Pilot
from works import served

from inspector.base.secrets import Secrets
from inspector.session.inbox import Question
from inspector.session.responders import AskPerson
from inspector.session.session import Options
from inspector.traffic.store import Traffic
from inspector.tui.app import InspectorApp
from inspector.tui.calls import Call, book_of
from inspector.tui.panes.inbox import InboxPane
from inspector.tui.widgets.traffic.exchange_view import conversation
from inspector.workspace.connection import Connection
from inspector.workspace.workspace import Workspace


class Desk:
    """The app with tests/servers/works.py, and a person at it."""

    def __init__(
        self, app: InspectorApp, pilot: Pilot[Any], connection: Connection, traffic: Traffic, until: Until
    ) -> None:
        self.app, self.pilot, self.connection, self.traffic, self._until = (
            app,
            pilot,
            connection,
            traffic,
            until,
        )

    async def until(self, condition: Callable[[], Any]) -> None:
        await self._until(self.pilot, condition)

    def call(self, tool: str) -> Call:
        call = Call("tools/call", {"name": tool, "arguments": {}})
        book_of(self.connection).begin(call)
        return call

    async def at(self, key: str) -> Question:
        """Goes to the oldest open question, which has this key."""
        await self.until(lambda: self.connection.inbox.open)
        await self.pilot.press("f12")
        pane = lambda: self.app.main.query(InboxPane)  # noqa: E731
        await self.until(
            lambda: (
                pane()
                and (view := pane().first().view) is not None
                and view.has_focus_within
                and view.question.key == key
            )
        )
        return pane().first().view.question  # type: ignore[union-attr]


@pytest.fixture(params=["stdio", "http"])
async def desk(request: pytest.FixtureRequest, until: Until) -> AsyncIterator[Callable[[], Any]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Desk]:
        traffic = Traffic.in_memory()
        async with (
            served(request.param) as entry,
            Workspace(
                traffic, secrets=Secrets(), options=Options(responder=AskPerson()),
                environment={"PATH": ""}, listens=True,
            ) as workspace,
        ):  # fmt: skip
            entry.name = "works"
            connection = workspace.add(entry)
            app = InspectorApp(workspace, "works")
            async with app.run_test(size=(120, 40)) as pilot:
                await until(
                    pilot, lambda: connection.count("tools") is not None and app.main.pane is not None
                )
                yield Desk(app, pilot, connection, traffic, until)

    yield opened


async def test_several_questions_and_several_rounds_are_one_conversation(desk: Any) -> None:
    async with desk() as person:
        call = person.call("rounds")
        await person.at("who")
        assert call.waits_for_person and call.clocks() is not None and call.clocks().held
        await person.pilot.press("f5")
        await person.at("say")
        await person.pilot.press(*"hello", "f5")
        await person.at("link")
        await person.pilot.press("f7")
        await person.at("sure")
        await person.pilot.press("f5")
        await person.until(lambda: not call.running)
        assert call.badge == "ok" and call.answer is not None
        states = {question.key: question.state for question in person.connection.inbox.questions}
        assert states == dict.fromkeys(("who", "where", "say", "link", "sure"), "answered")
        person.traffic.advance()
        rows = conversation(person.traffic, call.answer.row)
        assert len(rows) == 6


async def test_a_call_that_is_given_up_takes_its_questions_along(desk: Any) -> None:
    async with desk() as person:
        call = person.call("rounds")
        await person.at("who")
        assert call.dispatcher is not None and call.pending is not None
        call.dispatcher.cancel(call.pending, "the user cancelled")
        await person.until(lambda: not call.running)
        assert call.badge == "cancelled" and not person.connection.inbox.open
        await person.until(lambda: "cancelled" in painted(person.app))


async def test_a_server_that_asks_without_an_end_is_followed_as_long_as_the_person_wants(desk: Any) -> None:
    async with desk() as person:
        call = person.call("circles")
        answered = 0
        while answered < 10:
            await person.until(lambda: person.connection.inbox.open)
            person.connection.inbox.open[0].settle({"action": "accept", "content": {}})
            answered += 1
        limit = await person.at("rounds")
        await person.until(lambda: "asked by mcp-inspect" in painted(person.app))
        assert limit.ours and "Go on" in painted(person.app)
        await person.pilot.press("f5")
        await person.until(lambda: person.connection.inbox.open and not person.connection.inbox.open[0].ours)
        for _ in range(10):
            await person.until(lambda: person.connection.inbox.open)
            person.connection.inbox.open[0].settle({"action": "accept", "content": {}})
        await person.at("rounds")
        await person.pilot.press("f8")
        await person.until(lambda: not call.running)
        assert call.why is not None and "after 20 rounds" in call.why.message
