"""Cassettes of mcp-recorder (github.com/devhelmhq/mcp-recorder), version 1: `interactions`, each a request with its
response.

They hold no times but how long an answer took, so one interaction begins here when the one before has ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.traffic.imports.book import Book, members, moment_of, number_of, raw_of, text_of
from inspector.traffic.imports.web import Exchange, add, host_of

NAME = "mcp-recorder"
ITEMS = ("interactions",)
ABOUT = True


def read(found: Iterator[Any], cassette: dict[str, Any], book: Book) -> Iterator[None]:
    about = members(cassette.get("metadata"))
    url = text_of(about.get("server_url"))
    info = members(about.get("server_info"))
    session = book.session(
        text_of(info.get("name")) or host_of(url) or book.title,
        transport=text_of(about.get("transport_type")) or ("http" if host_of(url) else ""),
        url=url,
        protocolVersion=about.get("protocol_version"),
        serverInfo=about.get("server_info"),
    )
    moment = moment_of(about.get("recorded_at")) or 0.0
    version = text_of(cassette.get("version"))
    if version.split(".")[0] != "1":
        book.note(
            session, moment, f"this cassette has version {version or 'none'}; version 1 is what is known here"
        )
    for number, value in enumerate(found, 1):
        yield
        entry = members(value)
        ended = moment + number_of(entry.get("latency_ms")) / 1000
        if entry.get("type") == "lifecycle" and text_of(entry.get("http_method")):
            address = url.rstrip("/") + text_of(entry.get("http_path"))
            status = int(number_of(entry.get("response_status")))
            add(book, session, Exchange(
                text_of(entry["http_method"]), address, moment, status=status, answered=ended, ended=ended,
            ))  # fmt: skip
        elif isinstance(entry.get("request"), dict):
            book.frame(session, moment, raw_of(entry["request"]), sent=True)
            if entry.get("response") is not None:
                book.frame(session, ended, raw_of(entry["response"]), sent=False)
            if number_of(entry.get("response_status")) >= 400:
                book.note(session, ended, f"HTTP {number_of(entry['response_status']):.0f}")
        else:
            book.unread(session, moment, f"interaction {number}", value)
        moment = ended
