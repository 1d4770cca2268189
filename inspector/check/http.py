"""Streamable HTTP and HTTP+SSE: statuses, types, headers, and what streams carry."""

from __future__ import annotations

from inspector.base.patterns import pattern
from inspector.base.text import clip
from inspector.check.rules import ALL, LEGACY, MODERN, V03, V06, V07, V11, Findings, Found, rule
from inspector.check.talk import Frame, Talk, Trip, url_parts
from inspector.protocol import jsonrpc

_POST = "basic/transports/streamable-http#sending-messages"
_STREAMABLE = (V03, V06, V11, V07)
_SESSION = pattern(r"[\x21-\x7e]+")
_JSON, _STREAM = "application/json", "text/event-stream"


def _good(trip: Trip) -> bool:
    return trip.exchange.status is not None and trip.exchange.status < 300


def _kinds(trip: Trip) -> set[str]:
    return {frame.message.kind for frame in trip.posted}


def _streamable(trip: Trip, talk: Talk) -> bool:
    """Whether the exchange is a POST to the one address of Streamable HTTP."""
    return trip.exchange.method == "POST" and not talk.old_sse and talk.reaches(trip)


@rule("H01", "error", _STREAMABLE, _POST, on="exchange")
def not_202(trip: Trip, talk: Talk) -> Findings:
    """A notification or answer that was posted got another good status than 202."""
    posted = [frame.message.method for frame in trip.posted]
    kinds = _kinds(trip)
    if not _streamable(trip, talk) or not kinds or kinds - {"notification", "response", "error"}:
        return
    if posted != ["notifications/initialized"] and _good(trip) and trip.exchange.status != 202:
        yield f"a posted {trip.posted[0].message.kind} got status {trip.exchange.status}, and 202 was due"


@rule("H02", "error", _STREAMABLE, _POST, on="exchange")
def body_of_202(trip: Trip, talk: Talk) -> Findings:
    """Status 202 comes with a body."""
    if _streamable(trip, talk) and trip.exchange.status == 202 and (trip.exchange.body.strip() or trip.came):
        yield "the answer with status 202 has a body"


@rule("H03", "error", _STREAMABLE, _POST, on="exchange")
def other_type(trip: Trip, talk: Talk) -> Findings:
    """A request is answered with another type than JSON or an event stream."""
    if (
        _streamable(trip, talk)
        and "request" in _kinds(trip)
        and trip.exchange.status == 200
        and trip.media not in (_JSON, _STREAM)
    ):
        yield f"the request is answered with content-type {clip(trip.media or 'left out', 60)}"


@rule("H04", "error", _STREAMABLE, _POST, on="exchange")
def no_answer(trip: Trip, talk: Talk) -> Findings:
    """A request gets a good status, and never its answer."""
    if not _streamable(trip, talk) or "request" not in _kinds(trip) or not _good(trip):
        return
    status = trip.exchange.status
    if status in (202, 204):
        yield f"the request got status {status}, which is for notifications"
    elif (
        trip.exchange.outcome == "complete"
        and any(not each.answered for each in trip.posted if each.message.kind == "request" and not each.at)
        and not _resumable(trip)
    ):
        yield "the stream ended without the answer, and without an id to go on from"


def _resumable(trip: Trip) -> bool:
    return trip.posted[0].version != V07 and any(name == "id" for _, name, _ in trip.exchange.events)


@rule("H05", "error", (V06, V11, V07), _POST, on="exchange")
def other_message(trip: Trip, talk: Talk) -> Findings:
    """The JSON answer to a request holds another message than its answer."""
    if (
        not _streamable(trip, talk)
        or trip.media != _JSON
        or not _good(trip)
        or [*_kinds(trip)] != ["request"]
    ):
        return
    if len(trip.came) > 1 or any(frame.request is not trip.posted[0] for frame in trip.came):
        yield "the JSON body is not the one answer to the request"


@rule("H08", "error", (V03, V06, V11), "basic/transports#listening-for-messages-from-the-server", on="frame")
def answer_on_get(frame: Frame, talk: Talk) -> Findings:
    """An answer comes on the stream of a GET that resumes nothing."""
    trip = frame.trip
    if (
        trip is not None
        and trip.exchange.method == "GET"
        and _good(trip)
        and frame.message.is_answer
        and not talk.old_sse
        and trip.said("last-event-id") is None
    ):
        yield "an answer came on the stream that a GET opened"


