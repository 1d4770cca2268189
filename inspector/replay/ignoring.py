"""What may differ between then and now without being a difference: times, ids, and whatever a person names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.base.errors import fail
from inspector.base.jsondiff import Change, Inside, diff
from inspector.base.jsonptr import tokens
from inspector.base.jsontext import Spelled
from inspector.base.patterns import pattern
from inspector.base.secrets import MASK

_NAMES = frozenset({
    "_meta", "nextCursor", "requestState", "taskId", "sessionId", "resultType", "ttl", "ttlMs", "cacheScope",
    "createdAt", "lastUpdatedAt", "lastModified",
})  # fmt: skip
"""Members that a server makes anew each time, or that only one version of the protocol has."""
TIMELY = pattern(
    r"^(?i:pid|age|now|uptime|elapsed|took|duration|latency|time|date|timestamp|mtime|atime|ctime)$"
    r"|(?i:_at|_ms|_seconds|_time|_date|timestamp)$|(?<=[a-z])(?:At|Ms|Time|Date)$"
)
_ID = pattern(r"^(?i:id)$|(?i:_id)$|(?<=[a-z])I[dD]$")
VOLATILE = pattern(
    r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? (?:\d\d? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]{0,6} ?\d{0,2} (?:\d{4} )?\d\d:\d\d:\d\d(?: ?(?:GMT|UTC)?(?:[+-]\d{4})?)?(?: \([^)]{1,40}\))?(?: \d{4})?"
    r"|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b|\b1[0-9]{9}(?:\.\d{1,9}|\d{3})?\b"
    r"|\b\d{1,9}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|s|sec|seconds?|minutes?)\b"
)
_LONGEST_TEXT = 1 << 20


@dataclass(frozen=True, slots=True)
class Ignoring:
    """`pointers` are JSON Pointers into a message (`/result/content/0/text`), in which `*` stands for any one step and
    `**` for any number; `texts` are patterns, and what they match is the same on both sides. `exact` leaves out what
    is passed over by itself."""

    pointers: tuple[tuple[str, ...], ...] = ()
    texts: tuple[re.Pattern[str], ...] = ()
    exact: bool = False

    def differences(self, recorded: Any, live: Any) -> list[Change]:
        """What differs and counts."""
        return [change for change in diff(recorded, live) if not self._passes(change)]

    def between_answers(self, recorded: Any, live: Any, params: Any) -> list[Change]:
        """The same for two answers to a request; ids that are numbers, and that the request did not name, were minted
        by the server."""
        found = self.differences(recorded, live)
        return found if self.exact else [change for change in found if not _is_minted(change, params)]

    def _passes(self, change: Change) -> bool:
        if change.op == "spelling":
            return True
        steps = [str(step) for step in change.path if not isinstance(step, Inside)]
        if any(_matches(pointer, steps) for pointer in self.pointers):
            return True
        if not self.exact and not _NAMES.isdisjoint(steps):
            return True
        if change.op != "replace":
            return False
        if change.old == MASK and _is_number(change.new):
            # What a recorder masks in JSON becomes a text, whatever it was.
            return True
        if isinstance(change.old, str) and isinstance(change.new, str):
            return _fits(change.old, change.new) or self._same_text(change.old, change.new)
        timely = bool(steps) and TIMELY.search(steps[-1]) is not None
        return not self.exact and timely and _is_number(change.old) and _is_number(change.new)

    def _same_text(self, old: str, new: str) -> bool:
        if max(len(old), len(new)) > _LONGEST_TEXT:
            return False
        # What a person names comes last: it may take a time or an id apart, so that nobody knows it any more.
        for each in (*(() if self.exact else (VOLATILE,)), *self.texts):
            old, new = each.sub("…", old), each.sub("…", new)
        return old == new


def ignoring(pointers: Sequence[str], texts: Sequence[str], *, exact: bool = False) -> Ignoring:
    """Rules from what was typed. Raises Failed (config) for what is no pointer or no pattern."""
    paths = []
    for pointer in pointers:
        if not pointer.startswith("/"):
            raise fail("config", f"{pointer!r} is no JSON Pointer", "as in /result/content/*/text")
        paths.append(tuple(tokens(pointer)))
    compiled = []
    for text in texts:
        try:
            compiled.append(re.compile(text))
        except re.error as error:
            raise fail("config", f"{text!r} is no pattern: {error}", "see Python's re") from error
    return Ignoring(tuple(paths), tuple(compiled), exact)


def rules_of(text: str, *, exact: bool = False) -> Ignoring:
    """Rules that are written a rule a line: what begins with `/` is a pointer, all else a pattern. Raises Failed
    (config)."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return ignoring(
        [line for line in lines if line.startswith("/")],
        [line for line in lines if not line.startswith("/")],
        exact=exact,
    )


def _matches(pointer: tuple[str, ...], steps: Sequence[str]) -> bool:
    """A pointer stands for all that is below it, too."""
    if not pointer:
        return True
    if pointer[0] == "**":
        return any(_matches(pointer[1:], steps[at:]) for at in range(len(steps) + 1))
    return bool(steps) and pointer[0] in ("*", steps[0]) and _matches(pointer[1:], steps[1:])


def _fits(recorded: str, live: str) -> bool:
    """Whether a text may be the one that was masked: where the mask stands, nobody knows what was there."""
    first, *rest = recorded.split(MASK)
    if not rest or not live.startswith(first) or not live.endswith(rest[-1]):
        return False
    at = len(first)
    for part in rest[:-1]:
        found = live.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(live) - len(rest[-1]) >= at


def _is_minted(change: Change, params: Any) -> bool:
    """Whether it is another number in a place for an id, and not one that was asked for."""
    name = change.path[-1] if change.path else None
    if change.op != "replace" or not isinstance(name, str) or _ID.search(name) is None:
        return False
    if not (_is_number(change.old) and _is_number(change.new)):
        return False
    waiting = [params]
    while waiting:
        part = waiting.pop()
        if _is_number(part) and part == change.old:
            return False
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Spelled) and not isinstance(value, bool)
