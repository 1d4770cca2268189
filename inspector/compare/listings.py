"""Two lists of what a server offers, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.base.jsondiff import Change, Step, diff
from inspector.base.jsonptr import escape
from inspector.compare.breaking import SETS, is_breaking
from inspector.protocol.listing import LISTS, ListKind

Lists = Mapping[ListKind, Sequence[Any]]
"""The entries of each kind that was listed; a kind that was not is left out."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What came or went; foreign."""

    server: str
    kind: ListKind
    name: str


@dataclass(frozen=True, slots=True)
class Changed:
    """One change in an entry that both have. `pointer` goes into the entry."""

    server: str
    kind: ListKind
    name: str
    pointer: str
    old: Any
    new: Any
    breaking: bool


@dataclass(slots=True)
class Comparison:
    """`notes` say what could not be compared."""

    added: list[Entry] = field(default_factory=list)
    removed: list[Entry] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @property
    def breaks(self) -> bool:
        return bool(self.removed) or any(change.breaking for change in self.changed)


def compare(server: str, old: Lists, new: Lists) -> Comparison:
    """Entries are the same by what identifies them (name, uri, uriTemplate), whatever their order. Of several with one
    name the first counts; an entry without one is compared by its place."""
    found = Comparison()
    for kind in LISTS:
        if kind not in old and kind not in new:
            continue
        if kind not in old or kind not in new:
            if old.get(kind) or new.get(kind):
                side = "before" if kind not in old else "now"
                found.notes.append(f"{server}: {kind} were not listed {side}")
            continue
        before, after = named(kind, old[kind]), named(kind, new[kind])
        found.removed += [Entry(server, kind, name) for name in before if name not in after]
        found.added += [Entry(server, kind, name) for name in after if name not in before]
        for name, entry in before.items():
            if name in after:
                found.changed += changes(server, kind, name, entry, after[name])
    return found


def named(kind: ListKind, entries: Sequence[Any]) -> dict[str, Any]:
    """Entries by what identifies them, in their order: of several with one name the first, and by its place what has
    none."""
    named: dict[str, Any] = {}
    for place, entry in enumerate(entries):
        name = entry.get(LISTS[kind].key) if isinstance(entry, dict) else None
        named.setdefault(name if isinstance(name, str) else f"entry {place}", entry)
    return named


def changes(server: str, kind: ListKind, name: str, old: Any, new: Any) -> list[Changed]:
    """What is different between two entries of one name."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return [
            Changed(server, kind, name, change.pointer, change.old, change.new, True)
            for change in diff(old, new)
        ]
    found = []
    for change in _settled(diff(old, new), old, new):
        breaking = is_breaking(change, old, new)
        found.append(Changed(server, kind, name, change.pointer, change.old, change.new, breaking))
    return found


def _settled(changes: Sequence[Change], old: Any, new: Any) -> list[Change]:
    """Changes within a list that has no order are one, of the whole list, and none where only the order differs."""
    settled: dict[str, Change] = {}
    for change in changes:
        place = _set_in(change.path)
        if place is None:
            settled[f"{change.op} {change.pointer}"] = change
            continue
        before, after = _at(old, place), _at(new, place)
        pointer = "".join(f"/{escape(str(step))}" for step in place)
        if before is None or after is None or sorted(map(repr, before)) != sorted(map(repr, after)):
            settled[f"set {pointer}"] = Change(place, "replace", before, after)
    return list(settled.values())


def _set_in(path: Sequence[Step]) -> tuple[Step, ...] | None:
    """The path of the list without order that a change lies in."""
    if len(path) >= 3 and path[-2] in SETS and isinstance(path[-1], int) and path[-3] != "properties":
        return tuple(path[:-1])
    return None


def _at(value: Any, path: Sequence[Step]) -> list[Any] | None:
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value if isinstance(value, list) else None
