"""A house whose tokens are bound to a key (DPoP, RFC 9449): every request must prove it, maybe with a nonce."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from servers.house import House, said

from inspector.transports.httpd import Request, Response


@dataclass
class BoundHouse(House):
    """`nonces` are what the MCP server and the authorization server want in a proof. `proofs` are the ids of those that
    came, `keys` are bound to tokens."""

    nonces: tuple[str | None, str | None] = (None, None)
    proofs: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)

    def metadata(self) -> dict[str, Any]:
        return {"dpop_signing_alg_values_supported": ["ES256"], **super().metadata()}

    def _frame(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if token in self.tokens:
            wrong = "scheme" if scheme != "DPoP" else None
            url = f"{self.root}{request.path}"
            wrong = wrong or self._wrong(request.headers, request.method, url, self.nonces[0], token)
            if wrong == "nonce":
                nonce = ("DPoP-Nonce", str(self.nonces[0]))
                return said({}, 401, ("WWW-Authenticate", 'DPoP error="use_dpop_nonce"'), nonce)
            if wrong:
                return said({"error": wrong}, 401, ("WWW-Authenticate", f'DPoP error="{wrong}"'))
            request.headers["authorization"] = f"Bearer {token}"
        return super()._frame(request)

    def _token(self, form: dict[str, str], headers: dict[str, str]) -> Response:
        wrong = self._wrong(headers, "POST", f"{self.auth}/token", self.nonces[1])
        if wrong == "nonce":
            return said({"error": "use_dpop_nonce"}, 400, ("DPoP-Nonce", str(self.nonces[1])))
        if wrong:
            return said({"error": "invalid_dpop_proof", "error_description": wrong}, 400)
        response = super()._token(form, headers)
        answer = json.loads(response.body)
        if response.status != 200:
            return response
        self.keys[answer["access_token"]] = self._last
        return said({**answer, "token_type": "DPoP"})

    def _wrong(
        self, headers: Any, method: str, url: str, nonce: str | None, token: str | None = None
    ) -> str | None:
        """What is wrong with the proof of a request."""
        proof = {name.lower(): value for name, value in headers.items()}.get("dpop", "")
        if proof.count(".") != 2:
            return "no proof"
        head_, claims_, signature = proof.split(".")
        head, claims = json.loads(raw(head_)), json.loads(raw(claims_))
        x, y = (int.from_bytes(raw(head["jwk"][name])) for name in "xy")
        r, s = raw(signature)[:32], raw(signature)[32:]
        ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key().verify(
            utils.encode_dss_signature(int.from_bytes(r), int.from_bytes(s)),
            f"{head_}.{claims_}".encode(),
            ec.ECDSA(hashes.SHA256()),
        )
        self._last = json.dumps(head["jwk"])
        if (head["typ"], head["alg"], claims["htm"], claims["htu"]) != ("dpop+jwt", "ES256", method, url):
            return "of another request"
        if abs(claims["iat"] - time.time()) > 60 or claims["jti"] in self.proofs:
            return "used before"
        self.proofs.append(claims["jti"])
        if claims.get("nonce") != nonce:
            return "nonce"
        if token is None:
            return None
        ath = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        return None if (claims["ath"], self.keys[token]) == (ath, self._last) else "of another token"


def raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
