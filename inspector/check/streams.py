"""Event streams: what they carry besides messages, and how they end."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, V03, V06, V07, V11, Findings, Found, rule
from inspector.check.talk import Frame, Talk, Trip, url_parts

_POST = "2025-11-25/basic/transports#sending-messages-to-the-server"
_RESUME = "basic/transports#resumability-and-redelivery"
_STREAM = "text/event-stream"
_LINGERING = 5.0


def _ids(trip: Trip) -> list[str]:
    return [value for _, name, value in trip.exchange.events if name == "id"]


def _asked(trip: Trip) -> bool:
    return trip.media == _STREAM and any(frame.message.kind == "request" for frame in trip.posted)


@rule("H10", "error", LEGACY[1:], _RESUME, on="exchange")
def repeated_event_id(trip: Trip, talk: Talk) -> Findings:
    """The id of an event stands on two streams."""
    if trip.said("last-event-id") is not None:
        return  # what is sent again keeps its id
    seen: dict[tuple[str | None, str], int] = talk.kept("H10", dict)
    for id_ in _ids(trip):
        first = seen.setdefault((trip.said("mcp-session-id"), id_), trip.exchange.number)
        if first != trip.exchange.number and trip.said("mcp-session-id") is not None:
            yield f"the event id {clip(id_, 40)} was on another stream of the session"
            return


@rule("H11", "warning", (V11,), _POST, on="exchange")
def not_primed(trip: Trip, talk: Talk) -> Findings:
    """A stream that can be resumed does not begin with an id of its own."""
    given = [value for name, value in trip.priming if name == "id"]
    # Without the header a server takes a request for one of 2025-03-26.
    if _asked(trip) and trip.came and len(given) == 1 and trip.said("mcp-protocol-version") == V11:
        yield "the stream has ids, and none before its first message: what breaks before that cannot be resumed"


@rule("H12", "warning", (V11,), _POST, on="exchange")
def no_retry(trip: Trip, talk: Talk) -> Findings:
    """The server closes a stream early and does not say when to come again."""
    told = any(name == "retry" for _, name, _ in trip.exchange.events)
    early = any(
        frame.message.kind == "request" and not _answered_here(trip, frame.seq) for frame in trip.posted
    )
    if _asked(trip) and early and _ids(trip) and not told and trip.exchange.outcome == "complete":
        yield "the stream ended before the answer, without a retry field"


def _answered_here(trip: Trip, seq: int) -> bool:
    return any(
        frame.message.is_answer and frame.request is not None and frame.request.seq == seq
        for frame in trip.came
    )


@rule("H13", "warning", (V03, V06, V11, V07), _POST, on="exchange")
def lingering(trip: Trip, talk: Talk) -> Findings:
    """A stream stays open after the answer."""
    last = max((frame.time for frame in trip.came if frame.message.is_answer), default=None)
    ended = trip.exchange.ended
    if _asked(trip) and last is not None and ended is not None and ended - last > _LINGERING:
        yield "the stream stayed open for seconds after the answer"


@rule("H16", "info", (V03, V06, V11, V07), on="exchange")
def named_event(trip: Trip, talk: Talk) -> Findings:
    """An event has a name that clients pass over."""
    for _, name, _ in trip.exchange.events:
        kind = name.removeprefix("event ")
        if kind != name and kind != "endpoint":
            yield f"an event is named {clip(kind, 40)}; clients take those that are named message, or not named"


@rule("H31", "error", ALL, "2024-11-05/basic/transports#http-with-sse", on="exchange")
def bad_endpoint(trip: Trip, talk: Talk) -> Findings:
    """The stream of HTTP+SSE does not begin with `endpoint`, or that leads to another origin."""
    if not talk.old_sse or trip.exchange.method != "GET" or trip.media != _STREAM:
        return
    named = [value for name, value in trip.priming if name == "event endpoint"]
    if not named:
        yield "a message came before the event endpoint" if trip.came else "the stream has no event endpoint"
        return
    base = url_parts(trip.exchange.url)
    try:
        target = urlsplit(urljoin(trip.exchange.url, named[0]))
    except ValueError:
        yield f"the endpoint is {quoted(named[0], 80)}"
        return
    if (target.scheme, target.netloc) != (base.scheme, base.netloc):
        yield f"the endpoint leads to {clip(target.netloc, 80)}, another origin"


@rule("H35", "info", ALL, "2024-11-05/basic/transports#http-with-sse", on="exchange")
def endpoint_again(trip: Trip, talk: Talk) -> Findings:
    """A stream of HTTP+SSE has a second `endpoint`, which is to be the first event and no other."""
    named = [value for _, name, value in trip.exchange.events if name == "event endpoint"]
    if talk.old_sse and trip.exchange.method == "GET" and len(named) > 1:
        yield f"the stream names the endpoint {len(named)} times, in the end as {quoted(named[-1], 80)}"


@rule("H32", "info", (V03, V06, V11, V07), on="exchange")
def compressed(trip: Trip, talk: Talk) -> Findings:
    """An event stream is compressed, so that events may wait for each other."""
    coding = trip.header("content-encoding")
    if trip.media == _STREAM and coding not in (None, "identity"):
        yield f"the event stream has content-encoding {clip(str(coding), 40)}"


@rule("N13", "warning", (V07,), "basic/patterns/subscriptions", on="exchange")
def mute_end(trip: Trip, talk: Talk) -> Findings:
    """A subscription ends without a result."""
    listens = [frame for frame in trip.posted if frame.message.method == "subscriptions/listen"]
    ended = trip.exchange.outcome == "complete" and trip.media == _STREAM
    if listens and ended and not any(frame.message.is_answer for frame in trip.came):
        yield Found(
            "the stream of the subscription ended without the result that ends it", "", (listens[0].seq,)
        )


@rule("H09", "error", LEGACY[1:], "basic/transports#multiple-connections", on="request")
def sent_twice(frame: Frame, talk: Talk) -> Findings:
    """A request is sent on two streams."""
    seen: dict[bytes, Frame] = talk.kept("H09", dict)
    if frame.trip is None or frame.trip.said("last-event-id") is not None:
        return
    first = seen.setdefault(frame.raw, frame)
    if first.trip is not frame.trip:
        yield Found("the same request came on another stream before", "", (first.seq, frame.seq))
