"""Opens the conversation in the era that is insisted on, remembered, or found out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.base.errors import Failed
from inspector.protocol.revisions import REVISIONS, Era
from inspector.session.eras.legacy import OTHER_ERA, Legacy, handshake
from inspector.session.eras.verdict import legacy_only, refused, told

if TYPE_CHECKING:
    from inspector.session.eras.modern import Modern
    from inspector.session.session import Session


def era_of(protocol: str) -> Era | None:
    """The era that a setting insists on; None for `auto`."""
    if protocol in REVISIONS:
        return REVISIONS[protocol].era
    return "modern" if protocol == "modern" else "legacy" if protocol == "legacy" else None


async def choose(session: Session) -> Legacy | Modern:
    """Opens the conversation in the era that is insisted on, that is remembered, or that the server is found to
    speak; sets the verdict of the session. Raises Failed."""
    wanted, identity = session.options.protocol, session.options.identity
    by = f"--protocol {wanted}"
    if wanted == "auto" and identity.protocol is not None:
        wanted, by = identity.protocol, f"{identity.info['name']}, who we are,"
    era = era_of(wanted)
    if session.transport.legacy_only:
        if era == "modern":
            raise Failed(refused(legacy_only()))
        session.verdict = legacy_only()
        return await handshake(session)
    if era == "legacy":
        session.verdict = told("legacy", wanted, by)
        return await handshake(session)
    remembered = session.verdict
    if era is None and remembered is not None and remembered.era == "legacy":
        session.steps.begin("era").end(str(remembered))
        try:
            return await handshake(session)
        except Failed as failed:
            if failed.failure.kind not in OTHER_ERA:
                raise
            session.steps.stop(failed.failure.message)
    # Only here is the modern era loaded: a command that insists on the older one does not pay for it.
    from inspector.session.eras.probing import Probe

    return await Probe(session, insisted=era == "modern").run()
