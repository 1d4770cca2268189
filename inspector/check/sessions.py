"""HTTP requests that a server has to refuse: sessions that are over, headers that lie, foreign origins. They are judged
where a client sent them, for whatever reason."""

from __future__ import annotations

from inspector.base.text import clip
from inspector.check.rules import ALL, LEGACY, MODERN, V03, V06, V07, V11, Findings, Found, rule
from inspector.check.talk import VERSION_KEY, Talk, Trip, url_parts
from inspector.protocol import jsonrpc
from inspector.protocol.mirrored import mismatch
from inspector.protocol.revisions import REVISIONS

_SESSION = "basic/transports#session-management"
_MODERN = "basic/transports/streamable-http"
_NOT_NOW = (401, 403, 404, 429)
"""Statuses that say nothing of the request itself."""
_STREAMABLE = (V03, V06, V11)


def _status(trip: Trip) -> int:
    return trip.exchange.status or 0


class _Sessions:
    """The ids that the server gave, and those that were ended."""

    def __init__(self) -> None:
        self.given: set[str] = set()
        self.over: set[str] = set()


def _sessions(talk: Talk) -> _Sessions:
    return talk.kept("sessions", _Sessions)


@rule("H06", "error", _STREAMABLE, "basic/transports#listening-for-messages-from-the-server", on="exchange")
def odd_get(trip: Trip, talk: Talk) -> Findings:
    """A GET is answered neither with an event stream nor with status 405."""
    if (
        trip.exchange.method == "GET"
        and talk.reaches(trip)
        and not talk.old_sse
        and 200 <= _status(trip) < 300
        and trip.media != "text/event-stream"
    ):
        yield f"the GET got status {_status(trip)} and {clip(trip.media or 'no type', 60)}; a stream or 405 was due"


@rule("H07", "warning", MODERN, _MODERN, on="exchange")
def no_405(trip: Trip, talk: Talk) -> Findings:
    """A server that has nothing older answers GET or DELETE with another status than 405."""
    if trip.exchange.method not in ("GET", "DELETE") or talk.handshakes or not talk.modern:
        return
    if not talk.known("refused", dict) or not talk.reaches(trip):
        return
    if _status(trip) not in (0, 405, *_NOT_NOW) and _status(trip) < 500:
        yield f"the {trip.exchange.method} got status {_status(trip)}, and 405 was due"


@rule("H19", "error", LEGACY, _SESSION, on="exchange")
def unknown_session(trip: Trip, talk: Talk) -> Findings:
    """A session that is over, or that nobody knows, is not refused with status 404."""
    known, said, status = _sessions(talk), trip.said("mcp-session-id"), _status(trip)
    if (
        status
        and said is not None
        and status not in _NOT_NOW
        and status < 500
        and trip.exchange.method == "POST"
    ):
        if said in known.over:
            yield f"the session was ended, and a request in it got status {status}; 404 was due"
        elif known.given and said not in known.given:
            yield Found(f"a session that nobody knows got status {status}; 404 was due", level="warning")
    if (new := trip.header("mcp-session-id")) is not None:
        known.given.add(new)
    if trip.exchange.method == "DELETE" and said is not None and 200 <= status < 300:
        known.over.add(said)


@rule("H20", "warning", LEGACY, _SESSION, on="exchange")
def sessionless(trip: Trip, talk: Talk) -> Findings:
    """A request without a session id is refused with another status than 400, or served though the server gave one."""
    methods = {frame.message.method for frame in trip.posted if frame.message.kind == "request"}
    status = _status(trip)
    if not _sessions(talk).given or trip.said("mcp-session-id") is not None or not methods:
        return
    if methods & {"initialize", "server/discover"} or status in (0, 400, *_NOT_NOW):
        return
    if status < 300:
        # It need not require what it gives.
        yield Found("a request without Mcp-Session-Id was served, though the server gives ids", level="info")
    elif status < 500:
        yield f"a request without Mcp-Session-Id got status {status}; 400 was due"


@rule("H21", "error", LEGACY, _SESSION, on="exchange")
def odd_delete(trip: Trip, talk: Talk) -> Findings:
    """DELETE of a session is answered neither with success nor with status 405."""
    said, status = trip.said("mcp-session-id"), _status(trip)
    known = _sessions(talk)
    if trip.exchange.method != "DELETE" or said not in known.given - known.over:
        return
    if 300 <= status < 500 and status not in (405, *_NOT_NOW):
        yield f"the DELETE got status {status}; success or 405 was due"


