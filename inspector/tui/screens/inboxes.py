"""What servers ask while the person is elsewhere: told, and gone to by a key. One part of the workspace screen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.notifications import Notification, Notify

from inspector.policy import answering
from inspector.session.responders import AskPerson
from inspector.tui import asked, guard
from inspector.tui.registry import spoken
from inspector.tui.screens.serving_actions import ServingActions

if TYPE_CHECKING:
    from inspector.session.inbox import Question
    from inspector.tui.panes.connection import ConnectionPane
    from inspector.workspace.connection import Connection
    from inspector.workspace.workspace import Workspace

_TOLD_FOR = 8.0
"""Seconds that the word of a question stands; a server that never stops asking gets no second one beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Word:
    """What was said of questions, and when."""

    at: float
    asked: list[tuple[Connection, Question]]
    notification: Notification


class Inboxes(ServingActions):
    """Every inbox is answered as the settings say; where they say nothing, by the person."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._news: list[tuple[Connection, Question]] = []
        self._words: list[_Word] = []
        self._came_from: tuple[str, str] | None = None

    @property
    def pane(self) -> ConnectionPane | None:
        """The pane on show."""
        raise NotImplementedError

    def watch_inboxes(self) -> None:
        """Takes charge of the inboxes of all connections, of those that are yet to come as well."""
        self.workspace.prepare = self._prepare
        for connection in self.connections:
            self._prepare(connection)

    def _prepare(self, connection: Connection) -> None:
        inbox = connection.inbox
        inbox.arrived = lambda question: self._news.append((connection, question))
        inbox.completed = lambda elicitation: self._completed(connection)
        kept = answering.recall(connection.entry)
        if inbox.responder is not None:
            # The command line says who answers.
            return
        if (problem := answering.settle(inbox, kept)) is not None:
            inbox.responder = AskPerson()
            said = f"{guard.line(connection.name)}: {guard.message(problem)}. You are asked instead."
            self.notify(said, title="Who answers", severity="warning", timeout=10, markup=False)

    def _completed(self, connection: Connection) -> None:
        said = f"{guard.line(connection.name)} says that what its link led to is complete"
        self.notify(said, title="Elicitation", timeout=6, markup=False)

    def tell_questions(self) -> None:
        """Says what came in since the last time, unless it is seen anyway."""
        now = time.monotonic()
        self._words = [
            word for word in self._words if now - word.at < _TOLD_FOR and not self._taken_back(word)
        ]
        told = {each for word in self._words for each, _ in word.asked}
        news = [
            (each, question)
            for each, question in self._news
            if question.is_open and question.due is None and not self._sees(each)
        ]
        self._news = [(each, question) for each, question in news if each in told]
        unseen = [(each, question) for each, question in news if each not in told]
        if not unseen:
            return
        connection, question = unseen[0]
        name = guard.line(connection.name)
        if len(unseen) == 1:
            said = f"{name} asks ({asked.KINDS[asked.kind_of(question)]}): {asked.subject(question)[:120]}"
        else:
            servers = len({id(each) for each, _ in unseen})
            said = f"{name if servers == 1 else f'{servers} servers'} asks {len(unseen)} questions".replace(
                "servers asks", "servers ask"
            )
        said = f"{said}\n{spoken('questions')} goes there"
        notification = Notification(said, "A question", timeout=_TOLD_FOR, markup=False)
        self._words.append(_Word(now, unseen, notification))
        self.app.post_message(Notify(notification))

    def _taken_back(self, word: _Word) -> bool:
        """Takes the word off the screen when nothing of it is left to go to. True where the person has seen to it: what
        is asked next is told at once then."""
        seen = any(self._sees(each) for each, _ in word.asked)
        over = seen or not any(question.is_open for _, question in word.asked)
        if over and word.notification in self.app._notifications:
            self.app._unnotify(word.notification)
        return seen

    def _sees(self, connection: Connection) -> bool:
        pane = self.pane
        return (
            self.is_current and pane is not None and pane.connection is connection and pane.tab_id == "inbox"
        )

    async def action_questions(self) -> None:
        """To the oldest open question; from the last one back to where the person was."""
        waiting = [
            (question.asked_at, connection, question)
            for connection in self.connections
            for question in connection.inbox.open
        ]
        if waiting:
            _, connection, question = min(waiting, key=lambda each: each[0])
            pane = self.pane
            if pane is not None and pane.tab_id != "inbox":
                self._came_from = (pane.connection.name, pane.tab_id)
            await self.show_inbox(connection, question)
        elif self._came_from is not None:
            server, tab = self._came_from
            self._came_from = None
            await self.show_tab_of(server, tab)
        elif (connection := self.connection) is not None:  # type: ignore[assignment]
            if (pane := self.pane) is not None and pane.tab_id != "inbox":
                self._came_from = (pane.connection.name, pane.tab_id)
            await self.show_tab_of(connection.name, "inbox")

    async def show_inbox(self, connection: Connection, question: Question) -> None:
        """Goes to one question of one server."""
        await self.show_server(connection.name)
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            pane.open_question(question)

    async def show_tab_of(self, server: str, tab: str) -> None:
        """Goes to one tab of one server."""
        await self.show_server(server)
        if (pane := self.pane) is not None:
            self.make_visible("connection")
            self.tab_wanted(tab)
            pane.want(tab)
            pane.enter()

    def tab_wanted(self, tab: str) -> None:
        """The person chose a tab."""
        raise NotImplementedError
