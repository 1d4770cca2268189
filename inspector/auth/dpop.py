"""Tokens that are of use only to who has a key (DPoP, RFC 9449): every request proves it anew."""

from __future__ import annotations

import hashlib
import secrets
import time
from urllib.parse import urlsplit

from inspector.auth import jwt

ALGORITHM = "ES256"
NONCE = "dpop-nonce"
"""The header of an answer that gives the nonce of the next proof."""


class Key:
    """`pem` is the private key, `nonce` what the server wants to find in the next proof. Raises Failed (unsupported)
    where proofs cannot be signed, ValueError for what is no key."""

    def __init__(self, pem: str | None = None) -> None:
        self.pem = pem if pem is not None else jwt.new_key()
        self.nonce: str | None = None
        self._key = jwt.loaded(self.pem.encode())
        self._head = {"typ": "dpop+jwt", "alg": ALGORITHM, "jwk": jwt.public_jwk(self._key)}

    def takes(self, nonce: str | None) -> bool:
        """Whether a nonce that came is another one than that of the last proof; it is in the next."""
        before, self.nonce = self.nonce, nonce or self.nonce
        return before != self.nonce

    def proof(self, method: str, url: str, token: str | None = None) -> str:
        """The value of the header DPoP for one request; `token` is what it is sent with."""
        parts = urlsplit(url)
        claims: dict[str, object] = {
            "jti": secrets.token_urlsafe(16),
            "htm": method,
            "htu": parts._replace(query="", fragment="").geturl(),
            "iat": int(time.time()),
        }
        if token is not None:
            claims["ath"] = jwt.base64url(hashlib.sha256(token.encode()).digest())
        if self.nonce is not None:
            claims["nonce"] = self.nonce
        signed = jwt.signed(self._head, claims, self._key)
        if signed is None:
            raise ValueError(f"the key is not for {ALGORITHM}")
        return signed
