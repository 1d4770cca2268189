"""The token endpoint (RFC 6749, 3.2): a code, a refresh token or the client itself against an access token."""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from inspector.auth.dpop import NONCE, Key
from inspector.auth.grants import Grant
from inspector.auth.kept import Client, Token
from inspector.auth.timeline import Timeline
from inspector.auth.web import Answer, Web
from inspector.base.errors import Failed, Failure
from inspector.base.text import clip, quoted
from inspector.config.oauth import OAuth

_LONGEST = 1e9
"""Seconds; what lasts longer than a life needs no exact end."""


class TokenEndpoint:
    """The endpoint of one issuer, as one client sees it."""

    def __init__(
        self,
        issuer: str,
        url: str,
        client: Client,
        settings: OAuth,
        web: Web,
        timeline: Timeline,
        revocation: str | None = None,
        key: Key | None = None,
    ) -> None:
        """`revocation` is the endpoint of the issuer that takes tokens back; they are bound to the `key`, if any."""
        self._key = key
        self._revocation = revocation
        self._issuer = issuer
        self._url = url
        self._client = client
        self._settings = settings
        self.web = web
        self._timeline = timeline

    async def by_code(
        self, code: str, verifier: str, redirect_uri: str, resource: str | None, scopes: list[str] | None
    ) -> Token:
        """Raises Failed (auth)."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        return await self._ask(fields, "RFC 6749, 4.1.3; RFC 7636, 4.5", resource, scopes)

    async def by_grant(self, grant: Grant, resource: str | None, scopes: list[str] | None) -> Token:
        """For who needs no browser. Raises Failed (auth)."""
        fields = dict(grant.fields)
        if scopes:
            fields["scope"] = " ".join(scopes)
        token = await self._ask(fields, grant.spec, resource, scopes)
        # What is given beside it is of no use: the grant itself can be repeated (RFC 6749, 4.4.3).
        token.grant, token.refresh = self._settings.grant, None
        return token

    async def again(self, token: Token) -> Token:
        """A new one for the refresh token of an old one, which keeps that where no other is given. Raises Failed
        (auth)."""
        fields = {"grant_type": "refresh_token", "refresh_token": token.refresh or ""}
        fresh = await self._ask(
            fields, "RFC 6749, 6; OAuth 2.1, 4.3.1: rotation", token.resource, token.scopes
        )
        fresh.refresh = fresh.refresh or token.refresh
        fresh.secret, fresh.revocation = token.secret, token.revocation
        return fresh

    async def take_back(self, token: Token) -> None:
        """Tells the server that the tokens are not wanted any more, the one that makes others first (RFC 7009, 2.1).
        Raises Failed."""
        for kind, value in (("refresh_token", token.refresh), ("access_token", token.access)):
            if value:
                fields = {"token": value, "token_type_hint": kind}
                answer = await self._post("the revocation endpoint", fields)
                if not answer.ok:
                    raise Failed(_refused(self._url, answer, answer.object()))

    async def _ask(
        self, fields: dict[str, str], spec: str, resource: str | None, scopes: list[str] | None
    ) -> Token:
        if resource is not None:
            fields["resource"] = resource
        with self._timeline.step(f"POST {self._url} ({fields['grant_type']})", spec) as step:
            answer = await self._post("the token endpoint", fields)
            step.exchange = answer.exchange
            step.outcome = f"HTTP {answer.status}"
            token = self._read(answer, resource, scopes)
            lasts = "" if token.expires_in is None else f", for {token.expires_in:.0f} s"
            renewed = ", with a refresh token" if token.refresh else ""
            bound = " that is bound to a key" if token.key else ""
            step.outcome += f": an access token{bound}{lasts}{renewed}"
            step.why = (
                f"client proven by {self._client.method}; scopes: {' '.join(token.scopes) or 'none named'}"
            )
            return token

    async def _post(self, what: str, fields: dict[str, str]) -> Answer:
        """Sent once more where the server gives a nonce for the proof (RFC 9449, 8)."""
        while True:
            headers = self._prove(fields)
            if self._key is not None:
                headers["DPoP"] = self._key.proof("POST", self._url)
            answer = await self.web.post_form(self._url, what, fields, headers)
            if self._key is None or not self._key.takes(answer.headers.get(NONCE)):
                return answer
            if answer.ok or (answer.object() or {}).get("error") != "use_dpop_nonce":
                return answer

    def _prove(self, fields: dict[str, str]) -> dict[str, str]:
        """Puts in who asks (RFC 6749, 2.3.1; RFC 7523, 2.2). Returns the headers."""
        client = self._client
        if client.method == "client_secret_basic":
            pair = f"{quote(client.id, safe='')}:{quote(client.secret or '', safe='')}"
            return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        fields["client_id"] = client.id
        if client.method == "client_secret_post":
            fields["client_secret"] = client.secret or ""
        elif client.method == "private_key_jwt":
            from inspector.auth.assertion import BEARER, signed

            fields["client_assertion_type"] = BEARER
            fields["client_assertion"] = signed(client.id, self._issuer, self._settings)
        return {}

    def _read(self, answer: Answer, resource: str | None, scopes: list[str] | None) -> Token:
        value = answer.object()
        if not answer.ok or value is None or not isinstance(value.get("access_token"), str):
            raise Failed(_refused(self._url, answer, value))
        kind = value.get("token_type")
        bound = self._key is not None and isinstance(kind, str) and kind.lower() == "dpop"
        if isinstance(kind, str) and kind.lower() != "bearer" and not bound:
            message = f"{self._url} gave a token of the type {quoted(kind, 40)}, which was not asked for"
            hint = "ask its owner for bearer tokens (RFC 6750), or for DPoP in the challenge of the server (RFC 9449)"
            raise Failed(Failure(kind="auth", message=message, hint=hint))
        refresh, granted = value.get("refresh_token"), value.get("scope")
        return Token(
            access=value["access_token"],
            issuer=self._issuer,
            endpoint=self._url,
            client=self._client.id,
            method=self._client.method,
            resource=resource,
            refresh=refresh if isinstance(refresh, str) and refresh else None,
            scopes=granted.split() if isinstance(granted, str) else list(scopes or ()),
            expires=_expiry(value),
            revocation=self._revocation,
            key=self._key.pem if self._key is not None and bound else None,
            secret=self._client.secret if self._client.redirect_uri is not None else None,
        )


def _expiry(value: Mapping[str, Any]) -> float | None:
    try:
        seconds = float(value.get("expires_in", ""))
    except (TypeError, ValueError, OverflowError):
        return None
    return time.time() + min(seconds, _LONGEST) if math.isfinite(seconds) else None


def _refused(url: str, answer: Answer, value: dict[str, Any] | None) -> Failure:
    error = value.get("error") if value is not None else None
    if not isinstance(error, str):
        why = answer.told() if not answer.ok else "no access_token in it"
        return Failure(
            kind="auth",
            message=f"{url} gave no token: {why}",
            hint="see the exchange in the traffic",
            http_status=answer.status,
        )
    told = value.get("error_description") if value is not None else None
    said = f"{error}: {told}" if isinstance(told, str) else error
    return Failure(
        kind="auth",
        message=f"{url} refused a token: {clip(said, 300)}",
        hint=_HINTS.get(error, "see the exchange in the traffic"),
        http_status=answer.status,
        data={"error": error},
    )


_HINTS = {
    "invalid_client": "the client is not known there, or proves itself in another way than it wants: log in "
    "anew, which registers anew; a client of the settings is to be corrected there",
    "invalid_grant": "the code or refresh token is over or was used before: log in anew",
    "invalid_scope": "ask for other scopes, in settings.json under oauth",
    "unauthorized_client": "this client may not use this grant: log in anew, which registers anew",
    "unsupported_grant_type": "the server has no such grant",
    "invalid_target": "the server does not know the resource (RFC 8707)",
}
