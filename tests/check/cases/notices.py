"""Cases for the rules of `inspector.check.notices`."""

from __future__ import annotations

from check.conversation import PREFIX, Case, answers, asks, meta, new, old, tells, wants
from check.samples import ACK, DONE, LISTEN, MODERN_PING, OF_3, call, progress

from inspector.check.rules import V24

CASES: dict[str, Case] = {
    "N01": (call(progress(2), progress(2), answers(DONE)), call(progress(1), progress(2), answers(DONE))),
    "N02": (call(answers(DONE), progress(1)), call(progress(1), answers(DONE))),
    "N03": (call(progress(5, total=3), answers(DONE)), call(progress(3, total=3), answers(DONE))),
    "N04": (
        old(
            asks("tools/call", {"name": "t", "_meta": {"progressToken": 1}}),
            asks("tools/call", {"name": "t", "_meta": {"progressToken": 1}}, 8),
        ),
        old(
            asks("tools/call", {"name": "t", "_meta": {"progressToken": 1}}),
            answers(DONE),
            asks("tools/call", {"name": "t", "_meta": {"progressToken": 1}}, 8),
        ),
    ),
    "N05": (
        old(
            asks("logging/setLevel", {"level": "error"}),
            answers({}),
            tells("message", {"level": "info", "data": 1}),
        ),
        old(
            asks("logging/setLevel", {"level": "info"}),
            answers({}),
            tells("message", {"level": "error", "data": 1}),
        ),
    ),
    "N06": (
        old(tells("message", {"level": "loud", "data": 1})),
        old(tells("message", {"level": "info", "data": None})),
    ),
    "N14": (
        old(tells("message", {"level": "info", "data": {"a": 1}}), version=V24),
        old(tells("message", {"level": "info", "data": "a"}), version=V24),
    ),
    "N07": (
        new(MODERN_PING, tells("message", {"level": "info", "data": 1})),
        new(
            asks("tools/list", {"_meta": meta(**{f"{PREFIX}logLevel": "info"})}),
            tells("message", {"level": "info", "data": 1}),
        ),
    ),
    "N08": (
        old(tells("cancelled", {"requestId": 99})),
        old(wants("ping"), tells("cancelled", {"requestId": 1})),
    ),
    "N09": (
        new(LISTEN, tells("tools/list_changed", OF_3)),
        new(LISTEN, ACK, tells("tools/list_changed", OF_3)),
    ),
    "N10": (
        new(LISTEN, ACK, tells("tools/list_changed")),
        new(LISTEN, ACK, tells("tools/list_changed", OF_3)),
    ),
    "N11": (
        new(LISTEN, ACK, tells("prompts/list_changed", OF_3)),
        new(LISTEN, ACK, tells("tools/list_changed", OF_3)),
    ),
    "N12": (new(tells("tools/list_changed")), new(LISTEN, ACK, tells("tools/list_changed", OF_3))),
}
