"""Signed JSON Web Tokens (RFC 7519, RFC 7515). Signing is not for us to write: `cryptography` does it, where that is
installed; nothing else here needs it."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from inspector.base.errors import fail


def signed(head: Mapping[str, Any], claims: Mapping[str, Any], key: Any) -> str | None:
    """By the algorithm that `head` names (RS256, ES256 and their kin); None where the key is not for that one."""
    text = f"{base64url(json.dumps(head).encode())}.{base64url(json.dumps(claims).encode())}"
    signature = _signature(text.encode(), str(head["alg"]), key)
    return None if signature is None else f"{text}.{base64url(signature)}"


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def is_installed() -> bool:
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return False
    return True


def loaded(pem: bytes) -> Any:
    """A private key. Raises ValueError or TypeError for what is none, Failed (unsupported) without the library."""
    _require()
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    return load_pem_private_key(pem, None)


def new_key() -> str:
    """A new private key for ES256, as PEM. Raises Failed (unsupported) without the library."""
    _require()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    return (
        ec.generate_private_key(ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


def public_jwk(key: Any) -> dict[str, str]:
    """The public half of an elliptic key (RFC 7518, 6.2.1)."""
    numbers = key.public_key().public_numbers()
    size = (key.curve.key_size + 7) // 8
    x, y = (base64url(number.to_bytes(size, "big")) for number in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": f"P-{key.curve.key_size}", "x": x, "y": y}


def _require() -> None:
    if not is_installed():
        raise fail(
            "unsupported",
            "signing with a key needs the package cryptography, which is not installed",
            "pip install 'mcp-inspect[jwt]'",
        )


def _signature(data: bytes, algorithm: str, key: Any) -> bytes | None:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    digests = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
    family, digest = algorithm[:2], digests.get(algorithm[2:])
    if digest is not None and family == "RS" and isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, padding.PKCS1v15(), digest)
    if digest is not None and family == "ES" and isinstance(key, ec.EllipticCurvePrivateKey):
        size = (key.curve.key_size + 7) // 8
        first, second = decode_dss_signature(key.sign(data, ec.ECDSA(digest)))
        return first.to_bytes(size, "big") + second.to_bytes(size, "big")
    return None
