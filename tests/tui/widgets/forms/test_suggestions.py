"""Fields of text that a server proposes values for: asked, waited for, given up, and never in the way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import Static

from inspector.schema.field import Field
from inspector.schema.form import FormModel
from inspector.tui.completion import _read
from inspector.tui.widgets.forms.row import FieldRow
from inspector.tui.widgets.forms.schema_form import SchemaForm
from inspector.tui.widgets.forms.suggestions import Proposals, SuggestedInput, _Shown

TEXT = {"type": "string"}
SCHEMA = {"type": "object", "properties": {"who": TEXT, "how": TEXT}, "required": ["who"]}


class Server:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.given_up = 0
        self.answer: asyncio.Future[Proposals] = asyncio.get_running_loop().create_future()

    async def propose(self, field: Field, typed: str) -> Proposals:
        self.asked.append((field.name, typed))
        try:
            return await asyncio.shield(self.answer)
        except asyncio.CancelledError:
            self.given_up += 1
            raise

    def say(self, proposals: Proposals) -> None:
        self.answer = asyncio.get_running_loop().create_future()
        self.answer.set_result(proposals)


async def test_proposals_are_waited_for_in_sight_given_up_and_failing_is_said_quietly(
    stage: Any, until: Any
) -> None:
    server = Server()
    form = SchemaForm(FormModel(SCHEMA, blanks=False), propose=server.propose)
    form.remember(lambda: [{"how": "slowly"}])

    def entered() -> dict[str, Any]:
        return form.outcome().arguments

    async with stage(form).run_test(size=(80, 20)) as pilot:
        await form.enter()
        who, how = form.query(SuggestedInput)
        await pilot.press("a")
        await until(pilot, lambda: who.asking)
        assert server.asked == [("who", "a")]
        assert "asking the server" in form.query(FieldRow).first().render().plain
        # More typing gives the question up; nothing of it is in the way of the keys.
        await pilot.press("d")
        await until(pilot, lambda: server.asked[-1] == ("who", "ad"))
        assert server.given_up == 1 and entered() == {"who": "ad"}
        await pilot.press("escape")
        assert not who.asking
        await until(pilot, lambda: server.given_up == 2)
        await pilot.press("ctrl+@")
        await until(pilot, lambda: who.asking)
        server.answer.set_result(Proposals(["Ada", "Adele"]))
        await until(pilot, lambda: who.is_open)
        await pilot.press("down", "enter")
        assert entered() == {"who": "Adele"} and not who.is_open
        # While nothing is open the arrows go from field to field.
        await pilot.press("down")
        assert how.has_focus
        server.say(Proposals(more="No proposals: it broke"))
        await pilot.press("x")
        told = form.query_one(".problem", Static)
        await until(
            pilot, lambda: told.display and told.has_class("-advice") and "broke" in str(told.content)
        )
        assert how.has_focus and entered()["how"] == "x"
        await pilot.press("backspace")
        # What was entered earlier is offered when it is asked for.
        server.say(Proposals(["fast"]))
        await pilot.press("ctrl+@")
        await until(pilot, lambda: how.is_open)
        await pilot.press("down", "tab")
        assert entered()["how"] == "slowly"
        await pilot.press("up")
        assert who.has_focus
        form.remember(tuple)
        server.say(Proposals())
        await pilot.press("ctrl+@")
        await until(pilot, lambda: "proposes nothing" in str(told.content))


async def test_what_is_required_and_left_empty_is_missing_where_no_blanks_are_meant() -> None:
    model = FormModel(SCHEMA, blanks=False)
    outcome = model.arguments()
    assert outcome.arguments == {} and outcome.errors == [("/who", "required")]
    model.at("/who").set_empty()  # type: ignore[union-attr]
    assert model.arguments().arguments == {"who": ""}


async def test_a_long_list_lies_over_the_width_of_its_row_and_says_what_it_leaves_out(
    stage: Any, until: Any
) -> None:
    server = Server()
    form = SchemaForm(FormModel(SCHEMA, blanks=False), propose=server.propose)
    async with stage(form).run_test(size=(80, 20)) as pilot:
        await form.enter()
        who = form.query(SuggestedInput).first()
        await pilot.press("a")
        await until(pilot, lambda: who.asking)
        server.answer.set_result(Proposals([f"a long proposal, number {at}" for at in range(10_000)]))
        await until(pilot, lambda: who.is_open and not who.asking)
        shown = form.query_one(_Shown)
        await until(pilot, lambda: shown.region.right >= form.size.width - 3)
        assert shown.option_count == 101
        assert "9,900 more" in str(shown.get_option_at_index(100).prompt)


@pytest.mark.parametrize(
    ("completion", "said"),
    [
        ({"values": ["a", 1, None]}, "2 values are no text"),
        ({"values": ["a", 1], "total": 2}, "1 value is no text"),
        ({"values": ["a"], "total": 3}, "… 2 more; type on"),
        ({"values": ["a", 1], "total": 4}, "… 2 more; type on · 1 value is no text"),
        ({"values": ["a"], "hasMore": True}, "… more; type on"),
    ],
)
def test_what_is_said_of_an_answer(completion: dict[str, Any], said: str) -> None:
    assert _read({"completion": completion}) == Proposals(["a"], said)
