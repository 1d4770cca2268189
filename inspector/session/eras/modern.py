"""2026-07-28: no handshake and no session; every request says who asks, and an answer may ask back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from inspector.base.errors import Failed, Failure
from inspector.base.jsontext import Verbatim
from inspector.base.text import quoted
from inspector.protocol.capabilities import lacked_extensions
from inspector.protocol.extensions import TASKS
from inspector.protocol.jsonrpc import HEADER_MISMATCH, MISSING_CAPABILITY
from inspector.protocol.mirrored import NOTHING, Mirrored, mirrored, standard
from inspector.protocol.revisions import PREFIX
from inspector.session.answer import Answer
from inspector.session.eras import rounds
from inspector.session.eras.legacy import REPEATABLE, Leg
from inspector.session.handshake import Handshake

if TYPE_CHECKING:
    from inspector.session.listings import Listing
    from inspector.session.session import Session

TASK = "task"
_KNOWN = ("complete", rounds.INPUT_REQUIRED)


def stamp(version: str, session: Session) -> dict[str, Any]:
    """What a request says of itself in `_meta` (spec: basic, _meta)."""
    return {
        f"{PREFIX}protocolVersion": version,
        f"{PREFIX}clientInfo": dict(session.options.identity.info),
        f"{PREFIX}clientCapabilities": session.declared(version),
    }


def standard_headers(method: str, params: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, str]:
    """What every HTTP request says in its headers; a `_meta` that the caller gives wins there too."""
    given = params.get("_meta")
    version = {**meta, **(given if isinstance(given, dict) else {})}.get(f"{PREFIX}protocolVersion")
    named = {"MCP-Protocol-Version": version} if isinstance(version, str) else {}
    return {**named, **standard(method, params)}


class Modern:
    """Talks to a server that takes each request for itself.

    Over HTTP some arguments are mirrored into headers, so the tools are read before the first call; a tool whose
    annotations are wrong is not called.
    """

    name: Literal["modern"] = "modern"

    def __init__(self, session: Session, version: str) -> None:
        self._session = session
        self.version = version
        self.meta = stamp(version, session)
        self._http = session.transport.kind != "stdio"
        self._tools: dict[str, Mirrored] | None = None
        self._tasks = False

    def log_level(self, level: str | None) -> None:
        """From now on every request asks for log messages of this level and above; None asks for none (spec:
        server/utilities/logging, per request in this era)."""
        self.meta.pop(f"{PREFIX}logLevel", None)
        if level is not None:
            self.meta[f"{PREFIX}logLevel"] = level

    def adopt(self, answer: Answer | None) -> None:
        """Goes on in this era. `answer` is that to `server/discover`; None where it told nothing of the server."""
        session = self._session
        result = answer.result if answer is not None and answer.failure is None else None
        self._declare_tasks(result)
        session.handshake = Handshake(
            {"_meta": dict(self.meta)},
            self.version,
            result if isinstance(result, dict) else {},
            "modern",
            declared=isinstance(result, dict),
        )
        if answer is not None:
            session.warnings += answer.notes
        session.dispatcher.meta = self.meta
        session.asking.declared = self.meta[f"{PREFIX}clientCapabilities"]
        session.dispatcher.tells_cancel = not self._http
        session.transport.negotiated(self.version)
        session.steps.begin("version").end(self.version)

    def _declare_tasks(self, result: Any) -> None:
        offered = result.get("capabilities") if isinstance(result, dict) else None
        theirs = offered.get("extensions") if isinstance(offered, dict) else None
        if isinstance(theirs, dict) and TASKS in theirs:
            self._tasks = True
            self._stamp_tasks()

    def _stamp_tasks(self) -> None:
        key = f"{PREFIX}clientCapabilities"
        mine = self.meta[key]
        self.meta[key] = {**mine, "extensions": {**mine.get("extensions", {}), TASKS: {}}}

    def _is_of_tasks(self, answer: Answer) -> bool:
        """Whether a request was refused for want of the extension of tasks, which is declared from now on: so far it
        was not, as the server does not list it."""
        if self._tasks or TASKS not in lacked_extensions(answer.failure.data if answer.failure else None):
            return False
        self._tasks = True
        self._stamp_tasks()
        self._session.asking.declared = self.meta[f"{PREFIX}clientCapabilities"]
        self._session.warnings.append(
            f"the server needs {TASKS}, which it does not list itself; it is declared now"
        )
        self._session.changed()
        return True

    async def converse(self, method: str, params: dict[str, Any] | None, leg: Leg) -> Answer:
        """A request and its answer, with as many rounds of input in between as the server asks for. Raises Failed."""
        given = params or {}
        if self._http and method == "tools/call" and self._tools is None:
            await self._session.list("tools")
        answer = await self._sent(method, given, leg)
        if answer.message.kind == "error" and _code(answer) == HEADER_MISMATCH and method == "tools/call":
            # The annotations may have changed since the tools were read.
            await self._session.list("tools")
            answer = await self._sent(method, given, leg)
        if _code(answer) == MISSING_CAPABILITY and self._is_of_tasks(answer):
            answer = await self._sent(method, given, leg)
        return await rounds.answered(
            self._session, method, given, answer, lambda again: self._sent(method, again, leg)
        )

    async def _sent(self, method: str, params: dict[str, Any], leg: Leg) -> Answer:
        try:
            answer = await leg(params, self.headers(method, params))
        except Failed as failed:
            if not self._http or failed.failure.kind != "stream" or not method.startswith(REPEATABLE):
                raise
            # There is no resuming in this era: what is lost is asked for anew, with an id of its own.
            answer = await leg(params, self.headers(method, params))
        self._look(method, answer)
        return answer

    def _look(self, method: str, answer: Answer) -> None:
        """Reads `resultType` (spec: basic, result types): one that is not known makes the answer unusable."""
        result = answer.result
        if answer.message.kind != "response" or not isinstance(result, dict):
            return
        kind = result.get("resultType")
        if kind is None:
            answer.notes.append("the result has no resultType; it is taken as complete")
        elif kind == TASK and self._tasks:
            if method == "tasks/get":
                answer.notes.append("resultType is task, where it must be complete")
            elif method != "tools/call":
                answer.flaw = _flaw(f"{method} must not be answered with a task")
        elif kind == TASK:
            answer.flaw = _flaw(f"the server answered with a task, but did not declare {TASKS}")
        elif kind not in _KNOWN:
            known = " and ".join(_KNOWN)
            answer.flaw = _flaw(
                f"the result is of an unknown type: resultType {quoted(kind, 80)}", f"known are {known}; "
            )

    def headers(self, method: str, params: dict[str, Any]) -> dict[str, str]:
        """What a request says in its HTTP headers. Raises Failed for a tool that must not be used over HTTP."""
        if not self._http:
            return {}
        own = standard_headers(method, params, self.meta)
        name = params.get("name")
        if method != "tools/call" or self._tools is None or not isinstance(name, str):
            return own
        plan = self._tools.get(name, NOTHING)
        if plan.problem is not None:
            raise Failed(
                Failure(
                    kind="protocol",
                    message=f"{name} is dropped, since over HTTP a client must not use a tool like it: {plan.problem}",
                    hint="correct its inputSchema; over stdio, or with --protocol legacy, it can be called",
                )
            )
        return own | plan.of(_decoded(params.get("arguments")))

    def listed(self, listing: Listing) -> None:
        """Takes the tools as they are listed now, and says which of them are dropped."""
        if not self._http or listing.kind != "tools" or listing.failure is not None:
            return
        self._tools = {}
        for index, entry in enumerate(listing.entries):
            name = entry.get("name") if isinstance(entry, dict) else None
            if not isinstance(name, str):
                continue
            plan = mirrored(entry.get("inputSchema"))
            self._tools.setdefault(name, plan)
            if plan.problem is not None:
                listing.drop(index, f"dropped: {plan.problem}")


def _decoded(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if type(arguments) is Verbatim else arguments
    except (ValueError, RecursionError):
        return None


def _code(answer: Answer) -> int | None:
    return answer.failure.code if answer.failure is not None else None


def _flaw(message: str, hint: str = "") -> Failure:
    return Failure(kind="protocol", message=message, hint=f"{hint}see the raw frame in the traffic")
