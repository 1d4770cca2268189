"""What a connection sends in the place of the person: the token that was kept, renewed where that needs nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.auth.kept import Client, Kept, Token, canonical
from inspector.base.errors import Failed
from inspector.base.secrets import Secrets
from inspector.config.oauth import OAuth
from inspector.transports.base import Observer

if TYPE_CHECKING:
    from inspector.auth.dpop import Key
    from inspector.auth.places import Ask
    from inspector.auth.tokens import TokenEndpoint


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
        self._key: Key | None = None
        self._renewing = asyncio.Lock()

    def headers(self, method: str, url: str) -> dict[str, str]:
        if self._token is None:
            return {}
        sent = {"Authorization": _authorization(self._token)}
        if self._key is not None:
            sent["DPoP"] = self._key.proof(method, url, self._token.access)
        return sent

    def takes(self, nonce: str) -> bool:
        return self._key is not None and self._key.takes(nonce)

    @property
    def _sent(self) -> str | None:
        return None if self._token is None else _authorization(self._token)

    async def open(self) -> None:
        """Reads what is kept, and renews what is over."""
        try:
            # A keyring may ask its owner first, who must not find the app frozen meanwhile.
            self._take(await asyncio.to_thread(self._kept.token, self._url))
        except OSError as error:
            self._take(None)
            self._observer.system(f"no token is sent: {error}")
        if self._token is not None and self._token.stale:
            await self.renewed(self._sent)

    async def renewed(self, refused: str | None) -> bool:
        """Whether there is something else to send than what was refused: of another program that logged in or renewed
        meanwhile, or new for the refresh token."""
        async with self._renewing:
            if self._sent != refused:
                return True
            try:
                async with self._kept.refreshing():
                    kept = await asyncio.to_thread(self._kept.token, self._url)
                    if kept is not None and _authorization(kept) != refused:
                        self._take(kept)
                        return True
                    return kept is not None and await self._renew(kept)
            except OSError as error:
                self._observer.system(f"the token was not renewed: {error}")
                return False

    async def log_out(self, agrees: Ask) -> str:
        """Takes the token back where its server offers that, and forgets it with the registration; a sentence of what
        there was. Raises OSError."""
        self._take(await asyncio.to_thread(self._kept.token, self._url))
        told = await self._taken_back(self._token, agrees) if self._token is not None else ""
        token, client = await asyncio.to_thread(self._kept.forget, self._url)
        self._take(None)
        gone = [name for name, was in (("the token", token), ("the registration", client)) if was is not None]
        if not gone:
            return "there was no token"
        return f"{' and '.join(gone)} {'are' if len(gone) > 1 else 'is'} forgotten{told}"

    async def _taken_back(self, token: Token, agrees: Ask) -> str:
        """What became of that, as the end of a sentence."""
        if token.revocation is None:
            return ""
        from inspector.auth.places import Places

        try:
            async with self._endpoint(token, token.revocation, Places(self._url, agrees).allowed) as endpoint:
                await endpoint.take_back(token)
        except Failed as failed:
            return f", but it was not taken back: {failed.failure.message}"
        return f", and it was taken back by {urlsplit(token.revocation).netloc}"

    async def _renew(self, token: Token) -> bool:
        if not token.renewable:
            return False
        from inspector.auth.grants import grant_of
        from inspector.auth.timeline import Timeline

        try:
            async with self._endpoint(token, token.endpoint, self._allowed) as endpoint:
                if token.refresh is not None:
                    fresh = await endpoint.again(token)
                else:
                    grant = await grant_of(
                        self._settings,
                        self._environment,
                        token.issuer,
                        token.resource,
                        endpoint.web,
                        Timeline(),
                    )
                    fresh = await endpoint.by_grant(grant, token.resource, token.scopes)
        except Failed as failed:
            self._observer.system(f"the token was not renewed: {failed.failure.message}")
            if failed.failure.data == {"error": "invalid_grant"}:
                self._kept.keep_token(self._url, replace(token, refresh=None))
            if failed.failure.data == {"error": "invalid_client"}:
                self._forget_client(token)
            return False
        await asyncio.to_thread(self._kept.keep_token, self._url, fresh)
        self._take(fresh)
        self._observer.system(f"the token was renewed by {urlsplit(token.endpoint).netloc}")
        return True

    @asynccontextmanager
    async def _endpoint(
        self, token: Token, url: str, allowed: Callable[[str, str], Awaitable[None]]
    ) -> AsyncIterator[TokenEndpoint]:
        """An endpoint of the issuer, as the client sees it that the token was given to."""
        from inspector.auth.timeline import Timeline
        from inspector.auth.tokens import TokenEndpoint
        from inspector.auth.web import Web

        web = Web(self._observer, self._secrets, allowed, insecure=self._insecure, ca=self._ca)
        ours = token.client == self._settings.client_id
        secret = self._environment.get(self._settings.secret_variable or "") if ours else token.secret
        client = Client(token.client, token.method, secret)
        try:
            yield TokenEndpoint(
                token.issuer, url, client, self._settings, web, Timeline(), token.revocation, _key(token)
            )
        finally:
            await web.aclose()

    def _forget_client(self, token: Token) -> None:
        """The next login registers anew; what was given to a client that is not known is of no more use."""
        kept = self._kept.client(token.issuer)
        if kept is not None and kept.id == token.client:
            self._kept.keep_client(token.issuer, None)
            self._kept.keep_token(self._url, replace(token, refresh=None))

    async def _allowed(self, url: str, what: str) -> None:
        """The endpoint of a token that was kept was agreed to at its login, but for what no yes allows."""
        from inspector.auth.places import must_be_encrypted

        must_be_encrypted(url, what, self._url)

    def _take(self, token: Token | None) -> None:
        if token is None or self._token is None or token.key != self._token.key:
            self._key = _key(token)
        self._token = token
        if token is not None:
            for value in (token.access, token.refresh, token.secret, token.key):
                self._secrets.add_token(value or "")


def _authorization(token: Token) -> str:
    return f"{'Bearer' if token.key is None else 'DPoP'} {token.access}"


def _key(token: Token | None) -> Key | None:
    if token is None or token.key is None:
        return None
    from inspector.auth.dpop import Key

    return Key(token.key)
