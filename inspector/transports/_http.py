"""The only door to the HTTP library: what is used of it, by name. Swapping the library happens here."""

from __future__ import annotations

import ipaddress
import ssl
import sys
import types
from urllib.parse import urlsplit

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
    "client",
    "is_loopback",
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
        headers={"User-Agent": "mcp-inspect"},
    )
