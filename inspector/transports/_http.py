"""The only door to the HTTP library: what is used of it, by name. Swapping the library happens here."""

from __future__ import annotations

import ipaddress
import ssl
import sys
import types
from collections.abc import Mapping
from urllib.parse import urlsplit

from inspector.transports.coding import ACCEPTED

# The library's own command line drags in rich and click, 50 ms that nothing here needs.
sys.modules.setdefault("httpx._main", types.SimpleNamespace(main=lambda: None))  # type: ignore[arg-type]

from httpx import (  # noqa: E402
    AsyncClient,
    AsyncHTTPTransport,
    ConnectError,
    ConnectTimeout,
    DecodingError,
    HTTPError,
    InvalidURL,
    Limits,
    ProxyError,
    RemoteProtocolError,
    Request,
    Response,
    Timeout,
    UnsupportedProtocol,
    create_ssl_context,
)

__all__ = [
    "AsyncClient",
    "AsyncHTTPTransport",
    "ConnectError",
    "ConnectTimeout",
    "DecodingError",
    "HTTPError",
    "InvalidURL",
    "ProxyError",
    "RemoteProtocolError",
    "Request",
    "Response",
    "UnsupportedProtocol",
    "as_sent",
    "as_text",
    "client",
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
    """The value of a header as it came, of whatever bytes; `as_sent` gives the same bytes back."""
    return value.decode("utf-8", "surrogateescape")


def as_sent(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as bytes; the library itself would refuse values that are not ASCII."""
    return [(name.encode(), value.encode("utf-8", "surrogateescape")) for name, value in headers.items()]


def shown_headers(request: Request) -> list[tuple[str, str]]:
    """All headers of a request as they go out, those of the library among them."""
    return [(as_text(name), as_text(value)) for name, value in request.headers.raw]


def proxy_for(url: str) -> str | None:
    """Host and port of the proxy that the environment names for this URL; None where there is none."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    if is_loopback(url) or proxy_bypass(parts.hostname or ""):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return proxy.rpartition("://")[2].rpartition("@")[2].rstrip("/") if proxy else None


def client(url: str, *, insecure: bool = False, ca: str | None = None) -> AsyncClient:
    """A client for one server: no clocks of its own, no redirects, proxies from the environment but for loopback.

    `ca` is a PEM file to trust instead of the usual authorities (SSL_CERT_FILE is honoured). Raises OSError or
    ssl.SSLError for a `ca` that cannot be used.
    """
    verify: ssl.SSLContext | bool = False
    if not insecure and url.lower().startswith("https:"):
        verify = ssl.create_default_context(cafile=ca) if ca else create_ssl_context()
    return AsyncClient(
        verify=verify,
        trust_env=not is_loopback(url),
        follow_redirects=False,
        timeout=Timeout(None),
        limits=Limits(max_connections=None, max_keepalive_connections=20),
        headers={"User-Agent": "mcp-inspect", "Accept-Encoding": ACCEPTED},
    )
