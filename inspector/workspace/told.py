"""What a server tells unasked, and what is asked of it so that it does: changes, log messages, states of tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from inspector.base import tasks
from inspector.base.errors import Failed, Failure
from inspector.protocol.jsonrpc import Message
from inspector.session.session import Session
from inspector.workspace.longtasks import LongTasks, Request
from inspector.workspace.message_log import MessageLog
from inspector.workspace.rereading import Rereading
from inspector.workspace.subscriptions import Subscriptions

if TYPE_CHECKING:
    from inspector.workspace.watching import Watching


class Told:
    """Of one connection, over all its sessions: what was wanted in one is asked for again in the next.

    `listens` says whether a server of 2026-07-28 is asked to tell of its lists and tasks; `warn` is told what a person
    should know, `changed` that a view shows something different.
    """

    def __init__(
        self,
        name: str,
        request: Request,
        session: Callable[[], Session | None],
        changed: Callable[[], None],
        warn: Callable[[str], None],
        *,
        listens: bool,
    ) -> None:
        self.subscriptions = Subscriptions(self._watch, changed)
        self.rereading = Rereading(request, changed)
        self.messages = MessageLog()
        self.long_tasks = LongTasks(request, session, changed, self._watch_task)
        self._name = name
        self._request = request
        self._session = session
        self._changed = changed
        self._warn = warn
        self._listens = listens
        self._watching: Watching | None = None

    async def begin(self, session: Session, *, lists: bool) -> None:
        """Once the session is open: a server of 2026-07-28 is asked to tell, with `lists` of its lists too."""
        if session.handshake is None or session.handshake.era != "modern":
            return
        from inspector.workspace.watching import Watching

        self._watching = Watching(session, self._warn)
        if lists and self._listens:
            await self._watching.lists()

    def take(self, message: Message) -> bool:
        """Whether a notification was one of these; it is seen to then."""
        if message.method == "notifications/resources/updated":
            params = message.value.get("params")
            uri = params.get("uri") if isinstance(params, dict) else None
            if isinstance(uri, str):
                self.subscriptions.updated(uri)
                self.rereading.updated(uri)
        elif message.method == "notifications/message":
            self.messages.take(message.value.get("params"))
            self._changed()
        elif message.method in ("notifications/tasks/status", "notifications/tasks"):
            by_extension = message.method == "notifications/tasks"
            self.long_tasks.take(message.value.get("params"), by_extension=by_extension)
        else:
            return False
        return True

    async def set_level(self, level: str) -> None:
        """Asks the server for messages of this level and graver ones, now and on every new session. Raises Failed."""
        from inspector.session.eras.modern import Modern

        session = self._session()
        era = session.era if session is not None else None
        if isinstance(era, Modern):
            # It has no such request: every request says what it wants to hear (spec 2026-07-28: logging).
            era.log_level(level)
        else:
            answer = await self._request("logging/setLevel", {"level": level})
            if answer.failure is not None:
                raise Failed(answer.failure)
        self.messages.level = level
        self._changed()

    def ask_again(self, is_ready: Callable[[], bool]) -> None:
        """A new session knows nothing of what the one before was asked to watch."""
        self.subscriptions.lost()
        if self.subscriptions.wanted:
            tasks.spawn(self._watch_again(is_ready), f"subscriptions of {self._name}")
        if self.messages.level is not None:
            tasks.spawn(self._set_level_again(self.messages.level), f"log level of {self._name}")

    async def close(self) -> None:
        """The session is over; what was wanted stays wanted."""
        self.subscriptions.lost()
        await self.rereading.close()
        watching, self._watching = self._watching, None
        if watching is not None:
            await watching.close()

    async def _watch_again(self, is_ready: Callable[[], bool]) -> None:
        await self.subscriptions.renew()
        if is_ready():
            self.rereading.catch_up()

    async def _set_level_again(self, level: str) -> None:
        try:
            await self.set_level(level)
        except Failed:
            self.messages.level = None

    async def _watch(self, uri: str, on: bool) -> Failure | None:
        if self._watching is not None:
            return await self._watching.watch(uri, on)
        method = "resources/subscribe" if on else "resources/unsubscribe"
        return (await self._request(method, {"uri": uri})).failure

    def _watch_task(self, id_: str, on: bool) -> None:
        """Polling goes on whatever comes of it: the server may tell of a task, and need not."""
        if self._watching is not None and self._listens:
            tasks.spawn(self._watching.watch_task(id_, on), "watch a task")
