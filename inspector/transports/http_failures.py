"""Says what an HTTP answer that is none of MCP means for somebody who wants to reach an MCP server."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin, urlsplit

from inspector.base.errors import Failure
from inspector.base.patterns import pattern
from inspector.base.text import clip, decode
from inspector.transports import _http
from inspector.transports.challenges import auth_failure
from inspector.transports.network_failures import proxy_refused
from inspector.transports.statuses import hint_of

_SESSION_WORDS = pattern(
    r"(?i)session.{0,40}(not found|invalid|expired|unknown|terminated|does not exist|no longer)"
    r"|(no valid|invalid|unknown|expired|missing).{0,20}session"
)
_TAGS = pattern(r"(?is)<(script|style|head)\b.*?</\1>|<[^>]*>")
_TITLE = pattern(r"(?is)<title[^>]*>(.*?)</title>")
_EMPTY_TITLE = pattern(r"(?i)error(?: response)?$")
_WANTS_TLS = pattern(r"(?i)HTTP request .{0,20}to (?:an )?(?:HTTPS|SSL|TLS)|plain HTTP to an (?:SSL|TLS)")
_SIGN_IN = pattern(r"(?i)\b(log-?in|sign-?in|signin|sso|saml|oauth2?|authorize|auth)\b")


def excerpt(body: bytes, limit: int = 200) -> str:
    """The beginning of a body as one line of text; of a page, its title or its words; of an error in JSON, what it
    says to people."""
    text = decode(body[:20_000])
    if text.lstrip()[:1] == "{":
        text = _words_of_json(text) or text
    elif text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        named = title.group(1).strip() if title else ""
        text = named if named and not _EMPTY_TITLE.match(named) else _TAGS.sub(" ", text)
    return clip(" ".join(text.split()), limit)


_SAYING = ("error_description", "message", "detail", "error", "title", "reason")


def _words_of_json(text: str) -> str | None:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    inner = value.get("error")
    sources = [inner, value] if isinstance(inner, dict) else [value]
    found = (source.get(name) for source in sources for name in _SAYING)
    return next((words for words in found if isinstance(words, str) and words.strip()), None)


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


def status_failure(
    method: str,
    url: str,
    status: int,
    headers: dict[str, str],
    body: bytes,
    sent: Collection[str] = (),
    *,
    logs_in: bool = False,
) -> Failure:
    """The failure for a non-2xx answer without a JSON-RPC message in it. `headers` are those of the answer, with
    lower names; `sent` are the names of those of the request, an Authorization among them is ours where `logs_in`."""
    if status in (401, 403):
        failure = auth_failure(url, status, headers, excerpt(body), body, sent, logs_in=logs_in)
    else:
        failure = _of_status(method, url, status, headers, body)
    if failure.kind == "proxy" or not url.startswith("http:") or not (proxy := _http.proxy_for(url)):
        return failure
    told = f"the proxy {proxy} is in the way and may be what answers: see HTTP_PROXY and NO_PROXY"
    return replace(failure, hint=f"{failure.hint}; {told}")


def _of_status(method: str, url: str, status: int, headers: dict[str, str], body: bytes) -> Failure:
    said = excerpt(body)
    tail = f": {said}" if said else ""
    if status == 407:
        return proxy_refused(status, said)
    if 300 <= status < 400 and status != 304:
        return _redirect(url, status, headers)
    hint = hint_of(status)
    if status == 400 and _WANTS_TLS.search(said):
        hint = "the port speaks TLS: write https:// in place of http://"
    if status == 405 and (allowed := headers.get("allow")):
        hint += f"; it says that it takes {clip(allowed, 60)}"
    if wait := headers.get("retry-after"):
        hint = f"{hint}; it asks to wait: Retry-After {clip(wait, 40)}"
    return Failure(
        kind="http", message=f"HTTP {status} to {method} {url}{tail}", hint=hint, http_status=status
    )


LEAVES = "--yes, or a restart in the app, which asks, goes there without your headers"


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


def _redirect(url: str, status: int, headers: dict[str, str]) -> Failure:
    if "location" not in headers:
        return Failure(
            kind="redirect",
            message=f"{url} redirects (HTTP {status}) without saying where to",
            hint="the server or a gateway is set up wrongly: its owner knows the right URL",
            http_status=status,
        )
    target = _target(url, headers)
    data = None
    try:
        here, there = urlsplit(url), urlsplit(target)
    except ValueError:
        here, there = urlsplit(url), urlsplit("")
    hint = "if that is the server, use its URL"
    if _SIGN_IN.search(target):
        hint = "that looks like a sign-in page: the server wants a login, or a token in --header"
    elif (here.scheme, there.scheme) == ("http", "https") and here.hostname == there.hostname:
        hint = f"it wants TLS: use {target} as the URL"
    elif here[:2] == there[:2]:
        hint = f"use {target} as the URL: HTTP {status} turns a POST into a GET"
    if status in (307, 308) and not _SIGN_IN.search(target):
        # Only those keep the method and the body.
        hint, data = f"{hint}; {LEAVES}", _origin_in(target)
    message = f"{url} redirects to {target} (HTTP {status}), which is not followed"
    return Failure(kind="redirect", message=message, hint=hint, http_status=status, data=data)


def body_failure(status: int, body: bytes, problem: str) -> Failure:
    """A 2xx answer in JSON that holds no JSON-RPC message, as `problem` says."""
    if status in (202, 204):
        return _accepted(status)
    said = excerpt(body)
    hint = "is this the MCP endpoint (often /mcp)? The raw body is in the traffic"
    if b"\0" in body[:4]:
        problem, hint = (
            f"{problem}: it looks like UTF-16",
            "JSON goes in UTF-8; the raw body is in the traffic",
        )
    elif len(lines := body.split(b"\n", 2)) > 1 and all(
        line[:1] + line.strip()[-1:] == b"{}" for line in lines[:2]
    ):
        problem = f"no JSON, but several messages, one a line: {said}"
        hint = (
            "a body holds one message; several go as the events of a stream; the raw body is in the traffic"
        )
    elif problem.startswith("not JSON") and body[:1] in b"{[":
        hint = "the server or a gateway may have cut it; the raw body is in the traffic"
    elif said:
        problem = f"{problem}: {said}"
    return Failure(kind="protocol", message=f"the body is {problem}", hint=hint, http_status=status)


def _accepted(status: int) -> Failure:
    return Failure(
        kind="protocol",
        message=f"HTTP {status} without an answer to a request",
        hint="202 is for notifications; a request needs an answer in the body or in an event stream",
        http_status=status,
    )


def content_failure(url: str, status: int, content_type: str, body: bytes) -> Failure:
    """A 2xx answer that holds no JSON-RPC message."""
    if status in (202, 204) and not body:
        return _accepted(status)
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
