"""Says what an HTTP status or a network error means for somebody who wants to reach an MCP server."""

from __future__ import annotations

import errno
import socket
import ssl
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from inspector.base.errors import Failure
from inspector.base.patterns import pattern
from inspector.base.text import clip, decode
from inspector.transports import _http

_SESSION_WORDS = pattern(
    r"(?i)session.{0,40}(not found|invalid|expired|unknown|terminated|does not exist|no longer)"
    r"|(no valid|invalid|unknown|expired|missing).{0,20}session"
)
_TAGS = pattern(r"(?is)<(script|style|head)\b.*?</\1>|<[^>]*>")
_TITLE = pattern(r"(?is)<title[^>]*>(.*?)</title>")
_ERRNO = pattern(r"\[Errno (\d+)\]")
_SIGN_IN = pattern(r"(?i)\b(log-?in|sign-?in|signin|sso|saml|oauth2?|authorize|auth)\b")
_HEADER_NAME = pattern(r"(?i)\bx-[a-z0-9]+(?:-[a-z0-9]+){0,4}\b")
_BROWSER_CHECK = pattern(r"(?i)just a moment|attention required|captcha|enable javascript and cookies")
_ORIGIN_WORDS = pattern(r"(?i)\b(?:origin|host)\b")
_CHALLENGE = pattern(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')


def excerpt(body: bytes, limit: int = 200) -> str:
    """The beginning of a body as one line of text; of a page, its title or its words."""
    text = decode(body[:20_000])
    if text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        text = (title.group(1) if title else "") or _TAGS.sub(" ", text)
    return clip(" ".join(text.split()), limit)


def says_session_gone(status: int, body: bytes) -> bool:
    """True for a 404, and for a 400 whose body says that the session is not known (field practice)."""
    return status == 404 or (status == 400 and speaks_of_session(body))


def speaks_of_session(body: bytes) -> bool:
    """Whether it says that a session is not known, or no longer."""
    return _SESSION_WORDS.search(decode(body[:2000])) is not None


def _target(url: str, headers: dict[str, str]) -> str:
    location = headers.get("location", "(nowhere)")
    try:
        return urljoin(url, location) if "location" in headers else location
    except ValueError:
        return location


def session_gone(status: int) -> Failure:
    return Failure(
        kind="session",
        message=f"the server no longer knows the session (HTTP {status})",
        hint="connect again",
        http_status=status,
    )


def status_failure(method: str, url: str, status: int, headers: dict[str, str], body: bytes) -> Failure:
    """The failure for a non-2xx answer without a JSON-RPC message in it."""
    said = excerpt(body)
    tail = f": {said}" if said else ""
    if status in (401, 403):
        return _auth_failure(status, headers.get("www-authenticate", ""), tail, body)
    if status == 407:
        return Failure(
            kind="proxy",
            message=f"the proxy wants a login (HTTP 407){tail}",
            hint="see HTTPS_PROXY",
            http_status=status,
        )
    if 300 <= status < 400:
        return _redirect_failure(url, status, headers)
    hint = _STATUS_HINTS.get(status) or (
        "the server failed inside; its own log says more"
        if status >= 500
        else "the server refused the request as it is; its words above may say what it wants"
    )
    if wait := headers.get("retry-after"):
        hint = f"{hint}; it asks to wait: Retry-After {clip(wait, 40)}"
    return Failure(
        kind="http", message=f"HTTP {status} to {method} {url}{tail}", hint=hint, http_status=status
    )


LEAVES = "--yes, or a restart in the app, which asks, goes there without your headers"


def _redirect_failure(url: str, status: int, headers: dict[str, str]) -> Failure:
    target = _target(url, headers)
    hint, data = "if that is the server, use its URL", None
    if _SIGN_IN.search(target):
        hint = "that looks like a sign-in page: the server wants a login, or a token in --header"
    elif status in (307, 308):
        # Only those keep the method and the body.
        hint, data = f"{hint}; {LEAVES}", _origin_in(target)
    message = f"{url} redirects to {target} (HTTP {status}), which is not followed"
    return Failure(kind="redirect", message=message, hint=hint, http_status=status, data=data)


def _origin_in(target: str) -> dict[str, str] | None:
    try:
        return {"origin": origin(target)}
    except ValueError:
        return None


def origin(url: str) -> str:
    """Scheme, host and port, as in `http://127.0.0.1:3000`. Raises ValueError for what is no URL."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


_STATUS_HINTS = {
    400: "the server refused the request as it is; its words above may say what it wants",
    404: "nothing is served at this path; check it (often /mcp), or the server speaks the older HTTP+SSE (often /sse)",
    405: "this path takes no POST; it may be an HTTP+SSE endpoint, or the path is wrong",
    406: "the server refuses our Accept header, which names both types the protocol demands",
    410: "the endpoint was withdrawn; look for its successor (often /mcp)",
    415: "the server refuses application/json here; is this its MCP endpoint?",
    421: "the server refuses this host name; try localhost in place of 127.0.0.1, or the other way round",
    426: "the server wants another protocol here, as a WebSocket, which MCP does not use: is this its MCP endpoint?",
    429: "the server limits the rate; wait and try again",
    502: "a gateway stands in front and cannot reach the server",
    503: "the server is not available now",
    504: "a gateway stands in front and the server did not answer it in time",
}


def _auth_failure(status: int, challenge: str, tail: str, body: bytes) -> Failure:
    fields = {name.lower(): quoted or plain for name, quoted, plain in _CHALLENGE.findall(challenge)}
    reason = fields.get("error_description") or fields.get("error")
    scheme = challenge.split(" ", 1)[0] if challenge else ""
    message = f"HTTP {status}"
    message += f" ({scheme})" if scheme and "=" not in scheme else ""
    message += f": {reason}" if reason else tail
    named = _HEADER_NAME.search(decode(body[:2000]))
    if status == 401:
        if scheme.lower() == "basic":
            hint = "send a name and password with --header 'Authorization: Basic BASE64', of name:password"
        elif named and not challenge:
            hint = f"its words name a header: send --header '{named.group()}: ...'"
        else:
            hint = "send a token with --header 'Authorization: Bearer ...'"
        if "resource_metadata" in fields:
            hint += f", or log in with mcp-inspect auth; its metadata is at {fields['resource_metadata']}"
    elif scope := fields.get("scope"):
        hint = f"the token lacks a scope; wanted: {scope}"
    elif _BROWSER_CHECK.search(decode(body[:5000])):
        hint = "a gateway in front wants to see a browser: ask its owner to let programs through to this path"
    elif _ORIGIN_WORDS.search(decode(body[:2000])):
        hint = "the server refuses the name it was reached by: use the one that it expects, or add this one to its list"
    else:
        hint = "the token is not allowed this, or the server refuses this Host or Origin"
    return Failure(kind="auth", message=message, hint=hint, http_status=status, data=fields or None)


def content_failure(url: str, status: int, content_type: str, body: bytes) -> Failure:
    """A 2xx answer that holds no JSON-RPC message."""
    if status in (202, 204) and not body:
        return Failure(
            kind="protocol",
            message=f"HTTP {status} without an answer to a request",
            hint="202 is for notifications; a request needs an answer in the body or in an event stream",
            http_status=status,
        )
    said = excerpt(body)
    what = content_type or "no content type"
    if not body:
        what = f"an empty body ({what})"
    return Failure(
        kind="not_mcp",
        message=f"{url} answered with {what}, not with JSON-RPC" + (f": {said}" if said else ""),
        hint="is this the MCP endpoint? A sign-in page or a website answers like this; the path is often /mcp",
        http_status=status,
    )


def network_failure(url: str, error: Exception, phase: str) -> Failure:
    """What went wrong on the way, from the library's exception and what lies beneath it."""
    parts = urlsplit(url)
    where = parts.netloc.rpartition("@")[2] or url
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return _tls_failure(where, cause)
        if isinstance(cause, socket.gaierror):
            return Failure(
                kind="dns",
                message=f"the name {parts.hostname} cannot be resolved",
                hint="check the host name",
            )
    if isinstance(error, _http.ProxyError):
        return Failure(
            kind="proxy", message=f"the proxy refused: {error}", hint="see HTTP_PROXY, HTTPS_PROXY, NO_PROXY"
        )
    if isinstance(error, _http.InvalidURL | _http.UnsupportedProtocol):
        return Failure(
            kind="config",
            message=f"{url} is no URL that can be reached: {error}",
            hint="use http:// or https://",
        )
    if isinstance(error, _http.ConnectError | _http.ConnectTimeout):
        if proxy := _http.proxy_for(url):
            return replace(
                _connect_failure(proxy, causes),
                kind="proxy",
                message=f"the proxy {proxy}, through which {where} is reached, does not answer",
                hint="see HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY",
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
            message=f"the connection broke {phase}: {error}",
            hint="the server or a gateway cut it; its log may say why",
        )
    return Failure(
        kind="stream",
        message=f"the connection failed {phase}: {next(filter(None, map(str, causes)), type(error).__name__)}",
        hint="see the log of the server; if it speaks TLS, its URL begins with https://",
    )


def _connect_failure(where: str, causes: list[BaseException]) -> Failure:
    text = " ".join(str(cause) for cause in causes)
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
    return Failure(
        kind="refused", message=f"no connection to {where}: {text[:200]}", hint="check host, port and network"
    )


NO_TLS = "the port does not speak TLS; try http:// in place of https://"
_NO_TLS = ("WRONG_VERSION_NUMBER", "UNEXPECTED_EOF", "record layer", "RECORD_LAYER", "ended the handshake")


def _tls_failure(where: str, error: ssl.SSLError) -> Failure:
    reason = getattr(error, "verify_message", "") or getattr(error, "reason", "") or str(error)
    if ("self" in reason and "signed" in reason) or "unable to get local issuer" in reason:
        hint = "trust its authority with --ca FILE, or go without checking with --insecure"
    elif "expired" in reason:
        hint = "its certificate must be renewed; --insecure goes on without checking"
    elif "mismatch" in reason.lower() or "not valid for" in reason:
        hint = "the certificate is for another name; use that name in the URL"
    elif any(words in reason for words in _NO_TLS):
        hint = NO_TLS
    else:
        hint = "see the certificate of the server"
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
