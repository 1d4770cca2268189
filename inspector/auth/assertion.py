"""How a client proves itself with a private key (RFC 7523, 2.2). Signing is not for us to write: `cryptography` does
it, where that is installed; nothing else here needs it."""

from __future__ import annotations

import base64
import json
import secrets
import time
from typing import Any

from inspector.base.errors import fail
from inspector.config.oauth import OAuth

BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LASTS = 300


def signed(client: str, audience: str, settings: OAuth) -> str:
    """A JWT that lasts five minutes. Raises Failed: unsupported (the library), config (the key)."""
    now = int(time.time())
    head = {"alg": settings.signing_algorithm, "typ": "JWT"}
    claims = {
        "iss": client,
        "sub": client,
        "aud": audience,
        "iat": now,
        "exp": now + _LASTS,
        "jti": secrets.token_urlsafe(16),
    }
    text = f"{_base64(json.dumps(head).encode())}.{_base64(json.dumps(claims).encode())}"
    return f"{text}.{_base64(_signature(text.encode(), settings))}"


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _signature(data: bytes, settings: OAuth) -> bytes:
    try:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        raise fail(
            "unsupported",
            "private_key_jwt needs the package cryptography, which is not installed",
            "install mcp-inspect[jwt]",
        ) from None
    try:
        key: Any = (
            load_pem_private_key(settings.private_key.read_bytes(), None) if settings.private_key else None
        )
    except (OSError, ValueError, TypeError) as error:
        raise fail(
            "config",
            f"the key {settings.private_key} cannot be read: {error}",
            "it must be PEM, without a password",
        ) from error
    digests = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
    family, digest = settings.signing_algorithm[:2], digests.get(settings.signing_algorithm[2:])
    if digest is not None and family == "RS" and isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, padding.PKCS1v15(), digest)
    if digest is not None and family == "ES" and isinstance(key, ec.EllipticCurvePrivateKey):
        size = (key.curve.key_size + 7) // 8
        first, second = decode_dss_signature(key.sign(data, ec.ECDSA(digest)))
        return first.to_bytes(size, "big") + second.to_bytes(size, "big")
    raise fail(
        "config",
        f"{settings.signing_algorithm} does not fit the key {settings.private_key}",
        "signingAlgorithm in settings.json: RS256, ES256 and their kin",
    )
