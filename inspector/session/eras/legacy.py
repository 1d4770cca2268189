"""2024-11-05 to 2025-11-25: a handshake, a session that lasts, requests in both directions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from inspector.base import tasks
from inspector.base.errors import Failed, Failure, fail
from inspector.base.patterns import pattern
from inspector.base.text import clip, decode
from inspector.protocol import jsonrpc
from inspector.protocol.revisions import LATEST_LEGACY, LATEST_MODERN, REVISIONS, revision
from inspector.session.answer import Answer
from inspector.session.dispatcher import TOTAL, Pending
from inspector.session.eras.verdict import NO_VERSIONS, Verdict
from inspector.session.handshake import Handshake

if TYPE_CHECKING:
    from inspector.session.listings import Listing
    from inspector.session.session import Session

REPEATABLE = (
    "tools/list", "resources/", "prompts/", "completion/", "ping", "logging/", "tasks/get", "tasks/list", "skills/",
)  # fmt: skip
"""How methods begin that may be asked twice: they only read, or say the same again."""
OTHER_ERA = ("rpc", "protocol", "version")
"""Kinds of failures of a handshake that may mean that the server speaks the other era."""
Leg = Callable[[dict[str, Any] | None, Mapping[str, str]], Awaitable[Answer]]
"""Sends a request, with these params and HTTP headers, and waits for its answer."""


class Legacy:
    """Talks to a server that wants `initialize`."""

    name: Literal["legacy"] = "legacy"
    renews = True
    """Whether a new session is opened in the place of one that is lost."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._renewing: asyncio.Lock | None = None
        self._dropped: Failure | None = None
        self._picking_up: asyncio.Task[None] | None = None
        wanted, identity = session.options.protocol, session.options.identity
        told = identity.protocol or LATEST_LEGACY
        self._version = wanted if wanted in REVISIONS else told
        self._pinned = wanted in REVISIONS or identity.strict
        self.params: dict[str, Any] = {
            "protocolVersion": self._version,
            "capabilities": session.declared(self._version),
            "clientInfo": dict(identity.info),
        }

    async def open(self) -> None:
        """The handshake, over the other HTTP transport where the first one is not spoken. Raises Failed."""
        session = self._session
        step = session.steps.begin("handshake")
        try:
            answer = await self.offered(self.offer())
        except Failed as failed:
            if session.handshake is not None or not session.transport.may_go_another_way(failed.failure):
                raise
            step.end(failed.failure.message, ok=False)
            step = session.steps.begin("other transport")
            session.changed()
            step.end(await session.transport.go_another_way(failed.failure))
            step = session.steps.begin("handshake")
            answer = await self.offered(self.offer())
        step.end()
        await self.adopt(answer)

    def offer(self) -> Pending:
        """Sends `initialize`, on no clock of its own."""
        self._session.states.enter("INITIALIZING")
        self._session.asking.declared = self.params["capabilities"]
        return self._session.dispatcher.start("initialize", self.params, idle=TOTAL, total=TOTAL)

    async def offered(self, pending: Pending) -> Answer:
        """The answer to `initialize`. Raises Failed for one that is an error, too."""
        answer = await self._session.dispatcher.answer(pending)
        self._session.note_arrival()
        if answer.failure is not None:
            failure = _refused_version(answer.failure, self._version)
            if failure.kind == "rpc" and self._session.transport.kind == "stdio":
                failure = _by_its_words(failure)
            raise Failed(_unknown_handshake(failure, self._session.verdict))
        if not isinstance(answer.result, dict):
            raise fail(
                "protocol", "the answer to initialize holds no object", "see the raw frame in the traffic"
            )
        return answer

    async def adopt(self, answer: Answer) -> None:
        """Takes what the server answered as agreed, and says so to it. Raises Failed."""
        session = self._session
        session.warnings += answer.notes
        self._settle_version(answer.result)
        session.notify("notifications/initialized")
        began = time.monotonic()
        note = await session.transport.ready()
        if note is not None:
            session.steps.mark("server stream", note, since=began, until=time.monotonic())

    def _settle_version(self, result: dict[str, Any]) -> None:
        session = self._session
        step = session.steps.begin("version")
        answered = result.get("protocolVersion")
        version = answered if isinstance(answered, str) and answered else self._version
        if self._pinned and version != self._version:
            raise fail(
                "version",
                f"the server speaks {version}, not {self._version}",
                f"use --protocol {version} or leave --protocol out",
            )
        if not isinstance(answered, str) or answered not in REVISIONS:
            named = "no protocol version"
            if "protocolVersion" in result:
                named = f"an unknown protocol version: {clip(decode(jsonrpc.encode(answered)), 80)}"
            session.warnings.append(f"the server named {named}; going on with {version}")
        session.handshake = Handshake(self.params, version, result)
        session.dispatcher.batches = revision(version).batches
        session.asking.detailed = revision(version).detailed
        session.transport.negotiated(version)
        step.end(version)

    async def converse(self, method: str, params: dict[str, Any] | None, leg: Leg) -> Answer:
        """A request and its answer. A session that the server forgot is opened anew once; reads are then repeated,
        calls are not. Raises Failed."""
        asked = time.monotonic()
        await self._settled()
        try:
            return await leg(params, {})
        except Failed as failed:
            if failed.failure.kind == "session":
                await self._renew(asked)
            elif failed.failure is self._dropped:
                await self._settled()
            else:
                raise
            if self._session.failure is not None:
                raise Failed(self._session.failure) from None
            if not method.startswith(REPEATABLE):
                hint = "a new session is open; calls are not repeated by themselves, so call again"
                raise Failed(replace(failed.failure, hint=hint)) from None
        return await leg(params, {})

    async def _settled(self) -> None:
        """What is sent in the middle of a handshake would be neither of the old session nor of the new one."""
        if self._picking_up is not None:
            await asyncio.wait({self._picking_up})
        if self._renewing is not None:
            async with self._renewing:
                pass

    def dropped(self, failure: Failure) -> None:
        """The connection was lost with this; a new session is opened in its place, be something asked or not."""
        self._dropped = failure
        self._picking_up = tasks.spawn(self._pick_up(failure), "new session")

    async def _pick_up(self, failure: Failure) -> None:
        try:
            await self._renew(time.monotonic())
        except Failed as failed:
            second = failed.failure
            message = f"{failure.message}; connecting again failed: {second.message}"
            self._session.lost_for_good(replace(failure, message=message, hint=second.hint))

    async def _renew(self, asked: float) -> None:
        session = self._session
        if self._renewing is None:
            self._renewing = asyncio.Lock()
        async with self._renewing:
            # Several requests may have met the same dead session; the first one in opens the new one.
            if session.ready_at is not None and session.ready_at > asked:
                return
            session.dispatcher.revive()
            try:
                async with asyncio.timeout(session.options.connect_timeout):
                    await session.transport.renew()
                    await self.open()
            except TimeoutError:
                raise fail("timeout", "no new session within the connect time-out", "connect again") from None
            told = "the server ended the session" if self._dropped else "the server forgot the session"
            session.warnings.append(f"{told}; a new one was opened")
            session.renewed()

    async def close(self) -> None:
        await tasks.cancel(self._picking_up)

    def listed(self, listing: Listing) -> None:
        """A list was read; nothing in it concerns how this era is spoken."""

    def told(self, method: str) -> None:
        """A notification went out."""


