"""What is kept of logins: tokens by server, clients by issuer, in a file that only its owner may read."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from inspector.base import private_json
from inspector.base.locks import try_lock
from inspector.base.paths import paths, private_folder

_EARLY = 10.0
"""Seconds that a token is taken for expired before it is."""
_LOOK = 0.05


@dataclass(slots=True, repr=False)
class Client:
    """`method` is how it proves itself at the token endpoint: none, client_secret_basic, client_secret_post or
    private_key_jwt. `redirect_uri` is what it was registered with, `expires` when its secret ends (seconds since the
    epoch), None for never."""

    id: str
    method: str = "none"
    secret: str | None = None
    redirect_uri: str | None = None
    expires: float | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, value: Any) -> Client | None:
        """None where it was not written by `as_json`, or has a secret that is over."""
        try:
            client = cls(**value)
        except TypeError:
            return None
        return None if client.expires is not None and client.expires < time.time() else client


@dataclass(slots=True, repr=False)
class Token:
    """An access token with all that is needed to renew it. It is bound to the server it was asked for and to the issuer
    it came from; `scopes` are those granted, or asked for where the answer named none. `expires` in seconds since the
    epoch, None where it is not known."""

    access: str
    issuer: str
    endpoint: str
    client: str
    method: str = "none"
    resource: str | None = None
    refresh: str | None = None
    scopes: list[str] = field(default_factory=list)
    expires: float | None = None
    grant: str = "authorization_code"

    @property
    def stale(self) -> bool:
        return self.expires is not None and time.time() > self.expires - _EARLY

    @property
    def expires_in(self) -> float | None:
        """Seconds; below zero where it is over."""
        return None if self.expires is None else self.expires - time.time()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, value: Any) -> Token | None:
        try:
            return cls(**value)
        except TypeError:
            return None


def canonical(url: str) -> str:
    """The URL of a server as the resource that tokens are for (MCP: canonical server URI)."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port is not None else ""
    return parts._replace(scheme=parts.scheme.lower(), netloc=host + port, fragment="").geturl()


class Kept:
    """The file. Nothing here raises but OSError where it cannot be locked or written."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or paths().tokens
        self._stamp: tuple[int, int] | None = None
        self._read: dict[str, Any] = {}

    def token(self, url: str) -> Token | None:
        """Of the server at the URL."""
        return Token.of_json(self._server(url).get("token"))

    def steps(self, url: str) -> list[dict[str, Any]]:
        """Of its last login."""
        steps = self._server(url).get("steps")
        return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []

    def metadata_at(self, url: str) -> dict[str, str]:
        """Where the server said that its metadata is, when it last refused us, as its challenge says it."""
        named = self._server(url).get("resource_metadata")
        return {"resource_metadata": named} if isinstance(named, str) else {}

    def client(self, issuer: str) -> Client | None:
        """The one that is registered with the issuer, and never shown to another."""
        clients = self._known().get("clients")
        return Client.of_json(clients.get(issuer)) if isinstance(clients, dict) else None

    def keep_token(self, url: str, token: Token | None) -> None:
        self._put(url, "token", None if token is None else token.as_json())

    def keep_metadata_at(self, url: str, named: str) -> None:
        self._put(url, "resource_metadata", named)

    def keep_steps(self, url: str, steps: list[dict[str, Any]]) -> None:
        self._put(url, "steps", steps)

    def keep_client(self, issuer: str, client: Client | None) -> None:
        with private_json.changing(self._path) as known:
            clients = known.setdefault("clients", {})
            clients[issuer] = None if client is None else client.as_json()

    def keep_issuer(self, url: str, issuer: str) -> None:
        """Who is asked for a token of the server, known before there is one."""
        self._put(url, "issuer", issuer)

    def forget(self, url: str) -> tuple[Token | None, Client | None]:
        """Everything of the server, and the client registered with its issuer; returns what there was of both."""
        token, issuer = self.token(url), self._server(url).get("issuer")
        if not isinstance(issuer, str):
            issuer = token.issuer if token is not None else ""
        client = self.client(issuer)
        with private_json.changing(self._path) as known:
            known.setdefault("servers", {}).pop(url, None)
            known.setdefault("clients", {}).pop(issuer, None)
        return token, client

    @asynccontextmanager
    async def refreshing(self) -> AsyncIterator[None]:
        """One program refreshes at a time: a refresh token is often good for one use. Raises OSError."""
        private_folder(self._path.parent)
        descriptor = os.open(
            self._path.with_name(f".{self._path.name}.refresh"), os.O_RDWR | os.O_CREAT, 0o600
        )
        try:
            while not try_lock(descriptor):
                await asyncio.sleep(_LOOK)
            yield
        finally:
            os.close(descriptor)

    def _known(self) -> dict[str, Any]:
        """What stands in the file now; it is read where it has changed, for views ask often."""
        try:
            facts = self._path.stat()
        except OSError:
            return {}
        # It is replaced as a whole by each write, so that a new one has a number of its own.
        if self._stamp != (facts.st_ino, facts.st_mtime_ns):
            self._stamp, self._read = (facts.st_ino, facts.st_mtime_ns), private_json.read(self._path)
        return self._read

    def _server(self, url: str) -> dict[str, Any]:
        servers = self._known().get("servers")
        entry = servers.get(url) if isinstance(servers, dict) else None
        return entry if isinstance(entry, dict) else {}

    def _put(self, url: str, member: str, value: Any) -> None:
        with private_json.changing(self._path) as known:
            known.setdefault("servers", {}).setdefault(url, {})[member] = value
