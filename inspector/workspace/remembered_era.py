"""Which era a server was found to speak, from one start to the next: what a session opens with, and what is learnt."""

from __future__ import annotations

from dataclasses import replace

from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config.server import Server
from inspector.session.eras.verdict import Verdict
from inspector.session.session import Options, Session

_NOT_REACHED = (
    "not_found", "not_executable", "bad_cwd", "spawn", "config", "dns", "refused", "tls", "proxy", "auth", "redirect",
)  # fmt: skip
"""Kinds of failures that say nothing of what the server speaks."""


class RememberedEra:
    """Of one server. The file of all verdicts is read and written only where one is asked for or found."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._found: Verdict | None = None

    def recalled(self, server: Server, options: Options) -> Verdict | None:
        """What was found before; None where nothing was, or where an era is insisted on."""
        if options.protocol != "auto":
            return None
        if self._found is not None:
            return self._found
        from inspector.workspace.verdicts import recall

        return recall(server)

    async def connect(self, server: Server, session: Session) -> None:
        """Opens the session, and remembers which era that was in; where it failed, that is asked again. Raises
        Failed."""
        before = session.verdict
        try:
            await session.connect()
        except Failed as failed:
            found, self._found = session.verdict, None
            if before is not None and failed.failure.kind not in _NOT_REACHED:
                from inspector.workspace.verdicts import forget

                forget(server)
            elif before is None and found is not None and failed.failure.kind == "exited":
                # It ended without the probe as well; the next try need not start it twice to see that.
                self._found = replace(found, how="remembered")
            raise
        self._found = None
        verdict, handshake = session.verdict, session.handshake
        if verdict is None or verdict.how == "told":
            return
        from inspector.workspace import verdicts

        info = handshake.server_info if handshake is not None else None
        if verdict.how == "remembered":
            verdicts.check(server, info)
        else:
            evidence = self._secrets.mask_message(verdict.evidence)
            verdicts.remember(server, replace(verdict, evidence=evidence), info)
