"""Cases for the rules of `inspector.check.sessions`."""

from __future__ import annotations

from typing import Any

from check.conversation import CACHE, VERSION_HEADER, Case, Post, beside, complete, message, meta, old
from check.samples import MODERN_POST, OK_POST, PING, PONG, modern_post, post

from inspector.check.rules import V07

STREAM = "text/event-stream"
GIVEN = [("mcp-session-id", "s"), *VERSION_HEADER]
NEW = [("mcp-protocol-version", V07)]
NO_METHOD = {"code": -32601, "message": "m"}


def in_session(*posts: Post) -> list[Post]:
    """Over a handshake at which the server gave the session id `s`."""
    rows = old()
    first = Post(rows[0].said, rows[1].said, headers=[("mcp-session-id", "s")])
    return [first, Post(rows[2].said, status=202, media="", sends=GIVEN), *posts]


def get(**how: Any) -> Post:
    return Post(None, **{"method": "GET", "sends": GIVEN, **how})


def end(status: int) -> Post:
    return Post(None, method="DELETE", status=status, media="", sends=GIVEN)


def ping(*back: Any, **how: Any) -> Post:
    return Post(PING, *back, **{"sends": GIVEN, **how})


def modern_call(named: str, *back: Any, **how: Any) -> list[Post]:
    said = message(id=7, method="tools/call", params={"name": "t", "_meta": meta()})
    return [
        MODERN_POST,
        Post(said, *back, sends=[*NEW, ("mcp-method", "tools/call"), ("mcp-name", named)], **how),
    ]


NO_OLD = Post(old()[0].said, message(id=0, error={"code": -32022, "message": "m", "data": {}}), status=400)
MISMATCH = message(id=7, error={"code": -32020, "message": "m"})


def unversioned(*back: Any, **how: Any) -> list[Post]:
    """A request without the header, to a server that takes no `initialize`."""
    return [
        *modern_post(OK_POST),
        NO_OLD,
        *modern_post(*back, sends=[("mcp-method", "tools/list")], **how)[1:],
    ]


CASES: dict[str, Case] = {
    "H06": (in_session(get()), in_session(get(media=STREAM), get(status=405, media=""))),
    "H07": (
        [MODERN_POST, *beside(NO_OLD), get(status=400, sends=NEW)],
        [MODERN_POST, *beside(NO_OLD), get(status=405, sends=NEW)],
    ),
    "H19": (in_session(end(200), ping(status=400)), in_session(end(200), ping(status=404))),
    "H20": (in_session(ping(PONG, sends=VERSION_HEADER)), in_session(ping(PONG))),
    "H21": (in_session(end(400)), in_session(end(405))),
    "H23": (
        post(PONG, sends=[("mcp-protocol-version", "1999-01-01")]),
        post(status=400, sends=[("mcp-protocol-version", "1999-01-01")]),
    ),
    "H24": (unversioned(OK_POST), unversioned(MISMATCH, status=400)),
    "H26": (
        modern_call("=?base64?dA==?=", MISMATCH, status=400),
        modern_call("=?base64?dQ==?=", MISMATCH, status=400),
    ),
    "H25": (
        modern_call("other", message(id=7, result=complete({"content": [], **CACHE}))),
        modern_call("other", MISMATCH, status=400),
    ),
    "H27": (
        modern_post(message(id=7, error=NO_METHOD), status=200),
        modern_post(message(id=7, error=NO_METHOD), status=404),
    ),
    "H29": (
        post(PONG, sends=[("origin", "http://probe.invalid"), *VERSION_HEADER]),
        post(status=403, sends=[("origin", "http://probe.invalid"), *VERSION_HEADER]),
    ),
}
