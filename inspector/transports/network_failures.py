"""Says what went wrong between us and an HTTP server, before or beneath HTTP."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from dataclasses import replace
from urllib.parse import urlsplit

from inspector.base.errors import SHORT_OF, Failure
from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.transports import _http

_BYTEARRAY = pattern(r"bytearray\(b(.*)\)")
_ERRNO = pattern(r"\[Errno (\d+)\]")
_SSL = pattern(r"\[SSL: (\w+)\]")
_STATUS = pattern(r"\s*([1-5]\d\d)\b ?(.*)")
PROXY_VARIABLES = "see HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY"


def network_failure(url: str, error: Exception, phase: str) -> Failure:
    """What went wrong on the way, from the library's exception and what lies beneath it."""
    proxy = _http.proxy_for(url)
    failure = _failure(url, error, phase, proxy)
    if proxy is None or failure.kind in ("proxy", "config"):
        return failure
    return replace(failure, hint=f"{failure.hint}; it goes through the proxy {proxy}: {PROXY_VARIABLES}")


def _failure(url: str, error: Exception, phase: str, proxy: str | None) -> Failure:
    parts = urlsplit(url)
    where = parts.netloc.rpartition("@")[2] or url
    causes = list(_causes(error))
    if isinstance(error, _http.ProxyError) and (status := _STATUS.match(str(error))):
        return proxy_refused(int(status.group(1)), status.group(2))
    for cause in causes:
        if isinstance(cause, _http.NoHttp):
            return _no_http(where, cause.head, proxy)
        if isinstance(cause, ssl.SSLError):
            return _tls_failure(where, _reason(cause))
        if isinstance(cause, socket.gaierror | UnicodeError):
            return _no_name(parts.hostname or where, proxy)
    # What breaks an open connection arrives as the text of the error that it was.
    if found := _SSL.search(str(error)):
        return _tls_failure(where, found.group(1))
    if isinstance(error, _http.ProxyError):
        return Failure(kind="proxy", message=f"the proxy refused: {error}", hint=PROXY_VARIABLES)
    if isinstance(error, _http.InvalidURL | _http.UnsupportedProtocol):
        return Failure(
            kind="config",
            message=f"{url} is no URL that can be reached: {error}",
            hint="use http:// or https://",
        )
    if isinstance(error, _http.ConnectError | _http.ConnectTimeout):
        if proxy:
            return replace(
                _connect_failure(proxy, causes),
                kind="proxy",
                message=f"the proxy {proxy}, through which {where} is reached, does not answer",
                hint=PROXY_VARIABLES,
            )
        return _connect_failure(where, causes)
    if isinstance(error, _http.RemoteProtocolError) and "buffer too long" in str(error):
        return Failure(
            kind="protocol",
            message=f"{where} sends status and headers, or the length of a chunk, without end: over 100 KiB came",
            hint="a gateway may add a header at each of its turns; see the log of the server",
        )
    if isinstance(error, _http.RemoteProtocolError):
        return Failure(
            kind="stream",
            message=f"the connection broke {phase}: " + _BYTEARRAY.sub(r"\1", str(error)),
            hint="the server or a gateway cut it; its log may say why",
        )
    return Failure(
        kind="stream",
        message=f"the connection failed {phase}: {next(filter(None, map(str, causes)), type(error).__name__)}",
        hint="see the log of the server; if it speaks TLS, its URL begins with https://",
    )


_REFUSALS = {
    403: "it does not let this host through: ask its owner, or name the host in NO_PROXY",
    407: "its URL in HTTP_PROXY or HTTPS_PROXY lacks a name and password, or has wrong ones",
    502: "it cannot reach the host: check the name, or name the host in NO_PROXY",
    503: "it cannot reach the host: check the name, or name the host in NO_PROXY",
    504: "the host does not answer it: check the name, or name the host in NO_PROXY",
}


def proxy_refused(status: int, said: str) -> Failure:
    """A proxy does not let us through: with this status and these words."""
    did = "wants a login" if status == 407 else "refused to connect"
    return Failure(
        kind="proxy",
        message=f"the proxy {did} (HTTP {status})" + (f": {said}" if said else ""),
        hint=_REFUSALS.get(status, PROXY_VARIABLES),
        http_status=status,
    )


