"""HAR 1.2, of browsers, proxies and our own export, where stdio stands at addresses that end with `.stdio.invalid`."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Any

from inspector.traffic.imports.book import Book, members, moment_of, number_of, text_of
from inspector.traffic.imports.web import Exchange, add, host_of, pairs

NAME = "HAR"
ITEMS = ("log", "entries")
ABOUT = False

_STDIO = ".stdio.invalid"


def read(found: Iterator[Any], about: dict[str, Any], book: Book) -> Iterator[None]:
    sessions: dict[tuple[str, Any], int] = {}
    moment = 0.0
    for number, value in enumerate(found, 1):
        yield
        entry = members(value)
        request = members(entry.get("request"))
        more = members(entry.get("_mcp"))
        url = text_of(request.get("url"))
        moment = moment_of(entry.get("startedDateTime")) or moment
        host = host_of(url)
        key = host, repr(more.get("session"))
        is_stdio = host.endswith(_STDIO)
        if key not in sessions:
            label = text_of(more.get("server")) or host.removesuffix(_STDIO) or book.title
            transport = text_of(more.get("transport")) or ("stdio" if is_stdio else "http")
            sessions[key] = book.session(label, transport=transport, url="" if is_stdio else url)
        if not host:
            book.unread(sessions[key], moment, f"entry {number}", value)
        elif is_stdio:
            _frames(book, sessions[key], moment, entry)
        else:
            add(book, sessions[key], _exchange(moment, url, entry))


def _frames(book: Book, session: int, moment: float, entry: dict[str, Any]) -> None:
    about = members(entry.get("_mcp"))
    from_server = about.get("direction") == "s2c"
    sent, received = _request_body(entry), _response_body(entry)
    # The entry itself knows no less than a millisecond, in which many frames can follow each other.
    told = about.get("frames")
    moments = [number_of(members(frame).get("time")) for frame in (told if isinstance(told, list) else [])]
    moments = moments or [moment, moment + number_of(entry.get("time")) / 1000]
    if sent:
        book.frame(session, moments[0], sent, sent=not from_server)
    if received:
        ended = moments[-1]
        # An answer without its request stands as what came back; who sent it is told all the same.
        book.frame(session, ended, received, sent=from_server if sent else not from_server)


def _exchange(moment: float, url: str, entry: dict[str, Any]) -> Exchange:
    request, response = members(entry.get("request")), members(entry.get("response"))
    timings = members(entry.get("timings"))
    waited = sum(
        max(0.0, number_of(timings.get(name))) for name in ("blocked", "dns", "connect", "send", "wait")
    )
    ended = moment + max(0.0, number_of(entry.get("time")), waited) / 1000
    body = _response_body(entry)
    return Exchange(
        method=text_of(request.get("method")),
        url=url,
        began=moment,
        headers=pairs(request.get("headers")),
        body=_request_body(entry),
        status=max(0, int(number_of(response.get("status")))),
        answered=min(ended, moment + waited / 1000),
        answer_headers=pairs(response.get("headers")),
        chunks=[(ended, body)] if body else [],
        ended=ended,
        outcome=text_of(entry.get("comment")) or text_of(response.get("_error")) or "complete",
    )


def _request_body(entry: dict[str, Any]) -> bytes:
    post = members(members(entry.get("request")).get("postData"))
    return text_of(post.get("text")).encode("utf-8", "surrogatepass")


def _response_body(entry: dict[str, Any]) -> bytes:
    content = members(members(entry.get("response")).get("content"))
    text = text_of(content.get("text"))
    if content.get("encoding") == "base64":
        try:
            return b64decode(text)
        except (NotBase64, ValueError):
            pass  # said to be base64 and is none: as it stands
    return text.encode("utf-8", "surrogatepass")
