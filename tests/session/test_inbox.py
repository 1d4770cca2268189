"""What a server asks, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from live import stdio

from inspector.base.errors import Failed
from inspector.protocol.capabilities import with_tasks
from inspector.session.inbox import Inbox, Question, Refusal
from inspector.session.responders import AskPerson, Profile
from inspector.session.session import Options, Session

ASKER = (sys.executable, str(Path(__file__).parent.parent / "servers" / "asker.py"))


class Desk:
    """An inbox whose arrivals and ends can be awaited."""

    def __init__(self) -> None:
        self.inbox = Inbox(AskPerson())
        self._news = asyncio.Event()
        self.inbox.changed = self._news.set

    async def until(self, condition: Any) -> None:
        async with asyncio.timeout(20):
            while not condition(self.inbox.questions):
                await self._news.wait()
                self._news.clear()


async def called(session: Session, tool: str, **clocks: Any) -> Any:
    answer = await session.request("tools/call", {"name": tool, "arguments": {}}, **clocks)
    text = answer.result["content"][0]["text"]
    return json.loads(text) if text[:1] in "[{" else text


async def test_a_question_is_answered_later_while_everything_else_goes_on() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        assert session.handshake is not None
        both = {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}}
        assert session.handshake.sent["capabilities"] == {
            "roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}},
            "tasks": {"list": {}, "cancel": {}, "requests": both},
        }  # fmt: skip
        call = asyncio.ensure_future(called(session, "form"))
        await desk.until(lambda questions: questions)
        (question,) = desk.inbox.open
        (pending,) = session.dispatcher.pending.values()
        assert question.owner == pending.id and pending.held == 1
        assert await called(session, "roots") == {"roots": []}
        question.settle({"action": "accept", "content": {"name": "Eve"}})
        assert await call == {"action": "accept", "content": {"name": "Eve"}}
        question.settle({"action": "decline"})
        assert [each.state for each in desk.inbox.questions] == ["answered", "answered"]


async def test_ten_questions_at_once_are_answered_in_any_order() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        call = asyncio.ensure_future(called(session, "ten"))
        await desk.until(lambda questions: len(questions) == 10)
        for number, question in reversed(list(enumerate(desk.inbox.open))):
            question.settle({"action": "decline"} if number else {"action": "accept", "content": {}})
        actions = [each["action"] for each in await call]
        assert actions == ["accept", *["decline"] * 9]
        assert not desk.inbox.open and not session.dispatcher.pending


async def test_the_idle_clock_stands_still_while_a_question_is_open_and_the_total_one_runs() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        call = asyncio.ensure_future(called(session, "form", timeout=0.3, max_time=0.9))
        with pytest.raises(Failed) as failed:
            await call
        assert "within 900 ms" in failed.value.failure.message and desk.inbox.open


async def test_what_the_server_takes_back_ends_without_an_answer() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        assert await called(session, "withdraw") == "withdrawn"
        first, second = desk.inbox.questions
        assert (first.state, first.reason) == ("timed out", "Request timed out")
        assert second.state == "cancelled"
        await called(session, "after")
        await desk.until(lambda questions: len(questions) == 3)
        assert desk.inbox.open[0].owner is None


async def test_the_end_of_the_connection_ends_the_questions() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        with pytest.raises(Failed):
            await called(session, "die")
        (question,) = desk.inbox.questions
        assert question.state == "lost" and "exited" in question.reason
        question.settle({"action": "accept"})
        assert question.reply is None
    with pytest.raises(Failed):
        await question.answer()


async def test_unknown_methods_and_odd_ids() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        unknown, mode = await called(session, "odd")
        assert (unknown["code"], mode["code"]) == (-32601, -32602)
        assert [each.state for each in desk.inbox.questions] == ["refused", "refused"]
        await called(session, "ids")
        none, first, second = desk.inbox.open
        assert none.problem and not first.problem and "same id" in (second.problem or "")
        await called(session, "broken")
        assert desk.inbox.open[3].arguments == {}
    assert all(each.state == "lost" for each in (none, first, second))


@pytest.mark.parametrize(
    ("version", "errors"),
    [
        ("2025-03-26", {"form": -32601, "url": -32601}),
        ("2025-06-18", {"url": -32602}),
        ("2025-11-25", {}),
    ],
)
async def test_what_an_older_version_does_not_have_is_neither_declared_nor_asked(
    version: str, errors: dict[str, int]
) -> None:
    desk = Desk()
    async with stdio(*ASKER, options=Options(protocol=version), inbox=desk.inbox) as session:
        await session.connect()
        assert session.handshake is not None
        declared = session.handshake.sent["capabilities"]
        assert ("elicitation" in declared) == (version != "2025-03-26")
        for number, tool in enumerate(("form", "url", "sample"), 1):
            call = asyncio.ensure_future(called(session, tool))
            await desk.until(lambda questions, number=number: len(questions) == number)
            question = desk.inbox.questions[-1]
            assert question.is_open == (tool not in errors)
            question.settle({"action": "decline"})
            answer = await call
            assert answer.get("code") == errors.get(tool), answer


async def test_what_a_replaced_process_asked_is_answered_no_more() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        call = asyncio.ensure_future(called(session, "form"))
        await desk.until(lambda questions: questions)
        await session.replace_transport("another try")
        with pytest.raises(Failed):
            await call
        assert [question.state for question in desk.inbox.questions] == ["lost"]


async def test_one_of_the_input_requests_is_awaited() -> None:
    async with stdio(*ASKER, options=Options(responder=AskPerson())) as session:
        question = session.asking.input("elicitation/create", {"message": "?"}, "login")
        answer = asyncio.ensure_future(question.answer())
        question.settle({"action": "cancel"})
        assert await answer == {"action": "cancel"} and question.state == "cancelled"
        given_up = session.asking.input("sampling/createMessage", {}, "other")
        waiting = asyncio.ensure_future(given_up.answer())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert given_up.state == "cancelled" and not session.asking.inbox.open


def test_an_inbox_is_bounded() -> None:
    inbox = Inbox(AskPerson())
    for number in range(600):
        inbox.ask(Question("sampling/createMessage", {}, number))
    assert len(inbox.questions) == 500
    first = Question("sampling/createMessage", {}, 1)
    first.refuse(-1, "no")
    assert first.state == "declined" and isinstance(first.reply, Refusal)


async def test_the_server_comes_for_an_answer_later_where_it_made_a_task_of_the_question() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        call = asyncio.ensure_future(called(session, "later"))
        await desk.until(lambda questions: len(questions) == 2)
        later, now = desk.inbox.open
        assert later.as_task and not now.as_task
        later.settle({"action": "accept", "content": {"name": "Ada"}})
        now.settle({"action": "decline"})
        made, seen, listed, result, after, refused = await call
    task = made["task"]
    assert (
        seen == task and task["status"] == "working" and task["ttl"] is None and listed == {"tasks": [task]}
    )
    related = {"io.modelcontextprotocol/related-task": {"taskId": task["taskId"]}}
    assert result == {"action": "accept", "content": {"name": "Ada"}, "_meta": related}
    assert after["status"] == "completed" and refused["code"] == -32602


async def test_a_task_of_a_question_is_cancelled_by_the_server() -> None:
    desk = Desk()
    async with stdio(*ASKER, inbox=desk.inbox) as session:
        await session.connect()
        _, cancelled, again, result, unknown, nobodys = await called(session, "later cancelled")
        assert [question.state for question in desk.inbox.questions] == ["cancelled"]
    assert cancelled["status"] == "cancelled" and "cancelled" in result["message"]
    assert [each["code"] for each in (again, unknown, nobodys)] == [-32602, -32601, -32602]


async def test_a_file_answers_what_a_server_makes_a_task_of() -> None:
    inbox = Inbox(Profile(form="accept", content={"name": "File"}))
    async with stdio(*ASKER, inbox=inbox) as session:
        await session.connect()
        made, seen, _, result, *_ = await called(session, "later")
    assert made["task"]["taskId"] == seen["taskId"] and inbox.questions[0].as_task
    assert result["action"] == "accept" and result["content"]["name"] == "File"


def test_tasks_are_declared_of_what_is_answered_and_of_nothing_else() -> None:
    declared = Profile(sampling="echo").capabilities
    assert declared["tasks"]["requests"] == {"sampling": {"createMessage": {}}}
    assert "tasks" not in with_tasks({"roots": {}})


class NoTasks(AskPerson):
    capabilities = {"elicitation": {"form": {}}}  # noqa: RUF012


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_who_declares_no_tasks_answers_at_once(version: str) -> None:
    inbox = Inbox(AskPerson() if version == "2025-06-18" else NoTasks())
    inbox.arrived = lambda question: question.settle({"action": "decline"})
    async with stdio(*ASKER, options=Options(protocol=version, connect_timeout=20), inbox=inbox) as session:
        await session.connect()
        made, *rest = await called(session, "later")
    assert "action" in made and {each["code"] for each in rest} == {-32601}


async def test_sampling_with_tools_is_refused_where_they_were_not_declared() -> None:
    inbox = Inbox(Profile(sampling="echo"))
    async with stdio(*ASKER, inbox=inbox) as session:
        await session.connect()
        assert (await called(session, "sample"))["code"] == -32602
    (question,) = inbox.questions
    assert question.state == "refused" and question.reason == "it was not declared"
