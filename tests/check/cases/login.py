"""Cases for the rules of `inspector.check.login`."""

from __future__ import annotations

from typing import Any

from check.conversation import Case, Post
from check.samples import MODERN_POST, PONG, modern_post, post

from inspector.check.rules import V06

GIVEN = [("authorization", "Bearer x")]
HOST, ISSUER = "http://127.0.0.1", "https://auth.example"
PLACE = f"{HOST}/.well-known/oauth-protected-resource/mcp"
RESOURCE = {"resource": f"{HOST}/mcp", "authorization_servers": [ISSUER]}
SERVER = {
    "issuer": ISSUER, "authorization_endpoint": f"{ISSUER}/authorize", "registration_endpoint": f"{ISSUER}/register",
    "code_challenge_methods_supported": ["S256"],
}  # fmt: skip
PROMISES = {**SERVER, "authorization_response_iss_parameter_supported": True}


def refused(status: int, challenge: str, **how: Any) -> list[Post]:
    return post(status=status, media="", headers=[("www-authenticate", challenge)], **how)


def got(url: str, document: Any = None, status: int = 200) -> Post:
    return Post(None, *([] if document is None else [document]), method="GET", url=url, status=status)


def discovered(resource: Any = RESOURCE, server: Any = SERVER, *more: Post) -> list[Post]:
    return [
        MODERN_POST,
        got(PLACE, resource),
        got(f"{ISSUER}/.well-known/oauth-authorization-server", server),
        *more,
    ]


def came_back(query: str) -> Post:
    location = [("location", f"http://127.0.0.1:1/callback?{query}")]
    return Post(None, method="GET", url=f"{ISSUER}/authorize?x=y", status=302, headers=location, media="")


def registered(status: int, answer: Any) -> list[Post]:
    asked = {"redirect_uris": ["http://127.0.0.1:1/callback"], "application_type": "native"}
    return discovered(RESOURCE, SERVER, Post(asked, answer, url=f"{ISSUER}/register", status=status))


NOWHERE = [
    got(f"{ISSUER}/.well-known/{name}", status=404)
    for name in ("oauth-authorization-server", "openid-configuration")
]

CASES: dict[str, Case] = {
    "O01": (
        refused(401, "Bearer", version=V06),
        refused(401, 'Bearer resource_metadata="https://a/b"', version=V06),
    ),
    "O02": (discovered({**RESOURCE, "resource": "https://other.example/mcp"}), discovered()),
    "O03": (discovered(server={**SERVER, "issuer": "https://other.example"}), discovered()),
    "O04": (discovered(server={**SERVER, "code_challenge_methods_supported": ["plain"]}), discovered()),
    "O05": (
        discovered(RESOURCE, PROMISES, came_back("code=x&state=y")),
        discovered(RESOURCE, PROMISES, came_back(f"code=x&state=y&iss={ISSUER}")),
    ),
    "O06": (
        refused(403, "Bearer", sends=GIVEN),
        refused(403, 'Bearer error="insufficient_scope", scope="a"', sends=GIVEN),
    ),
    "O07": (
        modern_post(status=401, media="", headers=[("www-authenticate", 'Bearer scope="a offline_access"')]),
        modern_post(status=401, media="", headers=[("www-authenticate", 'Bearer scope="a"')]),
    ),
    "O08": (
        post(PONG, url="http://127.0.0.1/mcp?access_token=x"),
        post(PONG, url="http://127.0.0.1/mcp?tenant=x"),
    ),
    "O09": (
        registered(400, {"error": "invalid_redirect_uri"}),
        registered(201, {"client_id": "x", "application_type": "native"}),
    ),
}
