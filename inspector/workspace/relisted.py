"""Lists that were read again: what came, went and changed in them, over all sessions of a server."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inspector.base.text import counted
from inspector.protocol.listing import LISTS, ListKind

if TYPE_CHECKING:
    from inspector.compare.listings import Comparison
    from inspector.session.listings import Listing

_KEPT = 8
"""Changes of which both lists are held."""
_NAMED = 4


@dataclass(frozen=True, slots=True)
class Relisted:
    """`before` and `after` are the entries of a list; `at` is seconds since the epoch. Names in `found` are foreign."""

    kind: ListKind
    before: Sequence[Any]
    after: Sequence[Any]
    found: Comparison
    at: float = field(default_factory=time.time)

    def __str__(self) -> str:
        """`tools: + new; − old; ~ other (description, inputSchema)`; foreign."""
        changed: dict[str, dict[str, None]] = {}
        for change in self.found.changed:
            changed.setdefault(change.name, {})[
                change.pointer.split("/")[1] if change.pointer else "all of it"
            ] = None
        told = [
            *_some("+", [entry.name for entry in self.found.added]),
            *_some("−", [entry.name for entry in self.found.removed]),
            *_some("~", [f"{name} ({', '.join(members)})" for name, members in changed.items()]),
        ]
        return f"{self.kind}: {'; '.join(told)}"


class ListChanges:
    """`changes` are the latest, oldest first; `count` is how many there ever were."""

    def __init__(self) -> None:
        self.changes: deque[Relisted] = deque(maxlen=_KEPT)
        self.count = 0
        self._held: dict[ListKind, Sequence[Any]] = {}

    def took(self, kind: ListKind, listing: Listing) -> None:
        """A list was read. One that could not be read is no change."""
        if listing.failure is not None:
            return
        before, after = self._held.get(kind), listing.entries
        self._held[kind] = after
        if before is None or before == after:
            return
        from inspector.compare.listings import compare

        found = compare("", {kind: _others(kind, before, after)}, {kind: _others(kind, after, before)})
        if found.differs:
            self.changes.append(Relisted(kind, before, after, found))
            self.count += 1


def _others(kind: ListKind, entries: Sequence[Any], among: Sequence[Any]) -> Sequence[Any]:
    """The entries that are not the same in the other list: to compare thousands that are takes long. All of them where
    one has no name, since that is told by its place."""
    mine, theirs = (_by_name(kind, each) for each in (entries, among))
    if mine is None or theirs is None:
        return entries
    return [entry for name, entry in mine.items() if theirs.get(name) != entry]


def _by_name(kind: ListKind, entries: Sequence[Any]) -> dict[str, Any] | None:
    """The first of each name; None where one has none."""
    key, named = LISTS[kind].key, dict[str, Any]()
    for each in entries:
        if not isinstance(each, dict) or not isinstance(each.get(key), str):
            return None
        named.setdefault(each[key], each)
    return named


def _some(sign: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    more = f" and {counted(len(names) - _NAMED, 'other')}" if len(names) > _NAMED else ""
    return [f"{sign} {', '.join(names[:_NAMED])}{more}"]
