"""How a client proves itself with a private key (RFC 7523, 2.2)."""

from __future__ import annotations

import secrets
import time

from inspector.auth import jwt
from inspector.base.errors import fail
from inspector.config.oauth import OAuth

BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LASTS = 300


def signed(client: str, audience: str, settings: OAuth) -> str:
    """A JWT that lasts five minutes. Raises Failed: unsupported (the library), config (the key)."""
    now = int(time.time())
    claims = {
        "iss": client,
        "sub": client,
        "aud": audience,
        "iat": now,
        "exp": now + _LASTS,
        "jti": secrets.token_urlsafe(16),
    }
    try:
        key = jwt.loaded(settings.private_key.read_bytes() if settings.private_key else b"")
    except (OSError, ValueError, TypeError) as error:
        raise fail(
            "config",
            f"the key {settings.private_key} cannot be read: {error}",
            "it must be PEM, without a password",
        ) from error
    text = jwt.signed({"alg": settings.signing_algorithm, "typ": "JWT"}, claims, key)
    if text is None:
        raise fail(
            "config",
            f"{settings.signing_algorithm} does not fit the key {settings.private_key}",
            "signingAlgorithm in settings.json: RS256, ES256 and their kin",
        )
    return text
