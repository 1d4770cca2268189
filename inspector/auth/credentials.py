"""What a connection sends in the place of the person: the token that was kept, renewed where that needs nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from inspector.auth.kept import Client, Kept, Token, canonical
from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config.oauth import OAuth
from inspector.transports.base import Observer


class Credentials:
    """Satisfies `transports.base.Credentials`. It never starts a login."""

    def __init__(
        self,
        url: str,
        *,
        observer: Observer,
        secrets: Secrets,
        settings: OAuth,
        environment: Mapping[str, str],
        insecure: bool = False,
        ca: str | None = None,
        kept: Kept | None = None,
    ) -> None:
        self._url = canonical(url)
        self._observer = observer
        self._secrets = secrets
        self._settings = settings
        self._environment = environment
        self._insecure = insecure
        self._ca = ca
        self._kept = kept if kept is not None else Kept()
        self._token: Token | None = None
        self._renewing = asyncio.Lock()

    @property
    def authorization(self) -> str | None:
        return None if self._token is None else f"Bearer {self._token.access}"

    async def open(self) -> None:
        """Reads what is kept, and renews what is over."""
        self._take(self._kept.token(self._url))
        if self._token is not None and self._token.stale:
            await self.renewed(self.authorization)

    async def renewed(self, refused: str | None) -> bool:
        """Whether there is something else to send than what was refused: of another program that logged in or renewed
        meanwhile, or new for the refresh token."""
        async with self._renewing:
            if self.authorization != refused:
                return True
            try:
                async with self._kept.refreshing():
                    kept = self._kept.token(self._url)
                    if kept is not None and f"Bearer {kept.access}" != refused:
                        self._take(kept)
                        return True
                    return kept is not None and await self._renew(kept)
            except OSError as error:
                self._observer.system(f"the token was not renewed: {error}")
                return False

    async def _renew(self, token: Token) -> bool:
        if token.refresh is None and token.grant != "client_credentials":
            return False
        from inspector.auth.timeline import Timeline
        from inspector.auth.tokens import TokenEndpoint
        from inspector.auth.web import Web

        web = Web(self._observer, self._secrets, self._allowed, insecure=self._insecure, ca=self._ca)
        try:
            endpoint = TokenEndpoint(
                token.issuer, token.endpoint, self._client(token), self._settings, web, Timeline()
            )
            if token.refresh is not None:
                fresh = await endpoint.again(token)
            else:
                fresh = await endpoint.by_itself(token.resource, token.scopes)
        except Failed as failed:
            self._observer.system(f"the token was not renewed: {failed.failure.message}")
            if failed.failure.data == {"error": "invalid_grant"}:
                self._kept.keep_token(self._url, replace(token, refresh=None))
            if failed.failure.data == {"error": "invalid_client"}:
                self._forget_client(token)
            return False
        finally:
            await web.aclose()
        self._kept.keep_token(self._url, fresh)
        self._take(fresh)
        self._observer.system(f"the token was renewed by {urlsplit(token.endpoint).netloc}")
        return True

    def _forget_client(self, token: Token) -> None:
        """The next login registers anew; what was given to a client that is not known is of no more use."""
        kept = self._kept.client(token.issuer)
        if kept is not None and kept.id == token.client:
            self._kept.keep_client(token.issuer, None)
            self._kept.keep_token(self._url, replace(token, refresh=None))

    def _client(self, token: Token) -> Client:
        """The one that the token was given to."""
        kept = self._kept.client(token.issuer)
        if kept is not None and kept.id == token.client:
            return kept
        ours = token.client == self._settings.client_id
        secret = self._environment.get(self._settings.secret_variable or "") if ours else None
        return Client(token.client, token.method, secret)

    async def _allowed(self, url: str, what: str) -> None:
        """The endpoint of a token that was kept was agreed to at its login, but for what no yes allows."""
        from inspector.auth.places import must_be_encrypted

        must_be_encrypted(url, what, self._url)

    def _take(self, token: Token | None) -> None:
        self._token = token
        if token is not None:
            self._secrets.add_token(token.access)
            self._secrets.add_token(token.refresh or "")
