"""A conversation that a person opens: nothing goes out but what they send, in whatever order."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Literal

from inspector.base import tasks
from inspector.base.numbers import unwritten
from inspector.session.answer import Answer
from inspector.session.eras.legacy import Leg, Legacy

if TYPE_CHECKING:
    from inspector.session.session import Session

Stage = Literal["new", "initializing", "initialized"]


class ByHand(Legacy):
    """As `Legacy` from the moment on that `initialize` was answered and `notifications/initialized` sent. What is lost
    stays lost."""

    renews = False

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._pinned = False
        self._stream: asyncio.Task[Any] | None = None
        self.stage: Stage = "new"

    async def converse(self, method: str, params: dict[str, Any] | None, leg: Leg) -> Answer:
        """Sends it as it is and once. An answer to `initialize` is taken as agreed. Raises Failed."""
        if method != "initialize":
            return await leg(params, {})
        session = self._session
        given = {name: unwritten(member) for name, member in (params or {}).items()}
        self._version = str(given.get("protocolVersion", ""))
        step = session.steps.begin("initialize")
        declared = given.get("capabilities")
        session.asking.declared = declared if isinstance(declared, dict) else {}
        self.stage = "initializing"
        session.states.enter("INITIALIZING")
        session.changed()
        try:
            answer = await leg(params, {})
        except BaseException:
            step.end("no answer", ok=False)
            raise
        refused = answer.failure
        step.end("ok" if refused is None else refused.message, ok=refused is None)
        if refused is None and isinstance(answer.result, dict):
            self.params = given
            self._settle_version(answer.result)
        session.changed()
        return answer

    async def close(self) -> None:
        await tasks.cancel(self._stream)

    def told(self, method: str) -> None:
        """With `notifications/initialized` the session is ready, where `initialize` was answered before."""
        if method != "notifications/initialized":
            return
        session, now = self._session, time.monotonic()
        known = session.handshake is not None
        session.steps.mark("initialized", "ok" if known else "before initialize", since=now, until=now)
        if known and self.stage != "initialized":
            self.stage = "initialized"
            self._stream = tasks.spawn(session.transport.ready(), "server stream")
            session.renewed()
        session.changed()
