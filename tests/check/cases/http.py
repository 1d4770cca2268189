"""Cases for the rules of `inspector.check.http`."""

from __future__ import annotations

from check.conversation import VERSION_HEADER, Case, Post, message, web
from check.samples import DONE, NOTE, OK_POST, PONG, modern_post, post, progress

CASES: dict[str, Case] = {
    "H01": (post(said=NOTE, status=204, media=""), post(said=NOTE, status=202, media="")),
    "H02": (post(said=NOTE, status=202, body=b"accepted"), post(said=NOTE, status=202, media="")),
    "H03": (post(body=b"<html>", media="text/html"), post(PONG)),
    "H04": (post(media="text/event-stream"), post(media="text/event-stream", events=[("id", "1")])),
    "H05": (post(message(id=9, result={})), post(PONG)),
    "H08": (
        post(message(id=9, result={}), said=None, method="GET", media="text/event-stream"),
        post(
            message(id=9, result={}),
            said=None,
            method="GET",
            media="text/event-stream",
            sends=[("last-event-id", "4"), *VERSION_HEADER],
        ),
    ),
    "H14": (
        web(
            Post(
                message(id=7, method="tools/call", params={"name": "t", "_meta": {"progressToken": "a"}}),
                status=202,
                media="",
                sends=VERSION_HEADER,
            ),
            Post(
                message(id=8, method="ping"),
                progress(1, "a").raw,
                message(id=8, result={}),
                media="text/event-stream",
                sends=VERSION_HEADER,
            ),
        ),
        post(
            progress(1, "a").raw,
            message(id=7, result=DONE),
            said=message(id=7, method="tools/call", params={"name": "t", "_meta": {"progressToken": "a"}}),
            media="text/event-stream",
        ),
    ),
    "H15": (
        modern_post(message(id=1, method="ping"), OK_POST),
        post(message(id=1, method="ping"), PONG, media="text/event-stream"),
    ),
    "H17": (
        post(PONG, headers=[("mcp-session-id", "a b")]),
        post(PONG, headers=[("mcp-session-id", "a-b")], sends=[("mcp-session-id", "a-b"), *VERSION_HEADER]),
    ),
    "H18": (
        post(
            PONG, headers=[("mcp-session-id", "other")], sends=[("mcp-session-id", "mine"), *VERSION_HEADER]
        ),
        post(PONG, headers=[("mcp-session-id", "mine")], sends=[("mcp-session-id", "mine"), *VERSION_HEADER]),
    ),
    "H22": (modern_post(OK_POST, headers=[("mcp-session-id", "s")]), modern_post(OK_POST)),
    "H28": (
        modern_post(message(id=7, error={"code": -32022, "message": "m"})),
        modern_post(message(id=7, error={"code": -32022, "message": "m"}), status=400),
    ),
    "H30": (
        modern_post(OK_POST, media="text/event-stream"),
        modern_post(OK_POST, media="text/event-stream", headers=[("x-accel-buffering", "no")]),
    ),
    "H33": (post(status=307, media="", headers=[("location", "/other")]), post(PONG)),
    "H34": (post(PONG, accept="application/json"), post(PONG)),
}