@rule("H23", "error", (V06, V11, V07), f"{_MODERN}#protocol-version-header", on="exchange")
def unknown_version(trip: Trip, talk: Talk) -> Findings:
    """An unknown `MCP-Protocol-Version` is not refused with status 400."""
    said = trip.said("mcp-protocol-version")
    if said is not None and said not in REVISIONS and 200 <= _status(trip) < 300 and trip.posted:
        yield f"MCP-Protocol-Version {clip(said, 40)} got status {_status(trip)}; 400 was due"


@rule("H24", "error", MODERN, f"{_MODERN}#protocol-version-header", on="exchange")
def no_version_header(trip: Trip, talk: Talk) -> Findings:
    """A request without `MCP-Protocol-Version` is not refused by a server that speaks no version without it."""
    # Who takes `initialize` may take such a request for one of 2025-03-26.
    meant = any(frame.message.kind == "request" and frame.version == V07 for frame in trip.posted)
    if not meant or trip.said("mcp-protocol-version") is not None or not talk.known("refused", dict):
        return
    if _status(trip) not in (0, *_NOT_NOW) and not _mismatched(trip):
        yield f"a request without MCP-Protocol-Version got status {_status(trip)}; 400 with -32020 was due"


def _mismatched(trip: Trip) -> bool:
    """Whether headers were refused as the specification has it."""
    codes = [answer.error.get("code") for answer in trip.came]
    return _status(trip) == 400 and jsonrpc.HEADER_MISMATCH in codes


@rule("H26", "error", MODERN, f"{_MODERN}#value-encoding", on="exchange")
def not_decoded(trip: Trip, talk: Talk) -> Findings:
    """A header in base64 is compared with the body before it is decoded."""
    name, posted = trip.said("mcp-name"), trip.posted
    if name is None or not name.startswith("=?base64?") or len(posted) != 1 or _wrong(trip) is not None:
        return
    if any(answer.error.get("code") == jsonrpc.HEADER_MISMATCH for answer in trip.came):
        yield f"Mcp-Name {clip(name, 60)} says the same as the body, and is refused with -32020"


@rule("H25", "error", MODERN, f"{_MODERN}#server-validation", on="exchange")
def lying_headers(trip: Trip, talk: Talk) -> Findings:
    """Headers that differ from the body are not refused with status 400 and -32020."""
    if (
        len(trip.posted) != 1
        or trip.posted[0].message.kind != "request"
        or trip.said("mcp-protocol-version") is None
    ):
        return
    wrong = _wrong(trip)
    if wrong is not None and _status(trip) not in (0, *_NOT_NOW) and not _mismatched(trip):
        yield f"{wrong}; that got status {_status(trip)}, and 400 with -32020 was due"


def _wrong(trip: Trip) -> str | None:
    """How the headers of the one request differ from its body."""
    frame, headers = trip.posted[0], {name.lower(): value for name, value in trip.exchange.request_headers}
    if VERSION_KEY not in frame.meta:
        return None  # that is another mistake, with an error of its own
    wrong = mismatch(headers, frame.message.method or "", frame.params)
    if wrong is None and headers.get("mcp-protocol-version") != frame.meta.get(VERSION_KEY):
        wrong = "MCP-Protocol-Version is another one than in the body"
    return wrong


@rule("H29", "error", ALL, _MODERN, on="exchange")
def foreign_origin(trip: Trip, talk: Talk) -> Findings:
    """A request of a foreign origin is served."""
    # Only of such names it is sure that no server means to allow them (RFC 2606).
    host = url_parts(trip.said("origin") or "").hostname or ""
    if host.endswith((".invalid", ".example")) and 200 <= _status(trip) < 300:
        yield f"Origin {clip(host, 60)} got status {_status(trip)}; 403 was due"


@rule("H27", "error", MODERN, _MODERN, on="exchange")
def unknown_method_status(trip: Trip, talk: Talk) -> Findings:
    """An unknown method is not refused with status 404 and -32601."""
    for frame in trip.came:
        # Who does not know `server/discover` speaks an older version, which asks for no such status.
        known = frame.method != "server/discover"
        if known and frame.error.get("code") == jsonrpc.METHOD_NOT_FOUND and _status(trip) != 404:
            yield f"error -32601 came with status {_status(trip)}, and 404 was due"
