"""URIs as a tree of what they have in common, and the entries that a filter leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from inspector.base.patterns import pattern

_HEAD = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:(?://)?")
_DEEPEST = 60
_OPEN_AT_FIRST = 300
"""Entries up to which all branches are open at first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What can be chosen: `key` is ours, `uri` and `name` are foreign text. `note` is safe and stands at the right."""

    key: str
    uri: str
    name: str = ""
    note: str = ""
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list. `text` is the part of the URI that is new on this line; `path` is all of it down to here."""

    kind: Literal["head", "branch", "entry"]
    depth: int
    text: str
    path: str
    entry: Entry | None = None
    count: int = 0
    open: bool = True
    hits: tuple[int, int] | None = None


@dataclass(slots=True)
class _Branch:
    text: str
    path: str
    count: int = 0
    inside: dict[str, _Branch] = field(default_factory=dict)
    items: list[_Branch | tuple[str, Entry]] = field(default_factory=list)


class UriTree:
    """Keeps which branches are closed while its entries change. With `flat` there are none: the entries have names
    that are no URIs."""

    def __init__(self, *, flat: bool = False) -> None:
        self._flat = flat
        self._root = _Branch("", "")
        self.entries: Sequence[Entry] = ()
        self.closed: set[str] = set()
        self._seen = False

    def plant(self, entries: Sequence[Entry]) -> None:
        """Replaces the entries; they keep the order in which they first come."""
        self.entries = entries
        if self._flat:
            return
        self._root = _Branch("", "")
        for entry in entries:
            _insert(self._root, entry)
        if entries and not self._seen:
            self._seen = True
            self.closed = set(_inner_paths(self._root)) if len(entries) > _OPEN_AT_FIRST else set()

    def rows(self) -> Iterator[Row]:
        """What is seen with the branches as they are open and closed."""
        if self._flat:
            yield from (Row("entry", 0, entry.uri, entry.uri, entry) for entry in self.entries)
        else:
            yield from _rows(self._root, 0, self.closed)

    def reveal(self, key: str) -> None:
        """Opens the branches that hide an entry."""
        entry = next((entry for entry in self.entries if entry.key == key), None)
        if entry is not None:
            self.closed = {path for path in self.closed if not entry.uri.startswith(path)}


def segments(uri: str) -> list[str]:
    """`x://a/b/c?d/e` as `x://`, `a/`, `b/`, `c?d/e`: joined they are the URI again."""
    head = _HEAD.match(uri)
    at = head.end() if head is not None else 0
    found = [uri[:at]] if at else []
    end = min((place for place in (uri.find("?", at), uri.find("#", at)) if place >= 0), default=len(uri))
    while (slash := uri.find("/", at, max(at, end))) >= 0 and slash + 1 < len(uri) and len(found) < _DEEPEST:
        found.append(uri[at : slash + 1])
        at = slash + 1
    if at < len(uri):
        found.append(uri[at:])
    return found or [""]


def _insert(root: _Branch, entry: Entry) -> None:
    branch = root
    branch.count += 1
    *path, leaf = segments(entry.uri)
    for text in path:
        inner = branch.inside.get(text)
        if inner is None:
            inner = branch.inside[text] = _Branch(text, branch.path + text)
            branch.items.append(inner)
        branch = inner
        branch.count += 1
    branch.items.append((leaf, entry))


def _joined(branch: _Branch) -> tuple[str, _Branch]:
    """A branch with all that it alone leads to."""
    text = branch.text
    while len(branch.items) == 1 and isinstance(branch.items[0], _Branch):
        branch = branch.items[0]
        text += branch.text
    return text, branch


def _rows(parent: _Branch, depth: int, closed: Set[str]) -> Iterator[Row]:
    for item in parent.items:
        if isinstance(item, tuple):
            text, entry = item
            yield Row("entry", depth, text, entry.uri, entry)
            continue
        text, branch = _joined(item)
        if len(branch.items) == 1 and isinstance(only := branch.items[0], tuple):
            yield Row("entry", depth, text + only[0], only[1].uri, only[1])
            continue
        is_open = branch.path not in closed
        yield Row("branch", depth, text, branch.path, count=branch.count, open=is_open)
        if is_open:
            yield from _rows(branch, depth + 1, closed)


def _inner_paths(root: _Branch) -> Iterator[str]:
    """The branches below the first level."""
    for item in root.items:
        if isinstance(item, _Branch):
            _, top = _joined(item)
            yield from _paths_below(top)


def _paths_below(branch: _Branch) -> Iterator[str]:
    for item in branch.items:
        if isinstance(item, _Branch):
            _, inner = _joined(item)
            yield inner.path
            yield from _paths_below(inner)


def matching(entries: Sequence[Entry], query: str) -> list[Row]:
    """The entries whose URI and name hold every word of the query, or its letters in their order; the best first."""
    words = query.casefold().split()
    letters = "".join(words)
    found: list[tuple[int, int, Row]] = []
    for number, entry in enumerate(entries):
        uri = entry.uri.casefold()
        text = f"{uri} {entry.name.casefold()}"
        if all(word in text for word in words):
            at = uri.find(words[0])
            hits = (at, at + len(words[0])) if at >= 0 and len(uri) == len(entry.uri) else None
            last = uri.rpartition("/")[2]
            rank = 0 if last.startswith(words[0]) or entry.name.casefold().startswith(words[0]) else 1
            found.append((rank, number, Row("entry", 0, entry.uri, entry.uri, entry, hits=hits)))
        elif _in_order(letters, text):
            found.append((2, number, Row("entry", 0, entry.uri, entry.uri, entry)))
    found.sort(key=lambda item: item[:2])
    return [row for _, _, row in found]


def _in_order(letters: str, text: str) -> bool:
    at = -1
    for letter in letters:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True
