"""The only door to the HTTP library: what is used of it, by name. Swapping the library happens here."""

from __future__ import annotations

import errno
import ipaddress
import ssl
import sys
import types
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from inspector.transports._network import Network, NoHttp, heard
from inspector.transports.coding import ACCEPTED

# The library's own command line drags in rich and click, 50 ms that nothing here needs.
sys.modules.setdefault("httpx._main", types.SimpleNamespace(main=lambda: None))  # type: ignore[arg-type]

# What carries the library looks for this module four times a request. Where it is not installed, each look goes
# through all of `sys.path` again, which is a quarter of a call.
if find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]

from httpx import (  # noqa: E402
    URL,
    AsyncHTTPTransport,
    BasicAuth,
    ConnectError,
    ConnectTimeout,
    Cookies,
    InvalidURL,
    Limits,
    ProxyError,
    RemoteProtocolError,
    Request,
    Response,
    UnsupportedProtocol,
    create_ssl_context,
)

__all__ = [
    "Client",
    "ConnectError",
    "ConnectTimeout",
    "InvalidURL",
    "NoHttp",
    "ProxyError",
    "RemoteProtocolError",
    "Request",
    "Response",
    "UnsupportedProtocol",
    "as_text",
    "check",
    "heard",
    "is_loopback",
    "proxy_for",
    "shown_headers",
]


def is_loopback(url: str) -> bool:
    """True where the host of the URL is this machine by name or address."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def as_text(value: bytes) -> str:
    """The value of a header as it came, of whatever bytes; a client sends the same bytes for it."""
    return value.decode("utf-8", "surrogateescape")


def shown_headers(request: Request) -> list[tuple[str, str]]:
    """All headers of a request as they go out, those of the library among them."""
    return [(as_text(name), as_text(value)) for name, value in request.headers.raw]


def proxy_for(url: str) -> str | None:
    """Host and port of the proxy that the environment names for this URL; None where there is none."""
    proxy = _proxy(url)
    return proxy.rpartition("://")[2].rpartition("@")[2].rstrip("/") if proxy else None


def _proxy(url: str) -> str | None:
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    # What is excepted may be named with its port.
    names = (parts.hostname or "", parts.netloc.rpartition("@")[2])
    if is_loopback(url) or any(map(proxy_bypass, names)):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


_COMMON = {
    "Accept": "*/*", "Accept-Encoding": ACCEPTED, "Connection": "keep-alive", "User-Agent": "mcp-inspect",
}  # fmt: skip
_parsed = lru_cache(64)(URL)


def check(url: str) -> None:
    """Raises ValueError for what cannot be the URL of a request, as one with control characters."""
    try:
        _parsed(url)
    except InvalidURL as error:
        raise ValueError(str(error)) from None


class Client:
    """Sends requests to one server: no clocks of its own, no redirects, proxies from the environment but for
    loopback; cookies are kept. The library's own client does the same, but builds and looks through anew for every
    request what is alike in all of them, a quarter of what a call costs.

    `ca` is a PEM file to trust instead of the usual authorities (SSL_CERT_FILE is honoured). Raises OSError or
    ssl.SSLError for a `ca` that cannot be used, ValueError or ImportError for a proxy.
    """

    def __init__(self, url: str, *, insecure: bool = False, ca: str | None = None) -> None:
        verify: ssl.SSLContext | bool = False
        if not insecure and url.lower().startswith("https:"):
            if ca and Path(ca).exists() and not Path(ca).is_file():
                # A pipe or device might never end, and a config can name one.
                raise OSError(errno.EINVAL, "it is no regular file")
            verify = ssl.create_default_context(cafile=ca) if ca else create_ssl_context()
        self._cookies = Cookies()
        self._transport = AsyncHTTPTransport(
            verify=verify,
            limits=Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=5.0),
            proxy=_proxy(url),
        )
        # The library has no parameter for this, though what carries it has.
        self.network = Network()
        self._transport._pool._network_backend = self.network

    def request(self, verb: str, url: str, headers: Mapping[str, str], body: bytes | None = None) -> Request:
        """`headers` are text that `as_text` may have made of any bytes; they go before what is sent by itself."""
        merged = {name.lower(): (name, value) for name, value in (*_COMMON.items(), *headers.items())}
        # As bytes, since the library refuses values that are not ASCII.
        pairs = [(name.encode(), value.encode("utf-8", "surrogateescape")) for name, value in merged.values()]
        request = Request(verb, _parsed(url), headers=pairs, cookies=self._cookies, content=body)
        user, password = request.url.username, request.url.password
        if (user or password) and "authorization" not in merged:
            next(BasicAuth(user, password).auth_flow(request))
        return request

    async def forward(self, verb: str, url: str, headers: Sequence[tuple[str, str]], body: bytes) -> Response:
        """Sends a request of somebody else: just these headers, and no cookies of ours. Returns like `send`."""
        pairs = [(name.encode(), value.encode("utf-8", "surrogateescape")) for name, value in headers]
        request = Request(verb, _parsed(url), headers=pairs, content=body or None)
        response = await self._transport.handle_async_request(request)
        response.request = request
        return response

    async def send(self, request: Request) -> Response:
        """Returns at the head of the answer. Its body is read and closed by whoever sent."""
        response = await self._transport.handle_async_request(request)
        response.request = request
        if "set-cookie" in response.headers:
            self._cookies.extract_cookies(response)
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()
