"""Arguments that are all text: proposals are asked for, waited for, given up, and never in the way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from inspector.tui.widgets.forms.argument_form import Argument, ArgumentForm, ArgumentRow, Proposals


class Server:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.given_up = 0
        self.answer: asyncio.Future[Proposals] = asyncio.get_running_loop().create_future()

    async def propose(self, name: str, typed: str, values: Mapping[str, str]) -> Proposals:
        self.asked.append((name, typed))
        try:
            return await asyncio.shield(self.answer)
        except asyncio.CancelledError:
            self.given_up += 1
            raise


async def test_proposals_are_waited_for_in_sight_given_up_and_failing_is_said_quietly(
    stage: Any, until: Any
) -> None:
    server = Server()
    form = ArgumentForm([Argument("who", required=True), Argument("how")], {}, server.propose)
    async with stage(form).run_test(size=(80, 12)) as pilot:
        form.enter()
        who, how = form.query(ArgumentRow)
        await pilot.press("a")
        await until(pilot, lambda: who.asking)
        assert server.asked == [("who", "a")]
        # More typing gives the question up; nothing of it is in the way of the keys.
        await pilot.press("d")
        await until(pilot, lambda: server.asked[-1] == ("who", "ad"))
        assert server.given_up == 1 and form.values == {"who": "ad"}
        await pilot.press("escape")
        assert not who.asking
        await until(pilot, lambda: server.given_up == 2)
        await pilot.press("down")
        await until(pilot, lambda: who.asking)
        server.answer.set_result(Proposals(["Ada", "Adele"]))
        await until(pilot, lambda: who.is_open)
        await pilot.press("down", "enter")
        assert form.values == {"who": "Adele"} and not who.is_open
        await _failing(pilot, until, server, form, how)


async def _failing(
    pilot: Pilot[Any], until: Any, server: Server, form: ArgumentForm, how: ArgumentRow
) -> None:
    server.answer = asyncio.get_running_loop().create_future()
    server.answer.set_result(Proposals(more="No proposals: it broke"))
    how.focus_input()
    await pilot.press("x")
    told = form.query_one(".told", Static)
    await until(pilot, lambda: told.display and told.has_class("-quiet"))
    assert how._input.has_focus and form.values["how"] == "x"
    server.answer = asyncio.get_running_loop().create_future()
    server.answer.set_result(Proposals())
    await pilot.press("down")
    await until(pilot, lambda: "proposes nothing" in str(told.content))
    await pilot.press("up")
    assert form.query(ArgumentRow).first()._input.has_focus


async def test_without_proposals_the_arrows_go_from_field_to_field(stage: Any) -> None:
    form = ArgumentForm([Argument("one"), Argument("two")], {}, None)
    async with stage(form).run_test(size=(80, 12)) as pilot:
        form.enter()
        await pilot.press("a", "down", "b", "up", "c")
        assert form.values == {"one": "ac", "two": "b"}