def _no_name(name: str, proxy: str | None) -> Failure:
    if proxy:
        return Failure(
            kind="proxy", message=f"the name of the proxy {proxy} cannot be resolved", hint=PROXY_VARIABLES
        )
    return Failure(kind="dns", message=f"the name {name} cannot be resolved", hint="check the host name")


def _no_http(where: str, head: bytes, proxy: str | None) -> Failure:
    if proxy:
        return Failure(
            kind="proxy",
            message=f"the proxy {proxy} does not speak HTTP; what came is {clip(repr(head)[1:], 80)}",
            hint=PROXY_VARIABLES,
        )
    if head[:2] in (b"\x15\x03", b"\x16\x03"):
        return Failure(
            kind="tls",
            message=f"{where} speaks TLS, and was asked without",
            hint="write https:// in place of http://",
        )
    if head[3:5] == b"\x04\x00":
        hint = "it speaks HTTP/2 from the start, as gRPC does; MCP takes HTTP/1.1 here: check the port"
    else:
        hint = "another service listens there: check the port"
    return Failure(
        kind="not_mcp",
        message=f"{where} does not speak HTTP; what came is {clip(repr(head)[1:], 80)}",
        hint=hint,
    )


def _connect_failure(where: str, causes: list[BaseException]) -> Failure:
    text = " ".join(dict.fromkeys(str(cause) for cause in causes))
    # Where a name has several addresses, what came of each is only in the text.
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    numbers |= {int(number) for number in _ERRNO.findall(text)}
    if errno.ECONNREFUSED in numbers or "refused" in text:
        return Failure(
            kind="refused",
            message=f"nobody listens on {where}",
            hint="start the server, or check host and port",
        )
    if errno.EHOSTUNREACH in numbers or errno.ENETUNREACH in numbers:
        return Failure(
            kind="refused", message=f"{where} cannot be reached from here", hint="check the network"
        )
    short = next((number for number in numbers if number in SHORT_OF), None)
    if short is not None:
        text = os.strerror(short)
    hint = "check host, port and network" if short is None else SHORT_OF[short]
    return Failure(kind="refused", message=f"no connection to {where}: {text[:200]}", hint=hint)


NO_TLS = "the port does not speak TLS; try http:// in place of https://"
_OWN_CERTIFICATE = (
    "the server wants a certificate of ours, which cannot be given here: put a proxy in front that has one"
)
_TLS_HINTS = {
    NO_TLS: ("WRONG_VERSION_NUMBER", "UNEXPECTED_EOF", "record layer", "RECORD_LAYER", "ended the handshake"),
    "trust its authority with --ca FILE, or go without checking with --insecure": (
        "self-signed", "self signed", "local issuer", "unable to verify",
    ),
    "its certificate must be renewed; --insecure goes on without checking": ("has expired",),
    "check the clock of this machine; --insecure goes on without checking": ("not yet valid",),
    "the certificate is for another name; use that name in the URL": ("mismatch", "not valid for"),
    "the server speaks only versions of TLS that are not safe any more: it must be renewed": (
        "PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL",
    ),
    "the server does not know this host name: use the one that it expects in the URL": ("UNRECOGNIZED_NAME",),
    _OWN_CERTIFICATE: ("CERTIFICATE_REQUIRED", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA"),
    "the server refuses all that we offer: it may want a certificate of ours, or speak only older versions of TLS": (
        "HANDSHAKE_FAILURE", "NO_SHARED_CIPHER",
    ),
}  # fmt: skip


def _reason(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or getattr(error, "reason", "") or str(error)


def _tls_failure(where: str, reason: str) -> Failure:
    hints = (hint for hint, words in _TLS_HINTS.items() if any(word in reason for word in words))
    hint = next(hints, "see the certificate of the server")
    return Failure(kind="tls", message=f"TLS with {where} failed: {reason}", hint=hint)


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    queue: list[BaseException | None] = [error]
    while queue:
        current = queue.pop(0)
        if current is None or current in found:
            continue
        found.append(current)
        queue += [current.__cause__, current.__context__]
        if isinstance(current, BaseExceptionGroup):
            queue += current.exceptions
    return found
