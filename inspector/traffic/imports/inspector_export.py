"""What MCP Inspector 2 exports as JSON: lists of messages (protocol), of HTTP requests (network), of log notifications
(logs) and of stderr (console)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.traffic.imports.book import Book, members, moment_of, number_of, raw_of, text_of
from inspector.traffic.imports.web import Exchange, add, host_of, pairs

NAME = "MCP Inspector"
ITEMS = ()
ABOUT = False

_OF_CLIENTS = ("notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed")


def read(found: Iterator[Any], about: dict[str, Any], book: Book) -> Iterator[None]:
    hosts: dict[str, int] = {}
    moment = 0.0

    def session(host: str) -> int:
        if host not in hosts:
            hosts[host] = book.session(host or book.title, transport="http" if host else "")
        return hosts[host]

    for number, value in enumerate(found, 1):
        yield
        entry = members(value)
        moment = moment_of(entry.get("timestamp") or entry.get("receivedAt")) or moment
        if isinstance(entry.get("message"), dict):
            _message(book, session(""), moment, entry)
        elif text_of(entry.get("url")):
            add(book, session(host_of(entry["url"])), _exchange(moment, entry))
        elif isinstance(entry.get("params"), dict):
            message = {"jsonrpc": "2.0", "method": "notifications/message", "params": entry["params"]}
            book.frame(session(""), moment, raw_of(message), sent=False)
        elif isinstance(entry.get("message"), str):
            book.stderr(session(""), moment, entry["message"])
        else:
            book.unread(session(""), moment, f"entry {number}", value)


def _message(book: Book, session: int, moment: float, entry: dict[str, Any]) -> None:
    message = entry["message"]
    sent = entry.get("origin") == "client" if "origin" in entry else _of_client(entry, message)
    book.frame(session, moment, raw_of(message), sent=sent)
    ended = moment + number_of(entry.get("duration")) / 1000
    if isinstance(entry.get("response"), dict):
        book.frame(session, ended, raw_of(entry["response"]), sent=not sent)
    if told := text_of(entry.get("clientError")):
        book.note(session, ended, f"MCP Inspector refused this answer: {told}")


def _of_client(entry: dict[str, Any], message: dict[str, Any]) -> bool:
    """Older exports do not tell who sent a message."""
    if entry.get("direction") == "notification":
        return message.get("method") in _OF_CLIENTS
    return entry.get("direction") == "request"


def _exchange(moment: float, entry: dict[str, Any]) -> Exchange:
    ended = moment + number_of(entry.get("duration")) / 1000
    body = text_of(entry.get("responseBody")).encode("utf-8", "surrogatepass")
    return Exchange(
        method=text_of(entry.get("method")),
        url=entry["url"],
        began=moment,
        headers=pairs(entry.get("requestHeaders")),
        body=text_of(entry.get("requestBody")).encode("utf-8", "surrogatepass"),
        status=int(number_of(entry.get("responseStatus"))),
        answered=ended,
        answer_headers=pairs(entry.get("responseHeaders")),
        chunks=[(ended, body)] if body else [],
        ended=ended,
        outcome=text_of(entry.get("error")) or "complete",
    )
