"""A log of HTTP: `{"server", "cmd", "exchanges": [{"t", "note", "request", "response"}]}`, with the pieces of each
answer as they came, in seconds since the session began."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from inspector.traffic.imports.book import Book, members, number_of, text_of
from inspector.traffic.imports.web import Exchange, add, host_of, pairs

NAME = "a log of HTTP exchanges"
ITEMS = ("exchanges",)
ABOUT = True

_STATUS = re.compile(r"HTTP/\S+ (\d{3})")


def read(found: Iterator[Any], about: dict[str, Any], book: Book) -> Iterator[None]:
    command = about.get("cmd")
    session = book.session(text_of(about.get("server")) or book.title, transport="http", command=command)
    for number, value in enumerate(found, 1):
        yield
        entry = members(value)
        request = members(entry.get("request"))
        moment = number_of(entry.get("t"))
        if not text_of(request.get("method")):
            book.unread(session, moment, f"exchange {number}", value)
            continue
        if note := text_of(entry.get("note")):
            book.note(session, moment, note)
        exchange = _exchange(moment, request, members(entry.get("response")))
        if number == 1:
            book.facts(session, url=exchange.url)
        add(book, session, exchange)


def _exchange(moment: float, request: dict[str, Any], response: dict[str, Any]) -> Exchange:
    headers = pairs(request.get("headers"))
    host = next((value for name, value in headers if name.lower() == "host"), "localhost")
    path = text_of(request.get("path"))
    url = path if host_of(path) else f"http://{host}{path}"
    status = _STATUS.match(text_of(response.get("status_line")))
    answered = moment + number_of(response.get("head_s"))
    chunks = [
        (
            max(answered, number_of(chunk.get("t"))),
            text_of(chunk.get("data")).encode("utf-8", "surrogatepass"),
        )
        for chunk in map(members, response.get("chunks") or [])
    ]
    if not chunks and (body := text_of(response.get("body"))):
        chunks = [(answered, body.encode("utf-8", "surrogatepass"))]
    outcome = "complete"
    if response.get("timeout"):
        outcome = f"no end of the answer within {number_of(response.get('timeout')):g} s"
    elif response.get("stopped_early"):
        outcome = "closed by the client"
    ended = max([answered, moment + number_of(response.get("dur_s")), *(t for t, _ in chunks)])
    return Exchange(
        method=text_of(request.get("method")),
        url=url,
        began=moment,
        headers=headers,
        body=text_of(request.get("body")).encode("utf-8", "surrogatepass"),
        status=int(status[1]) if status else 0,
        answered=answered,
        answer_headers=pairs(response.get("headers")),
        chunks=chunks,
        ended=ended,
        outcome=outcome,
    )