@rule("H14", "warning", _STREAMABLE, _POST, on="notification", of="notifications/progress")
def foreign_progress(frame: Frame, talk: Talk) -> Findings:
    """The stream of a request carries what does not belong to it."""
    trip = frame.trip
    if trip is None or frame.request is None or not _streamable(trip, talk) or not trip.posted:
        return
    if frame.request not in trip.posted:
        yield Found(
            "the progress is that of another request", level="error" if frame.version == V07 else None
        )


@rule("H15", "error", MODERN, "basic/transports/streamable-http", on="request")
def request_on_http(frame: Frame, talk: Talk) -> Findings:
    """The server sends a request."""
    if talk.http:
        yield f"{clip(frame.message.method or '', 80)} is a request; in 2026-07-28 only clients have requests"


@rule("H17", "error", LEGACY, "basic/transports#session-management", on="exchange")
def bad_session_id(trip: Trip, talk: Talk) -> Findings:
    """A session id has characters that it must not have."""
    session = trip.header("mcp-session-id")
    if session is not None and _SESSION.fullmatch(session) is None:
        yield "the session id has characters other than visible ASCII"


@rule("H18", "info", LEGACY, "basic/transports#session-management", on="exchange")
def other_session_id(trip: Trip, talk: Talk) -> Findings:
    """A session id changes, or comes though none was given at first."""
    came, said = trip.header("mcp-session-id"), trip.said("mcp-session-id")
    begins = any(frame.message.method == "initialize" for frame in trip.posted)
    if came is not None and not begins and came != said and _good(trip):
        yield "the answer has another session id than the request"


@rule("H22", "warning", MODERN, "basic/transports/streamable-http", on="exchange")
def modern_session(trip: Trip, talk: Talk) -> Findings:
    """A session id is given, which 2026-07-28 does not have."""
    # Without the header a server takes a request for one of the older versions.
    if trip.header("mcp-session-id") is not None and trip.said("mcp-protocol-version") == V07:
        yield "the answer has Mcp-Session-Id; there are no sessions"


_MUST_BE_400 = (jsonrpc.HEADER_MISMATCH, jsonrpc.MISSING_CAPABILITY, jsonrpc.UNSUPPORTED_VERSION)


@rule("H28", "error", MODERN, "basic/transports/streamable-http", on="exchange")
def status_of_error(trip: Trip, talk: Talk) -> Findings:
    """An error that must come with status 400 has another one."""
    for frame in trip.came:
        code = frame.error.get("code")
        if code in _MUST_BE_400 and trip.exchange.status != 400:
            yield f"error {code} came with status {trip.exchange.status}, and 400 was due"


@rule("H30", "warning", MODERN, "basic/transports/streamable-http", on="exchange")
def buffered(trip: Trip, talk: Talk) -> Findings:
    """An event stream does not say that it must not be buffered."""
    if trip.media == _STREAM and (trip.header("x-accel-buffering") or "").lower() != "no":
        yield "the event stream has no header X-Accel-Buffering: no"


@rule("H33", "info", ALL, on="exchange")
def redirected(trip: Trip, talk: Talk) -> Findings:
    """A POST is answered with a redirect."""
    status = trip.exchange.status or 0
    if trip.exchange.method == "POST" and 300 <= status < 400:
        target = url_parts(trip.header("location") or "")
        yield f"the POST is redirected to {clip(target.netloc + target.path, 80)}; clients may not follow, or send GET"


@rule("H34", "error", _STREAMABLE, _POST, on="exchange")
def our_headers(trip: Trip, talk: Talk) -> Findings:
    """The client's own request lacks a header."""
    if not _streamable(trip, talk) or not trip.posted or not trip.exchange.request_headers:
        return
    if any(frame.probing for frame in trip.posted):
        return
    accept = (trip.said("accept") or "").lower()
    if not all(each in accept or "*/*" in accept for each in (_JSON, _STREAM)):
        yield f"the client's Accept is {clip(accept or 'left out', 80)}, without both types"
    begins = any(frame.message.method in ("initialize", "server/discover") for frame in trip.posted)
    version = trip.posted[0].version
    if not begins and version in (V06, V11, V07) and trip.said("mcp-protocol-version") is None:
        yield "the client sends no MCP-Protocol-Version"
