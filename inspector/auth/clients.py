"""Who we are to an authorization server: a client of its own, one that was registered now, or a document on the web."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.auth.discovery import AuthorizationServer
from inspector.auth.kept import Client
from inspector.auth.timeline import Timeline
from inspector.auth.web import Answer, Web
from inspector.base.errors import fail
from inspector.base.text import clip
from inspector.config.oauth import OAuth

SETTINGS_HINT = (
    'name a client under "oauth" in settings.json: {"https://the.server/mcp": {"clientId": "..."}}; '
    "mcp-inspect paths says where that is"
)


def of_settings(
    settings: OAuth, server: AuthorizationServer, environment: Mapping[str, str]
) -> Client | None:
    """The client that the person named; None where none is. Raises Failed (config): its secret is not there."""
    if settings.client_id is None:
        return None
    if settings.private_key is not None:
        return Client(settings.client_id, "private_key_jwt")
    if settings.secret_variable is None:
        return Client(settings.client_id)
    secret = environment.get(settings.secret_variable)
    if not secret:
        raise fail(
            "config",
            f"the secret of the client {settings.client_id} should be in the variable {settings.secret_variable}, "
            "which is not set",
            "set it, or correct secretVariable in settings.json",
        )
    return Client(settings.client_id, _with_secret(server), secret)


def of_document(settings: OAuth, server: AuthorizationServer) -> Client | None:
    """A client whose id is the URL of its metadata, where the server takes that (client id metadata documents)."""
    if settings.metadata_url is None or not server.says("client_id_metadata_document_supported"):
        return None
    return Client(settings.metadata_url, "private_key_jwt" if settings.private_key else "none")


async def register(
    server: AuthorizationServer, redirect_uri: str, scopes: list[str] | None, web: Web, timeline: Timeline
) -> Client:
    """Dynamic registration (RFC 7591). Raises Failed (auth)."""
    endpoint = server.registration_endpoint
    if endpoint is None:
        raise fail(
            "auth",
            f"{server.issuer} registers no clients by itself, and no client is named in the settings",
            SETTINGS_HINT,
        )
    asked: dict[str, Any] = {
        "client_name": "mcp-inspect",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": _preferred(server),
        "application_type": "native",
    }
    if scopes:
        asked["scope"] = " ".join(scopes)
    with timeline.step(f"POST {endpoint}", "RFC 7591, 3.1; OpenID Connect: application_type native") as step:
        answer = await web.post_json(endpoint, "the registration endpoint", asked)
        step.exchange, step.outcome = answer.exchange, answer.told()
        client = _registered(answer, asked["token_endpoint_auth_method"], redirect_uri)
        if client is None:
            step.ok = False
            raise fail("auth", f"{endpoint} did not register us: {answer.told()}", SETTINGS_HINT)
        step.why = f"we are {clip(client.id, 100)}, and prove it by {client.method}"
        return client


def _registered(answer: Answer, method: str, redirect_uri: str) -> Client | None:
    value = answer.object() if answer.ok else None
    if value is None or not isinstance(value.get("client_id"), str) or not value["client_id"]:
        return None
    secret = value.get("client_secret")
    secret = secret if isinstance(secret, str) and secret else None
    granted = value.get("token_endpoint_auth_method")
    if not isinstance(granted, str):
        granted = method if secret or method == "none" else "none"
    if granted == "none" and secret and method != "none":
        granted = method
    ends = value.get("client_secret_expires_at")
    expires = float(ends) if isinstance(ends, int | float) and ends > 0 and secret else None
    return Client(value["client_id"], granted, secret, redirect_uri, expires)


def _preferred(server: AuthorizationServer) -> str:
    """A program that people install can keep no secret, so none comes first (RFC 8252, 8.4)."""
    listed = server.lists("token_endpoint_auth_methods_supported")
    if listed is None or "none" in listed:
        return "none"
    return "client_secret_basic" if "client_secret_basic" in listed else "client_secret_post"


def _with_secret(server: AuthorizationServer) -> str:
    listed = server.lists("token_endpoint_auth_methods_supported")
    post = listed is not None and "client_secret_basic" not in listed and "client_secret_post" in listed
    return "client_secret_post" if post else "client_secret_basic"
