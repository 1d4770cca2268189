"""Everything that the clients of this machine have in their files. Only looks: nothing is started or written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from inspector.config.discover import KnownFile, known_files
from inspector.config.entry import Entry, Overrides, Scope
from inspector.config.load import Loader
from inspector.config.loaded import Loaded

_RANKS = {"user": 1, "project": 2, "managed": 4}
_OF_ONE_PROJECT = 3
"""Of an entry that the user's own file keeps for one project."""


def discover(
    project: Path, *, environment: Mapping[str, str] | None = None, home: Path | None = None
) -> Loaded:
    """Reads the files of all clients: the user's, and those of the folder of a project. Unlike `load` it keeps every
    entry; of those that are the same, or that another one of the same client hides, it is said."""
    around = os.environ if environment is None else environment
    at_home, folder = (Path(os.path.abspath(path)) for path in (home or Path.home(), project))
    loader = Loader(at_home, folder, Overrides())
    ranks: dict[Entry, int] = {}
    for known in known_files(at_home, [folder], around):
        for entry, _, keys in loader.each(known.path, _scope(known), known.dialect if known.moved else None):
            ranks[entry] = _OF_ONE_PROJECT if keys[:1] == ("projects",) else _RANKS[known.scope]
    _name_hidden(ranks)
    _name_same(ranks)
    return loader.finish(around, {})


def _scope(known: KnownFile) -> Scope:
    return "project" if known.scope == "project" else "user"


def _name_hidden(ranks: Mapping[Entry, int]) -> None:
    """Of the same name in several files each client takes one, the nearest to the work, and whole."""
    by_client: dict[tuple[str, str], list[Entry]] = {}
    for entry in ranks:
        by_client.setdefault((entry.dialect.label, entry.name), []).append(entry)
    for (label, _), entries in by_client.items():
        chosen = max(entries, key=lambda entry: ranks[entry])
        for entry in entries:
            if entry is not chosen:
                entry.note("info", "", f"{label} takes the entry of the same name in {_place(chosen)}")


def _name_same(entries: Iterable[Entry]) -> None:
    same: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        if entry.command or entry.url:
            key = (entry.command, *entry.args) if entry.command else ("", entry.url.rstrip("/"))
            same.setdefault(key, []).append(entry)
    for group in same.values():
        for entry in group if len(group) > 1 else ():
            others = ", ".join(
                f"{other.name} of {other.dialect.label}" for other in group if other is not entry
            )
            entry.note("info", "", f"the same server as {others}")


def _place(entry: Entry) -> str:
    return f"{entry.source.path}#{entry.source.pointer}"