async def handshake(session: Session) -> Legacy:
    """Opens the conversation by `initialize`. Raises Failed."""
    era = Legacy(session)
    await era.open()
    return era


_VERSION = pattern(r"\b20\d\d-\d\d-\d\d\b")


def _by_its_words(failure: Failure) -> Failure:
    """A server that refuses to begin says why as one does that dies: a variable that is missing, a key that is bad."""
    from inspector.transports.remedies import for_words

    hint = for_words([failure.message], failure.message)
    return replace(failure, hint=hint) if hint else failure


def _unknown_handshake(failure: Failure, verdict: Verdict | None) -> Failure:
    """A server that does not know `initialize`, told with what came of the probe before."""
    if failure.code != jsonrpc.METHOD_NOT_FOUND or failure.kind == "version":
        return failure
    message = f"the server does not know initialize: {failure.message}"
    if verdict is None or verdict.how != "asked":
        hint = f"it may speak {LATEST_MODERN} alone: leave --protocol out"
        return replace(failure, kind="version", message=message, hint=hint)
    hint = "it speaks JSON-RPC, but does it serve MCP? See its command, or the path of its URL"
    if verdict.evidence.endswith(NO_VERSIONS):
        hint = f"a server of {LATEST_MODERN} must answer server/discover with a list supportedVersions"
    elif str(jsonrpc.METHOD_NOT_FOUND) not in verdict.evidence:
        hint = f"it may speak {LATEST_MODERN} alone, and its answer to server/discover be the cause"
    return replace(failure, message=f"{message}; before that, {verdict.evidence}", hint=hint)


def _refused_version(failure: Failure, asked: str) -> Failure:
    """An error answer to initialize that names versions is about the version (spec: lifecycle, version negotiation)."""
    data = failure.data
    supported = data.get("supported") if isinstance(data, dict) else None
    if isinstance(supported, list):
        names = [str(version) for version in supported]
    else:
        names = [name for name in _VERSION.findall(failure.message) if name != asked]
    if not names:
        return failure
    return replace(
        failure,
        kind="version",
        message=f"the server does not speak {asked}: {failure.message}",
        hint=f"it speaks {', '.join(names)}; {_advice(names)}",
    )


def _advice(names: list[str]) -> str:
    known = [name for name in names if name in REVISIONS]
    if known:
        return f"choose one that is known here with --protocol {known[-1]}"
    return "none of them is known here: a release of either side that knows one of the other is needed"
