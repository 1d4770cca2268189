"""Cases for the rules of `inspector.check.streams`."""

from __future__ import annotations

from check.conversation import VERSION_HEADER, Case, Post, message, meta, web
from check.samples import PING, PONG, post

from inspector.check.rules import V07, V24

STREAM = "text/event-stream"
IN_SESSION = [("mcp-session-id", "s"), *VERSION_HEADER]
LISTEN = message(id=3, method="subscriptions/listen", params={"_meta": meta(), "notifications": {}})
ENDED = message(id=3, result={"resultType": "complete", "_meta": {}})
MODERN_HEADER = [("mcp-protocol-version", V07), ("mcp-method", "subscriptions/listen")]


def twice(first: str, second: str) -> list[Post]:
    return web(*(Post(message(id=number, method="ping"), message(id=number, result={}), media=STREAM, sends=IN_SESSION,
                      events=[("id", id_)]) for number, id_ in ((7, first), (8, second))))  # fmt: skip


def sse(*events: tuple[str, str]) -> list[Post]:
    first, second = message(id=0, method="initialize", params={"protocolVersion": V24}), PONG
    stream = Post(
        None, message(id=0, result={}), method="GET", media=STREAM, events=events, end="closed by us"
    )
    return [stream, Post(first, status=202, media=""), Post(PING, second, status=202, media="")]


def on_streams(*ids: int) -> list[Post]:
    return web(*(Post(None, message(id=id_, method="roots/list"), method="GET", media=STREAM, sends=VERSION_HEADER)
                 for id_ in ids))  # fmt: skip


CASES: dict[str, Case] = {
    "H10": (twice("1", "1"), twice("1", "2")),
    "H11": (
        post(PONG, media=STREAM, events=[("id", "1")]),
        post(PONG, media=STREAM, events=[("id", "0"), ("id", "1")]),
    ),
    "H12": (
        post(media=STREAM, events=[("id", "1")]),
        post(media=STREAM, events=[("id", "1"), ("retry", "500")]),
    ),
    "H13": (post(PONG, media=STREAM, lingers=20), post(PONG, media=STREAM)),
    "H16": (post(PONG, media=STREAM, events=[("event status", "x")]), post(PONG, media=STREAM)),
    "H31": (sse(("event endpoint", "https://other.example/m")), sse(("event endpoint", "/m?sessionId=1"))),
    "H35": (
        sse(("event endpoint", "/m?sessionId=1"), ("event endpoint", "/m?sessionId=2")),
        sse(("event endpoint", "/m?sessionId=1"), ("event ping", "")),
    ),
    "H32": (post(PONG, media=STREAM, headers=[("content-encoding", "gzip")]), post(PONG, media=STREAM)),
    "N13": (
        [Post(LISTEN, media=STREAM, sends=MODERN_HEADER)],
        [Post(LISTEN, ENDED, media=STREAM, sends=MODERN_HEADER)],
    ),
    "H09": (on_streams(1, 1), on_streams(1, 2)),
}
