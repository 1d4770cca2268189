"""The authorization endpoint: what the browser is sent there with, and what it brings back (RFC 6749, 4.1; RFC 7636;
RFC 9207)."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from inspector.auth.discovery import AuthorizationServer
from inspector.auth.kept import Client
from inspector.base.errors import fail
from inspector.base.text import clip, quoted

_PKCE_SINCE = "2025-11-25"


@dataclass(slots=True, repr=False)
class Attempt:
    """One way through the browser. What makes it this one is never used again."""

    server: AuthorizationServer
    client: Client
    redirect_uri: str
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    state: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def url(self, resource: str | None, scopes: list[str] | None) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self.client.id,
            "redirect_uri": self.redirect_uri,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "state": self.state,
        }
        if scopes:
            query["scope"] = " ".join(scopes)
        if resource is not None:
            query["resource"] = resource
        endpoint = self.server.authorization_endpoint
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(query, errors='replace')}"

    def code(self, query: str) -> str:
        """What came back. Raises Failed (auth): it is no answer to this attempt, or no code."""
        came = dict(parse_qsl(query, keep_blank_values=True))
        if not secrets.compare_digest(came.get("state", "").encode(), self.state.encode()):
            raise fail(
                "auth",
                "what came back has another state than was sent, so it may be an answer to somebody else",
                "log in again; if it happens each time, the server loses the state (RFC 6749, 4.1.2)",
            )
        issuer = came.get("iss")
        if issuer is None and self.server.says("authorization_response_iss_parameter_supported"):
            raise fail(
                "auth",
                f"{self.server.issuer} says that it names itself in what comes back (iss), and did not",
                "it may be the answer of another server (RFC 9207, 2.4); its owner has to mend that",
            )
        # Of an answer of somebody else nothing is shown: its words might be made to be read.
        if issuer is not None and issuer != self.server.issuer:
            raise fail(
                "auth",
                f"what came back is not from {self.server.issuer}: its iss is {quoted(issuer, 200)}",
                "the code was not used (RFC 9207, 2.4: both must be the same, character by character)",
            )
        if "error" in came:
            said = ": ".join(came[name] for name in ("error", "error_description") if came.get(name))
            raise fail(
                "auth",
                f"the authorization server refused: {clip(said, 300)}",
                "log in again",
                data={"error": came["error"]},
            )
        if not came.get("code"):
            raise fail("auth", "what came back holds neither a code nor an error", "paste the whole URL")
        return came["code"]


def pkce_refusal(server: AuthorizationServer, version: str | None) -> tuple[str, str]:
    """Why the server must not be used for what it says about PKCE, and what is to be noted of it otherwise; each may be
    empty."""
    methods = server.lists("code_challenge_methods_supported")
    if methods is not None and "S256" in methods:
        return "", "S256 is among code_challenge_methods_supported"
    if methods is not None:
        return f"it knows the methods {', '.join(methods) or 'none'}, not S256", ""
    if server.metadata is None:
        return "", "there is no metadata that could say so; S256 is used"
    if version is not None and version < _PKCE_SINCE:
        return "", f"its metadata does not say; S256 is used, as {version} allows"
    return "its metadata has no code_challenge_methods_supported", ""
