"""What a handler of a definition can do while it runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector.protocol import jsonrpc
from inspector.protocol.jsonrpc import Id
from inspector.serving.definition import ClientError

if TYPE_CHECKING:
    from inspector.serving.engine import Session

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Sleep:
    """Asks the engine to go on after a while."""

    __slots__ = ("seconds",)

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __await__(self) -> Generator[Sleep, None, None]:
        yield self


class Ask:
    """Asks the engine to send the client a request and to go on with its result, which has to come within `patience`
    seconds where there is a limit. `key` names it where it is asked in a round of input (2026-07-28)."""

    __slots__ = ("key", "method", "params", "patience")

    def __init__(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        key: str = "question",
        patience: float | None = None,
    ) -> None:
        self.method, self.params, self.key, self.patience = method, params, key, patience

    def __await__(self) -> Generator[Ask, Any, Any]:
        return (yield self)


class AskAll:
    """Asks the engine to put several questions in one round (2026-07-28), and to go on with the results by key."""

    __slots__ = ("asks",)

    def __init__(self, asks: Sequence[Ask]) -> None:
        self.asks = asks

    def __await__(self) -> Generator[AskAll, Any, Any]:
        return (yield self)


class Call:
    """One request of the client under way, or a routine (then `id` is None).

    `arguments` are those of a tool or prompt, or the variables of a resource template.
    """

    __slots__ = ("arguments", "capabilities", "given", "id", "method", "params", "session", "token")

    def __init__(self, session: Session, id: Id | None, params: Mapping[str, Any], method: str = "") -> None:
        self.session, self.method = session, method
        self.arguments: Mapping[str, Any] = {}
        self.take(id, params)

    def take(self, id: Id | None, params: Mapping[str, Any]) -> None:
        """Goes on as the answer to another request."""
        self.id, self.params = id, params
        # Another client may declare others before this one is answered.
        self.capabilities = self.session.client_capabilities
        given = params.get("inputResponses")
        self.given: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
        """What the client has answered in rounds (2026-07-28), until it is used."""
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        self.token = token if jsonrpc.is_id(token) else None

    def sleep(self, seconds: float) -> Sleep:
        return Sleep(seconds)

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tells how far the call is, where the client gave a progress token."""
        if self.token is None:
            return
        params: dict[str, Any] = {"progressToken": self.token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None and self.session.version >= "2025-03-26":
            params["message"] = message
        self.session.notify("notifications/progress", params, about=self.id)

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Sends a log message, unless it is below the level that the client has set."""
        least = self.session.least_level(self)
        if not self.session.definition.logging or least is None or LEVELS.index(level) < LEVELS.index(least):
            return
        params = (
            {"level": level, "data": data}
            if logger is None
            else {"level": level, "logger": logger, "data": data}
        )
        self.session.notify("notifications/message", params, about=self.id)

    async def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """The client's result of a request. Raises ClientError where it refuses."""
        return await Ask(method, params)

    async def ping(self) -> float:
        """Seconds until the client answered."""
        clock: Callable[[], float] = self.session.clock
        started = clock()
        await self.ask("ping")
        return clock() - started

    async def roots(self) -> Sequence[Mapping[str, Any]]:
        """The folders that the client works in. Raises ToolError where it has not declared roots."""
        self._need("roots", "2024-11-05")
        answer = await self.ask("roots/list")
        return answer.get("roots", []) if isinstance(answer, dict) else []

    async def sample(self, prompt: str, max_tokens: int = 200, **more: Any) -> Mapping[str, Any]:
        """The message of the client's model. Raises ToolError where the client has not declared sampling."""
        self._need("sampling", "2024-11-05")
        messages = [{"role": "user", "content": {"type": "text", "text": prompt}}]
        answer = await self.ask(
            "sampling/createMessage", {"messages": messages, "maxTokens": max_tokens, **more}
        )
        return answer if isinstance(answer, dict) else {}

    async def elicit(self, message: str, schema: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """The action of the user (`accept`, `decline`, `cancel`) and what was filled in.

        Raises ToolError where the client has not declared elicitation.
        """
        self._need("elicitation", "2025-06-18")
        answer = await self.ask("elicitation/create", {"message": message, "requestedSchema": schema})
        if not isinstance(answer, dict):
            raise ClientError("The client's answer is no object")
        content = answer.get("content")
        return str(answer.get("action")), content if isinstance(content, dict) else {}

    def _need(self, capability: str, since: str) -> None:
        if capability not in self.capabilities or self.session.version < since:
            raise self.session.lacks(capability)
