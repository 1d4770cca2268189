"""A login from the refusal of the server to a token, step by step, as the versions of MCP have it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Protocol
from urllib.parse import urlsplit

from inspector.auth import clients
from inspector.auth.authorization import Attempt, pkce_refusal
from inspector.auth.callback import Callback, listening
from inspector.auth.discovery import (
    FIRST,
    AuthorizationServer,
    Resource,
    find_resource,
    find_server,
    find_server_of_old,
)
from inspector.auth.dpop import ALGORITHM, Key
from inspector.auth.grants import grant_of
from inspector.auth.kept import Client, Kept, Token, canonical
from inspector.auth.places import Places
from inspector.auth.timeline import Timeline
from inspector.auth.tokens import TokenEndpoint
from inspector.auth.web import Web
from inspector.base.errors import Failed, fail
from inspector.base.patterns import pattern
from inspector.base.secrets import Secrets
from inspector.base.text import clip
from inspector.config.oauth import UNATTENDED, OAuth
from inspector.transports.base import Observer

PATIENCE = 600.0
"""Seconds that a person has in the browser, where nobody says otherwise."""
_SCOPE = pattern(r"[!#-\[\]-~]+")
_FORGOTTEN = ({"error": "invalid_client"}, {"error": "unauthorized_client"})
"""What an authorization server says of a client that it does not know, or no longer."""


class Person(Protocol):
    """Whoever logs in."""

    async def present(self) -> None:
        """Raises Failed where nobody could go to a browser, before anybody is asked for anything."""
        ...

    async def agrees(self, question: str) -> bool: ...

    async def visit(self, url: str) -> None:
        """Shows the URL, and opens it in a browser where that is agreed to."""
        ...

    async def pasted(self) -> str:
        """The URL that the browser came back with, typed by hand; may never return."""
        ...


class Login:
    """One login to one server. `version` is that of MCP, whose rules are followed; None for a server that has not said
    one, for which all places are tried and the stricter rule holds."""

    def __init__(
        self,
        url: str,
        *,
        person: Person,
        observer: Observer,
        secrets: Secrets,
        settings: OAuth,
        environment: Mapping[str, str],
        version: str | None = None,
        timeline: Timeline | None = None,
        kept: Kept | None = None,
        insecure: bool = False,
        ca: str | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.url = url
        self.timeline = timeline if timeline is not None else Timeline()
        self._person = person
        self._settings = settings
        self._environment = environment
        self._version = version
        self._kept = kept if kept is not None else Kept()
        self._places = Places(url, person.agrees)
        self._patience = patience
        self._key: Key | None = None
        self._secrets = secrets
        self._web = Web(observer, secrets, self._places.allowed, insecure=insecure, ca=ca)

    async def run(self, status: int | None, challenge: Mapping[str, str], more: Sequence[str] = ()) -> Token:
        """`challenge` are the parameters of WWW-Authenticate, lower names, with the HTTP status they came with; None
        where the server has not refused. `more` are scopes that the person wants, beside those granted before. The
        token is kept. Raises Failed, and OSError where it cannot be kept."""
        key = canonical(self.url)
        if self._settings.grant not in UNATTENDED:
            await self._person.present()
        self._kept.check()
        try:
            self._tell_refusal(status, challenge)
            if named := challenge.get("resource_metadata"):
                self._kept.keep_metadata_at(key, named)
            else:
                challenge = {**challenge, **self._kept.metadata_at(key)}
            token = await self._token(status, challenge, more)
            await asyncio.to_thread(self._kept.keep_token, key, token)
            return token
        finally:
            self._kept.keep_steps(key, self.timeline.as_json())
            await self._web.aclose()

    def _tell_refusal(self, status: int | None, challenge: Mapping[str, str]) -> None:
        if status is None:
            self.timeline.say("the server", "did not ask for a login", why="it is looked for all the same")
            return
        told = ", ".join(f"{name}={value}" for name, value in challenge.items())
        self.timeline.say(
            "the server",
            f"HTTP {status}" + (f" with {told}" if told else " without a challenge that says more"),
            spec="RFC 6750, 3; RFC 9728, 5.1",
        )

    async def _token(self, status: int | None, challenge: Mapping[str, str], more: Sequence[str]) -> Token:
        resource, server = await self._where(challenge)
        await self._reachable(server)
        if status == 403 and not more:
            more = challenge.get("scope", "").split()
        scopes = self._scopes(challenge, resource, server, more)
        wanted = None if self._version == FIRST else resource.resource
        self._key = self._bound(challenge, resource, server)
        if self._settings.grant in UNATTENDED:
            client = clients.of_settings(self._settings, server, self._environment)
            if client is None:
                raise fail("auth", f"the grant {self._settings.grant} needs a client", clients.SETTINGS_HINT)
            grant = await grant_of(
                self._settings, self._environment, server.issuer, wanted, self._web, self.timeline
            )
            return await self._endpoint(server, client).by_grant(grant, wanted, scopes)
        refusal, note = pkce_refusal(server, self._version)
        self.timeline.say(
            "PKCE", refusal or "S256", why=note, spec="RFC 7636; MCP 2025-11-25", ok=not refusal
        )
        if refusal:
            raise fail(
                "auth",
                f"the authorization server {server.issuer} must not be used: {refusal}",
                "its owner has to add S256 there; for a server of an older version say so: --protocol 2025-06-18",
            )
        self._kept.keep_issuer(canonical(self.url), server.issuer)
        kept = self._kept.client(server.issuer)
        try:
            return await self._by_browser(server, kept, wanted, scopes)
        except Failed as failed:
            if kept is None or failed.failure.data not in _FORGOTTEN or self._kept.client(server.issuer):
                raise
        self.timeline.say("client", "once more", why=f"{server.issuer} no longer knows {clip(kept.id, 100)}")
        return await self._by_browser(server, None, wanted, scopes)

    async def _where(self, challenge: Mapping[str, str]) -> tuple[Resource, AuthorizationServer]:
        if self._version == FIRST:
            return Resource(canonical(self.url)), await find_server_of_old(self.url, self._web, self.timeline)
        resource = await find_resource(self.url, challenge, self._web, self.timeline)
        if not resource.issuers:
            self.timeline.say(
                "authorization server",
                "not named by any metadata of the server",
                why=f"it is looked for at the root of the server, as {FIRST} has it",
                spec=f"MCP {FIRST}",
            )
            return resource, await find_server_of_old(self.url, self._web, self.timeline)
        known = self._kept.facts(canonical(self.url))
        issuer = (
            known.issuer if known is not None and known.issuer in resource.issuers else resource.issuers[0]
        )
        if len(resource.issuers) > 1:
            self.timeline.say(
                "authorization server", issuer, why=f"one of {len(resource.issuers)} that are named"
            )
        return resource, await find_server(issuer, self._web, self.timeline, self._version)

    async def _reachable(self, server: AuthorizationServer) -> None:
        """Before anything goes to one of them: a person should not log in for a code that must not be sent."""
        endpoints = {
            "the authorization endpoint": server.authorization_endpoint,
            "the token endpoint": server.token_endpoint,
            "the registration endpoint": server.registration_endpoint,
        }
        if self._settings.grant in UNATTENDED:
            del endpoints["the authorization endpoint"]
        with self.timeline.step("endpoints", "OAuth 2.1, 1.5; MCP: communication security") as step:
            for what, url in endpoints.items():
                if url is not None:
                    await self._places.allowed(url, what)
            step.outcome = "by https, or on this machine or that of the server"

    def _bound(
        self, challenge: Mapping[str, str], resource: Resource, server: AuthorizationServer
    ) -> Key | None:
        """A new key for the token, where the server wants one that is bound to it."""
        known = self._kept.facts(canonical(self.url))
        if challenge.get("scheme") == "DPoP":
            why = "the challenge asks for it"
        elif (resource.metadata or {}).get("dpop_bound_access_tokens_required") is True:
            why = "dpop_bound_access_tokens_required is in the metadata of the resource"
        elif known is not None and known.key is not None:
            why = "the token before was bound to one"
        else:
            return None
        algorithms = server.lists("dpop_signing_alg_values_supported")
        if algorithms is not None and ALGORITHM not in algorithms:
            raise fail(
                "auth",
                f"the server wants tokens that are bound to a key, and {server.issuer} takes no proof by {ALGORITHM}",
                f"it takes {', '.join(algorithms) or 'none'}; {ALGORITHM} is what is spoken here (RFC 9449, 5.1)",
            )
        with self.timeline.step("DPoP", "RFC 9449; SEP-1932") as step:
            key = Key()
            step.outcome, step.why = "the token is to be bound to a new key", why
        return key

    def _scopes(
        self,
        challenge: Mapping[str, str],
        resource: Resource,
        server: AuthorizationServer,
        more: Sequence[str],
    ) -> list[str] | None:
        """`more` are wanted beside those that were granted before; with them nothing else counts."""
        known = self._kept.facts(canonical(self.url))
        if more:
            found = [*(known.scopes if known is not None else ()), *more]
            why = "what was granted before, and what is wanted now"
        elif self._settings.scopes is not None:
            found, why = list(self._settings.scopes), "the settings name them"
        elif named := challenge.get("scope", "").split():
            found, why = named, "the challenge names them"
        elif resource.scopes:
            found, why = resource.scopes, "scopes_supported of the resource: all of them"
        else:
            found, why = [], "nobody names any, so the parameter is left out"
        if (
            found
            and "offline_access" in (server.lists("scopes_supported") or ())
            and not self._settings.scopes
        ):
            found = [*found, "offline_access"]
            why += "; offline_access, since the server has it"
        # What no scope may be written with (RFC 6749, 3.3) would make something else of those beside it.
        found = [scope for scope in dict.fromkeys(found) if _SCOPE.fullmatch(scope)]
        self.timeline.say(
            "scopes", " ".join(found) or "none", why=why, spec="MCP 2025-11-25: scope selection strategy"
        )
        return found or None

    async def _by_browser(
        self, server: AuthorizationServer, kept: Client | None, resource: str | None, scopes: list[str] | None
    ) -> Token:
        """`kept` is the client that is registered there. One that came to nothing is forgotten, for a server that does
        not know it tells that to the browser alone (RFC 6749, 4.1.2.1)."""
        async with AsyncExitStack() as stack:
            callback = await self._listen(stack, kept)
            client = await self._client(server, kept, callback.uri, scopes)
            try:
                return await self._attempt(server, client, callback, resource, scopes)
            except (Failed, asyncio.CancelledError) as ended:
                failure = ended.failure if isinstance(ended, Failed) else None
                if (
                    failure is None or failure.kind in ("timeout", "cancelled") or failure.data in _FORGOTTEN
                ) and self._kept.client(server.issuer) == client:
                    self._kept.keep_client(server.issuer, None)
                raise

    async def _attempt(
        self,
        server: AuthorizationServer,
        client: Client,
        callback: Callback,
        resource: str | None,
        scopes: list[str] | None,
    ) -> Token:
        attempt = Attempt(server, client, callback.uri)
        url = attempt.url(resource, scopes)
        self._secrets.add_token(attempt.verifier)
        with self.timeline.step(
            f"browser to {server.authorization_endpoint.partition('?')[0]}",
            "RFC 6749, 4.1.1; RFC 8252; RFC 9207: iss",
        ) as step:
            step.why = f"it comes back to {callback.uri}"
            await self._person.visit(url)
            query = await callback.query(self._person.pasted, self._patience)
            code = attempt.code(query)
            self._secrets.add_token(code)
            step.outcome = "a code came back, with the right state" + (" and iss" if "iss=" in query else "")
        endpoint = self._endpoint(server, client)
        return await endpoint.by_code(code, attempt.verifier, callback.uri, resource, scopes)

    async def _listen(self, stack: AsyncExitStack, kept: Client | None) -> Callback:
        """On the port of the settings, else on that of the registration if it is free, else on any."""
        before = urlsplit(kept.redirect_uri).port if kept is not None and kept.redirect_uri else None
        for port in dict.fromkeys((self._settings.port or before or 0, self._settings.port)):
            try:
                return await stack.enter_async_context(listening(port))
            except OSError as error:
                refused = error
        raise fail(
            "io",
            f"port {self._settings.port} for the redirect is not to be had: {refused.strerror or refused}",
            "free it, or change redirectPort in settings.json",
        )

    async def _client(
        self, server: AuthorizationServer, kept: Client | None, redirect_uri: str, scopes: list[str] | None
    ) -> Client:
        spec = "MCP 2025-11-25: client registration approaches"
        if (client := clients.of_settings(self._settings, server, self._environment)) is not None:
            self.timeline.say("client", client.id, why="the settings name it", spec=spec)
        elif (client := clients.of_document(self._settings, server)) is not None:
            self.timeline.say(
                "client", client.id, why="the server reads client id metadata documents", spec=spec
            )
        elif kept is not None and kept.redirect_uri == redirect_uri:
            client = kept
            self.timeline.say("client", client.id, why=f"registered with {server.issuer} before", spec=spec)
        else:
            client = await clients.register(server, redirect_uri, scopes, self._web, self.timeline)
            self._kept.keep_client(server.issuer, client)
        if client.secret:
            self._secrets.add_token(client.secret)
        return client

    def _endpoint(self, server: AuthorizationServer, client: Client) -> TokenEndpoint:
        revocation = (server.metadata or {}).get("revocation_endpoint")
        return TokenEndpoint(
            server.issuer,
            server.token_endpoint,
            client,
            self._settings,
            self._web,
            self.timeline,
            revocation if isinstance(revocation, str) else None,
            self._key,
        )
