"""What the person demands besides the protocol: tools that must be there or must not, and how long calls may take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from inspector.base.text import clip, duration
from inspector.check.rules import Finding
from inspector.traffic.store import Traffic

EXPECT, FORBID, SLOW = "expect-tool", "forbid-tool", "max-duration"
ABOUT = {
    EXPECT: "a tool that was expected is not listed",
    FORBID: "a tool is listed that must not be",
    SLOW: "a request took longer than it may",
}


def tools(
    server: str, names: Sequence[str], expected: Iterable[str], forbidden: Iterable[str]
) -> Iterator[Finding]:
    """Of the tools that one server listed; patterns are those of a shell."""
    for wanted in expected:
        if not any(fnmatchcase(name, wanted) for name in names):
            yield Finding(EXPECT, "error", server, f"no tool is called {wanted}", "", [])
    for unwanted in forbidden:
        for name in names:
            if fnmatchcase(name, unwanted):
                yield Finding(FORBID, "error", server, f"there is a tool {clip(name, 80)}", "", [])


def slow(traffic: Traffic, most: float) -> Iterator[Finding]:
    """The requests that were answered later than after `most` seconds, or not at all while the log went on so long."""
    last = traffic.columns.time[-1] if len(traffic) else 0.0
    for number in range(traffic.first, traffic.described):
        at = number - traffic.first
        if traffic.columns.kind[at] or traffic.columns.channel[at]:
            continue  # neither request nor sent by the client
        row = traffic.row(number)
        took = row.took if row.peer is not None else last - row.time
        if took is not None and took > most and row.method != "subscriptions/listen":
            said = (
                f"took {duration(took)}"
                if row.peer is not None
                else f"was not answered within {duration(took)}"
            )
            name = " ".join(filter(None, (row.method, row.target)))
            frames = [number] if row.peer is None else [number, row.peer]
            yield Finding(SLOW, "error", row.server, f"{clip(name, 80)} {said}", "", frames)
