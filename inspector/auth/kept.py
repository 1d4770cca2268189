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

from inspector.auth import vault
from inspector.base import private_json
from inspector.base.locks import try_lock
from inspector.base.paths import paths, private_folder
from inspector.config.oauth import UNATTENDED

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
    epoch, None where it is not known. `secret` is that of a client that was registered, `key` the private
    key (PEM) that a token is bound to (DPoP), `revocation` the endpoint that takes tokens back (RFC 7009)."""

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
    secret: str | None = None
    key: str | None = None
    revocation: str | None = None

    @property
    def stale(self) -> bool:
        return self.expires is not None and time.time() > self.expires - _EARLY

    @property
    def expires_in(self) -> float | None:
        """Seconds; below zero where it is over."""
        return None if self.expires is None else self.expires - time.time()

    @property
    def renewable(self) -> bool:
        """Whether another one can be had without a person."""
        return self.refresh is not None or self.grant in UNATTENDED

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
    """The file, and the keyring for what is secret where the person wants that. Nothing here raises but OSError, where
    the file cannot be locked or written or there is no keyring."""

    def __init__(self, path: Path | None = None, *, in_keyring: bool = False) -> None:
        self._path = path or paths().tokens
        self._in_keyring = in_keyring
        self._stamp: tuple[int, int] | None = None
        self._read: dict[str, Any] = {}
        self._opened: dict[str, str | None] = {}

    def check(self) -> None:
        """Whether there is a place for a token."""
        if self._in_keyring:
            vault.check()

    def token(self, url: str) -> Token | None:
        """Of the server at the URL."""
        return Token.of_json(self._with_secrets(self._server(url).get("token")))

    def facts(self, url: str) -> Token | None:
        """The same for views, which ask often: no keyring is asked, so what is secret may be empty."""
        entry = self._server(url).get("token")
        if isinstance(entry, dict):
            entry = {name: "" if isinstance(value, dict) else value for name, value in entry.items()}
        return Token.of_json(entry)

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
        return Client.of_json(self._with_secrets(clients.get(issuer))) if isinstance(clients, dict) else None

    def keep_token(self, url: str, token: Token | None) -> None:
        self._put("servers", url, "token", None if token is None else token.as_json())

    def keep_metadata_at(self, url: str, named: str) -> None:
        self._put("servers", url, "resource_metadata", named)

    def keep_steps(self, url: str, steps: list[dict[str, Any]]) -> None:
        self._put("servers", url, "steps", steps)

    def keep_client(self, issuer: str, client: Client | None) -> None:
        self._put("clients", issuer, None, None if client is None else client.as_json())

    def keep_issuer(self, url: str, issuer: str) -> None:
        """Who is asked for a token of the server, known before there is one."""
        self._put("servers", url, "issuer", issuer)

    def forget(self, url: str) -> tuple[Token | None, Client | None]:
        """Everything of the server, and the client registered with its issuer unless another server has a token of it;
        returns what is gone of both."""
        token, issuer = self.facts(url), self._server(url).get("issuer")
        if not isinstance(issuer, str):
            issuer = token.issuer if token is not None else ""
        client = self.client(issuer)
        with private_json.changing(self._path) as known:
            servers, clients = known.setdefault("servers", {}), known.setdefault("clients", {})
            gone = [servers.pop(url, {}).get("token")]
            others = (one.get("token") for one in servers.values() if isinstance(one, dict))
            if client is not None and any(
                isinstance(one, dict) and (one.get("issuer"), one.get("client")) == (issuer, client.id)
                for one in others
            ):
                client = None
            else:
                gone.append(clients.pop(issuer, None))
        for entry in gone:
            self._discard(entry, None)
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
            self._opened = {}
        return self._read

    def _server(self, url: str) -> dict[str, Any]:
        servers = self._known().get("servers")
        entry = servers.get(url) if isinstance(servers, dict) else None
        return entry if isinstance(entry, dict) else {}

    def _put(self, table: str, key: str, member: str | None, value: Any) -> None:
        """`member` of an entry, or the entry itself where that is None. A secret in it goes to the keyring first, for a
        file that points to nothing is worse than an entry that nothing points to."""
        if self._in_keyring and isinstance(value, dict):
            sealed = {name: _sealed(f"{table} {key} {name}", value[name]) for name in _SECRET & value.keys()}
            value = value | sealed
        with private_json.changing(self._path) as known:
            holder, at = known.setdefault(table, {}), key
            if member is not None:
                holder, at = holder.setdefault(key, {}), member
            before = holder.get(at)
            holder[at] = value
        self._discard(before, value)

    def _with_secrets(self, entry: Any) -> Any:
        """An entry with what it says is in the keyring."""
        if not isinstance(entry, dict):
            return entry
        found = dict(entry)
        for name, value in entry.items():
            if (at := _in_keyring(value)) is not None:
                if at not in self._opened:
                    self._opened[at] = vault.read(at)
                found[name] = self._opened[at]
        # What somebody took out of the keyring is no token any more.
        return None if found.get("access", "") is None else found

    def _discard(self, before: Any, after: Any) -> None:
        """Takes out of the keyring what an entry that is gone pointed to."""
        for name in _places(before) - _places(after):
            vault.forget(name)


_SECRET = frozenset({"access", "refresh", "secret", "key"})


def _sealed(name: str, value: Any) -> Any:
    """What stands in the file for a value that goes to the keyring; None stays what it is."""
    if not isinstance(value, str):
        return value
    vault.write(name, value)
    return {"keyring": name}


def _in_keyring(value: Any) -> str | None:
    at = value.get("keyring") if isinstance(value, dict) else None
    return at if isinstance(at, str) else None


def _places(entry: Any) -> set[str]:
    values = entry.values() if isinstance(entry, dict) else ()
    return {at for value in values if (at := _in_keyring(value)) is not None}
