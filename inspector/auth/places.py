"""Where a login may go by itself: what a server names may lead into a private network, or to no web address at all."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from inspector.base.errors import fail
from inspector.base.text import clip, quoted
from inspector.transports._http import is_loopback
from inspector.transports.http_failures import origin

Ask = Callable[[str], Awaitable[bool]]
"""Puts a question to the person; True is a yes."""


def must_be_encrypted(url: str, what: str, server: str) -> None:
    """No yes sends a code, a verifier or a token over a network in the clear (OAuth 2.1, 1.5). Loopback is no network,
    and to a host whose MCP server a person named by http the token itself goes that way. Raises Failed (auth)."""
    there, here = urlsplit(url), urlsplit(server)
    if there.scheme != "http" or is_loopback(url):
        return
    if here.scheme.lower() == "http" and here.hostname == there.hostname:
        return
    raise fail(
        "auth",
        f"{what} is {clip(url, 200)}: plain http to another machine, where everybody on the way can read what is sent",
        "its owner has to serve it by https (OAuth 2.1, 1.5; MCP: communication security); no --yes changes that",
    )


def is_web_address(url: str) -> bool:
    """Whether it is http or https with a host, written so that it can be taken apart."""
    try:
        url.encode()
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class Places:
    """What a person agreed to in one login. From a server on this machine everything encrypted is let through: who runs
    it could do all that without us."""

    def __init__(self, server: str, ask: Ask) -> None:
        self._server = server
        self._ask = ask
        self._agreed: set[str] = {origin(server)}
        self._free = is_loopback(server)
        self._private = False if self._free else None

    async def allowed(self, url: str, what: str) -> None:
        """Asks where the URL is private and the server is not. Raises Failed (auth) without a yes, for what is no
        web address, and for what is not encrypted."""
        if not is_web_address(url):
            raise fail(
                "auth",
                f"{what} is {quoted(url, 200)}, which is no http or https address",
                "its owner has to correct the metadata",
            )
        must_be_encrypted(url, what, self._server)
        place = origin(url)
        if self._free or place in self._agreed:
            return
        remark = ""
        if await is_private(url) and not await self._server_is_private():
            remark = "it is in a private network, or on this machine"
        if remark and not await self._ask(f"{what} is {url}: {remark}. Go there?"):
            raise fail(
                "auth", f"{what} is {url}, and that was not agreed to: {remark}", "say yes, or give --yes"
            )
        self._agreed.add(place)

    async def _server_is_private(self) -> bool:
        if self._private is None:
            self._private = await is_private(self._server)
        return self._private


async def is_private(url: str) -> bool:
    """Whether the host of the URL is, or is found at, an address that is not of the public internet."""
    host = urlsplit(url).hostname or ""
    if is_loopback(url):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        pass
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(not ipaddress.ip_address(str(info[4][0]).partition("%")[0]).is_global for info in found)
