"""The probe: `server/discover`, and what follows from how it is taken (spec 2026-07-28: versioning)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from inspector.base.errors import Failed, Failure
from inspector.base.text import duration
from inspector.protocol.revisions import LATEST_LEGACY, LATEST_MODERN
from inspector.session.answer import Answer
from inspector.session.dispatcher import TOTAL, Pending
from inspector.session.eras.legacy import OTHER_ERA, Legacy, handshake
from inspector.session.eras.modern import Modern, stamp, standard_headers
from inspector.session.eras.verdict import DISCOVER, Verdict, judge, legacy_only, refused
from inspector.session.steps import Step

if TYPE_CHECKING:
    from inspector.session.session import Session

PATIENCE = 2.0
"""Seconds that a process may take for the answer to the probe, before `initialize` follows."""


class Probe:
    """`server/discover`, and what follows from how it is taken.

    A process that does not answer it soon gets `initialize` as well, and whichever is answered decides. A process that
    ended on it, or that refuses `initialize` after it, is replaced by a fresh one, once. A server that was found to be
    modern before is given more time.
    """

    def __init__(self, session: Session, *, insisted: bool = False) -> None:
        self._session = session
        self._insisted = insisted
        self._stdio = session.transport.kind == "stdio"
        quarter = session.options.connect_timeout / 4
        self._patience = quarter * 2 if session.verdict is not None else min(PATIENCE, quarter)

    async def run(self) -> Legacy | Modern:
        """The era in which the conversation is open now; the verdict of the session says why. Raises Failed."""
        era = await self._run()
        steps, told = self._session.steps, str(self._session.verdict)
        if not any(step.outcome == told for step in steps.steps):
            steps.begin("era").end(told)
        return era

    async def _run(self) -> Legacy | Modern:
        session = self._session
        step = session.steps.begin("discover" if self._insisted else "era probe")
        try:
            pending = self._ask(LATEST_MODERN)
        except Failed as failed:
            return await self._decide(step, failed.failure)
        if self._stdio and not self._insisted:
            await asyncio.wait({pending.future}, timeout=self._patience)
            if not pending.future.done():
                step.end(f"no answer within {duration(self._patience)}; initialize follows", ok=False)
                return await self._both(pending)
        return await self._decide(step, await self._outcome(pending))

    def _ask(self, version: str) -> Pending:
        session = self._session
        session.states.enter("INITIALIZING")
        meta = stamp(version, session)
        params = {"_meta": meta}
        sent = {} if self._stdio else standard_headers(DISCOVER, params, meta)
        return session.dispatcher.start(DISCOVER, params, idle=TOTAL, total=TOTAL, headers=sent)

    async def _outcome(self, pending: Pending) -> Answer | Failure:
        try:
            answer = await self._session.dispatcher.answer(pending)
        except Failed as failed:
            return failed.failure
        self._session.note_arrival()
        return answer

    async def _decide(self, step: Step, outcome: Answer | Failure) -> Legacy | Modern:
        verdict = await self._judged(step, outcome)
        if verdict.again:
            step = self._session.steps.begin("discover again")
            again = await self._judged(step, outcome := await self._outcome(self._ask(verdict.version)))
            if again.again:
                raise Failed(
                    Failure(
                        kind="version",
                        message=f"the server refuses {verdict.version}, which it says it supports: {again.evidence}",
                        hint="see the raw frames in the traffic; --protocol legacy asks for the older era",
                    )
                )
            verdict = (
                replace(again, evidence=f"{verdict.evidence}; {again.evidence}")
                if again.era == "modern"
                else again
            )
        if verdict.era == "modern":
            return self._modern(verdict, outcome)
        return await self._fallen_back(verdict, ended=_ended(outcome))

    async def _judged(self, step: Step, outcome: Answer | Failure) -> Verdict:
        """Raises Failed for what is evidence for neither era, and for an era that the user does not want."""
        judged = judge(outcome, stdio=self._stdio)
        if isinstance(judged, Failure):
            raise Failed(judged)
        if self._insisted and judged.era == "modern":
            judged = replace(judged, how="told", evidence=f"as --protocol says; {judged.evidence}")
        step.end(str(judged), ok=judged.era == "modern" or not self._insisted)
        if self._insisted and judged.era == "legacy":
            if _no_server(outcome):
                await self._look_for_the_older_transport(outcome)
            raise Failed(outcome if _ended(outcome) or _no_server(outcome) else refused(judged))
        return judged

    async def _look_for_the_older_transport(self, failure: Failure) -> None:
        """Raises Failed where one may be at this URL: that it is, or that neither is."""
        session = self._session
        if session.transport.may_go_another_way(failure):
            step = session.steps.begin("other transport")
            session.changed()
            step.end(await session.transport.go_another_way(failure))
            raise Failed(refused(legacy_only()))

    def _modern(self, verdict: Verdict, outcome: Answer | Failure) -> Modern:
        session = self._session
        session.verdict = verdict
        era = Modern(session, verdict.version)
        answer = outcome if isinstance(outcome, Answer) else None
        era.adopt(answer)
        if answer is not None and answer.failure is not None:
            session.warnings.append(
                f"{verdict.evidence}, so the session goes on in it; what the server declares is not known "
                "(--protocol legacy goes back)"
            )
        return era

    async def _fallen_back(self, verdict: Verdict, *, ended: bool) -> Legacy:
        """The handshake after the probe, in a fresh process where this one ended or does not take it."""
        session = self._session
        session.verdict = verdict
        if self._stdio and ended:
            return await self._afresh("the probe ended the process")
        try:
            return await handshake(session)
        except Failed as failed:
            if not self._stdio or failed.failure.kind not in (*OTHER_ERA, "exited", "stream"):
                raise
            session.steps.stop(failed.failure.message)
        return await self._afresh("initialize was not taken after the probe")

    async def _afresh(self, why: str) -> Legacy:
        await self._session.replace_transport(why)
        return await handshake(self._session)

    async def _both(self, probe: Pending) -> Legacy | Modern:
        """The probe is out and `initialize` follows: the first of the two that is taken decides."""
        session = self._session
        legacy = Legacy(session)
        step = session.steps.begin("handshake")
        try:
            offer = legacy.offer()
        except Failed:
            return await self._fallen_back(_silent(self._patience), ended=True)
        await asyncio.wait({probe.future, offer.future}, return_when=asyncio.FIRST_COMPLETED)
        if not probe.future.done() and not _taken(offer):
            await asyncio.wait({probe.future}, timeout=self._patience)
        if probe.future.done():
            judged = judge(outcome := await self._outcome(probe), stdio=True)
            if isinstance(judged, Verdict) and judged.era == "modern":
                session.dispatcher.forget(offer)
                step.end("not needed: the probe was answered after all")
                return await self._decide(session.steps.begin("late answer"), outcome)
            if _ended(outcome):
                step.end(outcome.message, ok=False)
                return await self._decide(session.steps.begin("late end"), outcome)
            session.verdict = judged if isinstance(judged, Verdict) else _silent(self._patience)
        else:
            session.dispatcher.forget(probe)
            session.verdict = _silent(self._patience)
        try:
            answer = await legacy.offered(offer)
        except Failed as failed:
            if failed.failure.kind not in (*OTHER_ERA, "exited", "stream"):
                raise
            step.end(failed.failure.message, ok=False)
            return await self._afresh("initialize was not taken after the probe")
        step.end()
        await legacy.adopt(answer)
        return legacy


def _taken(offer: Pending) -> bool:
    future = offer.future
    return future.done() and future.exception() is None and future.result().failure is None


def _ended(outcome: Answer | Failure) -> TypeGuard[Failure]:
    return isinstance(outcome, Failure) and outcome.kind in ("exited", "stream")


def _no_server(outcome: Answer | Failure) -> TypeGuard[Failure]:
    """What came is no word of MCP in any version; a bare 400 is how older servers refuse what they do not know."""
    if not isinstance(outcome, Failure):
        return False
    return outcome.kind in ("not_mcp", "protocol") or (outcome.kind == "http" and outcome.http_status != 400)


def _silent(patience: float) -> Verdict:
    return Verdict(
        "legacy",
        LATEST_LEGACY,
        f"no answer to {DISCOVER} within {duration(patience)}, but initialize was answered",
    )
