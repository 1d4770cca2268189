"""An MCP server that wants a login, and its authorization server, on loopback: each fault of either is a switch.

`async with House(...) as house` serves both in this process, at two ports. Every request is kept in `house.asked`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

from inspector.transports.httpd import Request, Response, serve


def said(value: Any, status: int = 200, *headers: tuple[str, str]) -> Response:
    return Response(status, json.dumps(value).encode(), (("Content-Type", "application/json"), *headers))


@dataclass
class Asked:
    """One request: `what` is mcp, metadata, register, authorize, token, exchange or revoke; `fields` its query, form or
    JSON."""

    what: str
    path: str
    fields: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class House:
    """`issuer_path` is the path of the issuer, `at` the kind of place where its metadata is: rfc8414, oidc or
    appended. `resource_at` is where that of the resource is: header, path, root or nowhere. `server` and `resource` are
    put over the metadata; a None there takes a member away. `comes_back` changes what the browser brings back.
    `wants` are scopes of a call, by its tool, prompt or URI; the tool `tell` gives the token away."""

    issuer_path: str = ""
    at: str = "rfc8414"
    resource_at: str = "header"
    challenge: str | None = None
    server: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    comes_back: dict[str, str | None] = field(default_factory=dict)
    wants: dict[str, str] = field(default_factory=dict)
    lasts: float = 3600
    refreshes: bool = True
    exchanges: bool = True
    known: dict[str, str] = field(default_factory=dict)
    gives_secret: bool = False
    asked: list[Asked] = field(default_factory=list)
    tokens: dict[str, tuple[float, str]] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)
    url: str = ""
    issuer: str = ""

    async def __aenter__(self) -> House:
        self._stack = AsyncExitStack()
        mcp = await self._stack.enter_async_context(serve(self._mcp))
        auth = await self._stack.enter_async_context(serve(self._auth))
        self.root, self.url, self.issuer = mcp.url, f"{mcp.url}/mcp", f"{auth.url}{self.issuer_path}"
        self.auth = auth.url
        return self

    async def __aexit__(self, *told: Any) -> None:
        await self._stack.aclose()

    def of(self, what: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.what == what]

    def revoke(self) -> None:
        """Every access token is over; refresh tokens are not."""
        self.tokens.clear()

    def metadata(self) -> dict[str, Any]:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.auth}/authorize",
            "token_endpoint": f"{self.auth}/token",
            "registration_endpoint": f"{self.auth}/register",
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            **self.server,
        }
        return {name: value for name, value in found.items() if value is not None}

    def _resource_path(self) -> str:
        well_known = "/.well-known/oauth-protected-resource"
        return {"header": "/meta", "path": f"{well_known}/mcp", "root": well_known}.get(
            self.resource_at, "/none"
        )

    def _server_path(self) -> str:
        path = self.issuer_path
        return {
            "rfc8414": f"/.well-known/oauth-authorization-server{path}",
            "oidc": f"/.well-known/openid-configuration{path}",
            "appended": f"{path}/.well-known/openid-configuration",
        }.get(self.at, "/none")

    async def _mcp(self, request: Request) -> Response:
        if request.path.startswith("/mcp"):
            return self._frame(request)
        self.asked.append(Asked("metadata", request.path))
        if request.path == self._resource_path():
            found = {"resource": self.url, "authorization_servers": [self.issuer], **self.resource}
            return said({name: value for name, value in found.items() if value is not None})
        if self.at == "mcp" and request.path == "/.well-known/oauth-authorization-server":
            return said({**self.metadata(), "issuer": self.root})
        if self.at == "default":
            return await self._auth(request)
        return Response.text(404, "no metadata here")

    def _frame(self, request: Request) -> Response:
        asked = json.loads(request.body or b"{}")
        self.asked.append(Asked("mcp", request.path, asked, dict(request.headers)))
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        until, scopes = self.tokens.get(token, (0.0, ""))
        if until < time.time():
            challenge = self.challenge if self.challenge is not None else "Bearer"
            if self.resource_at == "header":
                comma = "," if "=" in challenge else ""
                challenge += f'{comma} resource_metadata="{self.root}/meta"'
            return said(
                {"error": "unauthorized"}, 401, *((("WWW-Authenticate", challenge),) if challenge else ())
            )
        if request.method != "POST" or "id" not in asked:
            return Response(405 if request.method == "GET" else 202)
        if asked["method"] == "server/discover":
            return said({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}})
        if asked["method"] == "initialize":
            result: Any = {
                "protocolVersion": asked["params"]["protocolVersion"],
                "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
                "serverInfo": {"name": "house", "version": "1"},
            }
        elif asked["method"] == "tools/list":
            result = {
                "tools": [
                    {"name": name, "inputSchema": {"type": "object"}} for name in ("look", "tell", "write")
                ]
            }
        elif asked["method"] == "prompts/list":
            result = {"prompts": [{"name": "greet"}]}
        elif asked["method"] == "resources/list":
            result = {"resources": [{"uri": "house://book", "name": "book"}]}
        elif asked["method"] == "resources/templates/list":
            result = {"resourceTemplates": []}
        else:
            params = asked.get("params", {})
            wanted = self.wants.get(params.get("name") or params.get("uri", ""), "")
            if not set(wanted.split()) <= set(scopes.split()):
                challenge = f'Bearer error="insufficient_scope", scope="{wanted}"'
                return said({"error": "insufficient_scope"}, 403, ("WWW-Authenticate", challenge))
            told = f"it was {token}" if params.get("name") == "tell" else "you are in"
            text = {"type": "text", "text": told}
            result = {
                "prompts/get": {"messages": [{"role": "user", "content": text}]},
                "resources/read": {"contents": [{"uri": params.get("uri"), "text": told}]},
            }.get(asked["method"], {"content": [text]})
        return said({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    async def _auth(self, request: Request) -> Response:
        if request.path == "/register":
            return self._register(json.loads(request.body))
        if request.path == "/authorize":
            return self._authorize(dict(parse_qsl(request.query)))
        if request.path == "/exchange":
            self.asked.append(Asked("exchange", "/exchange", dict(parse_qsl(request.body.decode()))))
            given = {"access_token": "an.assertion.for.the.issuer", "token_type": "N_A"}
            return said(given) if self.exchanges else said({"error": "invalid_grant"}, 400)
        if request.path == "/revoke":
            form = dict(parse_qsl(request.body.decode()))
            self.asked.append(Asked("revoke", "/revoke", form, dict(request.headers)))
            self.tokens.pop(form.get("token", ""), None)
            self.fresh.pop(form.get("token", ""), None)
            return Response(200)
        if request.path == "/token":
            return self._token(dict(parse_qsl(request.body.decode())), dict(request.headers))
        self.asked.append(Asked("metadata", request.path))
        return (
            said(self.metadata()) if request.path == self._server_path() else Response.text(404, "not here")
        )

    def _register(self, wanted: dict[str, Any]) -> Response:
        self.asked.append(Asked("register", "/register", wanted))
        name = f"client-{len(self.known) + 1}"
        secret = f"secret-of-{name}" if self.gives_secret else ""
        self.known[name] = secret
        return said({**wanted, "client_id": name, **({"client_secret": secret} if secret else {})}, 201)

    def _authorize(self, query: dict[str, str]) -> Response:
        self.asked.append(Asked("authorize", "/authorize", query))
        code = f"code-with-number-{len(self.codes) + 1}"
        self.codes[code] = query
        back: dict[str, str | None] = {"code": code, "state": query.get("state"), **self.comes_back}
        answer = urlencode({name: value for name, value in back.items() if value is not None})
        return Response(302, b"", (("Location", f"{query['redirect_uri']}?{answer}"),))

    def _token(self, form: dict[str, str], headers: dict[str, str]) -> Response:
        self.asked.append(Asked("token", "/token", form, headers))
        if (wrong := self._client_is_wrong(form, headers)) is not None:
            return said({"error": "invalid_client", "error_description": wrong}, 401)
        scopes = form.get("scope", "")
        if form["grant_type"] == "authorization_code":
            query = self.codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            if (
                query is None
                or query["code_challenge"] != base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            ):
                return said({"error": "invalid_grant", "error_description": "the code is over"}, 400)
            scopes = query.get("scope", "")
        elif form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.fresh:
                return said({"error": "invalid_grant", "error_description": "used before"}, 400)
            scopes = self.fresh.pop(form["refresh_token"])
        number = len(self.of("token"))
        self.tokens[f"access-token-number-{number}"] = (time.time() + self.lasts, scopes)
        answer = {
            "access_token": f"access-token-number-{number}",
            "token_type": "Bearer",
            "expires_in": self.lasts,
        }
        if self.refreshes and form["grant_type"] != "client_credentials":
            answer["refresh_token"] = f"refresh-token-number-{number}"
            self.fresh[f"refresh-token-number-{number}"] = scopes
        return said(answer)

    def _client_is_wrong(self, form: dict[str, str], headers: dict[str, str]) -> str | None:
        given = headers.get("authorization", "")
        if given.startswith("Basic "):
            name, _, secret = base64.b64decode(given[6:]).decode().partition(":")
            name, secret = unquote(name), unquote(secret)
        else:
            name, secret = form.get("client_id", ""), form.get("client_secret", "")
        if name.startswith("https://") or form.get("client_assertion"):
            return None
        return None if self.known.get(name) == secret else f"{name} did not prove itself"
