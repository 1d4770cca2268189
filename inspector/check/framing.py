"""Of single messages: JSON, JSON-RPC, and what a line of stdout is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from inspector.base.text import clip, decode, quoted
from inspector.check.names import NOTIFICATIONS, REMOVED, REQUESTS
from inspector.check.rules import ALL, LEGACY, MODERN, V07, Check, Findings, Found, Sight, also, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol import jsonrpc, methods
from inspector.protocol.listing import json_type
from inspector.protocol.methods import is_notification
from inspector.traffic.exchanges import Exchange
from inspector.traffic.lines import ID_TYPE, REUSED_ID

_MESSAGES = "basic#messages"
_RESPONSES = "basic#responses"
_STDIO = "basic/transports/stdio"
_LARGE = 1 << 18
_RACE = 1.0
"""Seconds within which an answer and a cancellation may pass each other."""
_PATIENCE = 60.0
WITHOUT_END = ("subscriptions/listen", "tasks/result")


def both_sides(id_: str, *kinds: str, on: Sight = "sent") -> Callable[[Check], Check]:
    """The rule binds clients as well: what it finds in a message of theirs says so. `kinds` are those that it is shown;
    none means all."""

    def register(check: Check) -> Check:
        @also(id_, on=on)
        def of_client(frame: Frame, talk: Talk) -> Findings:
            if talk.ours or (kinds and frame.message.kind not in kinds):
                return ()
            found = list(check(frame, talk) or ())
            return (found and not _of_a_login(frame) and map(_renamed, found)) or ()

        return check

    return register


def _renamed(found: Found | str) -> Found:
    found = Found(found) if isinstance(found, str) else found
    return replace(found, message=f"from the client: {found.message}")


def _of_a_login(frame: Frame) -> bool:
    """Whether what was posted is none of MCP: a form, or an object without any member of a message."""
    if frame.trip is None:
        return False
    media = (frame.trip.said("content-type") or "").partition(";")[0].strip().lower()
    value = frame.message.value
    return media == "application/x-www-form-urlencoded" or (
        isinstance(value, dict) and not value.keys() & {"jsonrpc", "method", "id", "result", "error"}
    )


def _begins(raw: bytes) -> bool:
    """Whether a line is meant to be JSON."""
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


@both_sides("J01", on="odd sent")
@rule("J01", "error", ALL, _MESSAGES, on="odd")
def notjson_text(frame: Frame, talk: Talk) -> Findings:
    """Text that is not JSON stands where a message is due."""
    problem = frame.message.problem or ""
    if (
        not frame.message.readable
        and problem.startswith(("not JSON", "JSON "))
        and (talk.http or _begins(frame.raw))
    ):
        yield f"the message is {problem}"


@both_sides("J02", on="odd sent")
@rule("J02", "error", ALL, "basic/transports", on="odd")
def not_utf8(frame: Frame, talk: Talk) -> Findings:
    """A message has bytes that are not UTF-8."""
    if frame.message.problem == "not UTF-8" and (talk.http or _begins(frame.raw)):
        yield "the message has bytes that are not UTF-8"


@both_sides("J03", on="odd sent")
@rule("J03", "error", ALL, _MESSAGES, on="odd")
def other_version(frame: Frame, talk: Talk) -> Findings:
    """`jsonrpc` is missing or is not "2.0"."""
    message = frame.message
    if message.readable and isinstance(message.value, dict) and message.value.get("jsonrpc") != "2.0":
        said = message.value.get("jsonrpc")
        yield Found(
            'there is no "jsonrpc"' if said is None else f'"jsonrpc" is {quoted(said, 40)} and not "2.0"',
            "/jsonrpc",
        )


@both_sides("J04", on="odd sent")
@rule("J04", "error", ALL, _MESSAGES, on="odd")
def no_message(frame: Frame, talk: Talk) -> Findings:
    """A message is neither an object nor a list of them."""
    message = frame.message
    if message.kind != "invalid" or not message.readable or message.value is None:
        return
    if isinstance(message.value, dict):
        yield "the object is neither a request nor a notification nor an answer"
    elif talk.http or _begins(frame.raw):
        yield f"the message is {json_type(message.value)}"


@both_sides("J09", on="odd sent")
@rule("J09", "error", ALL, _RESPONSES, on="odd")
def both_or_neither(frame: Frame, talk: Talk) -> Findings:
    """An answer has both `result` and `error`, or neither."""
    if frame.message.problem in (jsonrpc.BOTH, jsonrpc.NEITHER):
        yield f"it is {frame.message.problem}"


@both_sides("J10")
@rule("J10", "error", ALL, _RESPONSES, on="frame")
def unknown_id(frame: Frame, talk: Talk) -> Findings:
    """The id of an answer is unknown, answered already, or of another type."""
    message = frame.message
    if not message.is_answer or message.id is None or talk.version is None:
        return
    if frame.state == "duplicate":
        yield Found("the request was answered before", "/id")
    elif frame.state == "unknown":
        yield Found("no request has this id", "/id")
    elif frame.flags & ID_TYPE:
        yield Found(f"the id comes back as {json_type(message.id)}, which it was not", "/id")


@both_sides("J11", "request", on="odd sent")
@rule("J11", "error", ALL, "basic#requests", on="odd")
def bad_id(frame: Frame, talk: Talk) -> Findings:
    """The id of a request is neither a string nor an integer."""
    if frame.message.kind == "request" and not jsonrpc.is_id(frame.message.id):
        yield Found(f"the id of the request is {json_text(frame.message.id)}", "/id")


@both_sides("J12")
@rule("J12", "error", ALL, _RESPONSES, on="frame")
def no_id(frame: Frame, talk: Talk) -> Findings:
    """A successful answer has no id."""
    if frame.message.kind == "response" and frame.message.id is None:
        yield Found("a successful answer without an id: nobody can tell what it answers", "/id")


@rule("J13", "error", ALL, _RESPONSES, on="error")
def error_without_id(frame: Frame, talk: Talk) -> Findings:
    """An error has no id, though the request could be read."""
    if frame.message.problem != jsonrpc.NO_ID:
        return
    posted = frame.trip.posted if frame.trip is not None else []
    if frame.trip is None and not talk.malformed:
        yield Found(
            "an error without the id of a request, though every message to the server was well-formed", "/id"
        )
    elif posted and all(each.message.kind == "request" and each.message.problem is None for each in posted):
        refused = (frame.trip.exchange.status or 0) >= 400 if frame.trip is not None else False
        yield Found("the error does not have the id of the request that was posted", "/id",
                    (posted[0].seq, frame.seq), "info" if refused else None)  # fmt: skip


@both_sides("J14", "request")
@rule("J14", "error", LEGACY, "basic#requests", on="request")
def reused_id(frame: Frame, talk: Talk) -> Findings:
    """An id is used for a second request."""
    earlier: dict[tuple[bool, str], Exchange | None] = talk.kept("J14", dict)
    if frame.method == "initialize":
        earlier.clear()  # a session begins
    key = frame.sent, json_text(frame.message.id)
    known, first = key in earlier, earlier.get(key)
    earlier[key] = frame.trip.exchange if frame.trip is not None else None
    # What never arrived, or was refused for want of a login, is sent once more as it was.
    again = first is not None and first.outcome is not None and (first.status or 400) >= 400
    if frame.flags & REUSED_ID and known and talk.handshakes < 2 and not again:
        yield Found("an earlier request of this session had the same id", "/id")


@both_sides("J15")
@rule("J15", "error", ALL, "basic#notifications", on="frame")
def wrong_kind(frame: Frame, talk: Talk) -> Findings:
    """A notification has an id, or a request has none."""
    message = frame.message
    if message.kind == "request" and is_notification(message.method or ""):
        yield Found(f"{message.method} is a notification and has an id", "/id")
    elif message.kind == "notification" and message.method in (methods.REQUESTS if frame.sent else REQUESTS):
        yield Found(f"{message.method} is a request and has no id", "/method")


@rule("J16", "error", ALL, "basic#notifications", on="frame")
def answered_notification(frame: Frame, talk: Talk) -> Findings:
    """A notification is answered."""
    if not frame.message.is_answer or frame.trip is None or (frame.trip.exchange.status or 0) >= 400:
        return
    posted = frame.trip.posted
    if posted and all(each.message.kind == "notification" for each in posted):
        yield Found("a notification was posted, and an answer came", "", (posted[0].seq, frame.seq))


@both_sides("J17", "error")
@rule("J17", "error", ALL, "basic#error-responses", on="error")
def bad_error(frame: Frame, talk: Talk) -> Findings:
    """An error has no integer `code` or no text in `message`."""
    error = members(frame.message.value).get("error")
    if not isinstance(error, dict):
        if error is not None:
            yield Found(f"error is {json_type(error)}", "/error")
        return
    if type(error.get("code")) is not int:
        yield Found(f"the code of the error is {json_text(error.get('code'))}, no integer", "/error/code")
    if not isinstance(error.get("message"), str):
        yield Found("the error has no message", "/error/message")


@both_sides("J18")
@rule("J18", "error", ALL, _MESSAGES, on="frame")
def no_object(frame: Frame, talk: Talk) -> Findings:
    """`params` or `result` is no object."""
    value = members(frame.message.value) if frame.message.readable else {}
    for name in ("params", "result"):
        if name in value and not isinstance(value[name], dict):
            yield Found(f"{name} is {json_type(value[name])} and no object", f"/{name}")


@rule("J19", "error", MODERN, "basic#error-codes", on="error")
def reserved_code(frame: Frame, talk: Talk) -> Findings:
    """An error code is of the range that the protocol keeps for itself."""
    code = frame.error.get("code")
    known = (
        jsonrpc.HEADER_MISMATCH,
        jsonrpc.MISSING_CAPABILITY,
        jsonrpc.UNSUPPORTED_VERSION,
        jsonrpc.LINKS_FIRST,
    )
    if type(code) is int and -32099 <= code <= -32020 and code not in known:
        yield Found(f"the code {code} is reserved and has no meaning", "/error/code")


@rule("J20", "warning", MODERN, "basic#error-codes", on="error")
def legacy_code(frame: Frame, talk: Talk) -> Findings:
    """An error code is of the range that new code leaves alone."""
    code = frame.error.get("code")
    if frame.request is None or frame.method == "server/discover":
        return  # what refuses that may well speak an older version
    if type(code) is int and -32019 <= code <= -32000 and code != -32002:
        yield Found(f"the code {code} has no meaning that a client could know", "/error/code")


@rule("J21", "error", MODERN, "basic#error-codes", on="error")
def removed_code(frame: Frame, talk: Talk) -> Findings:
    """An error code is one that 2026-07-28 took away."""
    if (code := frame.error.get("code")) in (-32002, jsonrpc.LINKS_FIRST):
        yield Found(f"the code {code} is no longer sent", "/error/code")


@rule("J23", "info", ALL, on="frame")
def unknown_method(frame: Frame, talk: Talk) -> Findings:
    """The server sends a method that this version does not have."""
    message = frame.message
    if message.kind not in ("request", "notification") or message.method is None or frame.version is None:
        return
    known = {**REQUESTS, **NOTIFICATIONS}.get(message.method, ())
    if frame.version not in known and frame.version in ALL:
        yield Found(f"{clip(message.method, 80)} is no method of a server in {frame.version}", "/method")


@rule("J24", "warning", MODERN, "changelog", on="result", of=REMOVED)
def removed_method(frame: Frame, talk: Talk) -> Findings:
    """The server serves a method that 2026-07-28 took away."""
    yield Found(f"{frame.method} was answered; 2026-07-28 does not have it")


_TWICE: list[str] = []
"""Names that stand twice in an object of the text that was decoded last."""


def _note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _TWICE.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
    return found


_noting = json.JSONDecoder(object_pairs_hook=_note)


@both_sides("J25")
@rule("J25", "info", ALL, on="frame")
def twice(frame: Frame, talk: Talk) -> Findings:
    """An object has two members of one name."""
    if not frame.message.readable or len(frame.raw) > _LARGE or frame.at:
        return
    _TWICE.clear()
    try:
        _noting.decode(decode(frame.raw))
    except (ValueError, RecursionError):
        return
    for name in dict.fromkeys(_TWICE[:20]):
        yield f"the member {quoted(name, 60)} stands twice in one object: readers differ in which one they take"


@rule("J26", "warning", ALL, "basic/patterns/cancellation", on="frame")
def answered_cancelled(frame: Frame, talk: Talk) -> Findings:
    """A request that was cancelled is answered all the same."""
    if frame.request is None or not frame.message.is_answer or frame.state != "late":
        return
    cancelled = talk.cancelled.get(frame.request.seq)
    if cancelled is not None and frame.time - cancelled > _RACE:
        yield Found(f"the answer came {frame.time - cancelled:.0f} s after the request was cancelled",
                    level="error" if frame.version == V07 else None)  # fmt: skip


@rule("J27", "info", ALL, on="end")
def unanswered(talk: Talk) -> Findings:
    """A request is never answered."""
    last = talk.last.time if talk.last is not None else 0.0
    for frame in talk.waiting():
        if frame.sent and frame.method not in WITHOUT_END and last - frame.time > _PATIENCE:
            told = f"{clip(frame.method or '', 60)} was not answered, and the log goes on for more than {_PATIENCE:g} s"
            yield Found(told, "", (frame.seq,))


@both_sides("S01", on="odd sent")
@rule("S01", "error", ALL, _STDIO, on="odd")
def noise(frame: Frame, talk: Talk) -> Findings:
    """A line of stdout is no message: a banner, a log line."""
    if talk.http or frame.message.kind != "invalid" or _begins(frame.raw) or not frame.raw.strip():
        return
    yield f"{'stdin' if frame.sent else 'stdout'} has a line that is no message: {clip(decode(frame.raw).strip(), 80)}"


@rule("S02", "info", ALL, _STDIO, on="frame")
def blank(frame: Frame, talk: Talk) -> Findings:
    """Stdout has a blank line, or lines that end with a carriage return."""
    if talk.http or frame.at:
        return
    if not frame.raw.strip():
        yield "stdout has a blank line"
    elif frame.raw.endswith(b"\r"):
        yield "lines of stdout end with a carriage return before the line feed"


@both_sides("S03")
@rule("S03", "error", ALL, _STDIO, on="frame")
def broken_over_lines(frame: Frame, talk: Talk) -> Findings:
    """A message goes over several lines."""
    if talk.http or frame.at:
        return
    parts: list[Frame] = talk.kept(f"S03 {frame.sent}", list)
    if frame.message.readable and frame.message.kind != "invalid":
        parts.clear()
    elif parts or _begins(frame.raw):
        parts.append(frame)
        whole = b"\n".join(part.raw for part in parts)
        if len(parts) > 1 and len(whole) <= _LARGE and jsonrpc.read(whole).problem is None:
            yield Found(f"a message is written on {len(parts)} lines; each line is a message of its own", "",
                        tuple(part.seq for part in parts))  # fmt: skip
            parts.clear()
        elif len(parts) > 200:
            parts.clear()


@rule("S04", "error", MODERN, "basic/transports/stdio", on="request")
def request_on_stdio(frame: Frame, talk: Talk) -> Findings:
    """The server sends a request."""
    if not talk.http:
        yield f"{clip(frame.message.method or '', 80)} is a request; in 2026-07-28 only clients have requests"


def json_text(value: Any) -> str:
    try:
        return clip(json.dumps(value, ensure_ascii=False), 40)
    except (ValueError, RecursionError):
        return json_type(value)
