"""The login of one connection: what is kept of it, and how a new one goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from inspector.auth.credentials import Credentials
from inspector.auth.kept import Kept, Token, canonical
from inspector.auth.timeline import Timeline
from inspector.base.errors import Failed, Failure, fail
from inspector.base.secrets import Secrets
from inspector.base.text import clip
from inspector.config import oauth
from inspector.config.server import Server
from inspector.config.settings import load_settings
from inspector.protocol.revisions import LATEST_MODERN, REVISIONS
from inspector.transports.base import Observer

if TYPE_CHECKING:
    from inspector.auth.login import Person
    from inspector.auth.places import Ask
    from inspector.workspace.connection import Book

_FORBIDDEN = 403
_STEP_UPS = 3
"""Logins in one run for the same scope that a server still finds missing."""


class Authorization:
    """`timeline` is that of the login under way, or of the last one in this run; `busy` while one is under way,
    `failure` why the last one came to nothing."""

    def __init__(
        self,
        name: str,
        book: Book,
        secrets: Secrets,
        environment: Mapping[str, str],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._name = name
        self._book = book
        self._secrets = secrets
        self._environment = environment
        self._changed = changed
        self._kept = Kept(in_keyring=load_settings().tokens == "keyring")
        self._live: WeakSet[Credentials] = WeakSet()
        self.timeline = Timeline(changed)
        self.busy = False
        self.failure: Failure | None = None
        self._step_ups: Counter[str] = Counter()

    def credentials(self, server: Server, observer: Observer) -> Credentials:
        """What its connections send; a login is known to those that are open."""
        credentials = Credentials(
            server.url,
            observer=observer,
            secrets=self._secrets,
            settings=self._settings(server),
            environment=self._environment,
            insecure=server.insecure,
            ca=server.ca,
            kept=self._kept,
        )
        self._live.add(credentials)
        return credentials

    async def log_in(
        self,
        server: Server,
        person: Person,
        refusal: Failure | None,
        version: str | None,
        more: Sequence[str] = (),
        patience: float | None = None,
    ) -> Token:
        """`refusal` is the failure (auth) that the server answered with, None where it did not refuse; `version` that
        of the session, or what was asked for; `more` are scopes beside those granted before, `patience` the seconds
        that the person has in the browser. Raises Failed, also where the same scope is wanted for the fourth time: what
        was granted for it did not help (MCP 2025-11-25: step-up authorization flow)."""
        if server.transport == "stdio" or not server.url:
            raise fail(
                "auth", f"{self._name} is a process of this machine: there is nothing to log in to", None
            )
        if any(name.lower() == "authorization" for name in server.headers):
            raise fail(
                "auth",
                f"{self._name} is sent an Authorization of its entry, and a token of a login would not be used",
                "take that header away first, or give it a new value",
            )
        self._count(refusal)
        from inspector.auth.login import PATIENCE, Login

        self.timeline = Timeline(self._changed)
        data = refusal.data if refusal is not None and isinstance(refusal.data, dict) else {}
        login = Login(
            server.url,
            person=person,
            observer=self._book.session(f"{self._name} (login)", transport="http", url=server.url),
            secrets=self._secrets,
            settings=self._settings(server),
            environment=self._environment,
            version=_version(version),
            timeline=self.timeline,
            kept=self._kept,
            insecure=server.insecure,
            ca=server.ca,
            patience=PATIENCE if patience is None else patience,
        )
        self.busy, self.failure = True, None
        self._changed()
        try:
            challenge = {name: value for name, value in data.items() if isinstance(value, str)}
            token = await login.run(refusal.http_status if refusal is not None else None, challenge, more)
            for credentials in tuple(self._live):
                await credentials.open()
            return token
        except Failed as failed:
            self.failure = failed.failure
            raise
        except OSError as error:
            raise fail("io", f"the token cannot be kept: {error}", "see mcp-inspect paths") from error
        finally:
            self.busy = False
            self._changed()

    def _count(self, refusal: Failure | None) -> None:
        if refusal is None or refusal.http_status != _FORBIDDEN:
            return
        data = refusal.data if isinstance(refusal.data, dict) else {}
        wanted = str(data.get("scope", ""))
        self._step_ups[wanted] += 1
        if self._step_ups[wanted] > _STEP_UPS:
            named = f"the scope {clip(wanted, 100)}" if wanted else "more than the token grants"
            raise fail(
                "auth",
                f"{self._name} wanted {named} again after {_STEP_UPS} logins for it: it is not asked for any more",
                "its owner has to say what the token lacks; mcp-inspect auth logs in all the same",
            )

    async def log_out(self, server: Server, agrees: Ask) -> str:
        """Forgets the token and the registration of ours with its issuer, and takes the token back where its server
        offers that; a sentence of what there was. Raises Failed (io)."""
        log = self._book.session(f"{self._name} (logout)", transport="http", url=server.url)
        try:
            told = await self.credentials(server, log).log_out(agrees)
            for credentials in tuple(self._live):
                await credentials.open()
        except OSError as error:
            raise fail("io", f"the token cannot be taken away: {error}", "see mcp-inspect paths") from error
        return told

    def as_json(self, server: Server) -> dict[str, Any]:
        """The document of `auth`: no token is in it. `state` is none, authorized or expired."""
        url = canonical(server.url) if server.failure is None else ""
        token = self._kept.facts(url)
        expires = None if token is None else token.expires_in
        over = expires is not None and expires <= 0
        return {
            "state": "none" if token is None else "expired" if over else "authorized",
            "issuer": None if token is None else token.issuer,
            "scopes": [] if token is None else token.scopes,
            "expires_s": None if expires is None else round(max(expires, 0.0), 3),
            "renewable": token is not None and token.renewable,
            "steps": self.timeline.as_json()
            or [
                # The numbers of another run mean nothing in the traffic of this one.
                step | {"exchange": None}
                for step in self._kept.steps(url)
            ],
        }

    def _settings(self, server: Server) -> oauth.OAuth:
        return oauth.of_server(load_settings().oauth, self._name, server.url, server.oauth)


def _version(named: str | None) -> str | None:
    """The version of MCP whose rules are followed; None where only an era, or nothing, is known."""
    return LATEST_MODERN if named == "modern" else named if named in REVISIONS else None
