"""Progress, log messages, cancellations, subscriptions and changes that servers tell of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from inspector.base.text import clip, quoted
from inspector.check.rules import ALL, LEGACY, MODERN, V24, Findings, Found, rule
from inspector.check.talk import Frame, Talk, members
from inspector.protocol.jsonrpc import is_id
from inspector.protocol.revisions import PREFIX

_PROGRESS, _LOG = "notifications/progress", "notifications/message"
_PROGRESS_PAGE, _LOG_PAGE = "basic/patterns/progress#behavior-requirements", "server/utilities/logging"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_SUBSCRIPTION = f"{PREFIX}subscriptionId"
_LOOKED_AT = 100
_CHANGES: Mapping[str, str] = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
    "notifications/tasks": "taskIds",
}


def _number(value: Any) -> float | None:
    return (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
        else None
    )


@rule("N01", "error", ALL, _PROGRESS_PAGE, on="notification", of=_PROGRESS)
def falling(frame: Frame, talk: Talk) -> Findings:
    """Progress does not rise."""
    token, value = frame.params.get("progressToken"), _number(frame.params.get("progress"))
    if value is None:
        yield Found("progress is no number", "/params/progress")
        return
    if frame.request is None or not is_id(token):
        return
    latest: dict[tuple[int, str], float] = talk.kept("N01", dict)
    key = frame.request.seq, repr(token)
    if key in latest and value <= latest[key]:
        yield Found(f"progress is {value:g} after {latest[key]:g}", "/params/progress")
    latest[key] = value


@rule("N02", "error", ALL, _PROGRESS_PAGE, on="notification", of=_PROGRESS)
def stray_progress(frame: Frame, talk: Talk) -> Findings:
    """Progress is told for a token that nobody gave, or after the end."""
    if frame.state == "unknown" and talk.version is not None:
        yield Found("no request gave this progressToken", "/params/progressToken")
    elif frame.state == "late" and frame.request is not None and frame.request.seq not in talk.tasks_of:
        yield "progress came after the request was answered"


@rule("N03", "info", ALL, _PROGRESS_PAGE, on="notification", of=_PROGRESS)
def odd_total(frame: Frame, talk: Talk) -> Findings:
    """Progress goes beyond its total, or the total changes."""
    value, total = _number(frame.params.get("progress")), _number(frame.params.get("total"))
    if total is None or frame.request is None:
        return
    if value is not None and value > total:
        yield Found(f"progress is {value:g} of {total:g}", "/params/progress")
    before: dict[int, float] = talk.kept("N03", dict)
    if before.setdefault(frame.request.seq, total) != total:
        yield Found(f"the total is {total:g} after {before[frame.request.seq]:g}", "/params/total")


@rule("N04", "error", ALL, _PROGRESS_PAGE, on="sent")
def shared_token(frame: Frame, talk: Talk) -> Findings:
    """The client gives one progress token to two requests at once."""
    token = frame.meta.get("progressToken")
    if frame.message.kind != "request" or not is_id(token):
        return
    latest: dict[Any, Frame] = talk.kept("N04", dict)
    other = latest.get(token)
    if other is not None and not other.answered:
        told = "the client uses a progressToken that an unanswered request has"
        yield Found(told, "/params/_meta/progressToken", (other.seq, frame.seq))
    latest[token] = frame


@rule("N05", "warning", LEGACY, f"{_LOG_PAGE}#setting-log-level", on="notification", of=_LOG)
def too_chatty(frame: Frame, talk: Talk) -> Findings:
    """A log message is below the level that was set."""
    level, least = frame.params.get("level"), talk.log_level
    if level in LEVELS and least in LEVELS and LEVELS.index(level) < LEVELS.index(least):
        yield Found(f"a message of level {level} came, and {least} was set", "/params/level")


@rule("N06", "error", ALL, f"{_LOG_PAGE}#log-message-notifications", on="notification", of=_LOG)
def bad_log(frame: Frame, talk: Talk) -> Findings:
    """A log message is not declared, or has no known level or no data."""
    if not talk.declares("logging"):
        yield "a log message came, but logging is not declared"
    if (level := frame.params.get("level")) not in LEVELS:
        yield Found(f"the level is {quoted(level, 40)}", "/params/level")
    if "data" not in frame.params:
        yield Found("the log message has no data", "/params/data")


@rule("N14", "info", (V24,), f"{_LOG_PAGE}#log-message-notifications", on="notification", of=_LOG)
def structured_log(frame: Frame, talk: Talk) -> Findings:
    """The data of a log message is no text: any JSON is allowed, and some clients of this version read text only."""
    if "data" in frame.params and not isinstance(frame.params["data"], str):
        yield Found("the data of the log message is no text", "/params/data")


@rule("N07", "error", MODERN, f"{_LOG_PAGE}#log-message-notifications", on="notification", of=_LOG)
def unasked_log(frame: Frame, talk: Talk) -> Findings:
    """A log message came that no request asked for."""
    carried = (
        [posted for posted in frame.trip.posted if posted.message.kind == "request"]
        if frame.trip is not None
        else []
    )
    asking = carried or [other for other in islice(talk.waiting(), _LOOKED_AT) if other.sent]
    if not any(f"{PREFIX}logLevel" in other.meta for other in asking):
        yield "no request that is under way asked for log messages"


@rule(
    "N08",
    "info",
    ALL,
    "basic/patterns/cancellation#behavior-requirements",
    on="notification",
    of="notifications/cancelled",
)
def stray_cancel(frame: Frame, talk: Talk) -> Findings:
    """A request is cancelled that there is not."""
    if frame.state in ("unknown", "late") and frame.version not in MODERN:
        yield Found("the request is unknown or was answered", "/params/requestId")


@rule("S05", "error", MODERN, "basic/transports/stdio", on="notification", of="notifications/cancelled")
def foreign_cancel(frame: Frame, talk: Talk) -> Findings:
    """The server cancels something else than a subscription."""
    if not any(_key(listen.message.id) == _key(frame.params.get("requestId")) for listen in talk.listens):
        yield Found("what is cancelled is no subscriptions/listen", "/params/requestId")


def _key(value: Any) -> str:
    return json.dumps(value) if is_id(value) else ""


def _subscription(frame: Frame, talk: Talk) -> Frame | None:
    """The listen request that a notification names."""
    named = _key(frame.meta.get(_SUBSCRIPTION))
    return next(
        (listen for listen in reversed(talk.listens) if named and _key(listen.message.id) == named), None
    )


@rule(
    "N10",
    "error",
    MODERN,
    "basic/patterns/subscriptions",
    on="notification",
    of=(*_CHANGES, "notifications/subscriptions/acknowledged"),
)
def nameless(frame: Frame, talk: Talk) -> Findings:
    """A notification of a subscription does not say which one it is of."""
    if _subscription(frame, talk) is None and talk.listens:
        named = frame.meta.get(_SUBSCRIPTION)
        said = (
            "has no subscriptionId"
            if named is None
            else f"names {quoted(named, 40)}, which is no subscription"
        )
        yield Found(f"{frame.message.method} {said}", "/params/_meta")


@rule("N11", "error", MODERN, "basic/patterns/subscriptions", on="notification", of=tuple(_CHANGES))
def unasked_change(frame: Frame, talk: Talk) -> Findings:
    """A subscription tells of what was not asked for."""
    listen = _subscription(frame, talk)
    wanted = _CHANGES[frame.message.method or ""]
    if listen is not None and not members(listen.params.get("notifications")).get(wanted):
        yield f"{frame.message.method} came, and {wanted} was not asked for"


@rule("N12", "error", MODERN, "basic/patterns/subscriptions", on="notification", of=tuple(_CHANGES))
def change_outside(frame: Frame, talk: Talk) -> Findings:
    """A change is told outside of any subscription."""
    if not talk.listens:
        yield f"{frame.message.method} came, and nothing listens"


@rule(
    "N09",
    "error",
    MODERN,
    "basic/patterns/subscriptions",
    on="notification",
    of=(*_CHANGES, "notifications/subscriptions/acknowledged"),
)
def no_acknowledgement(frame: Frame, talk: Talk) -> Findings:
    """The first message of a subscription is not its acknowledgement, or grants more than was asked."""
    listen = _subscription(frame, talk)
    if listen is None:
        return
    acknowledged: set[int] = talk.kept("N09", set)
    if frame.message.method == "notifications/subscriptions/acknowledged":
        acknowledged.add(listen.seq)
        granted, asked = (
            members(frame.params.get("notifications")),
            members(listen.params.get("notifications")),
        )
        for name, value in granted.items():
            if value and not asked.get(name):
                yield Found(
                    f"{clip(name, 60)} is granted and was not asked for", f"/params/notifications/{name}"
                )
    elif listen.seq not in acknowledged:
        yield "a change is told before the subscription was acknowledged"
        acknowledged.add(listen.seq)


@rule(
    "R06",
    "warning",
    ALL,
    "server/resources#subscriptions",
    on="notification",
    of="notifications/resources/updated",
)
def unasked_update(frame: Frame, talk: Talk) -> Findings:
    """A resource is told to have changed that nobody subscribed to."""
    uri = frame.params.get("uri")
    if not isinstance(uri, str):
        yield Found("the notification has no uri", "/params/uri")
        return
    wanted = set(talk.subscribed)
    for listen in talk.listens:
        asked = members(listen.params.get("notifications")).get("resourceSubscriptions")
        wanted.update(each for each in asked if isinstance(each, str)) if isinstance(asked, list) else None
    if not any(uri.startswith(each.rstrip("/")) for each in wanted):
        yield Found(f"nobody subscribed to {clip(uri, 80)}", "/params/uri")
