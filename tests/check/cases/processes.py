"""Cases for the rules of `inspector.check.processes`."""

from __future__ import annotations

from check.conversation import Case, answers, asks, new, noted, old, whispered

from inspector.transports.endings import UNENDED

DIED = "exited with code 1 after 2.0 s"

CASES: dict[str, Case] = {
    "S06": (
        old(asks("tools/list"), whispered("out of memory"), noted(DIED)),
        old(asks("tools/list"), answers({"tools": []}), noted(DIED)),
    ),
    "S07": (old(noted(UNENDED)), old(noted(DIED))),
    "L17": (
        new(noted("ended by SIGTERM, 5 s after closing stdin: killed by SIGTERM after 7.1 s")),
        new(noted("ended by closing stdin: exited with code 0 after 7.1 s")),
    ),
}
